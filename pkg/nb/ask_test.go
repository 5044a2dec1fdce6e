package nb

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/nb/internal/cell/celltest"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/study"
)

// csv returns the table in a CSV text.
func csv(text string) Frame { return dataframe.ReadCSV(strings.NewReader(text)) }

// designs returns four designs. B is slower and more expensive than A; D is the fastest and most expensive.
func designs() Frame {
	return csv("design,speed [GHz],cost,size,fab\nA,4,50,1,X\nB,3,80,2,Y\nC,2,20,3,X\nD,6,140,4,Y\n")
}

// fast asks for designs that are fast and cheap.
func fast() Query {
	return On(designs(), "design").Max("speed", SD(.5)).Min("cost", SD(20)).Delta(.1).Pareto()
}

func TestQuery(t *testing.T) {
	mine := fast().Instance()
	// Policies see objectives with unit noise in which larger is better: speed/0.5 and -cost/20.
	for i, want := range [][]float64{{8, -2.5}, {6, -4}, {4, -1}, {12, -7}} {
		if got := mine.Truth().RawRowView(i); !slices.Equal(got, want) {
			t.Errorf("arm %d: %v; want %v", i, got, want)
		}
	}
	ape := &policy.APE{Radius: radius.Paper{}}
	r := fast().Run(1, ape)
	if r.Status != explore.Stopped || !slices.Equal(r.Answer.Items, []int{0, 2, 3}) || r.Pulls != Run(mine, ape, 1).Pulls {
		t.Fatalf("%+v", r.Result)
	}
	// Run the default method, with a limit.
	if r := fast().Limit(9).Run(2); r.Pulls > 9 || r.Status == explore.Stopped {
		t.Errorf("%d pulls of 9, %s", r.Pulls, r.Status)
	}
	// The frame contains numbers in the units of the table, and its intervals contain all true means.
	df := r.Frame()
	if want := "candidate verdict measurements speed [GHz] speed [GHz] low speed [GHz] high cost cost low cost high why"; strings.
		Join(df.Names(), " ") != want {
		t.Errorf("columns %q", df.Names())
	}
	for i, cost := range []float64{50, 80, 20, 140} {
		at := func(column string) float64 { return df.Col(column).Elem(i).Float() }
		if !(at("cost low") < at("cost") && at("cost") < at("cost high") && at("cost low") < cost && cost < at("cost high")) ||
			at("measurements") != float64(r.ArmPulls[i]) {
			t.Errorf("%v", df.Subset(i))
		}
	}
	if got := r.Chosen(); !slices.Equal(got, []string{"A", "C", "D"}) {
		t.Errorf("%q", got)
	}
}

// Runs answer every question correctly, including questions with one objective and with a linear model.
func TestQuestions(t *testing.T) {
	speed := On(designs(), "design").Max("Speed", SD(.5))
	cost := On(designs(), "Design").Min("cost", SD(5))
	for name, c := range map[string]struct {
		q    Query
		want string
	}{
		"best":     {speed.Best(), "D"},
		"cheapest": {cost.Best(), "C"},
		"top":      {speed.Top(2), "A D"},
		"within":   {cost.Top(2).Within(90).Within(35), "A C"},
		"bounds":   {cost.AtMost("cost", 60).AtLeast("speed", 3, SD(.5)).Best(), "A"},
		"known":    {speed.AtMost("cost", 100, Known).Best(), "A"},
		"feasible": {speed.AtLeast("speed [GHz]", 2.5).AtMost("speed", 5).Feasible(), "A B"},
		"sum":      {speed.Max("size", "weight=3", SD(1)).Best(), "D"},
		"linear":   {speed.Linear("size", "fab").Best(), "D"},
		"problem":  {Ask(speed.Top(3).File()), "A B D"},
	} {
		if got := strings.Join(c.q.Run(1).Chosen(), " "); got != c.want {
			t.Errorf("%s: %q; want %q", name, got, c.want)
		}
	}
	// The fitted means of a linear model are near the true means. Tables show numbers with few digits in full, and
	// round longer numbers.
	r := speed.Linear("size", "fab").Best().Run(1)
	if e := fig.Truth(r.inst).Means; !r.fit(e) || math.Abs(e.At(0, 0)-r.inst.Truth().At(0, 0)) > 1 || e.At(0, 0) == r.inst.Truth().At(0, 0) {
		t.Errorf("fitted %v; the truth is %v", e, r.inst.Truth())
	}
	if text := Must(FrameTable("", Table("n,x,y\nA,3.12345,0.123456789012\n"))).Text(); !strings.Contains(text, "3.12345  0.123\n") {
		t.Error(text)
	}
	// Methods that accept different forms of a question are compared on a form that all of them accept.
	t.Setenv("PUREXP_CACHE", t.TempDir())
	t.Setenv("PUREXP_REPS", "")
	for _, row := range speed.Best().Compare(3, nil, &policy.LUCB{}, &policy.UGapE{}).Rows() {
		if row.Err != "" || !row.Correct {
			t.Errorf("%+v", row)
		}
	}
	for want, q := range map[string]Query{"Uniform": fast(), "G-allocation": speed.Linear("size").Best(), "G-static": cost.Within(35)} {
		if rows := q.Compare(2).Rows(); len(rows) != 4 || !slices.ContainsFunc(rows, func(r mc.Row) bool { return strings.HasPrefix(r.Method, want) }) {
			t.Errorf("%d rows of two methods, none of %s", len(rows), want)
		}
	}
}

func TestQueryMistakes(t *testing.T) {
	on := On(designs(), "design")
	for name, c := range map[string]struct {
		f    func()
		want string
	}{
		"a table that is not there":  {func() { Problem("candidates = { file = \"designs.csv\" }", nil) }, "designs.csv"},
		"no such column":             {func() { on.Max("sped", SD(1)).Best().Run(1) }, `no column "sped"`},
		"no noise":                   {func() { on.Max("speed") }, "nb.SD(2)"},
		"no objective":               {func() { on.Best().Run(1) }, "has no objective; add Max"},
		"a bound before":             {func() { on.AtMost("cost", 3) }, "not an objective"},
		"twice":                      {func() { On(csv("a,b\nx,1\nx,2\n"), "a") }, "nb.Means(table"},
		"a policy that does not fit": {func() { fast().Run(1, &policy.RAGE{}) }, "cannot answer this question"},
		"no result":                  {func() { Explain(fast().Instance(), nil) }, "the result is nil"},
		"a question twice":           {func() { Ask(fast().File()).Best() }, "change the text"},
	} {
		if m, failed := celltest.Fails(t, c.f); !failed || !strings.Contains(m, c.want) {
			t.Errorf("%s: %v, %q", name, failed, m)
		}
	}
}

// Rates are counts with one trial each. If a query has features, the instance has the fitted means of the linear
// model.
func TestQueryRates(t *testing.T) {
	rates := On(csv("dose,cured,size\nlow,0.2,1\nmiddle,0.5,2\nhigh,0.9,3\n"), "dose").Max("cured", Rate).Delta(.1).Best()
	if r := rates.Run(1); !slices.Equal(r.Answer.Items, []int{2}) || math.Abs(r.Frame().Col("cured [rate]").Elem(2).Float()-.9) > .2 {
		t.Errorf("%v", r.Frame())
	}
	// The least-squares line through (1, 0.2), (2, 0.5), (3, 0.9) has slope 0.35 and is 0.5333 at 2.
	linear := rates.Linear("size").Instance()
	for i, want := range []float64{8./15 - .35, 8. / 15, 8./15 + .35} {
		if got := linear.Axes[0].Out(linear.Truth().At(i, 0)); math.Abs(got-want) > 1e-12 {
			t.Errorf("dose %d: %v; want %v", i, got, want)
		}
	}
}

// Means keeps the order of the table. The standard deviation of a measurement is pooled over the replicates of all
// candidates. For example, standard deviations of 1, 1 and 3 with 2, 2 and 3 measurements give sqrt((1 + 1 + 2 ×
// 9)/4), with 4 degrees of freedom.
func TestMeans(t *testing.T) {
	raw := csv("compound,activity,ring,page\nb,1.2928932,x,1\nb,2.7071068,x,2\na,4.2928932,y,3\nb,,x,4\na,5.7071068,y,5\n" +
		"c,1,y,6\nc,4,y,7\nc,7,y,8\n")
	df := Means(raw.Select([]string{"compound", "activity", "ring"}), "compound")
	if got := fmt.Sprint(df.Names(), df.Col("compound"), df.Col("activity n"), df.Col("ring")); got !=
		"[compound activity activity sd activity n ring] [b a c] [2 2 3] [x y y]" {
		t.Error(got)
	}
	q := On(df, "compound").Max("activity").Best()
	o := q.File().Objectives[0]
	if p := o.Noise.Pilot; p == nil || math.Abs(p.SD-math.Sqrt(5)) > 1e-5 || p.DF != 4 {
		t.Errorf("%+v", o.Noise)
	}
	if r := q.Run(1); r.Status != explore.Stopped {
		t.Errorf("%+v", r.Result)
	}
	if got := Means(csv("compound,activity,ring\na,1,x\nb,2,y\n"), "compound").Names(); fmt.Sprint(got) != "[compound activity activity sd activity n ring]" {
		t.Errorf("without replicates: %v", got)
	}
}

// Intervals contain the estimate and have the units of the table.
// If the noise has a range, intervals stay within the range.
func TestFrameIntervals(t *testing.T) {
	for _, q := range []Query{On(designs(), "design").Max("speed", SD(0.5)).Best(), On(designs(), "design").Min("cost", SD(20)).Best(),
		On(designs(), "design").Min("cost", Range(0, 150)).Best()} {
		r := q.Run(1)
		df, name := r.Frame(), q.File().Objectives[0].Label()
		mean, low, high := df.Col(name).Float(), df.Col(name+" low").Float(), df.Col(name+" high").Float()
		for i := range mean {
			if !(low[i] <= mean[i] && mean[i] <= high[i] && low[i] < high[i]) || q.File().Objectives[0].Noise.Range != nil && (low[i] < 0 || high[i] > 150) {
				t.Errorf("%s of candidate %d: %v, from %v to %v", name, i, mean[i], low[i], high[i])
			}
		}
	}
}

// All figures of a query (means, fronts, planes and experiments) show the units of the table and the directions of the
// objectives.
func TestQueryPlots(t *testing.T) {
	q := fast().AtMost("cost", 100)
	r := q.Run(1, &policy.ECAPE{Radius: radius.Paper{}})
	one := On(designs(), "design").Min("cost", SD(20)).Best()
	for alt, says := range map[string][]string{
		celltest.Printed(t, q.Plot):                                   {"speed [GHz] and cost, lower is better", "Dominated: B", "Infeasible: D"},
		celltest.Printed(t, r.Plot):                                   {"speed [GHz] and cost, lower is better", "Dominated: B", "Infeasible: D"},
		celltest.Printed(t, one.Plot):                                 {"best estimate at 20.", "Kept: C"},
		celltest.Printed(t, one.Run(1).Plot):                          {"Kept: C. Rejected: A, B, D."},
		celltest.Printed(t, r.Explain):                                {"cost", "behind A by", "GHz in speed", "outside cost <= 100 by"},
		celltest.Printed(t, one.say(0, Tolerance(30)).Run(1).Explain): {"undecided", "no more than the tolerance"},
		celltest.Printed(t, q.Problem):                                {"at_most = 100", `unit = "GHz"`},
	} {
		for _, say := range says {
			if !strings.Contains(alt, say) {
				t.Errorf("no %q in %s", say, alt)
			}
		}
	}
	mine := fast().Instance()
	e := study.Experiment{Name: "mine/designs", Title: "Designs", Reps: 2, Sizes: []int{4}, Delta: .1,
		Instance: func(int, int) (*bandit.Instance, error) { return mine, nil },
		Methods:  []study.Method{study.NewMethod("APE", "paper", &policy.APE{Radius: radius.Paper{}})}}
	for name, f := range map[string]*fig.Figure{"front": Must(e.Front(4)), "plane": Must(fig.Responses(mine, nil))} {
		p := f.Panels[0]
		var costs []string
		for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
			costs = append(costs, tick.Label)
		}
		if got := p.Y.Label.Text; got != "cost, lower is better →" || !slices.Contains(costs, "100") || slices.Contains(costs, "-5") {
			t.Errorf("%s: the axis says %q, %q", name, got, costs)
		}
	}
}

// Ask for the designs that are worth building.
func ExampleOn() {
	q := On(designs(), "design").Max("speed", SD(0.5)).Min("cost", SD(20)).AtMost("cost", 100).Pareto()
	fmt.Println(q.Run(1).Chosen())
	// Output: [A C]
}

// Estimate the noise from the replicates in a table.
func ExampleMeans() {
	raw := csv("compound,activity\nb,1\na,5\nb,2\na,5.5\nb,1.5\na,5\n")
	fmt.Println(On(Means(raw, "compound"), "compound").Max("activity").Best().Run(1).Chosen())
	// Output: [a]
}

// Ask three questions about one objective.
func ExampleQuery_Top() {
	q := On(designs(), "design").Min("cost", SD(5))
	fmt.Println(q.Best().Run(1).Chosen(), q.Top(2).Run(1).Chosen(), q.Within(35).Run(1).Chosen())
	// Output: [C] [A C] [A C]
}

// Set bounds on measured values, and on a known column that is not an objective.
func ExampleQuery_AtMost() {
	q := On(designs(), "design").Max("speed", SD(0.5)).AtLeast("speed", 2.5).AtMost("cost", 100, Known).Feasible()
	fmt.Println(q.Run(1).Chosen())
	// Output: [A B]
}

// Use a numeric column and a text column as features; each category of the text column has its own coefficient.
func ExampleQuery_Linear() {
	q := On(designs(), "design").Max("speed", SD(0.5)).Linear("size", "fab").Best()
	fmt.Println(q.Run(1).Chosen(), q.File().Candidates.FeatureNames)
	// Output: [D] [1 size fab = X fab = Y]
}

// Print the answer as a table, with intervals of all means.
func ExampleOutcome_Frame() {
	df := On(designs(), "design").Max("speed", SD(0.5)).Best().Run(1).Frame()
	fmt.Println(df.Names(), df.Col("verdict").Records()[3])
	// Output: [candidate verdict measurements speed [GHz] speed [GHz] low speed [GHz] high why] in the answer
}

// Names that look like numbers remain text.
func ExampleTable() {
	fmt.Println(Table("well,yield\n001,4\n1E5,6\n").Col("well").Records())
	// Output: [001 1E5]
}
