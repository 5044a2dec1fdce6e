package problem

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// Compiled is a problem in the form that policies see, with conversions from and to the user's
// units. A reward has one entry for each objective, in the order of Source.Objectives. Larger
// entries are better, and the noise has scale 1.
type Compiled struct {
	// Source is the user's problem.
	Source *Problem
	// Problem is the problem that the policy receives.
	Problem *explore.Problem
	// Card describes the policy. Delta is the policy's error probability: the error probability of
	// the question, minus the shares of pilots and newcomers.
	Card  explore.Card
	Delta float64
	// Budget is the number of measurements of a fixed-budget policy, whose answer has no stated
	// error probability; for all other policies, Budget is 0.
	Budget int
	// Scales convert each objective between the user's units and rewards.
	Scales []Scale
	// Bounds are the constraints that define the feasible region, in order.
	Bounds []RewardConstraint

	pilot  float64                  // share of the error probability for a pilot at the start of the campaign
	new    func() explore.Describer // constructor of the policy in the catalogue
	radius radius.Radius            // confidence radius, for policies with a choice of radius
	norm   float64                  // bound on the norm of the coefficients of rewards; 0 means not given
}

// RewardConstraint is a constraint on means, in the units of the means. If AtLeast is true, the
// weighted sum of the means must be at least Limit; otherwise at most Limit.
type RewardConstraint struct {
	Name    string    // name in reasons
	Weights []float64 // weight of each objective
	Limit   float64   // bound on the weighted sum
	AtLeast bool      // whether Limit is a lower bound
	// Slack is the violation of the constraint that is tolerated.
	Slack float64

	told row // the constraint in the units of results
}

type row struct {
	weights      []float64
	limit, slack float64
}

// Policy returns a new policy with the settings implied by the problem.
func (c *Compiled) Policy() explore.Policy { return c.with(c.new) }

// Settings returns the settings of a run, with a random source seeded by the problem's seed.
func (c *Compiled) Settings() *explore.Settings {
	return &explore.Settings{Src: rand.NewPCG(c.Source.Method.Seed, 0x70757265787021)}
}

// For returns the problem with its question in a form that all given policies accept. Some
// questions have several equivalent forms: for example, question.Best is also question.Pareto in
// one objective. If no form is accepted, For returns the error with which the first policy rejects
// the usual form.
func (c *Compiled) For(ps ...explore.Policy) (form *explore.Problem, err error) {
	for _, form = range c.Source.forms(c) {
		var e error
		for _, p := range ps {
			if e = p.Init(form, rand.NewPCG(0, 0)); e != nil {
				break
			}
		}
		if e == nil {
			return form, nil
		}
		err = cmp.Or(err, e)
	}
	return nil, err
}

// UsesAll reports whether the policy learns from every result, requested or not.
func (c *Compiled) UsesAll() bool { return c.Card.Evidence == explore.AnySampling }

// Overlaps reports whether the policy plans new rounds while results of earlier rounds are missing.
func (c *Compiled) Overlaps() bool {
	_, ok := c.with(c.new).(explore.Overlapping)
	return ok
}

// Adaptive reports whether the policy uses the squares of rewards.
func (c *Compiled) Adaptive() bool { return c.Card.Uses.Has(explore.UsesSquares) }

// Radius returns the name of the confidence radius, for policies with a choice of radius.
func (c *Compiled) Radius() string {
	if f := reflect.Indirect(reflect.ValueOf(c.Policy())).FieldByName("Radius"); f.IsValid() && !f.IsZero() {
		return fmt.Sprint(f) // may differ from c.radius; see plain
	}
	if c.radius == nil {
		return radius.Theory{}.String()
	}
	return c.radius.String()
}

// with returns a new policy made by a constructor of the catalogue, with the settings of c.
func (c *Compiled) with(new func() explore.Describer) explore.Describer {
	_, _, rewards := c.Source.pilots()
	if rewards == 0 || c.Budget > 0 {
		return c.plain(new, c.Delta)
	}
	all := c.Delta + c.pilot
	return &policy.Piloted{Delta: all, Share: c.pilot / all, Rewards: rewards,
		New: func(delta float64) explore.Policy { return c.plain(new, delta) }}
}

// plain works like the method with, for error probability delta and without a pilot.
func (c *Compiled) plain(new func() explore.Describer, delta float64) explore.Describer {
	p := new()
	policy.Set(p, "Delta", delta)
	policy.Set(p, "Budget", c.Budget)
	r := c.radius
	if _, fits := r.(radius.Each); fits && !p.Card().Uses.Has(explore.UsesTolerances) {
		r = mixture // a fitted radius would give counts and ranges the half-widths of single trials
	}
	policy.Set(p, "Radius", r)
	if _, fits := c.radius.(radius.Each); fits {
		policy.Set(p, "Rewards", c.Source.rewards())
	}
	for _, n := range p.Card().Needs {
		if _, ok := n.(explore.Norm); ok {
			policy.Set(p, "Norm", c.norm)
		}
	}
	return p
}

// ErrMethod reports that a method cannot answer the question of a problem. ErrUntrusted reports a
// method that can answer the question, but whose answers a campaign must not trust, for example
// because the problem lacks a required declaration.
var (
	ErrMethod    = errors.New("the method cannot answer this question")
	ErrUntrusted = errors.New("answers of the method would not be certified")
)

// Compile converts p for the method named in p or, if p names none, for the default method. Compile
// returns errors of type Errors.
func (p *Problem) Compile() (*Compiled, error) { return p.CompileFor(p.Method.Name) }

// CompileFor converts p for the named method of the catalogue; if method is empty, it chooses the
// default method. Errors of CompileFor are of type Errors; they wrap ErrMethod if the method cannot
// answer the question. Along with an error that wraps ErrUntrusted, CompileFor returns the compiled
// problem, so that older campaigns remain readable.
func (p *Problem) CompileFor(method string) (*Compiled, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if method == "" {
		method = p.usual()
	}
	if c, err := p.compile(); err == nil && method == "" {
		for _, form := range p.forms(c) {
			if err := form.Validate(); err != nil {
				return nil, Errors{p.wrong("", "%v", err)}
			}
		}
		return nil, fmt.Errorf("%w: %w", Errors{p.wrong("question.find", "no method answers %q "+
			"for these objectives and candidates; choose another question", p.Question.Find)}, ErrMethod)
	}
	c, err := p.compile()
	if err != nil {
		return nil, err
	}
	c.new = named(method)
	if c.new == nil {
		return nil, Errors{p.wrong("method.name", "unknown method %q; the methods that can answer this question "+
			"are %s", method, Listed(p.Methods()))}
	}
	c.Card = c.with(c.new).Card()
	if err := c.fillable(); err != nil {
		return nil, err
	}
	part := p.Candidates.beginning()
	if c.Card.Uses.Has(explore.UsesSums) {
		part = p.Candidates.share()
	}
	c.Delta *= part
	c.pilot *= part
	if err := c.spend(); err != nil {
		return nil, err
	}
	var why error
	for _, form := range p.forms(c) {
		if err := form.Validate(); err != nil {
			return nil, Errors{p.wrong("", "%v", err)}
		}
		c.Problem = form
		err := c.with(c.new).Init(form, rand.NewPCG(0, 0))
		if field, why := c.unsupported(); why != "" && !errors.Is(err, explore.ErrQuestion) {
			return c, fmt.Errorf("%w: %w", Errors{p.wrong(field, "%s; use one of %s", why,
				Listed(p.Methods()))}, ErrUntrusted)
		}
		if err == nil {
			return c, nil
		}
		if why == nil || errors.Is(why, explore.ErrQuestion) {
			why = err
		}
	}
	if errors.Is(why, explore.ErrBudget) {
		return nil, c.small(why)
	}
	if errors.Is(why, explore.ErrQuestion) {
		why = ErrMethod
		return nil, fmt.Errorf("%w: %w", Errors{p.wrong("method.name", "%q cannot answer this "+
			"question; use one of %s", method, Listed(p.Methods()))}, why)
	}
	return nil, Errors{p.wrong("method.name", "%s: %v", method, why)}
}

// named returns the constructor of the policy with the given name, ignoring case, or nil for an
// unknown name.
func named(name string) func() explore.Describer {
	for _, new := range policy.Catalogue() {
		if strings.EqualFold(new().Card().Name, name) {
			return new
		}
	}
	return nil
}

// Methods returns the names of the methods that can answer the question of p, starting with the
// default method.
func (p *Problem) Methods() []string {
	c, err := p.compile()
	if err != nil {
		return nil
	}
	names := []string{p.usual()}
	forms := p.forms(c)
	for _, new := range policy.Catalogue() {
		c.Card = c.with(new).Card()
		if c.Card.Name == names[0] {
			continue
		}
		if slices.ContainsFunc(forms, func(form *explore.Problem) bool {
			c.Problem = form
			_, why := c.unsupported()
			return why == "" && form.Validate() == nil && c.with(new).Init(form, rand.NewPCG(0, 0)) == nil
		}) {
			names = append(names, c.Card.Name)
		}
	}
	return names
}

// MethodName returns the name of the method in p or, if p names none, of the default method.
func (p *Problem) MethodName() string {
	name := p.Method.Name
	if name == "" {
		name = p.usual()
	}
	if new := named(name); new != nil {
		return new().Card().Name
	}
	return name
}

// usual returns the name of the default method for p, or "" if no method can answer the question.
func (p *Problem) usual() string { return p.recommended(p.Evaluable() != "" || p.Candidates.Join) }

// AnySampling returns the name of the recommended method among those that use unsolicited results,
// such as results from before the campaign. If no such method answers the question, AnySampling
// returns "".
func (p *Problem) AnySampling() string { return p.recommended(true) }

// recommended returns the name of the method that policy.For recommends for p.
func (p *Problem) recommended(anySampling bool) string {
	c, err := p.compile()
	if err != nil {
		return ""
	}
	_, _, rewards := p.pilots()
	forms := p.forms(c)
	fitted := c.radius
	if p.Method.Radius != RadiusFitted {
		fitted = nil
	}
	if p.Candidates.Features != nil && c.known() == nil {
		slices.Reverse(forms) // start with the forms that have a single tolerance, as methods that use features require
	}
	if p.Question.Find == FindBest && p.simple() {
		forms = forms[len(forms)-1:]
	}
	for _, form := range forms {
		r, err := policy.For(form, policy.Circumstances{Delta: c.Delta,
			Plate: p.Laboratory.Wells(), AnySampling: anySampling, Gaussian: p.gaussian() || p.Independent,
			Radius: fitted, UnknownSigma: rewards > 0})
		if err == nil {
			return r.Name
		}
	}
	return ""
}

// compile converts those parts of the problem that do not depend on the method.
func (p *Problem) compile() (*Compiled, error) {
	c := &Compiled{Source: p, Delta: p.delta()}
	_, c.pilot, _ = p.pilots()
	for i := range p.Objectives {
		o := &p.Objectives[i]
		s := o.scale()
		if size := math.Abs(s.PerReward); !(size >= 1/largest && size <= largest) {
			return nil, Errors{p.wrong(fmt.Sprintf("objective[%d].noise", i+1),
				"the scale of the noise is %v, which is too small or too large; use another unit", size)}
		}
		c.Scales = append(c.Scales, s)
	}
	c.radius, c.norm = radii[p.Method.Radius](p), c.bound()
	c.bounds()
	return c, nil
}

// bound returns the largest Objective.Norm in units of rewards, or 0 if an objective states no
// norm. Rewards subtract a center, which changes the coefficient of the constant feature or,
// without features, all means; bound therefore adds the norm of this change.
func (c *Compiled) bound() float64 {
	largest := 0.
	for i, s := range c.Scales {
		o := &c.Source.Objectives[i]
		if o.Norm == 0 {
			return 0
		}
		center := math.Abs(s.Center)
		if c.Source.Candidates.Features == nil {
			center *= math.Sqrt(float64(c.Source.K()))
		}
		largest = max(largest, (o.told(o.Norm)+center)/math.Abs(s.PerReward))
	}
	return largest
}

func (c *Compiled) bounds() {
	p := c.Source
	add := func(name, unit string, lower, upper *float64, shown func(float64) string,
		bound func(limit float64) RewardConstraint) {
		for _, side := range []struct {
			limit   *float64
			atLeast bool
			sign    string
		}{{lower, true, ">="}, {upper, false, "<="}} {
			if side.limit != nil {
				b := bound(*side.limit)
				b.Name = fmt.Sprintf("%s %s %s%s", name, side.sign, shown(*side.limit), unit)
				b.AtLeast = side.atLeast
				c.Bounds = append(c.Bounds, b)
			}
		}
	}
	for i := range p.Objectives {
		o := &p.Objectives[i]
		weights := make([]float64, len(p.Objectives))
		weights[i] = 1
		add(o.Name, c.Scales[i].suffix(), o.AtLeast, o.AtMost, o.shown, func(limit float64) RewardConstraint {
			return RewardConstraint{Weights: weights, Limit: o.Value(limit), Slack: o.Value(o.Slack),
				told: row{weights, o.told(limit), o.told(o.Slack)}}
		})
	}
	for i := range p.Constraints {
		s := &p.Constraints[i]
		weights, means, results := make([]float64, len(p.Objectives)), make([]float64, len(p.Objectives)),
			make([]float64, len(p.Objectives))
		for name, w := range s.Terms {
			j := p.Objective(name)
			o := &p.Objectives[j]
			weights[j], means[j], results[j] = w, w/o.Value(1), w/o.told(1)
		}
		name := s.Name
		name = cmp.Or(name, p.sum(weights))
		add(name, "", s.AtLeast, s.AtMost, func(x float64) string { return fmt.Sprint(x) },
			func(limit float64) RewardConstraint {
				return RewardConstraint{Weights: means, Limit: limit, Slack: s.Slack,
					told: row{results, limit, s.Slack}}
			})
	}
}

// sum formats a weighted sum of objectives, such as "yield - 2 impurity".
func (p *Problem) sum(weights []float64) string {
	var s strings.Builder
	for c, w := range weights {
		if w == 0 {
			continue
		}
		switch {
		case s.Len() == 0 && w < 0:
			s.WriteString("-")
		case w < 0:
			s.WriteString(" - ")
		case s.Len() > 0:
			s.WriteString(" + ")
		}
		if w = math.Abs(w); w != 1 {
			fmt.Fprintf(&s, "%v ", w)
		}
		s.WriteString(p.Objectives[c].Name)
	}
	return s.String()
}

// region returns the feasible region for rewards. Names of rows state limits in the user's units.
func (c *Compiled) region() (*polyhedron.Polyhedron, error) {
	d := len(c.Scales)
	if len(c.Bounds) == 0 {
		return polyhedron.Whole(d), nil
	}
	a := mat.NewDense(len(c.Bounds), d, nil)
	b := make([]float64, len(c.Bounds))
	names := make([]string, len(c.Bounds))
	for k := range c.Bounds {
		row, sign := &c.Bounds[k].told, 1.0
		if c.Bounds[k].AtLeast {
			sign = -1
		}
		b[k], names[k] = sign*row.limit, c.Bounds[k].Name
		for j, w := range row.weights {
			a.Set(k, j, sign*w*c.Scales[j].PerReward)
			b[k] -= sign * w * c.Scales[j].Center
		}
		b[k] = max(b[k], c.kept(k, a.RawRowView(k), sign))
	}
	return polyhedron.New(a, b, names)
}

// kept returns the largest left-hand side of bound k, with weights a for rewards, among the
// candidates whose known values meet the bound. Because of kept, 31.8 meets "at least 31.8" despite
// rounding in rewards. If the bound involves a measured objective, kept returns -Inf.
func (c *Compiled) kept(k int, a []float64, sign float64) float64 {
	most, row := math.Inf(-1), c.Bounds[k].told
	for i := range c.Source.K() {
		side, over, size := 0., -row.limit, math.Abs(row.limit)
		for j, w := range row.weights {
			if w == 0 {
				continue
			}
			if !c.Source.Objectives[j].Known {
				return math.Inf(-1)
			}
			x := c.Source.Objectives[j].Exact[i]
			side += a[j] * c.Scales[j].In(x)
			over, size = over+w*x, size+math.Abs(w*x)
		}
		if sign*over <= 1e-12*size {
			most = max(most, side)
		}
	}
	return most
}

// forms returns equivalent forms of the question of p, starting with
// the usual form. A policy may accept only some of these forms.
func (p *Problem) forms(c *Compiled) []*explore.Problem {
	form := func(q explore.Question) *explore.Problem {
		f := &explore.Problem{Arms: p.K(), Objectives: len(p.Objectives), Sigma: 1, Question: q,
			ArmNames: p.Candidates.Names, ObjectiveNames: p.objectiveNames(), Known: c.known(),
			Costs: p.Candidates.Costs}
		if p.Independent || len(p.Objectives) == 1 {
			f.NormSigma = 1
		}
		if x := p.Candidates.Features; x != nil {
			f.X = mat.NewDense(p.K(), len(x[0]), nil)
			for i, row := range x {
				f.X.SetRow(i, row)
			}
		}
		return f
	}
	region, err := c.region()
	if err != nil {
		return []*explore.Problem{form(impossible{err})}
	}
	tolerance := make([]float64, len(p.Objectives))
	for i := range p.Objectives {
		tolerance[i] = p.Objectives[i].told(p.Objectives[i].Tolerance) / math.Abs(c.Scales[i].PerReward)
	}
	epsilon := slices.Min(tolerance) // forms with a single tolerance use the smallest tolerance
	switch p.Question.Find {
	case FindFeasible:
		return []*explore.Problem{form(question.Feasible{Region: region})}
	case FindGood:
		if o := &p.Objectives[0]; o.TolerancePercent > 0 {
			return []*explore.Problem{form(question.AllEpsilonBest{Epsilon: o.TolerancePercent / 100,
				Multiplicative: true, Zero: c.Scales[0].In(0)})}
		}
		return []*explore.Problem{form(question.AllEpsilonBest{Epsilon: epsilon})}
	case FindBest:
		if p.simple() {
			return p.best(form, epsilon)
		}
	case FindPareto:
		set := question.FeasiblePareto{Region: region}
		if slices.Max(tolerance) > 0 {
			set.Tolerance = tolerance
		}
		if slices.ContainsFunc(c.Bounds, func(b RewardConstraint) bool { return b.told.slack > 0 }) {
			for _, b := range c.Bounds {
				set.Slack = append(set.Slack, b.told.slack)
			}
		}
		if len(c.Bounds) > 0 {
			return []*explore.Problem{form(set)}
		}
		// For methods with a single tolerance, the form has the smallest tolerance.
		return []*explore.Problem{form(set), form(question.Pareto{Epsilon: epsilon})}
	}
	return []*explore.Problem{form(question.BestFeasible{Region: region, Weights: c.weights(),
		Count: p.Question.Count})}
}

func (p *Problem) simple() bool { return len(p.Objectives) == 1 && !p.bounded() }

// known returns the known values in units of rewards, or nil if all objectives are measured.
func (c *Compiled) known() *mat.Dense {
	if len(c.Source.Measured()) == len(c.Scales) {
		return nil
	}
	k := mat.NewDense(c.Source.K(), len(c.Scales), nil)
	for j := range c.Scales {
		o := &c.Source.Objectives[j]
		for i := range c.Source.K() {
			k.Set(i, j, math.NaN())
			if o.Known {
				k.Set(i, j, c.Scales[j].In(o.Exact[i]))
			}
		}
	}
	return k
}

// best returns the forms of the question that asks for the best candidate by a single objective.
func (p *Problem) best(form func(explore.Question) *explore.Problem, epsilon float64) []*explore.Problem {
	linear := form(question.Best{Epsilon: epsilon})
	if p.Candidates.Features != nil {
		return []*explore.Problem{linear}
	}
	set := question.Pareto{Epsilon: epsilon}
	if epsilon > 0 {
		set.AtMost = 1
	}
	forms := []*explore.Problem{form(set), form(question.Best{Epsilon: epsilon})}
	const most = 100 // most is the largest number of candidates for methods that need one feature for each candidate
	if k := p.K(); k <= most {
		linear.X = mat.NewDense(k, k, nil)
		for i := range k {
			linear.X.Set(i, i, 1)
		}
		forms = append(forms, linear)
	}
	return forms
}

// weights returns the weight of each objective in the sum of rewards that the question maximises.
func (c *Compiled) weights() []float64 {
	w := make([]float64, len(c.Scales))
	for i := range w {
		o := &c.Source.Objectives[i]
		if o.Goal == Bounded {
			continue
		}
		w[i] = math.Abs(c.Scales[i].PerReward) / o.told(1)
		if o.Weight != nil {
			w[i] *= *o.Weight
		}
	}
	return w
}

// Guess returns as many of the given items of the policy's answer as the question asks for, best
// estimates first. With a tolerance, the policy may have more items than the question asks for
// until the run ends.
func (c *Compiled) Guess(items []int, mean func(item int) []float64) []int {
	count := c.Source.Question.Count
	switch c.Source.Question.Find {
	case FindBest:
		count = 1
	case FindTop:
	default:
		return items
	}
	w := c.weights()
	value := make(map[int]float64, len(items))
	for _, i := range items {
		value[i] = floats.Dot(w, mean(i))
	}
	ranked := slices.Clone(items)
	slices.SortStableFunc(ranked, func(i, j int) int { return cmp.Compare(value[j], value[i]) })
	return ranked[:min(count, len(ranked))]
}

// impossible is a question that has no right answer, because of the error err.
type impossible struct{ err error }

func (q impossible) Correct(*mat.Dense, explore.Answer) bool { return false }
func (q impossible) Validate(*explore.Problem) error         { return q.err }
