package studytest

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study"
	"gonum.org/v1/gonum/stat/distuv"
)

// Made says what made-up rows of a method at a size are like.
type Made struct {
	// Pulls is their median number of pulls. 0 makes no rows.
	Pulls float64
	// Spread is the standard deviation of the logarithm of the number of pulls.
	Spread float64
	// Wrong is the share of wrong answers.
	Wrong float64
	// Reps is the number of rows. 0 means 20.
	Reps int
	// Edit, if not nil, changes other fields of a row.
	Edit func(*mc.Row)
}

// A Make says what the rows of a method, or of a bound, at a size are like.
type Make func(m study.Method, size int) Made

// Rows makes up the rows of an experiment: numbers of pulls are quantiles of a log-normal law, in
// an order that differs between cells, so that pairs do not belong together more than chance has
// it.
func Rows(e study.Experiment, made Make) []mc.Row {
	var rows []mc.Row
	methods := e.Methods
	for _, b := range e.Bounds {
		methods = append(methods[:len(methods):len(methods)],
			study.Method{Name: b.Name, Constants: "bound"})
	}
	for _, size := range e.Sizes {
		for _, m := range methods {
			rows = append(rows, cell(e, m, size, made(m, size))...)
		}
	}
	return rows
}

// cell makes up the rows of a method at a size.
func cell(e study.Experiment, m study.Method, size int, made Made) []mc.Row {
	if made.Pulls == 0 {
		return nil
	}
	n := made.Reps
	if n == 0 {
		n = 20
	}
	label := e.SizeLabel(size)
	order := rand.New(seed.New(1).Child("made", label, m.Name, m.Constants).Source()).Perm(n)
	wrong := int(math.Round(made.Wrong * float64(n)))
	rows := make([]mc.Row, n)
	for i := range rows {
		z := distuv.UnitNormal.Quantile((float64(order[i]) + .5) / float64(n))
		rows[i] = mc.Row{
			Study: "made", Seed: 1, Experiment: e.Name, Size: size, Method: m.Name,
			Constants: m.Constants,
			Delta:     e.DeltaAt(size), Instance: label, Rep: i, Status: explore.Stopped.String(),
			Correct: order[i] >= wrong,
			Pulls:   int(math.Round(made.Pulls * math.Exp(made.Spread*z))), Rounds: 1,
		}
		if e.Budget != nil {
			rows[i].Delta, rows[i].Budget = 0, e.Budget(size)
		}
		if e.Draws > 0 {
			rows[i].Rep, rows[i].Draw, rows[i].Instance = 0, i, e.Label(size, i)
		}
		if made.Edit != nil {
			made.Edit(&rows[i])
		}
	}
	return rows
}

// Sides are made-up rows that are clearly for a claim, clearly against it, and on both sides of its
// limit, intervals included.
type Sides struct{ Agrees, Differs, Unclear Make }

// Verdicts checks that the verdict on each claim of an experiment follows made-up rows to each
// side, and is NotComparable where they straddle the limit. Every claim needs its sides, but for
// those that are Known, as instances decide, and those that have no verdict: what no rows could make
// agree, or differ, fails.
func Verdicts(tb testing.TB, e study.Experiment, sides map[string]Sides) {
	tb.Helper()
	seen := map[string]bool{}
	for _, c := range e.Claims {
		seen[c.ID] = true
		s, ok := sides[c.ID]
		if c.Moot {
			if ok {
				tb.Errorf("%s: claim %q has made-up rows, but no verdict", e.Name, c.ID)
			}
			continue
		}
		if !ok {
			if !c.Known {
				tb.Errorf("%s: claim %q has no made-up rows", e.Name, c.ID)
			}
			continue
		}
		for _, side := range []struct {
			made Make
			want study.Outcome
		}{{s.Agrees, study.Agrees}, {s.Differs, study.Differs}, {s.Unclear, study.NotComparable}} {
			if side.made == nil {
				tb.Errorf("%s: claim %q has no made-up rows for the verdict %q", e.Name, c.ID,
					side.want)
				continue
			}
			v := c.Check(e.Results(Rows(e, side.made)))
			if v.Outcome != side.want || v.Measured == "" || v.Measured == "-" || v.Why == "" {
				tb.Errorf("%s: claim %q on rows that are made so that it %s: %s", e.Name, c.ID,
					side.want, say(v))
			}
		}
	}
	for id := range sides {
		if !seen[id] {
			tb.Errorf("%s: no claim %q", e.Name, id)
		}
	}
}

// Verdict returns the verdict on a claim of an experiment by made-up rows.
func Verdict(tb testing.TB, e study.Experiment, id string, made Make) study.Verdict {
	tb.Helper()
	for _, c := range e.Claims {
		if c.ID == id {
			return c.Check(e.Results(Rows(e, made)))
		}
	}
	tb.Fatalf("%s: no claim %q", e.Name, id)
	return study.Verdict{}
}

// say writes a verdict.
func say(v study.Verdict) string { return fmt.Sprintf("%s, %s: %s", v.Outcome, v.Measured, v.Why) }

// Pulls makes rows whose medians are those of a list, by name and constants ("GEGE code"; "GEGE" if
// it has none); others have a median of 1000. Spread is that of all.
func Pulls(spread float64, medians map[string]float64) Make {
	return func(m study.Method, _ int) Made {
		p, ok := medians[name(m)]
		if !ok {
			p = 1000
		}
		return Made{Pulls: p, Spread: spread}
	}
}

// Exponents makes rows whose medians grow as a power of the size, by name and constants; others do
// not grow.
func Exponents(spread float64, exponents map[string]float64) Make {
	return func(m study.Method, size int) Made {
		return Made{Pulls: 1000 * math.Pow(float64(size), exponents[name(m)]), Spread: spread}
	}
}

// Wrongs makes rows of so many runs each, whose shares of wrong answers are those of a list, by
// name and constants; others have none.
func Wrongs(reps int, shares map[string]float64) Make {
	return func(m study.Method, _ int) Made {
		return Made{Pulls: 1000, Spread: .1, Wrong: shares[name(m)], Reps: reps}
	}
}

// name is that of a method, with its constants.
func name(m study.Method) string {
	if m.Constants == "" {
		return m.Name
	}
	return m.Name + " " + m.Constants
}

// Judgements compares what the claims of a paper come to on made-up rows with the file claims.txt in testdata, but for claims by
// the clock: each has its verdict, how what was measured begins, and a sum of all that is said. Methods differ in pulls, errors and
// measures, first one way and then the other, where one was not run at the last size; some runs were given up.
func Judgements(t *testing.T, p study.Paper) {
	t.Helper()
	var out strings.Builder
	for _, e := range p.Experiments {
		e.Claims = slices.DeleteFunc(slices.Clone(e.Claims), func(c study.Claim) bool { return c.Ground == study.Clock })
		if len(e.Claims) == 0 {
			continue
		}
		for way, other := range []bool{false, true} {
			fmt.Fprintf(&out, "%s, way %d\n", e.Name, way+1)
			for _, row := range study.Judge(e.Study().Claims(), Rows(e, opposed(e, other))).Rows {
				sum := sha256.Sum256(fmt.Append(nil, row...))
				fmt.Fprintf(&out, "%v: %v, %.70s %x\n", row[0], row[5], row[6], sum[:4])
			}
		}
	}
	golden.Check(t, "claims.txt", out.String())
}

// Definitions compares what the experiments of a paper are with the file definitions.txt in testdata: sizes, replicates and limits,
// policies with their settings at the first two sizes, bounds, and the words of titles and claims.
func Definitions(t *testing.T, p study.Paper) {
	t.Helper()
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s; %s\n", p.Name, p.Title, p.Reference)
	for _, e := range p.Experiments {
		fmt.Fprintf(&out, "\n%s: %s; %s; %s; on %v\n", e.Name, e.Title, e.Where(), e.Beside, e.Ground)
		fmt.Fprintf(&out, "%s %v of %q, %q; draws %d %v; %d times; means %v; in colour %q; negated %v; measures ", e.Axis, e.Sizes, e.Names, e.Shared,
			e.Draws, e.Fewer, e.Reps, e.Means, e.InColour, e.Negated)
		for _, m := range e.Measures {
			fmt.Fprintf(&out, "%.60q ", m.Names)
		}
		out.WriteString("\n")
		said := map[string]bool{}
		for _, size := range e.Sizes[:min(2, len(e.Sizes))] {
			inst, err := e.At(size, 0)
			if err != nil {
				t.Fatal(err)
			}
			task := e.Task(inst, size)
			fmt.Fprintf(&out, "at %s: %d arms, %d items, delta %v, budget %d\n", inst.Name, inst.Problem.K(), inst.Problem.M(), task.Delta, task.Budget)
			for _, m := range e.Methods {
				line := fmt.Sprintf("  %s: %v, up to %d/%d/%d/%d %v %v\n", study.As(m.Name, m.Constants), m.New(task), m.Largest, m.Reps, m.Each,
					m.MaxPulls, m.TableOnly, m.Radius)
				if !said[line] { // the same at both
					out.WriteString(line)
				}
				said[line] = true
			}
		}
		for _, b := range e.Bounds {
			fmt.Fprintf(&out, "bound: %s\n", b.Name)
		}
		for _, c := range e.Claims {
			fmt.Fprintf(&out, "claim %s (%v, %v, %v, %v), %s: %s\n", c.ID, c.Kind, c.Ground, c.Known, c.Moot, c.Source, c.Statement)
		}
		for _, note := range e.Notes {
			fmt.Fprintf(&out, "note: %s\n", note)
		}
	}
	golden.Parts(t, "definitions.txt", out.String(), `^\w+/[\w-]+:`)
}

// opposed makes rows whose numbers rise with the place of a method, or fall the other way.
func opposed(e study.Experiment, other bool) Make {
	return func(m study.Method, size int) Made {
		i := slices.IndexFunc(e.Methods, func(o study.Method) bool { return o.Name == m.Name && o.Constants == m.Constants })
		at := slices.Index(e.Sizes, size)
		made := Made{Pulls: 1000, Spread: .2}
		if i < 0 { // a bound
			made.Pulls, made.Reps, made.Edit = 900, 1+max(0, e.Draws-1)*19, func(r *mc.Row) { r.Correct = true }
			return made
		}
		if other {
			if i == len(e.Methods)-1 && at == len(e.Sizes)-1 {
				return Made{}
			}
			i = len(e.Methods) - 1 - i
		}
		made.Pulls *= (1 + float64(i)/2) * math.Pow(1+float64(at), float64(i%3)/2)
		made.Wrong = float64((i*(at+1))%5) / 10
		made.Edit = func(r *mc.Row) {
			if i%4 == 3 && r.Rep%7 == 6 {
				r.Status, r.Correct = explore.PullLimit.String(), false
			}
			for k, measure := range e.Measures {
				for l, name := range measure.Names {
					v := float64((7*r.Rep+r.Rep/3*i+r.Rep*r.Rep*(k+l+1)+at)%(3+i%2)) + .1*float64(at)
					if strings.Contains(name, "@") || name == "regret" { // never 0
						v += .5
					}
					r.Measures = append(r.Measures, mc.Value{Name: name, Value: v})
				}
			}
			r.Classes = []string{"DDDOI", "DDIOI", "DDDOU"}[(r.Rep+i)%3]
			for arm := range 10 {
				r.ArmPulls = append(r.ArmPulls, 100+(arm*i+r.Rep)%9)
			}
		}
		return made
	}
}
