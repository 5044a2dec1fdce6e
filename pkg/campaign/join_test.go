package campaign

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

// Verdicts do not change when candidates join and leave: a newcomer has its part of the error probability from the
// start. After a newcomer joins, decided candidates are not measured next.
func TestDecidedStaysDecided(t *testing.T) {
	for _, x := range []struct{ find, method string }{{"best", ""}, {"best", "APE"}, {"pareto", ""}} {
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
join = true
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
			must(t, c.Join(problem.Candidate{Name: "newcomer"}, "Ada"))
			check("a newcomer")
			for _, k := range ask(t, c, 2) {
				if _, ok := decided[k.Arm]; ok {
					t.Errorf("%s %s, seed %d: the decided candidate %s is measured next", x.find, x.method, seed, k.Arm)
				}
			}
			must(t, c.Drop("a", "gone", "Ada"))
			check("a drop")
			_ = c.Close()
		}
	}
}

// The order of rows in a report does not matter, even if the report contains the first measurements of a newcomer
// and of other candidates.
func TestOrderOfRowsWithNewcomer(t *testing.T) {
	var want string
	for i, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}} {
		c := beginWith(t, many(t, 3, problem.FindPareto, "APE"))
		must(t, c.Join(problem.Candidate{Name: "newcomer"}, "Ada"))
		by := map[string]Ticket{}
		for _, x := range ask(t, c, 4) {
			by[x.Arm] = x
		}
		var results []Result
		for _, a := range order {
			name := []string{"arm 0", "arm 1", "arm 2", "newcomer"}[a]
			if by[name].Ticket == 0 {
				t.Fatalf("no ticket for %s: %v", name, by)
			}
			results = append(results, Result{Ticket: by[name].Ticket, Values: []float64{float64(a), float64(a) / 2}})
		}
		tell(t, c, results...)
		s := status(t, c)
		if got := fmt.Sprintf("%+v", s.Arms); i == 0 {
			want = got
		} else if got != want {
			t.Errorf("rows in the order %v:\n%s\nwant\n%s", order, got, want)
		}
		if s.Used != 4 || s.Unused != 0 {
			t.Errorf("rows in the order %v: %d used, %d not", order, s.Used, s.Unused)
		}
		verified(t, c)
	}
}
