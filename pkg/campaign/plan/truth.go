package plan

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
)

// belief is what a simulation assumes to be true: means, their standard errors, and the noise. A
// belief is in the user's units, which do not differ between variants of a problem.
type belief struct {
	k, d  int
	mean  *mat.Dense // K x d matrix of means
	se    *mat.Dense // K x d standard errors of the means; nil means exact means
	noise []noise    // noise by objective
	notes []string   // assumptions of the belief, in words
}

// noise is the noise distribution of an objective, in the user's unit.
type noise struct {
	sd float64 // standard deviation of Gaussian noise, if trials is 0
	// Bounded noise is the mean of independent trials with values lo and hi; the probability of hi
	// follows from the mean. If sd is positive, the number of trials is chosen to match the
	// standard deviation sd.
	bounded bool
	lo, hi  float64
	trials  float64
}

// newBelief returns a belief with the noise and the known values, but without guessed means.
func newBelief(p *problem.Problem) (*belief, error) {
	b := &belief{k: p.K(), d: len(p.Objectives)}
	b.mean = mat.NewDense(b.k, b.d, nil)
	for c := range p.Objectives {
		o := &p.Objectives[c]
		if n := o.Noise.Pilot; n != nil && n.SD == 0 {
			return nil, fmt.Errorf("plan: the noise of %s is unknown; set noise.pilot.sd to a guess of the standard "+
				"deviation", o.Name)
		}
		if o.Known {
			b.mean.SetCol(c, o.Exact)
		}
	}
	for c := range p.Objectives {
		b.noise = append(b.noise, b.noiseOf(p, c))
	}
	return b, nil
}

// believe returns the belief with guesses or pilot means for each objective.
func believe(p *problem.Problem) (*belief, error) {
	b, err := newBelief(p)
	if err != nil {
		return nil, err
	}
	se := mat.NewDense(b.k, b.d, nil)
	unsure := false
	for c := range p.Objectives {
		o := &p.Objectives[c]
		switch {
		case o.Known:
		case o.Guesses != nil:
			b.mean.SetCol(c, o.GuessedMeans())
		case p.Pilot != nil:
			for i, n := range p.Pilot.N[c] {
				if n == 0 {
					return nil, fmt.Errorf("plan: the pilot has no measurement of %s for %q; "+
						"add a measurement, or name a column of guesses in the table of candidates (guess = "+
						"\"column\" of the objective)", o.Name, p.Candidates.Names[i])
				}
				b.mean.Set(i, c, o.Rate(p.Pilot.Means[c][i]))
				sd := p.Pilot.SD[c]
				if p.Pilot.DF[c] == 0 {
					sd = o.Sigma()
				}
				se.Set(i, c, o.Rate(sd)/math.Sqrt(float64(n)))
				unsure = true
			}
		default:
			return nil, fmt.Errorf("plan: the means of %s are unknown; add a [pilot], or name a column of guesses in "+
				"the table of candidates (guess = \"column\" of the objective)", o.Name)
		}
	}
	if unsure {
		b.se = se
		b.note("The means of each run are drawn from the distribution that the pilot estimates.")
	}
	return b, nil
}

// bent records how far the guesses are from the closest linear model; the simulation uses the means
// of that model.
func (b *belief) bent(c *problem.Compiled, l *law) {
	off := 0.0
	for i := range b.k {
		for j := range b.d {
			off = max(off, math.Abs(l.user.At(i, j)-b.mean.At(i, j))/c.Scales[j].Size(1))
		}
	}
	if off > .01 {
		b.note("The guesses are not linear in the features. The plan simulates the closest linear model, which "+
			"differs from the guesses by up to %.2g noise standard deviations.", off)
	}
}

func (b *belief) note(format string, args ...any) {
	b.notes = append(b.notes, fmt.Sprintf(format, args...))
}

// noiseOf returns the noise that the simulation uses for objective c.
func (b *belief) noiseOf(p *problem.Problem, c int) noise {
	o := &p.Objectives[c]
	n := o.Noise
	pilot := 0.0
	if p.Pilot != nil && p.Pilot.DF[c] > 0 {
		pilot = p.Pilot.SD[c]
	}
	switch {
	case o.Known:
		return noise{}
	case n.SD != nil:
		return noise{sd: *n.SD}
	case n.Pilot != nil:
		return noise{sd: n.Pilot.SD}
	case n.Counts != nil:
		return noise{bounded: true, hi: 1, trials: float64(*n.Counts / p.Each())} // the rate of successes in one reward
	}
	r := noise{bounded: true, lo: n.Range[0], hi: n.Range[1], trials: 1, sd: cmp.Or(o.GuessSD, pilot)}
	if r.sd == 0 {
		b.note("Measurements of %s are simulated with the largest noise that their range allows; set guess_sd if "+
			"the noise is smaller.", o.Name)
	}
	return r
}

// of returns the number of trials of a measurement with the given mean, and the success probability
// of a trial.
func (n noise) of(mean float64) (trials, chance float64) {
	chance = min(max((mean-n.lo)/(n.hi-n.lo), 0), 1)
	trials = n.trials
	if n.sd > 0 {
		width := n.hi - n.lo
		trials = max(1, math.Round(chance*(1-chance)*width*width/(n.sd*n.sd)))
	}
	return trials, chance
}

// variance returns the variance of a measurement with the given mean.
func (n noise) variance(mean float64) float64 {
	if !n.bounded {
		return n.sd * n.sd
	}
	trials, chance := n.of(mean)
	width := n.hi - n.lo
	return width * width * chance * (1 - chance) / trials
}

// draw draws the means of one run into dst, a K x d matrix in the user's units.
func (b *belief) draw(dst *mat.Dense, rnd *rand.Rand) {
	dst.Copy(b.mean)
	if b.se == nil {
		return
	}
	for i := range b.k {
		for c := range b.d {
			if s := b.se.At(i, c); s > 0 {
				m := dst.At(i, c) + s*rnd.NormFloat64()
				if n := b.noise[c]; n.bounded {
					m = min(max(m, n.lo), n.hi)
				}
				dst.Set(i, c, m)
			}
		}
	}
}

// law draws rewards of the candidates of a compiled problem; law implements bandit.Law.
type law struct {
	c     *problem.Compiled
	noise []noise
	user  *mat.Dense // means in the user's units
	mean  *mat.Dense // means of rewards
	fit   *linear    // nil unless the problem uses a linear model
	// If adaptive is true, the policy uses sums of squared rewards.
	adaptive bool
}

// newLaw returns the law of problem c with the noise and the means of b.
func newLaw(c *problem.Compiled, b *belief) *law {
	l := &law{c: c, noise: slices.Clone(b.noise), user: mat.NewDense(b.k, b.d, nil),
		mean: mat.NewDense(b.k, b.d, nil), adaptive: c.Adaptive()}
	for i := range l.noise { // the standard deviation may differ between variants of the problem
		if o := &c.Source.Objectives[i]; o.Noise.SD != nil && !o.Known {
			l.noise[i].sd = *o.Noise.SD
		}
	}
	if c.Source.Candidates.Features != nil && c.Problem.X != nil {
		l.fit = newLinear(c.Problem.X)
	}
	l.user.Copy(b.mean)
	l.set()
	return l
}

// set converts the means in l.user to means of rewards; if the problem is linear, set first
// replaces the means by the closest linear model.
func (l *law) set() {
	k, d := l.user.Dims()
	for i := range k {
		for c := range d {
			l.mean.Set(i, c, l.c.Scales[c].In(l.user.At(i, c)))
		}
	}
	if l.fit != nil {
		for c := range d {
			if !l.c.Source.Objectives[c].Known {
				l.fit.project(l.mean, c)
			}
		}
		for i := range k {
			for c := range d {
				l.user.Set(i, c, l.c.Scales[c].Out(l.mean.At(i, c)))
			}
		}
	}
}

// Dims returns the number of candidates and the number of objectives.
func (l *law) Dims() (k, d int) { return l.mean.Dims() }

// Mean stores the mean of the rewards of a candidate in dst.
func (l *law) Mean(dst []float64, arm int) { mat.Row(dst, arm, l.mean) }

// Sum draws the sum of n rewards of a candidate exactly, without drawing the rewards one by one.
func (l *law) Sum(dst []float64, arm, n int, rnd *rand.Rand) {
	m := float64(n)
	for c, s := range l.c.Scales {
		mean := l.mean.At(arm, c)
		law := l.noise[c]
		switch {
		case !law.bounded && law.sd == 0:
			dst[c] = m * mean
		case !law.bounded:
			dst[c] = m*mean + math.Sqrt(m)*law.sd/math.Abs(s.PerReward)*rnd.NormFloat64()
		default:
			trials, chance := law.of(l.user.At(arm, c))
			successes := distuv.Binomial{N: m * trials, P: chance, Src: rnd}.Rand()
			lo, hi := s.In(law.lo), s.In(law.hi)
			dst[c] = m*lo + (hi-lo)*successes/trials
		}
	}
}

// squares sets the sums of squares of the rewards in batch b. The sums are exact for a single
// reward, and for rewards that can only be the ends of the range, because their sum determines
// their squares. In all other cases, squares sets the expected sums of squares given the sums and
// the variance.
func (l *law) squares(b *explore.Batch) {
	b.Squares = b.Squares[:0]
	n := float64(b.N)
	for c, s := range l.c.Scales {
		sum := b.Sum[c]
		law := l.noise[c]
		user := l.user.At(b.Arm, c)
		trials, _ := law.of(user)
		lo, hi := s.In(law.lo), s.In(law.hi)
		square := sum * sum / n
		switch {
		case b.N == 1:
		case law.bounded && trials == 1:
			k := (sum - n*lo) / (hi - lo)
			square = max(square, k*hi*hi+(n-k)*lo*lo)
		default:
			square += (n - 1) * law.variance(user) / (s.Size(1) * s.Size(1))
		}
		b.Squares = append(b.Squares, square)
	}
}

// linear projects means onto a linear model.
type linear struct {
	z   *mat.Dense // orthonormal coordinates of the features
	fit *lsq.Fit
	y   []float64
}

func newLinear(x *mat.Dense) *linear {
	span := lsq.NewSpan(x)
	k, _ := x.Dims()
	return &linear{span.Coordinates(x), lsq.NewFit(span.Rank(), 1), make([]float64, k)}
}

// project replaces column c of mean by its least-squares fit on the features.
func (l *linear) project(mean *mat.Dense, c int) {
	l.fit.Reset()
	mat.Col(l.y, c, mean)
	for i := range l.y {
		l.fit.Add(l.z.RawRowView(i), 1, l.y[i:i+1])
	}
	l.fit.Solve()
	for i := range l.y {
		mean.Set(i, c, l.fit.Mean(l.z.RawRowView(i), 0))
	}
}

// Instance returns an instance of c for simulations. The true means are the guessed means or the
// means of a pilot or, for a linear problem, the means of the closest linear model. The matrix
// means has a row for each candidate and a column for each objective, in the user's units. Instance
// ignores the uncertainty of means that come from a pilot.
func Instance(c *problem.Compiled) (inst *bandit.Instance, means *mat.Dense, err error) {
	b, err := believe(c.Source)
	if err != nil {
		return nil, nil, err
	}
	l := newLaw(c, b)
	b.bent(c, l)
	inst = &bandit.Instance{Name: cmp.Or(c.Source.Title, "candidates"), Problem: c.Problem, Law: l, Notes: b.notes}
	for i, s := range c.Scales {
		inst.Axes = append(inst.Axes, bandit.Axis{Label: c.Source.Objectives[i].Label(), Center: s.Out(0),
			PerReward: s.Out(1) - s.Out(0)})
	}
	return inst, l.user, inst.Validate()
}
