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
