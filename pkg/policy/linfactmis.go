package policy

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/policy/internal/epsilonbest"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/question"
)

// LinFACTMIS is LinFACT-MIS, a variant of [LinFACT] for means that deviate from a linear model by a
// bounded amount. Source: Li, Ma, Hua and Zhu, "Identifying All epsilon-Best Arms in (Misspecified)
// Linear Bandits" (the LinFACT paper), section 5, Algorithm 5, with design G.
//
// Question: all arms within Epsilon of the best (question.AllEpsilonBest, additive). Fixed
// confidence.
//
// Assumptions: for some theta, the mean of each arm x differs from x'theta by at most Deviation.
// Rewards are sub-Gaussian of scale Problem.Sigma. As for LinFACT, the units of rewards should be
// such that gaps are below 2.
//
// Guarantee: with the radius [LinFACTMISWhole], all arms that are classified are classified
// correctly, with probability at least 1 - Delta. If Deviation is too large to classify an arm, the
// arm is undecided at the end of the run. Undecided arms are not in the answer; a warning and the
// reasons name them. If Deviation is 0 and Orthogonal is false, the pulls are those of LinFACT with
// LinFACTG and PhaseUnionAll.
//
// Deviations from the paper: the radius, the estimates and the end of the run differ. The radius in
// round r is 2^-r + c. The constant c bounds the effect of all deviations on the estimate of one
// arm, plus the deviation of the arm itself:
//
//	Deviation (sqrt(d) + 1)  with least squares,    Deviation (sqrt(d) + 2)  with Orthogonal.
//
// In place of the factor sqrt(d), this implementation uses a number that it computes from the
// design and its rounding. The paper's radius (35) omits the deviation of the arm itself
// (LinFACTMISPrinted). The radius 2^-r in Theorem 5.1 omits both terms, so the best arm may be
// dropped (LinFACTMISUnchanged). Theorems 5.1 and 5.2 assume that Deviation is small relative to
// the distances from the threshold. This implementation ends the run when 2^-r is below c/4,
// because further rounds would change the radius only slightly. Proposition 5.4, which states that
// deviations do not change the number of rounds, is wrong.
//
// If Largest is 0, the means in equation (30) of the paper are not bounded. If (30) has several
// minimizers, the policy uses the minimizer to which an iteration from least squares converges. If
// Largest is set, the noise of all s pulled arms may affect an estimate, not only the noise in d
// dimensions (Lemma EC.3 assumes means without bounds). The number of pulls with Largest is given
// by (33) with s log 6 in place of d log 6. The estimate of an arm is the linear part of the
// solution of (30), plus the nonlinear remainder of the arm's mean, clipped to [-Deviation,
// Deviation]. The last active arm is classified as the best arm without a further round.
//
// Each round costs as much as a round of LinFACT. Orthogonal adds some least-squares fits to a
// round, and Largest adds a quadratic program with K + 4 s inequalities.
type LinFACTMIS struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Deviation is L_m, the largest deviation of a mean from the linear model, in reward units.
	Deviation float64 `label:"!deviation %v" in:"[0,inf)" want:"the largest deviation from the linear model, in reward units"`
	// If Orthogonal is true, the policy uses the orthogonal parameterisation of section 5.2: it
	// estimates means by equation (30) of the paper, with the number of pulls in (33). Without
	// Orthogonal, means are estimated by least squares, with the number of pulls in (21).
	Orthogonal bool `label:"orthogonal"`
	// Largest is L_infinity, an upper bound on the absolute values of all means, in reward units;
	// only Orthogonal uses Largest. A zero Largest means that no bound is known.
	Largest float64 `label:"means at most %v" in:"[0,inf)" want:"the largest absolute value of a mean, or 0"`
	// Radius selects how the classification accounts for deviations.
	Radius LinFACTMISRadius `label:"radius %v" in:"[0,2]" want:"LinFACTMISWhole, LinFACTMISPrinted or LinFACTMISUnchanged"`
	// Tol is the relative gap to which designs are computed; zero means design.DefaultTol.
	Tol float64 `in:"[0,inf)" want:"a relative gap, at least 0"`

	rounded
	delta    float64
	planned  float64 // number of pulls in the round, before rounding
	x        [][]float64
	n        []int
	mean     []float64
	all      [][]float64 // features of all distinct items
	position []int       // by distinct item: row of x that contains the item, or -1 if the item is not pulled
}

// Card implements explore.Describer.
func (p *LinFACTMIS) Card() explore.Card {
	return explore.Card{
		Name:      "LinFACT-MIS",
		Answers:   []explore.Question{question.AllEpsilonBest{}},
		Certifies: certifiesIf(p.Radius == LinFACTMISWhole),
		Needs:     []explore.Need{explore.SubGaussian{}, explore.Deviation{Bound: p.Deviation}},
		Uses:      explore.UsesFeatures | explore.UsesRelaxations,
		Bound:     "for classified arms only; other arms may stay undecided",
		Source:    "Li, Ma, Hua, Zhu 2025, Algorithm 5",
		Key:       "li2025identifying",
	}
}

// A LinFACTMISRadius is a rule by which deviations enlarge the radius.
type LinFACTMISRadius int

// The following constants are the rules by which deviations enlarge the radius.
const (
	// LinFACTMISWhole adds the effect of all deviations on an estimate, and the deviation of the
	// arm itself.
	LinFACTMISWhole LinFACTMISRadius = iota
	// LinFACTMISPrinted adds Deviation sqrt(d), as in the paper's (35). No theorem supports
	// LinFACTMISPrinted.
	LinFACTMISPrinted
	// LinFACTMISUnchanged adds nothing, as in Theorem 5.1. No theorem supports LinFACTMISUnchanged.
	LinFACTMISUnchanged
)

// String returns the name of the rule.
func (r LinFACTMISRadius) String() string { return word(int(r), "whole", "printed", "unchanged") }

// String returns the name of the policy, followed by its settings.
func (p *LinFACTMIS) String() string { return named("LinFACT-MIS", p) }

// Init implements explore.Policy.
func (p *LinFACTMIS) Init(prob *explore.Problem, _ rand.Source) (err error) {
	if p.delta, _, err = checked(p, p.Delta, nil); err != nil {
		return err
	}
	if p.Largest > 0 && !p.Orthogonal {
		return fmt.Errorf("policy: LinFACTMIS.Largest is %v, but only Orthogonal uses this bound; "+
			"set Orthogonal, or leave Largest at 0", p.Largest)
	}
	if err := startRounds(&p.rounds, prob, "LinFACTMIS", p.Tol, true); err != nil {
		return err
	}
	// Arms with the same features may have different means because of their deviations.
	if r := &p.rounds; p.Deviation > 0 && r.Model.N < r.Model.K {
		r.Reopen()
	}
	return nil
}

// Ask implements explore.Policy.
func (p *LinFACTMIS) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.rounds.Ask(dst, p.plan)
}

func (p *LinFACTMIS) plan() error {
	r := &p.rounds
	if err := r.G(); err != nil {
		return err
	}
	acc, n := r.Accuracy(), float64(r.Model.N)
	if p.planned = 2 * r.Value / (acc * acc) * (math.Log(2*n) + r.Share(p.delta)); p.Orthogonal {
		dims := r.Value
		if p.Largest > 0 {
			dims = float64(r.Support())
		}
		p.planned = 8 * r.Value / (acc * acc) * (dims*math.Log(6) + math.Log(n) + r.Share(p.delta))
	}
	return r.Each(p.planned)
}

// Tell implements explore.Policy.
func (p *LinFACTMIS) Tell(obs []explore.Batch) error {
	r := &p.rounds
	if err := r.Estimate(obs); err != nil {
		return err
	}
	if p.Orthogonal && (p.Deviation > 0 || p.Largest > 0) {
		if err := p.project(obs); err != nil {
			return err
		}
	}
	c := p.inflation()
	acc := math.Ldexp(1, -r.Round)
	r.Classify(2 * (acc + c))
	if !r.Over && acc < c/4 {
		r.End(fmt.Sprintf("deviations of %v from the linear model keep means from being known "+
			"better than within %.3g", p.Deviation, c))
	}
	return nil
}

// inflation returns a bound on the error that deviations cause in the estimate of an arm.
func (p *LinFACTMIS) inflation() float64 {
	r := &p.rounds
	// The square of root is T a'V^-1 a, where a is the arm with the largest variance after the T
	// pulls of the round.
	root := math.Sqrt(r.Value * float64(r.Pulls()) / p.planned)
	switch own := 1.; p.Radius {
	case LinFACTMISWhole:
		if p.Orthogonal {
			own = 2
		}
		return p.Deviation * (root + own)
	case LinFACTMISPrinted:
		return p.Deviation * math.Sqrt(float64(r.Model.Rank))
	}
	return 0
}

// project replaces the estimates by the solution of (30), the orthogonal parameterisation, without
// bounds on the means.
func (p *LinFACTMIS) project(obs []explore.Batch) error {
	r := &p.rounds
	p.x, p.n, p.mean, p.position = p.x[:0], p.n[:0], p.mean[:0], p.position[:0]
	for range r.Model.N {
		p.position = append(p.position, -1)
	}
	for _, b := range obs {
		p.position[r.Model.Class[b.Arm]] = len(p.x)
		p.x = append(p.x, r.Model.Arm(b.Arm))
		p.n = append(p.n, b.N)
		p.mean = append(p.mean, b.Sum[0]/float64(b.N))
	}
	if p.Largest > 0 {
		return p.bounded()
	}
	predict, delta := linear.Deviating(p.x, p.n, p.mean, p.Deviation)
	for _, i := range r.Active {
		r.Mean[i] = predict(r.Model.Item(i))
		if k := p.position[i]; k >= 0 {
			r.Mean[i] += delta[k]
		}
	}
	return nil
}

// bounded replaces the estimates by the solution of (30), the orthogonal parameterisation, with
// bounds on the means. The estimate of an arm is the linear part of the solution, plus the
// remainder of the arm's mean, clipped to the bounds.
func (p *LinFACTMIS) bounded() error {
	r := &p.rounds
	p.all = p.all[:0]
	for i := range r.Model.N {
		p.all = append(p.all, r.Model.Item(i))
	}
	b := linear.Bounds{Deviation: p.Deviation, Largest: p.Largest}
	means, ok := b.Nearest(p.x, p.n, p.mean, p.all)
	if !ok {
		return fmt.Errorf("policy: LinFACTMIS, round %d: equation (30) has no numerical solution; "+
			"rescale features that differ by many orders of magnitude", r.Round)
	}
	predict, _ := linear.Deviating(p.x, p.n, means, 0)
	for _, i := range r.Active {
		v := predict(r.Model.Item(i))
		if k := p.position[i]; k >= 0 {
			v += min(max(means[k]-v, -p.Deviation), p.Deviation)
		}
		r.Mean[i] = min(max(v, -p.Largest), p.Largest)
	}
	return nil
}

// LinFACTGLM is LinFACT-GLM, a variant of [LinFACT] for generalised linear models. Source: Li, Ma,
// Hua and Zhu, "Identifying All epsilon-Best Arms in (Misspecified) Linear Bandits" (the LinFACT
// paper), section 6, Algorithm 6, with design G.
//
// Question: all arms x whose linear predictor x'theta is within Epsilon of the largest
// (question.AllEpsilonBest, additive). The mean of a reward is Link.Mean(x'theta), for successes
// and failures (explore.Logit), counts (explore.Log), or linear means (explore.Identity). Epsilon,
// estimates and margins are on the scale of the predictors. Fixed confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma, which is 1/2 for successes and
// failures. Counts are not sub-Gaussian; Sigma is then the largest standard deviation of a reward,
// and the guarantee relies on a normal approximation of sums. The derivative of Link.Mean is at
// least MinSlope at the true predictors, at the estimated predictors and between them. As for
// LinFACT, the units of predictors should be such that gaps are below 2.
//
// Guarantee (Theorem 6.1): the answer is right with probability at least 1 - Delta. The number of
// pulls is of order d log(K/Delta)/(MinSlope min(alpha, beta))^2.
//
// Deviations from the paper: the number of pulls in equation (40) is multiplied by Sigma^2. In
// (40), d is the value of the design, which equals the rank of the active arms up to the tolerance.
// If the rewards of a round are separated, no maximum-likelihood estimate exists. A round without
// an estimate classifies no arm, and the next round has four times as many pulls. If the slope at
// an estimate is below MinSlope, the policy adds a warning; MinSlope is not checked in any other
// way. The last active arm is classified as the best arm without a further round.
//
// Each round takes as long as a round of LinFACT, plus the time of a fit by Newton steps, O(K m^2 +
// m^3).
type LinFACTGLM struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// MinSlope is c_min, the smallest derivative of Link.Mean over all predictors that can occur. If
	// predictors are between -b and b, MinSlope is explore.Logit.Slope(b) or, for counts,
	// explore.Log.Slope(-b). MinSlope is required, except for linear means, whose slope is 1.
	MinSlope float64 `label:"slope at least %v"`
	// Tol is the relative gap to which designs are computed; zero means design.DefaultTol.
	Tol float64 `in:"[0,inf)" want:"a relative gap, at least 0"`

	rounded
	delta float64
	slope float64
	link  explore.Link
	glm   *lsq.GLM
	flat  bool // whether the warning about a slope below MinSlope was added
}

// Card implements explore.Describer.
func (p *LinFACTGLM) Card() explore.Card {
	return explore.Card{
		Name:      "LinFACT-GLM",
		Answers:   []explore.Question{question.AllEpsilonBest{}},
		Certifies: explore.CertifiesSet,
		Needs: []explore.Need{explore.SubGaussian{}, explore.Linear{},
			explore.MinSlope{Least: p.MinSlope}},
		Uses:   explore.UsesFeatures | explore.UsesLinks | explore.UsesRelaxations,
		Bound:  "pulls of order d log(K/delta)/(slope gap)²",
		Source: "Li, Ma, Hua, Zhu 2025, Algorithm 6",
		Key:    "li2025identifying",
	}
}

// String returns the name of the policy, followed by its settings.
func (p *LinFACTGLM) String() string { return named("LinFACT-GLM", p) }

// Init implements explore.Policy.
func (p *LinFACTGLM) Init(prob *explore.Problem, _ rand.Source) (err error) {
	if p.delta, _, err = checked(p, p.Delta, nil); err != nil {
		return err
	}
	if p.slope, p.link = p.MinSlope, prob.Link; p.slope == 0 && p.link == explore.Identity {
		p.slope = 1
	}
	if !(p.slope > 0) || math.IsInf(p.slope, 1) {
		return fmt.Errorf("policy: LinFACTGLM.MinSlope is %v; expected the smallest slope of the mean as a function "+
			"of the predictor, for example explore.%v.Slope(b) for predictors between -b and "+
			"b", p.MinSlope, name(p.link))
	}
	if most := p.steepest(); p.slope > most {
		return fmt.Errorf("policy: LinFACTGLM.MinSlope is %v; expected at most %v, the largest slope of the link %v",
			p.MinSlope, most, p.link)
	}
	epsilon, err := epsilonbest.Additive(prob, "LinFACTGLM")
	if err != nil {
		return err
	}
	if err := p.rounds.Model.Predictors(prob); err != nil {
		return err
	}
	p.rounds.Init(prob, "LinFACTGLM", epsilon, true)
	p.rounds.Tol = p.Tol
	p.glm, p.flat = p.rounds.Model.Likelihood(), false
	return nil
}

func name(l explore.Link) string {
	return map[explore.Link]string{explore.Logit: "Logit", explore.Log: "Log"}[l]
}

func (p *LinFACTGLM) steepest() float64 {
	if p.link == explore.Log {
		return inf
	}
	return p.link.Slope(0)
}

// Ask implements explore.Policy.
func (p *LinFACTGLM) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.rounds.Ask(dst, p.plan)
}

func (p *LinFACTGLM) plan() error {
	r := &p.rounds
	if err := r.G(); err != nil {
		return err
	}
	acc := r.Accuracy() * p.slope
	log := math.Log(2*float64(r.Model.N)) + r.Share(p.delta)
	return r.Each(2 * r.Value / (acc * acc) * log)
}

// Tell implements explore.Policy.
func (p *LinFACTGLM) Tell(obs []explore.Batch) error {
	r := &p.rounds
	p.glm.Reset()
	for _, b := range obs {
		p.glm.Add(r.Model.Arm(b.Arm), b.N, b.Sum[0])
	}
	if _, err := p.glm.Solve(); errors.Is(err, lsq.ErrSeparated) {
		r.Warn = append(r.Warn, fmt.Errorf("policy: LinFACTGLM, round %d decides nothing: %w", r.Round, err))
		r.Skip()
		return nil
	} else if err != nil {
		return fmt.Errorf("policy: LinFACTGLM, round %d: %w", r.Round, err)
	}
	for _, i := range r.Active {
		eta := p.glm.Predictor(r.Model.Item(i))
		r.Mean[i] = eta
		if s := p.link.Slope(eta); s < p.slope && !p.flat {
			p.flat = true
			r.Warn = append(r.Warn, fmt.Errorf("policy: LinFACTGLM, round %d: at the estimated "+
				"predictor %.3g the slope is %.3g, below MinSlope = %v, so Delta is not guaranteed; "+
				"use a smaller MinSlope", r.Round, eta, s, p.slope))
		}
	}
	r.Classify(math.Ldexp(2, -r.Round))
	return nil
}
