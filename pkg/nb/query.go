package nb

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/nb/internal/cell"
	"github.com/purexp/purexp/pkg/policy"
)

// Query is a question about the candidates in a table, which has one candidate in each row. Methods
// do not modify a Query, but return a new, extended query, so cells can extend a query step by
// step:
//
//	var q = nb.On(laptops, "laptop").Max("battery", nb.SD(1.5)).Min("weight", nb.SD(0.05)).Pareto()
//
//	%%
//	r := q.Run(1)
//	r.Explain()
//	r.Plot()
//
// A query corresponds to a problem file (see package campaign/problem). The method Problem shows
// the problem file, Save writes the file for the command purexp, and workbench.Open starts a
// campaign from the query.
type Query struct {
	draft      problem.Draft
	csv        []byte // the table as CSV
	columns    []problem.TableColumn
	objectives []aim
	limit      int
	file       *problem.Problem // problem passed to Ask; if set, it replaces all other fields except limit
}

// aim is an objective together with its settings.
type aim struct {
	column   string // column of the table or, if the table has no such column, the name given in the call
	name     string
	settings []Setting
	noise    string // line of TOML that replaces the noise of the settings
}

// Setting is a property of an objective, in the syntax of the option --objective of 'purexp problem
// new'. For properties without a function in this package, use a text such as "counts=12",
// "guess=COLUMN", "slack=1", or "weight=3" (for Best with several objectives).
type Setting string

// The following settings take no argument.
const (
	// Known means that the values in the table are exact and are not measured.
	Known Setting = "known"
	// Rate means that a measurement is a single success or failure, and that the mean is the
	// success rate.
	Rate Setting = "counts=1"
)

// SD sets the standard deviation of one measurement.
func SD(sd float64) Setting { return number("sd", sd) }

// Range sets the smallest and the largest possible value of a measurement; it makes no other
// assumption about the noise.
func Range(least, most float64) Setting { return Setting(fmt.Sprintf("range=%v..%v", least, most)) }

// Unit sets the unit on axes and in tables; for columns such as "weight [kg]" or "weight (kg)",
// Unit is not needed.
func Unit(unit string) Setting { return Setting("unit=" + unit) }

// Tolerance sets a difference that does not matter to the user; a tolerance often saves most of the
// measurements.
func Tolerance(x float64) Setting { return number("tolerance", x) }

// number returns the setting with the given key and a number as its value.
func number(key string, x float64) Setting {
	return Setting(key + "=" + strconv.FormatFloat(x, 'g', -1, 64))
}

// On returns a query about the candidates in a table with one candidate in each row. The argument
// names is the column with the names of the candidates. If the table has replicates, first average
// them with Means.
func On(table Frame, names string) Query {
	q := Query{csv: Must(frame.CSV(table))}
	q.columns = columns(q.csv)
	names = Must(problem.FindColumn(q.columns, names))
	seen := map[string]bool{}
	for i, name := range table.Col(names).Records() {
		if seen[name] {
			Fail(fmt.Errorf("nb: On: row %d of column %q repeats %q; if rows are replicates, average them: "+
				"nb.On(nb.Means(table, %[2]q), %[2]q)", i+1, names, name))
		}
		seen[name] = true
	}
	q.draft.Table, q.draft.Column = strings.ReplaceAll(names, "/", "-")+".csv", names
	return q
}

// columns describes the columns of a table made from a frame.
func columns(csv []byte) []problem.TableColumn {
	cs, err := problem.Columns("the table", csv)
	return Must(cs, cell.Rows(err, "the table"))
}

// Tables maps the names of a problem's tables to frames.
type Tables map[string]Frame

// Problem parses a problem file (package campaign/problem). Pass a frame for each table that the
// file names:
//
//	var task = nb.Problem(text, nb.Tables{"designs.csv": designs})
func Problem(text string, tables Tables) *problem.Problem {
	return Must(problem.Parse("problem", []byte(text), func(name string) ([]byte, error) {
		df, ok := tables[name]
		if !ok {
			return nil, fmt.Errorf("nb: the problem names the table %q; add the table to nb.Tables", name)
		}
		return frame.CSV(df)
	}))
}

// Ask returns the query for a problem file that Problem has parsed.
func Ask(p *problem.Problem) Query { return Query{file: p} }

// Max adds an objective in which higher is better. The settings state the noise of a measurement
// (SD, Range, Rate, Known or "counts=12"); the column contains guessed or measured means. If the
// table comes from Means and has replicates, the noise may be omitted; it is then estimated from
// the replicates.
func (q Query) Max(column string, settings ...Setting) Query { return q.with(column, "max", settings) }

// Min adds an objective in which lower is better; see Max.
func (q Query) Min(column string, settings ...Setting) Query { return q.with(column, "min", settings) }

// with returns the query with one more objective.
func (q Query) with(column, goal string, settings []Setting) Query {
	q.fluent()
	a := aim{column: column, name: column, settings: append([]Setting{Setting(goal)}, settings...)}
	has := func(key string) bool { return slices.ContainsFunc(settings, Setting(key).same) }
	if found, err := problem.FindColumn(q.columns, column); err == nil {
		a.column, a.name = found, found
		if !has("guess") && !has("known") {
			a.settings = append(a.settings, Setting("guess="+found))
		}
	}
	a.name, _ = problem.SplitUnit(a.name)
	if !has("sd") && !has("range") && !has("counts") && !has("known") {
		if a.noise = q.replicates(a.column); a.noise == "" {
			Fail(fmt.Errorf("nb: %s: the noise is missing; add nb.SD(2) for a standard deviation, nb.Range(0, 100) "+
				"for a range, nb.Rate for successes and failures, or nb.Known for exact values", a.name))
		}
		a.settings = append(a.settings, SD(1)) // the line of TOML in a.noise replaces SD(1)
	}
	q.objectives = append(slices.Clip(q.objectives), a)
	return q
}

// same reports whether two settings concern the same property.
func (s Setting) same(t Setting) bool {
	a, _, _ := strings.Cut(string(s), "=")
	b, _, _ := strings.Cut(string(t), "=")
	return a == b
}

// fluent ends the cell with an error if the query comes from a problem file, because such a query
// cannot be extended.
func (q Query) fluent() {
	if q.file != nil {
		Fail(errors.New("nb: the query was created from the text of a problem and cannot be extended; change the text"))
	}
}

// AtMost requires that the mean of an objective is at most limit, in the unit of the objective. If
// the column is not an objective yet, AtMost adds it with the goal "bounded"; settings are as for
// Max.
func (q Query) AtMost(column string, limit float64, settings ...Setting) Query {
	return q.bound(column, number("at_most", limit), settings)
}

// AtLeast requires that the mean of an objective is at least limit; see AtMost.
func (q Query) AtLeast(column string, limit float64, settings ...Setting) Query {
	return q.bound(column, number("at_least", limit), settings)
}

func (q Query) bound(column string, limit Setting, settings []Setting) Query {
	at := q.find(column)
	if at < 0 && len(settings) == 0 && q.replicates(column) == "" {
		Fail(fmt.Errorf("nb: %s is not an objective; add it first with Max or Min, or give its noise here", column))
	} else if at < 0 {
		return q.with(column, "bounded", append(slices.Clone(settings), limit))
	}
	return q.say(at, append(settings, limit)...)
}

// find returns the index of the named objective, or -1.
func (q Query) find(column string) int {
	if found, err := problem.FindColumn(q.columns, column); err == nil {
		column = found
	}
	return slices.IndexFunc(q.objectives, func(a aim) bool { return a.column == column || a.name == column })
}

// say adds settings to objective i; they replace earlier settings of the same property.
func (q Query) say(i int, settings ...Setting) Query {
	q.objectives = slices.Clone(q.objectives)
	a := &q.objectives[i]
	for _, s := range settings {
		a.settings = append(slices.DeleteFunc(slices.Clone(a.settings), s.same), s)
	}
	return q
}

// asks sets the kind of question and, for Top, the number of candidates in the answer.
func (q Query) asks(find string, count int) Query {
	q.fluent()
	q.draft.Find, q.draft.Count = find, count
	return q
}

// Best asks for the best candidate; with several objectives, it compares candidates by their
// weighted sum.
func (q Query) Best() Query { return q.asks(problem.FindBest, 0) }

// Top asks for the n best candidates.
func (q Query) Top(n int) Query { return q.asks(problem.FindTop, n) }

// Within asks for all candidates that are at most x worse than the best.
func (q Query) Within(x float64) Query {
	if len(q.objectives) != 1 {
		Fail(fmt.Errorf("nb: Within: %d objectives; expected exactly one, such as Max(\"yield\", "+
			"nb.SD(2))", len(q.objectives)))
	}
	return q.asks(problem.FindGood, 0).say(0, Tolerance(x))
}

// Pareto asks for the candidates that no other candidate beats in every objective.
func (q Query) Pareto() Query { return q.asks(problem.FindPareto, 0) }

// Feasible asks for all candidates that meet the bounds.
func (q Query) Feasible() Query { return q.asks(problem.FindFeasible, 0) }

// Linear declares that the means depend linearly on the given columns: on the values of numeric
// columns, and on the categories of text columns.
func (q Query) Linear(columns ...string) Query {
	q.fluent()
	d := &q.draft
	for _, name := range columns {
		found := Must(problem.FindColumn(q.columns, name))
		i := slices.IndexFunc(q.columns, func(c problem.TableColumn) bool { return c.Name == found })
		list := &d.Features
		if q.columns[i].Text {
			list = &d.Categories
		}
		*list = append(slices.Clip(*list), found)
	}
	return q
}

// Delta sets the error probability; the default is 0.05.
func (q Query) Delta(delta float64) Query {
	q.fluent()
	q.draft.Delta = delta
	return q
}

// Limit sets the number of measurements after which a simulated run ends.
func (q Query) Limit(measurements int) Query {
	q.limit = measurements
	return q
}

// text returns the problem file as text.
func (q Query) text() string {
	d := q.draft
	for _, a := range q.objectives {
		words := make([]string, len(a.settings))
		for i, s := range a.settings {
			words[i] = string(s)
		}
		o := Must(problem.NewDraftObjective(a.name, words...))
		Fail(o.Match(q.columns))
		for i, f := range o.Fields {
			if a.noise != "" && strings.HasPrefix(f, "noise = ") {
				o.Fields[i] = a.noise
			}
		}
		d.Objectives = append(d.Objectives, o)
	}
	if len(d.Objectives) == 0 {
		Fail(errors.New("nb: the query has no objective; add Max(\"yield\", nb.SD(2)), and a question such as Best()"))
	}
	return d.TOML()
}

// File returns the problem that the query describes.
func (q Query) File() *problem.Problem {
	if q.file != nil {
		return q.file
	}
	p, err := problem.Parse("", []byte(q.text()), func(string) ([]byte, error) { return q.csv, nil })
	Fail(cell.Rows(err, q.draft.Table))
	return p
}

// Problem shows the question in words and the problem file.
func (q Query) Problem() {
	Markdown("%s", q.File().Words())
	if q.file == nil {
		Markdown("```toml\n%s```", q.text())
	}
}

// Save writes the problem file to a path that ends in .toml, and the table to the same folder, for
// the command purexp.
func (q Query) Save(path string) {
	q.fluent()
	table := strings.TrimSuffix(path, filepath.Ext(path)) + ".csv"
	q.draft.Table = filepath.Base(table)
	text := q.text()
	Fail(os.WriteFile(table, q.csv, 0o666))
	Fail(os.WriteFile(path, []byte(text), 0o666))
}

// compile returns the problem in the form that policies see, and the true means for simulations.
func (q Query) compile() (*problem.Compiled, *bandit.Instance) {
	c := Must(q.File().Compile())
	inst, _, err := plan.Instance(c)
	for _, a := range q.objectives {
		if _, missing := problem.FindColumn(q.columns, a.column); err != nil && missing != nil {
			err = fmt.Errorf("nb: simulations need guesses of the means (campaigns do not): %w", missing)
		}
	}
	Fail(err)
	return c, inst
}

// Instance returns the simulated instance whose true means are those in the table, for functions
// that need an instance. The objectives of the instance are standardised rewards (larger is better,
// noise has scale 1); the axes convert them to the units of the table.
func (q Query) Instance() *bandit.Instance {
	_, inst := q.compile()
	return inst
}

// Plot shows the means in the table with the correct verdicts, and the bounds.
func (q Query) Plot() { Plot(q.Instance()) }

// Run simulates a campaign whose true means are those in the table, with the given method or the
// default method.
func (q Query) Run(seed Seed, method ...explore.Policy) *Outcome {
	c, inst := q.compile()
	p := explore.Policy(c.Policy())
	if len(method) > 0 {
		p = method[0]
	}
	inst.Problem = Must(c.For(p))
	r, err := simulated(inst, p, seed, &explore.Settings{MaxPulls: q.limit})
	if err != nil && strings.Contains(err.Error(), "tolerance") {
		err = fmt.Errorf("%w (add nb.Tolerance(0.5) after the noise of an objective)", err)
	}
	notes := append([]string{"Simulated with the means of the table as true means."}, inst.Notes...)
	return &Outcome{Must(r, err), inst, c, notes}
}

// Compare simulates many runs of the given methods. Without methods, Compare compares the default
// method with a non-adaptive method. The non-adaptive method is Uniform for Pareto and for Best
// with bounds, G-allocation for Best, or G-static for Within. For Top, Feasible and sums of
// objectives, the library has no non-adaptive method, so Compare runs only the default method.
func (q Query) Compare(reps int, methods ...explore.Policy) *Comparison {
	c, inst := q.compile()
	if len(methods) == 0 {
		methods = []explore.Policy{c.Policy()}
		fixed := Policies{&policy.Uniform{Delta: c.Delta}, &policy.GAllocation{Delta: c.Delta},
			&policy.GStatic{Delta: c.Delta}}
		for _, p := range fixed {
			if _, err := c.For(c.Policy(), p); err == nil {
				methods = append(methods[:1], p)
			}
		}
	}
	for i, p := range methods {
		if p == nil {
			methods[i] = c.Policy()
		}
	}
	inst.Problem = Must(c.For(methods...))
	return Compare(reps, methods, inst)
}
