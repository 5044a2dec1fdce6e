package campaign

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

// What is decided of candidates stays so when others come and go, whatever the question: a newcomer
// has its part of the error probability from the start, and only it is measured next.
func TestDecidedStaysDecided(t *testing.T) {
	for _, x := range []struct{ find, method string }{{"best", ""}, {"best", "APE"},
		{"pareto", ""}} {
		second := ""
		if x.find == "pareto" {
			second = "[[objective]]\nname = \"purity\"\nnoise = { sd = 1 }\n"
		}
		for seed := range uint64(5) {
			p, err := problem.Parse("p.toml", []byte(fmt.Sprintf(`[question]
find = %q
delta = 0.05
[candidates]
names = ["a", "b", "c", "d", "e", "f"]
[[objective]]
name = "yield"
noise = { sd = 2 }
%s[method]
name = %q`, x.find, second, x.method)), nil)
			if err != nil {
				t.Fatal(err)
			}
			c := beginWith(t, p)
			rnd := rand.New(rand.NewPCG(seed, 3))
			decided := map[string]ArmStatus{}
			measure := func() {
				var results []Result
				for _, k := range ask(t, c, 2) {
					y := []float64{60 + 2*float64(k.Arm[0]-'a') + 2*rnd.NormFloat64()}
					if second != "" {
						y = append(y, 90+float64(k.Arm[0]-'a')+rnd.NormFloat64())
					}
					results = append(results, Result{Ticket: k.Ticket, Values: y})
				}
				tell(t, c, results...)
			}
			for len(decided) < 3 {
				measure()
				clear(decided)
				for _, a := range status(t, c).Arms {
					if a.Class == explore.Dominated {
						decided[a.Arm] = a
					}
				}
			}
			check := func(when string) {
				for _, a := range status(t, c).Arms {
					if was, ok := decided[a.Arm]; ok && a.Available && a.Class != was.Class {
						t.Errorf("%s %s, seed %d: %s is %s after %s; it was %s", x.find, x.method, seed,
							a.Arm, a.Verdict, when, was.Verdict)
					}
				}
			}
			if err := c.Join(problem.Candidate{Name: "newcomer"}, "Ada"); err != nil {
				t.Fatal(err)
			}
			check("a newcomer")
			for _, k := range ask(t, c, 2) {
				if _, ok := decided[k.Arm]; ok {
					t.Errorf("%s %s, seed %d: %s is measured next", x.find, x.method, seed, k.Arm)
				}
			}
			if err := c.Drop("a", "gone", "Ada"); err != nil {
				t.Fatal(err)
			}
			check("a drop")
			_ = c.Close()
		}
	}
}
