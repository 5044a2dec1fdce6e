package problem

import (
	"cmp"
	"fmt"
	"math"
)

// Trials returns the number of trials of which a measurement consists, where successes are counted, and what
// they are called. With several objectives it is the largest number, as they count the same trials; it is 0
// where none is counted.
func (p *Problem) Trials() (n int, called string) {
	for _, c := range p.Measured() {
		if x := &p.Objectives[c].Noise; x.Counts != nil && *x.Counts > n {
			n, called = *x.Counts, cmp.Or(x.Of, "trials")
		}
	}
	return n, called
}

// trials returns the number of trials of a measurement, 1 where nothing is counted.
func (o *Objective) trials() float64 {
	if o.Noise.Counts == nil {
		return 1
	}
	return float64(*o.Noise.Counts)
}

// Result returns what an amount of the problem file is in results of complete measurements.
func (o *Objective) Result(amount float64) float64 {
	if o.Amounts == AmountRates {
		return amount * o.trials()
	}
	return amount
}

// told is Result in results of a reward: those of one trial where some may not be evaluable.
func (o *Objective) told(amount float64) float64 {
	if o.Noise.Evaluable != "" {
		return o.Value(amount)
	}
	return o.Result(amount)
}

// Value returns what an amount of the problem file is in the unit of means: a rate where successes are
// counted.
func (o *Objective) Value(amount float64) float64 {
	if o.Amounts == AmountRates {
		return amount
	}
	return amount / o.trials()
}

// values is Value of each amount.
func (o *Objective) values(amounts []float64) []float64 {
	values := make([]float64, len(amounts))
	for i, v := range amounts {
		values[i] = o.Value(v)
	}
	return values
}

// Rate returns a mean of results in the unit of means: a rate where successes are counted.
func (o *Objective) Rate(result float64) float64 { return result / o.trials() }

// GuessedMeans returns the guesses of the means, nil if there are none.
func (o *Objective) GuessedMeans() []float64 {
	if o.Guesses == nil {
		return nil
	}
	return o.values(o.Guesses)
}

// rates checks what is said of rates.
func (c *checker) rates(field string, o *Objective) {
	switch {
	case o.Amounts != "" && o.Amounts != AmountCounts && o.Amounts != AmountRates:
		c.wrong(field+".amounts", "%q; want %q (successes divided by trials) or %q", o.Amounts, AmountRates,
			AmountCounts)
	case o.Amounts != "" && o.Noise.Counts == nil:
		c.wrong(field+".amounts", "%q, which is for noise = { counts = ... }; leave it out", o.Amounts)
	case o.Noise.Of != "" && o.Noise.Counts == nil:
		c.wrong(field+".noise.of", "%q, which is for counts; leave it out", o.Noise.Of)
	case o.Noise.Evaluable != "" && o.Noise.Counts == nil:
		c.wrong(field+".noise.evaluable", "%q, which is for counts; leave it out", o.Noise.Evaluable)
	case o.Noise.Of != "":
		c.name(field+".noise.of", "what is counted", o.Noise.Of)
	}
	if o.Amounts != AmountRates {
		return
	}
	levels := o.levels()
	for _, key := range []string{"at_least", "at_most", "tolerance", "slack"} {
		if x := levels[key]; !(x >= 0 && x <= 1) {
			c.wrong(field+"."+key, "%v; want a rate from 0 to 1, since amounts = %q", x, AmountRates)
		}
	}
	for i, x := range o.Guesses {
		if !(x >= 0 && x <= 1) && i < c.p.K() {
			c.wrong(field+".guess", "candidate %q: %v; want a rate from 0 to 1, since amounts = %q",
				c.p.Candidates.Names[i], x, AmountRates)
			return
		}
	}
}

// levels are bounds, tolerance and slack where they are given, by field.
func (o *Objective) levels() map[string]float64 {
	list := map[string]float64{}
	for key, x := range map[string]*float64{"at_least": o.AtLeast, "at_most": o.AtMost} {
		if x != nil {
			list[key] = *x
		}
	}
	for key, x := range map[string]float64{"tolerance": o.Tolerance, "slack": o.Slack} {
		if x != 0 {
			list[key] = x
		}
	}
	return list
}

// ambiguous lists bounds of counts that look like rates.
func (p *Problem) ambiguous() (errs Errors) {
	for i := range p.Objectives {
		o := &p.Objectives[i]
		if o.Noise.Counts == nil || *o.Noise.Counts == 1 || o.Amounts != "" {
			continue
		}
		levels := o.levels()
		for _, key := range []string{"at_least", "at_most"} {
			if x, ok := levels[key]; ok && x > 0 && x < 1 {
				errs = append(errs, p.wrong(fmt.Sprintf("objective[%d].%s", i+1, key), "%v of %d %s, or a rate? Say "+
					"amounts = %q if bounds, tolerances and guesses of %s are rates, and amounts = %q if not",
					x, *o.Noise.Counts, cmp.Or(o.Noise.Of, "trials"), AmountRates, o.Name, AmountCounts))
			}
		}
	}
	return errs
}

// shown writes a rate that a count was turned into to four digits, and other amounts as they are.
func (o *Objective) shown(amount float64) string {
	v := o.Value(amount)
	if v != amount {
		v = math.Round(v*1e4) / 1e4
	}
	return fmt.Sprint(v)
}

// Amount writes an amount of the problem file in the unit of means: "2 %", "0.4".
func (o *Objective) Amount(amount float64) string { return o.shown(amount) + o.scale().suffix() }
