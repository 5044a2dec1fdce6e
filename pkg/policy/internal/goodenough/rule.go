package goodenough

import (
	"slices"

	"github.com/purexp/purexp/pkg/explore"
)

// cover returns the member of O that stands for arm i most certainly, and the evidence; -1 and
// -Inf if there is none.
func (s *State) cover(i int) (by int, evidence float64) {
	by, evidence = -1, -inf
	for _, j := range s.front {
		if j == i {
			continue
		}
		if v := s.Covered(i, j); v > evidence || by < 0 {
			by, evidence = j, v
		}
	}
	return by, evidence
}

// merit returns the evidence that no arm that may be feasible beats arm i.
func (s *State) merit(i int) float64 {
	least := inf
	for _, j := range s.Possible {
		if j != i {
			least = min(least, s.Spared(i, j))
		}
	}
	return least
}

// evidence returns the evidence on arm i as the rule has it: certain from 0 on.
//
//	members of O  are tolerably feasible, and no arm that may be feasible beats them;
//	other arms    are infeasible, or a member of O stands for them.
func (s *State) evidence(i int) float64 {
	if s.isMember[i] {
		return min(s.Sure[i], s.merit(i))
	}
	_, e := s.cover(i)
	if !s.Inside[i] {
		e = max(e, s.Sure[i])
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
			if e := s.evidence(i); e < worst {
				worst, arm = e, i
			}
		}
	}
	s.stopped = arm < 0
	return arm
}

// rival returns the arm other than i that comes closest to beating it, among those that may be
// feasible and, if open is true, can be measured; -1 if there is none.
func (s *State) rival(i int, open bool) int {
	least, arm := inf, -1
	for _, j := range s.Possible {
		if j == i || open && !s.open[j] {
			continue
		}
		if v := s.Spared(i, j); v < least || arm < 0 {
			least, arm = v, j
		}
	}
	return arm
}

// Duel asks for a reward of arm b and one of the arm that comes closest to beating it, unless
// they are known.
func (s *State) Duel(dst []explore.Pull, b int) []explore.Pull {
	if !s.open[b] {
		if c := s.rival(b, true); c >= 0 {
			return append(dst, explore.Pull{Arm: c, N: 1})
		}
		return s.Sweep(dst)
	}
	dst = append(dst, explore.Pull{Arm: b, N: 1})
	if c := s.rival(b, false); c >= 0 && s.open[c] {
		dst = append(dst, explore.Pull{Arm: c, N: 1})
	}
	return dst
}

// Leader returns the first arm of APE's rounds: the most promising one that is not known to be
// beaten by none, -1 if there is none.
func (s *State) Leader() int {
	most, arm := -inf, -1
	for _, i := range s.Possible {
		if s.merit(i) >= 0 {
			continue
		}
		index := inf
		for _, j := range s.Possible {
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
		if j := s.rival(i, false); j >= 0 {
			s.racing = append(s.racing, j)
		}
		if !s.isMember[i] {
			if j, _ := s.cover(i); j >= 0 {
				s.racing = append(s.racing, j)
			}
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
