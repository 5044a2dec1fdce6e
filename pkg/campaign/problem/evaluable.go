package problem

import (
	"fmt"
	"math"
	"slices"
)

// Evaluable returns the column of results with the number of trials that could be evaluated; "" if each
// measurement has all of its trials.
func (p *Problem) Evaluable() string {
	for _, c := range p.Measured() {
		if column := p.Objectives[c].Noise.Evaluable; column != "" {
			return column
		}
	}
	return ""
}

// Each returns the number of rewards of a complete measurement: of its trials where some may not be
// evaluable, since methods then learn trials, and otherwise 1.
func (p *Problem) Each() int {
	if n, _ := p.Trials(); p.Evaluable() != "" {
		return n
	}
	return 1
}

// mostEach is the largest number of trials of a measurement that are counted one by one.
const mostEach = 1000

// evaluable checks that trials can be counted one by one: all objectives are about the same ones.
func (c *checker) evaluable() {
	column := c.p.Evaluable()
	if column == "" {
		return
	}
	measured := c.p.Measured()
	n, _ := c.p.Trials()
	for _, i := range measured {
		o := &c.p.Objectives[i]
		field := fmt.Sprintf("objective[%d].noise", i+1)
		switch x := o.Noise; {
		case x.Counts == nil:
			c.wrong(field, "%q is not counted, and others have the column %q of evaluable trials; trials can be "+
				"counted one by one if all objectives that are measured are", o.Name, column)
		case *x.Counts != n:
			c.wrong(field+".counts", "%d, and another objective has %d; with evaluable = %q all are about the "+
				"same trials", *x.Counts, n, column)
		case x.Evaluable != column:
			c.wrong(field+".evaluable", "%q, and another objective has %q; all are about the same trials",
				x.Evaluable, column)
		case o.Name == column:
			c.wrong(field+".evaluable", "%q is an objective; call the column otherwise", column)
		}
	}
	field := fmt.Sprintf("objective[%d].noise.evaluable", measured[0]+1)
	switch {
	case n > mostEach:
		c.wrong(field, "%d trials of a measurement; want at most %d, which are counted one by one. Declare counts = "+
			"%[2]d, and split results of more into rows of at most so many", n, mostEach)
	case c.p.Candidates.Features != nil:
		c.wrong(field, "candidates have features, and confirming measurements are complete ones; leave out one "+
			"of them")
	case slices.Contains([]string{ColumnPlate, ColumnTicket, ColumnCandidate, ColumnNote}, column):
		c.wrong(field, "%q is another column of worksheets; call it otherwise", column)
	}
	c.name(field, "the column", column)
}

// Learn appends the rewards of one result of a candidate to dst, added up: one entry an objective. They are
// those of n trials where some may not be evaluable, of which the result has so many (0 for all), and
// otherwise n is 1. Values are as for In, and what cannot be is a [*ValueError].
func (c *Compiled) Learn(dst []float64, arm int, values []float64, evaluable int) (sum []float64, n int, err error) {
	n = c.Source.Each()
	if n == 1 {
		dst, err = c.In(dst, arm, values)
		return dst, 1, err
	}
	if evaluable != 0 {
		n = evaluable
	}
	if _, err := c.In(nil, arm, values); err != nil {
		return dst, n, err
	}
	next := 0
	for i, s := range c.Scales {
		o := &c.Source.Objectives[i]
		if o.Known {
			dst = append(dst, float64(n)*s.In(o.Exact[arm]))
			continue
		}
		v := values[next]
		next++
		if n < 1 || n > c.Source.Each() || v > float64(n) {
			return dst, n, &ValueError{o.Name, fmt.Sprintf("%v of %d evaluable %s; want at most all of them, and "+
				"from 1 to %d evaluable ones", v, n, c.trials(), c.Source.Each())}
		}
		dst = append(dst, (v-float64(n)*s.Center)/s.PerReward)
	}
	return dst, n, nil
}

// trials is what trials are called.
func (c *Compiled) trials() string {
	_, called := c.Source.Trials()
	return called
}

// Squares returns the sums of the squares of n rewards that add up to sum, which Learn returned.
func (c *Compiled) Squares(sum []float64, n int) []float64 {
	squares := make([]float64, len(sum))
	for i, x := range sum {
		if squares[i] = x * x / float64(n); n > 1 && !c.Source.Objectives[i].Known {
			squares[i] = float64(n) // successes and failures are 1 and -1
		}
	}
	return squares
}

// perReward returns the number of trials of a reward of an objective that counts.
func (o *Objective) perReward() int {
	if o.Noise.Evaluable != "" {
		return 1
	}
	return int(math.Round(o.trials()))
}
