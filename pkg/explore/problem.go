package explore

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// A Problem contains everything that a policy is allowed to know before the first pull.
type Problem struct {
	// X contains the features of the arms, K x h, one arm per row. If X is nil, the arms have no
	// features, and Arms is the number of arms.
	X *mat.Dense
	// If Changing is true, the features of an arm change from round to round around a mean. With
	// Changing, the mean of an item is its mean reward at its mean features. A [Contextual] policy
	// receives the features of each round before Ask and uses only the shape of X. For policies
	// that are not Contextual, X contains the mean features.
	Changing bool
	// Arms is the number of arms K, used only if X is nil.
	Arms int
	// Z contains the features of the items, M x h, one item per row. If Z is nil, the items are the
	// arms.
	Z *mat.Dense
	// Objectives is d, the number of objectives of a reward. In each objective, larger rewards are
	// better. Zero means one objective.
	Objectives int
	// Sigma is the sub-Gaussian scale of each objective, in reward units: the standard deviation of
	// Gaussian rewards, or half the range of bounded rewards.
	Sigma float64
	// If the scales of the objectives differ, Sigmas contains the d scales, and Sigma is their
	// maximum. If Sigmas is nil, Sigma applies to each objective. Policies without UsesScales use
	// the largest scale for all objectives.
	Sigmas []float64
	// NormSigma is the sub-Gaussian scale of every projection of a reward onto a unit vector
	// (sigma_u in the e-cAPE paper). For Gaussian rewards, NormSigma is the square root of the
	// largest eigenvalue of the covariance matrix; for independent objectives, NormSigma is Sigma.
	// A zero NormSigma means sqrt(d) Sigma, which is large enough for any correlation.
	NormSigma float64
	// Known contains those mean rewards that are known exactly, such as prices. The matrix Known is
	// K x d, one arm per row, with NaN for means that must be measured. A nil Known means that all
	// mean rewards must be measured. Policies with UsesKnownValues give known values a radius of
	// zero and do not treat equal known values as a tie. All other policies measure known values
	// like unknown means: for a known value, a batch of N rewards contains N times the value.
	Known *mat.Dense
	// Costs contains the cost of one reward of each arm, K positive numbers in any unit; nil means
	// equal costs. Policies with UsesCosts reduce the total cost instead of the number of pulls,
	// with the same certificate.
	Costs []float64
	// Link relates the mean reward of an arm to its linear predictor x'theta: [Identity], [Logit]
	// or [Log]. With Logit or Log, the question is about predictors: tolerances and true values are
	// on the scale of the predictors. A problem with Logit or Log has features, one objective and
	// an [OnPredictors] question.
	Link Link
	// Question is the question about the means.
	Question Question

	// ArmNames, ItemNames and ObjectiveNames are the names in answers, tables, figures and
	// messages. A nil slice means default names: "arm 0", "item 0", "objective 0" and so on.
	// ItemNames defaults to ArmNames if the items are the arms.
	ArmNames, ItemNames, ObjectiveNames []string
}

// K returns the number of arms that can be pulled.
func (p *Problem) K() int {
	if p.X != nil {
		r, _ := p.X.Dims()
		return r
	}
	return p.Arms
}

// H returns the number of features of an arm, or 0 if arms have no features.
func (p *Problem) H() int {
	if p.X == nil {
		return 0
	}
	_, h := p.X.Dims()
	return h
}

// Features returns X or, for arms without features, the unit vectors. Features returns an error if
// the matrix of unit vectors would be too large.
func (p *Problem) Features() (*mat.Dense, error) {
	if p.X != nil {
		return p.X, nil
	}
	k := p.K()
	if err := CheckTable("the parameters of arms without features", k, k); err != nil {
		return nil, fmt.Errorf("%w; give features (Problem.X)", err)
	}
	x := mat.NewDense(k, k, nil)
	for i := range k {
		x.Set(i, i, 1)
	}
	return x, nil
}

// M returns the number of items in the question.
func (p *Problem) M() int {
	if p.Z != nil {
		r, _ := p.Z.Dims()
		return r
	}
	return p.K()
}

// D returns the number of objectives.
func (p *Problem) D() int { return max(p.Objectives, 1) }

// SigmaU returns NormSigma, or sqrt(d) Sigma if NormSigma is zero.
func (p *Problem) SigmaU() float64 {
	if p.NormSigma > 0 {
		return p.NormSigma
	}
	return math.Sqrt(float64(p.D())) * p.Sigma
}

// SigmaOf returns the scale of objective c.
func (p *Problem) SigmaOf(c int) float64 {
	if p.Sigmas == nil {
		return p.Sigma
	}
	return p.Sigmas[c]
}

// Cost returns the cost of one reward of arm i, or 1 if Costs is nil.
func (p *Problem) Cost(i int) float64 {
	if p.Costs == nil {
		return 1
	}
	return p.Costs[i]
}

// Spent returns the total cost of n[i] rewards of each arm i.
func (p *Problem) Spent(n []int) float64 {
	sum := 0.
	for i, n := range n {
		sum += float64(n) * p.Cost(i)
	}
	return sum
}

// PerCost returns a problem in which one unit of cost corresponds to one pull. In the returned
// problem, arms have the features x/sqrt(cost) and no costs; items are unchanged. For a design with
// weights w in the new problem, the pulls in p are proportional to w/cost. A lower bound on the
// pulls in the new problem is a lower bound on the cost in p. If p has no costs, PerCost returns p
// itself.
func (p *Problem) PerCost() (*Problem, error) {
	if p.Costs == nil {
		return p, nil
	}
	z, err := p.Features()
	if err != nil {
		return nil, err
	}
	x := mat.DenseCopyOf(z)
	for i, c := range p.Costs {
		row := x.RawRowView(i)
		for j := range row {
			row[j] /= math.Sqrt(c)
		}
	}
	per := *p
	per.X, per.Costs = x, nil
	if per.Z == nil {
		per.Z, per.ItemNames = z, p.ArmNames
	}
	return &per, nil
}

// Pulled converts the shares w of the cost to shares of the pulls, in place.
func (p *Problem) Pulled(w []float64) {
	if p.Costs == nil {
		return
	}
	sum := 0.
	for i := range w {
		w[i] /= p.Costs[i]
		sum += w[i]
	}
	for i := range w {
		w[i] /= sum
	}
}

// Arm returns the name of arm i.
func (p *Problem) Arm(i int) string { return name(p.ArmNames, "arm ", i) }

// Item returns the name of item i.
func (p *Problem) Item(i int) string {
	if p.ItemNames == nil && p.Z == nil {
		return p.Arm(i)
	}
	return name(p.ItemNames, "item ", i)
}

// Objective returns the name of objective c.
func (p *Problem) Objective(c int) string { return name(p.ObjectiveNames, "objective ", c) }

func name(names []string, kind string, i int) string {
	if i >= 0 && i < len(names) {
		return names[i]
	}
	return kind + strconv.Itoa(i)
}

// Validate returns the first error in p; the error names the invalid field and states how to fix
// it.
func (p *Problem) Validate() error {
	if p == nil {
		return errors.New("explore: problem is nil")
	}
	checks := []func() error{p.checkSizes, p.checkTables, p.checkScales, p.checkFeatures,
		p.checkNames, p.checkKnown, p.checkCosts, p.checkLink}
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	if v := reflect.ValueOf(p.Question); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return wrong("Question", "nil; state the question, for example question.Pareto{}")
	}
	if v, ok := p.Question.(Validator); ok {
		if err := v.Validate(p); err != nil {
			return fmt.Errorf("explore: problem: Question: %w", err)
		}
	}
	return nil
}

func wrong(field, format string, args ...any) error {
	return fmt.Errorf("explore: problem: %s: %s", field, fmt.Sprintf(format, args...))
}

func (p *Problem) checkSizes() error {
	if p.X == nil && p.Arms < 1 {
		return wrong("Arms", "%d arms; expected at least 1 (or features X)", p.Arms)
	}
	if p.Objectives < 0 {
		return wrong("Objectives", "%d; expected at least 1", p.Objectives)
	}
	return nil
}

func (p *Problem) checkScales() error {
	if !scale(p.Sigma) {
		return wrong("Sigma", "%v; expected a noise scale from 1e-100 to 1e100", p.Sigma)
	}
	if p.NormSigma != 0 && !scale(p.NormSigma) {
		return wrong("NormSigma", "%v; expected a noise scale from 1e-100 to 1e100, or 0 "+
			"for sqrt(d) Sigma", p.NormSigma)
	}
	if p.NormSigma != 0 && p.NormSigma < p.Sigma*(1-1e-12) {
		return wrong("NormSigma", "%v; expected at least Sigma = %v, the scale of a projection on "+
			"a coordinate axis", p.NormSigma, p.Sigma)
	}
	if p.Sigmas == nil {
		return nil
	}
	if len(p.Sigmas) != p.D() {
		return wrong("Sigmas", "%d scales; expected %d, one per objective, or nil", len(p.Sigmas), p.D())
	}
	for c, v := range p.Sigmas {
		if !scale(v) {
			return wrong("Sigmas", "%v for %s; expected a noise scale from "+
				"1e-100 to 1e100", v, p.Objective(c))
		}
	}
	if most := slices.Max(p.Sigmas); most != p.Sigma {
		return wrong("Sigmas", "the largest scale is %v; expected Sigma = %v, which policies for a single scale "+
			"use", most, p.Sigma)
	}
	return nil
}

func (p *Problem) checkFeatures() error {
	if err := finite("X", "arm", p.X); err != nil {
		return err
	}
	if err := finite("Z", "item", p.Z); err != nil {
		return err
	}
	switch {
	case p.X == nil && p.Changing:
		return wrong("X", "nil, but the features are Changing; give their means, with a row for each arm")
	case p.Z == nil:
		return nil
	case p.X == nil:
		return wrong("X", "nil, but items have features (Z); give the features of the arms")
	}
	_, cx := p.X.Dims()
	_, cz := p.Z.Dims()
	if cx != cz {
		return wrong("Z", "%d features per item; expected %d, as in X", cz, cx)
	}
	return nil
}

// checkKnown returns an error if Known has the wrong shape or an impossible value.
func (p *Problem) checkKnown() error {
	if p.Known == nil {
		return nil
	}
	if r, c := p.Known.Dims(); r != p.K() || c != p.D() {
		return wrong("Known", "%d x %d; expected %d x %d, with a row for each arm and a column for each objective, "+
			"NaN for unknown means", r, c, p.K(), p.D())
	}
	if p.Z != nil || p.Link != Identity || p.Changing {
		return wrong("Known", "given, but known means cannot be combined with Z, Link or Changing; leave them out")
	}
	for i := range p.K() {
		for c := range p.D() {
			if v := p.Known.At(i, c); math.Abs(v) > Largest {
				return wrong("Known", "%s of %s is %v; expected a number of magnitude at most %v, or "+
					"NaN", p.Objective(c), p.Arm(i), v, Largest)
			}
		}
	}
	return nil
}

func (p *Problem) checkCosts() error {
	if p.Costs == nil {
		return nil
	}
	if len(p.Costs) != p.K() {
		return wrong("Costs", "%d costs; expected %d, one per arm, or nil", len(p.Costs), p.K())
	}
	for i, c := range p.Costs {
		if !(c >= 1e-6 && c <= 1e12) {
			return wrong("Costs", "a reward of %s costs %v; expected a positive number from 1e-6 to 1e12", p.Arm(i), c)
		}
	}
	return nil
}

// finite returns an error unless all numbers in x are finite; x has one arm or item per row and may
// be nil.
func finite(field, kind string, x *mat.Dense) error {
	if x == nil {
		return nil
	}
	r, c := x.Dims()
	if r == 0 || c == 0 {
		return wrong(field, "empty; expected a row for each %s, or nil", kind)
	}
	for i := range r {
		for j := range c {
			if v := x.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return wrong(field, "feature %d of %s %d is %v; expected a finite number", j, kind, i, v)
			}
		}
	}
	return nil
}

func (p *Problem) checkNames() error {
	for _, f := range []struct {
		field string
		names []string
		want  int
	}{
		{"ArmNames", p.ArmNames, p.K()},
		{"ItemNames", p.ItemNames, p.M()},
		{"ObjectiveNames", p.ObjectiveNames, p.D()},
	} {
		if f.names == nil {
			continue
		}
		if len(f.names) != f.want {
			return wrong(f.field, "%d names; expected %d, or nil", len(f.names), f.want)
		}
		seen := make(map[string]int, len(f.names))
		for i, s := range f.names {
			if j, dup := seen[s]; dup {
				return wrong(f.field, "%q is the name of both number %d and number %d; names must differ", s, j, i)
			}
			seen[s] = i
		}
	}
	return nil
}

// Largest is the largest allowed absolute value of rewards and noise scales. The smallest noise
// scale is 1/Largest. Squares of numbers up to Largest, and sums of such squares, do not overflow.
const Largest = 1e100

func scale(sigma float64) bool { return sigma >= 1/Largest && sigma <= Largest }

// LargestTable is the largest allowed size of a table of numbers: 1 GiB, or 134,217,728 numbers.
// Policies typically store about ten tables with a number for each arm and objective. Policies for
// linear models also store a few tables with a row and a column for each parameter. For larger
// problems, an error is better than a process that the operating system kills in the middle of a
// campaign.
const LargestTable = 1 << 30

// CheckTable returns an error, as one clause, if a table of rows x cols numbers exceeds
// LargestTable. Policies whose tables grow faster than linearly in the number of arms call
// CheckTable in Init before they allocate. The argument what names the table in the error.
func CheckTable(what string, rows, cols int) error {
	need := 8 * float64(rows) * float64(cols) // a product of integers might overflow
	if need <= LargestTable {
		return nil
	}
	return fmt.Errorf("a table of %s, %d x %d numbers, takes %.3g GiB; expected at most %d GiB "+
		"(explore.LargestTable)", what, rows, cols, need/(1<<30), LargestTable>>30)
}

// checkTables returns an error for problems that are too large for every policy.
func (p *Problem) checkTables() error {
	for _, f := range []struct {
		field, what string
		rows        int
	}{{"Arms", "the means of the arms", p.K()}, {"Z", "the means of the items", p.M()}} {
		if err := CheckTable(f.what, f.rows, p.D()); err != nil {
			return wrong(f.field, "%v; explore fewer arms, or fewer objectives", err)
		}
	}
	return nil
}

// A Link relates the mean of a reward to the linear predictor x'theta; see [lsq.Link].
type Link = lsq.Link

// The following constants are the links of a Problem.
const (
	Identity = lsq.Identity // means are linear in the features: the default
	Logit    = lsq.Logit    // rewards are successes and failures with mean 1/(1 + exp(-predictor))
	Log      = lsq.Log      // rewards are counts with mean exp(predictor)
)

// ErrLink reports an operation for linear means on a problem whose link is not Identity. ErrLink
// wraps ErrQuestion.
var ErrLink = fmt.Errorf("means are not linear in the features: %w", ErrQuestion)

// CheckLinear returns an error that wraps ErrLink unless the link of p is Identity. Policies that
// estimate means by least squares, or compare means with a tolerance, call CheckLinear in Init.
// With any other link, the question is about linear predictors.
func (p *Problem) CheckLinear() error {
	if p.Link == Identity {
		return nil
	}
	return fmt.Errorf("explore: the link is %v; expected linear means (the link %v), or a method "+
		"for generalised linear models: %w", p.Link, Identity, ErrLink)
}

// checkLink returns an error if parts of p are inconsistent with its link.
func (p *Problem) checkLink() error {
	if !p.Link.Known() {
		return wrong("Link", "%v; expected Identity, Logit or Log", p.Link)
	}
	if p.Link == Identity {
		return nil
	}
	switch q, ok := p.Question.(OnPredictors); {
	case p.X == nil:
		return wrong("Link", "%v, but arms have no features (X), so there is no linear predictor; give X", p.Link)
	case p.Changing:
		return wrong("Link", "%v, but the features are Changing; expected Identity", p.Link)
	case p.D() != 1:
		return wrong("Link", "%v, but there are %d objectives; expected one", p.Link, p.D())
	case p.Question != nil && !(ok && q.OnPredictors()):
		return wrong("Link", "%v, but the question is about means; expected one about linear "+
			"predictors, such as question.Best or question.AllEpsilonBest", p.Link)
	}
	return nil
}
