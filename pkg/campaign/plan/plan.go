package plan

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// Options are the settings of a simulation; the zero value is valid.
type Options struct {
	// Runs is the number of simulated campaigns for each row; zero means 500.
	Runs int
	// Work limits the total work of the runs of a row; the work of one measurement is the number of
	// candidates. Zero means 10 million, which takes about a second; a negative number means no
	// limit. The work limit ends a row only after a multiple of 20 runs.
	Work int
	// Time limits the elapsed time of the plan; zero means no limit. The first row may use up to
	// nine tenths of the time for its first runs. After the first row, all rows have equal shares
	// of the remaining time. Time that a row does not use is spent on the rows with the least
	// precise medians. If the time limit stops a run, the run counts as needing more than its
	// measurements so far.
	Time time.Duration
	// Methods are the names, in the catalogue of policies, of the methods to simulate. If Methods
	// is nil, the plan compares the method of the problem and up to two other methods that can
	// answer the question. If, in addition, the problem states an affordable number of
	// measurements, the plan also compares up to two fixed-budget methods.
	Methods []string
	// Changes are the variants of the problem to simulate, each with the method of the problem. If
	// Changes is nil, the plan uses the result of the function [Changes]; an empty list means no
	// variants.
	Changes []Change
	// Seed is the root seed of all random numbers.
	Seed uint64
	// Limit is the number of measurements at which a run is given up; zero means 100 times the
	// lower bound, and at least a million.
	Limit int
	// Workers is the number of runs in parallel; zero means one for each processor.
	Workers int
	// If Progress is not nil, Simulate calls it with the number of finished runs and the total
	// number of runs. Calls of the function Progress are not concurrent.
	Progress func(done, total int)
}

// A Plan is the result of simulating a campaign.
type Plan struct {
	About
	// Means are the guessed means, by candidate and objective, in the user's units.
	Means [][]float64 `json:"means"`
	// Answer is the right answer if the guessed means are true.
	Answer []int `json:"answer"`
	Plate  int   `json:"plate"`
	// If Dated is true, the problem states the duration of a plate; otherwise Days counts
	// consecutive plates.
	Dated bool `json:"dated,omitempty"`
	// Affordable is the affordable number of measurements; 0 means that none is given.
	Affordable int `json:"affordable,omitempty"`
	// Delta is the error probability of fixed-confidence methods.
	Delta float64 `json:"delta"`
	// CostUnit is the unit of costs, or empty.
	CostUnit string `json:"cost_unit,omitempty"`
	// Rows describes the methods for the unchanged question, starting with the default method, and
	// then the changes.
	Rows []Row `json:"rows"`
	// Advice names a method that needs clearly fewer measurements than the default method, or is
	// empty.
	Advice string `json:"advice,omitempty"`
	// Usual is the conventional design with equal replicates and a standard test, or nil.
	Usual *Usual `json:"usual,omitempty"`
	// Warnings lists limitations of the plan.
	Warnings []string `json:"warnings,omitempty"`
}

// About is the description that plans and tables of scenarios have in common.
type About struct {
	Title      string   `json:"title,omitempty"`
	Question   string   `json:"question"` // the question in words
	Candidates []string `json:"candidates"`
	Objectives []string `json:"objectives"`
	// Trials is the number of trials of a measurement, and Called is the word for a trial, such as
	// "patients". Trials is 0 unless measurements are counts of successes.
	Trials int    `json:"trials,omitempty"`
	Called string `json:"called,omitempty"`
	// Assumptions lists the assumptions of the simulation.
	Assumptions []string `json:"assumptions"`
}

func about(p *problem.Problem) About {
	a := About{Title: p.Title, Question: p.Words(), Candidates: p.Candidates.Names}
	a.Trials, a.Called = p.Trials()
	for i := range p.Objectives {
		a.Objectives = append(a.Objectives, p.Objectives[i].Label())
	}
	return a
}

// If there are several objectives, independent adds the assumption that their noise is independent.
func (a *About) independent(p *problem.Problem) {
	if len(p.Measured()) > 1 {
		a.assume("The noise of different objectives is simulated as independent.")
	}
}

func (a *About) assume(format string, args ...any) {
	a.Assumptions = append(a.Assumptions, fmt.Sprintf(format, args...))
}

// Row is the result for one method and one variant of the problem.
type Row struct {
	// Change describes the variant; it is empty for the unchanged problem.
	Change string `json:"change,omitempty"`
	Method string `json:"method"`
	Bound  Bound  `json:"bound"`
	// Hopeless says why the row was not simulated, or was given up.
	Hopeless string `json:"hopeless,omitempty"`
	// Budget is the number of measurements of a fixed-budget method; the error rate of such a
	// method is known only from the simulation.
	Budget int `json:"budget,omitempty"`
	// Right is the rate of runs whose answer within the affordable number of measurements is right;
	// it is nil if no affordable number is given. A run without an answer within the affordable
	// number counts with its best guess.
	Right *Rate `json:"right,omitempty"`
	// Runs is the number of runs, Wrong the number of runs with a wrong answer, and GaveUp the
	// number of runs that were given up.
	Runs   int `json:"runs"`
	Wrong  int `json:"wrong"`
	GaveUp int `json:"gave_up"`
	// Cut is the number of runs that were given up because of the time limit.
	Cut int `json:"cut,omitempty"`
	// ErrorLo and ErrorHi are exact confidence limits of the error probability, each at 97.5 %.
	ErrorLo float64 `json:"error_lo"`
	ErrorHi float64 `json:"error_hi"`
	// Measurements, Plates and Days contain medians and 90 % quantiles of
	// the numbers of measurements, plates and days that the runs used.
	Measurements Spread `json:"measurements"`
	Plates       Spread `json:"plates"`
	Days         Spread `json:"days"`
	// Cost is the cost of the measurements, in the plan's CostUnit; nil without costs.
	Cost *Spread `json:"cost,omitempty"`
	// Effort lists the measurements of each candidate.
	Effort []Effort `json:"effort,omitempty"`
	// Sample lists the simulated campaigns of the row.
	Sample []Run `json:"-"`
}

// Within returns the fraction of runs that have an answer after at most n measurements, with exact
// confidence limits, each at 97.5 %.
func (r *Row) Within(n int) (share, lo, hi float64) {
	k := 0
	for _, run := range r.Sample {
		if !run.GaveUp && run.Measurements <= n {
			k++
		}
	}
	lo, hi = Limits(k, len(r.Sample))
	return float64(k) / float64(max(len(r.Sample), 1)), lo, hi
}

// Run is one simulated campaign.
type Run struct {
	// Measurements is the number of measurements until the run ended or was given up.
	Measurements  int
	Wrong, GaveUp bool
	// Arms contains the number of measurements of each candidate.
	Arms []int
}

// Spread contains the median and the 90 % quantile of a sample.
type Spread struct {
	Median Quantile `json:"median"`
	Most   Quantile `json:"most"` // the 90 % point
}

// Effort describes the measurements of one candidate.
type Effort struct {
	// Measurements is the mean number of measurements of the candidate, and Share is its share of
	// all measurements.
	Measurements float64 `json:"measurements"`
	Share        float64 `json:"share"`
	// Against is the most frequent reason for the verdict on the candidate, in words, and
	// AgainstShare is the frequency of that reason.
	Against      string  `json:"against,omitempty"`
	AgainstShare float64 `json:"against_share,omitempty"`
}

// optionError is an error about invalid options.
type optionError string

func (e optionError) Error() string { return "plan: " + string(e) }

// Simulate plans the campaign of problem p by simulation. If the problem lacks input for a
// simulation, Simulate returns an error that names the missing fields. If ctx ends early, Simulate
// returns the error of ctx with the plan of the runs made so far.
func Simulate(ctx context.Context, p *problem.Problem, o *Options) (*Plan, error) {
	s, err := newStudy(p, o)
	if err != nil {
		return nil, err
	}
	err = s.spend(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	for i := range s.cells {
		if x := &s.cells[i]; len(x.made) > 0 {
			x.sum(x.made, x.limit)
		} else if x.row.Hopeless == "" {
			x.row.Hopeless = "Not simulated, because the time limit was reached."
		}
		s.plan.Rows = append(s.plan.Rows, s.cells[i].row)
	}
	s.plan.Warnings, s.plan.Advice = s.warnings(), s.advice()
	return s.plan, err
}

// spend makes the runs of all rows within the limits on work and time.
func (s *study) spend(ctx context.Context) error {
	for i := range s.cells {
		x := &s.cells[i]
		x.begin(s)
		n := s.Runs
		if s.Time > 0 {
			n = min(n, block)
		}
		if s.Time > 0 && i == 0 && !x.full { // some runs of the first row, the most important row, should finish
			if err := x.runs(ctx, s, min(n, s.Workers), s.begun.Add(s.Time*9/10)); err != nil {
				return err
			}
		}
		until := s.part(len(s.cells) - i)
		if s.Time > 0 && s.cells[0].longest > time.Until(until) {
			continue // no run would finish within the remaining time
		}
		if err := x.runs(ctx, s, n, until); err != nil {
			return err
		}
	}
	for s.Time > 0 {
		var widest *cell
		for i := range s.cells {
			if x := &s.cells[i]; !x.full && (widest == nil || x.width > widest.width) {
				widest = x
			}
		}
		if widest == nil {
			break
		}
		if err := widest.runs(ctx, s, min(s.Runs, len(widest.made)+block), s.part(1)); err != nil {
			return err
		}
	}
	return nil
}

// part divides the remaining time equally among n rows, and returns the
// time at which the first row must end; without a limit, part returns zero.
func (s *study) part(n int) time.Time {
	switch {
	case s.Time <= 0:
		return time.Time{}
	case n == 1:
		return s.begun.Add(s.Time)
	}
	return time.Now().Add(time.Until(s.begun.Add(s.Time)) / time.Duration(n))
}

// study is a plan that is being computed.
type study struct {
	Options
	b     *belief
	plan  *Plan
	cells []cell

	begun  time.Time
	bounds map[string]Bound // bounds that were already computed

	ticking     sync.Mutex
	done, total int // numbers of runs, for Progress
}

// cell is a row of the plan that is being computed.
type cell struct {
	c      *problem.Compiled
	row    Row
	told   []explore.Batch
	out    []explore.Phase // rounds of the running campaign, for methods with overlapping rounds
	afford int             // affordable number of measurements; 0 means Laboratory.Measurements

	limit   int
	made    []outcome
	work    int           // total work of the runs in made
	longest time.Duration // longest time of one of the runs
	width   float64       // relative width of the confidence interval of the median
	full    bool          // whether the row needs no more runs
}

func newStudy(p *problem.Problem, o *Options) (*study, error) {
	s, err := resolved(o)
	if err != nil {
		return nil, err
	}
	base, err := p.Compile()
	if err != nil {
		return nil, err
	}
	if s.b, err = believe(p); err != nil {
		return nil, err
	}
	if err := s.list(p, base); err != nil {
		return nil, err
	}
	s.total = len(s.cells) * s.Runs
	s.describe(base)
	return s, nil
}

// resolved returns a study with checked options, in which defaults replace zero values.
func resolved(o *Options) (*study, error) {
	s := &study{begun: time.Now()}
	if o != nil {
		s.Options = *o
	}
	if s.Runs < 0 || s.Runs > 1e6 {
		return nil, optionError(fmt.Sprintf("%d runs; expected 1 to 1e6", s.Runs))
	}
	if s.Limit < 0 {
		return nil, optionError(fmt.Sprintf("the limit is %d measurements; expected at least 1", s.Limit))
	}
	s.Runs = cmp.Or(s.Runs, 500)
	s.Work = cmp.Or(s.Work, 10_000_000)
	if s.Workers <= 0 {
		s.Workers = runtime.GOMAXPROCS(0)
	}
	return s, nil
}

// describe sets the title, warnings and other descriptions of the plan.
func (s *study) describe(c *problem.Compiled) {
	p := c.Source
	l := newLaw(c, s.b)
	s.plan = &Plan{About: about(p), Plate: p.Laboratory.Wells(), Dated: p.Laboratory.Days > 0,
		Affordable: p.Laboratory.Measurements, Delta: p.Question.Delta,
		Answer: question.Right(c.Problem.Question, l.mean).Items}
	s.plan.Usual = usualDesign(c, l)
	if p.Candidates.Costs != nil {
		s.plan.CostUnit = cmp.Or(p.Candidates.CostUnit, p.Candidates.Cost)
	}
	for i := range s.b.k {
		s.plan.Means = append(s.plan.Means, mat.Row(nil, i, l.user))
	}
	s.b.bent(c, l)
	s.plan.Assumptions = append(s.plan.Assumptions, s.b.notes...)
	if c.Budget == 0 {
		s.plan.assume("The error probability is at most %.4g if "+
			"%s.", c.Source.Question.Delta, strings.Join(c.Rests(), ", "))
	}
	if n := c.Confirming(nil); n > 0 && c.Linear() {
		s.plan.assume("The last %d measurements confirm the answer independently of the features; confirm = false "+
			"omits these measurements.", n)
	}
	if unused := c.Unused(); unused != "" {
		s.plan.Warnings = append(s.plan.Warnings, unused)
	}
	if n := p.Laboratory.References(p.Laboratory.Wells()); n > 0 {
		s.plan.assume("On each plate, %d of %d wells contain the reference, %s, and do not count as "+
			"measurements.", n, p.Laboratory.Wells(), p.Laboratory.Reference)
	}
	s.plan.independent(p)
}

// tick adds n to the number of finished runs and calls Progress.
func (s *study) tick(n int) {
	if s.Progress == nil || n == 0 {
		return
	}
	s.ticking.Lock()
	defer s.ticking.Unlock()
	s.done += n
	s.Progress(s.done, s.total)
}

const (
	// block is the number of runs after which Simulate checks whether to give up a row. Because
	// block is a constant, rows do not depend on the number of processors.
	block = 20
	// A campaign is hopeless if its lower bound exceeds mostDays days, mostMeasurements
	// measurements, or the affordable number.
	mostDays         = 3650
	mostMeasurements = 1_000_000
)

// hopeless explains why no method can answer the question with a reasonable effort. If the question
// can be answered with a reasonable effort, hopeless returns "".
func hopeless(c *problem.Compiled, b Bound) string {
	if c.Budget > 0 {
		return "" // fixed-budget methods always return a guess, so their rows are not hopeless
	}
	lab := c.Source.Laboratory
	n := b.Measurements
	plates := n / (1 - lab.Failures) / float64(lab.Free())
	days := lab.DaysOf(plates)
	takes := fmt.Sprintf("This question is not practical: if the guesses are right, every method with an error "+
		"probability of at most %.4g needs at least %.3g measurements on average (%.3g plates, %.3g "+
		"days)", c.Source.Question.Delta, n, plates, days)
	switch {
	case b.Tie:
		return fmt.Sprintf("This question cannot be decided: if the guesses are right, %s, and no number of "+
			"measurements resolves such a tie%s.", b.Source, wayOut(c.Source, ". ", " makes it answerable"))
	case lab.Measurements > 0 && n > float64(lab.Measurements):
		return fmt.Sprintf("%s; you can afford %d.", takes, lab.Measurements)
	case n > mostMeasurements || days > mostDays:
		return takes + "."
	}
	return ""
}

// begin sets the fields of the row that are known before the simulation.
func (x *cell) begin(s *study) {
	l := newLaw(x.c, s.b)
	if x.c.Budget == 0 {
		x.row.Bound = s.lower(x.c, l)
	}
	x.row.Hopeless = hopeless(x.c, x.row.Bound)
	x.full, x.width = x.row.Hopeless != "", math.Inf(1)
	x.limit = cmp.Or(s.Limit, int(max(mostMeasurements, 100*x.row.Bound.Measurements)))
}

// long is the duration of a run above which the remaining time is checked after each run. For
// shorter runs, the remaining time is checked after each block.
const long = 50 * time.Millisecond

// runs adds runs to the row until the row has n runs or its work limit is reached. If until is not
// zero, runs also stops at that time.
func (x *cell) runs(ctx context.Context, s *study, n int, until time.Time) error {
	within := ctx
	if !until.IsZero() {
		var end context.CancelFunc
		within, end = context.WithDeadline(ctx, until)
		defer end()
	}
	workers := make([]*runner, min(s.Workers, block))
	for i := range workers {
		workers[i] = newRunner(x.c, s.b, x.limit)
		workers[i].told, workers[i].phases = x.told, x.out
		workers[i].afford = cmp.Or(x.afford, workers[i].afford)
	}
	spent := false
	for len(x.made) < n && !x.full && !spent {
		from := len(x.made)
		m := min(block-from%block, n-from)
		if !until.IsZero() && (from == 0 || x.longest > long) {
			m = min(m, len(workers))
		}
		if spent = !until.IsZero() && x.longest > time.Until(until); spent {
			break // another run would probably not finish within the remaining time
		}
		made, took := make([]outcome, m), make([]time.Duration, m)
		each(within, workers, m, func(r *runner, i int) {
			begun := time.Now()
			made[i] = r.run(within, s.Seed, from+i)
			took[i] = time.Since(begun)
			s.tick(1)
		})
		for i, r := range made {
			if r.err != nil {
				return fmt.Errorf("plan: %s: %w", x.row.Method, r.err)
			}
			if r.arms == nil || ctx.Err() != nil && r.status == gaveUp {
				break
			}
			if r.status == gaveUp && within.Err() != nil {
				x.row.Cut++
			}
			x.made, x.work, x.longest = append(x.made, r), x.work+r.work*s.b.k, max(x.longest, took[i])
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		spent = within.Err() != nil
		x.full = s.Work >= 0 && x.work >= s.Work && len(x.made)%block == 0
	}
	x.full = x.full || len(x.made) == s.Runs || spent && until.Equal(s.part(1))
	if x.full {
		s.tick(s.Runs - len(x.made))
	}
	pulls, given, _ := sampled(x.made)
	q := quantile(pulls, given, .5)
	if x.width = (q.Hi - q.Lo) / q.Value; q.Open || q.HiOpen {
		x.width = math.Inf(1)
	}
	return ctx.Err()
}

// each calls f for each i from 0 to n-1, in parallel; each worker makes one call at a time.
func each(ctx context.Context, workers []*runner, n int, f func(r *runner, i int)) {
	var wg sync.WaitGroup
	for w, r := range workers {
		wg.Go(func() {
			for i := w; i < n && ctx.Err() == nil; i += len(workers) {
				f(r, i)
			}
		})
	}
	wg.Wait()
}

func (x *cell) sum(runs []outcome, limit int) {
	n := len(runs)
	row := &x.row
	row.Runs = n
	plates, days := make([]float64, n), make([]float64, n)
	pulls, given, sample := sampled(runs)
	row.Sample = sample
	if x.c.Source.Laboratory.Measurements > 0 {
		row.Right = new(Rate)
	}
	for i, r := range runs {
		plates[i], days[i] = r.plates, x.c.Source.Laboratory.DaysIn(r.time)
		if row.Right != nil && r.guessed {
			row.Right.Count++
		}
		switch r.status {
		case wrong:
			row.Wrong++
		case gaveUp:
			row.GaveUp++
		}
	}
	row.Measurements, row.Plates = spread(pulls, given), spread(plates, given)
	row.Days = spread(days, given)
	if costs := x.c.Problem.Costs; costs != nil {
		paid := make([]float64, n)
		for i, r := range runs {
			paid[i] = x.c.Problem.Spent(r.arms)
		}
		cost := spread(paid, given)
		row.Cost = &cost
	}
	row.ErrorLo, row.ErrorHi = Limits(row.Wrong, n)
	if row.Right != nil {
		row.Right.of(n)
	}
	row.Effort = effort(x.c, runs)
	if row.GaveUp-row.Cut > n/2 {
		row.Hopeless = fmt.Sprintf("%d of %d runs were stopped, after %d measurements or because an answer would "+
			"take too long: candidates are too close to each other or to a bound%s.",
			row.GaveUp-row.Cut, n, limit, wayOut(x.c.Source, ". ", " helps"))
	}
}

// sampled returns, for each run, its number of measurements, whether it was given up, and its Run.
func sampled(runs []outcome) (pulls []float64, given []bool, sample []Run) {
	for _, r := range runs {
		pulls, given = append(pulls, float64(r.pulls)), append(given, r.status == gaveUp)
		sample = append(sample, Run{r.pulls, r.status == wrong, r.status == gaveUp, r.arms})
	}
	return pulls, given, sample
}

// wayOut returns a description of changes that would make the question easier, between the
// arguments before and after. If there are no such changes, wayOut returns "".
func wayOut(p *problem.Problem, before, after string) string {
	switch tolerances, slacks := p.Tolerant(); {
	case slacks:
		return before + "A tolerance or a slack" + after
	case tolerances:
		return before + "A tolerance" + after
	}
	return ""
}

func spread(x []float64, given []bool) Spread {
	return Spread{quantile(x, given, .5), quantile(x, given, .9)}
}

func effort(c *problem.Compiled, runs []outcome) []Effort {
	k := c.Source.K()
	list := make([]Effort, k)
	total := 0.0
	count := make([]map[int]int, k)
	decided := 0
	for i := range count {
		count[i] = map[int]int{}
	}
	for _, r := range runs {
		for i, n := range r.arms {
			list[i].Measurements += float64(n)
			total += float64(n)
		}
		if r.against == nil {
			continue
		}
		decided++
		for i, a := range r.against {
			if a >= 0 {
				count[i][a]++
			}
		}
	}
	for i := range list {
		e := &list[i]
		if total > 0 {
			e.Share = e.Measurements / total
		}
		e.Measurements /= float64(max(len(runs), 1))
		most, times := -1, 0
		for a, n := range count[i] {
			if n > times || n == times && a < most {
				most, times = a, n
			}
		}
		if most < 0 {
			continue
		}
		e.AgainstShare = float64(times) / float64(decided)
		if most < k {
			e.Against = c.Source.Candidates.Names[most]
		} else {
			e.Against = c.Bounds[most-k].Name
		}
	}
	return list
}

// warnings lists the warnings of the plan; a warning that several rows share is listed once.
func (s *study) warnings() []string {
	var list, texts, fewer []string
	of := map[string][]string{} // names of hopeless rows, by reason
	if len(s.plan.Answer) == 0 {
		list = append(list, "If the guesses are right, no candidate satisfies all bounds, so the answer "+
			"is empty.")
	}
	for i := range s.plan.Rows {
		r := &s.plan.Rows[i]
		name := cmp.Or(r.Change, r.Method)
		if r.Hopeless != "" {
			if of[r.Hopeless] == nil {
				texts = append(texts, r.Hopeless)
			}
			of[r.Hopeless] = append(of[r.Hopeless], name)
			continue
		}
		delta := s.cells[i].c.Source.Question.Delta
		switch {
		case r.Budget > 0:
		case r.ErrorLo > delta:
			list = append(list, fmt.Sprintf("%s: %d of %d answers were wrong, more than delta (%v) allows, because "+
				"the guesses violate the assumptions of the method.", name, r.Wrong, r.Runs, delta))
		case r.GaveUp > 0:
			why := ""
			if r.Cut > 0 {
				why = fmt.Sprintf(", %d by the time limit", r.Cut)
			}
			list = append(list, fmt.Sprintf("%s: %d of %d runs were stopped before their end%s; quantiles that depend "+
				"on them are lower bounds (\"at least\").", name, r.GaveUp, r.Runs, why))
		}
		if r.Runs < s.Runs {
			m := r.Measurements.Median
			known := fmt.Sprintf("%s to %s", number(m.Lo), number(m.Hi))
			if m.HiOpen {
				known = "at least " + number(m.Lo)
			}
			fewer = append(fewer, fmt.Sprintf("%s %d (%s)", name, r.Runs, known))
		}
		lab := s.cells[i].c.Source.Laboratory
		if m := r.Measurements.Median.Value; i == 0 && r.Budget == 0 && lab.Measurements > 0 &&
			m > float64(lab.Measurements) {
			list = append(list, fmt.Sprintf("%s takes at least %.0f measurements in half of the runs; you can afford "+
				"only %d.", name, m, lab.Measurements))
		}
	}
	if fewer != nil {
		list = append(list, fmt.Sprintf("Rows with fewer than %d runs, because runs take long (in parentheses, the "+
			"95 %% interval of the median number of measurements): %s.", s.Runs, strings.Join(fewer, ", ")))
	}
	for i, text := range texts {
		texts[i] = strings.Join(of[text], ", ") + ": " + text
	}
	return append(texts, list...)
}
