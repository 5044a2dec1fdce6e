package report

import (
	"time"

	"github.com/purexp/purexp/pkg/campaign"
)

// A View is where a campaign stands at one moment, in the user's units. Lists of numbers that have
// one entry an objective are in the order of Objectives.
type View struct {
	Version   int      `json:"version" doc:"Number of the last event: it grows with every change"`
	Title     string   `json:"title"`
	Question  string   `json:"question" doc:"What is asked, in a sentence"`
	Delta     float64  `json:"delta" doc:"Largest probability that the answer is wrong"`
	Method    string   `json:"method" doc:"The policy that chooses what to measure and when to stop"`
	Status    string   `json:"status" enum:"running,finished,failed" doc:"failed: the method did; results are safe"`
	Done      bool     `json:"done" doc:"The policy stopped by its own rule: the guarantee holds"`
	Headline  string   `json:"headline" doc:"The verdict with its reason, in a sentence"`
	Guarantee []string `json:"guarantee" doc:"What the guarantee covers, and what it does not"`
	Warnings  []string `json:"warnings"`
	Code      string   `json:"code" doc:"The version of purexp"`
	Token     bool     `json:"token" doc:"The server asks for a token"`

	Objectives   []Objective `json:"objectives"`
	Bounds       []Bound     `json:"bounds" doc:"What makes an arm feasible"`
	Arms         []Arm       `json:"arms"`
	Answer       []string    `json:"answer" doc:"Names of the arms that the question asks for: final once done, the best guess before"`
	Measurements Counts      `json:"measurements"`
	Plates       int         `json:"plates" doc:"How often something was asked for"`
	Plate        int         `json:"plate" doc:"The usual number of measurements at a time"`
	Pending      []Ticket    `json:"pending" doc:"Asked for, and not there yet"`
}

// An Objective is something that is measured, or known, of every arm.
type Objective struct {
	Name     string `json:"name"`
	Unit     string `json:"unit"`
	Goal     string `json:"goal" enum:"maximise,minimise,bounded"`
	Measured bool   `json:"measured" doc:"false: the values are known exactly"`
	Noise    string `json:"noise" doc:"What is assumed about the noise, in words"`
}

// Label returns the name with the unit.
func (o Objective) Label() string {
	if o.Unit == "" {
		return o.Name
	}
	return o.Name + " [" + o.Unit + "]"
}

// A Bound asks that a weighted sum of objectives is at most Limit, or at least.
type Bound struct {
	Name    string    `json:"name"`
	Weights []float64 `json:"weights" doc:"By objective"`
	Limit   float64   `json:"limit"`
	AtLeast bool      `json:"at_least"`
}

// An Arm is a candidate where the campaign stands with it.
type Arm struct {
	campaign.ArmStatus
	Class string `json:"class" enum:"undecided,optimal,dominated,infeasible"`
}

// Counts are measurements.
type Counts struct {
	Used    int `json:"used"`
	Pending int `json:"pending"`
	Failed  int `json:"failed"`
	Unused  int `json:"unused"`
}

// A Ticket is a measurement that was asked for.
type Ticket struct {
	Ticket int       `json:"ticket"`
	Plate  int       `json:"plate"`
	Arm    string    `json:"arm"`
	As     string    `json:"as" doc:"Who asked for it"`
	At     time.Time `json:"at" doc:"When"`
}

// An Event is a line of the record.
type Event struct {
	Number   int       `json:"number"`
	At       time.Time `json:"at"`
	As       string    `json:"as" doc:"Who did it"`
	Kind     string    `json:"kind"`
	Text     string    `json:"text" doc:"What was done, in a sentence"`
	Undoable bool      `json:"undoable" doc:"It can be undone now"`
	Undone   bool      `json:"undone"`
}
