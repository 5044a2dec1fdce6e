package complexity

import (
	"math"
	"slices"
)

// A network is a directed graph with capacities, in which a minimum cut is
// found by shortest augmenting paths in level graphs (Dinic, 1970). Its size
// here is the number of items and of thresholds between them.
type network struct {
	head [][]int // edges out of a node
	to   []int   // edge e leads here; e^1 is its reverse
	room []float64
}

func newNetwork(nodes int) *network { return &network{head: make([][]int, nodes)} }

// node adds a node.
func (g *network) node() int {
	g.head = append(g.head, nil)
	return len(g.head) - 1
}

// add adds an edge.
func (g *network) add(from, to int, capacity float64) {
	g.head[from] = append(g.head[from], len(g.to))
	g.head[to] = append(g.head[to], len(g.to)+1)
	g.to = append(g.to, to, from)
	g.room = append(g.room, capacity, 0)
}

// minCut returns which nodes are on the source's side of a minimum cut. Where
// every cut has infinite capacity, it returns one with the fewest infinite
// edges among those of infinite cost: infinities are replaced by a number above
// the sum of all finite capacities.
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

// sortedDistinct returns the distinct values of x above low, ascending.
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
