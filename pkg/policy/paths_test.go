package policy_test

import (
	"fmt"
	"hash/fnv"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// Rows are results: on the problems of its plan each policy asks for the same pulls as ever, and
// gives the same answers for the same reasons, to six digits. Indices, floors and tolerances that
// are a bit off pass every test of what is right; they do not pass this one. A change that is meant
// is written by PATHS=write, and named in CHANGELOG.md.
func TestPathsStay(t *testing.T) {
	var lines []string
	for _, p := range plans() {
		if len(p.cases) == 0 {
			continue
		}
		h, pulls := fnv.New64a(), 0
		for _, c := range p.cases {
			s, limit, whole := seed.New(28).Child(p.name, c.Name), c.MaxPulls, 0
			for _, eighths := range []int{8, 4, 7, 1} { // in full, and cut short: what is said on the way stays, too
				if eighths < 8 {
					limit = max(whole*eighths/8, 1)
				}
				r, err := explore.Run(p.new(), c.Problem, c.Sampler(s.Child("noise")),
					&explore.Settings{MaxPulls: limit, Src: s.Child("policy").Source()})
				if err != nil {
					fmt.Fprintln(h, err)
					break
				}
				pulls += r.Pulls
				if eighths == 8 {
					whole = r.Pulls
				}
				fmt.Fprintln(h, r.Status, r.Rounds, r.ArmPulls, r.Answer.Items)
				for _, x := range r.Answer.Reasons {
					fmt.Fprintf(h, "%v %d %.6g %.6g %d %.6g %.6g\n", x.Class, x.By, x.Margin,
						x.MarginRadius, x.Constraint, x.Slack, x.SlackRadius)
				}
			}
		}
		lines = append(lines, fmt.Sprintf("%s: %d pulls, %016x", p.name, pulls, h.Sum64()))
	}
	golden.Lines(t, "testdata/paths.txt", lines)
}
