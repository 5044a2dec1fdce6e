package arena

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// Cell summarises the runs of a method on an instance, at one delta or budget.
type Cell struct {
	Method, Constants, Instance string
	Delta                       float64 // error probability; 0 if there is a budget
	Budget                      int     // number of pulls; 0 if there is an error probability
	Runs                        int
	Pulls                       float64 // mean number of pulls over runs that stopped, or mean cost if pulls have costs
	Wrong                       int     // number of wrong answers among runs that stopped
	GivenUp                     int     // number of runs given up at 200 times the lower bound
	Failed                      int     // number of runs that ended with an error
}

// Summarise returns the cells of rows, in the order of their first rows.
func Summarise(rows []mc.Row) []Cell {
	type key struct {
		method, constants, instance string
		delta                       float64
		budget                      int
	}
	at := map[key]int{}
	var cells []Cell
	for _, r := range rows {
		k := key{r.Method, r.Constants, r.Instance, r.Delta, r.Budget}
		i, ok := at[k]
		if !ok {
			i = len(cells)
			at[k] = i
			cells = append(cells, Cell{Method: r.Method, Constants: r.Constants,
				Instance: r.Instance, Delta: r.Delta, Budget: r.Budget})
		}
		c := &cells[i]
		c.Runs++
		switch {
		case r.Status == explore.Failure.String():
			c.Failed++
		case r.Status != explore.Stopped.String():
			c.GivenUp++
		default:
			c.Pulls += spent(r)
			if !r.Correct {
				c.Wrong++
			}
		}
	}
	for i := range cells {
		cells[i].Pulls /= float64(cells[i].stopped())
	}
	return cells
}

// spent returns the number of pulls of a run or, if arms have costs, the cost of the pulls.
func spent(r mc.Row) float64 {
	if costs := costsOf()[r.Instance]; costs != nil {
		return (&explore.Problem{Costs: costs}).Spent(r.ArmPulls)
	}
	return float64(r.Pulls)
}

// costsOf returns the costs of the arms of each instance.
var costsOf = sync.OnceValue(func() map[string][]float64 {
	of := map[string][]float64{}
	for _, i := range Instances() {
		if inst, err := i.Load(); err == nil && inst.Problem.Costs != nil {
			of[i.Name] = inst.Problem.Costs
		}
	}
	return of
})

func (c Cell) stopped() int { return c.Runs - c.GivenUp - c.Failed }

// TooWrong reports whether more answers are wrong than delta can explain. If the error probability
// is delta, TooWrong returns true with probability at most 10^-6.
func (c Cell) TooWrong() bool {
	return c.Delta > 0 && c.stopped() > 0 && tidy.Rate(c.Wrong, c.stopped(), 1-2e-6).Lo > c.Delta
}

// line is the row of one method in a table.
type line struct {
	name, constants string
	ratio           map[Set]map[float64][]float64 // multiples of the lower bound, by set and delta
	worst           float64
	bad             string // name of the instance with the largest multiple
	wrong, runs     int    // total counts at delta = 0.1 and delta = 0.05
	tooWrong        []string
	givenUp, failed int
	instances       int // number of instances at delta = 0.05
	seconds         []float64
}

// overall returns the criterion for the ranking: the geometric mean, over held-back instances at
// delta = 0.05, of the multiples of the lower bound.
func (l *line) overall() float64 { return geometric(l.ratio[HeldBack][.05]) }

func geometric(x []float64) float64 {
	sum := 0.
	for _, v := range x {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(x))) // the result is NaN if x is empty
}

// lines computes the rows for the methods of a question with fixed confidence.
func lines(q Question, cells []Cell) ([]*line, error) {
	by := map[string]*line{}
	var all []*line
	for _, i := range At(q) {
		inst, err := i.Load()
		if err != nil {
			return nil, err
		}
		h, err := Hardness(inst)
		if err != nil {
			return nil, err
		}
		for _, c := range cells {
			if c.Instance != i.Name || c.Delta == 0 {
				continue
			}
			l := by[c.Method]
			if l == nil {
				l = &line{name: c.Method, constants: c.Constants,
					ratio: map[Set]map[float64][]float64{Tuning: {}, Looked: {}, HeldBack: {}}}
				by[c.Method] = l
				all = append(all, l)
			}
			l.givenUp, l.failed = l.givenUp+c.GivenUp, l.failed+c.Failed
			if c.Delta >= .05 {
				l.wrong, l.runs = l.wrong+c.Wrong, l.runs+c.stopped()
			}
			if c.TooWrong() {
				l.tooWrong = append(l.tooWrong, fmt.Sprintf("%s at %v", c.Instance, c.Delta))
			}
			if c.Delta == .05 {
				l.instances++
				if s := cost()[[2]string{c.Method, c.Instance}]; s > 0 {
					l.seconds = append(l.seconds, s)
				}
			}
			if 2*c.stopped() < c.Runs { // most runs did not stop, so the mean of the other runs is not used
				c.Pulls = most * LowerBound(h, c.Delta)
			}
			r := c.Pulls / LowerBound(h, c.Delta)
			l.ratio[i.Set][c.Delta] = append(l.ratio[i.Set][c.Delta], r)
			if c.Delta == .05 && r > l.worst {
				l.worst, l.bad = r, c.Instance
			}
		}
	}
	n := len(At(q))
	slices.SortStableFunc(all, func(a, b *line) int {
		// Methods that ran on fewer than half of the instances come last.
		if few := 2*a.instances < n; few != (2*b.instances < n) {
			if few {
				return 1
			}
			return -1
		}
		return cmp.Compare(nanLast(a.overall()), nanLast(b.overall()))
	})
	return all, nil
}

func nanLast(x float64) float64 {
	if math.IsNaN(x) {
		return math.Inf(1)
	}
	return x
}

// Tables returns the tables of a question: the methods by rank, and the error rates with a fixed
// budget.
func Tables(q Question, cells []Cell) ([]*tidy.Table, error) {
	ls, err := lines(q, cells)
	if err != nil || len(ls) == 0 {
		return nil, err
	}
	t := &tidy.Table{Title: "Arena: " + string(q), Columns: tidy.Columns("rank", "method",
		"δ = 0.1", "δ = 0.05", "δ = 0.001", "δ = 1e-10", "looked at, δ = 0.05", "tuning, δ = 0.05", "worst instance",
		"wrong", "stopped early", "failed", "instances", "time of a run [ms]"), Notes: []string{
		"Mean numbers of pulls as multiples of the lower bound T* log(1/(2.4 δ)): geometric means over the held-back " +
			"instances. For δ = 0.05, the table also shows means over the instances that were used earlier to choose " +
			"methods (looked at) and over the tuning instances.",
		"Worst instance: the instance with the largest multiple at δ = 0.05. Wrong: number of wrong answers at δ = " +
			"0.1 and 0.05; a cross marks a cell whose error rate exceeds δ significantly (exact binomial test). " +
			"Stopped early: number of runs stopped at 200 times the bound. Means are over the other runs; if most " +
			"runs were stopped early, the multiple is 200.",
		"Instances: number of instances on which the method ran at δ = 0.05. A cell has as many replicates as are " +
			"expected to fit into 1.5 s, at most 200, and is left out if it has fewer than 3. PSIPS is left out at " +
			"1e-10, because it draws 1/δ samples per round. Methods that ran on fewer than half of the instances " +
			"have no rank. Time: median over instances at δ = 0.1. Methods marked with a star receive additional " +
			"information: the true means, a level, a norm or the number of items.",
	}}
	switch q {
	case ParetoSet:
		t.Notes = append(t.Notes, "The bound is for arms without features. Methods that use the features of the "+
			"synthetic instances may need fewer pulls than the bound.")
	case AllGood:
		t.Notes = append(t.Notes, "On the misspecified instance, linear methods have no guarantee.")
	}
	n, rank := len(At(q)), 0
	for _, l := range ls {
		name, place := l.name, any(nil)
		if l.constants == Extra {
			name += " *"
		} else if 2*l.instances >= n {
			rank++
			place = rank
		}
		wrong := fmt.Sprintf("%d of %d", l.wrong, l.runs)
		if l.tooWrong != nil {
			wrong += " ✗ " + strings.Join(l.tooWrong, ", ")
		}
		row := []any{place, name}
		for _, delta := range Deltas() {
			row = append(row, multiple(l.ratio[HeldBack][delta]))
		}
		slices.Sort(l.seconds)
		var ms any
		if k := len(l.seconds); k > 0 {
			ms = math.Round(1e4*l.seconds[k/2]) / 10
		}
		t.Rows = append(t.Rows, append(row, multiple(l.ratio[Looked][.05]), multiple(l.ratio[Tuning][.05]),
			fmt.Sprintf("%s (%.3g)", l.bad, l.worst), wrong, l.givenUp, l.failed,
			fmt.Sprintf("%d of %d", l.instances, n), ms))
	}
	ts := []*tidy.Table{t}
	b, err := budgets(q, cells)
	if err == nil && len(b.Rows) > 0 {
		ts = append(ts, b)
	}
	return ts, err
}

func multiple(x []float64) any {
	if len(x) == 0 {
		return nil
	}
	return fmt.Sprintf("%.3g", geometric(x))
}

// budgets returns the table of error rates with a fixed budget.
func budgets(q Question, cells []Cell) (*tidy.Table, error) {
	t := &tidy.Table{
		Title:   fmt.Sprintf("Arena: %s, wrong answers with a fixed budget", q),
		Columns: tidy.Columns("instance", "budget / T*"),
		Notes: []string{"Error rates with 95 % intervals (Clopper and Pearson). A cell is empty if the method does " +
			"not accept the instance, needs a larger budget, or takes too long."},
	}
	var names []string
	for _, c := range cells {
		if c.Constants == Budgeted && !slices.Contains(names, c.Method) && asks(q, c.Instance) {
			names = append(names, c.Method)
		}
	}
	for _, name := range names {
		t.Columns = append(t.Columns, tidy.Column{Name: name, Unit: "%"})
	}
	if names == nil {
		return t, nil
	}
	for _, i := range At(q) {
		inst, err := i.Load()
		if err != nil {
			return nil, err
		}
		if inst.Problem.Costs != nil {
			continue // a budget is a number of pulls, but instances with costs need a cost
		}
		h, err := Hardness(inst)
		if err != nil {
			return nil, err
		}
		for _, times := range Budgets() {
			row := []any{i.Name, times}
			for _, name := range names {
				var v any
				for _, c := range cells {
					if c.Instance == i.Name && c.Method == name && c.stopped() > 0 && c.Budget == pulls(times, h) {
						s := tidy.Rate(c.Wrong, c.stopped(), .95)
						v = fmt.Sprintf("%.1f (%.1f to %.1f)", 100*s.Center, 100*s.Lo, 100*s.Hi)
					}
				}
				row = append(row, v)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t, nil
}

func asks(q Question, instance string) bool {
	return slices.ContainsFunc(At(q), func(i Instance) bool { return i.Name == instance })
}
