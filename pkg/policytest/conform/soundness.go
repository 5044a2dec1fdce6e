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
		return fmt.Errorf("the run ended by %v after %d pulls, %d rounds", r.Status, r.Pulls, r.Rounds)
	case !c.Problem.Question.Correct(c.Truth(), r.Answer):
		return fmt.Errorf("wrong answer %+v", r.Answer)
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
			return fmt.Errorf("item %d is dominated by %d and ahead of it by %v, and its margin is said "+
				"to be %v", i, x.By, ahead, x.Margin)
		}
	}
	return certified(p, r.Answer.Reasons)
}

// sound checks the form of a final answer and the truth of its reasons where no
// noise excuses an error.
func sound(c *Case, r *explore.Result) error {
	a := r.Answer
	if !slices.IsSorted(a.Items) || len(slices.Compact(slices.Clone(a.Items))) != len(a.Items) {
		return fmt.Errorf("items %v are not in ascending order, each once", a.Items)
	}
	if a.Reasons == nil {
		return nil
	}
	if len(a.Reasons) != c.Problem.M() {
		return fmt.Errorf("%d reasons for %d items", len(a.Reasons), c.Problem.M())
	}
	if r.Status == explore.Stopped {
		if o := a.Of(explore.Optimal); !slices.Equal(o, a.Items) {
			return fmt.Errorf("items %v, but optimal are %v", a.Items, o)
		}
		partial, ok := c.Problem.Question.(explore.AllowsUndecided)
		if u := a.Of(explore.Undecided); u != nil && !(ok && partial.AllowsUndecided()) {
			return fmt.Errorf("stopped with %v undecided", u)
		}
	}
	for i, x := range a.Reasons {
		switch {
		case x.By < -1 || x.By >= len(a.Reasons) || x.By == i:
			return fmt.Errorf("item %d is compared with %d", i, x.By)
		case math.IsNaN(x.Margin) || math.IsNaN(x.Slack) || x.MarginRadius < 0 || x.SlackRadius < 0:
			return fmt.Errorf("item %d: %+v", i, x)
		case x.Class == explore.Infeasible && !(x.Slack < 0):
			return fmt.Errorf("item %d is infeasible with slack %v", i, x.Slack)
		case x.Class == explore.Dominated && x.By < 0:
			return fmt.Errorf("item %d is dominated by nobody", i)
		}
		if err := c.holds(i, x, explore.CertifiesReasons); err != nil {
			return err
		}
	}
	return nil
}

// certified checks that a policy whose card says that amounts are certified has margins that lie on
// the side of their verdicts with the whole interval: a Session marks the others as estimates.
func certified(p explore.Policy, reasons []explore.Reason) error {
	c, ok := p.(explore.Carded)
	if !ok || c.Card().Certifies < explore.CertifiesAmounts {
		return nil
	}
	for i, r := range reasons {
		if r.Estimated {
			return fmt.Errorf("item %d is %v, which its margin over %d, %v ± %v, does not say; the "+
				"card says that amounts are certified", i, r.Class, r.By, r.Margin, r.MarginRadius)
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

// reuse runs a policy on other problems before: of smaller and larger amounts, and with the arms in
// the opposite order, so that a smallest gap so far or a leader would be in the way. Whether those are
// solved does not matter.
func reuse(new func() explore.Policy, c *Case) error {
	p := new()
	first, other := root.Child(c.Name), root.Child(c.Name, "other")
	cases, before := []*Case{c}, []*Case{c}
	origin, back := make([]float64, c.Problem.D()), identity(c.Problem.K())
	const enough = 1000 // pulls: policies that depend on units may need many
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

// replay feeds the log of a run to a fresh policy that is asked twice before
// each answer and whose answer is read in between.
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
			return fmt.Errorf("round %d asks for %v, the log has %v", r+1, pulls, st.pulls)
		}
		if err := ses.Tell(st.obs); err != nil {
			return err
		}
	}
	return nil
}

// The suite's own case: noise that drowns all differences, and copies of the arms among which some
// stand out by chance. Whatever a policy claims of them after a few rounds is a guess, which is
// false in far more runs than delta if radii are half as wide as they should be.
const (
	drowning  = 8  // the noise of the own case, as a multiple of the case's
	crowd     = 64 // its arms, at least
	noiseRuns = 20
	noiseLong = 40 // rounds of a run
)

// drowned is a simulator whose noise is drowning times that of s.
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

// drown returns the own case made of c: ok is false if the noise of its rewards cannot change alone.
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

// noise counts the runs in which a policy claims what is false of its own case of c.
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
		return fmt.Errorf("with %d times the noise, %d of %d runs claim something false in %d rounds; at "+
			"most %d are compatible with delta = %v; the last: %w", drowning, wrong, noiseRuns,
			noiseLong, MostErrors(noiseRuns, delta), delta, first)
	}
	return nil
}

// promise returns what p promises of its answers: what its card says, or without one all that the
// doc comments of explore.Answer and explore.Reason say.
func promise(p explore.Policy) explore.Certificate {
	if c, ok := p.(explore.Carded); ok {
		card := c.Card()
		return card.Certifies
	}
	return explore.CertifiesAmounts
}

// claims runs p on c for some rounds and returns the first thing it claims that is false. A policy
// that gives up claims nothing.
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
			return fmt.Errorf("wrong answer %v after %d rounds", r.Answer.Items, r.Rounds)
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

// differences returns by how much item i is truly ahead of item by: in each objective, or in what the
// question values.
func (c *Case) differences(i, by int) []float64 {
	own, other := c.Truth().RawRowView(i), c.Truth().RawRowView(by)
	if q, ok := c.Problem.Question.(explore.Valuer); ok {
		own, other = []float64{q.Value(own)}, []float64{q.Value(other)}
	}
	d := slices.Clone(own)
	floats.Sub(d, other)
	return d
}

// tied reports whether item i is no worse than item by in one objective, but for values that are
// known of both and equal: measurements cannot tell that it is dominated.
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

// holds returns an error if the reason x for item i is false, as far as it was promised.
func (c *Case) holds(i int, x explore.Reason, promised explore.Certificate) error {
	if x.By < 0 {
		return nil
	}
	ahead, tolerance := c.differences(i, x.By), 0.
	if q, ok := c.Problem.Question.(explore.Tolerating); ok {
		tolerance = q.Tolerates()
	}
	if q, ok := c.Problem.Question.(explore.AllowsUndecided); ok && q.AllowsUndecided() {
		tolerance = math.Inf(1) // items are left out where there are enough
	}
	const rounding = 1e-9
	scale, amount := c.Problem.Sigma+floats.Norm(ahead, math.Inf(1)), x.Margin
	if x.Class == explore.Dominated {
		if worst := floats.Max(ahead); worst > tolerance+rounding*scale ||
			tolerance == 0 && c.tied(i, x.By, ahead) {
			return fmt.Errorf("item %d is said to be dominated by %d, and is ahead of it by %v",
				i, x.By, ahead)
		}
		amount = -amount
	}
	if promised < explore.CertifiesAmounts || x.Margin == 0 && x.MarginRadius == 0 {
		return nil
	}
	for _, d := range ahead { // the margin is that of some objective
		if math.Abs(amount-d) <= x.MarginRadius+1e-6*scale {
			return nil
		}
	}
	return fmt.Errorf("item %d is ahead of %d by %v, and its margin is said to be %v ± %v", i, x.By,
		ahead, x.Margin, x.MarginRadius)
}
