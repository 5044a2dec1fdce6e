package explore

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// A Problem is everything that a policy may know before the first pull.
type Problem struct {
	// X holds the features of the arms, K x h, one arm a row. Nil means that
	// the arms have no structure; their number is then Arms.
	X *mat.Dense
	// Changing says that the features of an arm change from round to round, around
	// a mean. The question is about the mean features, so that the means of the
	// items are mean rewards. A [Contextual] policy is told the features of a round
	// before it is asked what to pull, and takes from X no more than its shape;
	// for others, X holds the mean features.
	Changing bool
	// Arms is the number of arms K. It is read only if X is nil.
	Arms int
	// Z holds the features of the items asked about, M x h, one item a row.
	// Nil means that the items are the arms.
	Z *mat.Dense
	// Objectives is d, the length of one reward. Larger is better in each.
	// Zero means 1.
	Objectives int
	// Sigma is the sub-Gaussian scale of each objective, in reward units: the
	// standard deviation of Gaussian rewards, half the range of bounded ones.
	Sigma float64
	// NormSigma is the sub-Gaussian scale of every projection of a reward on a
	// unit vector (sigma_u in the e-cAPE paper): the root of the largest
	// eigenvalue of a Gaussian's covariance, Sigma for independent objectives.
	// Zero means sqrt(d) Sigma, which holds whatever the correlation.
	NormSigma float64
	// Question is what is asked about the means.
	Question Question

	// ArmNames, ItemNames and ObjectiveNames name things in answers, tables,
	// figures and messages. Nil means "arm 0", "item 0", "objective 0".
	// ItemNames defaults to ArmNames where the items are the arms.
	ArmNames, ItemNames, ObjectiveNames []string
}

// K returns the number of arms that can be pulled.
func (p *Problem) K() int {
	if p.X != nil {
		r, _ := p.X.Dims()
		return r
	}
	return p.Arms
}

// H returns the number of features of an arm, 0 if the arms have none.
func (p *Problem) H() int {
	if p.X == nil {
		return 0
	}
	_, h := p.X.Dims()
	return h
}

// M returns the number of items that the question is about.
func (p *Problem) M() int {
	if p.Z != nil {
		r, _ := p.Z.Dims()
		return r
	}
	return p.K()
}

// D returns the number of objectives.
func (p *Problem) D() int { return max(p.Objectives, 1) }

// SigmaU returns NormSigma, or sqrt(d) Sigma if it is zero.
func (p *Problem) SigmaU() float64 {
	if p.NormSigma > 0 {
		return p.NormSigma
	}
	return math.Sqrt(float64(p.D())) * p.Sigma
}

// Arm returns the name of arm i.
func (p *Problem) Arm(i int) string { return name(p.ArmNames, "arm ", i) }

// Item returns the name of item i.
func (p *Problem) Item(i int) string {
	if p.ItemNames == nil && p.Z == nil {
		return p.Arm(i)
	}
	return name(p.ItemNames, "item ", i)
}

// Objective returns the name of objective c.
func (p *Problem) Objective(c int) string { return name(p.ObjectiveNames, "objective ", c) }

func name(names []string, kind string, i int) string {
	if i >= 0 && i < len(names) {
		return names[i]
	}
	return kind + strconv.Itoa(i)
}

// Validate reports the first thing that is wrong with p: which field, what is
// wrong with it and what it should be.
func (p *Problem) Validate() error {
	bad := func(field, format string, args ...any) error {
		return fmt.Errorf("explore: problem: %s: %s", field, fmt.Sprintf(format, args...))
	}
	if p == nil {
		return fmt.Errorf("explore: problem is nil")
	}
	if p.X == nil && p.Arms < 1 {
		return bad("Arms", "%d arms; want at least 1 (or features X)", p.Arms)
	}
	if p.Objectives < 0 {
		return bad("Objectives", "%d; want at least 1", p.Objectives)
	}
	if !scale(p.Sigma) {
		return bad("Sigma", "%v; want the noise scale, positive and finite, from 1e-100 to 1e100",
			p.Sigma)
	}
	if p.NormSigma != 0 && !scale(p.NormSigma) {
		return bad("NormSigma", "%v; want a positive finite scale from 1e-100 to 1e100, or 0 "+
			"for sqrt(d) Sigma", p.NormSigma)
	}
	if p.NormSigma != 0 && p.NormSigma < p.Sigma*(1-1e-12) {
		return bad("NormSigma", "%v is below Sigma = %v; a projection on a coordinate axis "+
			"already has scale Sigma", p.NormSigma, p.Sigma)
	}
	if p.Question == nil {
		return bad("Question", "nil; say what is asked, for example question.Pareto{}")
	}
	for _, f := range []struct {
		field, kind string
		x           *mat.Dense
	}{{"X", "arm", p.X}, {"Z", "item", p.Z}} {
		if f.x == nil {
			continue
		}
		r, c := f.x.Dims()
		for i := range r {
			for j := range c {
				if v := f.x.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
					return bad(f.field, "feature %d of %s %d is %v; want finite numbers", j, f.kind,
						i, v)
				}
			}
		}
	}
	if p.X != nil && p.Z != nil {
		_, cx := p.X.Dims()
		_, cz := p.Z.Dims()
		if cx != cz {
			return bad("Z", "%d features an item, but X has %d an arm", cz, cx)
		}
	}
	if p.X == nil && p.Changing {
		return bad("X", "nil although the features are Changing; give their means, one arm a row")
	}
	if p.X == nil && p.Z != nil {
		return bad("X", "nil although Z is given; items described by features need arms "+
			"with features")
	}
	for _, f := range []struct {
		field string
		names []string
		want  int
	}{{"ArmNames", p.ArmNames, p.K()}, {"ItemNames", p.ItemNames, p.M()},
		{"ObjectiveNames", p.ObjectiveNames, p.D()}} {
		if f.names == nil {
			continue
		}
		if len(f.names) != f.want {
			return bad(f.field, "%d names; want %d, or nil", len(f.names), f.want)
		}
		seen := make(map[string]int, len(f.names))
		for i, s := range f.names {
			if j, dup := seen[s]; dup {
				return bad(f.field, "%q names both number %d and number %d", s, j, i)
			}
			seen[s] = i
		}
	}
	if v, ok := p.Question.(Validator); ok {
		if err := v.Validate(p); err != nil {
			return fmt.Errorf("explore: problem: Question: %w", err)
		}
	}
	return nil
}

// Largest is the largest reward, and the largest noise scale; the least is its
// inverse. Squares of such numbers, and sums of squares, are numbers.
const Largest = 1e100

func scale(sigma float64) bool { return sigma >= 1/Largest && sigma <= Largest }
