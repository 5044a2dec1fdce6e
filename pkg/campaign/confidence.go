package campaign

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

// Confidence says how certain the answer is with the results so far.
type Confidence struct {
	// Delta is the smallest error probability, down to 10^-12, at which the method would stop now.
	// Delta is 1 if the method would not stop at any error probability below 1/2.
	Delta float64 `json:"delta" doc:"Smallest error probability at which the method would stop now; 1 if it would not stop at any below 1/2"`
	// Answer is the answer of the method with error probability Delta.
	Answer []string `json:"answer" doc:"The answer at that error probability"`
	// Arms are the candidates with a certain verdict at some error probability, sorted by error
	// probability.
	Arms []ArmConfidence `json:"arms,omitempty" doc:"Verdicts that would hold now, with their error probabilities"`
}

// ArmConfidence says how certain the Verdict on the candidate named Arm is. Delta is the smallest
// of 0.4, 0.2, 0.1, 0.05, 0.02, 0.01, 0.001, 1e-4, 1e-6, 1e-9 and 1e-12 at which the verdict would
// be certain now.
type ArmConfidence struct {
	Arm     string  `json:"arm"`
	Verdict string  `json:"verdict"`
	Delta   float64 `json:"delta"`
}

var sureAt = [...]float64{.4, .2, .1, .05, .02, .01, .001, 1e-4, 1e-6, 1e-9, 1e-12}

// String describes s in one or two sentences.
func (s Confidence) String() string {
	text := s.answer()
	if len(s.Arms) == 0 {
		return text
	}
	var list []string
	for _, a := range s.Arms {
		list = append(list, fmt.Sprintf("%s %s (%.2g)", a.Arm, a.Verdict, a.Delta))
	}
	return text + " By candidate: " + problem.Abbreviated(list) + "."
}

func (s Confidence) answer() string {
	if s.Delta == 1 {
		return "Confidence so far: the method would not stop now at any error probability below 0.5."
	}
	return fmt.Sprintf("Confidence so far: at an error probability of %.2g the method would stop now with this "+
		"answer: %s. The p-value %.2[1]g is valid at all times: if another answer is right, the probability that the "+
		"p-value ever falls below x is at most x.", s.Delta, answered(s.Answer))
}

// Sure returns how certain the answer is so far. Sure works for any-sampling methods, whose
// intervals are nested in delta. Because intervals are nested, the smallest delta at which the
// method would stop is a p-value that is valid at all times, whatever the delta of the campaign is.
// The result ok is false if the method is of another kind or failed, or if an objective has a
// pilot. It is also false if the results contradict the declarations, or if results after the end
// favour another answer.
func (c *Campaign) Sure() (s Confidence, ok bool, err error) {
	batches, err := c.Rewards()
	if err != nil {
		return s, false, err
	}
	err = c.read(func(m *snapshot) error {
		if e := m.run.evidence(); m.state() == Broken || e.Withdrawn() || !m.run.compiled.UsesAll() {
			return nil
		}
		for _, o := range m.ledger.problem.Objectives {
			if o.Noise.Pilot != nil { // a pilot has a fixed error probability, which does not change with delta
				return nil
			}
		}
		ok = true
		s, err = sure(m.ledger.problem, batches)
		if m.state() == Finished {
			var answer []string
			for _, i := range m.run.session.Result().Answer.Items {
				answer = append(answer, m.ledger.problem.Candidates.Names[i])
			}
			if own := m.ledger.problem.Question.Delta; s.Delta > own {
				// The search may return slightly more than the smallest delta.
				s.Delta, s.Answer = own, answer
			}
			ok = slices.Equal(s.Answer, answer) // results after the end can favour another answer
		}
		return err
	})
	return s, ok, err
}

// sure finds the smallest delta, to within a tenth, by bisection of the logarithm of delta.
func sure(p *problem.Problem, batches []explore.Batch) (Confidence, error) {
	s := Confidence{Delta: 1}
	if err := s.verdicts(p, batches); err != nil {
		return s, err
	}
	lo, hi := math.Log(1e-12), math.Log(.499)
	for x := hi; hi-lo > .1; x = (lo + hi) / 2 {
		r, _, err := at(p, math.Exp(x), batches)
		if err != nil {
			return s, err
		}
		if r.Status != explore.Stopped {
			if s.Delta == 1 {
				return s, nil
			}
			lo = x
			continue
		}
		hi, s.Delta, s.Answer = x, math.Exp(x), nil
		for _, i := range r.Answer.Items {
			s.Answer = append(s.Answer, p.Candidates.Names[i])
		}
	}
	return s, nil
}

// verdicts sets s.Arms to the candidates with certain verdicts.
func (s *Confidence) verdicts(p *problem.Problem, batches []explore.Batch) error {
	least := map[int]ArmConfidence{}
	for _, delta := range sureAt {
		r, c, err := at(p, delta, batches)
		if err != nil {
			return err
		}
		certain := false
		for i, v := range c.Verdicts(r.Answer) {
			if i < len(r.Answer.Reasons) && v.Class != explore.Undecided {
				least[i], certain = ArmConfidence{v.Candidate, v.Status, delta}, true
			}
		}
		if !certain {
			break // intervals are nested, so smaller deltas decide no further candidates
		}
	}
	for _, i := range slices.Sorted(maps.Keys(least)) {
		s.Arms = append(s.Arms, least[i])
	}
	slices.SortStableFunc(s.Arms, func(a, b ArmConfidence) int { return cmp.Compare(a.Delta, b.Delta) })
	return nil
}

// at returns the state of the method with error probability delta after the given batches.
func at(p *problem.Problem, delta float64, batches []explore.Batch) (r *explore.Result,
	c *problem.Compiled, err error) {
	q := p.Clone()
	q.Question.Delta = delta
	if c, err = q.Compile(); err != nil {
		return nil, nil, err
	}
	session, err := explore.NewSession(c.Policy(), c.Problem, c.Settings())
	if err == nil {
		err = session.ByTickets()
	}
	if err != nil {
		return nil, nil, err
	}
	reports := make([]explore.Report, len(batches))
	for i, b := range batches {
		reports[i].Batch = b
	}
	if len(reports) > 0 && session.Status() == explore.Running {
		if _, err := session.Report(reports); err != nil {
			return nil, nil, err
		}
	}
	return session.Result(), c, nil
}
