package policy_test

import (
	"math"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
)

// Limits are part of what is taken, and what is next to them is not, with a word on the limit: the smallest Delta, and the
// largest Budget of schedules that are reckoned in float64.
func TestLimitsAreTaken(t *testing.T) {
	begin := func(p explore.Policy, q explore.Question, d int) error {
		_, err := explore.NewSession(p, &explore.Problem{Arms: 3, Objectives: d, Sigma: 1, Question: q}, nil)
		return err
	}
	best, front, most := question.Best{}, question.Pareto{}, int(min(int64(1<<53), math.MaxInt-1))
	for _, x := range []struct {
		name    string
		at      error
		beyond  error
		outside string
	}{
		{"Delta", begin(&policy.APE{Delta: 1e-100}, front, 2), begin(&policy.APE{Delta: 9.99e-101}, front, 2), "at least 1e-100"},
		{"Delta near 1", begin(&policy.APE{Delta: 1 - 1e-9}, front, 2), begin(&policy.APE{Delta: 1}, front, 2), "between 0 and 1"},
		{"EGESR", begin(&policy.EGESR{Budget: most}, front, 2), begin(&policy.EGESR{Budget: most + 1}, front, 2), "at most 2^53"},
		{"Growth", begin(&policy.XYStatic{Growth: 16}, best, 1), begin(&policy.XYStatic{Growth: 16.001}, best, 1), "at most 16"},
		{"Growth near 1", begin(&policy.XYStatic{Growth: 1.001}, best, 1), begin(&policy.XYStatic{Growth: 1}, best, 1), "above 1"},
		{"Lazy", begin(&policy.LazyTrackAndStop{Lazy: 16}, best, 1), begin(&policy.LazyTrackAndStop{Lazy: 16.001}, best, 1), "at most 16"},
	} {
		if x.at != nil || x.beyond == nil || !strings.Contains(x.beyond.Error(), x.outside) {
			t.Errorf("%s: at the limit %v, beyond %v; want it taken, and %q", x.name, x.at, x.beyond, x.outside)
		}
	}
}
