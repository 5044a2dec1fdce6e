package problem

import (
	"cmp"
	"slices"
	"time"
)

// Problem is the contents of a problem file with its tables. Programs may also fill in a Problem
// without a file. Without a file, set Candidates.Names instead of Candidates.File and, for
// features, Candidates.Features; Validate reports errors.
type Problem struct {
	// Title is a one-line name of the campaign for reports and pages.
	Title string `toml:"title" json:"title,omitempty"`
	// If Independent is true, the noise of different objectives in one measurement is independent,
	// which makes bounds narrower. If Independent is false, bounds hold for any correlation of the
	// noise.
	Independent bool `toml:"independent" json:"independent,omitempty"`
	// If Protocol is "frozen", changes of candidates or results require a reason after the first
	// result, and also a second person after the end of the campaign. An empty Protocol requires
	// neither.
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

// Frozen is the value of Problem.Protocol that requires a reason and a second person for changes
// after the end of the campaign.
const Frozen = "frozen"

// The following constants are the values of Question.Find.
const (
	FindBest     = "best"     // the best candidate
	FindTop      = "top"      // the best Count candidates
	FindGood     = "good"     // all candidates within the tolerance of the best
	FindPareto   = "pareto"   // the candidates that no other candidate beats in every objective
	FindFeasible = "feasible" // the candidates that meet all bounds
)

var finds = []string{FindBest, FindTop, FindGood, FindPareto, FindFeasible}

// Question asks which of the candidates that meet all bounds are best, or which candidates meet all
// bounds.
type Question struct {
	// Find is "best", "top", "good", "pareto" or "feasible".
	Find string `toml:"find" json:"find"`
	// Delta is the error probability, above 0 and below 1/2.
	Delta float64 `toml:"delta" json:"delta"`
	// Count is the number of candidates for the question "top".
	Count int `toml:"count" json:"count,omitempty"`
}

// Candidates describes the options among which the question asks for the best.
type Candidates struct {
	// File is the name of a table with one candidate in each row.
	File string `toml:"file" json:"-"`
	// Column is the column with the candidates' names in File and, optionally, in tables of
	// results; empty means the first column.
	Column string `toml:"column" json:"column,omitempty"`
	// Names are the names of the candidates, set by the program or read from File.
	Names []string `toml:"names" json:"names"`
	// FeatureColumns are numeric columns; the means of the objectives depend linearly on their
	// values. CategoryColumns are columns of texts; each distinct value becomes an indicator
	// feature.
	FeatureColumns  []string `toml:"features" json:"feature_columns,omitempty"`
	CategoryColumns []string `toml:"categories" json:"category_columns,omitempty"`
	// Cost is the column with the cost of one measurement of the candidate, and CostUnit is the
	// unit of costs, such as EUR or h. Methods that can use costs minimise the total cost instead
	// of the number of measurements. An empty Cost means equal costs.
	Cost     string `toml:"cost" json:"cost_column,omitempty"`
	CostUnit string `toml:"cost_unit" json:"cost_unit,omitempty"`

	// If Join is true, candidates may join or leave during the campaign. With Join, part of the
	// error probability is reserved for newcomers, and the default method is one whose verdicts
	// remain valid after changes. Without Join, a betting method restarts when candidates join or
	// leave.
	Join bool `toml:"join" json:"join,omitempty"`

	// Separator is the cell separator in File, or empty for a comma; worksheets have the same
	// separator.
	Separator string `toml:"-" json:"separator,omitempty"`
	// Features are the feature values of each candidate: a constant 1, the numbers, and an
	// indicator for each category value. FeatureNames are the names of the features.
	Features [][]float64 `toml:"-" json:"features,omitempty"`
	// Costs has the cost of one measurement of each candidate; it is nil without a cost column.
	Costs        []float64 `toml:"-" json:"costs,omitempty"`
	FeatureNames []string  `toml:"-" json:"feature_names,omitempty"`

	// Shares is the number of candidates, including expected newcomers, that share the error
	// probability; 0 in campaigns created before this field existed. Ever is the number of
	// candidates that were ever in the campaign; 0 means that no candidate joined or left.
	Shares int `toml:"-" json:"shares,omitempty"`
	Ever   int `toml:"-" json:"ever,omitempty"`

	// Later is the part of the error probability that is reserved for newcomers or restarts; 0 in
	// campaigns created before this field existed. Begun counts restarts of the method after the
	// first result.
	Later float64 `toml:"-" json:"later,omitempty"`
	Begun int     `toml:"-" json:"-"`
}

// The following constants are the values of Objective.Goal.
const (
	Maximise = "maximise"
	Minimise = "minimise"
	Bounded  = "bounded" // the objective is not maximised or minimised: only its bounds matter
)

var goals = []string{Maximise, Minimise, Bounded}

// Objective is a property that is measured, or known, for every candidate.
type Objective struct {
	// Name is the name of the objective, and the heading of its column in tables of results.
	Name string `toml:"name" json:"name"`
	// Unit is the unit of the values, such as %, °C or EUR.
	Unit string `toml:"unit" json:"unit,omitempty"`
	// Goal is "maximise" (the default), "minimise", or "bounded" if only the bounds of the
	// objective matter.
	Goal string `toml:"goal" json:"goal"`
	// Noise describes how measurements scatter about the mean of a candidate.
	Noise Noise `toml:"noise" json:"noise"`
	// If Known is true, the values of the objective are known exactly, as for prices. Known values
	// come from the column Column of the candidate table.
	Known bool `toml:"known" json:"known,omitempty"`
	// Column is the column of known values; empty means Name.
	Column string `toml:"column" json:"column,omitempty"`
	// Values are the smallest and the largest possible measurement; measurements outside are
	// rejected as typing errors.
	Values []float64 `toml:"values" json:"values,omitempty"`
	// AtLeast and AtMost are bounds on the mean of a candidate.
	AtLeast *float64 `toml:"at_least" json:"at_least,omitempty"`
	AtMost  *float64 `toml:"at_most" json:"at_most,omitempty"`
	// Tolerance is a difference that does not matter to the user: a candidate worse than the best
	// by less than Tolerance may be in the answer.
	Tolerance float64 `toml:"tolerance" json:"tolerance,omitempty"`
	// TolerancePercent is a tolerance in per cent of the best mean, for the question "good". For
	// example, 10 asks for all candidates whose mean is at least 90 % of the best mean. With
	// TolerancePercent, means must be positive and larger must be better.
	TolerancePercent float64 `toml:"tolerance_percent" json:"tolerance_percent,omitempty"`
	// Slack is a violation of the bounds that does not matter to the user.
	Slack float64 `toml:"slack" json:"slack,omitempty"`
	// Weight is the value of one unit of the objective in the sum that "best" or "top" maximises;
	// nil means 1.
	Weight *float64 `toml:"weight" json:"weight,omitempty"`
	// Norm is an upper bound on the Euclidean norm of the coefficients of the features (without
	// features, of the means), in the unit of the objective. Methods that assume a bound on the
	// norm require Norm; if Norm is too small, their answers may be wrong.
	Norm float64 `toml:"norm" json:"norm,omitempty"`
	// For an objective with counts, Amounts says whether bounds, tolerance, slack, weight, norm and
	// guesses are counts (default) or rates from 0 to 1.
	Amounts string `toml:"amounts" json:"amounts,omitempty"`
	// Guess is the column of File with guessed means, which only plans use. GuessSD is a guess of
	// the standard deviation of bounded measurements, which only plans use.
	Guess   string  `toml:"guess" json:"-"`
	GuessSD float64 `toml:"guess_sd" json:"guess_sd,omitempty"`

	// Exact has the known values, and Guesses has the guessed means, of each candidate.
	Exact   []float64 `toml:"-" json:"exact,omitempty"`
	Guesses []float64 `toml:"-" json:"guesses,omitempty"`
}

// The following constants are the values of Objective.Amounts.
const (
	AmountCounts = "counts" // amounts of objectives with counts are in the units of results
	AmountRates  = "rates"  // amounts of objectives with counts are successes divided by trials
)

// Label returns the name of the objective with the unit of its means, such as "yield [%]" or
// "responses [rate]".
func (o *Objective) Label() string {
	switch {
	case o.Noise.Counts != nil:
		return o.Name + " [rate]"
	case o.Unit == "":
		return o.Name
	}
	return o.Name + " [" + o.Unit + "]"
}

// Noise describes how measurements scatter about the mean of a candidate. Exactly one of SD, Range,
// Counts and Pilot must be set; Evaluable and Of may accompany Counts.
type Noise struct {
	// SD is the standard deviation of Gaussian noise, equal for all candidates.
	SD *float64 `toml:"sd" json:"sd,omitempty"`
	// Range is the smallest and the largest possible value; within this range, the noise may have
	// any distribution.
	Range []float64 `toml:"range" json:"range,omitempty"`
	// Counts is the number of independent trials in one measurement, whose result is the number of
	// successes; means and intervals are rates.
	Counts *int `toml:"counts" json:"counts,omitempty"`
	// Evaluable is the result column with the number of evaluable trials, for measurements that can
	// have fewer than Counts. With Evaluable, methods learn from single trials; without Evaluable,
	// all trials are evaluable.
	Evaluable string `toml:"evaluable" json:"evaluable,omitempty"`
	// Of is the word for trials, such as "patients"; empty means "trials".
	Of string `toml:"of" json:"of,omitempty"`
	// Pilot describes replicates from which the standard deviation of Gaussian noise is estimated.
	Pilot *NoisePilot `toml:"pilot" json:"pilot,omitempty"`
}

// NoisePilot is an estimate of a standard deviation from replicates: earlier replicates, or the
// first Rewards measurements of each candidate in the campaign. The policy uses an upper confidence
// bound on the standard deviation, which fails with probability Delta, a part of Question.Delta.
type NoisePilot struct {
	// Rewards is the number of initial measurements per candidate that estimate the noise; 0 if the
	// noise was estimated before the campaign. With Rewards, Objective.Values is required, and SD
	// is only a guess for planning.
	Rewards int `toml:"rewards" json:"rewards,omitempty"`
	// SD is the pooled standard deviation of the replicates. DF is the degrees of freedom of SD:
	// the number of measurements minus the number of candidates. If the problem has a Pilot with a
	// file, SD and DF are computed from that file.
	SD float64 `toml:"sd" json:"sd"`
	DF int     `toml:"df" json:"df"`
	// Delta is the probability that the true standard deviation exceeds its upper confidence bound.
	Delta float64 `toml:"delta" json:"delta"`
}

// Constraint is a bound on a weighted sum of objectives.
type Constraint struct {
	// Name is the name of the constraint in reasons; if Name is empty, reasons show the inequality.
	Name string `toml:"name" json:"name,omitempty"`
	// Terms maps the name of each objective in the sum to its weight.
	Terms map[string]float64 `toml:"terms" json:"terms"`
	// AtLeast and AtMost are the bounds on the sum; nil means no bound.
	AtLeast *float64 `toml:"at_least" json:"at_least,omitempty"`
	AtMost  *float64 `toml:"at_most" json:"at_most,omitempty"`
	// Slack is a violation of the constraint that does not matter to the user.
	Slack float64 `toml:"slack" json:"slack,omitempty"`
}

// Pilot is a table of earlier measurements with one measurement per row, and columns for the
// candidate and the objectives. A pilot estimates unknown standard deviations, and provides means
// for planning.
type Pilot struct {
	// File is the name of the table.
	File string `toml:"file" json:"-"`
	// Column is the column with the names of the candidates. If Column is empty, the names are in
	// the column with the heading of the candidate table's name column, or in the first column.
	Column string `toml:"column" json:"-"`

	// N and Means are the number of measurements and the means in the file, by objective and
	// candidate, in the user's units. If a candidate has no measurements in the file, its mean is
	// 0.
	N     [][]int     `toml:"-" json:"n"`
	Means [][]float64 `toml:"-" json:"means"`
	// SD and DF are the pooled standard deviation of each objective and the degrees of freedom of
	// this standard deviation.
	SD []float64 `toml:"-" json:"sd"`
	DF []int     `toml:"-" json:"df"`
}

// Method describes how the campaign selects the candidates to measure.
type Method struct {
	// Name is the name of a policy in the catalogue, which 'purexp list methods' lists; empty means
	// the recommended policy.
	Name string `toml:"name" json:"name,omitempty"`
	// Seed is the seed of the method's random choices.
	Seed uint64 `toml:"seed" json:"seed,omitempty"`
	// Radius is the name of the confidence radius, for methods with a choice; Radii lists the
	// names. An empty Radius selects the narrowest radius that is valid for the declared noise.
	Radius string `toml:"radius" json:"radius,omitempty"`
	// If Confirm is true, a few measurements of the best candidates test an answer that relies on
	// features, or on very few replicates. A nil Confirm means true.
	Confirm *bool `toml:"confirm" json:"confirm,omitempty"`
	// Overlap has no effect; the field exists so that files of earlier versions can be read.
	Overlap bool `toml:"overlap" json:"overlap,omitempty"`
	// Budget is the number of measurements of a fixed-budget method. A campaign copies
	// Laboratory.Measurements to Budget at the start, and never changes Budget.
	Budget int `toml:"-" json:"budget,omitempty"`
}

// Laboratory describes how measurements are made; it does not affect the guarantee.
type Laboratory struct {
	// Plate is the number of measurements made together; zero means 1.
	Plate int `toml:"plate" json:"plate,omitempty"`
	// If Fill is true, free wells of a plate are filled with replicates of open candidates. Fill
	// requires an any-sampling method or a method with overlapping rounds.
	Fill bool `toml:"fill" json:"fill,omitempty"`
	// Reference is a candidate or a control that is measured in ReferenceWells wells of each plate.
	// Results of the reference are used only to monitor plates and drift; empty means no reference.
	Reference string `toml:"reference" json:"reference,omitempty"`
	// ReferenceWells is the number of reference wells of a plate; zero means 1.
	ReferenceWells int `toml:"reference_wells" json:"reference_wells,omitempty"`
	// AtOnce is the number of plates in progress at the same time; zero means 1.
	AtOnce int `toml:"at_once" json:"at_once,omitempty"`
	// Days is the time in days that a plate takes; zero means 1.
	Days float64 `toml:"days" json:"days,omitempty"`
	// Failures is the expected fraction of measurements without a result.
	Failures float64 `toml:"failures" json:"failures,omitempty"`
	// Late is the expected fraction of results that arrive with a later plate.
	Late float64 `toml:"late" json:"late,omitempty"`
	// LateBy is the delay of late results in plates; zero means 1.
	LateBy int `toml:"late_by" json:"late_by,omitempty"`
	// Expire is an age, such as "2h" or "30m", from which an open ticket counts as failed, so that
	// its measurement is requested again. An empty Expire means that tickets never expire.
	Expire string `toml:"expire" json:"expire,omitempty"`
	// Extras is "accept" (the default) or "refuse", for results that the campaign did not request.
	Extras string `toml:"extras" json:"extras,omitempty"`
	// Measurements is the number of measurements that the user can afford, and the budget of
	// fixed-budget methods; zero means not given.
	Measurements int `toml:"measurements" json:"measurements,omitempty"`
}

// AcceptsExtras reports whether the campaign accepts results that it did not request.
func (l Laboratory) AcceptsExtras() bool { return l.Extras != RefuseExtras }

// Expires returns the age from which an open ticket counts as failed, or 0 if tickets never expire.
func (l Laboratory) Expires() time.Duration {
	d, _ := time.ParseDuration(l.Expire) // an error is impossible, because Validate has checked the text
	return d
}

// The following constants are the values of Laboratory.Extras.
const (
	AcceptExtras = "accept"
	RefuseExtras = "refuse"
)

// Wells returns the number of wells of a plate, at least 1.
func (l Laboratory) Wells() int { return max(l.Plate, 1) }

// References returns the number of reference wells on a plate with n wells. References returns 0 if
// there is no reference, or if no well would remain for candidates.
func (l Laboratory) References(n int) int {
	if wells := max(l.ReferenceWells, 1); l.Reference != "" && wells < n {
		return wells
	}
	return 0
}

// Free returns the number of wells on a plate that are not for the reference.
func (l Laboratory) Free() int { return l.Wells() - l.References(l.Wells()) }

// DaysOf returns the number of days for a number of plates, with AtOnce plates in progress at a
// time.
func (l Laboratory) DaysOf(plates float64) float64 {
	return l.DaysIn(plates / float64(max(l.AtOnce, 1)))
}

// DaysIn returns the number of days for a number of plates made one after another.
func (l Laboratory) DaysIn(plates float64) float64 {
	if l.Days == 0 {
		return plates
	}
	return plates * l.Days
}

// Price formats a cost with its unit, such as "120 EUR".
func (c *Candidates) Price(x float64) string {
	return decimal(x) + " " + cmp.Or(c.CostUnit, c.Cost)
}

// K returns the number of candidates.
func (p *Problem) K() int { return len(p.Candidates.Names) }

// Objective returns the index of the named objective, or -1.
func (p *Problem) Objective(name string) int {
	return slices.IndexFunc(p.Objectives, func(o Objective) bool { return o.Name == name })
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

// Numbers maps the name of each candidate to its index.
func (p *Problem) Numbers() map[string]int {
	by := make(map[string]int, p.K())
	for i, name := range p.Candidates.Names {
		by[name] = i
	}
	return by
}

// Candidate returns the index of the candidate with the given name, compared in the form of
// [Normal], or -1.
func (p *Problem) Candidate(name string) int {
	return slices.Index(p.Candidates.Names, Normal(name))
}
