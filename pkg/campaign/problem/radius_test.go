package problem

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
)

// The golden file lists the available radii by question, noise, features and independence. The first radius is the
// default. "Before" is the radius of campaigns that were started before radii could be chosen. The assumptions of
// their certificates stay the same.
func TestRadiiStay(t *testing.T) {
	sd, trials := 1., 12
	noises := map[string]Noise{"sd": {SD: &sd}, "pilot": {Pilot: &NoisePilot{}}, "range": {Range: []float64{0, 10}}, "counts": {Counts: &trials}}
	var out strings.Builder
	for _, find := range []string{FindBest, FindTop, FindGood, FindPareto, FindFeasible} {
		for _, objectives := range []string{"sd", "pilot", "range", "counts", "range bounded", "sd sd", "range range", "range counts", "sd counts", "range known", "range+bounded"} {
			for _, features := range []bool{false, true} {
				for _, independent := range []bool{false, true} {
					p := &Problem{Question: Question{Find: find, Delta: .1}, Independent: independent,
						Candidates: Candidates{Names: []string{"a", "b"}}}
					if features {
						p.Candidates.Features = [][]float64{{1}, {2}}
					}
					one, within := strings.CutSuffix(objectives, "+bounded")
					for i, name := range strings.Fields(one) {
						o := Objective{Name: fmt.Sprint(name, i), Goal: Maximise}
						switch name {
						case "known":
							o.Known = true
						case "bounded":
							o.Goal, o.Noise = Bounded, noises["range"]
						default:
							o.Noise = noises[name]
						}
						if within || name == "bounded" {
							o.AtLeast = &sd
						}
						p.Objectives = append(p.Objectives, o)
					}
					before := radii[""](p)
					fmt.Fprintf(&out, "%s of %s, features %v, independent %v: %s; before: %v\n", find, objectives, features, independent,
						strings.Join(p.Radii(), ", "), before)
					if slices.Contains(p.Radii(), RadiusFitted) {
						fmt.Fprintf(&out, "\tfitted: %+v\n", radii[RadiusFitted](p))
					}
				}
			}
		}
	}
	golden.Digests(t, "radii.txt", strings.Split(strings.ReplaceAll(out.String(), "\n\t", "; "), "\n"), golden.Before(","))
}

// The cost of a measurement is between 1e-6 and 1e12.
func TestCostsHaveASize(t *testing.T) {
	for cost, taken := range map[string]bool{"1e-6": true, "9e-7": false, "0": false, "-1": false, "1e12": true, "1.1e12": false} {
		p, err := Parse("p.toml", []byte("question = {find = \"best\", delta = 0.1}\ncandidates = {file = \"c.csv\", cost = \"EUR\"}\n"+
			"[[objective]]\nname = \"y\"\nnoise = {sd = 1}\n"), func(string) ([]byte, error) {
			return []byte("candidate,EUR\nA,1\nB," + cost + "\n"), nil
		})
		if err == nil {
			_, err = p.Compile()
		}
		if (err == nil) != taken || err != nil && !strings.Contains(err.Error(), "candidates.cost: a measurement of \"B\"") {
			t.Errorf("%s: %v", cost, err)
		}
	}
}
