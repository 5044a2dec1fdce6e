package radius

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Each has a radius for each objective, in order: one that fits its noise ([Fitted]). All half-widths
// hold at once with probability at least 1 - delta, since those of an objective fail with
// probability delta/d at most.
type Each []Radius

// String returns the names, each once.
func (r Each) String() string {
	var names []string
	for _, x := range r {
		if s := x.String(); !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	return strings.Join(names, ", ")
}

// Validate reports whether each fits the noise of an objective.
func (r Each) Validate() error {
	for c, x := range r {
		if _, ok := x.Bind(Params{Arms: 1, Objectives: 1, Sigma: 1, NormSigma: 1,
			Delta: .1}).(Fitted); !ok {
			return fmt.Errorf("radius: Each[%d] is %v, whose half-widths are the same for all "+
				"objectives; want one that fits rewards, such as Bernoulli", c, x)
		}
	}
	return nil
}

// Holds implements Holder.
func (r Each) Holds() Noise { return Bounded }

// Bind implements Radius. What it gives by counts alone is the widest.
func (r Each) Bind(p Params) Bonus {
	if len(r) == 1 || p.Objectives == 1 {
		return r[0].Bind(p)
	}
	e := each{root: math.Sqrt(float64(p.Objectives))}
	for _, x := range r {
		e.of = append(e.of, x.Bind(p).(Fitted))
	}
	return e
}

type each struct {
	of   []Fitted
	root float64
}

func (e each) Factors(int) (pair, norm float64) { return 1, 1 }

func (e each) Mean(n int) (widest float64) {
	for _, b := range e.of {
		widest = math.Max(widest, b.Mean(n))
	}
	return widest
}

func (e each) Term(n int) Term        { return Term{X: e.Mean(n)} }
func (e each) Pair(i, j Term) float64 { return i.X + j.X }
func (e each) Norm(n int) float64     { return e.root * e.Mean(n) }

// Around implements Fitted.
func (e each) Around(c int, s Seen) float64 { return e.of[c].Around(c, s) }

// Apart implements Fitted.
func (e each) Apart(c int, i, j Seen) float64 { return e.of[c].Apart(c, i, j) }

// Squares implements Fitted.
func (e each) Squares() bool { return slices.ContainsFunc(e.of, Fitted.Squares) }

// Within implements Fitted.
func (e each) Within(c int, lo, hi float64) bool { return e.of[c].Within(c, lo, hi) }

// Range implements Fitted.
func (e each) Range(c int, scale float64) string { return e.of[c].Range(c, scale) }
