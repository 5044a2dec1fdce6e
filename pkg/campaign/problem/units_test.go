package problem

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// A problem in other units of yield, cost and a known price is the same problem for policies, with equal rewards,
// noise, region, tolerances and slacks. Amounts in the user's units are printed with their units.
func TestUnitsOfProblem(t *testing.T) {
	of := func(find string, y, z, p float64) *Compiled {
		text := fmt.Sprintf(`[question]
find = %q
delta = 0.1
[candidates]
file = "c.csv"
[[objective]]
name = "yield"
values = [0, %v]
noise = { sd = %v }
tolerance = %v
`, find, 100*y, 2*y, 5*y)
		if find == FindPareto {
			text += fmt.Sprintf(`at_least = %v
slack = %v
[[objective]]
name = "cost"
goal = "minimise"
noise = { range = [0, %v] }
at_most = %v
[[objective]]
name = "price"
goal = "minimise"
known = true
[[constraint]]
name = "margin"
terms = { yield = 1, cost = %v }
at_least = %v
`, 60*y, 4*y, 8*z, 3*z, -10*y/z, 40*y)
		}
		table := fmt.Sprintf("name,price\nA,%v\nB,%v\nC,%v\n", 3*p, 7*p, 5*p)
		return compile(t, read(t, text, table))
	}
	for _, find := range []string{FindBest, FindGood, FindPareto} {
		was := of(find, 1, 1, 1)
		for _, u := range [][3]float64{{4, .125, 16}, {.5, 1, 1}, {1, 64, 1}} {
			c := of(find, u[0], u[1], u[2])
			if c.Problem.Sigma != was.Problem.Sigma || !reflect.DeepEqual(c.Problem.Sigmas, was.Problem.Sigmas) ||
				fmt.Sprint(c.Problem.Known) != fmt.Sprint(was.Problem.Known) || c.Delta != was.Delta ||
				explore.Name(c.Policy()) != explore.Name(was.Policy()) {
				t.Errorf("%s in units %v: %+v; want %+v", find, u, c.Problem, was.Problem)
			}
			for _, x := range [][]float64{{60, 3}, {71, .5}, {12, 7}} {
				x = x[:len(c.Source.Measured())]
				told := make([]float64, len(x))
				for i := range x {
					told[i] = u[i] * x[i]
				}
				want, err1 := was.In(nil, 1, x)
				got, err2 := c.In(nil, 1, told)
				if err1 != nil || err2 != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s in units %v: %v is %v, %v; want %v, %v", find, u, told, got, err2, want, err1)
				}
				if q, ok := c.Problem.Question.(question.FeasiblePareto); ok {
					p := was.Problem.Question.(question.FeasiblePareto)
					in, a, _ := q.Region.Margin(got)
					if in2, b, _ := p.Region.Margin(want); in != in2 || !(math.Abs(a-b) <= 1e-9) ||
						!reflect.DeepEqual(q.Tolerance, p.Tolerance) ||
						!reflect.DeepEqual(q.Slack, []float64{4 * u[0], 0, 0}) {
						t.Errorf("%s in units %v: %+v, %v inside; want %+v, %v", find, u, q, a, p, b)
					}
				} else if !reflect.DeepEqual(c.Problem.Question, was.Problem.Question) {
					t.Errorf("%s in units %v: %+v; want %+v", find, u, c.Problem.Question, was.Problem.Question)
				}
			}
			for i, s := range c.Scales {
				w := was.Scales[i]
				lo, hi := c.Limits(i)
				l, h := was.Limits(i)
				for _, v := range [][2]float64{{s.Out(1.5), w.Out(1.5)}, {s.Size(-2), w.Size(-2)}, {lo, l}, {hi, h}} {
					if v[0] != u[i]*v[1] {
						t.Errorf("%s in units %v: objective %d says %v; want %v times %v", find, u, i, v[0], u[i], v[1])
					}
				}
			}
		}
	}
}
