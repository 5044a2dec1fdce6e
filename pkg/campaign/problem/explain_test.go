package problem

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

// With known means, a reason lists the difference in each objective; known values have no ±. Leads within a
// tolerance are listed separately. For a candidate that is ahead, the reason lists the deciding objective.
func TestExplainDifferences(t *testing.T) {
	const text = `question = {find = "pareto", delta = 0.05}
candidates = {file = "c.csv"}
[[objective]]
name = "yield"
unit = "%"
noise = { sd = 2.0 }
tolerance = 4
[[objective]]
name = "impurity"
unit = "%"
goal = "minimise"
at_most = 4
slack = 0.25
noise = { sd = 0.5 }
[[objective]]
name = "price"
unit = "EUR"
goal = "minimise"
known = true
`
	p, err := Parse("p.toml", []byte(text), func(string) ([]byte, error) {
		return []byte("c,price\nA,38\nB,12\nC,22\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	means := mat.NewDense(3, 3, []float64{50, 4, 38, 80, 3, 12, 78, 2.5, 22})
	// In rewards, the differences from B in yield, impurity and price are -15, -2 and -1 for A, and -1, 1 and -10/26
	// for C.
	slack := explore.Reason{Class: explore.Optimal, By: -1, Slack: .8, SlackRadius: 1}
	if list := c.Explain(explore.Answer{Reasons: []explore.Reason{slack}}, means); list[0].Why !=
		"inside impurity <= 4 % by 0.400 ± 0.500 %, or outside by less than the slack of 0.25 %" {
		t.Error(list[0].Why)
	}
	slack.Class = explore.Undecided
	if list := c.Explain(explore.Answer{Reasons: []explore.Reason{slack}}, means); list[0].Why !=
		"seems inside impurity <= 4 % by 0.400 ± 0.500 %" {
		t.Error(list[0].Why)
	}
	for _, x := range []struct {
		i      int
		class  explore.Class
		margin float64
		want   string
	}{
		{0, explore.Dominated, 1, "behind B by 30.00 ± 4.00 % in yield, 1.00 ± 1.00 % in impurity and 26 EUR in price"},
		{2, explore.Dominated, -1, "behind B by 2.00 ± 4.00 % in yield and 10 EUR in price, and ahead by 0.50 ± 1.00 % in impurity, within the tolerance"},
		{2, explore.Optimal, 1, "ahead of B by 0.50 ± 1.00 % in impurity, or behind by a difference that does not matter"},
		{2, explore.Undecided, 1, "seems ahead of B by 0.50 ± 1.00 % in impurity"},
		{0, explore.Undecided, -1, "seems behind B by 30 % in yield, 1 % in impurity and 26 EUR in price"},
		// If a margin was computed from other means (such as those of a model), the reason converts the margin to the
		// unit of each objective.
		{0, explore.Dominated, 3, "behind B by at least 6.00 ± 4.00 % in yield and 1.50 ± 1.00 % in impurity and 26 EUR in price"},
	} {
		reasons := make([]explore.Reason, 3)
		for i := range reasons {
			reasons[i] = explore.Reason{By: -1, Constraint: -1}
		}
		reasons[x.i] = explore.Reason{Class: x.class, By: 1, Margin: x.margin, MarginRadius: 2, Constraint: -1}
		if got := c.Explain(explore.Answer{Reasons: reasons}, means)[x.i].Why; got != x.want {
			t.Errorf("%q; want %q", got, x.want)
		}
	}
}

// A reason that compares two candidates agrees with their means: it says which candidate is ahead, and in which
// objectives. The test covers answers of all classes, including undecided and tolerated ones, for random tables
// with two measured objectives and a price.
func TestReasonsAgreeWithMeans(t *testing.T) {
	amount := regexp.MustCompile(`(?:an estimated )?([0-9.e+-]+)(?: ± [0-9.e+-]+)? (%|EUR) in (yield|impurity|price)`)
	pair := regexp.MustCompile(`(behind|ahead of) (C\d)`)
	seen, said := map[string]int{}, 0
	for run := range 400 {
		rnd := rand.New(rand.NewPCG(uint64(run), 53))
		text := "[question]\nfind = \"pareto\"\ndelta = 0.1\n[candidates]\nfile = \"c.csv\"\n"
		for _, o := range []string{"name = \"yield\"\nunit = \"%\"\nnoise = {sd = 2}", "name = \"impurity\"\nunit = \"%\"\n" +
			"goal = \"minimise\"\nnoise = {sd = 0.5}", "name = \"price\"\nunit = \"EUR\"\ngoal = \"minimise\"\nknown = true"} {
			text += "[[objective]]\n" + o + "\n"
			if rnd.IntN(2) == 0 {
				text += fmt.Sprintf("tolerance = %.1f\n", .1+rnd.Float64())
			}
		}
		table, mean := "name,price\n", make([][]float64, 5)
		for i := range mean {
			mean[i] = []float64{50 + 10*rnd.Float64(), 5 - 2*rnd.Float64(), float64(1 + rnd.IntN(5))}
			table += fmt.Sprintf("C%d,%v\n", i, mean[i][2])
		}
		p, err := Parse("p.toml", []byte(text), func(string) ([]byte, error) { return []byte(table), nil })
		if err != nil {
			t.Fatal(err)
		}
		c, err := p.Compile()
		if err != nil {
			t.Fatal(err)
		}
		// Report to the policy the results of a random number of requests.
		s, err := explore.NewSession(c.Policy(), c.Problem, c.Settings())
		if err == nil {
			err = s.ByTickets()
		}
		if err != nil {
			t.Fatal(err)
		}
		means := mat.NewDense(5, 3, nil)
		for left := 5 + rnd.IntN(120); left > 0 && s.Status() == explore.Running; left-- {
			orders, err := s.More(1)
			if err != nil || len(orders) == 0 {
				break
			}
			i := orders[0].Arm
			values := []float64{mean[i][0] + 2*rnd.NormFloat64(), mean[i][1] + .5*rnd.NormFloat64()}
			reward, k, err := c.Learn(nil, i, values, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Report([]explore.Report{{Ticket: orders[0].Ticket, Batch: explore.Batch{
				Pull: explore.Pull{Arm: i, N: k}, Sum: reward}}}); err != nil {
				t.Fatal(err)
			}
		}
		n, sum := make([]float64, 5), mat.NewDense(5, 2, nil)
		for _, round := range s.Settled() { // reasons depend only on settled rounds
			for _, b := range round.Told {
				n[b.Arm] += float64(b.N)
				for j := range 2 {
					sum.Set(b.Arm, j, sum.At(b.Arm, j)+b.Sum[j])
				}
			}
		}
		for i := range 5 {
			means.Set(i, 2, mean[i][2])
			for j := range 2 {
				means.Set(i, j, c.Scales[j].Out(sum.At(i, j)/n[i]))
			}
		}
		for i, v := range c.Explain(s.Result().Answer, means) {
			at := pair.FindStringSubmatchIndex(v.Why)
			if at == nil {
				continue
			}
			seen[v.Status]++
			other := int(v.Why[at[5]-1] - '0')
			first, second, _ := strings.Cut(v.Why[at[1]:], ", and ahead by ")
			if list, _, _ := strings.Cut(first, ", or "); !strings.Contains(list, " or ") { // if amounts are joined by "or", only one of them must be right
				for _, m := range amount.FindAllStringSubmatch(list, -1) {
					agrees(t, run, v.Why, m, v.Why[at[2]:at[3]] == "ahead of", means, i, other)
					said++
				}
			}
			for _, m := range amount.FindAllStringSubmatch(second, -1) {
				agrees(t, run, v.Why, m, true, means, i, other)
				said++
			}
		}
	}
	if seen["undecided"] < 50 || seen["rejected"] < 50 || seen["in the answer"] < 50 || said < 1000 {
		t.Errorf("%d differences of %v", said, seen)
	}
}

// agrees reports an error unless candidate i is ahead of (or behind) candidate other in the objective named in m.
func agrees(t *testing.T, run int, why string, m []string, ahead bool, means *mat.Dense, i, other int) {
	t.Helper()
	c := map[string]int{"yield": 0, "impurity": 1, "price": 2}[m[3]]
	lead := means.At(i, c) - means.At(other, c)
	if c > 0 {
		lead = -lead
	}
	if size, _ := strconv.ParseFloat(m[1], 64); lead != 0 && (lead > 0) != ahead && size > 1e-9 {
		t.Errorf("table %d: %q of C%d, but it leads C%d by %.4g in %s", run, why, i, other, lead, m[3])
	}
}
