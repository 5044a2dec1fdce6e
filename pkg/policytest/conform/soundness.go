package conform

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

func noiseFree(new func() explore.Policy, c *Case) error {
	r, err := explore.Run(new(), c.Problem, c.Exact(), &explore.Settings{MaxPulls: c.MaxPulls})
	switch {
	case err != nil:
		return err
	case r.Status != explore.Stopped:
		return fmt.Errorf("status %v after %d pulls in %d rounds; expected Stopped", r.Status, r.Pulls, r.Rounds)
	case !c.Problem.Question.Correct(c.Truth(), r.Answer):
		return fmt.Errorf("the answer %+v is wrong", r.Answer)
	}
	return nil
}

func explained(new func() explore.Policy, c *Case) error {
	p := new()
	r, err := explore.Run(p, c.Problem, c.Exact(), &explore.Settings{MaxPulls: c.MaxPulls})
	if err != nil {
		return err
	}
	if err := sound(c, r); err != nil {
		return err
	}
	for i, x := range r.Answer.Reasons {
		if err := c.holds(i, x, promise(p)); err != nil {
			return err
		}
		if x.Class != explore.Dominated {
			continue
		}
		if ahead := c.differences(i, x.By); x.Margin*floats.Max(ahead) > 0 {
			return fmt.Errorf("item %d is dominated by item %d and has leads %v, but its margin "+
				"is %v; expected the opposite sign", i, x.By, ahead, x.Margin)
		}
	}
	return certified(p, r.Answer.Reasons)
}

// sound checks the form of a final answer, and whether its reasons are true, apart from errors that
// noise can explain.
func sound(c *Case, r *explore.Result) error {
	a := r.Answer
	if !slices.IsSorted(a.Items) || len(slices.Compact(slices.Clone(a.Items))) != len(a.Items) {
		return fmt.Errorf("the items are %v; expected distinct items in ascending order", a.Items)
	}
	if a.Reasons == nil {
		return nil
	}
	if len(a.Reasons) != c.Problem.M() {
		return fmt.Errorf("the answer has %d reasons; expected %d, one per item", len(a.Reasons), c.Problem.M())
	}
	if r.Status == explore.Stopped {
		if o := a.Of(explore.Optimal); !slices.Equal(o, a.Items) {
			return fmt.Errorf("the items are %v; expected %v, the items of class Optimal", a.Items, o)
		}
		partial, ok := c.Problem.Question.(explore.AllowsUndecided)
		if u := a.Of(explore.Undecided); u != nil && !(ok && partial.AllowsUndecided()) {
			return fmt.Errorf("the run stopped, but the items %v are undecided; expected a class for each item", u)
		}
	}
	for i, x := range a.Reasons {
		switch {
		case x.By < -1 || x.By >= len(a.Reasons) || x.By == i:
			return fmt.Errorf("item %d has By = %d; expected another item, or -1", i, x.By)
		case math.IsNaN(x.Margin) || math.IsNaN(x.Slack) || x.MarginRadius < 0 || x.SlackRadius < 0:
			return fmt.Errorf("the reason for item %d is %+v; expected numbers, and radii of at least 0", i, x)
		case x.Class == explore.Infeasible && !(x.Slack < 0):
			return fmt.Errorf("item %d is Infeasible with slack %v; expected a negative slack", i, x.Slack)
		case x.Class == explore.Dominated && x.By < 0:
			return fmt.Errorf("item %d is Dominated, but By is -1; expected the dominating item", i)
		}
		if err := c.holds(i, x, explore.CertifiesReasons); err != nil {
			return err
		}
	}
	return nil
}

// certified checks a policy whose card certifies amounts: the interval of each margin must agree
// with the class of the item. A Session marks margins that violate this requirement as estimates.
func certified(p explore.Policy, reasons []explore.Reason) error {
	c, ok := p.(explore.Describer)
	if !ok || c.Card().Certifies < explore.CertifiesAmounts {
		return nil
	}
	for i, r := range reasons {
		if r.Estimated {
			return fmt.Errorf("item %d is %v, but its margin over item %d, %v ± %v, does not imply "+
				"this class, although the card certifies amounts", i, r.Class, r.By, r.Margin, r.MarginRadius)
		}
	}
	return nil
}

func determinism(new func() explore.Policy, c *Case) error {
	s := root.Child(c.Name)
	a, sa, err := record(new(), c, s)
	if err != nil {
		return err
	}
	b, sb, err := record(new(), c, s)
	if err != nil {
		return err
	}
	return same(a, b, sa, sb)
}

// reuse first runs a policy on the case with other noise, on a case with larger amounts, and on a
// case with smaller amounts and the arms in reverse order. State that remains from earlier runs,
// such as a smallest gap or a leader, would cause errors in the last run. The results of the
// earlier runs are ignored.
func reuse(new func() explore.Policy, c *Case) error {
	p := new()
	first, other := root.Child(c.Name), root.Child(c.Name, "other")
	cases, before := []*Case{c}, []*Case{c}
	origin, back := make([]float64, c.Problem.D()), identity(c.Problem.K())
	const enough = 1000 // number of pulls; policies that depend on units may need many pulls
	if m, ok := c.move(64, origin, back); ok {
		m.MaxPulls = enough
		before = append(before, m)
	}
	slices.Reverse(back)
	if m, ok := c.move(1./64, origin, back); ok {
		m.MaxPulls = enough
		before = append(before, m)
	}
	if m, ok := c.move(1, origin, back); ok {
		cases = append(cases, m)
	}
	for _, c := range cases {
		for _, m := range before {
			_, _, _ = record(p, m, other)
		}
		a, sa, err := record(p, c, first)
		if err != nil {
			return err
		}
		b, sb, err := record(new(), c, first)
		if err != nil {
			return err
		}
		if err := same(a, b, sa, sb); err != nil {
			return err
		}
	}
	return nil
}

// replay checks that a new policy behaves in the same way when it receives the recorded results of
// a run. In each round, replay calls Ask, Answer, and Ask again.
func replay(new func() explore.Policy, c *Case) error {
	s := root.Child(c.Name)
	_, steps, err := record(new(), c, s)
	if err != nil {
		return err
	}
	ses, err := explore.NewSession(new(), c.Problem,
		&explore.Settings{MaxPulls: c.MaxPulls, Src: s.Child("policy").Source()})
	if err != nil {
		return err
	}
	for r, st := range steps {
		ses.Result()
		pulls, err := ses.Ask()
		if err != nil {
			return err
		}
		if !slices.Equal(pulls, st.pulls) {
			return fmt.Errorf("the resumed round %d requests %v; expected %v, as in the log", r+1, pulls, st.pulls)
		}
		if err := ses.Tell(st.obs); err != nil {
			return err
		}
	}
	return nil
}

// The following constants describe the case that the suite derives: it has large noise and many
// copies of the arms, some of which are best or worst by chance. On the derived case, claims after
// a few rounds are guesses. With radii half as wide as necessary, the fraction of runs that make
// false claims is far above delta.
const (
	drowning  = 8  // factor on the noise of the case
	crowd     = 64 // least number of arms in the case
	noiseRuns = 20
	noiseLong = 40 // number of rounds in a run
)

// drowned is a simulator that multiplies the noise in the rewards of the sampler s by the constant
// drowning.
type drowned struct {
	s     explore.Sampler
	means func(arm int) []float64
}

func (d *drowned) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	before := len(dst)
	dst, err := d.s.Sample(dst, pulls)
	for _, b := range dst[before:] {
		for j, mu := range d.means(b.Arm) {
			exact := mu * float64(b.N)
			b.Sum[j] = exact + drowning*(b.Sum[j]-exact)
		}
	}
	return dst, err
}

// drown returns the noisy case with many arms that the suite derives from c. The result ok is false
// if the noise of c cannot be separated from the means.
func (c *Case) drown() (own *Case, ok bool) {
	if _, gaussian := c.Law.(*bandit.Gaussian); !gaussian || c.Budget > 0 ||
		c.Problem.Link != explore.Identity || c.Problem.Changing {
		return nil, false
	}
	k := c.Problem.K()
	from := identity(k)
	for len(from) < crowd && k > 1 && !c.Solves {
		from = append(from, from[:k]...)
	}
	rand.New(root.Child(c.Name, "crowd").Source()).Shuffle(len(from), func(i, j int) {
		from[i], from[j] = from[j], from[i]
	})
	base, ok := c.move(1, make([]float64, c.Problem.D()), from)
	if !ok {
		base = c
	}
	p := *base.Problem
	rescale(&p, drowning)
	own = &Case{Instance: base.Instance}
	own.Problem = &p
	own.simulate = func(s seed.Seed) explore.Sampler {
		return &drowned{base.sampler(s), base.Means().RawRowView}
	}
	return own, true
}

// noise runs a policy on a noisy case derived from c, and returns an error if too many runs make a
// false claim.
func noise(new func() explore.Policy, c *Case) error {
	promised := promise(new())
	own, ok := c.drown()
	if !ok || promised == explore.CertifiesNothing {
		return nil
	}
	var (
		wrong int
		first error
	)
	for i := range noiseRuns {
		if err := claims(new(), own, promised, root.Child(c.Name, "noise", i)); err != nil {
			wrong++
			first = err
		}
	}
	delta := cmp.Or(c.Delta, .1)
	if wrong > MostErrors(noiseRuns, delta) {
		return fmt.Errorf("with %d times the noise, %d of %d runs make a false claim in %d rounds; expected at most "+
			"%d with delta = %v; one of the false claims: %w", drowning, wrong, noiseRuns,
			noiseLong, MostErrors(noiseRuns, delta), delta, first)
	}
	return nil
}

// promise returns what p certifies: the level on its card or, without a card, everything that the
// doc comments of explore.Answer and explore.Reason state.
func promise(p explore.Policy) explore.Certificate {
	if c, ok := p.(explore.Describer); ok {
		card := c.Card()
		return card.Certifies
	}
	return explore.CertifiesAmounts
}

// claims runs p on c for some rounds and returns an error for the first false claim. A policy that
// returns an error makes no claims.
func claims(p explore.Policy, c *Case, promised explore.Certificate, s seed.Seed) error {
	ses, err := explore.NewSession(p, c.Problem,
		&explore.Settings{MaxRounds: noiseLong, Src: s.Child("policy").Source()})
	if err != nil {
		return nil
	}
	smp := c.sampler(s.Child("noise"))
	var obs []explore.Batch
	for {
		pulls, err := ses.Ask()
		if err != nil {
			return nil
		}
		r := ses.Result()
		if r.Status == explore.Stopped && !c.Problem.Question.Correct(c.Truth(), r.Answer) {
			return fmt.Errorf("the answer %v after %d rounds is wrong", r.Answer.Items, r.Rounds)
		}
		if promised >= explore.CertifiesReasons && r.Rounds > 0 {
			for i, x := range r.Answer.Reasons {
				if err := c.holds(i, x, promised); err != nil {
					return fmt.Errorf("round %d: %w", r.Rounds, err)
				}
			}
		}
		if len(pulls) == 0 {
			return nil
		}
		if obs, err = smp.Sample(obs[:0], pulls); err != nil {
			return err
		}
		if ses.Tell(obs) != nil {
			return nil
		}
	}
}

// differences returns the true amounts by which item i is better than the other item, in each
// objective or in the value that the question uses.
func (c *Case) differences(i, by int) []float64 {
	own, other := c.Truth().RawRowView(i), c.Truth().RawRowView(by)
	if q, ok := c.Problem.Question.(explore.Valuer); ok {
		own, other = []float64{q.Value(own)}, []float64{q.Value(other)}
	}
	d := slices.Clone(own)
	floats.Sub(d, other)
	return d
}

// tied reports whether item i equals the other item in some objective, or is worse in none, so that
// no measurement can show that the other item dominates i. Objectives with equal known values of
// both items are ignored.
func (c *Case) tied(i, by int, differences []float64) bool {
	worse, known := false, c.Problem.Known
	for j, d := range differences {
		worse = worse || d < 0
		if d == 0 && (known == nil || math.IsNaN(known.At(i, j)+known.At(by, j))) {
			return true
		}
	}
	return !worse
}

// holds returns an error if the reason x for item i is false, at the level of certification that
// the policy promises.
func (c *Case) holds(i int, x explore.Reason, promised explore.Certificate) error {
	if x.By < 0 {
		return nil
	}
	ahead, tolerance := c.differences(i, x.By), 0.
	if q, ok := c.Problem.Question.(explore.Tolerating); ok {
		tolerance = q.Tolerates()
	}
	if q, ok := c.Problem.Question.(explore.AllowsUndecided); ok && q.AllowsUndecided() {
		tolerance = math.Inf(1) // such a question permits answers that omit any given item
	}
	const rounding = 1e-9
	scale, amount := c.Problem.Sigma+floats.Norm(ahead, math.Inf(1)), x.Margin
	if x.Class == explore.Dominated {
		if worst := floats.Max(ahead); worst > tolerance+rounding*scale || tolerance == 0 && c.tied(i, x.By, ahead) {
			return fmt.Errorf("item %d is Dominated by item %d, but its leads are %v", i, x.By, ahead)
		}
		amount = -amount
	}
	if promised < explore.CertifiesAmounts || x.Margin == 0 && x.MarginRadius == 0 {
		return nil
	}
	for _, d := range ahead { // the margin must be the lead in some objective
		if math.Abs(amount-d) <= x.MarginRadius+1e-6*scale {
			return nil
		}
	}
	return fmt.Errorf("the leads of item %d over item %d are %v, but its margin is %v ± %v", i, x.By,
		ahead, x.Margin, x.MarginRadius)
}
