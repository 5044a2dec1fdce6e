package study_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// kinds are experiments of each kind, small enough to be looked at.
func kinds() []study.Experiment {
	change := func(name string, of study.Experiment, set func(e *study.Experiment)) study.Experiment {
		e := of
		e.Name = "toy/" + name
		set(&e)
		return e
	}
	drawn := func(e *study.Experiment) {
		e.Sizes, e.Draws, e.Reps, e.Fewer = []int{2, 3}, 3, 3, map[int]int{3: 2}
		e.Methods[0].Reps, e.Methods[1].Each, e.Methods[2].MaxPulls = 2, 2, 50
		e.Bounds = append(e.Bounds, study.Bound{Name: "rising", Plan: func(t study.Task) (study.Plan, error) {
			best := t.Instance.Truth().At(0, 0) // the draw
			return study.Divided(10*best+.4, []float64{.5, .5}, explore.Answer{Items: []int{0}})
		}})
	}
	return []study.Experiment{
		confident(),
		change("limits", confident(), func(e *study.Experiment) {
			e.Methods[0].Largest, e.Methods[1].Largest = 2, 4
			e.Methods[1].TableOnly = true
			e.Methods[2].Reps, e.Methods[2].MaxPulls = 3, 7
			e.Notes = []string{"A note of the experiment."}
		}),
		change("means", confident(), func(e *study.Experiment) {
			e.Sizes, e.Means, e.InColour = []int{2, 3, 40}, true, []string{"rare"}
		}),
		change("drawn", confident(), drawn),
		change("deltas", confident(), func(e *study.Experiment) {
			e.Axis, e.Shared, e.Sizes, e.Source, e.Beside = "error probability in % delta", "one ladder", []int{2, 3}, "", "a trial"
			e.Instance = func(_, draw int) (*bandit.Instance, error) { return ladder(3, draw) }
			e.Delta, e.Deltas = 0, func(size int) float64 { return float64(size) / 100 }
		}),
		change("budget", confident(), func(e *study.Experiment) {
			e.Delta, e.Axis, e.Bounds, e.Sizes = 0, "budget T", nil, []int{2, 3, 60}
			e.Budget = func(size int) int { return size }
			e.Instance = func(_, draw int) (*bandit.Instance, error) { return ladder(3, draw) }
			e.Notes = []string{"A note of the experiment."}
		}),
		change("budgets", confident(), func(e *study.Experiment) {
			e.Delta, e.Bounds, e.Budget = 0, nil, func(size int) int { return 5 * size }
		}),
		change("places", named(), func(e *study.Experiment) {
			e.Figures = study.Plots(func(*study.Results) []study.Plot {
				return []study.Plot{study.PullsPlot("all of K=2", "All."), study.PullsPlot("few", "Few of them.", "few"),
					study.PullsPlot("nobody", "", "none"), study.ArmPlot("Arms.", "few", ""), study.ArmPlot("All arms.")}
			})
			e.Tables = study.Tables(study.ArmTables("few"), study.OneTable((*study.Results).BoundTable),
				study.OneTable(func(*study.Results) *tidy.Table { return &tidy.Table{Title: "Empty"} }))
		}),
		change("constants", confident(), func(e *study.Experiment) { e.Sizes, e.Figures = []int{2}, study.PlotByConstants }),
		change("map", named(), func(e *study.Experiment) {
			axis := func(label string, values ...float64) study.Axis {
				return study.Axis{Column: label + " [%]", Label: label, Values: values}
			}
			m := &study.Map{Panel: axis("panel", .5, 1), X: axis("across", 1, 2.25, 3), Y: axis("up", .1234, 20),
				Name:    func(panel, x, y float64) string { return fmt.Sprint(panel, " ", x, " ", y) },
				Methods: []string{"own", "other", "rare"}, Title: "A map", Notes: []string{"A note."}, Remarks: []string{"A remark."}}
			e.Names, e.Sizes, e.Bounds, e.Reps = m.Names(), study.Places(12), nil, 1
			e.Instance = func(place, _ int) (*bandit.Instance, error) {
				panel, x, y := m.At(place)
				if want := m.Name(panel, x, y); want != e.Names[place] {
					return nil, fmt.Errorf("%s is at %d, and %s there", e.Names[place], place, want)
				}
				return ladder(2, 0)
			}
			by := func(name string, pulls func(place int) int) study.Method {
				return study.Method{Name: name, New: func(t study.Task) explore.Policy { return &even{task: t, n: pulls(t.Size)} }}
			}
			e.Methods = []study.Method{by("own", func(int) int { return 10 }),
				by("other", func(place int) int { return []int{100, 99, 10, 9, 11, 1000, 123, 10, 10, 7, 20, 40}[place] }),
				by("rare", func(place int) int { return []int{10, 10, 9, 20, 9, 11, 30, 11, 10, 8, 5, 400}[place] })}
			e.Tables = study.OneTable(m.Table)
			e.Figures = study.Plots(func(*study.Results) []study.Plot {
				return []study.Plot{{Name: "map", Caption: "A map.", Draw: m.Figure}}
			})
		}),
		change("one", confident(), func(e *study.Experiment) { e.Sizes, e.Figures = []int{2}, study.OnePlot }),
	}
}

// Reports of each kind of experiment are those that were read, of its own rows and of a part of them; without rows there is
// nothing to show.
func TestReportsStay(t *testing.T) {
	var out strings.Builder
	for _, e := range kinds() {
		rows := simulate(t, e, study.Options{})
		var part []mc.Row // one method is missing at the first size, another one everywhere
		for _, r := range rows {
			if r.Method != "rare" && (r.Size != e.Sizes[0] || r.Constants != "few") {
				part = append(part, r)
			}
		}
		report(&out, "all of "+e.Name, e.Study(), rows)
		report(&out, "a part of "+e.Name, e.Study(), part)
		ts, err := e.Study().Tables(nil)
		if fs, errs := e.Study().Figures(nil); len(ts)+len(fs) > 0 || err != nil || errs != nil {
			t.Errorf("%s without rows: %v, %v, %v, %v", e.Name, ts, err, fs, errs)
		}
	}
	golden.Parts(t, "reports.txt", out.String(), `^=== .*`)
}

// report writes what a study makes of rows.
func report(out *strings.Builder, what string, s study.Study, rows []mc.Row) {
	fmt.Fprintf(out, "=== %s: %s (%s), %d replicates, file %s\n", what, s.Title, s.Paper, s.Reps, s.FileName())
	tables, err := s.Tables(rows)
	for _, table := range tables {
		fmt.Fprintf(out, "\n%s\n%s%s\n", table.Title, table.CSV(), strings.Join(table.Notes, "\n"))
	}
	figures, errs := s.Figures(rows)
	for _, f := range figures {
		d := f.Drawing.(*fig.Figure)
		fmt.Fprintf(out, "\n%s: %s\n%s\n%s\n", f.Name, f.Caption, d.Alt(), strings.Join(d.Notes, "\n"))
	}
	if err := errors.Join(err, errs); err != nil {
		fmt.Fprintln(out, "error:", err)
	}
	fmt.Fprintf(out, "\n%s\n", study.Judge(s.Claims(), rows).CSV())
}

// The runs of each kind of experiment, with fewer and with more replicates than its own: who runs where, how often, and within
// which limits. A line is an instance.
func TestGridsStay(t *testing.T) {
	var out strings.Builder
	for _, e := range kinds() {
		for _, reps := range []int{0, 1, 4, 5, 2 * e.Replicates()} {
			g, err := e.Grid(study.Options{Reps: reps, Seed: uint64(reps), Workers: 3, Shard: mc.Shard{I: 1, N: 2}})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&out, "\n%s, %d replicates: seed %d, %d workers, shard %v", g.Study, reps, g.Seed, g.Workers, g.Shard)
			for i, c := range g.Cells {
				m := c.Method
				if i == 0 || c.Size != g.Cells[i-1].Size || c.Draw != g.Cells[i-1].Draw {
					fmt.Fprintf(&out, "\n%s, size %d, draw %d, %s:", c.Experiment, c.Size, c.Draw, c.Instance.Name)
				}
				fmt.Fprintf(&out, " %d of %s to %v/%d/%d", m.Reps, study.Labelled(m.Name, m.Constants), m.Delta, c.Budget, m.MaxPulls)
				if (len(c.Measures) == 0) != (m.Constants == "bound") {
					t.Errorf("%s: %d measures of %v", e.Name, len(c.Measures), c.Key())
				}
			}
			out.WriteString("\n")
		}
	}
	golden.Parts(t, "grids.txt", out.String(), `^\w+/\w+, \d+ replicates`)
}

// What claims about made-up rows of three sizes come to, word for word.
func TestClaimsStay(t *testing.T) {
	e := confident()
	e.Sizes, e.Ground = []int{2, 4, 8}, study.PaperLaw
	var rows []mc.Row
	for i, size := range e.Sizes {
		rows = append(rows, runs(size, "even", "many", 1000*float64(size), i*i)...)
		rows = append(rows, runs(size, "even", "few", 1000, []int{2, 0, 13}[i])...)
		rows = append(rows, runs(size, "rare", "", 1500*math.Pow(float64(size), 1.5), []int{0, 19, 5}[i])...)
	}
	for i := range rows {
		if rows[i].Method == "rare" && rows[i].Size == 8 && !rows[i].Correct {
			rows[i].Status = explore.PullLimit.String()
		}
	}
	few, even, rare := study.As("even", "few"), study.As("even", "many"), study.As("rare", "")
	checks := []study.Check{
		study.Compared(study.Fewer, "even", "rare"), study.Compared(study.LargelyFewer, "even", "rare", "even"),
		study.Compared(study.Fewer, "even", "rare", "nobody"), study.From(4, study.Compared(study.LargelyMore, "rare", "even")),
		study.Growing(study.Linearly, "even"), study.Growing(study.BarelyGrows, "even", "few"), study.Growing(study.Grows, "nobody"),
		study.GrowingAbove(study.MuchFaster, "even", "rare"), study.GrowingAbove(study.Faster, "rare", "even", "nobody"),
		study.WithinDelta(study.Mistakes, "many", "even"), study.WithinDelta(study.Mistakes, "few", "even"),
		study.WithinDelta(study.Mistakes, "", "rare"), study.WithinDelta(study.GivenUp, "", "rare", "nobody"),
		study.Erring(study.Reasonable, "many", "even"), study.Erring(study.Negligible, "few", "rare"),
		study.ErringByMethod(study.Reasonable), study.ErringByMethod(study.Negligible),
		study.Rising(study.MoreOften, "rise of few,", few), study.Rising(study.BarelyRises, "rise of rare,", rare),
		study.RisingAbove(study.RisesMuchFaster, "few above many,", few, even), study.RisingAbove(study.LessOften, "many above few,", even, few),
		func(r *study.Results) study.Verdict { return study.Fewer.Judge(r.RatioOn("nowhere", even, rare)) },
		study.OnInstance(func(in *bandit.Instance) study.Verdict { return study.Exactly("two", 2, "arms", in.Problem.K()) }),
		study.OnNamed("nowhere", func(*bandit.Instance) study.Verdict { return study.Verdict{} }),
	}
	for i, c := range checks {
		make := []func(id, source, statement string, check study.Check) study.Claim{study.Says, study.Guarantees, study.Asks}[i%3]
		e.Claims = append(e.Claims, make(fmt.Sprint(i), "a source", "a statement", c))
	}
	study.AllOn(study.Clock, e.Claims[:1]...)
	study.Again(e.Claims[1:5]...)
	e.Claims[5] = e.Claims[5].On(study.StandIn)
	e.Claims[6] = e.Claims[6].On(study.Reading).Unjudged("what is lacking")
	e.Claims[7] = e.Claims[7].On(study.PaperData).Knowable()
	var out strings.Builder
	for _, means := range []bool{false, true} {
		if e.Means = means; means {
			e.Claims = e.Claims[:11] // those of pulls
		}
		judged := e.Results(rows).Judge()
		fmt.Fprintf(&out, "%s%s\n\n", judged.CSV(), strings.Join(judged.Notes, "\n"))
	}
	golden.Check(t, "claims.txt", out.String())
}

// What a verdict says, word for word: of error rates, of conditions, of preconditions and of readings.
func TestVerdictsStay(t *testing.T) {
	var out bytes.Buffer
	say := func(what string, v study.Verdict) {
		fmt.Fprintf(&out, "%s: %v\n  %s\n  %s\n", what, v.Outcome, v.Measured, v.Why)
	}
	cells := func(of ...[3]int) (ts []study.Tally) { // wrong, runs, given up
		for i, n := range of {
			ts = append(ts, study.Tally{Name: string(rune('a' + i)), Wrong: n[0], Runs: n[1], GivenUp: n[2]})
		}
		return ts
	}
	for _, ts := range [][]study.Tally{
		nil, cells([3]int{0, 1000, 0}), cells([3]int{3, 20, 0}), cells([3]int{1, 1, 0}), cells([3]int{90, 100, 0}, [3]int{0, 100, 0}),
		cells([3]int{0, 500, 0}, [3]int{1, 20, 0}), cells([3]int{0, 1000, 0}, [3]int{2, 30, 0}), cells([3]int{0, 1000, 0}, [3]int{2, 30, 1}),
		cells([3]int{8, 100, 0}), cells([3]int{10, 100, 0}), cells([3]int{0, 20, 0}), cells([3]int{0, 40, 0}),
		cells([3]int{40, 40, 40}), cells([3]int{2, 20, 2}, [3]int{1, 20, 1}), cells([3]int{5, 1000, 0}), cells([3]int{9, 1000, 0}, [3]int{11, 1000, 0}),
	} {
		for _, delta := range []float64{.1, .0125} {
			say(fmt.Sprint(ts, " at ", delta), study.AtMost(delta, ts, "meaning: "))
		}
	}
	say("a share", study.AtMost(.1, cells([3]int{30, 100, 0}, [3]int{0, 100, 0}), "", "runs beyond"))
	say("a word", study.FewWrong(study.Negligible, cells([3]int{0, 1000, 0})))

	at := func(what string, s tidy.Summary) study.Estimate {
		return study.Estimate{What: what, At: func(float64) tidy.Summary { return s }}
	}
	mark := func(e study.Estimate, set func(e *study.Estimate)) study.Estimate { set(&e); return e }
	inf := math.Inf(1)
	es := []study.Estimate{
		at("inside:", tidy.Summary{Center: .5, Lo: .4, Hi: .6, N: 20}),
		at("outside,", tidy.Summary{Center: 1.5, Lo: 1.4, Hi: 1.6, N: 20}),
		at("across", tidy.Summary{Center: .95, Lo: .8, Hi: 1.1, N: 20}),
		at("far", tidy.Summary{Center: .999, Lo: .5, Hi: 1.1, N: 20}),
		at("on it", tidy.Summary{Center: 1, Lo: .5, Hi: 1.1, N: 20}),
		at("unbounded", tidy.Summary{Center: 1, Lo: -inf, Hi: inf, N: 20}),
		at("nothing", tidy.Summary{Center: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), N: 3}),
		study.Exact("exact", .98765), study.Exact("exact one", 1), study.Share("share", 55, 60),
		study.Share("some", 0, 0), study.Median("numbers", []float64{1, 2, 3, 4, 5, 6, 7, 8}), study.Median("no numbers", nil),
		mark(at("resampled", tidy.Summary{Center: .5, Lo: .4, Hi: .6, N: 10}), func(e *study.Estimate) { e.Resampled = true }),
		mark(at("too few", tidy.Summary{Center: .5, Lo: .4, Hi: .6, N: 9}), func(e *study.Estimate) { e.Resampled = true }),
		mark(at("percent", tidy.Summary{Center: .99, Lo: .9, Hi: 1.08, N: 40}), func(e *study.Estimate) { e.Percent = true }),
		mark(at("percent and given up", tidy.Summary{Center: .9, Lo: .8, Hi: 1.08, N: 40}),
			func(e *study.Estimate) { e.Percent, e.GivenUp = true, true }),
		mark(at("above", tidy.Summary{Center: .9, Lo: .8, Hi: inf, N: 40}), func(e *study.Estimate) { e.GivenUp = true }),
		mark(at("below", tidy.Summary{Center: .9, Lo: math.SmallestNonzeroFloat64, Hi: 1.1, N: 40}),
			func(e *study.Estimate) { e.GivenUp = true }),
		mark(at("either", tidy.Summary{Center: .9, Lo: math.SmallestNonzeroFloat64, Hi: inf, N: 40}),
			func(e *study.Estimate) { e.GivenUp = true }),
		mark(at("at least one", tidy.Summary{Center: 2, Lo: 1, Hi: inf, N: 40}), func(e *study.Estimate) { e.GivenUp = true }),
	}
	for _, e := range es {
		name := e.What + e.Lacks
		for _, w := range []study.Word{study.Fewer, study.About} {
			say(w.Says+", "+name, w.Judge(e))
		}
		say("all, "+name, study.All(study.Fewer.Of(es[0]), study.About.Of(e)))
		say("any, "+name, study.Any(study.Fewer.Of(es[2]), study.About.Of(e), study.Fewer.Of(es[1])))
		good := study.Fewer.Judge(es[0])
		say("provided, "+name, good.Provided(study.Fewer.Of(e), study.More.Of(e)))
		if e.Lacks == "" {
			say("needs, "+name, good.Needs(study.Fewer.Of(e), "it cannot be"))
		}
	}
	one, two := study.Fewer.Judge(es[0]), study.Fewer.Judge(es[1])
	moot := study.Asks("M", "here", "moot", func(*study.Results) study.Verdict { return two }).Unjudged("no data").Check(nil)
	for i, vs := range [][]study.Verdict{nil, {one}, {two}, {moot}, {one, two}, {two, one}, {two, two}, {moot, two}, {two, moot},
		{two, study.Fewer.Judge(es[2])}, {study.Missing("runs"), study.Unknown(errors.New("no file"))}} {
		say(fmt.Sprint("readings ", i), study.AnyReading(vs...))
	}
	say("exactly", study.Exactly("three", 3, "arms", 3))
	say("not exactly", study.Exactly("three", 3, "arms", 4))
	golden.Parts(t, "verdicts.txt", out.String(), `^\[.*`)
}
