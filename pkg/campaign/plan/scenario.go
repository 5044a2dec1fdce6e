package plan

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/internal/csvtable"
	"github.com/purexp/purexp/pkg/question"
)

// Scenario is a set of true means for a simulation.
type Scenario struct {
	Name string `json:"scenario"`
	// Means are the true means by candidate and objective, in the user's units (rates for counts).
	// For known objectives, Means contains the known values. In results of linear problems, Means
	// are those of the simulated linear model.
	Means [][]float64 `json:"means"`
}

// Characteristics are the operating characteristics of one method under one scenario, as used in
// the design of clinical trials.
type Characteristics struct {
	Scenario
	Method string `json:"method"`
	// Right is the exact answer under the means of the scenario.
	Right []int `json:"right"`
	// Hopeless explains why the scenario was not simulated; it is empty if the scenario was
	// simulated.
	Hopeless string `json:"hopeless,omitempty"`
	// Runs is the number of simulated campaigns, Wrong is the rate of campaigns with a wrong
	// answer, and GaveUp is the rate of campaigns that reached the limit without an answer.
	Runs   int  `json:"runs"`
	Wrong  Rate `json:"wrong"`
	GaveUp Rate `json:"gave_up"`
	// Answers lists the answers, starting with the most frequent answer.
	Answers []AnswerRate `json:"answers"`
	// Candidates contains the rates of each candidate, in the order of the problem.
	Candidates []CandidateRates `json:"candidates"`
	// Guess describes the selections if the number of measurements is limited; it is nil without a
	// limit.
	Guess *Guesses `json:"guess,omitempty"`
	// Mean is the mean number of measurements until the end or the limit; Low, Median and Most are
	// the 10, 50 and 90 % quantiles.
	Mean   float64  `json:"mean"`
	Low    Quantile `json:"low"`
	Median Quantile `json:"median"`
	Most   Quantile `json:"most"`
	// Sample lists the simulated campaigns of the scenario.
	Sample []Run `json:"-"`
}

// Rate is a relative frequency with exact (Clopper-Pearson) confidence limits of its probability,
// each at 97.5 %.
type Rate struct {
	Count int     `json:"count"`
	Share float64 `json:"share"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

// AnswerRate is the frequency of one answer.
type AnswerRate struct {
	Items []int `json:"items"`
	Rate
	// If Right is true, the answer equals the exact answer.
	Right bool `json:"right"`
}

// Guesses describes the selections if the number of measurements is limited. A selection is the
// answer of the campaign or, if it ended without an answer, its best guess, which has no stated
// error probability.
type Guesses struct {
	Measurements int `json:"measurements"` // affordable number of measurements
	// Right is the fraction of selections that are right within the tolerances and slacks.
	Right Rate `json:"right"`
	// Answers lists the answers and best guesses, starting with the most frequent.
	Answers []AnswerRate `json:"answers"`
	// Candidates contains the selection rates of each candidate, in the order of the problem.
	Candidates []Selection `json:"candidates"`
}

// Selection contains the rates at which a candidate is selected, and is wrongly selected or wrongly
// rejected; see CandidateRates.
type Selection struct {
	Selected Rate `json:"selected"`
	False    Rate `json:"false"`
}

// CandidateRates describes one candidate under a scenario.
type CandidateRates struct {
	Selected Rate `json:"selected"` // rate of campaigns whose answer contains the candidate
	// False is the rate of campaigns with a wrong answer that is wrong about the candidate. An
	// answer is wrong about a candidate if it selects the candidate although the exact answer does
	// not (false selection), or vice versa (false rejection).
	False Rate `json:"false"`
	// Measurements is the mean number of measurements of the candidate.
	Measurements float64 `json:"measurements"`
}

// Characterised holds the results of Characterise for all scenarios.
type Characterised struct {
	About
	Rows []Characteristics `json:"rows"`
}

// ReadScenarios reads a table of scenarios for the problem p, with one row for each candidate in
// each scenario. The column "scenario" names the scenario. The names of candidates are in the
// column of the table of candidates, in a column "candidate", or in the first other column. The
// table has a column of true means for each measured objective. Errors call the table by the
// argument name, and also state the line and column.
func ReadScenarios(p *problem.Problem, name string, table []byte) ([]Scenario, error) {
	t, err := csvtable.Read(name, table)
	if err != nil {
		return nil, err
	}
	r := scenarioReader{p: p, t: t}
	if err := r.columns(); err != nil {
		return nil, err
	}
	return r.scenarios()
}

// scenarioReader holds a table of scenarios and the positions of its columns.
type scenarioReader struct {
	p               *problem.Problem
	t               *csvtable.Table
	scenario, names int
	means           map[int]int // column of means by measured objective
}

// columns finds the columns for scenarios, candidates and objectives. An unknown column is an
// error, because it may be a misspelt objective.
func (r *scenarioReader) columns() error {
	var err error
	if r.scenario, err = r.t.Column("scenario"); err != nil {
		return fmt.Errorf("%w; add a column with the name of the scenario", err)
	}
	taken := map[int]bool{r.scenario: true}
	r.means = map[int]int{}
	var measured []string
	for _, c := range r.p.Measured() {
		o := &r.p.Objectives[c]
		measured = append(measured, o.Name)
		at := problem.ColumnOf(r.t, o.Name, o.Unit)
		if at < 0 {
			_, err := r.t.Column(o.Name)
			return fmt.Errorf("%w; add the true means of the objective", err)
		}
		r.means[c], taken[at] = at, true
	}
	r.names = r.t.Find(cmp.Or(r.p.Candidates.Column, "candidate"))
	for at, column := range r.t.Columns {
		switch {
		case taken[at] || at == r.names:
		case r.p.Candidates.Column == "" && r.names < 0:
			r.names = at // the first column of the table of candidates contains the names
		default:
			for i := range r.p.Objectives {
				if strings.EqualFold(r.p.Objectives[i].Name, column) {
					return fmt.Errorf("%s: column %q: the table of candidates has the exact values; remove the "+
						"column", r.t.Name, column)
				}
			}
			return fmt.Errorf("%s: column %q is not a measured objective; expected one of %s", r.t.Name,
				column, strings.Join(measured, ", "))
		}
	}
	if r.names < 0 {
		return fmt.Errorf("%s: no column has the names of the candidates; add a column %q",
			r.t.Name, cmp.Or(r.p.Candidates.Column, "candidate"))
	}
	return nil
}

func (r *scenarioReader) scenarios() ([]Scenario, error) {
	var list []Scenario
	at := map[string]int{}
	numbers := r.p.Numbers()
	lines := map[[2]int]int{} // line of the table for each pair of scenario and candidate
	for i, row := range r.t.Rows {
		name := row[r.scenario]
		if name == "" {
			return nil, fmt.Errorf("%s: empty; give the scenario a name", r.t.Where(i, r.scenario))
		}
		arm, ok := numbers[problem.Normal(row[r.names])]
		if !ok {
			return nil, fmt.Errorf("%s: unknown candidate %s; the candidates are %s", r.t.Where(i, r.names),
				csvtable.Short(row[r.names]), problem.Abbreviated(r.p.Candidates.Names))
		}
		s, ok := at[name]
		if !ok {
			s = len(list)
			at[name] = s
			list = append(list, Scenario{Name: name, Means: r.blank()})
		}
		if line, dup := lines[[2]int{s, arm}]; dup {
			return nil, fmt.Errorf("%s: %s is also in scenario %s on line %d; remove one of the two rows",
				r.t.Where(i, r.names), csvtable.Short(row[r.names]), csvtable.Short(name), line)
		}
		lines[[2]int{s, arm}] = r.t.Lines[i]
		for _, c := range r.p.Measured() {
			x, err := r.mean(i, c)
			if err != nil {
				return nil, err
			}
			list[s].Means[arm][c] = x
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: the table has no rows below its header; add a row for each candidate in "+
			"each scenario", r.t.Name)
	}
	for s := range list {
		var missing []string
		for arm, name := range r.p.Candidates.Names {
			if lines[[2]int{s, arm}] == 0 {
				missing = append(missing, name)
			}
		}
		if missing != nil {
			return nil, fmt.Errorf("%s: column %q: scenario %s lacks %s; add a row for each candidate",
				r.t.Name, r.t.Columns[r.names], csvtable.Short(list[s].Name), problem.Abbreviated(missing))
		}
	}
	return list, nil
}

// blank returns a matrix of means with only the known values set.
func (r *scenarioReader) blank() [][]float64 {
	means := make([][]float64, r.p.K())
	for i := range means {
		means[i] = make([]float64, len(r.p.Objectives))
		for c := range r.p.Objectives {
			if o := &r.p.Objectives[c]; o.Known {
				means[i][c] = o.Exact[i]
			}
		}
	}
	return means
}

// mean reads the mean of objective c in row i, and checks that the mean is possible for the
// objective.
func (r *scenarioReader) mean(i, c int) (float64, error) {
	o := &r.p.Objectives[c]
	where := r.t.Where(i, r.means[c])
	x, err := csvtable.Number(r.t.Rows[i][r.means[c]])
	if per, ok := strings.CutSuffix(strings.TrimSpace(r.t.Rows[i][r.means[c]]), "%"); err != nil && ok &&
		o.Noise.Counts != nil && float64(*o.Noise.Counts) == o.Result(1) {
		if y, percent := csvtable.Number(per); percent == nil {
			return 0, fmt.Errorf("%s: %s%%; expected a rate from 0 to 1 without a unit, here %.4g", where, per, y/100)
		}
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", where, err)
	}
	lo, hi := math.Inf(-1), math.Inf(1)
	switch {
	case o.Noise.Counts != nil:
		lo, hi = 0, float64(*o.Noise.Counts)/o.Result(1)
	case o.Noise.Range != nil:
		lo, hi = o.Noise.Range[0], o.Noise.Range[1]
	case o.Values != nil:
		lo, hi = o.Values[0], o.Values[1]
	}
	if x < lo || x > hi {
		return 0, fmt.Errorf("%s: %v is outside [%v, %v], the range of measurements of %s; give the true mean "+
			"in the unit of this range", where, x, lo, hi, o.Name)
	}
	return o.Value(x), nil
}

// Characterise simulates the campaign of p under each scenario, with the method of p or with the
// methods in the options o. Characterise does not support options with changes. A simulated
// campaign ends without an answer at the limit in o or, by default, at the affordable number of
// measurements. If there is no limit, Characterise does not simulate scenarios that no method can
// decide.
func Characterise(ctx context.Context, p *problem.Problem, scenarios []Scenario, o *Options) (*Characterised, error) {
	s, err := resolved(o)
	if err != nil {
		return nil, err
	}
	if len(s.Changes) > 0 {
		return nil, optionError("scenarios and changes cannot be combined; change the problem file instead")
	}
	s.Limit = cmp.Or(s.Limit, p.Laboratory.Measurements)
	if s.Methods == nil {
		s.Methods = []string{""}
	}
	b, err := newBelief(p)
	if err != nil {
		return nil, err
	}
	var methods []*problem.Compiled
	for _, m := range s.Methods {
		c, err := p.CompileFor(cmp.Or(m, p.MethodName()))
		if err != nil {
			return nil, err
		}
		methods = append(methods, c)
	}
	made := &Characterised{About: about(p)}
	made.independent(p)
	if p.Candidates.Features != nil && methods[0].Problem.X != nil {
		made.assume("Means are assumed to be linear in the features, so each scenario is simulated with the linear " +
			"model that is closest to its means.")
	}
	s.total = len(scenarios) * len(methods) * s.Runs
	left := len(scenarios) * len(methods)
	for _, scenario := range scenarios {
		for i, x := range scenario.Means {
			b.mean.SetRow(i, x)
		}
		s.b = b
		for _, c := range methods {
			row, err := s.characterise(ctx, c, scenario, s.part(left))
			if err != nil {
				return nil, err
			}
			made.Rows = append(made.Rows, *row)
			left--
		}
	}
	made.Assumptions = append(made.Assumptions, b.notes...)
	return made, nil
}

// characterise simulates one method under one scenario, whose means are in s.b.
func (s *study) characterise(ctx context.Context, c *problem.Compiled,
	scenario Scenario, until time.Time) (*Characteristics, error) {
	l := newLaw(c, s.b)
	if l.fit != nil {
		scenario.Means = make([][]float64, s.b.k)
		for i := range scenario.Means {
			scenario.Means[i] = mat.Row(nil, i, l.user)
		}
	}
	row := &Characteristics{Scenario: scenario, Method: c.Card.Name,
		Right: question.Right(c.Problem.Question, l.mean).Items}
	limit := s.Limit
	if limit == 0 {
		bound := s.lower(c, l)
		if row.Hopeless = hopeless(c, bound); row.Hopeless != "" {
			row.Hopeless += " To simulate campaigns up to a limit, set --limit or laboratory.measurements."
			s.tick(s.Runs)
			return row, ctx.Err()
		}
		limit = int(max(mostMeasurements, 100*bound.Measurements))
	}
	x := cell{c: c, row: Row{Method: c.Card.Name}, afford: s.Limit, limit: limit}
	if err := x.runs(ctx, s, s.Runs, until); err != nil {
		return nil, err
	}
	row.sum(x.made, c.Source.K(), s.Limit)
	return row, nil
}

// sum summarises runs with k candidates and a limit of measurements; limit 0 means no limit.
func (row *Characteristics) sum(runs []outcome, k, limit int) {
	n := len(runs)
	row.Runs = n
	pulls, given, sample := sampled(runs)
	row.Sample = sample
	answers, guesses := newTally(k, row.Right), newTally(k, row.Right)
	row.Candidates = make([]CandidateRates, k)
	for i, r := range runs {
		row.Mean += pulls[i] / float64(n)
		for arm, m := range r.arms {
			row.Candidates[arm].Measurements += float64(m) / float64(n)
		}
		guesses.add(r.guess, !r.guessed)
		if r.status == gaveUp {
			row.GaveUp.Count++
			continue
		}
		answers.add(r.items, r.status == wrong)
	}
	row.GaveUp.of(n)
	row.Wrong, row.Answers = answers.of(n)
	for arm, x := range answers.by {
		row.Candidates[arm].Selected, row.Candidates[arm].False = x.Selected, x.False
	}
	if limit > 0 {
		mistaken, list := guesses.of(n)
		row.Guess = &Guesses{Measurements: limit, Right: Rate{Count: n - mistaken.Count}, Answers: list,
			Candidates: guesses.by}
		row.Guess.Right.of(n)
	}
	row.Low, row.Median = quantile(pulls, given, .1), quantile(pulls, given, .5)
	row.Most = quantile(pulls, given, .9)
}

// tally counts how often each answer occurs.
type tally struct {
	right []int
	wrong Rate
	each  map[string]*AnswerRate
	by    []Selection // selections by candidate
}

func newTally(k int, right []int) *tally {
	return &tally{right: right, each: map[string]*AnswerRate{}, by: make([]Selection, k)}
}

// add counts one answer.
func (t *tally) add(items []int, wrong bool) {
	key := fmt.Sprint(items)
	if t.each[key] == nil {
		t.each[key] = &AnswerRate{Items: append([]int{}, items...), Right: slices.Equal(items, t.right)}
	}
	t.each[key].Count++
	if wrong {
		t.wrong.Count++
	}
	for arm := range t.by {
		selected := slices.Contains(items, arm)
		if selected {
			t.by[arm].Selected.Count++
		}
		if wrong && selected != slices.Contains(t.right, arm) {
			t.by[arm].False.Count++
		}
	}
}

// of returns the rate of wrong answers among n runs, and the list of all answers with their
// frequencies, starting with the most frequent answer.
func (t *tally) of(n int) (wrong Rate, list []AnswerRate) {
	t.wrong.of(n)
	for arm := range t.by {
		t.by[arm].Selected.of(n)
		t.by[arm].False.of(n)
	}
	for _, a := range t.each {
		a.Rate.of(n)
		list = append(list, *a)
	}
	slices.SortFunc(list, func(a, b AnswerRate) int {
		return cmp.Or(b.Count-a.Count, slices.Compare(a.Items, b.Items))
	})
	return t.wrong, list
}

// of sets the relative frequency of the rate's count among n runs, with its confidence limits.
func (r *Rate) of(n int) {
	r.Share = float64(r.Count) / float64(max(n, 1))
	r.Lo, r.Hi = Limits(r.Count, n)
}
