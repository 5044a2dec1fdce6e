package ecape

import (
	_ "embed" // for the table means.csv
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
)

// The following constants are names of instances. Published is the dose-finding trial with the
// published rates; Described has the rate that the paper describes. The next names are those of the
// vaccine trial and of three regions in R^3. CheapReasons and HardReasons differ in the cost of
// reasons. On the last two instances, all other arms are dominated by an optimal arm near the
// boundary.
const (
	Published = "secukinumab"
	Described = "secukinumab as described"
	CovBoost  = "covboost"

	SimplexRegion = "simplex"
	CubeRegion    = "cube"
	OrderedRegion = "ordered polyhedron"

	CheapReasons = "cheap reasons"
	HardReasons  = "hard reasons"

	Racing5  = "racing K=5"
	Racing10 = "racing K=10"
)

func instance(name string) (*bandit.Instance, error) {
	switch name {
	case Published:
		return dataset.Secukinumab{}.Instance()
	case Described:
		return dataset.Secukinumab{AsDescribed: true}.Instance()
	case CovBoost:
		return dataset.CovBoost{}.Instance()
	}
	r, err := region(name)
	if err != nil {
		return nil, fmt.Errorf("ecape: %s: %w", name, err)
	}
	return constrained(name, r, made[name])
}

func region(name string) (*polyhedron.Polyhedron, error) {
	switch name {
	case SimplexRegion:
		return polyhedron.Simplex(3), nil
	case CubeRegion:
		return polyhedron.Box([]float64{.15, .15, .15}, []float64{1, 1, 1}, objectives(3))
	case OrderedRegion:
		return polyhedron.Ordered(3), nil
	case CheapReasons:
		return polyhedron.AtLeast([]float64{0, 0}, objectives(2))
	case HardReasons:
		return polyhedron.HalfSpace([]float64{4, -1}, 0, "4 objective 1 <= objective 2")
	}
	return polyhedron.HalfSpace([]float64{1, 0}, .6, "objective 1 <= 0.6")
}

// meansTable contains the means that this project chose, by instance, as text.
//
//go:embed means.csv
var meansTable string

// means contains the means of an instance that the paper shows only as a picture or not at all.
type means struct {
	bernoulli bool // whether rewards are Bernoulli instead of Gaussian with sigma = 1/2
	mu        [][]float64
	notes     []string
}

// made contains the means that this project chose, by instance.
var made = func() map[string]means {
	notes := map[string][]string{
		SimplexRegion: styleOf("Fig. 5"), CubeRegion: styleOf("Fig. 5"),
		OrderedRegion: styleOf("Fig. 5"), CheapReasons: styleOf("Fig. 6"),
		HardReasons: {"not in the paper: the set with reasons needs more pulls than the set alone"},
	}
	all := map[string]means{
		Racing5: hardForRacing(5, "Fig. 7"), Racing10: hardForRacing(10, "Fig. 8"),
	}
	for _, arm := range study.ReadRecords(meansTable) {
		name := arm.Words[0]
		all[name] = means{mu: append(all[name].mu, arm.Numbers), notes: notes[name]}
	}
	return all
}()

// styleOf returns the note for instances that the paper shows only as a picture.
func styleOf(figure string) []string {
	return []string{"similar to the instance in the paper's " + figure +
		", which shows the means only graphically; we chose the means"}
}

// hardForRacing returns the means of k arms as in appendix F. All arms are feasible. The first arm
// dominates all other arms, which do not dominate each other. Only the first arm is near the
// boundary. Racing cannot drop a dominated arm before the dominating arm is certainly feasible, so
// it pulls all arms for a long time. The means are (0.55, 0.80) and k - 1 evenly spaced points from
// (0.15, 0.60) to (0.40, 0.35).
func hardForRacing(k int, figure string) means {
	m := means{bernoulli: true, mu: [][]float64{{.55, .80}}, notes: append(styleOf(figure),
		"the region has an upper bound, because the paper's dominated arms are far from the boundary; with a lower "+
			"bound, they would be nearer to it than the arm that dominates them")}
	for i := range k - 1 {
		s := .25 * float64(i) / float64(k-2)
		m.mu = append(m.mu, []float64{.15 + s, .60 - s})
	}
	return m
}

// constrained returns an instance with arms A, B, ..., whose question asks for the Pareto set of
// the arms in region. The answer must state reasons. The noise of the objectives is independent.
// The sub-Gaussian scale of Bernoulli rewards is 1/2, as for all rewards in [0, 1].
func constrained(name string, region *polyhedron.Polyhedron, m means) (*bandit.Instance, error) {
	const sigma = .5
	k, d := len(m.mu), len(m.mu[0])
	p := &explore.Problem{
		Arms: k, Objectives: d, Sigma: sigma, NormSigma: sigma,
		ObjectiveNames: objectives(d), Question: question.FeasiblePareto{Region: region},
	}
	for i := range k {
		p.ArmNames = append(p.ArmNames, string(rune('A'+i)))
	}
	mu := mat.NewDense(k, d, slices.Concat(m.mu...))
	var law bandit.Law
	var err error
	if m.bernoulli {
		law, err = bandit.NewBernoulli(mu)
	} else {
		law, err = bandit.NewGaussian(mu, bandit.Isotropic(d, sigma))
	}
	if err != nil {
		return nil, fmt.Errorf("ecape: %s: %w", name, err)
	}
	inst := &bandit.Instance{Name: name, Problem: p, Law: law, Notes: m.notes}
	return inst, inst.Validate()
}

func objectives(d int) []string { return study.Numbered("objective ", d) }

// NearBoundary returns an instance like that in Fig. 1 of the paper. Arm 1 dominates arms 2 and 3,
// which are at distance epsilon from the boundary: arm 2 inside and arm 3 outside. The answer does
// not depend on the feasibility of arms 2 and 3. To decide their feasibility would take pulls
// proportional to 1/epsilon^2. The paper states no means, so this project chose the means.
func NearBoundary(epsilon float64) (*bandit.Instance, error) {
	const least = .4
	if !(epsilon > 0 && epsilon < least) {
		return nil, fmt.Errorf("ecape: epsilon is %v; expected a distance between 0 and %v", epsilon, least)
	}
	region, err := polyhedron.AtLeast([]float64{least, 0}, objectives(2))
	if err != nil {
		return nil, err
	}
	inst, err := constrained("Fig. 1", region, means{notes: styleOf("Fig. 1"), mu: [][]float64{
		{.8, .8}, {least + epsilon, .45}, {least - epsilon, .3},
	}})
	if err == nil {
		inst.Problem.ArmNames = []string{"1", "2", "3"}
	}
	return inst, err
}

// dose is a combination of changed rates in the dose-finding trial: those of 75 mg, and the safety
// of 300 mg. The paper shows the rates in a dose only as a picture, and the order of the methods
// depends on them. All other rates are the published rates.
type dose struct{ efficacy75, safety75, safety300 float64 }

func (d dose) String() string {
	return fmt.Sprintf("75 mg at (%.3f, %.3f), 300 mg at %.3f", d.efficacy75, d.safety75, d.safety300)
}

func (d dose) instance() (*bandit.Instance, error) {
	inst, err := dataset.Secukinumab{}.Instance()
	if err != nil {
		return nil, err
	}
	mu := inst.Means()
	mu.SetRow(arm75, []float64{d.efficacy75, d.safety75})
	mu.Set(arm300, 1, d.safety300)
	inst.Name = d.String()
	inst.Law, err = bandit.NewBernoulli(mu)
	return inst, err
}
