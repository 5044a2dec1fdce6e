package report

import (
	"strings"

	"github.com/purexp/purexp/pkg/campaign"
)

// A View is where a campaign stands at one moment, with what a page needs of its problem. Lists
// that have one entry an objective are in the order of Columns.
type View struct {
	campaign.Status
	Question string            `json:"question" doc:"What is asked, in a sentence"`
	Code     string            `json:"code" doc:"The version of purexp"`
	Token    bool              `json:"token" doc:"The server asks for a token"`
	Columns  []Column          `json:"columns" doc:"The objectives"`
	Bounds   []Bound           `json:"bounds" doc:"What makes an arm feasible"`
	Plate    int               `json:"plate" doc:"The usual number of measurements at a time"`
	Tickets  []campaign.Ticket `json:"tickets" doc:"Asked for, and not there yet"`
	// Newcomer are columns of the table of candidates.
	Newcomer []string `json:"newcomer" doc:"Columns in which an arm that joins needs a value"`
	// Evaluable is the column of results with the number of evaluable trials.
	Evaluable string `json:"evaluable,omitempty" doc:"Column of results with the number of trials that could be evaluated, if some may not be"`

	// Members names all candidates of the answer, or of the best guess, in a sentence; empty if there are none.
	Members string `json:"members,omitempty" doc:"All candidates of the answer, or of the best guess, in a sentence"`

	axes []string // what the axes of figures are called, by objective
}

// A Column is an objective: something that is measured, or known, of every arm.
type Column struct {
	Name     string `json:"name"`
	Unit     string `json:"unit"`
	Goal     string `json:"goal" enum:"maximise,minimise,bounded"`
	Measured bool   `json:"measured" doc:"false: the values are known exactly"`
	Noise    string `json:"noise" doc:"What is assumed about the noise, in words"`
	Trials   int    `json:"trials,omitempty" doc:"Results are numbers of successes of so many trials, and estimates are rates"`
}

// A Bound asks that a weighted sum of objectives is at most Limit, or at least.
type Bound struct {
	Name    string    `json:"name"`
	Weights []float64 `json:"weights" doc:"By objective"`
	Limit   float64   `json:"limit"`
	AtLeast bool      `json:"at_least"`
}

// members names the candidates of the answer, or of the best guess, however many there are.
func members(s *campaign.Status) string {
	var names []string
	for _, a := range s.Arms {
		if a.Chosen {
			names = append(names, a.Arm)
		}
	}
	where := "In the best guess"
	if s.Done() {
		where = "In the answer"
	}
	if len(names) == 0 {
		return ""
	}
	return where + ": " + strings.Join(names, ", ") + "."
}
