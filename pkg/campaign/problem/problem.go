package problem

import (
	"cmp"
	"time"
)

// A Problem is a problem file with its tables. A program can also fill it in; then Candidates.Names
// and, with features, Candidates.Features replace Candidates.File, and Validate reports errors.
type Problem struct {
	// Title is a line for reports and pages.
	Title string `toml:"title" json:"title,omitempty"`
	// Independent declares that the noise of different objectives in one measurement is
	// independent, which makes bounds narrower. Otherwise they hold for any correlation.
	Independent bool `toml:"independent" json:"independent,omitempty"`
	// Protocol is frozen if changes of candidates or results after the end need a reason and the
	// name of a second person. Empty means that they do not.
	Protocol string `toml:"protocol" json:"protocol,omitempty"`

	Question    Question     `toml:"question" json:"question"`
	Candidates  Candidates   `toml:"candidates" json:"candidates"`
	Objectives  []Objective  `toml:"objective" json:"objective"`
	Constraints []Constraint `toml:"constraint" json:"constraint,omitempty"`
	Pilot       *Pilot       `toml:"pilot" json:"pilot,omitempty"`
	Method      Method       `toml:"method" json:"method"`
	Laboratory  Laboratory   `toml:"laboratory" json:"laboratory"`

	source *source
}

// Frozen is the protocol whose changes after the end need a reason and a second person.
const Frozen = "frozen"

// The values of Question.Find.
const (
	FindBest     = "best"     // the best candidate
	FindTop      = "top"      // the best Count candidates
	FindGood     = "good"     // all candidates within the tolerance of the best
	FindPareto   = "pareto"   // the candidates that no other candidate beats in every objective
	FindFeasible = "feasible" // the candidates that meet all bounds
)

var finds = []string{FindBest, FindTop, FindGood, FindPareto, FindFeasible}

// A Question is about the candidates that meet all bounds.
type Question struct {
	// Find is best, top, good, pareto or feasible.
	Find string `toml:"find" json:"find"`
	// Delta is the error probability, above 0 and below 1/2.
	Delta float64 `toml:"delta" json:"delta"`
	// Count is the number of candidates for "top".
	Count int `toml:"count" json:"count,omitempty"`
}

// Candidates are the options.
type Candidates struct {
	// File is a table with one candidate a row.
	File string `toml:"file" json:"-"`
	// Column has the names of the candidates in File and optionally in tables of results. Empty
	// means the first column.
	Column string `toml:"column" json:"column,omitempty"`
	// Names are the candidates, given or read from File.
	Names []string `toml:"names" json:"names"`
	// FeatureColumns are numeric columns on which means depend linearly, and CategoryColumns
	// columns with one indicator for each value.
	FeatureColumns  []string `toml:"features" json:"feature_columns,omitempty"`
	CategoryColumns []string `toml:"categories" json:"category_columns,omitempty"`
	// Cost is the column with the cost of one measurement of a candidate, and CostUnit its unit,
	// such as EUR or h. Methods that use costs reduce the total cost. Empty means equal costs.
	Cost     string `toml:"cost" json:"cost_column,omitempty"`
	CostUnit string `toml:"cost_unit" json:"cost_unit,omitempty"`

	// Join declares that candidates may join or leave during the campaign. A part of the error
	// probability is then reserved, and the default method is one whose verdicts remain valid.
	// Otherwise a betting method restarts.
	Join bool `toml:"join" json:"join,omitempty"`

	// Separator is the cell separator of File unless it is a comma. Worksheets use the same one.
	Separator string `toml:"-" json:"separator,omitempty"`
	// Features are the features of each candidate: a constant 1, the numbers, an indicator of each
	// category value. FeatureNames are their names.
	Features [][]float64 `toml:"-" json:"features,omitempty"`
	// Costs are the costs of a measurement of each candidate; nil without a cost column.
	Costs        []float64 `toml:"-" json:"costs,omitempty"`
	FeatureNames []string  `toml:"-" json:"feature_names,omitempty"`

	// Shares is the number of candidates, including expected newcomers, that share the error
	// probability; 0 in campaigns older than this field. Ever is how many there have been, 0 if
	// none has joined or left.
	Shares int `toml:"-" json:"shares,omitempty"`
	Ever   int `toml:"-" json:"ever,omitempty"`

	// Later is the part of the error probability reserved for newcomers or restarts; 0 in campaigns
	// older than this field. Begun is the number of restarts after the first result.
	Later float64 `toml:"-" json:"later,omitempty"`
	Begun int     `toml:"-" json:"-"`
}

// Goals of objectives.
const (
	Maximise = "maximise"
	Minimise = "minimise"
	Bounded  = "bounded" // only its bounds matter
)

var goals = []string{Maximise, Minimise, Bounded}

// An Objective is a property that is measured, or known, for every candidate.
type Objective struct {
	// Name is its name, and its column in tables of results.
	Name string `toml:"name" json:"name"`
	// Unit is the unit of its numbers, such as %, °C or EUR.
	Unit string `toml:"unit" json:"unit,omitempty"`
	// Goal is maximise (the default), minimise, or bounded if only bounds matter.
	Goal string `toml:"goal" json:"goal"`
	// Noise describes how measurements scatter about the mean of the candidate.
	Noise Noise `toml:"noise" json:"noise"`
	// Known says that the values are known exactly, such as prices. They are read from the file
	// of candidates, in the column that Column names.
	Known bool `toml:"known" json:"known,omitempty"`
	// Column is the column of known values. Empty means Name.
	Column string `toml:"column" json:"column,omitempty"`
	// Values are the least and the largest possible measurement. Others are rejected as slips.
	Values []float64 `toml:"values" json:"values,omitempty"`
	// AtLeast and AtMost are bounds on the mean.
	AtLeast *float64 `toml:"at_least" json:"at_least,omitempty"`
	AtMost  *float64 `toml:"at_most" json:"at_most,omitempty"`
	// Tolerance is a difference that does not matter: a candidate that is worse by less may be in
	// the answer.
	Tolerance float64 `toml:"tolerance" json:"tolerance,omitempty"`
	// TolerancePercent is the same in per cent of the best mean, for "good": 10 asks for all
	// candidates whose mean is at least 90 % of the best one. Means must be positive, and larger
	// must be better.
	TolerancePercent float64 `toml:"tolerance_percent" json:"tolerance_percent,omitempty"`
	// Slack is a violation of a bound that does not matter.
	Slack float64 `toml:"slack" json:"slack,omitempty"`
	// Weight is the value of one unit if "best" and "top" add up objectives. Nil means 1.
	Weight *float64 `toml:"weight" json:"weight,omitempty"`
	// Norm bounds the Euclidean norm of the coefficients of the features, in the unit; without
	// features, of the means. Methods that assume such a bound require it; if it is too small,
	// their answers may be wrong.
	Norm float64 `toml:"norm" json:"norm,omitempty"`
	// Amounts is the meaning of bounds, tolerance, slack, weight, norm and guesses of counted
	// successes: rates, from 0 to 1, or counts (the default).
	Amounts string `toml:"amounts" json:"amounts,omitempty"`
	// Guess is the column of File with guessed means, and GuessSD a guessed standard deviation of
	// bounded measurements, for planning.
	Guess   string  `toml:"guess" json:"-"`
	GuessSD float64 `toml:"guess_sd" json:"guess_sd,omitempty"`

	// Exact are the known values and Guesses the guessed means, by candidate.
	Exact   []float64 `toml:"-" json:"exact,omitempty"`
	Guesses []float64 `toml:"-" json:"guesses,omitempty"`
}

// The values of Objective.Amounts.
const (
	AmountCounts = "counts" // in the units of results
	AmountRates  = "rates"  // successes divided by trials
)

// Label returns the name with the unit of means: "yield [%]", "responses [rate]".
func (o *Objective) Label() string {
	switch {
	case o.Noise.Counts != nil:
		return o.Name + " [rate]"
	case o.Unit == "":
		return o.Name
	}
	return o.Name + " [" + o.Unit + "]"
}

// Axis returns the label for an axis, which says if less is better.
func (o *Objective) Axis() string {
	if o.Goal == Minimise {
		return o.Label() + ", less is better"
	}
	return o.Label()
}

// Noise describes how measurements scatter about the mean of their candidate. Exactly one field is
// set.
type Noise struct {
	// SD is the standard deviation of Gaussian noise, equal for all candidates.
	SD *float64 `toml:"sd" json:"sd,omitempty"`
	// Range is the least and the largest possible value. Nothing else is assumed.
	Range []float64 `toml:"range" json:"range,omitempty"`
	// Counts is the number of independent trials behind a number of successes. Means and intervals
	// are shown as rates.
	Counts *int `toml:"counts" json:"counts,omitempty"`
	// Evaluable is the column of results with the number of evaluable trials, if that can be fewer
	// than Counts. Methods then learn single trials. Empty means all.
	Evaluable string `toml:"evaluable" json:"evaluable,omitempty"`
	// Of is the name of trials, such as patients. Empty means trials.
	Of string `toml:"of" json:"of,omitempty"`
	// Pilot says that the standard deviation of Gaussian noise is estimated.
	Pilot *NoisePilot `toml:"pilot" json:"pilot,omitempty"`
}

// A NoisePilot is an estimate of a standard deviation from replicates: earlier ones, or the first
// Rewards measurements of each candidate in the campaign. The policy uses an upper confidence
// bound, which fails with probability Delta, a part of Question.Delta.
type NoisePilot struct {
	// Rewards is the number of initial measurements of each candidate that estimate the noise; 0 if
	// it was estimated before. Objective.Values are then required, and SD is a guess for planning.
	Rewards int `toml:"rewards" json:"rewards,omitempty"`
	// SD is the pooled standard deviation of the replicates, and DF its degrees of freedom:
	// measurements less candidates. Both are computed if the problem has a Pilot with a file.
	SD float64 `toml:"sd" json:"sd"`
	DF int     `toml:"df" json:"df"`
	// Delta is the probability that the standard deviation exceeds the bound.
	Delta float64 `toml:"delta" json:"delta"`
}

// A Constraint is a bound on a weighted sum of objectives.
type Constraint struct {
	// Name is its name in reasons. Empty means the inequality.
	Name string `toml:"name" json:"name,omitempty"`
	// Terms are the weights of objectives, by name.
	Terms   map[string]float64 `toml:"terms" json:"terms"`
	AtLeast *float64           `toml:"at_least" json:"at_least,omitempty"`
	AtMost  *float64           `toml:"at_most" json:"at_most,omitempty"`
	// Slack is a violation that does not matter.
	Slack float64 `toml:"slack" json:"slack,omitempty"`
}

// A Pilot is a table of earlier measurements, one a row, with columns for the candidate and the
// objectives. It estimates unknown standard deviations, and serves planning.
type Pilot struct {
	File string `toml:"file" json:"-"`
	// Column has the names of the candidates. Empty means the column with the names in the table of
	// candidates, or the first one.
	Column string `toml:"column" json:"-"`

	// From the file: the number of measurements and the means, by objective and candidate, in the
	// user's units; 0 without measurements.
	N     [][]int     `toml:"-" json:"n"`
	Means [][]float64 `toml:"-" json:"means"`
	// SD and DF are the pooled standard deviation of each objective and its degrees of freedom.
	SD []float64 `toml:"-" json:"sd"`
	DF []int     `toml:"-" json:"df"`
}

// A Method selects the candidates to measure.
type Method struct {
	// Name is the name of a policy of the catalogue, see 'purexp list methods'. Empty means the
	// recommended one.
	Name string `toml:"name" json:"name,omitempty"`
	// Seed is the seed of its random choices.
	Seed uint64 `toml:"seed" json:"seed,omitempty"`
	// Radius selects the confidence intervals, for methods with a choice: one of Radii. Empty means
	// the narrowest that holds for the declared noise.
	Radius string `toml:"radius" json:"radius,omitempty"`
	// Confirm says whether a few measurements of its candidates and their closest rivals confirm an
	// answer that rests on features or on hardly any replicates. The default is yes.
	Confirm *bool `toml:"confirm" json:"confirm,omitempty"`
	// Overlap is ignored. Files of earlier versions have it.
	Overlap bool `toml:"overlap" json:"overlap,omitempty"`
	// Budget is the number of measurements of a fixed-budget method. A campaign takes it from
	// Laboratory.Measurements at the start, and keeps it.
	Budget int `toml:"-" json:"budget,omitempty"`
}

// A Laboratory describes how measurements are made. It does not affect the guarantee.
type Laboratory struct {
	// Plate is the number of measurements made together. Zero means 1.
	Plate int `toml:"plate" json:"plate,omitempty"`
	// Fill fills free wells of a plate with replicates of open candidates. It needs a method for
	// any sampling or with overlapping rounds.
	Fill bool `toml:"fill" json:"fill,omitempty"`
	// Reference is a candidate or a control measured in ReferenceWells wells of each plate, for the
	// monitors of plates and drift only. Empty means none.
	Reference string `toml:"reference" json:"reference,omitempty"`
	// ReferenceWells is the number of reference wells of a plate. Zero means 1.
	ReferenceWells int `toml:"reference_wells" json:"reference_wells,omitempty"`
	// AtOnce is the number of plates out at the same time. Zero means 1.
	AtOnce int `toml:"at_once" json:"at_once,omitempty"`
	// Days is the time of a plate in days. Zero means 1.
	Days float64 `toml:"days" json:"days,omitempty"`
	// Failures is the fraction of measurements without a result.
	Failures float64 `toml:"failures" json:"failures,omitempty"`
	// Late is the fraction of results that come with a later plate.
	Late float64 `toml:"late" json:"late,omitempty"`
	// LateBy is the number of plates by which they are late. Zero means 1.
	LateBy int `toml:"late_by" json:"late_by,omitempty"`
	// Expire is how long a ticket may be out, such as "2h" or "30m", before it counts as failed and
	// its measurement is requested again. Empty means for ever.
	Expire string `toml:"expire" json:"expire,omitempty"`
	// Extras says whether unsolicited results are accepted: accept (the default) or refuse.
	Extras string `toml:"extras" json:"extras,omitempty"`
	// Measurements is the affordable number of measurements, and the budget of fixed-budget
	// methods. Zero means that none is given.
	Measurements int `toml:"measurements" json:"measurements,omitempty"`
}

// AcceptsExtras reports whether unsolicited results are accepted.
func (l Laboratory) AcceptsExtras() bool { return l.Extras != RefuseExtras }

// Expires returns how long a ticket may be out; 0 means for ever.
func (l Laboratory) Expires() time.Duration {
	d, _ := time.ParseDuration(l.Expire) // checked by Validate
	return d
}

// The values of Laboratory.Extras.
const (
	AcceptExtras = "accept"
	RefuseExtras = "refuse"
)

// Wells returns the number of wells of a plate.
func (l Laboratory) Wells() int { return max(l.Plate, 1) }

// References returns the number of reference wells on a plate with n wells: 0 without a reference,
// and if no other well would remain.
func (l Laboratory) References(n int) int {
	if wells := max(l.ReferenceWells, 1); l.Reference != "" && wells < n {
		return wells
	}
	return 0
}

// Free returns the number of wells of a plate that are not for the reference.
func (l Laboratory) Free() int { return l.Wells() - l.References(l.Wells()) }

// DaysOf returns the days of a number of plates, AtOnce at a time.
func (l Laboratory) DaysOf(plates float64) float64 {
	return l.DaysIn(plates / float64(max(l.AtOnce, 1)))
}

// DaysIn returns the days of a number of consecutive plates.
func (l Laboratory) DaysIn(plates float64) float64 {
	if l.Days == 0 {
		return plates
	}
	return plates * l.Days
}

// Price formats a cost: "120 EUR".
func (c *Candidates) Price(x float64) string {
	return decimal(x) + " " + cmp.Or(c.CostUnit, c.Cost)
}

// K returns the number of candidates.
func (p *Problem) K() int { return len(p.Candidates.Names) }

// Objective returns the index of the named objective, or -1.
func (p *Problem) Objective(name string) int {
	for c := range p.Objectives {
		if p.Objectives[c].Name == name {
			return c
		}
	}
	return -1
}

// Measured returns the indices of the measured objectives, in order.
func (p *Problem) Measured() []int {
	var m []int
	for c := range p.Objectives {
		if !p.Objectives[c].Known {
			m = append(m, c)
		}
	}
	return m
}

// Numbers returns the indices of the candidates by name.
func (p *Problem) Numbers() map[string]int {
	by := make(map[string]int, p.K())
	for i, name := range p.Candidates.Names {
		by[name] = i
	}
	return by
}

// Candidate returns the index of the candidate with the given name after [Normal], or -1.
func (p *Problem) Candidate(name string) int {
	name = Normal(name)
	for i, n := range p.Candidates.Names {
		if n == name {
			return i
		}
	}
	return -1
}
