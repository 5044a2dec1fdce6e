package mc

import (
	"slices"

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
