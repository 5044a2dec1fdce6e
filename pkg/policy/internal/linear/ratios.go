package linear

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
)

// Ratios choose the arm that lags furthest behind the optimal proportions for the difference of two
// sets of features, where they are those of |u| for the u of least 1-norm with X'u = y: the rule of
// LinGapE (Xu, Honda and Sugiyama, 2018, (11)). Where arms have costs, that is so of the shares of the
// cost, for x over the root of its cost. Proportions are computed once for each pair.
type Ratios struct {
	l  *Model
	x  *mat.Dense // per cost
	of map[[2]int]ratio
	y  []float64
}

// ratio is a design for one difference: arms with their proportions.
type ratio struct {
	arms   []int
	weight []float64
}

// Init prepares for the arms of l.
func (r *Ratios) Init(l *Model) {
	*r = Ratios{l: l, x: l.PerCost(), of: make(map[[2]int]ratio), y: make([]float64, l.Rank)}
}

// Lagging returns the arm k of the proportions p for the difference of the distinct items i and j
// with the least n_k/p_k, for n_k rewards of each arm.
func (r *Ratios) Lagging(i, j int, n []float64) (arm int, err error) {
	d, err := r.design(min(i, j), max(i, j))
	if err != nil {
		return 0, err
	}
	least := math.Inf(1)
	for c, k := range d.arms {
		if share := n[k] / d.weight[c]; share < least {
			least, arm = share, k
		}
	}
	return arm, nil
}

// design returns the proportions for the difference of items i < j.
func (r *Ratios) design(i, j int) (ratio, error) {
	if d, ok := r.of[[2]int{i, j}]; ok {
		return d, nil
	}
	floats.SubTo(r.y, r.l.Item(i), r.l.Item(j))
	u, norm, err := design.Elfving(r.x, r.y)
	if err != nil {
		return ratio{}, err
	}
	var d ratio
	for k, v := range u {
		// A basic solution has exact zeros but for rounding.
		if v = math.Abs(v) / norm; v > 1e-12 {
			if r.l.Costs != nil {
				v /= r.l.Costs[k]
			}
			d.arms, d.weight = append(d.arms, k), append(d.weight, v)
		}
	}
	r.of[[2]int{i, j}] = d
	return d, nil
}
