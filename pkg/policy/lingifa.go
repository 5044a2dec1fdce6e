package policy

import (
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
)

// LinGIFA is the method Linear Gap Index Focused Algorithm (Reda, Kaufmann and Delahaye-Duriez,
// "Top-m Identification for Linear Bandits", AISTATS 2021, Algorithm 1 with the rules of section
// 3.2).
//
// Question: the M best arms of a linear model, up to Epsilon. The LinFACT paper uses LinGIFA to
// find all epsilon-best arms (question.AllEpsilonBest). For question.AllEpsilonBest, the answer is
// right if M is the number of arms within the question's Epsilon of the best. Fixed confidence.
//
// Assumptions: the means are linear in the features, and rewards are sub-Gaussian of scale
// Problem.Sigma. If Norm is set, ||theta|| is at most Norm. If the M-th best and the next arm are
// tied and Epsilon is 0, the run does not stop.
//
// Guarantee (Theorem 1): with probability at least 1 - Delta, no returned arm is worse than the
// M-th best by more than Epsilon. Theorem 1 requires that Norm is set. The guarantee also holds if
// neither Norm nor Reg is set: least squares then has no regularisation, and widths are those of
// [SelfNormalized]. With the threshold [Heuristic], which the paper's experiments use, the
// guarantee does not hold.
//
// Deviations from the paper: without Reg, the run starts with one pull of each arm. If Reg is set,
// the prior is N(0, sigma^2/Reg I) and there are no initial pulls, as in the paper, whose
// experiments use Reg = (sigma/20)^2. The width uses a determinant; the paper uses an upper bound
// on the determinant that depends on the trace. Ties are broken in favour of the lowest index. The
// answer has no reasons, because it is certified relative to M, not to the question.
//
// The index of an arm j is the M-th largest upper bound on the amount by which another arm is
// better than j. The set J consists of the M arms with the smallest indices. The arm b is the arm
// in J with the largest index; c is the arm outside J that may be better than b by the largest
// margin. The policy stops if the index of b is at most Epsilon. If the index of b exceeds Epsilon,
// the policy pulls b or c, whichever has the estimate with the larger variance. Each round takes
// O(K^2) operations for small M, at most O(K^2 M), and allocates no memory.
type LinGIFA struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// M is the number of arms to return, from 1 to K; it is required.
	M int `label:"!m = %d"`
	// Epsilon is the largest amount by which a returned arm may be worse than the M-th best.
	Epsilon float64 `in:"[0,inf)" want:"a difference in reward units, at least 0"`
	// Threshold is the stopping threshold; nil means SelfNormalized{} or, if Norm is set, the bound
	// of Abbasi-Yadkori, Pal and Szepesvari for ridge regression.
	Threshold Threshold `label:"threshold %v" usual:"self-normalized (u = 0.1)"`
	// Norm is a bound on the Euclidean norm of theta, in reward units per feature unit; zero means
	// that no bound is known.
	Norm float64 `label:"norm %v" in:"[0,inf)" want:"a bound on the norm of theta, or 0 if none is known"`
	// Reg is the weight of ||theta||^2 in least squares; zero means 1 if Norm is set, and no
	// regularisation otherwise. A positive Reg needs Norm, which bounds the bias of regularisation,
	// unless Threshold is a heuristic.
	Reg float64 `label:"reg %v" in:"[0,inf)" want:"a weight of at least 0"`
	// Select is the rule by which the arm to pull is chosen from b and c.
	Select TopMSelection `label:"|largest variance|greedy|optimised ratio" in:"[0,3]" want:"TopMDefault, TopMVariance, TopMGreedy or TopMRatio"`
	// If Individual is true, two arms are compared by the sum of their half-widths, not by the
	// half-width of their difference.
	Individual bool `label:"individual widths"`

	topM
}

// Card implements explore.Describer.
func (p *LinGIFA) Card() explore.Card { return p.settings().card("Algorithm 1") }

// String returns the name of the policy, followed by its settings.
func (p *LinGIFA) String() string { return named("LinGIFA", p) }

func (p *LinGIFA) settings() topMSettings {
	return topMSettings{name: "LinGIFA", called: "LinGIFA", delta: p.Delta, m: p.M,
		epsilon: p.Epsilon, threshold: p.Threshold, norm: p.Norm, reg: p.Reg, selection: p.Select,
		individual: p.Individual}
}

// Init implements explore.Policy.
func (p *LinGIFA) Init(prob *explore.Problem, _ rand.Source) error {
	err := p.init(p, prob, p.settings())
	if err == nil && p.belief.Solved {
		p.widths()
		err = p.pick()
	}
	return err
}

// Tell implements explore.Policy.
func (p *LinGIFA) Tell(obs []explore.Batch) error {
	if err := p.tell(obs); err != nil {
		return err
	}
	return p.pick()
}

// pick computes the indices, and then either stops the run or selects the next arm.
func (p *LinGIFA) pick() error {
	t := &p.topM
	mean, k, m := t.belief.Mean, t.belief.K, t.set.m
	for j := range k {
		// top contains the m largest values of mean_i + half_ij over arms i other than j, in
		// descending order.
		half, n := t.half[j*k:][:k], 0
		for i, v := range mean {
			if v += half[i]; i == j || n == m && v <= t.top[m-1] {
				continue
			}
			q := min(n, m-1)
			for ; q > 0 && t.top[q-1] < v; q-- {
				t.top[q] = t.top[q-1]
			}
			t.top[q] = v
			n = min(n+1, m)
		}
		t.index[j] = t.top[m-1] - mean[j]
	}
	t.put(func(i int) float64 { return t.index[i] })
	b := t.order[0]
	for _, j := range t.order[:m] {
		if t.index[j] > t.index[b] {
			b = j
		}
	}
	if t.over = t.index[b] <= p.Epsilon; !t.over {
		c, _ := t.rival(b)
		return t.choose(b, c, TopMVariance)
	}
	return nil
}

// MLinGapE is m-LinGapE, a version of LinGapE for the top m arms (Reda, Kaufmann and
// Delahaye-Duriez, "Top-m Identification for Linear Bandits", AISTATS 2021, Algorithm 2).
//
// Question: the M best arms of a linear model, up to Epsilon; see [LinGIFA]. Fixed confidence.
//
// Assumptions: the same as those of LinGIFA.
//
// Guarantee (Theorem 1): with probability at least 1 - Delta, no returned arm is worse than the
// M-th best by more than Epsilon. With the threshold [Heuristic], the guarantee does not hold.
//
// Deviations from the paper: if neither Norm nor Reg is set, least squares has no regularisation.
// The width uses a determinant; the paper uses an upper bound on the determinant that depends on
// the trace. The pair b, c is chosen after the new rewards and before the test; one public
// implementation tests the previous pair instead. Ties are broken in favour of the lowest index.
// The answer has no reasons, because it is certified relative to M.
//
// The run starts with one reward of each arm. The set J consists of the M arms with the largest
// estimates. Of all pairs of b in J and c outside J, a round considers the pair for which c may be
// better than b by the largest margin. The policy stops if the margin of c is at most Epsilon. If
// the margin of c exceeds Epsilon, the policy pulls the arm that most reduces the variance of the
// difference of b and c (the greedy rule). If Select is TopMRatio, the policy uses the optimised
// rule of the paper instead. Each round takes O(K^2) operations and allocates no memory. With
// TopMRatio, each new pair b, c also needs a linear program.
type MLinGapE struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// M is the number of arms to return, from 1 to K; it is required.
	M int `label:"!m = %d"`
	// Epsilon is the largest amount by which a returned arm may be worse than the M-th best.
	Epsilon float64 `in:"[0,inf)" want:"a difference in reward units, at least 0"`
	// Threshold, Norm, Reg and Select have the same meaning as in LinGIFA.
	Threshold Threshold     `label:"threshold %v" usual:"self-normalized (u = 0.1)"`
	Norm      float64       `label:"norm %v" in:"[0,inf)" want:"a bound on the norm of theta, or 0 if none is known"`
	Reg       float64       `label:"reg %v" in:"[0,inf)" want:"a weight of at least 0"`
	Select    TopMSelection `label:"|largest variance|greedy|optimised ratio" in:"[0,3]" want:"TopMDefault, TopMVariance, TopMGreedy or TopMRatio"`

	topM
}

// Card implements explore.Describer.
func (p *MLinGapE) Card() explore.Card { return p.settings().card("Algorithm 2") }

// String returns the name of the policy, followed by its settings.
func (p *MLinGapE) String() string { return named("m-LinGapE", p) }

func (p *MLinGapE) settings() topMSettings {
	return topMSettings{name: "MLinGapE", called: "m-LinGapE", delta: p.Delta, m: p.M,
		epsilon: p.Epsilon, threshold: p.Threshold, norm: p.Norm, reg: p.Reg, selection: p.Select,
		pulled: true}
}

// Init implements explore.Policy.
func (p *MLinGapE) Init(prob *explore.Problem, _ rand.Source) error {
	return p.init(p, prob, p.settings())
}

// Tell implements explore.Policy.
func (p *MLinGapE) Tell(obs []explore.Batch) error {
	t := &p.topM
	if err := t.tell(obs); err != nil {
		return err
	}
	t.put(func(i int) float64 { return -t.belief.Mean[i] })
	b, c, most := -1, -1, -inf
	for _, j := range t.order[:t.set.m] {
		if i, v := t.rival(j); v > most {
			b, c, most = j, i, v
		}
	}
	if t.over = most <= p.Epsilon; !t.over {
		return t.choose(b, c, TopMGreedy)
	}
	return nil
}
