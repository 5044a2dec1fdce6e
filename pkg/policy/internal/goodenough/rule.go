package goodenough

import (
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
)

// cover returns the member of O that stands for arm i most certainly, and the evidence; -1 and
// -Inf if there is none.
func (s *State) cover(i int) (by int, evidence float64) { return s.covering(i, -1) }

// covering returns the member of O for which covers of arm i is largest, and what it is.
func (s *State) covering(i int, sign float64) (by int, most float64) {
	by, most = -1, -inf
	for _, j := range s.front {
		if j == i {
			continue
		}
		if v := s.covers(i, j, sign); v > most || by < 0 {
			by, most = j, v
		}
	}
	return by, most
}

// merit returns the evidence that no arm that may be feasible beats arm i. One that is at most floor
// may be returned as another one that is: nobody who has floor already needs to know which. Most
// arms are then compared with one other only, whose estimate is better.
func (s *State) merit(i int, floor float64) float64 {
	least := inf
	if j := s.over[i]; j != i && s.Inside[j] {
		least = s.Spared(i, j)
	}
	for _, j := range s.Possible {
		if least <= floor {
			break
		}
		if j != i {
			least = min(least, s.Spared(i, j))
		}
	}
	return least
}

// negative is the floor for those who ask whether evidence is negative.
const negative = -math.SmallestNonzeroFloat64

// good returns the evidence that arm i may be in the answer: that it is tolerably feasible, and that
// no arm that may be feasible beats it. As in merit, floor is what is enough.
func (s *State) good(i int, floor float64) float64 {
	if !s.Inside[i] {
		return -inf
	}
	return min(s.Sure[i], s.merit(i, floor))
}

// evidence returns the evidence on arm i as the rule has it: certain from 0 on.
//
//	members of O  are good;
//	other arms    are infeasible, a member of O stands for them, or they are good, too, which the
//	              estimate of an arm of O contradicts where nothing is tolerated.
func (s *State) evidence(i int) float64 {
	if s.isMember[i] {
		return s.good(i, -inf)
	}
	_, e := s.cover(i)
	if !s.Inside[i] {
		e = max(e, s.Sure[i])
	}
	if s.tolerates {
		e = max(e, s.good(i, e))
	}
	return e
}

// Check applies the stopping rule and returns the arm to look at next, -1 when the rule holds: the
// least certain arm outside O, or if these are certain, the least certain one of O.
func (s *State) Check() int {
	worst, arm := 0., -1
	for i := range s.K {
		if !s.isMember[i] {
			if e := s.evidence(i); e < worst {
				worst, arm = e, i
			}
		}
	}
	if arm < 0 {
		for _, i := range s.front {
			if e := s.good(i, -inf); e < worst {
				worst, arm = e, i
			}
		}
	}
	s.stopped = arm < 0
	return arm
}

// rival returns the arm of set, other than i, that comes closest to beating it and, if open is true, can be measured;
// -1 if there is none.
func (s *State) rival(i int, set []int, open bool) int {
	least, arm := inf, -1
	for _, j := range set {
		if j == i || open && !s.open[j] {
			continue
		}
		if v := s.Spared(i, j); v < least || arm < 0 {
			least, arm = v, j
		}
	}
	return arm
}

// Duel asks for a reward of arm b and one of an arm that its verdict may depend on, unless they are
// known: the one that comes closest to beating it and, where something is tolerated, in turns with it
// the one that may stand for it, as it is open which comparison will decide.
func (s *State) Duel(dst []explore.Pull, b int) []explore.Pull {
	if !s.open[b] {
		if c := s.rival(b, s.Possible, true); c >= 0 {
			return append(dst, explore.Pull{Arm: c, N: 1})
		}
		return s.Sweep(dst)
	}
	from := len(dst)
	dst = append(dst, explore.Pull{Arm: b, N: 1})
	c := s.rival(b, s.Possible, false)
	if j := s.standIn(b); j >= 0 && s.tolerates && s.N[b]%2 == 1 {
		c = j
	}
	if c >= 0 && s.open[c] {
		dst = append(dst, explore.Pull{Arm: c, N: 1})
	}
	return arms.Thrift(dst, from, s.Prob, s.N)
}

// standIn returns the member of O that may stand for arm i best, by the upper end of the interval
// where something is tolerated: the one that is closest to being certain may never be. It is -1 for
// members, and if there is none.
func (s *State) standIn(i int) int {
	if s.isMember[i] {
		return -1
	}
	sign := -1.
	if s.tolerates {
		sign = 1
	}
	j, _ := s.covering(i, sign)
	return j
}

// Leader returns the first arm of APE's rounds: the most promising one that is not known to be
// beaten by none, -1 if there is none.
func (s *State) Leader() int {
	most, arm := -inf, -1
	for _, i := range s.Possible {
		if s.merit(i, negative) >= 0 {
			continue
		}
		index := inf
		for _, j := range s.Possible {
			if index <= most && arm >= 0 {
				break // it leads no more
			}
			if j != i {
				index = min(index, s.hope(i, j))
			}
		}
		if index > most || arm < 0 {
			most, arm = index, i
		}
	}
	return arm
}

// Uncertain returns the arm with the least evidence on its feasibility, -1 if there is enough on
// every arm.
func (s *State) Uncertain() int {
	arm := -1
	for i, e := range s.Sure {
		if e < 0 && (arm < 0 || e < s.Sure[arm]) {
			arm = i
		}
	}
	return arm
}

// Race asks for a reward of each arm that is not certain, and of each that comes closest to beating
// one of them or to standing for it, in ascending order.
func (s *State) Race(dst []explore.Pull) []explore.Pull {
	s.racing = s.racing[:0]
	for i := range s.K {
		if s.evidence(i) >= 0 {
			continue
		}
		s.racing = append(s.racing, i)
		if j := s.rival(i, s.Possible, false); j >= 0 {
			s.racing = append(s.racing, j)
		}
		if j := s.standIn(i); j >= 0 {
			s.racing = append(s.racing, j)
		}
	}
	slices.Sort(s.racing)
	for _, i := range slices.Compact(s.racing) {
		if s.open[i] {
			dst = append(dst, explore.Pull{Arm: i, N: 1})
		}
	}
	return dst
}
