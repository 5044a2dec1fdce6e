package campaign

import (
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

// A Sureness is how sure the answer is with the results so far.
type Sureness struct {
	// Delta is the least error probability, down to 10^-12, at which the method would stop now; 1 if
	// it would not at any below 1/2.
	Delta float64 `json:"delta" doc:"The answer would stand now at this error probability; 1 if at none below 1/2"`
	// Answer is what it would say.
	Answer []string `json:"answer" doc:"The candidates that it would have"`
}

// String returns a sentence.
func (s Sureness) String() string {
	if s.Delta == 1 {
		return "How sure, so far: no answer would stand now, at whatever error probability below 0.5."
	}
	answer := "no candidate keeps all bounds"
	if len(s.Answer) > 0 {
		answer = abbreviated(s.Answer)
	}
	return fmt.Sprintf("How sure, so far: at an error probability of %.2g the answer would stand "+
		"now: %s. That is a p-value that holds at all times: if another answer is right, it is ever "+
		"below x with probability at most x.", s.Delta, answer)
}

// Sure returns how sure the answer is so far. It is about methods that learn from any measurement:
// their intervals are nested in delta, so that the least delta at which the rule would stop holds at
// all times, whatever the campaign's own delta. Others have none, nor have campaigns whose method
// failed or whose results contradict what is declared, which ok says.
func (c *Campaign) Sure() (s Sureness, ok bool, err error) {
	batches, err := c.Rewards()
	if err != nil {
		return s, false, err
	}
	err = c.read(func(m *snapshot) error {
		if e := m.run.evidence(); m.state() == Broken || e.Withdrawn() || !m.run.compiled.UsesAll() {
			return nil
		}
		for _, o := range m.ledger.problem.Objectives {
			if o.Noise.Pilot != nil { // whose share of delta stays what it is
				return nil
			}
		}
		ok = true
		s, err = sure(m.ledger.problem, batches)
		if own := m.ledger.problem.Question.Delta; m.state() == Finished && s.Delta > own {
			s.Delta, s.Answer = own, nil // the search is not that fine
			for _, i := range m.run.session.Result().Answer.Items {
				s.Answer = append(s.Answer, m.ledger.problem.Candidates.Names[i])
			}
		}
		return err
	})
	return s, ok, err
}

// sure looks for the least delta by bisection of its logarithm, to a tenth.
func sure(p *problem.Problem, batches []explore.Batch) (Sureness, error) {
	s := Sureness{Delta: 1}
	lo, hi := math.Log(1e-12), math.Log(.499)
	for at := hi; hi-lo > .1; at = (lo + hi) / 2 {
		items, stands, err := standsAt(p, math.Exp(at), batches)
		if err != nil {
			return s, err
		}
		if !stands {
			if s.Delta == 1 {
				return s, nil
			}
			lo = at
			continue
		}
		hi, s.Delta, s.Answer = at, math.Exp(at), nil
		for _, i := range items {
			s.Answer = append(s.Answer, p.Candidates.Names[i])
		}
	}
	return s, nil
}

// standsAt reports whether the method would stop with an error probability of delta if it was told
// the batches, and with which answer.
func standsAt(p *problem.Problem, delta float64, batches []explore.Batch) (items []int, stands bool,
	err error) {
	q := p.Clone()
	q.Question.Delta = delta
	c, err := q.Compile()
	if err != nil {
		return nil, false, err
	}
	session, err := explore.NewSession(c.Policy(), c.Problem, c.Settings())
	if err == nil {
		err = session.ByTickets()
	}
	if err != nil {
		return nil, false, err
	}
	reports := make([]explore.Report, len(batches))
	for i, b := range batches {
		reports[i].Batch = b
	}
	if len(reports) > 0 && session.Status() == explore.Running {
		if _, err := session.Report(reports); err != nil {
			return nil, false, err
		}
	}
	return session.Result().Answer.Items, session.Status() == explore.Stopped, nil
}
