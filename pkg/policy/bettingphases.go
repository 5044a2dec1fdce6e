package policy

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
)

// designed says for which leader, how many items and how many pulls the last design was made.
type designed struct {
	best, active int
	pulls        float64
}

// begin plans phase 0, which tells all items apart and spans the model.
func (p *BettingElimination) begin() error {
	start := cmp.Or(p.Start, bettingStart)
	counts := p.memory
	if p.free() {
		for i := range counts {
			counts[i] = start
		}
		p.plates(counts)
		p.counts = counts
		return nil
	}
	pairs, err := design.NewPairs(p.model.PerCost(), p.model.Z)
	if err != nil {
		return err
	}
	d, err := pairs.Solve(&design.Options{Tol: p.tol()})
	if d == nil {
		return err
	}
	p.warned(d, err)
	clear(counts)
	p.own.Reset()
	for _, i := range d.Support() {
		counts[i] = start
		p.own.Add(p.model.Arm(i), start, []float64{0})
	}
	if !p.own.Solve() {
		for _, i := range p.model.Span.Points() {
			counts[i] = max(counts[i], 1)
		}
	}
	p.plates(counts)
	p.counts = counts
	return nil
}

// free reports whether each arm is an item, of which no other arm tells anything.
func (p *BettingElimination) free() bool { return p.prob.X == nil }

// plates fills the last plate with further pulls of the arms that have most.
func (p *BettingElimination) plates(counts []int) {
	if p.Plate <= 1 {
		return
	}
	for left := (p.Plate - linear.Total(counts)%p.Plate) % p.Plate; left > 0; {
		for i, n := range counts {
			if n > 0 && left > 0 {
				counts[i]++
				left--
			}
		}
	}
}

// plan decides about a phase: its pulls, rivals and stakes.
func (p *BettingElimination) plan() error {
	p.compare()
	if err := p.solve(); err != nil {
		return err
	}
	support, price := 0, 0.
	for i, w := range p.weights {
		if w > 0 {
			support++
			price += w * p.prob.Cost(i)
		}
	}
	growth := cmp.Or(p.Growth, bettingGrowth)
	have := p.pulls
	if p.prob.Costs != nil {
		have = p.spent / price // what was spent, in pulls of this design
	}
	want := max((growth-1)*have, 2*float64(support))
	if p.Plate > 1 {
		want = math.Ceil(want/float64(p.Plate)) * float64(p.Plate)
	}
	if want > patience.Most {
		return p.items.Tied(p.prob, want)
	}
	p.counts = p.memory
	design.Apportion(p.counts, p.weights, linear.Ceil(want))
	p.bet()
	return nil
}

// planned decides about the bets of a phase that was planned while others were out, as plan does after those before it.
func (p *BettingElimination) planned(obs []explore.Batch) {
	p.compare()
	_ = p.solve() // its design is that of the phase already
	p.counts = p.memory
	clear(p.counts)
	for _, b := range obs {
		p.counts[b.Arm] += b.N
	}
	p.bet()
}

// solve computes the design for what items still lack, unless little has changed.
func (p *BettingElimination) solve() error {
	active := p.items.Active
	switch d := &p.designed; {
	case d.active == 2 && len(active) == 2:
		return nil // one direction, whatever its length
	case d.best == p.best && p.pulls <= 1.05*d.pulls && 4*len(active) > 3*d.active:
		return nil
	}
	most := 0.
	for a, i := range active {
		if i == p.best {
			p.scale[a] = 0
			continue
		}
		se := p.plans[a].se
		gap := max(p.items.Mean[p.best]-p.items.Mean[i], se)
		lack := p.bets.Missing(i, p.log) / (gap * gap)
		if eps := p.model.Epsilon; eps > 0 {
			gap = max(p.items.Mean[p.best]-p.items.Mean[i]+eps, se)
			lack = min(lack, p.tolerant.Missing(i, p.log)/(gap*gap))
		}
		p.scale[a] = lack
		most = max(most, lack)
	}
	for a, i := range active {
		if i != p.best {
			p.scale[a] = math.Sqrt(max(p.scale[a]/most, .01))
		}
	}
	p.designed = designed{p.best, len(active), p.pulls}
	if p.free() {
		p.weights = memory.Zeroed(p.weights, p.model.K)
		starWeights(p.weights, p.best, active, p.scale, p.prob.Costs)
		return nil
	}
	p.star.Set(p.best, active, p.scale)
	d, err := p.star.Solve(&design.Options{Tol: p.tol()})
	if d == nil {
		return err
	}
	p.warned(d, err)
	p.weights = d.Weights
	p.prune(d)
	p.prob.Pulled(p.weights) // the design is one of cost
	return nil
}

// prune drops the arms of least weight, where that costs little: each arm makes phases longer.
func (p *BettingElimination) prune(d *design.Design) {
	w := slices.Clone(d.Weights)
	least, some := .003*floats.Max(w), false
	for i, v := range w {
		if v > 0 && v < least {
			w[i], some = 0, true
		}
	}
	if some {
		floats.Scale(1/floats.Sum(w), w)
		if p.star.Value(w) <= 1.05*d.Value {
			p.weights = w
		}
	}
}

func (p *BettingElimination) tol() float64 {
	if p.Tol == 0 {
		return bettingTol
	}
	return p.Tol
}

// warned notes the first design that misses its tolerance.
func (p *BettingElimination) warned(d *design.Design, err error) {
	if err != nil && p.warn == nil {
		p.warn = []error{fmt.Errorf("policy: BettingElimination, phase %d: %w", p.phase, d.Warning(err))}
	}
}
