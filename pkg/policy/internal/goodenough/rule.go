package goodenough

import (
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
)

// cover returns the member of O, the Pareto set of the estimates, with the largest evidence that it
// can replace arm i, and this evidence. If O contains no arm other than i, cover returns -1 and
// -Inf.
func (s *State) cover(i int) (by int, evidence float64) { return s.covering(i, -1) }

// covering returns the member j of O with the largest covers(i, j, sign), and this value.
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

// merit returns the evidence that no possibly feasible arm beats arm i. To save time, merit may
// return any value of at most floor if the evidence is at most floor. For most arms, merit makes
// only one comparison, with an arm whose estimate dominates the estimate of arm i.
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

// negative is a value of floor for callers that need only the sign of the evidence.
const negative = -math.SmallestNonzeroFloat64

// good returns the evidence that arm i may be in the answer. An arm may be in the answer if it is
// tolerably feasible and no possibly feasible arm beats it. To save time, good may return any value
// of at most floor if the evidence is at most floor.
func (s *State) good(i int, floor float64) float64 {
	if !s.Inside[i] {
		return -inf
	}
	return min(s.Sure[i], s.merit(i, floor))
}

// evidence returns the evidence about the class of arm i. If the evidence is at least 0, the class
// is certain:
//
//	members of O  are good;
//	other arms    are infeasible, can be replaced by a member of O, or are good as well. Without
//	              tolerances, the estimate of a member of O contradicts the last case.
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

// Check applies the stopping rule, and returns the next arm to examine, or -1 if the rule is
// satisfied. The next arm is the least certain arm outside O or, if all of these are certain, the
// least certain member of O.
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

// rival returns the arm of set, other than i, that comes closest to beating i. If open is true,
// rival considers only arms with unknown values. If set has no suitable arm, rival returns -1.
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

// Duel appends a pull of arm b, and a pull of an arm on which the class of b may depend. Known arms
// are not pulled. Without tolerances, the second arm is the rival that comes closest to beating b.
// With tolerances, the second arm alternates between this rival and the member of O that may
// replace b, because either comparison may determine the class of b.
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

// standIn returns the member of O that seems most suitable to replace arm i. Without tolerances,
// standIn chooses the member with the largest lower confidence bound. With tolerances, standIn
// chooses the member with the largest upper confidence bound, because the member with the largest
// lower bound may in fact be unable to replace arm i. If i is in O, or O is empty, standIn returns
// -1.
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

// Leader returns the first of the two arms of a round of APE. Among the arms i that may still be
// beaten, the first arm has the largest minimum over j of hope(i, j). If no arm can still be
// beaten, Leader returns -1.
func (s *State) Leader() int {
	most, arm := -inf, -1
	for _, i := range s.Possible {
		if s.merit(i, negative) >= 0 {
			continue
		}
		index := inf
		for _, j := range s.Possible {
			if index <= most && arm >= 0 {
				break // the minimum for arm i cannot exceed that of the leader so far
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

// Uncertain returns the arm with the least evidence about its feasibility, or -1 if the feasibility
// of every arm is certain.
func (s *State) Uncertain() int {
	arm := -1
	for i, e := range s.Sure {
		if e < 0 && (arm < 0 || e < s.Sure[arm]) {
			arm = i
		}
	}
	return arm
}

// Race appends a pull of each arm whose class is uncertain. Race also appends pulls of the arms
// that come closest to beating or replacing such an arm. The pulls are in ascending order of arms.
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
