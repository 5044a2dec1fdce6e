package nb

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
)

// A Query is a question about the candidates of a table, one a row. Its methods return a query that
// says more, in any number of cells:
//
//	var q = nb.On(laptops, "laptop").Max("battery", nb.SD(1.5)).Min("weight", nb.SD(0.05)).Pareto()
//
//	%%
//	r := q.Run(1)
//	r.Explain()
//	r.Plot()
//
// A query is a problem file in the making, see package campaign/problem: Problem shows the file, Save writes it for
// the command purexp, and workbench.Open begins a campaign with it.
type Query struct {
	draft      problem.Draft
	csv        []byte // the table
	columns    []problem.TableColumn
	objectives []aim
	limit      int
	file       *problem.Problem // of Ask, in the place of all above but limit
}

// An aim is an objective with what is said of it.
type aim struct {
	column   string // of the table, as typed if it has none
	name     string
	settings []Setting
	noise    string // a line of TOML in the place of that of the settings
}

// A Setting says something of an objective, in the words of 'purexp problem new --objective': what has no function
// here is a text, such as "counts=12" for successes of 12, "guess=COLUMN", "slack=1", or "weight=3" where Best
// adds objectives up.
type Setting string

// Settings without a number.
const (
	// Known values are those of the table, exactly: they are not measured.
	Known Setting = "known"
	// Rate says that a measurement is one success or failure, and the mean the rate of successes, from 0 to 1.
	Rate Setting = "counts=1"
)

// SD is the standard deviation of a measurement about the mean of its candidate.
func SD(sd float64) Setting { return number("sd", sd) }

// Range is the least and the largest value of a measurement, of which nothing else is assumed.
func Range(least, most float64) Setting { return Setting(fmt.Sprintf("range=%v..%v", least, most)) }

// Unit follows the name on axes and in tables. A column "weight [kg]" or "weight (kg)" needs none.
func Unit(unit string) Setting { return Setting("unit=" + unit) }

// Tolerance is the difference that does not matter: it saves most measurements.
func Tolerance(x float64) Setting { return number("tolerance", x) }

// number writes a setting as people type it.
func number(key string, x float64) Setting {
	return Setting(key + "=" + strconv.FormatFloat(x, 'g', -1, 64))
}

// On asks about the candidates of a table, one a row, which the column names calls by name. Where a candidate has
// several rows, average them first: see Means.
func On(table Frame, names string) Query {
	q := Query{csv: Must(frame.CSV(table))}
	q.columns = Must(problem.Columns("table", q.csv))
	names = Must(problem.FindColumn(q.columns, names))
	seen := map[string]bool{}
	for i, name := range table.Col(names).Records() {
		if seen[name] {
			Fail(fmt.Errorf("nb: On: row %d of column %q has %q a second time; if rows are replicates, average them: "+
				"nb.On(nb.Means(table, %[2]q), %[2]q)", i+1, names, name))
		}
		seen[name] = true
	}
	q.draft.Table, q.draft.Column = strings.ReplaceAll(names, "/", "-")+".csv", names
	return q
}

// Tables are the tables that a problem names, by the names that it has for them.
type Tables map[string]Frame

// Problem reads a problem in the form of problem files, see package campaign/problem. Tables that
// it names are frames:
//
//	var task = nb.Problem(text, nb.Tables{"designs.csv": designs})
func Problem(text string, tables Tables) *problem.Problem {
	return Must(problem.Parse("problem", []byte(text), func(name string) ([]byte, error) {
		df, ok := tables[name]
		if !ok {
			return nil, fmt.Errorf("nb: the problem names the table %q; give it in nb.Tables", name)
		}
		return frame.CSV(df)
	}))
}

// Ask asks what a problem file does, see Problem.
func Ask(p *problem.Problem) Query { return Query{file: p} }

// Max adds an objective of which more is better: a column of the table with its guessed or measured means, and the
// noise of a measurement, one of SD, Range, Counts, Rate and Known. A table of Means says the noise by itself.
func (q Query) Max(column string, settings ...Setting) Query { return q.with(column, "max", settings) }

// Min adds an objective of which less is better, see Max.
func (q Query) Min(column string, settings ...Setting) Query { return q.with(column, "min", settings) }

// withUnit is a column that ends with its unit.
var withUnit = regexp.MustCompile(`^(.*\S)\s*[\[(]([^\])]+)[\])]$`)

// with adds an objective.
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
	if parts := withUnit.FindStringSubmatch(a.name); parts != nil {
		a.name = parts[1]
		if !has("unit") && !has("counts") {
			a.settings = append(a.settings, Unit(parts[2]))
		}
	}
	if !has("sd") && !has("range") && !has("counts") && !has("known") {
		if a.noise = q.replicates(a.column); a.noise == "" {
			Fail(fmt.Errorf("nb: %s: how far may a measurement be from the mean? Add nb.SD(2), a standard deviation, "+
				"nb.Range(0, 100), nb.Rate for successes, or nb.Known if it is not measured", a.name))
		}
		a.settings = append(a.settings, SD(1)) // for the noise to stand in its place
	}
	q.objectives = append(slices.Clip(q.objectives), a)
	return q
}

// same reports whether two settings say something of the same.
func (s Setting) same(t Setting) bool {
	a, _, _ := strings.Cut(string(s), "=")
	b, _, _ := strings.Cut(string(t), "=")
	return a == b
}

// fluent ends the cell if the query is a file.
func (q Query) fluent() {
	if q.file != nil {
		Fail(errors.New("nb: the question is in the text of the problem; change it there"))
	}
}

// AtMost asks for candidates whose mean of an objective is at most limit, in its unit. Settings are those of Max, for a
// column that is no objective, of which only the bound matters.
func (q Query) AtMost(column string, limit float64, settings ...Setting) Query {
	return q.bound(column, number("at_most", limit), settings)
}

// AtLeast is AtMost for a lower bound.
func (q Query) AtLeast(column string, limit float64, settings ...Setting) Query {
	return q.bound(column, number("at_least", limit), settings)
}

func (q Query) bound(column string, limit Setting, settings []Setting) Query {
	at := q.find(column)
	if at < 0 && len(settings) == 0 && q.replicates(column) == "" {
		Fail(fmt.Errorf("nb: %s is no objective; name it before with Max or Min, or say here how noisy it is", column))
	} else if at < 0 {
		return q.with(column, "bounded", append(slices.Clone(settings), limit))
	}
	return q.say(at, append(settings, limit)...)
}

// find returns the number of an objective, -1 if there is none of the name.
func (q Query) find(column string) int {
	if found, err := problem.FindColumn(q.columns, column); err == nil {
		column = found
	}
	return slices.IndexFunc(q.objectives, func(a aim) bool { return a.column == column || a.name == column })
}

// say adds settings to objective i, in the place of earlier ones of the same.
func (q Query) say(i int, settings ...Setting) Query {
	q.objectives = slices.Clone(q.objectives)
	a := &q.objectives[i]
	for _, s := range settings {
		a.settings = append(slices.DeleteFunc(slices.Clone(a.settings), s.same), s)
	}
	return q
}

// asks asks for what find says, and for so many.
func (q Query) asks(find string, count int) Query {
	q.fluent()
	q.draft.Find, q.draft.Count = find, count
	return q
}

// Best asks for the best candidate; of several objectives, by their sum, see Setting.
func (q Query) Best() Query { return q.asks(problem.FindBest, 0) }

// Top asks for the best n candidates.
func (q Query) Top(n int) Query { return q.asks(problem.FindTop, n) }

// Within asks for all candidates that are worse than the best by x at most.
func (q Query) Within(x float64) Query {
	if len(q.objectives) != 1 {
		Fail(fmt.Errorf("nb: Within: %d objectives; it asks about one, named before it: Max(\"yield\", nb.SD(2))",
			len(q.objectives)))
	}
	return q.asks(problem.FindGood, 0).say(0, Tolerance(x))
}

// Pareto asks for the candidates that no other one beats in every objective.
func (q Query) Pareto() Query { return q.asks(problem.FindPareto, 0) }

// Feasible asks for all candidates that keep the bounds.
func (q Query) Feasible() Query { return q.asks(problem.FindFeasible, 0) }

// Linear says that means depend linearly on columns: on their numbers, or on which text they have.
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

// Delta is the probability with which the answer may be wrong: 0.05 if it is not given.
func (q Query) Delta(delta float64) Query {
	q.fluent()
	q.draft.Delta = delta
	return q
}

// Limit ends runs after so many measurements.
func (q Query) Limit(measurements int) Query {
	q.limit = measurements
	return q
}

// text returns the problem file.
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
		Fail(errors.New("nb: nothing is asked yet; add an objective, Max(\"yield\", nb.SD(2)), and a question, Best()"))
	}
	return d.TOML()
}

// File returns the problem.
func (q Query) File() *problem.Problem {
	if q.file != nil {
		return q.file
	}
	p, err := problem.Parse("", []byte(q.text()), func(string) ([]byte, error) { return q.csv, nil })
	Fail(err)
	return p
}

// Problem shows the question in words, and the problem file.
func (q Query) Problem() {
	Markdown("%s", q.File().Words())
	if q.file == nil {
		Markdown("```toml\n%s```", q.text())
	}
}

// Save writes the problem file to a path that ends in .toml, and its table beside it, for the command purexp.
func (q Query) Save(path string) {
	q.fluent()
	table := strings.TrimSuffix(path, filepath.Ext(path)) + ".csv"
	q.draft.Table = filepath.Base(table)
	text := q.text()
	Fail(os.WriteFile(table, q.csv, 0o666))
	Fail(os.WriteFile(path, []byte(text), 0o666))
}

// compile returns the problem as policies see it, and what simulations take as the truth.
func (q Query) compile() (*problem.Compiled, *bandit.Instance) {
	c := Must(q.File().Compile())
	inst, _, err := plan.Instance(c)
	for _, a := range q.objectives {
		if _, missing := problem.FindColumn(q.columns, a.column); err != nil && missing != nil {
			err = fmt.Errorf("nb: to simulate, the table needs guesses (a campaign does not): %w", missing)
		}
	}
	Fail(err)
	return c, inst
}

// Instance returns what simulations take as the truth, for functions that take an instance. Its objectives
// are rewards, in which larger is better and the noise has scale 1; its axes translate them.
func (q Query) Instance() *bandit.Instance {
	_, inst := q.compile()
	return inst
}

// Plot shows the means of the table with the right verdicts, and the bounds.
func (q Query) Plot() { Plot(q.Instance()) }

// Run simulates a campaign, with the means of the table as the truth. The method is the usual one unless another is
// given.
func (q Query) Run(seed Seed, method ...explore.Policy) *Outcome {
	c, inst := q.compile()
	p := explore.Policy(c.Policy())
	if len(method) > 0 {
		p = method[0]
	}
	inst.Problem = Must(c.For(p))
	r, err := simulated(inst, p, seed, &explore.Settings{MaxPulls: q.limit})
	if err != nil && strings.Contains(err.Error(), "tolerance") {
		err = fmt.Errorf("%w (nb.Tolerance(0.5) after the noise of an objective)", err)
	}
	return &Outcome{Must(r, err), inst, c}
}

// Compare simulates many runs of methods, see Compare; without any, of the usual method and of uniform sampling.
func (q Query) Compare(reps int, methods ...explore.Policy) *Comparison {
	c, inst := q.compile()
	if len(methods) == 0 {
		methods = []explore.Policy{c.Policy()}
		uniform := &policy.Uniform{Delta: c.Delta}
		if _, err := c.For(uniform); err == nil {
			methods = append(methods, uniform)
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
