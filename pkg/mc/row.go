package mc

import (
	"fmt"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
)

// A Row is the outcome of one replicate. It holds no times and nothing about
// the machine: rows are the same wherever they are simulated.
type Row struct {
	Study string `json:"study"`
	Seed  uint64 `json:"seed"`
	// Experiment is the figure or table that the run belongs to, Size how large its problem is,
	// and Draw which of several random instances of this size it is on.
	Experiment string  `json:"experiment,omitempty"`
	Instance   string  `json:"instance"`
	Size       int     `json:"size,omitempty"`
	Draw       int     `json:"draw,omitempty"` // from 0
	Method     string  `json:"method"`
	Constants  string  `json:"constants"`
	Delta      float64 `json:"delta"`            // 0 with a fixed budget
	Budget     int     `json:"budget,omitempty"` // 0 with a fixed confidence
	Rep        int     `json:"rep"`              // from 0

	Pulls  int `json:"pulls"`
	Rounds int `json:"rounds"`
	// Status says why the run ended, as explore.Status does: "stopped" if the
	// policy stopped by itself, so that its guarantee holds.
	Status string `json:"status"`
	// Correct reports whether the answer is right. After an early end it is
	// the best guess that is scored; after a failure it is false.
	Correct bool `json:"correct"`
	// Items is the answer.
	Items []int `json:"items"`
	// Classes has one letter an item, the initial of its verdict: O optimal,
	// D dominated, I infeasible, U undecided. It is empty if the policy gives
	// no reasons.
	Classes string `json:"classes"`
	// ArmPulls has the number of pulls of each arm.
	ArmPulls []int `json:"armPulls"`
	// Measures are what the experiment measures besides.
	Measures []Value `json:"measures,omitempty"`
	// Warnings are the policy's remarks on what its guarantee does not cover.
	Warnings []string `json:"warnings,omitempty"`
	// Err is the error that ended the run, if its Status is "failure".
	Err string `json:"err,omitempty"`
}

// fill takes over res, which is nil if the run could not be started.
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

// letters are the initials of the verdicts, by class.
const letters = "UODI"

// letter returns the initial of c in upper case.
func letter(c explore.Class) byte {
	if c < 0 || int(c) >= len(letters) {
		return '?'
	}
	return letters[c]
}

// A Key identifies a cell: what runs that are compared or averaged have in common, whatever the
// replicate. Rows with equal keys differ in Rep only.
type Key struct {
	Experiment string
	Instance   string
	Size       int
	Method     string
	Constants  string
	Delta      float64
	Budget     int
}

// Key returns the cell that r belongs to. It is a key for tidy.GroupBy: mc.Row.Key.
func (r Row) Key() Key {
	return Key{r.Experiment, r.Instance, r.Size, r.Method, r.Constants, r.Delta, r.Budget}
}

// Key returns the cell that c describes.
func (c *CellInfo) Key() Key {
	return Key{c.Experiment, c.Instance, c.Size, c.Method, c.Constants, c.Delta, c.Budget}
}

// Key returns what identifies c in rows.
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

// String names the cell in a message: the method, its settings and the instance.
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

// Regret is the measure of Pareto regret of any policy (see [bandit.Regret]): "regret" of the whole
// run, and for each number of pulls t in at, positive and ascending, "regret@t" of the pulls up to
// the t-th and "instant@t" of the t-th alone. A run that ended before t has its total as the first,
// and nothing as the second.
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
		total = math.NaN() // rounds were missed
	}
	return r.AppendInstant(r.AppendSums(append(dst, total)))
}
