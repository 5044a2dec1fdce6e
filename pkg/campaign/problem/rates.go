package problem

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// If successes are counted, Trials returns the number of trials of a measurement, and the word for
// trials. If several objectives are counts, n is their largest number of trials, because all
// objectives count the same trials; without counts, n is 0.
func (p *Problem) Trials() (n int, called string) {
	for _, c := range p.Measured() {
		if x := &p.Objectives[c].Noise; x.Counts != nil && *x.Counts > n {
			n, called = *x.Counts, cmp.Or(x.Of, "trials")
		}
	}
	return n, called
}

// trials returns the number of trials in a measurement of o, or 1 if o is not a count.
func (o *Objective) trials() float64 {
	if o.Noise.Counts == nil {
		return 1
	}
	return float64(*o.Noise.Counts)
}

// Result converts an amount in the problem file to the unit of results with all trials evaluable.
func (o *Objective) Result(amount float64) float64 {
	if o.Amounts == AmountRates {
		return amount * o.trials()
	}
	return amount
}

// told converts an amount to the unit of the result of one reward; if some trials may not be
// evaluable, a reward is one trial.
func (o *Objective) told(amount float64) float64 {
	if o.Noise.Evaluable != "" {
		return o.Value(amount)
	}
	return o.Result(amount)
}

// Value converts an amount in the problem file to the unit of means; for counts, means are rates.
func (o *Objective) Value(amount float64) float64 {
	if o.Amounts == AmountRates {
		return amount
	}
	return amount / o.trials()
}

// values converts each of the given amounts with Value.
func (o *Objective) values(amounts []float64) []float64 {
	values := make([]float64, len(amounts))
	for i, v := range amounts {
		values[i] = o.Value(v)
	}
	return values
}

// Rate converts a mean of results to the unit of means; for counts, means are rates.
func (o *Objective) Rate(result float64) float64 { return result / o.trials() }

// GuessedMeans returns the guesses in the unit of means, or nil if there are none.
func (o *Objective) GuessedMeans() []float64 {
	if o.Guesses == nil {
		return nil
	}
	return o.values(o.Guesses)
}

// rates checks those fields of an objective that may be given as rates.
func (c *checker) rates(field string, o *Objective) {
	switch {
	case o.Amounts != "" && o.Amounts != AmountCounts && o.Amounts != AmountRates:
		c.wrong(field+".amounts", "%q; expected %q (successes divided by trials) or %q", o.Amounts, AmountRates,
			AmountCounts)
	case o.Amounts != "" && o.Noise.Counts == nil:
		c.wrong(field+".amounts", "%q, but only noise = { counts = ... } uses amounts; leave it out", o.Amounts)
	case o.Noise.Of != "" && o.Noise.Counts == nil:
		c.wrong(field+".noise.of", "%q, but only counts use this field; leave it out", o.Noise.Of)
	case o.Noise.Evaluable != "" && o.Noise.Counts == nil:
		c.wrong(field+".noise.evaluable", "%q, but only counts use this field; leave it out", o.Noise.Evaluable)
	case o.Noise.Of != "":
		c.name(field+".noise.of", "what is counted", o.Noise.Of)
	}
	if o.Amounts != AmountRates {
		return
	}
	levels := o.levels()
	for _, key := range []string{"at_least", "at_most", "tolerance", "slack"} {
		if x := levels[key]; !(x >= 0 && x <= 1) {
			c.wrong(field+"."+key, "%v; expected a rate from 0 to 1, because amounts = %q", x, AmountRates)
		}
	}
	for i, x := range o.Guesses {
		if !(x >= 0 && x <= 1) && i < c.p.K() {
			c.wrong(field+".guess", "candidate %q: %v; expected a rate from 0 to 1, because amounts = %q",
				c.p.Candidates.Names[i], x, AmountRates)
			return
		}
	}
}

// levels returns bounds, tolerance and slack of an objective, each with the name of its field.
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

// ambiguous returns errors for bounds on counts that look like rates.
func (p *Problem) ambiguous() (errs Errors) {
	for i := range p.Objectives {
		o := &p.Objectives[i]
		if o.Noise.Counts == nil || *o.Noise.Counts == 1 || o.Amounts != "" {
			continue
		}
		levels := o.levels()
		for _, key := range []string{"at_least", "at_most"} {
			if x, ok := levels[key]; ok && x > 0 && x < 1 {
				errs = append(errs, p.wrong(fmt.Sprintf("objective[%d].%s", i+1, key), "%v may be a number of "+
					"successes of %d %s, or a rate; set amounts = %q if bounds, tolerances and guesses of %s are "+
					"rates, and amounts = %q if they are numbers of successes",
					x, *o.Noise.Counts, cmp.Or(o.Noise.Of, "trials"), AmountRates, o.Name, AmountCounts))
			}
		}
	}
	return errs
}

// shown formats an amount with six digits, or with four digits if it is a rate computed from a
// count.
func (o *Objective) shown(amount float64) string {
	v := o.Value(amount)
	if v != amount {
		v = math.Round(v*1e4) / 1e4
	} else if v != math.Trunc(v) {
		v, _ = strconv.ParseFloat(fmt.Sprintf("%.6g", v), 64)
	}
	return fmt.Sprint(v)
}

// Amount formats an amount from the problem file in the unit of means, such as "2 %" or "0.4".
func (o *Objective) Amount(amount float64) string { return o.shown(amount) + o.scale().suffix() }

// Evaluable returns the result column with the number of evaluable trials, or "" if all trials are
// always evaluable.
func (p *Problem) Evaluable() string {
	for _, c := range p.Measured() {
		if column := p.Objectives[c].Noise.Evaluable; column != "" {
			return column
		}
	}
	return ""
}

// Each returns the number of rewards of a complete measurement: the number of trials if some trials
// may not be evaluable, or 1 if all trials are evaluable.
func (p *Problem) Each() int {
	if n, _ := p.Trials(); p.Evaluable() != "" {
		return n
	}
	return 1
}

// mostEach limits the number of trials of a measurement that are counted one by one.
const mostEach = 1000

// evaluable returns an error unless trials can be counted one by one; for that, all objectives must
// count the same trials.
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
			c.wrong(field, "%q has no counts, but other objectives have the column %q of evaluable trials; declare "+
				"counts for all measured objectives", o.Name, column)
		case *x.Counts != n:
			c.wrong(field+".counts", "%d, but another objective has %d; with evaluable = %q, all objectives must "+
				"have the same counts", *x.Counts, n, column)
		case x.Evaluable != column:
			c.wrong(field+".evaluable", "%q, but another objective has %q; all objectives must use the same trials",
				x.Evaluable, column)
		case o.Name == column:
			c.wrong(field+".evaluable", "%q is an objective; use another name for the column", column)
		}
	}
	field := fmt.Sprintf("objective[%d].noise.evaluable", measured[0]+1)
	switch {
	case n > mostEach:
		c.wrong(field, "a measurement has %d trials; expected at most %d if some may not be evaluable; declare "+
			"counts = %[2]d, and split larger results into several rows", n, mostEach)
	case c.p.Candidates.Features != nil:
		c.wrong(field, "not supported for candidates with features, whose confirming measurements need all trials; "+
			"leave out evaluable or the features")
	case slices.Contains([]string{ColumnPlate, ColumnTicket, ColumnCandidate, ColumnNote}, column):
		c.wrong(field, "%q is another column of worksheets; use another name", column)
	}
	c.name(field, "the column", column)
}

// Learn appends the sums of the rewards of one result of a candidate to dst, one sum for each
// objective, and returns the number n of rewards. A result is one reward if summed is 0, and
// otherwise the summary of that many rewards. If some trials may not be evaluable, each trial is a
// reward; the argument evaluable is the number of evaluable trials, or 0 for all. The argument
// values has the results of the measured objectives, in the order of Problem.Measured; Learn adds
// the known values. For invalid values, the error is a [*ValueError].
func (c *Compiled) Learn(dst []float64, arm int, values []float64, evaluable, summed int) (sum []float64, n int,
	err error) {
	each := c.Source.Each()
	n = cmp.Or(evaluable, each*max(summed, 1))
	if most := len(c.Source.Measured()); len(values) != most {
		return dst, n, fmt.Errorf("problem: %d values; expected one for each of the %d measured objectives",
			len(values), most)
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
		if err := c.Check(i, v, summed); err != nil {
			return dst, n, err
		}
		if each > 1 && (n < 1 || n > each || v > float64(n)) {
			return dst, n, &ValueError{o.Name, fmt.Sprintf("%v of %d evaluable %s; expected 1 to %d evaluable trials, "+
				"and at most as many successes", v, n, c.trials(), each)}
		}
		if o.Noise.Counts == nil {
			v *= float64(n) // the value of a summary is a mean, not a sum
		}
		dst = append(dst, (v-float64(n)*s.Center)/s.PerReward)
	}
	return dst, n, nil
}

// Unsummed returns the reason why a result cannot be a summary of several measurements, or "" if it
// can. The argument ticket says whether the result has a ticket.
func (c *Compiled) Unsummed(ticket bool) string {
	_, _, pilot := c.Source.pilots()
	switch {
	case c.Source.Evaluable() != "":
		return "some trials may not be evaluable (noise.evaluable); use one row for each measurement"
	case pilot > 0:
		return "the pilot estimates the noise from the scatter of results, which a summary hides; use one row for " +
			"each measurement, or declare the sd"
	case c.Adaptive():
		return fmt.Sprintf("%s with the radius %s uses the scatter of results, which a summary hides; use one row for "+
			"each measurement, or start with radius = %q under [method]", c.Card.Name, c.Radius(), RadiusMixture)
	case ticket && !c.UsesAll():
		return fmt.Sprintf("a ticket of %s is for one measurement; report a summary with an id, without a ticket, or "+
			"start with a method that learns from any measurement", c.Card.Name)
	}
	return ""
}

// trials returns the word for a trial, such as "patients".
func (c *Compiled) trials() string {
	_, called := c.Source.Trials()
	return called
}

// Squares returns the sums of squares of n rewards with the given sum, as returned by Learn; nil for
// a summary, whose squares are unknown.
func (c *Compiled) Squares(sum []float64, n int) []float64 {
	trials := c.Source.Each() > 1
	if n > 1 && !trials {
		return nil
	}
	squares := make([]float64, len(sum))
	for i, x := range sum {
		if squares[i] = x * x / float64(n); trials && !c.Source.Objectives[i].Known {
			squares[i] = float64(n) // the reward of a success is 1, and the reward of a failure is -1
		}
	}
	return squares
}

// perReward returns how many trials form one reward of a counted objective.
func (o *Objective) perReward() int {
	if o.Noise.Evaluable != "" {
		return 1
	}
	return int(math.Round(o.trials()))
}
