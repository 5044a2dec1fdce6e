package problem

import "strings"

// noise checks that the noise of a measured objective is declared consistently.
func (c *checker) noise(field string, o *Objective) {
	n := o.Noise
	stated := 0
	for _, given := range []bool{n.SD != nil, n.Range != nil, n.Counts != nil, n.Pilot != nil} {
		if given {
			stated++
		}
	}
	if stated != 1 {
		what := "missing"
		if stated > 1 {
			what = "several kinds are given"
		}
		c.wrong(field, "%s; expected one of { sd = 2.0 } (Gaussian, with this standard deviation), { range = [0, "+
			"100] } (bounded, otherwise unknown), { counts = 50 } (successes in 50 trials) or { pilot = { delta = "+
			"0.01 } } (Gaussian, with a standard deviation that a pilot estimates)", what)
		return
	}
	switch {
	case n.SD != nil:
		c.scale(field+".sd", *n.SD)
	case n.Range != nil:
		if c.interval(field+".range", n.Range) {
			c.scale(field+".range", (n.Range[1]-n.Range[0])/2)
		}
	case n.Counts != nil:
		if *n.Counts < 1 || *n.Counts > 1e9 {
			c.wrong(field+".counts", "%d; expected a number of trials from 1 to 1e9", *n.Counts)
		}
	case n.Pilot != nil:
		c.pilot(field+".pilot", o)
	}
}

func (c *checker) guessSD(field string, o *Objective) {
	switch {
	case o.GuessSD == 0:
	case len(o.Noise.Range) != 2:
		c.wrong(field, "%v, but only noise = { range = ... } uses guess_sd; state the sd of other noise in the field "+
			"noise", o.GuessSD).on(strings.TrimSuffix(field, "guess_sd") + "noise")
	case !(o.GuessSD > 0) || o.GuessSD > (o.Noise.Range[1]-o.Noise.Range[0])/2:
		c.wrong(field, "%v; expected a positive number, at most half the range", o.GuessSD)
	}
}

func (c *checker) scale(field string, sd float64) {
	if !(sd >= 1/largest) || !usual(sd) {
		c.wrong(field, "%v; expected a positive scale of the noise, in the unit of the objective; for values without "+
			"noise, set known = true", sd)
	}
}

func (c *checker) pilot(field string, o *Objective) {
	q := o.Noise.Pilot
	switch {
	case q.Delta == 0:
		c.wrong(field+".delta", "missing; state the probability that the upper bound on the standard deviation is "+
			"too small, as a part of the question's delta; use, for example, a tenth, delta = "+
			"%.3g", c.p.Question.Delta/10)
	case !(q.Delta >= leastDelta && q.Delta < .5):
		c.wrong(field+".delta", "%v; expected a probability above 0 and below 1/2", q.Delta)
	}
	switch {
	case q.Rewards != 0:
		c.begins(field, o)
	case q.SD == 0 && q.DF == 0 && c.p.Pilot == nil:
		c.wrong(field, "the estimate is missing; give the pooled standard deviation of replicates and its degrees of "+
			"freedom (measurements minus candidates), { sd = 1.9, df = 12, delta = 0.01 }; name a table of "+
			"measurements, [pilot] file = \"pilot.csv\"; or begin the campaign with a pilot, { rewards = 4, delta = "+
			"0.01 }").on("pilot")
	case q.DF < 1 || q.DF > 1e9:
		c.wrong(field+".df", "%d degrees of freedom; expected at least 1: measure a candidate "+
			"twice, or better, make ten more measurements than candidates", q.DF).on("pilot")
	default:
		c.scale(field+".sd", q.SD)
	}
}

// begins checks a pilot that consists of the first measurements of the campaign.
func (c *checker) begins(field string, o *Objective) {
	q := o.Noise.Pilot
	switch {
	case q.Rewards < 2 || q.Rewards > 10_000:
		c.wrong(field+".rewards", "%d; expected 2 to 10000 measurements of each candidate, because a single "+
			"measurement does not show the noise", q.Rewards)
	case q.DF != 0:
		c.wrong(field+".df", "given, but the campaign begins with a pilot; remove df or rewards")
	case q.SD < 0 || !usual(q.SD):
		c.wrong(field+".sd", "%v; expected a guess of the standard deviation, at least 0", q.SD)
	case len(o.Values) != 2:
		c.wrong(field, "the objective needs values = [least, largest], the range of all possible measurements, "+
			"because the noise is not known yet").
			on(strings.TrimSuffix(field, "noise.pilot") + "values")
	}
	for i := range c.p.Objectives {
		other := &c.p.Objectives[i]
		if n := other.Noise; !other.Known && (n.Range != nil || n.Counts != nil) {
			c.wrong(field, "a pilot at the start needs Gaussian noise of all objectives, but the noise of %q is "+
				"bounded; state a standard deviation instead", other.Name)
		}
	}
}
