package wire

import (
	"encoding/json"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/internal/strictjson"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// Problem is an explore.Problem in the wire format; larger rewards are better in each objective.
type Problem struct {
	Arms           int          `json:"arms"`
	Objectives     int          `json:"objectives"`
	Names          []string     `json:"names,omitempty"` // names of the arms
	ObjectiveNames []string     `json:"objective_names,omitempty"`
	Features       [][]float64  `json:"features,omitempty"` // features of the arms, one arm a row
	Items          [][]float64  `json:"items,omitempty"`    // features of the items asked about, if the items are not the arms
	ItemNames      []string     `json:"item_names,omitempty"`
	Sigma          float64      `json:"sigma"`
	Sigmas         []float64    `json:"sigmas,omitempty"`     // noise scales by objective, if they differ
	NormSigma      float64      `json:"norm_sigma,omitempty"` // noise scale of projections on unit vectors
	Known          [][]*float64 `json:"known,omitempty"`      // known means by arm and objective; null if measured
	Costs          []float64    `json:"costs,omitempty"`      // cost of a reward of each arm
	Link           string       `json:"link,omitempty"`       // link function: logit or log
	Question       Question     `json:"question"`
}

// ParseProblem decodes a problem: the JSON of a Problem, or of an instance that contains a Problem,
// as written by 'purexp instances export'.
func ParseProblem(text []byte) (*Problem, error) {
	var instance struct {
		Problem json.RawMessage `json:"problem"`
	}
	if strictjson.Unmarshal(text, &instance) == nil && instance.Problem != nil {
		text = instance.Problem
	}
	p := new(Problem)
	return p, strictjson.Unmarshal(text, p)
}

// Question is the question of a problem.
type Question struct {
	// Find is "best", "good", "pareto" or "feasible".
	Find string `json:"find"`
	// Epsilon is the tolerance of "best", "good" and "pareto", in reward units. If Multiplicative
	// is true, Epsilon is a fraction of the largest mean minus Zero.
	Epsilon        float64 `json:"epsilon,omitempty"`
	Multiplicative bool    `json:"multiplicative,omitempty"`
	Zero           float64 `json:"zero,omitempty"`
	Cover          float64 `json:"cover,omitempty"`
	AtMost         int     `json:"at_most,omitempty"`
	// Constraints define which items are feasible; if Reasons is true, the answer must have a
	// reason for each item.
	Constraints []Constraint `json:"constraints,omitempty"`
	Reasons     bool         `json:"reasons,omitempty"`
	Tolerance   []float64    `json:"tolerance,omitempty"` // tolerances by objective
	Slack       []float64    `json:"slack,omitempty"`     // slacks by constraint
	// Weights and Count belong to the question that asks for the best feasible items.
	Weights []float64 `json:"weights,omitempty"`
	Count   int       `json:"count,omitempty"`
}

// Constraint is an upper bound on a weighted sum of objectives.
type Constraint struct {
	Name    string    `json:"name,omitempty"`
	Weights []float64 `json:"weights"`
	AtMost  float64   `json:"at_most"`
}

// The following constants are the values of Question.Find.
const (
	findBest     = "best"
	findGood     = "good"
	findPareto   = "pareto"
	findFeasible = "feasible"
)

// NewProblem returns p in the wire format. If the protocol does not cover the question of p, or if
// features change, the error wraps explore.ErrQuestion.
func NewProblem(p *explore.Problem) (*Problem, error) {
	w := &Problem{Arms: p.K(), Objectives: p.D(), Names: p.ArmNames, ObjectiveNames: p.ObjectiveNames,
		Features: rows(p.X), Items: rows(p.Z), Sigma: p.Sigma, Sigmas: p.Sigmas,
		NormSigma: p.NormSigma, Costs: p.Costs}
	if p.Z != nil {
		w.ItemNames = p.ItemNames
	}
	if p.Changing {
		return nil, fmt.Errorf("wire: the protocol does not support changing features: %w", explore.ErrQuestion)
	}
	if p.Link != explore.Identity {
		w.Link = p.Link.String()
	}
	if p.Known != nil {
		for _, row := range rows(p.Known) {
			var known []*float64
			for _, v := range row {
				known = append(known, number(v))
			}
			w.Known = append(w.Known, known)
		}
	}
	switch q := p.Question.(type) {
	case question.Best:
		w.Question = Question{Find: findBest, Epsilon: q.Epsilon}
	case question.AllEpsilonBest:
		w.Question = Question{Find: findGood, Epsilon: q.Epsilon, Multiplicative: q.Multiplicative, Zero: q.Zero}
	case question.Pareto:
		w.Question = Question{Find: findPareto, Epsilon: q.Epsilon, Cover: q.Cover, AtMost: q.AtMost}
	case question.FeasiblePareto:
		w.Question = Question{Find: findPareto, Reasons: !q.SetOnly, Tolerance: q.Tolerance,
			Slack: q.Slack, Constraints: constraints(q.Region)}
	case question.Feasible:
		w.Question = Question{Find: findFeasible, Constraints: constraints(q.Region)}
	case question.BestFeasible:
		weights := q.Weights
		if weights == nil {
			for range p.D() {
				weights = append(weights, 1)
			}
		}
		w.Question = Question{Find: findBest, Weights: weights, Count: q.Count, Constraints: constraints(q.Region)}
	default:
		return nil, fmt.Errorf("wire: %T: %w", p.Question, explore.ErrQuestion)
	}
	return w, nil
}

func constrained(q explore.Question) int {
	if r := question.Region(q); r != nil {
		return r.Rows()
	}
	return 0
}

func constraints(p *polyhedron.Polyhedron) []Constraint {
	cs := []Constraint{}
	for k := range p.Rows() {
		c := p.Constraint(k)
		cs = append(cs, Constraint{c.Name, c.A, c.B})
	}
	return cs
}

func rows(x *mat.Dense) (r [][]float64) {
	if x == nil {
		return nil
	}
	n, _ := x.Dims()
	for i := range n {
		r = append(r, append([]float64(nil), x.RawRowView(i)...))
	}
	return r
}

// Explore converts the problem to an explore.Problem. Errors of Explore name the invalid field.
func (w *Problem) Explore() (*explore.Problem, error) {
	wrong := func(format string, args ...any) (*explore.Problem, error) {
		return nil, broken("problem."+format, args...)
	}
	p := &explore.Problem{Arms: w.Arms, Objectives: w.Objectives, ArmNames: w.Names,
		ObjectiveNames: w.ObjectiveNames, ItemNames: w.ItemNames, Sigma: w.Sigma, Sigmas: w.Sigmas,
		NormSigma: w.NormSigma, Costs: w.Costs}
	if w.Arms < 1 || w.Arms > 1e6 {
		return wrong("arms: %d; expected 1 to 1000000", w.Arms)
	}
	if w.Objectives < 1 || w.Objectives > 1000 {
		return wrong("objectives: %d; expected 1 to 1000", w.Objectives)
	}
	var err error
	if p.X, err = dense("features", w.Features, w.Arms); err != nil {
		return nil, err
	}
	if p.Z, err = dense("items", w.Items, -1); err != nil {
		return nil, err
	}
	if w.Known != nil {
		if len(w.Known) != w.Arms {
			return wrong("known: %d rows; expected one for each of the %d arms", len(w.Known), w.Arms)
		}
		p.Known = mat.NewDense(w.Arms, w.Objectives, nil)
		for i, row := range w.Known {
			if len(row) != w.Objectives {
				return wrong("known[%d]: %d values; expected one for each of %d objectives", i, len(row), w.Objectives)
			}
			for c, v := range row {
				if v == nil {
					p.Known.Set(i, c, math.NaN())
				} else {
					p.Known.Set(i, c, *v)
				}
			}
		}
	}
	switch w.Link {
	case "", explore.Identity.String():
	case explore.Logit.String():
		p.Link = explore.Logit
	case explore.Log.String():
		p.Link = explore.Log
	default:
		return wrong("link: %q; expected %q, %q or nothing", w.Link, explore.Logit, explore.Log)
	}
	if p.Question, err = w.Question.explore(w.Objectives); err != nil {
		return nil, err
	}
	if err := p.Validate(); err != nil {
		return wrong("%v", err)
	}
	return p, nil
}

// dense converts rows of equal length to a matrix; without rows, it returns nil. The argument want
// is the required number of rows, or -1 for any number.
func dense(field string, x [][]float64, want int) (*mat.Dense, error) {
	if x == nil {
		return nil, nil
	}
	if len(x) == 0 || len(x[0]) == 0 || want >= 0 && len(x) != want {
		return nil, broken("problem.%s: %d rows; expected %d rows of at least one number", field, len(x), max(want, 1))
	}
	m := mat.NewDense(len(x), len(x[0]), nil)
	for i, row := range x {
		if len(row) != len(x[0]) {
			return nil, broken("problem.%s[%d]: %d numbers; expected %d, as in row 0", field, i, len(row), len(x[0]))
		}
		m.SetRow(i, row)
	}
	return m, nil
}

func (q *Question) explore(d int) (explore.Question, error) {
	constrained := q.Constraints != nil
	region, err := q.region(d)
	if err != nil {
		return nil, err
	}
	switch q.Find {
	case findBest:
		if constrained || q.Weights != nil || q.Count > 1 || d > 1 {
			return question.BestFeasible{Region: region, Weights: q.Weights, Count: q.Count}, nil
		}
		return question.Best{Epsilon: q.Epsilon}, nil
	case findGood:
		return question.AllEpsilonBest{Epsilon: q.Epsilon, Multiplicative: q.Multiplicative, Zero: q.Zero}, nil
	case findPareto:
		if constrained || q.Reasons || q.Tolerance != nil || q.Slack != nil {
			return question.FeasiblePareto{Region: region, SetOnly: !q.Reasons, Tolerance: q.Tolerance,
				Slack: q.Slack}, nil
		}
		return question.Pareto{Epsilon: q.Epsilon, Cover: q.Cover, AtMost: q.AtMost}, nil
	case findFeasible:
		return question.Feasible{Region: region}, nil
	}
	return nil, broken("problem.question.find: %q; expected %q, %q, %q or %q", q.Find, findBest, findGood, findPareto,
		findFeasible)
}

func (q *Question) region(d int) (*polyhedron.Polyhedron, error) {
	if len(q.Constraints) == 0 {
		return polyhedron.Whole(d), nil
	}
	a, b, names := mat.NewDense(len(q.Constraints), d, nil), []float64{}, []string{}
	for k, c := range q.Constraints {
		if len(c.Weights) != d {
			return nil, broken("problem.question.constraints[%d].weights: %d weights; expected %d, one per objective",
				k, len(c.Weights), d)
		}
		a.SetRow(k, c.Weights)
		b, names = append(b, c.AtMost), append(names, c.Name)
	}
	p, err := polyhedron.New(a, b, names)
	if err != nil {
		return nil, broken("problem.question.constraints: %w", err)
	}
	return p, nil
}
