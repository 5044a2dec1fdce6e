package problem

import (
	"cmp"
	"time"
)

// A Problem is a problem file with the tables that it names. It can be written in Go as well; then
// Candidates.Names and, where there are features, Candidates.Features are set instead of
// Candidates.File, and Validate says what is wrong with it.
type Problem struct {
	// Title is a line for reports and pages.
	Title string `toml:"title" json:"title,omitempty"`
	// Independent says that the noise of different objectives in one measurement is independent.
	// It makes bounds narrower. Without it they hold whatever the correlation.
	Independent bool `toml:"independent" json:"independent,omitempty"`
	// Protocol is frozen if a change of candidates or of what was told, once the campaign has ended, needs
	// a reason and the name of a second person. Empty means that it does not.
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

// Frozen is the protocol of which changes after the end need a reason and a second person.
const Frozen = "frozen"

// What a question can ask for.
const (
	FindBest     = "best"     // the best candidate
	FindTop      = "top"      // the best Count candidates
	FindGood     = "good"     // all candidates within the tolerance of the best
	FindPareto   = "pareto"   // the candidates that no other one beats in every objective
	FindFeasible = "feasible" // the candidates that keep all bounds
)

var finds = []string{FindBest, FindTop, FindGood, FindPareto, FindFeasible}

// A Question says what is asked about the candidates that keep all bounds.
type Question struct {
	// Find is best, top, good, pareto or feasible.
	Find string `toml:"find" json:"find"`
	// Delta is the probability that the answer may be wrong, above 0 and below 1/2.
	Delta float64 `toml:"delta" json:"delta"`
	// Count is how many candidates "top" asks for.
	Count int `toml:"count" json:"count,omitempty"`
}

// Candidates are the options. Each can be measured.
type Candidates struct {
	// File is a table with one candidate a row.
	File string `toml:"file" json:"-"`
	// Column has the names of the candidates in File, and may have them in tables of results. Empty means the first
	// column.
	Column string `toml:"column" json:"column,omitempty"`
	// Names are the candidates if there is no File, and those of the File once it is read.
	Names []string `toml:"names" json:"names"`
	// FeatureColumns are columns of numbers on which the means depend linearly, and CategoryColumns
	// columns of which each value counts for itself.
	FeatureColumns  []string `toml:"features" json:"feature_columns,omitempty"`
	CategoryColumns []string `toml:"categories" json:"category_columns,omitempty"`
	// Cost is the column of what one measurement of a candidate costs, and CostUnit what that counts,
	// such as EUR or h. Methods that use costs keep the total low, instead of the number of
	// measurements. Empty means that all cost the same.
	Cost     string `toml:"cost" json:"cost_column,omitempty"`
	CostUnit string `toml:"cost_unit" json:"cost_unit,omitempty"`

	// Join says that candidates may join, or leave, while the campaign is under way. A part of the error probability is
	// then set aside for newcomers, and the usual method is one whose verdicts stand. Otherwise a betting method begins
	// anew.
	Join bool `toml:"join" json:"join,omitempty"`

	// Separator is what separates cells in File, where that is no comma: worksheets have the same, so that the
	// spreadsheet that wrote the one opens the other.
	Separator string `toml:"-" json:"separator,omitempty"`
	// Features are the features of each candidate, read from the columns: a constant 1, the
	// numbers, an indicator of each value of the categories. FeatureNames are their names.
	Features [][]float64 `toml:"-" json:"features,omitempty"`
	// Costs are those of a measurement of each candidate, read from the column; nil without one.
	Costs        []float64 `toml:"-" json:"costs,omitempty"`
	FeatureNames []string  `toml:"-" json:"feature_names,omitempty"`

	// Shares is the number of candidates, some to come included, that share the error probability; 0
	// in campaigns that were begun before any were to come. Ever is how many there have been, 0 if
	// none has come or gone.
	Shares int `toml:"-" json:"shares,omitempty"`
	Ever   int `toml:"-" json:"ever,omitempty"`

	// Later is the part of the error probability that is kept for newcomers, and by methods which begin anew when a
	// candidate leaves or joins for all beginnings but the first; 0 in campaigns that were begun before there was such
	// a part. Begun is how often the campaign has begun anew after there were results.
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

// An Objective is something that is measured, or known, of every candidate.
type Objective struct {
	// Name is what it is called everywhere, and its column in tables of results.
	Name string `toml:"name" json:"name"`
	// Unit is what its numbers count, such as %, °C or EUR.
	Unit string `toml:"unit" json:"unit,omitempty"`
	// Goal is maximise (the default), minimise, or bounded if only bounds matter.
	Goal string `toml:"goal" json:"goal"`
	// Noise says how far a measurement may be from the mean of the candidate.
	Noise Noise `toml:"noise" json:"noise"`
	// Known says that the values are known exactly, such as prices, and not measured. They are in
	// Column of the file of candidates.
	Known bool `toml:"known" json:"known,omitempty"`
	// Column is the column of the values that are known. Empty means Name.
	Column string `toml:"column" json:"column,omitempty"`
	// Values are the least and the largest value that a measurement can have. Others are refused
	// as slips.
	Values []float64 `toml:"values" json:"values,omitempty"`
	// AtLeast and AtMost are bounds on the mean of a candidate that is acceptable.
	AtLeast *float64 `toml:"at_least" json:"at_least,omitempty"`
	AtMost  *float64 `toml:"at_most" json:"at_most,omitempty"`
	// Tolerance is the difference that does not matter: a candidate that is worse by less may be in
	// the answer.
	Tolerance float64 `toml:"tolerance" json:"tolerance,omitempty"`
	// TolerancePercent is the same in per cent of the best mean, for "good": 10 asks for all candidates
	// whose mean is at least 90 % of the best one. Means must be positive, and more of it better.
	TolerancePercent float64 `toml:"tolerance_percent" json:"tolerance_percent,omitempty"`
	// Slack is how far outside of a bound a candidate may be without harm.
	Slack float64 `toml:"slack" json:"slack,omitempty"`
	// Weight is what a unit of it is worth, where "best" and "top" add up objectives. Nil means 1.
	Weight *float64 `toml:"weight" json:"weight,omitempty"`
	// Norm bounds the Euclidean norm of the coefficients of the features, in the unit; where
	// candidates have no features, that of the list of their means. Methods that assume such a
	// bound are refused without it: if it is too small, their answers are wrong.
	Norm float64 `toml:"norm" json:"norm,omitempty"`
	// Amounts says what bounds, tolerance, slack, weight, norm and guesses of successes that are counted
	// are: rates, from 0 to 1, or counts, if it is empty.
	Amounts string `toml:"amounts" json:"amounts,omitempty"`
	// Guess is the column of File with guesses of the means, and GuessSD a guess of the standard
	// deviation of bounded measurements, for planning.
	Guess   string  `toml:"guess" json:"-"`
	GuessSD float64 `toml:"guess_sd" json:"guess_sd,omitempty"`

	// Exact are the values that are known, and Guesses those that are guessed, by candidate.
	Exact   []float64 `toml:"-" json:"exact,omitempty"`
	Guesses []float64 `toml:"-" json:"guesses,omitempty"`
}

// What the amounts of an objective can be that counts successes.
const (
	AmountCounts = "counts" // as results are
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

// Axis returns what an axis with its values is called: the label, and what is better if that is
// less.
func (o *Objective) Axis() string {
	if o.Goal == Minimise {
		return o.Label() + ", less is better"
	}
	return o.Label()
}

// Noise says how far a measurement may be from the mean of its candidate. One of its fields is set.
type Noise struct {
	// SD is the standard deviation of Gaussian noise, the same for all candidates.
	SD *float64 `toml:"sd" json:"sd,omitempty"`
	// Range is the least and the largest possible value. Nothing else is assumed.
	Range []float64 `toml:"range" json:"range,omitempty"`
	// Counts is the number of independent trials of which a measurement is the number of successes.
	// Means and intervals are told as rates.
	Counts *int `toml:"counts" json:"counts,omitempty"`
	// Evaluable is the column of results with the number of trials that could be evaluated, where that
	// is not always Counts: 11 of 12. Methods then learn trials, one by one. Empty means all.
	Evaluable string `toml:"evaluable" json:"evaluable,omitempty"`
	// Of is what trials are called, such as patients. Empty means trials.
	Of string `toml:"of" json:"of,omitempty"`
	// Pilot says that the standard deviation of Gaussian noise is not known, but estimated.
	Pilot *NoisePilot `toml:"pilot" json:"pilot,omitempty"`
}

// A NoisePilot is an estimate of a standard deviation from replicates: of earlier ones, or of the
// first Rewards measurements of each candidate in the campaign. The policy is given an upper
// confidence bound on it, which fails with probability Delta: that is part of Question.Delta.
type NoisePilot struct {
	// Rewards is the number of measurements of each candidate with which the campaign begins, to
	// estimate the noise; 0 if it was estimated before. Objective.Values are then needed, and SD is
	// what is expected, for planning.
	Rewards int `toml:"rewards" json:"rewards,omitempty"`
	// SD is the pooled standard deviation of the replicates, and DF its degrees of freedom: the
	// number of measurements less the number of candidates measured. Both are found if the problem
	// has a Pilot with a file.
	SD float64 `toml:"sd" json:"sd"`
	DF int     `toml:"df" json:"df"`
	// Delta is what the bound costs: the probability that the standard deviation is above it.
	Delta float64 `toml:"delta" json:"delta"`
}

// A Constraint is a bound on a weighted sum of objectives.
type Constraint struct {
	// Name is what it is called in reasons. Empty means the inequality itself.
	Name string `toml:"name" json:"name,omitempty"`
	// Terms are the weights of objectives, by name.
	Terms   map[string]float64 `toml:"terms" json:"terms"`
	AtLeast *float64           `toml:"at_least" json:"at_least,omitempty"`
	AtMost  *float64           `toml:"at_most" json:"at_most,omitempty"`
	// Slack is how far outside a candidate may be without harm.
	Slack float64 `toml:"slack" json:"slack,omitempty"`
}

// A Pilot is a table of measurements that were made before: one a row, the candidate in one column
// and objectives in others. It serves for noise of which the standard deviation is not known, and
// for planning.
type Pilot struct {
	File string `toml:"file" json:"-"`
	// Column has the names of the candidates. Empty means the column that has them in the table of candidates, or the
	// first one.
	Column string `toml:"column" json:"-"`

	// Of the file: the number of measurements of each candidate and their means, by objective and
	// candidate, in the user's units; 0 where there are none.
	N     [][]int     `toml:"-" json:"n"`
	Means [][]float64 `toml:"-" json:"means"`
	// SD and DF are the pooled standard deviation of each objective and its degrees of freedom.
	SD []float64 `toml:"-" json:"sd"`
	DF []int     `toml:"-" json:"df"`
}

// A Method says how the candidates to measure are chosen.
type Method struct {
	// Name is that of a policy of the catalogue, see 'purexp list methods'. Empty means the one
	// that suits the question.
	Name string `toml:"name" json:"name,omitempty"`
	// Seed is the seed of its random choices.
	Seed uint64 `toml:"seed" json:"seed,omitempty"`
	// Radius is the width of confidence intervals, for methods that have a choice: one of Radii.
	// Empty means the narrowest that holds for the noise that is declared.
	Radius string `toml:"radius" json:"radius,omitempty"`
	// Confirm says whether an answer is confirmed by a few measurements of its candidates and their
	// closest rivals, where it rests on features or on hardly any replicates. The default is yes.
	Confirm *bool `toml:"confirm" json:"confirm,omitempty"`
	// Overlap is in files of earlier versions, and says nothing: rounds of betting methods overlap.
	Overlap bool `toml:"overlap" json:"overlap,omitempty"`
	// Budget is the number of measurements of a method that spends a fixed one. A campaign takes it
	// from Laboratory.Measurements when it begins, and keeps it.
	Budget int `toml:"-" json:"budget,omitempty"`
}

// A Laboratory says how measurements are made: how many at a time, and how long it takes. It has no
// part in the guarantee.
type Laboratory struct {
	// Plate is the number of measurements that are made together. Zero means 1.
	Plate int `toml:"plate" json:"plate,omitempty"`
	// Fill says that wells of a plate that the method leaves free are filled with replicates of
	// candidates that are still open. It needs a method that learns from any sampling.
	Fill bool `toml:"fill" json:"fill,omitempty"`
	// Reference is what is measured in ReferenceWells wells of each plate, for the monitors of plates
	// and drift alone: a candidate, or a control that is none. Empty means nothing.
	Reference string `toml:"reference" json:"reference,omitempty"`
	// ReferenceWells is the number of wells of a plate that the reference has. Zero means 1.
	ReferenceWells int `toml:"reference_wells" json:"reference_wells,omitempty"`
	// AtOnce is the number of plates that are out at the same time. Zero means 1.
	AtOnce int `toml:"at_once" json:"at_once,omitempty"`
	// Days is the time that a plate takes, in days. Zero means 1.
	Days float64 `toml:"days" json:"days,omitempty"`
	// Failures is the fraction of measurements that give no result.
	Failures float64 `toml:"failures" json:"failures,omitempty"`
	// Late is the fraction of results that come with a later plate.
	Late float64 `toml:"late" json:"late,omitempty"`
	// LateBy is the number of plates by which they are late. Zero means 1.
	LateBy int `toml:"late_by" json:"late_by,omitempty"`
	// Expire is how long a ticket may be out, such as "2h" or "30m", before its measurement counts as lost and is
	// handed out again. Empty means for ever.
	Expire string `toml:"expire" json:"expire,omitempty"`
	// Extras says what happens to unsolicited results: accept (the default) or refuse.
	Extras string `toml:"extras" json:"extras,omitempty"`
	// Measurements is what can be afforded at most, and what methods with a fixed budget spend. Zero
	// means that nobody says.
	Measurements int `toml:"measurements" json:"measurements,omitempty"`
}

// AcceptsExtras reports whether unsolicited results are taken.
func (l Laboratory) AcceptsExtras() bool { return l.Extras != RefuseExtras }

// Expires returns how long a ticket may be out before its measurement counts as lost; 0 is for ever.
func (l Laboratory) Expires() time.Duration {
	d, _ := time.ParseDuration(l.Expire) // Validate checks it
	return d
}

// What happens to unsolicited results.
const (
	AcceptExtras = "accept"
	RefuseExtras = "refuse"
)

// Wells returns the number of measurements of a plate.
func (l Laboratory) Wells() int { return max(l.Plate, 1) }

// References returns the number of wells of the reference in a plate with n wells: 0 without a
// reference, and in one that would have no other well.
func (l Laboratory) References(n int) int {
	if wells := max(l.ReferenceWells, 1); l.Reference != "" && wells < n {
		return wells
	}
	return 0
}

// Free returns the number of wells of a plate that are not for the reference.
func (l Laboratory) Free() int { return l.Wells() - l.References(l.Wells()) }

// DaysOf returns how long so many plates take.
func (l Laboratory) DaysOf(plates float64) float64 {
	return l.DaysIn(plates / float64(max(l.AtOnce, 1)))
}

// DaysIn returns how long a number of plates takes that are made one after the other.
func (l Laboratory) DaysIn(plates float64) float64 {
	if l.Days == 0 {
		return plates
	}
	return plates * l.Days
}

// Price writes an amount of what measurements cost: "120 EUR".
func (c *Candidates) Price(x float64) string {
	return decimal(x) + " " + cmp.Or(c.CostUnit, c.Cost)
}

// K returns the number of candidates.
func (p *Problem) K() int { return len(p.Candidates.Names) }

// Objective returns the number of the objective called name, or -1.
func (p *Problem) Objective(name string) int {
	for c := range p.Objectives {
		if p.Objectives[c].Name == name {
			return c
		}
	}
	return -1
}

// Measured returns the numbers of the objectives that are measured, in order: those that are not
// known.
func (p *Problem) Measured() []int {
	var m []int
	for c := range p.Objectives {
		if !p.Objectives[c].Known {
			m = append(m, c)
		}
	}
	return m
}

// Numbers returns the numbers of the candidates by name: for those who look for many.
func (p *Problem) Numbers() map[string]int {
	by := make(map[string]int, p.K())
	for i, name := range p.Candidates.Names {
		by[name] = i
	}
	return by
}

// Candidate returns the number of the candidate called name after [Normal], or -1.
func (p *Problem) Candidate(name string) int {
	name = Normal(name)
	for i, n := range p.Candidates.Names {
		if n == name {
			return i
		}
	}
	return -1
}
