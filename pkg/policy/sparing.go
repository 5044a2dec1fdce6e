package policy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	sets "github.com/purexp/purexp/pkg/policy/internal/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// Sparing finds a Pareto set with fixed confidence and with low regret. Arms that are certainly
// dominated are no longer pulled. All other arms are pulled according to a design in which pulls of
// an arm cost more the worse the arm seems. Sparing was developed in this project as an alternative
// to [PFIwR] (Kim, Iyengar and Zeevi), because there is no valid proof for the half-width to which
// PFIwR owes its low regret.
//
// Question: the Pareto set of the arms, exact or relaxed by Epsilon of question.Pareto. The policy
// ignores Cover and AtMost, but its answer is also right for questions with Cover and AtMost. Fixed
// confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma in each objective. If arms have
// features, every objective is linear in the features. If Epsilon is 0 and arms are tied, the
// policy returns ErrUndecidable.
//
// Guarantee: the answer is right with probability at least 1 - Delta. Let M(i,j) be the largest
// amount by which arm i is better than arm j in an objective, and Mhat(i,j) the estimate of M(i,j).
// With probability at least 1 - Delta, all inequalities |Mhat(i,j) - M(i,j)| <= beta_ij hold at all
// times, for any sampling rule. Without features, the setting Radius determines the half-width
// beta_ij. With features, beta_ij comes from the self-normalised bound ([SelfNormalized] at
// Delta/d, for differences of features). An arm is dropped only if another arm is certainly better
// in every objective. Therefore, optimal arms are never dropped, and each dropped arm is dominated
// by an active optimal arm. The run stops when Mhat(i,j) - beta_ij + Epsilon >= 0 for all active i
// and j. When the run stops, no active arm is worse than any other arm by more than Epsilon in
// every objective. A dropped arm causes no further regret, because it is not pulled again. The
// proof holds for any Price.
//
// The number of pulls in a round is 2 % of the pulls so far. Compared with single pulls, the run
// ends at most 2 % later. Pulls follow an XY-optimal design of the active arms for the open
// differences. An arm that is dominated by the estimates has one open difference: the difference to
// the arm that is better by the largest amount. Any other active arm has an open difference to each
// arm that may dominate it. In the design, the open difference of arms i and j is divided by the
// largest of -Mhat(i,j), Mhat(i,j) + Epsilon and beta_ij/2. The cost of a pull is 1 + Price times
// the arm's estimated regret. A new design is computed when an arm is dropped, and when the number
// of pulls has grown by a quarter.
//
// For A active arms, h features and d objectives, a round takes O(A^2 (h + d)) operations. In t
// pulls, there are about 50 log t rounds and about 5 log t designs.
type Sparing struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Radius is the choice of confidence radii for arms without features; nil means
	// radius.KaufmannKoolen{}.
	Radius radius.Radius
	// Price is the number of pulls that cost as much as a regret of Sigma; zero means DefaultPrice.
	// If Price is negative, the design ignores regret.
	Price float64 `label:"price %v" in:"(-inf,inf)" want:"a number of pulls per Sigma of regret, or 0 for DefaultPrice"`

	batcher
	posterior sets.Posterior
	bonus     radius.Bonus
	delta     float64
	eps       float64
	price     float64
	active    []int
	width     []float64 // n x n: beta_ij of active arms
	weight    []float64 // n: weights of the design, in pulls
	extra     []float64 // n: pulls of the round
	points    *mat.Dense
	planned   int // number of pulls at the time of the last design
	arms      int // number of active arms at the time of the last design
	final     []explore.Reason
	over      bool
}

// Card implements explore.Describer.
func (p *Sparing) Card() explore.Card {
	return byRadius(orKaufmannKoolen(p.Radius), explore.Card{
		Name:      "Sparing",
		Evidence:  explore.AnySampling,
		Answers:   []explore.Question{question.Pareto{}},
		Certifies: explore.CertifiesSet,
		Needs:     []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Uses:      explore.UsesFeatures | explore.UsesRelaxations,
		Bound:     "low regret",
		Source:    "this project, an alternative to Kim, Iyengar, Zeevi 2023",
		Key:       "kim2023pareto",
	})
}

// DefaultPrice is the price of regret if the setting Price is zero.
const DefaultPrice = 10

const (
	sparingRound  = .02 // size of a round as a fraction of the pulls so far
	sparingDesign = 1.25
)

// String returns the name of the policy, followed by its settings.
func (p *Sparing) String() string { return named("Sparing", p, orKaufmannKoolen(p.Radius)) }

// Init implements explore.Policy.
func (p *Sparing) Init(prob *explore.Problem, _ rand.Source) error {
	p.batcher.init(p, prob, nil, p.posterior.Expected)
	delta, r, err := checked(p, p.Delta, orKaufmannKoolen(p.Radius))
	if err != nil {
		return err
	}
	if err := p.posterior.Init(prob); err != nil {
		return err
	}
	p.delta, p.eps, p.price = delta, prob.Question.(question.Pareto).Epsilon, max(p.Price, 0)
	if p.Price == 0 {
		p.price = DefaultPrice
	}
	p.bonus = arms.Bind(r, prob, delta)
	n := p.posterior.Model.N
	if err := explore.CheckTable("widths of pairs of arms", n, n); err != nil {
		return fmt.Errorf("policy: %w; explore fewer arms, or use a method without such a table, such as PSIPS", err)
	}
	p.active = memory.UpTo(p.active, n)
	p.width, p.weight, p.extra = memory.Zeroed(p.width, n*n), memory.Zeroed(p.weight, n), memory.Zeroed(p.extra, n)
	p.final = memory.Zeroed(p.final, n)
	p.planned, p.arms, p.over = 0, 0, n == 1
	if p.points = p.posterior.Model.Z; p.posterior.Free {
		p.points = mat.NewDense(n, n, nil)
		for i := range n {
			p.points.Set(i, i, 1)
		}
	}
	return nil
}

// Ask implements explore.Policy.
func (p *Sparing) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	m := &p.posterior
	if p.over {
		return dst, nil
	}
	if m.Pulls == 0 {
		for _, i := range m.Start {
			dst = append(dst, explore.Pull{Arm: m.Model.First[i], N: 1})
		}
		return dst, nil
	}
	if err := patience.End(m.Pulls, m.Prob, sparingTies{p}); err != nil {
		return dst, err
	}
	clear(p.extra)
	// Add pulls one at a time or, after many rewards, in steps of less than 1/10,000 of a round.
	step := 1 + m.Pulls/(patience.Long+1)
	for range max(1, int(sparingRound*float64(m.Pulls))/step) {
		next, least := -1, inf
		for _, i := range p.active {
			if v := (m.N[i] + p.extra[i]) / p.weight[i]; v < least {
				next, least = i, v
			}
		}
		p.extra[next] += float64(step)
	}
	for _, i := range p.active {
		if n := int(p.extra[i]); n > 0 {
			dst = append(dst, explore.Pull{Arm: m.Model.First[i], N: n})
		}
	}
	return dst, nil
}

// Tell implements explore.Policy.
func (p *Sparing) Tell(obs []explore.Batch) error {
	p.posterior.Tell(obs)
	p.measure()
	p.drop()
	if p.over = p.certain(); p.over {
		return nil
	}
	if len(p.active) < p.arms || p.arms == 0 || float64(p.posterior.Pulls) >= sparingDesign*float64(p.planned) {
		p.plan()
	}
	return nil
}

// measure computes the half-widths for all pairs of active arms.
func (p *Sparing) measure() {
	m := &p.posterior
	n := m.Model.N
	if m.Free {
		factor, _ := p.bonus.Factors(m.Pulls)
		for _, i := range p.active {
			term := p.bonus.Term(int(m.N[i]))
			for _, j := range p.active {
				if j < i {
					w := factor * p.bonus.Pair(term, p.bonus.Term(int(m.N[j])))
					p.width[i*n+j], p.width[j*n+i] = w, w
				}
			}
		}
		return
	}
	beta := SelfNormalized{}.Beta(Evidence{Delta: p.delta / float64(m.D), Pulls: m.Pulls,
		Rank: m.Model.Rank, LogDet: m.LogDet})
	scale := m.Model.Sigma * math.Sqrt(2*beta)
	for _, i := range p.active {
		for _, j := range p.active {
			if j < i {
				w := scale * m.Difference(i, j)
				p.width[i*n+j], p.width[j*n+i] = w, w
			}
		}
	}
}

func (p *Sparing) pair(i, j int) (excess, beta float64) {
	m := &p.posterior
	return pareto.Excess(m.Row(i), m.Row(j)), p.width[i*m.Model.N+j]
}

// drop removes arms that are certainly dominated. All tests in a call of drop compare arms that
// were active before the call.
func (p *Sparing) drop() {
	dominated := func(i int) bool {
		by, most := -1, 0.
		for _, j := range p.active {
			if j == i {
				continue
			}
			if m, beta := p.pair(i, j); -m-beta > most {
				by, most = j, -m-beta
			}
		}
		if by < 0 {
			return false
		}
		m, beta := p.pair(i, by)
		p.final[i] = explore.Reason{Class: explore.Dominated, By: by, Margin: -m, MarginRadius: beta}
		return true
	}
	out := false
	for _, i := range p.active {
		out = dominated(i) || out
	}
	if out {
		p.active = slices.DeleteFunc(p.active, func(i int) bool {
			return p.final[i].Class == explore.Dominated
		})
	}
}

// certain reports whether it is certain that no active arm is worse than another active arm by more
// than Epsilon in every objective.
func (p *Sparing) certain() bool {
	return !slices.ContainsFunc(p.active, func(i int) bool {
		return p.closest(i).MarginRadius > p.closest(i).Margin+p.eps
	})
}

// closest compares active arm i with the arm whose dominance over arm i is hardest to exclude.
func (p *Sparing) closest(i int) explore.Reason {
	return p.least(i, func(m, beta float64) float64 { return m - beta })
}

// least compares active arm i with the arm j for which value(Mhat(i,j), beta_ij) is smallest.
func (p *Sparing) least(i int, value func(m, beta float64) float64) explore.Reason {
	r, least := explore.Reason{By: -1}, inf
	for _, j := range p.active {
		if j == i {
			continue
		}
		m, beta := p.pair(i, j)
		if v := value(m, beta); v < least {
			least = v
			r.By, r.Margin, r.MarginRadius = j, m, beta
		}
	}
	return r
}

// keepDesign implements designer.
func (p *Sparing) keepDesign() { p.planned = math.MaxInt }

// plan computes the weights of the active arms by an XY-optimal design for the open differences.
func (p *Sparing) plan() {
	m := &p.posterior
	p.planned, p.arms = m.Pulls, len(p.active)
	h := m.Model.Rank
	x, cost := mat.NewDense(len(p.active), h, nil), make([]float64, len(p.active))
	var y []float64
	open := func(i, j int) {
		excess, beta := p.pair(i, j)
		needed := max(-excess, excess+p.eps, beta/2)
		y = append(y, make([]float64, h)...)
		row := y[len(y)-h:]
		floats.SubTo(row, p.points.RawRowView(i), p.points.RawRowView(j))
		floats.Scale(m.Model.Sigma/needed, row)
	}
	for a, i := range p.active {
		regret, by := 0., -1
		for _, j := range p.active {
			if v := pareto.Deficit(m.Row(i), m.Row(j)); j != i && v > regret {
				regret, by = v, j
			}
		}
		cost[a] = 1 + p.price*regret/m.Model.Sigma
		floats.AddScaled(x.RawRowView(a), 1/math.Sqrt(cost[a]), p.points.RawRowView(i))
		if by >= 0 {
			open(i, by)
			continue
		}
		for _, j := range p.active {
			if j == i {
				continue
			}
			if excess, beta := p.pair(i, j); beta > excess+p.eps {
				open(i, j)
			}
		}
	}
	clear(p.weight)
	// The weights of the design d are shares of the total cost. Dividing an arm's weight by the
	// cost of one pull gives the arm's share of the pulls.
	d, _ := design.XY(x, mat.NewDense(len(y)/h, h, y), &design.Options{Tol: .1})
	for a, i := range p.active {
		p.weight[i] = 1
		if d != nil { // the guarantee holds for designs of any quality
			p.weight[i] = d.Weights[a] / cost[a]
		}
	}
}

// Answer implements explore.Policy. Until the run has stopped, Answer returns the arms whose
// estimates no other estimate dominates.
func (p *Sparing) Answer() explore.Answer { return p.answer(p.closest) }

// sparingTies is a Sparing with different reasons: each undecided arm is compared with the arm that
// is provably closest to a tie with it. The reasons of Sparing would often name rarely pulled arms
// with wide intervals, which are irrelevant to a tie.
type sparingTies struct{ p *Sparing }

// Answer implements patience.Answerer.
func (s sparingTies) Answer() explore.Answer { return s.p.answer(s.p.tied) }

// tied compares active arm i with the arm that is provably closest to a tie with arm i.
func (p *Sparing) tied(i int) explore.Reason {
	return p.least(i, func(m, beta float64) float64 { return math.Abs(m) + beta })
}

// answer returns the answer of the policy; the function compare returns the reason for each active
// arm.
func (p *Sparing) answer(compare func(i int) explore.Reason) explore.Answer {
	m := &p.posterior
	reasons, in := slices.Clone(p.final), make([]bool, m.Model.N)
	for _, i := range p.active {
		reasons[i] = explore.Reason{By: -1}
		if m.Pulls > 0 {
			reasons[i] = compare(i)
		}
		in[i] = p.over
		if p.over {
			reasons[i].Class = explore.Optimal
		}
	}
	if !p.over && m.Pulls > 0 {
		for _, i := range pareto.AppendSetOf(nil, m.Mean, m.D, p.active) {
			in[i] = true
		}
	}
	return m.Model.Answer(func(c int) bool { return in[c] }, reasons)
}
