package betting

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/polyhedron"
)

// bounds holds claims that items are inside or outside the rows of a polyhedron. For the claim that
// an item is inside the polyhedron, there is one atom for each row. For the claim that an item is
// outside the polyhedron, there is one atom, whose row is chosen in each phase.
type bounds struct {
	poly    *polyhedron.Polyhedron
	base    int                     // first atom
	rows    []polyhedron.Constraint // rows with a measured objective
	slacks  []float64               // slacks of rows
	lenient bool                    // whether some slack is positive
	kept    []bool                  // items x rows: whether the item is proved to be inside the row
	out     []bool                  // by item: whether the item is proved infeasible
	certain []bool                  // by item: whether the item is proved infeasible, independently of other items
	barred  []Barred
	minus   []float64
}

// init removes all proofs, and sets the rows of the polyhedron. For known values, even on the
// boundary, no bets are needed.
func (q *bounds) init(e *Engine, poly *polyhedron.Polyhedron, slacks []float64) {
	n := e.Model.N
	*q = bounds{poly: poly, lenient: slacks != nil, out: make([]bool, n), certain: make([]bool, n),
		barred: make([]Barred, n), minus: make([]float64, e.D)}
	for r := range poly.Rows() {
		slack := 0.
		if slacks != nil {
			slack = slacks[r]
		}
		c := poly.Constraint(r)
		if e.Noise(c.A) > 0 {
			q.rows, q.slacks = append(q.rows, c), append(q.slacks, slack)
			continue
		}
		for i := range n {
			value := 0.
			for j, a := range c.A {
				if a != 0 {
					value += a * e.Exact[j][i]
				}
			}
			over := (value - c.B) / floats.Norm(c.A, 2)
			if b := &q.barred[i]; value > c.B+slack && over > b.Distance {
				q.out[i], q.certain[i], *b = true, true, Barred{r, over}
			}
		}
	}
	q.kept = make([]bool, n*len(q.rows))
}

// atoms returns the number of atoms for claims about the polyhedron.
func (q *bounds) atoms() int { return len(q.kept) + len(q.out) }

func (q *bounds) inside(i, row int) int {
	return q.base + i*len(q.rows) + row
}

func (q *bounds) outside(i int) int { return q.inside(len(q.out), 0) + i }

// Barred contains the constraint on known values that an item violates most, and the distance by
// which the item violates the constraint. If the item violates no such constraint, the distance is
// 0.
type Barred struct {
	Row      int
	Distance float64
}

// Barred returns the reason why item i needs no measurement, if there is such a reason.
func (q *bounds) Barred(i int) Barred { return q.barred[i] }

// excess returns the estimated distance by which item i is outside a row, in reward units and in
// standard deviations of one reward.
func (q *bounds) excess(e *Engine, i, row int) (excess, sds float64) {
	c := &q.rows[row]
	excess = -c.B
	for j, a := range c.A {
		excess += a * e.Mean(i)[j]
	}
	t := Sum(1, i, 0, -1)
	return excess, excess / math.Sqrt(e.Typical(&t, c.A))
}

// violated returns the row that item i violates most clearly, or -1 if no row depends on measured
// objectives.
func (q *bounds) violated(e *Engine, i int) int {
	worst, most := -1, math.Inf(-1)
	for r := range q.rows {
		if _, x := q.excess(e, i, r); x > most {
			worst, most = r, x
		}
	}
	return worst
}

// needInside requests the missing information for the claim "item i is inside each row".
func (q *bounds) needInside(e *Engine, i int, claim Claim) {
	for r := range q.rows {
		if q.kept[i*len(q.rows)+r] {
			continue
		}
		excess, _ := q.excess(e, i, r)
		t := Sum(1, i, 0, -1)
		e.Need(i, t, e.Accounts.Missing(claim, e.Log, q.inside(i, r)), q.slacks[r]-excess, e.Typical(&t, q.rows[r].A))
	}
}

// needOutside requests the missing information for the claim "item i is outside".
func (q *bounds) needOutside(e *Engine, i int, claim Claim) {
	r := q.violated(e, i)
	excess, _ := q.excess(e, i, r)
	t := Sum(1, i, 0, -1)
	e.Need(i, t, e.Accounts.Missing(claim, e.Log, q.outside(i)), excess, e.Typical(&t, q.rows[r].A))
}

// costOutside returns a number proportional to the cost of the pulls that are still needed to prove
// the claim, under the last design.
func (q *bounds) costOutside(e *Engine, i int, claim Claim) float64 {
	r := q.violated(e, i)
	excess, _ := q.excess(e, i, r)
	t := Sum(1, i, 0, -1)
	noise := e.Typical(&t, q.rows[r].A)
	gap := max(excess, math.Sqrt(noise*e.Spread(&t)))
	return e.Accounts.Missing(claim, e.Log, q.outside(i)) * noise / (gap * gap) * e.price(i, -1)
}

// proveInside reports whether item i is proved to be inside each row.
func (q *bounds) proveInside(e *Engine, i int, claim Claim) bool {
	all := true
	for r := range q.rows {
		p := &q.kept[i*len(q.rows)+r]
		*p = *p || e.Accounts.Proved(claim, e.Log, Group{At: q.inside(i, r), N: 1})
		all = all && *p
	}
	return all
}

// proveOutside checks whether item i is proved to be outside, and whether the proof is independent
// of other items.
func (q *bounds) proveOutside(e *Engine, i int, claim Claim) {
	g := Group{At: q.outside(i), N: 1}
	q.out[i] = q.out[i] || e.Accounts.Proved(claim, e.Log, g)
	q.certain[i] = q.certain[i] || q.out[i] && e.Accounts.Proved(surely(claim), e.Log, g)
}

// forget removes those proofs that depend on other items.
func (q *bounds) forget() {
	clear(q.kept)
	copy(q.out, q.certain)
}

// surely returns the claim c with Sure set: the claim must then be proved independently of other
// items.
func surely(c Claim) Claim {
	c.Sure = true
	return c
}

// stakeRows bets that item i is inside each row, and also that item i is outside one row.
func (q *bounds) stakeRows(e *Engine, i int) {
	t := Sum(1, i, 0, -1)
	sd := math.Sqrt(e.Spread(&t))
	for r, c := range q.rows {
		if q.kept[i*len(q.rows)+r] {
			continue
		}
		for j, a := range c.A {
			q.minus[j] = -a
		}
		excess, _ := q.excess(e, i, r)
		e.Bet(q.inside(i, r), t, q.minus, c.B+q.slacks[r],
			ExpectedGap(q.slacks[r]-excess, math.Sqrt(e.Typical(&t, c.A))*sd))
	}
	if r := q.violated(e, i); r >= 0 && !q.out[i] {
		c := &q.rows[r]
		excess, _ := q.excess(e, i, r)
		e.Bet(q.outside(i), t, c.A, -c.B, ExpectedGap(excess, math.Sqrt(e.Typical(&t, c.A))*sd))
	}
}

// easier reports whether it is easier to prove that item i is inside than that it is outside.
// easier considers the first proof easier if item i is estimated to be inside after each row is
// relaxed by half of its slack.
func (q *bounds) easier(e *Engine, i int) bool {
	switch {
	case q.certain[i]:
		return false
	case !q.lenient && len(q.rows) == q.poly.Rows():
		return q.poly.Contains(e.Mean(i))
	}
	for r := range q.rows {
		if x, _ := q.excess(e, i, r); x > q.slacks[r]/2 {
			return false
		}
	}
	return true
}
