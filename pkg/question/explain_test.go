package question_test

import (
	"math"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// Relaxations that make no sense are found before a policy sees them.
func TestParetoValidate(t *testing.T) {
	for _, q := range []question.Pareto{{Epsilon: -1}, {Cover: -.1}, {AtMost: -1},
		{Epsilon: math.NaN()}} {
		p := &explore.Problem{Arms: 2, Objectives: 2, Sigma: 1, Question: q}
		if err := p.Validate(); err == nil ||
			!strings.Contains(err.Error(), "; want a ") {
			t.Errorf("%#v: error %v", q, err)
		}
	}
	for _, q := range []question.Pareto{{}, {Epsilon: .1, Cover: .2, AtMost: 3}} {
		p := &explore.Problem{Arms: 2, Objectives: 2, Sigma: 1, Question: q}
		if err := p.Validate(); err != nil {
			t.Errorf("%#v: %v", q, err)
		}
	}
}
