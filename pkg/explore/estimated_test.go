package explore

import (
	"testing"
)

// carded is a policy with a card that states the given certificate.
type carded struct {
	Policy
	certifies Certificate
}

func (c carded) Card() Card { return Card{Certifies: c.certifies} }

// tolerant is a question with the given tolerance.
type tolerant struct {
	Question
	by float64
}

func (q tolerant) Tolerates() float64 { return q.by }

// A margin is printed as certified if the policy certifies amounts, and the interval contradicts the verdict by at
// most the question's tolerance. The amounts 1.21 ± 1.63 are from a run of BettingElimination.
func TestMarked(t *testing.T) {
	for _, c := range []struct {
		name      string
		certifies Certificate
		tolerates float64
		reason    Reason
		want      bool
	}{
		{"certified", CertifiesAmounts, 0, Reason{Class: Optimal, Margin: 1.21, MarginRadius: 1.2}, false},
		{"too wide", CertifiesAmounts, 0, Reason{Class: Optimal, Margin: 1.21, MarginRadius: 1.63}, true},
		{"too wide, tolerated", CertifiesAmounts, .5,
			Reason{Class: Dominated, Margin: 1.21, MarginRadius: 1.63}, false},
		{"but for rounding", CertifiesAmounts, 0, Reason{Class: Optimal, Margin: 1.21, MarginRadius: 1.21 * (1 + 1e-12)}, false},
		{"a policy that certifies the set", CertifiesSet, 0,
			Reason{Class: Dominated, Margin: 9, MarginRadius: 1}, true},
		{"undecided", CertifiesSet, 0, Reason{Margin: 1.21, MarginRadius: 1.63}, false},
		{"compared with nobody", CertifiesSet, 0, Reason{Class: Optimal, By: -1}, false},
	} {
		own := []Reason{c.reason}
		got := marked(carded{nil, c.certifies}, tolerant{nil, c.tolerates}, own)
		if got[0].Estimated != c.want || own[0].Estimated {
			t.Errorf("%s: %v, the policy's own %v; want %v", c.name, got[0].Estimated, own[0].Estimated, c.want)
		}
	}
	p := &Problem{Arms: 2, Objectives: 1, ArmNames: []string{"A", "B"}}
	r := Reason{Class: Optimal, By: 1, Margin: 1.21, MarginRadius: 1.63, Estimated: true, Constraint: -1}
	if _, why := r.Why(p, 0); why != "ahead of B by an estimated 1.21" {
		t.Errorf("%q", why)
	}
	r = Reason{Class: Dominated, By: 1, Margin: -.5, MarginRadius: .66, Estimated: true, Constraint: -1}
	if _, why := r.Why(p, 0); why != "not needed beside B, although ahead of it by an estimated "+"0.5" {
		t.Errorf("%q", why)
	}
}
