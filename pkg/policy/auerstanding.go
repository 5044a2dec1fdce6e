package policy

import "math"

// standing is what keeps the arms of the last race where they are. Every number that the rules
// compare with 2 beta is a maximum or a minimum of differences of two means, and changes by no more
// than twice what the means have moved. Those of P1 that fall below it make no difference: fewer arms
// may leave, and more may need the others.
type standing struct {
	below float64   // the largest number that must stay below 2 beta
	then  []float64 // the means at that race
	stale bool      // no race since the means have changed
}

// stands reports whether a race would surely change nothing.
func (p *AuerRacing) stands() bool {
	o := &p.outputs
	if !(p.below < p.wide) { // without looking at the means
		return false
	}
	moved := 0.
	for _, i := range o.Active {
		then := p.then[i*o.D:][:o.D]
		for c, v := range o.Row(i) {
			moved = max(moved, math.Abs(v-then[c]))
		}
	}
	reach := 2*moved + 1e-9*(moved+p.wide+o.Question.Epsilon) // and what is rounded
	return p.below+reach < p.wide
}

// stand notes what must change before an arm retires, no arm having done so in this race.
func (p *AuerRacing) stand() {
	o, eps := &p.outputs, p.outputs.Question.Epsilon
	p.below = math.Inf(-1)
	for q, i := range o.Active {
		copy(p.then[i*o.D:][:o.D], o.Row(i))
		d := p.margin[q]
		p.below = max(p.below, d) // i is not dropped
		if p.p1[i] {
			p.below = max(p.below, p.need(i, math.Inf(-1))) // for another arm
		} else {
			p.below = max(p.below, eps-d) // nor found optimal
		}
	}
}

// rest ends a race, in which arms retired or not.
func (p *AuerRacing) rest(retired bool) {
	if p.below = math.Inf(1); !retired {
		p.stand()
	}
}
