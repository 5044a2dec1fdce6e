package policy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
)

// With mirror descent GEGE finds the same sets, within a few per cent of the pulls.
func TestGEGEMirrorDescent(t *testing.T) {
	for _, c := range gegeLinearCases() {
		for _, two := range [][2]explore.Policy{
			{&policy.GEGEFixedConfidence{},
				&policy.GEGEFixedConfidence{Design: design.MirrorDescent}},
			{&policy.GEGEFixedBudget{Budget: 3000},
				&policy.GEGEFixedBudget{Budget: 3000, Design: design.MirrorDescent}},
		} {
			var rs [2]*explore.Result
			for k, p := range two {
				var err error
				if rs[k], err = explore.Run(p, c.Problem, c.Exact(), nil); err != nil ||
					len(rs[k].Warnings) > 0 {
					t.Fatalf("%v on %s: %v, %v", p, c.Name, rs[k], err)
				}
			}
			if a, b := rs[0].Answer.Items, rs[1].Answer.Items; !slices.Equal(a, b) {
				t.Errorf("%s: %v with mirror descent, %v without", c.Name, b, a)
			}
			if a, b := rs[0].Pulls, rs[1].Pulls; 20*max(a, b) > 21*min(a, b) {
				t.Errorf("%s: %d pulls with mirror descent, %d without", c.Name, b, a)
			}
			if name := explore.Name(two[1]); !strings.Contains(name, "mirror descent") {
				t.Errorf("%q does not name its designs", name)
			}
		}
	}
}
