package complexity

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question"
)

// A CStar says how hard a constrained Pareto problem is: numbers of pulls
// up to logarithms (e-cAPE paper, section 4.2). A problem on whose boundary an
// item lies, or with tied items, has infinite complexity.
type CStar struct {
	// Value is C*_M of the paper (after its equation 11): the cost of the
	// cheapest explanation, which is (S, I).
	Value float64
	// O is the feasible Pareto set; S are the items that the cheapest
	// explanation rejects as dominated, I those that it rejects as infeasible.
	O, S, I []int
	// HPSI is the cost of the Pareto set among the feasible items, HF that of
	// the feasible set: a two-stage method pays their sum. Value <= HPSI + HF.
	HPSI, HF float64
}

// NewCStar computes C*_M of q for means mu (M x d), Sigma the sub-Gaussian scale of
// the objectives and sigmaU that of projections. Items that are both dominated
// and infeasible may be explained either way; the cheapest of the up to 2^M
// explanations is found exactly, by one minimum cut: the cost of choosing S is
// submodular, as an item of the front pays the maximum over S of what each
// member demands of it.
func NewCStar(q question.FeasiblePareto, mu *mat.Dense, sigma, sigmaU float64) CStar {
	e := newExplanations(q, mu, sigma, sigmaU)
	inS, cost := e.cheapest()
	t := e.truth
	c := CStar{Value: cost, O: e.front, S: slices.Clone(e.mandatory)}
	for b, i := range e.free {
		if inS[b] {
			c.S = append(c.S, i)
		}
	}
	slices.Sort(c.S)
	for i := range t.Optimal {
		if !t.Optimal[i] && !slices.Contains(c.S, i) {
			c.I = append(c.I, i)
		}
	}
	var f []int
	for i, in := range t.Feasible {
		if in {
			f = append(f, i)
		}
	}
	gaps := pareto.GapsOf(mu, f)
	for _, g := range gaps {
		c.HPSI += 2 * sigma * sigma / (g * g)
	}
	for _, eta := range t.Eta {
		c.HF += 2 * sigmaU * sigmaU / (eta * eta)
	}
	return c
}

// explanations are the valid answers (S, I) of an instance and what they cost.
type explanations struct {
	truth     question.Truth
	front     []int // O
	mandatory []int // F \ O: in S for every explanation
	free      []int // B: dominated and infeasible, in S or in I

	fixed      float64     // cost of what does not depend on the choice
	base       []float64   // per member of O: what it costs with S = mandatory
	demand     [][]float64 // demand[o][b]: what member o costs at least if free[b] is in S
	dominated  []float64   // per free item: cost if in S
	infeasible []float64   // per free item: cost if in I
}

func newExplanations(q question.FeasiblePareto, mu *mat.Dense, sigma, sigmaU float64) explanations {
	e := explanations{truth: q.Truth(mu)}
	t := e.truth
	pulls := func(scale, gap float64) float64 { return 2 * scale * scale / (gap * gap) }
	for i := range t.Optimal {
		switch {
		case t.Optimal[i]:
			e.front = append(e.front, i)
		case t.Feasible[i]:
			e.mandatory = append(e.mandatory, i)
			e.fixed += pulls(sigma, t.D[i])
		case t.SubOpt[i]:
			e.free = append(e.free, i)
			e.dominated = append(e.dominated, pulls(sigma, t.D[i]))
			e.infeasible = append(e.infeasible, pulls(sigmaU, t.Eta[i]))
		default:
			e.fixed += pulls(sigmaU, t.Eta[i])
		}
	}
	// What a dominated item j demands of member i of the front, delta_i^- of
	// the paper's equation (10).
	demand := func(i, j int) float64 {
		return pulls(sigma, math.Max(pareto.Excess(mu.RawRowView(j), mu.RawRowView(i)), 0)+t.D[j])
	}
	for _, i := range e.front {
		base := pulls(sigmaU, t.Eta[i])
		for _, j := range e.front {
			if j != i { // delta_i^+
				a, b := mu.RawRowView(i), mu.RawRowView(j)
				base = math.Max(base,
					pulls(sigma, math.Min(pareto.Excess(a, b), pareto.Excess(b, a))))
			}
		}
		for _, j := range e.mandatory {
			base = math.Max(base, demand(i, j))
		}
		row := make([]float64, len(e.free))
		for b, j := range e.free {
			row[b] = demand(i, j)
		}
		e.base = append(e.base, base)
		e.demand = append(e.demand, row)
	}
	return e
}

// cost returns C(nu, S, I) where inS tells which free items are in S.
func (e *explanations) cost(inS []bool) float64 {
	c := e.fixed
	for o, base := range e.base {
		m := base
		for b, in := range inS {
			if in {
				m = math.Max(m, e.demand[o][b])
			}
		}
		c += m
	}
	for b, in := range inS {
		if in {
			c += e.dominated[b]
		} else {
			c += e.infeasible[b]
		}
	}
	return c
}

// cheapest returns the choice of S that minimises cost, by a minimum cut. The
// nodes on the source's side are the free items in S and, for each member of
// the front, the thresholds that its cost has to pass because of them.
func (e *explanations) cheapest() (inS []bool, cost float64) {
	n := len(e.free)
	g := newNetwork(n + 2)
	source, sink := n, n+1
	for b := range e.free {
		g.add(source, b, e.infeasible[b]) // cut if b is in I
		g.add(b, sink, e.dominated[b])    // cut if b is in S
	}
	for o := range e.front {
		levels := sortedDistinct(e.demand[o], e.base[o])
		node := make(map[float64]int, len(levels))
		below, last := -1, e.base[o]
		for _, v := range levels {
			x := g.node()
			g.add(x, sink, v-last) // paid if some member of S demands v or more
			if below >= 0 {
				g.add(x, below, math.Inf(1))
			}
			node[v], below, last = x, x, v
		}
		for b := range e.free {
			if x, ok := node[e.demand[o][b]]; ok {
				g.add(b, x, math.Inf(1))
			}
		}
	}
	side := g.minCut(source, sink)
	inS = side[:n]
	return inS, e.cost(inS)
}
