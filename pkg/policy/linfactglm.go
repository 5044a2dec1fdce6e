package policy

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/policy/internal/epsilonbest"
	"github.com/purexp/purexp/pkg/question"
)

// LinFACTGLM is LinFACT-GLM, the form of [LinFACT] with the design G for generalised linear models
// (Li, Ma, Hua and Zhu, "Identifying All epsilon-Best Arms in (Misspecified) Linear Bandits", the
// LinFACT paper, section 6, Algorithm 6).
//
// Question: all arms x whose linear predictor x'theta is within Epsilon of the largest
// (question.AllEpsilonBest, additive), when rewards have mean Link.Mean(x'theta): successes and
// failures (explore.Logit), counts (explore.Log), or linear means (explore.Identity). Epsilon,
// estimates and margins are on the scale of the predictors. Fixed confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma, which is 1/2 for successes and
// failures; counts are not sub-Gaussian, and Sigma is then the largest standard deviation of an
// arm's rewards, as good as a normal approximation of sums. The derivative of Link.Mean is at least
// MinSlope at the true predictors, at the estimated ones and in between. Units are as for LinFACT.
//
// Guarantee (Theorem 6.1): the answer is right with probability at least 1 - Delta; pulls are of
// order d log(K/Delta)/(MinSlope min(alpha, beta))^2.
//
// Deviations from the paper: (40) is multiplied by Sigma^2, and d is the value of the design, the
// rank of the active arms but for the tolerance. A round in which no estimate is most likely,
// because its rewards are separated, decides nothing; the next one has four times as many.
// Estimates at which the slope is below MinSlope are a warning: the assumption is not checked
// otherwise. The last active arm is the best.
//
// Cost a round: that of LinFACT, and a fit by Newton steps of O(K m^2 + m^3).
type LinFACTGLM struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// MinSlope is c_min, the least derivative of Link.Mean that predictors have: for predictors
	// between -b and b it is explore.Logit.Slope(b), and explore.Log.Slope(-b) for counts. It must
	// be given but for linear means, where it is 1.
	MinSlope float64 `label:"slope at least %v"`
	// Tol is the relative gap of the designs. Zero means design.DefaultTol.
	Tol float64 `in:"[0,inf)" want:"a relative gap, at least 0"`

	rounds epsilonbest.Rounds
	delta  float64
	slope  float64
	link   explore.Link
	glm    *lsq.GLM
	flat   bool // the slope was below MinSlope, which was said
}

// Card implements explore.Carded.
func (p *LinFACTGLM) Card() explore.Card {
	return explore.Card{
		Name:      "LinFACT-GLM",
		Answers:   []explore.Question{question.AllEpsilonBest{}},
		Certifies: explore.CertifiesSet,
		Needs: []explore.Need{explore.SubGaussian{}, explore.Linear{},
			explore.MinSlope{Least: p.MinSlope}},
		Evidence: explore.OwnRounds,
		Uses:     explore.UsesFeatures | explore.UsesLinks | explore.UsesRelaxations,
		Bound:    "pulls of order d log(K/delta)/(slope gap)²",
		Source:   "Li, Ma, Hua, Zhu 2025, Algorithm 6",
		Key:      "li2025identifying",
	}
}

// String returns the name with the settings.
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
		return fmt.Errorf("policy: LinFACTGLM.MinSlope is %v; want the least slope of the "+
			"mean as a "+
			"function of the predictor, for example explore.%v.Slope(b) for predictors that are "+
			"between -b and b", p.MinSlope, name(p.link))
	}
	if most := p.steepest(); p.slope > most {
		return fmt.Errorf("policy: LinFACTGLM.MinSlope is %v; with the link %v no slope is "+
			"above %v",
			p.MinSlope, p.link, most)
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

// name returns the name of the link as it is in Go.
func name(l explore.Link) string {
	return map[explore.Link]string{explore.Logit: "Logit", explore.Log: "Log"}[l]
}

// steepest returns the largest slope of the link.
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

// plan decides about the pulls of the round.
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
		r.Warn = append(r.Warn, fmt.Errorf("policy: LinFACTGLM, round %d decides nothing: %w",
			r.Round, err))
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
				"predictor %.3g the slope is %.3g, below MinSlope = %v: Delta is not guaranteed; "+
				"use a smaller MinSlope", r.Round, eta, s, p.slope))
		}
	}
	r.Classify(math.Ldexp(2, -r.Round))
	return nil
}

// Answer implements explore.Policy.
func (p *LinFACTGLM) Answer() explore.Answer { return p.rounds.Answer() }

// Warnings implements explore.Warnings: designs that miss their tolerance, separated rewards, slopes.
func (p *LinFACTGLM) Warnings() []error { return p.rounds.Warnings() }
