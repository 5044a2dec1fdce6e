package mc

import (
	"fmt"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
)

// Row is the outcome of one run, a replicate of a cell. A Row contains no times or properties of
// the machine, so that rows are the same on all machines.
type Row struct {
	// Study and Seed are the name and the root seed of the grid.
	Study string `json:"study"`
	Seed  uint64 `json:"seed"`
	// Experiment is the figure or table for which the run was made. Instance is the name of the
	// instance, Size is the size of its problem, and Draw is the number of the random instance of
	// this size. Method and Constants are labels of the policy, as in the struct Method.
	Experiment string  `json:"experiment,omitempty"`
	Instance   string  `json:"instance"`
	Size       int     `json:"size,omitempty"`
	Draw       int     `json:"draw,omitempty"` // from 0
	Method     string  `json:"method"`
	Constants  string  `json:"constants"`
	Delta      float64 `json:"delta"`            // 0 with a fixed budget
	Budget     int     `json:"budget,omitempty"` // 0 with a fixed confidence
	Rep        int     `json:"rep"`              // number of the replicate, from 0

	// Pulls and Rounds are the total numbers of pulls and rounds of the run.
	Pulls  int `json:"pulls"`
	Rounds int `json:"rounds"`
	// Status states why the run ended; it is the name of an explore.Status. The value "stopped"
	// means that the policy stopped by its own rule, so that its guarantee holds.
	Status string `json:"status"`
	// Correct reports whether the answer is right. If the run ended early, Correct refers to the
	// best guess; after a failure, Correct is false.
	Correct bool `json:"correct"`
	// Items are the items of the answer.
	Items []int `json:"items"`
	// Classes contains one letter for each item, the initial of the item's class: O optimal, D
	// dominated, I infeasible, U undecided. Classes is empty if the policy gives no reasons.
	Classes string `json:"classes"`
	// ArmPulls contains the number of pulls of each arm.
	ArmPulls []int `json:"armPulls"`
	// Measures are the additional numbers of the experiment.
	Measures []Value `json:"measures,omitempty"`
	// Warnings are the warnings of the policy about its guarantee.
	Warnings []string `json:"warnings,omitempty"`
	// Err is the error that ended the run if Status is "failure".
	Err string `json:"err,omitempty"`
}

// fill copies the result res to r. A nil res means that the run could not be started.
func (r *Row) fill(res *explore.Result, arms int, err error) {
	r.Items, r.ArmPulls = []int{}, make([]int, arms)
	r.Status = explore.Failure.String()
	if err != nil {
		r.Err = err.Error()
	}
	if res == nil {
		return
	}
	r.Pulls, r.Rounds = res.Pulls, res.Rounds
	r.Items = append(r.Items, res.Answer.Items...)
	r.ArmPulls = slices.Clone(res.ArmPulls)
	if err == nil {
		r.Status = res.Status.String()
	}
	if reasons := res.Answer.Reasons; reasons != nil {
		letters := make([]byte, len(reasons))
		for i, why := range reasons {
			letters[i] = letter(why.Class)
		}
		r.Classes = string(letters)
	}
	for _, w := range res.Warnings {
		r.Warnings = append(r.Warnings, w.Error())
	}
}

// letters contains the initials of the classes, in upper case.
const letters = "UODI"

func letter(c explore.Class) byte {
	if c < 0 || int(c) >= len(letters) {
		return '?'
	}
	return letters[c]
}

// Key identifies a cell: rows with equal keys are replicates of the same cell, and can be averaged.
type Key struct {
	Experiment string
	Instance   string
	Size       int
	Method     string
	Constants  string
	Delta      float64
	Budget     int
}

// Key returns the key of the cell to which r belongs. The method expression mc.Row.Key can be used
// as an argument of tidy.GroupBy.
func (r Row) Key() Key {
	return Key{r.Experiment, r.Instance, r.Size, r.Method, r.Constants, r.Delta, r.Budget}
}

// Key returns the key of the cell that c describes.
func (c *CellInfo) Key() Key {
	return Key{c.Experiment, c.Instance, c.Size, c.Method, c.Constants, c.Delta, c.Budget}
}

// Key returns the key of the rows of c.
func (c *Cell) Key() Key {
	k := Key{
		Experiment: c.Experiment, Size: c.Size, Budget: c.Budget,
		Method: c.Method.Name, Constants: c.Method.Constants, Delta: c.Method.Delta,
	}
	if c.Instance != nil {
		k.Instance = c.Instance.Name
	}
	return k
}

// String describes the method, its settings and the instance, for messages.
func (k Key) String() string {
	s := k.Method
	if k.Constants != "" {
		s += " (" + k.Constants + ")"
	}
	if k.Delta != 0 {
		s += fmt.Sprintf(" at delta %v", k.Delta)
	}
	if k.Budget != 0 {
		s += fmt.Sprintf(" with budget %d", k.Budget)
	}
	s += " on " + k.Instance
	if k.Experiment != "" {
		s += " of " + k.Experiment
	}
	return s
}

// Regret returns a measure of the Pareto regret of any policy (see [bandit.Regret]). The number
// "regret" is the cumulative regret of the whole run. For each element t of at, "regret@t"
// is the cumulative regret of the first t pulls, and "instant@t" is the instantaneous regret of the
// t-th pull. The elements of at must be positive and ascending. If a run ended before t pulls,
// "regret@t" is the cumulative regret at its end, and "instant@t" is omitted.
func Regret(at ...int) Measure {
	names := []string{"regret"}
	for _, t := range at {
		names = append(names, fmt.Sprintf("regret@%d", t))
	}
	for _, t := range at {
		names = append(names, fmt.Sprintf("instant@%d", t))
	}
	return Measure{Names: names, New: func(in *bandit.Instance) Meter {
		return regret{bandit.NewRegret(in, at...)}
	}}
}

type regret struct{ *bandit.Regret }

// Values implements Meter.
func (r regret) Values(dst []float64, res *explore.Result) []float64 {
	total := r.Total()
	if r.Pulls() != res.Pulls {
		total = math.NaN() // some rounds were not recorded, so the total is unknown
	}
	return r.AppendInstant(r.AppendSums(append(dst, total)))
}
