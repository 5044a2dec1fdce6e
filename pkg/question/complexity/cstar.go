package complexity

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question"
)

// A CStar is the complexity of a constrained Pareto problem in pulls, up to logarithmic factors
// (e-cAPE paper, section 4.2). If an item is on the boundary of the region or items are tied, the
// complexity is infinite.
type CStar struct {
	// Value is C*_M of the paper (defined after equation 11): the cost of the cheapest explanation
	// (S, I).
	Value float64
	// O is the feasible Pareto set, as indices of items. In the cheapest explanation, S contains
	// the items rejected as dominated, and I contains the items rejected as infeasible.
	O, S, I []int
	// HPSI is the cost of the Pareto set of the feasible items, and HF is the cost of the feasible
	// set. A two-stage method pays the sum HPSI + HF, and Value <= HPSI + HF.
	HPSI, HF float64
}

// NewCStar computes C*_M of q for means mu (M x d), where sigma is the sub-Gaussian scale of the
// objectives and sigmaU is the sub-Gaussian scale of projections. An item that is both dominated
// and infeasible has two explanations. A single minimum cut finds the cheapest of up to 2^M
// combinations of explanations exactly. The minimum cut is exact because the cost of choosing S is
// submodular. Each item of the front costs the largest demand that a member of S makes on it.
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

// explanations contains the valid answers (S, I) of an instance, with their costs.
type explanations struct {
	truth     question.Truth
	front     []int // O
	mandatory []int // F \ O: items that are in S in every explanation
	free      []int // B: dominated and infeasible items, which may be in S or in I

	fixed      float64     // cost that does not depend on the choice of S
	base       []float64   // per member of O: cost if S contains only the mandatory items
	demand     [][]float64 // demand[o][b]: least cost of member o if free[b] is in S
	dominated  []float64   // per free item: cost if the item is in S
	infeasible []float64   // per free item: cost if the item is in I
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
	// For a dominated item j and a member i of the front, the demand is delta_i^- in the paper's
	// equation (10).
	demand := func(i, j int) float64 {
		return pulls(sigma, math.Max(pareto.Excess(mu.RawRowView(j), mu.RawRowView(i)), 0)+t.D[j])
	}
	for _, i := range e.front {
		base := pulls(sigmaU, t.Eta[i])
		for _, j := range e.front {
			if j != i { // delta_i^+
				a, b := mu.RawRowView(i), mu.RawRowView(j)
				base = math.Max(base, pulls(sigma, math.Min(pareto.Excess(a, b), pareto.Excess(b, a))))
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

// cost returns C(nu, S, I), the cost of the explanation whose set S contains the free items marked
// in inS.
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

// cheapest returns the cheapest choice of S, by a minimum cut. On the source's side of the cut are
// the free items in S and some thresholds. For each member of the front, the source's side contains
// the thresholds up to the cost of the member that is due to free items in S.
func (e *explanations) cheapest() (inS []bool, cost float64) {
	n := len(e.free)
	g := newNetwork(n + 2)
	source, sink := n, n+1
	for b := range e.free {
		g.add(source, b, e.infeasible[b]) // this edge is cut if b is in I
		g.add(b, sink, e.dominated[b])    // this edge is cut if b is in S
	}
	for o := range e.front {
		levels := sortedDistinct(e.demand[o], e.base[o])
		node := make(map[float64]int, len(levels))
		below, last := -1, e.base[o]
		for _, v := range levels {
			x := g.node()
			g.add(x, sink, v-last) // this edge is cut if some member of S demands at least v
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

// The following constants are those of Theorem 4.4 of the e-cAPE paper, as in radius.Theory.
const (
	Alpha = 3.
	K1    = 2.
)

// UpperBound returns the bound of Theorem 4.4 of the e-cAPE paper on the expected number of pulls
// of e-cAPE. The receiver c must have been computed for the question q and the means mu; sigmaU is
// sigma_u in the paper. The bound is
//
//	128 C log(64 C (4 k1 K d/delta)^(1/alpha)) + 4 H + Lambda.
//
// In the bound, H is the sum of 32 sigma_u^2 log(5^d/d)/eta^2 over items that are infeasible or
// optimal.
func (c CStar) UpperBound(
	q question.FeasiblePareto, mu *mat.Dense, sigmaU, delta float64,
) float64 {
	rows, columns := mu.Dims()
	k, d := float64(rows), float64(columns)
	truth, h := q.Truth(mu), 0.
	for i, eta := range truth.Eta {
		if !truth.Feasible[i] || truth.Optimal[i] {
			h += 32 * sigmaU * sigmaU * (d*math.Log(5) - math.Log(d)) / (eta * eta)
		}
	}
	return 128*c.Value*(math.Log(64*c.Value)+math.Log(4*K1*k*d/delta)/Alpha) + 4*h + lambda(k, d)
}

// lambda returns the bound of Theorem 4.4 on Lambda_alpha, which does not depend on delta:
//
//	2^(alpha-1)/(4 k1) sum over T of (log T + 1) (f(T, 5^-d d) + f(T, 1) + 2/e) / T^(alpha-1)
//
// for f(T, x) = log(4 k1 K d T^alpha/x).
func lambda(k, d float64) float64 {
	const terms = 1_000_000 // the remaining terms of the series are less than a thousandth of the sum
	f := 2*math.Log(4*K1*k*d) + d*math.Log(5) - math.Log(d) + 2/math.E
	sum := 0.
	for t := terms; t >= 1; t-- {
		log := math.Log(float64(t))
		sum += (log + 1) * (f + 2*Alpha*log) / math.Pow(float64(t), Alpha-1)
	}
	return math.Pow(2, Alpha-1) / (4 * K1) * sum
}

// LowerBound returns the lower bound of Theorem E.1 of the e-cAPE paper, Value kl((1-delta)/2,
// delta)/4. LowerBound holds for the expected number of pulls of every method that is right with
// probability 1 - delta on a class of Gaussian problems with the same Value. If delta is 1/3 or
// more, LowerBound returns 0, because (1-delta)/2 is then at most delta.
func (c CStar) LowerBound(delta float64) float64 {
	x := (1 - delta) / 2
	if x <= delta {
		return 0
	}
	return c.Value / 4 * (x*math.Log(x/delta) + (1-x)*math.Log((1-x)/(1-delta)))
}

// A network is a directed graph with capacities. Minimum cuts are found by shortest augmenting
// paths in level graphs (Dinic, 1970). Besides the source and the sink, a network has a node for
// each free item and each threshold.
type network struct {
	head [][]int // indices of the edges that leave each node
	to   []int   // target of edge e; the reverse edge is e^1
	room []float64
}

func newNetwork(nodes int) *network { return &network{head: make([][]int, nodes)} }

// node adds a node and returns its index.
func (g *network) node() int {
	g.head = append(g.head, nil)
	return len(g.head) - 1
}

func (g *network) add(from, to int, capacity float64) {
	g.head[from] = append(g.head[from], len(g.to))
	g.head[to] = append(g.head[to], len(g.to)+1)
	g.to = append(g.to, to, from)
	g.room = append(g.room, capacity, 0)
}

// minCut returns the nodes that are on the source's side of a minimum cut. Infinite capacities are
// replaced by a number above the sum of all finite capacities. If every cut is infinite, the
// returned cut has the smallest number of infinite edges.
func (g *network) minCut(source, sink int) []bool {
	total := 1.
	for _, c := range g.room {
		if !math.IsInf(c, 1) {
			total += c
		}
	}
	for e, c := range g.room {
		if math.IsInf(c, 1) {
			g.room[e] = 2 * total
		}
	}
	tiny := 1e-15 * total
	level := make([]int, len(g.head))
	next := make([]int, len(g.head))
	var push func(v int, limit float64) float64
	push = func(v int, limit float64) float64 {
		if v == sink {
			return limit
		}
		for ; next[v] < len(g.head[v]); next[v]++ {
			e := g.head[v][next[v]]
			if w := g.to[e]; g.room[e] > tiny && level[w] == level[v]+1 {
				if f := push(w, math.Min(limit, g.room[e])); f > 0 {
					g.room[e] -= f
					g.room[e^1] += f
					return f
				}
			}
		}
		return 0
	}
	for {
		for v := range level {
			level[v], next[v] = -1, 0
		}
		level[source] = 0
		for queue := []int{source}; len(queue) > 0; queue = queue[1:] {
			v := queue[0]
			for _, e := range g.head[v] {
				if w := g.to[e]; g.room[e] > tiny && level[w] < 0 {
					level[w] = level[v] + 1
					queue = append(queue, w)
				}
			}
		}
		if level[sink] < 0 {
			side := make([]bool, len(level))
			for v := range side {
				side[v] = level[v] >= 0
			}
			return side
		}
		for push(source, math.Inf(1)) > 0 {
		}
	}
}

func sortedDistinct(x []float64, low float64) []float64 {
	var s []float64
	for _, v := range x {
		if v > low {
			s = append(s, v)
		}
	}
	slices.Sort(s)
	return slices.Compact(s)
}
