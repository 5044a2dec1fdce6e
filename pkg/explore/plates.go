package explore

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Plates simulates a laboratory that works in plates, groups of measurements that are made together.
// The zero value of Plates makes one measurement at a time, without failures.
type Plates struct {
	// Size is the number of measurements of a plate; zero means 1.
	Size int
	// Out is the number of plates in progress at the same time; zero means 1.
	Out int
	// Fail is the probability that a measurement fails when its plate is reported. A late
	// measurement can fail later, with the same probability.
	Fail float64
	// Late is the probability that the result of a successful measurement is late. A late result
	// arrives with the next plate, or is again late with the same probability.
	Late float64
	// Src is the source of random failures and delays; nil means a source with a fixed seed.
	Src rand.Source
}

// Run runs policy p on prob with measurements from s, until p stops or a limit in set is reached.
// The number of pulls in the result includes only rewards that the policy has learned. In the
// result, Rounds is the number of plates. If the run fails after its start, Run also returns the
// result so far.
func (l Plates) Run(p Policy, prob *Problem, s Sampler, set *Settings) (*Result, error) {
	if l.Size < 0 || l.Out < 0 || !(l.Fail >= 0 && l.Fail < 1) || !(l.Late >= 0 && l.Late < 1) {
		return nil, fmt.Errorf("explore: %+v: expected Size and Out of at least 0, and Fail and Late from 0 to below "+
			"1", l)
	}
	ses, err := NewSession(p, prob, set)
	if err != nil {
		return nil, err
	}
	if l.Src == nil {
		l.Src = rand.NewPCG(0, 0)
	}
	lab := laboratory{Plates: l, ses: ses, sampler: s, rnd: rand.New(l.Src)}
	for ses.Status() == Running && err == nil {
		err = lab.step()
	}
	return ses.Result(), err
}

// laboratory is the state of a simulated laboratory during a run of Plates.
type laboratory struct {
	Plates
	ses     *Session
	sampler Sampler
	rnd     *rand.Rand
	out     [][]Order
	late    []Order
	obs     []Batch
}

// step fills the available plates, and reports the results of the oldest plate in progress.
func (l *laboratory) step() error {
	for len(l.out) < max(l.Out, 1) {
		orders, err := l.ses.More(max(l.Size, 1))
		if err != nil {
			return err
		}
		if len(orders) == 0 {
			break
		}
		l.out = append(l.out, orders)
	}
	back := l.late
	l.late = nil
	if len(l.out) > 0 {
		back = append(back, l.out[0]...)
		l.out = l.out[1:]
	} else if len(back) == 0 {
		if l.ses.Status() != Running {
			return nil
		}
		return errors.New("explore: the policy requests nothing, and nothing is pending")
	}
	l.rnd.Shuffle(len(back), func(i, j int) { back[i], back[j] = back[j], back[i] })
	var reports []Report
	for _, o := range back {
		switch u := l.rnd.Float64(); {
		case u < l.Fail:
			if err := l.ses.Forget(o.Ticket); err != nil {
				return err
			}
			continue
		case u < l.Fail+(1-l.Fail)*l.Late:
			l.late = append(l.late, o)
			continue
		}
		var err error
		if l.obs, err = l.sampler.Sample(l.obs[:0], []Pull{{o.Arm, 1}}); err != nil {
			return fmt.Errorf("explore: sampler: %w", err)
		}
		b := l.obs[0]
		reports = append(reports, Report{o.Ticket, Batch{b.Pull, slices.Clone(b.Sum), slices.Clone(b.Squares)}})
	}
	_, err := l.ses.Report(reports)
	return err
}
