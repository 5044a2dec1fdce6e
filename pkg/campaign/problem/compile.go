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

// A Compiled is a problem as policies see it, with what translates it. Rewards have one entry an
// objective, in the order of Source.Objectives, larger is better in each, and their noise has
// scale 1.
type Compiled struct {
	// Source is the problem in the user's words.
	Source *Problem
	// Problem is what the policy is given.
	Problem *explore.Problem
	// Card is that of the policy, and Delta is the error probability that it has: that of the
	// question less what pilots cost and what is for newcomers.
	Card  explore.Card
	Delta float64
	// Budget is the number of measurements that the policy spends, if that is fixed beforehand: then
	// nobody declares how often its answer is wrong. Otherwise it is 0.
	Budget int
	// Scales translate the objectives.
	Scales []Scale
	// Bounds are the rows of the feasible region, in order.
	Bounds []Bound

	pilot  float64               // the part of the error probability that a pilot at the beginning has
	new    func() explore.Carded // of the catalogue
	radius radius.Radius         // of policies that have a choice
	norm   float64               // bounds that of the coefficients of rewards; 0 if nobody said
}

// A Bound is a row of the feasible region in the units of means: the sum of Weights times objectives
// is at most Limit, or at least if AtLeast is set.
type Bound struct {
	Name    string
	Weights []float64 // by objective
	Limit   float64
	AtLeast bool
	// Slack is how far outside does no harm.
	Slack float64

	told row // the same for results as they are told
}

// row is one side of an inequality.
type row struct {
	weights      []float64
	limit, slack float64
}

// Policy returns a new policy with the settings of the problem.
func (c *Compiled) Policy() explore.Policy { return c.with(c.new) }

// Settings returns the settings of a run: the random source of the policy, from the seed of the
// problem.
func (c *Compiled) Settings() *explore.Settings {
	return &explore.Settings{Src: rand.NewPCG(c.Source.Method.Seed, 0x70757265787021)}
}

// For returns the problem in a form in which all policies answer it: they differ in how they are asked
// the same question. The error is that of the first one about the usual form if there is none.
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

// UsesAll reports whether the policy learns from every result, asked for or not.
func (c *Compiled) UsesAll() bool { return c.Card.Evidence == explore.AnySampling }

// Overlaps reports whether the policy plans rounds while results of earlier ones are missing.
func (c *Compiled) Overlaps() bool {
	_, ok := c.with(c.new).(explore.Overlapping)
	return ok
}

// Adaptive reports whether the policy has a use for the squares of rewards.
func (c *Compiled) Adaptive() bool { return c.Card.Uses.Has(explore.UsesSquares) }

// Radius returns the name of the confidence radius of policies that have a choice.
func (c *Compiled) Radius() string {
	if c.radius == nil {
		return radius.Theory{}.String()
	}
	return c.radius.String()
}

// with returns a new policy of the catalogue for c.
func (c *Compiled) with(new func() explore.Carded) explore.Carded {
	_, _, rewards := c.Source.pilots()
	if rewards == 0 || c.Budget > 0 {
		return c.plain(new, c.Delta)
	}
	all := c.Delta + c.pilot
	return &policy.Piloted{Delta: all, Share: c.pilot / all, Rewards: rewards,
		New: func(delta float64) explore.Policy { return c.plain(new, delta) }}
}

// plain returns a new policy of the catalogue with an error probability, without a pilot.
func (c *Compiled) plain(new func() explore.Carded, delta float64) explore.Carded {
	p := new()
	v := reflect.ValueOf(p).Elem()
	set := func(field string, value any) {
		f, own := v.FieldByName(field), reflect.ValueOf(value)
		if f.IsValid() && own.IsValid() && own.Type().AssignableTo(f.Type()) {
			f.Set(own)
		}
	}
	set("Delta", delta)
	set("Budget", c.Budget)
	r := c.radius
	if _, fits := r.(radius.Each); fits && !p.Card().Uses.Has(explore.UsesTolerances) {
		r = mixture // of what fits rewards, these would have the half-widths by counts
	}
	set("Radius", r)
	if _, fits := c.radius.(radius.Each); fits {
		set("Rewards", c.Source.rewards())
	}
	for _, n := range p.Card().Needs {
		if _, ok := n.(explore.Norm); ok {
			set("Norm", c.norm)
		}
	}
	return p
}

// ErrMethod says that a method cannot answer a question, and ErrUntrusted that it can, and that
// nobody answers for its answers.
var (
	ErrMethod    = errors.New("the method cannot answer this question")
	ErrUntrusted = errors.New("answers of the method would not be certified")
)

// Compile translates p for the method that it names, or for the usual one. Errors are Errors.
func (p *Problem) Compile() (*Compiled, error) { return p.CompileFor(p.Method.Name) }

// CompileFor translates p for a method of the catalogue, by name; an empty name means the usual
// method for the question. Errors are Errors, and wrap ErrMethod if the method does not suit. With
// an error that wraps ErrUntrusted comes what p would be compiled to: for campaigns that were begun
// when the method was taken, whose measurements are to be read.
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
			"for these objectives and candidates", p.Question.Find)}, ErrMethod)
	}
	c, err := p.compile()
	if err != nil {
		return nil, err
	}
	c.new = named(method)
	if c.new == nil {
		return nil, Errors{p.wrong("method.name", "%q; there is no such method. Those that can "+
			"answer this question are %s", method, Listed(p.Methods()))}
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
		if field, why := c.doubt(); why != "" && !errors.Is(err, explore.ErrQuestion) {
			return c, fmt.Errorf("%w: %w", Errors{p.wrong(field, "%s; %s can be trusted", why,
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
			"question; %s can", method, Listed(p.Methods()))}, why)
	}
	return nil, Errors{p.wrong("method.name", "%s: %v", method, why)}
}

// named returns what makes the policy of a name, in letters of any case; nil if there is none.
func named(name string) func() explore.Carded {
	for _, new := range policy.Catalogue() {
		if strings.EqualFold(new().Card().Name, name) {
			return new
		}
	}
	return nil
}

// Methods returns the names of the methods that can answer the question of p, the usual one first.
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
			_, why := c.doubt()
			return why == "" && form.Validate() == nil &&
				c.with(new).Init(form, rand.NewPCG(0, 0)) == nil
		}) {
			names = append(names, c.Card.Name)
		}
	}
	return names
}

// MethodName returns the name of the method of p: the one that it names, or the usual one.
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

// usual returns the name of the method that is recommended for the question of p; "" if there is none.
func (p *Problem) usual() string { return p.recommended(p.Evaluable() != "" || p.Candidates.Join) }

// AnySampling returns the name of the method that is recommended where results are to count that nobody asked for, such
// as those that are there before the campaign begins; "" if there is none.
func (p *Problem) AnySampling() string { return p.recommended(true) }

// recommended returns the name of the method that policy.For recommends.
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
		slices.Reverse(forms) // methods that use features have one tolerance for all objectives
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

// compile translates what does not depend on the method.
func (p *Problem) compile() (*Compiled, error) {
	c := &Compiled{Source: p, Delta: p.delta()}
	_, c.pilot, _ = p.pilots()
	for i := range p.Objectives {
		o := &p.Objectives[i]
		s := o.scale()
		if size := math.Abs(s.PerReward); !(size >= 1/largest && size <= largest) {
			return nil, Errors{p.wrong(fmt.Sprintf("objective[%d].noise", i+1),
				"the noise has scale %v; it cannot be reckoned with", size)}
		}
		c.Scales = append(c.Scales, s)
	}
	c.radius, c.norm = radii[p.Method.Radius](p), c.bound()
	c.bounds()
	return c, nil
}

// bound returns what Objective.Norm is for rewards: the largest, 0 if one is missing. Rewards are
// values less a center, which is part of the coefficient of the constant feature, or of every mean.
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

// bounds lists the rows of the feasible region.
func (c *Compiled) bounds() {
	p := c.Source
	add := func(name, unit string, lower, upper *float64, shown func(float64) string,
		bound func(limit float64) Bound) {
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
		add(o.Name, c.Scales[i].suffix(), o.AtLeast, o.AtMost, o.shown, func(limit float64) Bound {
			return Bound{Weights: weights, Limit: o.Value(limit), Slack: o.Value(o.Slack),
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
		if name == "" {
			name = p.sum(weights)
		}
		add(name, "", s.AtLeast, s.AtMost, func(x float64) string { return fmt.Sprint(x) },
			func(limit float64) Bound {
				return Bound{Weights: means, Limit: limit, Slack: s.Slack, told: row{results, limit, s.Slack}}
			})
	}
}

// sum writes a weighted sum of objectives: "yield - 2 impurity".
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

// Region returns the feasible region in the user's units, for figures: all of space if there are no
// bounds.
func (c *Compiled) Region() (*polyhedron.Polyhedron, error) {
	plain := *c
	plain.Scales, plain.Bounds = make([]Scale, len(c.Scales)), slices.Clone(c.Bounds)
	for i := range plain.Scales {
		plain.Scales[i].PerReward = 1
	}
	for k := range plain.Bounds {
		b := &plain.Bounds[k]
		b.told = row{b.Weights, b.Limit, b.Slack}
	}
	return plain.region()
}

// region returns the feasible region in rewards. Its rows are written in the user's units: a row
// whose two sides are multiplied is another way to write the same bound.
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

// kept returns the largest side of bound k, written in rewards with weights a, among the candidates
// that keep it in the user's units by values that are known: a price of 31.8 keeps "at least 31.8",
// however the two are rounded in rewards. It is -Inf if the bound is about something measured.
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

// forms returns the ways in which the question of p can be put to policies, the usual one first.
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
	epsilon := slices.Min(tolerance) // the same for all
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
		if slices.ContainsFunc(c.Bounds, func(b Bound) bool { return b.told.slack > 0 }) {
			for _, b := range c.Bounds {
				set.Slack = append(set.Slack, b.told.slack)
			}
		}
		if len(c.Bounds) > 0 {
			return []*explore.Problem{form(set)}
		}
		// Methods that have one tolerance for all objectives take the least.
		return []*explore.Problem{form(set), form(question.Pareto{Epsilon: epsilon})}
	}
	return []*explore.Problem{form(question.BestFeasible{Region: region, Weights: c.weights(),
		Count: p.Question.Count})}
}

// simple reports whether there is one objective and no bound.
func (p *Problem) simple() bool { return len(p.Objectives) == 1 && !p.bounded() }

// known returns the rewards that are known, nil if none are.
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

// best returns the ways to ask for the best candidate by a single objective.
func (p *Problem) best(form func(explore.Question) *explore.Problem,
	epsilon float64) []*explore.Problem {
	linear := form(question.Best{Epsilon: epsilon})
	if p.Candidates.Features != nil {
		return []*explore.Problem{linear}
	}
	set := question.Pareto{Epsilon: epsilon}
	if epsilon > 0 {
		set.AtMost = 1
	}
	forms := []*explore.Problem{form(set), form(question.Best{Epsilon: epsilon})}
	const most = 100 // candidates, for methods that need a feature for each
	if k := p.K(); k <= most {
		linear.X = mat.NewDense(k, k, nil)
		for i := range k {
			linear.X.Set(i, i, 1)
		}
		forms = append(forms, linear)
	}
	return forms
}

// weights returns the weights of the objectives in the sum that is maximised, for rewards.
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

// Guess returns, of the items that a policy has in mind before it is done, as many as are asked for, the best first by
// what is estimated of each: where the question has a tolerance, a policy may still have many.
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

// impossible is a question that nobody can answer.
type impossible struct{ err error }

func (q impossible) Correct(*mat.Dense, explore.Answer) bool { return false }
func (q impossible) Validate(*explore.Problem) error         { return q.err }
