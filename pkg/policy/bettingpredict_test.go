package policy

import (
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// An arm whose few pulls the metric does not see beside those of another one is expected to be as its own
// rewards, half a success and half a failure allow.
func TestPredictUnseen(t *testing.T) {
	p := &BettingElimination{Bounds: [2]float64{0, 1}}
	prob := &explore.Problem{Arms: 2, Sigma: .5, Question: question.Best{}}
	if err := p.Init(prob, nil); err != nil {
		t.Fatal(err)
	}
	many := int64(1e14) // more than 32 bits have
	p.pulled = []float64{float64(many), 10}
	p.pooled.Add(p.model.Arm(0), int(many), []float64{.3 * float64(many)})
	p.pooled.Add(p.model.Arm(1), 10, []float64{0})
	if p.pooled.Solve() {
		t.Fatal("the metric sees both arms")
	}
	mean, variance := p.predict(1)
	if want := .5 / 11; !(math.Abs(mean-want) < 1e-15 && math.Abs(variance-want*(1-want)) < 1e-15) {
		t.Errorf("%v with variance %v; want %v", mean, variance, want)
	}
}
