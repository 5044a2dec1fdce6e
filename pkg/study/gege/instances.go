package gege

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study"
)

// SyntheticH2 is the complexity H_2,lin of every synthetic instance, and also the paper's budget on
// these instances. The number 5,000 is the smallest multiple of 1,000 with which EGE-SH can run on
// 500 arms: EGE-SH needs one pull of each arm in each of nine rounds.
const SyntheticH2 = 5000

// syntheticSigma is the standard deviation of rewards on synthetic instances. The value is that of
// the paper's experiment on NoC.
const syntheticSigma = .5

// Synthetic returns a synthetic instance with its parameter Theta, an h x d matrix (paper, section
// 5.1). The argument k is the number of arms. The first h arms have the h smallest gaps, which are
// the same for every k. In the paper, h is 8 and d is 2. Instances with the same h, d and draw are
// nested: the arms of a smaller instance are the first arms of each larger one.
//
// The first h arms have features e_1, ..., e_h and means theta_1, ..., theta_h, the rows of Theta.
// The rows of Theta are drawn uniformly from [-1, 0]^d, with at least two optimal rows if d > 1,
// and scaled such that H_2,lin is SyntheticH2. The other arms follow appendix I.1 of the paper:
// their features are drawn uniformly from [0, 1]^h and scaled to unit Euclidean norm. A drawn arm
// is kept only if the h smallest gaps do not change.
//
// A sufficient condition is checked: one of the first h arms is better than the new arm in every
// objective by more than the largest gap of the first h arms. Then, the gap of the new arm is
// larger than the gaps of the first h arms. If the new arm dominates or nearly dominates another
// arm, the arm that dominates the new arm does so by a larger margin.
//
// If h is below 2, d is below 1, or k is below h, or if no further arms are found, Synthetic
// returns an error.
func Synthetic(k, h, d, draw int) (*bandit.Instance, *mat.Dense, error) {
	switch {
	case h < 2 || d < 1:
		return nil, nil, fmt.Errorf(
			"gege: synthetic: %d features and %d objectives; expected at least 2 features and 1 objective", h, d)
	case k < h:
		return nil, nil, fmt.Errorf(
			"gege: synthetic: %d arms with %d features; expected at least as many arms as features", k, h)
	case draw < 0:
		return nil, nil, fmt.Errorf("gege: synthetic: draw %d; expected 0 or a positive number", draw)
	}
	name := "synthetic K=" + strconv.Itoa(k)
	if h != 8 || d != 2 {
		name = fmt.Sprintf("synthetic h=%d d=%d K=%d", h, d, k)
	}
	name += " #" + strconv.Itoa(draw)
	node := seed.New(1).Child("gege", "synthetic", h, d, draw)
	x := study.Basis(k, h)
	names := append(study.Numbered("e", h), study.Numbered("x", k)[h:]...)
	for again := range 1000 {
		theta, largest, ok := base(h, d, rand.New(node.Child("theta", again).Source()))
		if !ok {
			continue
		}
		c := candidates{theta: theta, margin: largest,
			rnd: rand.New(node.Child("arms", again).Source()), mu: make([]float64, d)}
		// If a Theta leaves no room for other arms, another Theta is drawn for every k, because
		// Theta must not depend on the number of arms.
		row := make([]float64, h)
		if !c.next(row) {
			continue
		}
		for i := h; i < k; i++ {
			copy(x.RawRowView(i), row)
			if i+1 < k && !c.next(row) {
				return nil, nil, fmt.Errorf("gege: %s: %d random arms were all rejected; use another draw", name, tries)
			}
		}
		notes := []string{
			"Theta is drawn uniformly from [-1, 0] and scaled; the paper does not state how Theta is chosen",
			fmt.Sprintf("the standard deviation of rewards, %v, is that of the paper's experiment on NoC; the "+
				"paper states none for this instance", syntheticSigma),
		}
		if again > 0 {
			notes = append(notes, fmt.Sprintf("Theta was redrawn %d times, because only one arm was optimal or "+
				"no other arms were found", again))
		}
		inst, err := linearInstance(name, x, names, theta, syntheticSigma, notes)
		return inst, theta, err
	}
	return nil, nil, fmt.Errorf("gege: synthetic: with h = %d and d = %d, no additional arms leave the smallest gaps "+
		"unchanged; use fewer objectives", h, d)
}

// base draws and scales Theta, and returns the largest gap of its rows. If a gap is 0, or if Theta
// has several rows but only one is optimal, base returns false.
func base(h, d int, rnd *rand.Rand) (theta *mat.Dense, largest float64, ok bool) {
	theta = mat.NewDense(h, d, nil)
	for i := range h {
		for c := range d {
			theta.Set(i, c, -rnd.Float64())
		}
	}
	gaps := pareto.Gaps(theta)
	slices.Sort(gaps)
	if gaps[0] == 0 || d > 1 && len(pareto.Set(theta)) < 2 {
		return nil, 0, false
	}
	_, h2 := complexities(gaps)
	scale := math.Sqrt(h2 / SyntheticH2)
	theta.Scale(scale, theta)
	return theta, gaps[h-1] * scale, true
}

// tries is the number of consecutive rejected draws after which the search stops.
const tries = 10_000

// candidates draws the features of the arms that follow the first h arms.
type candidates struct {
	theta  *mat.Dense
	margin float64
	rnd    *rand.Rand
	mu     []float64
}

// next stores the features of the next arm in row, and reports whether it found one.
func (c *candidates) next(row []float64) bool {
	h, _ := c.theta.Dims()
	for range tries {
		for j := range row {
			row[j] = c.rnd.Float64()
		}
		norm := floats.Norm(row, 2)
		if norm == 0 {
			continue
		}
		floats.Scale(1/norm, row)
		clear(c.mu)
		for j, v := range row {
			floats.AddScaled(c.mu, v, c.theta.RawRowView(j))
		}
		for i := range h {
			if pareto.Deficit(c.mu, c.theta.RawRowView(i)) > c.margin {
				return true
			}
		}
	}
	return false
}

// fitted returns the least-squares parameter matrix for the true means of an instance with
// features.
func fitted(inst *bandit.Instance) (*mat.Dense, error) {
	var theta mat.Dense
	if err := theta.Solve(inst.Problem.X, inst.Means()); err != nil {
		return nil, fmt.Errorf("gege: %s: %w", inst.Name, err)
	}
	return &theta, nil
}

// SNWSigma is the standard deviation of the rewards of SNW in both objectives, which this project
// chose. SNWSigma corresponds to 3.5 % of area and throughput. With NoC's standard deviation of
// 0.5, no method identifies the Pareto set within a million pulls.
const SNWSigma = .05

// SNW returns the table of sorting networks (see dataset.SNW) as a linear instance, with its
// parameter Theta, a 3 x 2 matrix. The instance's means are a least-squares fit to the table. The
// area is negated, because smaller areas are better. The paper does not contain the instance of
// SNW. SNW's smallest gap is 0.0001. If the table is not found, SNW returns an error; see
// dataset.Folder.
func SNW() (*bandit.Instance, *mat.Dense, error) {
	raw, err := dataset.SNW{Sigma: SNWSigma}.Instance()
	if err != nil {
		return nil, nil, err
	}
	theta, err := fitted(raw)
	if err != nil {
		return nil, nil, err
	}
	notes := []string{
		"log2 area is minimised, so its values are negated",
		"means are those of a linear model, fitted by least squares; the table deviates from it by up to 4.69",
		fmt.Sprintf("the standard deviation of rewards, %v, is an assumption", SNWSigma),
	}
	inst, err := linearInstance("snw linear", raw.Problem.X, raw.Problem.ArmNames, theta, SNWSigma, notes)
	if err != nil {
		return nil, nil, err
	}
	inst.Problem.ObjectiveNames = raw.Problem.ObjectiveNames
	return inst, theta, nil
}

// complexities returns the complexities of a linear instance (paper, equation 2), computed from its
// h smallest gaps in ascending order:
//
//	H_1,lin = sum_{i <= h} 1/Delta_i^2    and    H_2,lin = max_{i <= h} i/Delta_i^2.
func complexities(gaps []float64) (h1, h2 float64) {
	for i, g := range gaps {
		h1 += 1 / (g * g)
		h2 = max(h2, float64(i+1)/(g*g))
	}
	return h1, h2
}

// linearInstance returns the instance with means X Theta and independent Gaussian rewards, whose
// question is the Pareto set.
func linearInstance(name string, x *mat.Dense, names []string, theta *mat.Dense, sigma float64,
	notes []string) (*bandit.Instance, error) {
	_, d := theta.Dims()
	inst, err := bandit.NewLinear(name, &explore.Problem{
		X: x, Objectives: d, ArmNames: names, ObjectiveNames: study.Numbered("objective ", d),
		Sigma: sigma, NormSigma: sigma, Question: question.Pareto{},
	}, theta)
	if err != nil {
		return nil, fmt.Errorf("gege: %w", err)
	}
	inst.Notes = notes
	return inst, nil
}

// Concept returns an instance with four arms that has all properties that the paper states for its
// Fig. 5. Arms k and j are optimal with gap M(j,k), and both arms dominate arm i. Only arm k
// dominates arm l. The gap of arm l is the margin in the first objective. For arm l, the paper
// names arm j instead of k, which contradicts the margin that it states for j.
func Concept() (*bandit.Instance, error) {
	theta := mat.NewDense(4, 2, []float64{.10, .30, .45, .80, .85, .62, .60, .15})
	return bandit.NewLinear("four arms", &explore.Problem{
		X: study.Basis(4, 4), Objectives: 2, ArmNames: []string{"i", "j", "k", "l"},
		ObjectiveNames: []string{"objective 1", "objective 2"},
		Sigma:          syntheticSigma, NormSigma: syntheticSigma, Question: question.Pareto{},
	}, theta)
}
