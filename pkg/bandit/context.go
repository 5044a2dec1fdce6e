package bandit

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

// A ContextLaw is the distribution of rewards of arms whose features change from one reward to the
// next. Sum draws the sum of rewards, with new features for each reward. Context draws features and
// Given draws rewards given those features, so that a policy can see the features before it pulls.
type ContextLaw interface {
	Law
	// H returns the number of features.
	H() int
	// Context draws the features of an arm and stores them in dst, of length h. The returned number
	// identifies the draw; pass it to Given.
	Context(dst []float64, arm int, rnd *rand.Rand) (drawn int)
	// Given draws the sum of n rewards of an arm with features x, and stores the sum in dst. The
	// arguments x and drawn must be the results of the same call of Context.
	Given(dst, x []float64, drawn, arm, n int, rnd *rand.Rand)
}

// Contextual is the distribution of rewards that are linear in changing features. The features of
// an arm are its mean features plus spread times a uniform draw from the unit ball. A reward is the
// product of the features and theta, plus Gaussian noise that is independent between objectives.
// The mean reward of an arm is the product of the arm's mean features and theta.
//
// All features have a norm of at most 1. If a mean or drawn feature vector could be longer than 1,
// NewContextual divides all features by a common factor and multiplies theta by the same factor.
// The factor changes the units of the features, but does not change rewards. Scale returns the
// factor.
type Contextual struct {
	table             // embedded table of the mean rewards
	h      int        // number of features
	x      *mat.Dense // k x h, mean features
	theta  *mat.Dense // h x d
	spread float64
	sd     float64 // standard deviation of the noise
	scale  float64
}

// NewContextual returns the law with mean features x (K x h), parameters theta (h x d) and the
// given radius spread of the features. The argument sd is the standard deviation of rewards for
// fixed features. NewContextual returns an error if an entry is not finite, or if spread or sd is
// negative or not finite. NewContextual also returns an error if theta does not have h rows.
func NewContextual(x, theta mat.Matrix, spread, sd float64) (*Contextual, error) {
	k, h := x.Dims()
	rows, d := theta.Dims()
	if rows != h {
		return nil, fmt.Errorf("bandit: theta is %d x %d; expected %d rows, one per feature", rows, d, h)
	}
	for _, v := range []struct {
		name  string
		value float64
	}{{"spread of the features", spread}, {"standard deviation of the rewards", sd}} {
		if !(v.value >= 0) || math.IsInf(v.value, 1) {
			return nil, fmt.Errorf("bandit: the %s is %v; expected a finite number >= 0", v.name, v.value)
		}
	}
	l := &Contextual{h: h, spread: spread, sd: sd, scale: spread}
	longest := 0.
	for _, m := range []struct {
		name, column string
		from         mat.Matrix
		to           **mat.Dense
	}{{"mean features", "feature", x, &l.x}, {"theta", "objective", theta, &l.theta}} {
		*m.to = mat.DenseCopyOf(m.from)
		r, c := m.from.Dims()
		for i := range r {
			for j := range c {
				if v := m.from.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
					return nil,
						fmt.Errorf(
							"bandit: %s: row %d, column %d (%s %d) is %v; expected a finite "+
								"number", m.name, i, j, m.column, j, v)
				}
			}
		}
	}
	for i := range k {
		longest = max(longest, floats.Norm(l.x.RawRowView(i), 2))
	}
	var mu mat.Dense
	mu.Mul(l.x, l.theta)
	var err error
	if l.table, err = newTable(&mu, "mean", -finite, finite, "a finite number"); err != nil {
		return nil, err
	}
	if l.scale = max(longest+spread, 1); l.scale > 1 {
		l.x.Scale(1/l.scale, l.x)
		l.theta.Scale(l.scale, l.theta)
		l.spread /= l.scale
	}
	return l, nil
}

// Scale returns the number by which all features were divided, or 1.
func (l *Contextual) Scale() float64 { return l.scale }

// Features returns a copy of the mean features, K x h, in the units that Context uses.
func (l *Contextual) Features() *mat.Dense { return mat.DenseCopyOf(l.x) }

// Theta returns a copy of the parameters, h x d, for features in the units that Context uses.
func (l *Contextual) Theta() *mat.Dense { return mat.DenseCopyOf(l.theta) }

// H returns the number of features.
func (l *Contextual) H() int { return l.h }

// Context draws the features of an arm and stores them in dst, of length h. Contextual.Given
// ignores the number of the draw, so Context returns 0.
func (l *Contextual) Context(dst []float64, arm int, rnd *rand.Rand) (drawn int) {
	l.row(arm)
	if len(dst) != l.h {
		panic(panicContext)
	}
	l.ball(dst, rnd)
	floats.Add(dst, l.x.RawRowView(arm))
	return 0
}

// ball stores a uniform draw from the ball of radius l.spread in dst.
func (l *Contextual) ball(dst []float64, rnd *rand.Rand) {
	if l.spread == 0 {
		clear(dst)
		return
	}
	square := 0.
	for square == 0 { // the loop almost always ends after one iteration
		for j := range dst {
			dst[j] = rnd.NormFloat64()
			square += dst[j] * dst[j]
		}
	}
	floats.Scale(l.spread*math.Pow(rnd.Float64(), 1/float64(l.h))/math.Sqrt(square), dst)
}

// Given draws the sum of n rewards of an arm with features x, and stores the sum in dst.
func (l *Contextual) Given(dst, x []float64, _, arm, n int, rnd *rand.Rand) {
	l.check(dst, arm, n)
	if len(x) != l.h {
		panic(panicContext)
	}
	count := float64(n)
	noise := l.sd * math.Sqrt(count)
	clear(dst)
	for j, v := range x {
		floats.AddScaled(dst, count*v, l.theta.RawRowView(j))
	}
	for c := range dst {
		dst[c] += noise * rnd.NormFloat64()
	}
}

// Sum draws the sum of n rewards of an arm, each with new features, and stores the sum in dst, of
// length d. Contextual.Sum takes time in proportion to n.
func (l *Contextual) Sum(dst []float64, arm, n int, rnd *rand.Rand) {
	mean := l.check(dst, arm, n)
	count := float64(n)
	noise := l.sd * math.Sqrt(count)
	for c, v := range mean {
		dst[c] = count*v + noise*rnd.NormFloat64()
	}
	if l.spread == 0 {
		return
	}
	var few [64]float64
	u := few[:]
	if l.h > len(few) {
		u = make([]float64, l.h)
	}
	u = u[:l.h]
	for range n {
		l.ball(u, rnd)
		for j, v := range u {
			floats.AddScaled(dst, v, l.theta.RawRowView(j))
		}
	}
}

// Sigma returns a sub-Gaussian scale of rewards for policies that do not see the features.
// Projections of a uniform draw from a ball in h dimensions have symmetric beta distributions, so
// their standard deviation radius/sqrt(h + 2) is a sub-Gaussian scale.
func (l *Contextual) Sigma() float64 {
	most := 0.
	for c := range l.d {
		most = max(most, mat.Norm(l.theta.ColView(c), 2))
	}
	return math.Hypot(l.sd, l.spread*most/math.Sqrt(float64(l.h+2)))
}

// NormSigma returns a sub-Gaussian scale of projections of rewards, by the same argument as Sigma.
func (l *Contextual) NormSigma() float64 {
	var svd mat.SVD
	if !svd.Factorize(l.theta, mat.SVDNone) {
		return math.Inf(1)
	}
	return math.Hypot(l.sd, l.spread*svd.Values(nil)[0]/math.Sqrt(float64(l.h+2)))
}

// Instance returns the instance of l with question q. Policies can observe the changing features of
// the returned instance, and Problem.X contains the mean features.
func (l *Contextual) Instance(name string, q explore.Question) *Instance {
	inst := &Instance{
		Name: name, Law: l, Theta: l.Theta(),
		Problem: &explore.Problem{
			X: l.Features(), Changing: true, Objectives: l.d, Question: q,
			Sigma: l.Sigma(), NormSigma: l.NormSigma(),
		},
		Notes: []string{fmt.Sprintf("features change from round to round, uniformly in balls of "+
			"radius %.4g around their means", l.spread)},
	}
	if l.scale > 1 {
		inst.Notes = append(inst.Notes, fmt.Sprintf("features are divided by %.4g, so that none is longer than 1, "+
			"and theta is multiplied by the same number", l.scale))
	}
	return inst
}

// ResampleContexts is the empirical distribution of data that consist of features and rewards. For
// each pull, ResampleContexts draws one of the arm's data rows; the policy sees the features of the
// row and receives the reward of the row. Rewards need not be linear in the features, and the mean
// reward may differ from the prediction at the mean features.
type ResampleContexts struct {
	*Resample
	h int
	x []float64 // features of the rows, in the order of Resample.rows
}

// NewResampleContexts returns the law that resamples whole rows of rewards, like NewResample; row r
// of x has the features of row r of the rewards. NewResampleContexts panics if the numbers of rows
// differ.
func NewResampleContexts(rows mat.Matrix, x *mat.Dense, arms []int) (*ResampleContexts, error) {
	law, err := NewResample(rows, arms, Jointly)
	if err != nil {
		return nil, err
	}
	m, h := x.Dims()
	if m != len(arms) {
		panic(panicShape)
	}
	l := &ResampleContexts{law, h, make([]float64, m*h)}
	next := make([]int, law.k)
	for r, arm := range arms {
		for j, v := range x.RawRowView(r) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf(
					"bandit: features: row %d (arm %d), column %d is %v; expected a finite number", r, arm, j, v)
			}
		}
		copy(l.features(law.start[arm]+next[arm]), x.RawRowView(r))
		next[arm]++
	}
	return l, nil
}

func (l *ResampleContexts) features(row int) []float64 { return l.x[row*l.h:][:l.h] }

// Features returns the mean features of the arms, K x h.
func (l *ResampleContexts) Features() *mat.Dense {
	mean := mat.NewDense(l.k, l.h, nil)
	for i := range l.k {
		n := l.start[i+1] - l.start[i]
		for r := range n {
			floats.AddScaled(mean.RawRowView(i), 1/float64(n), l.features(l.start[i]+r))
		}
	}
	return mean
}

// H returns the number of features.
func (l *ResampleContexts) H() int { return l.h }

// Context draws one data row of an arm, stores the features of the row in dst and returns the index
// of the row.
func (l *ResampleContexts) Context(dst []float64, arm int, rnd *rand.Rand) (drawn int) {
	l.row(arm)
	if len(dst) != l.h {
		panic(panicContext)
	}
	drawn = l.start[arm] + rnd.IntN(l.start[arm+1]-l.start[arm])
	copy(dst, l.features(drawn))
	return drawn
}

// Given stores n times the reward of the drawn data row in dst.
func (l *ResampleContexts) Given(dst, _ []float64, drawn, arm, n int, _ *rand.Rand) {
	l.check(dst, arm, n)
	floats.ScaleTo(dst, float64(n), l.rows[drawn*l.d:][:l.d])
}

const panicContext = "bandit: length of a context is not the number of features"

// A scene holds the features that a Sampler has drawn for one round.
type scene struct {
	law   ContextLaw // distribution of contexts; nil if features do not change
	pcg   []rand.PCG
	rnd   []rand.Rand
	x     []float64 // K x h
	drawn []int
	set   bool // whether the contexts were drawn but not yet used
}

func newScene(law Law, k int) scene {
	c, ok := law.(ContextLaw)
	if !ok {
		return scene{}
	}
	s := scene{law: c, pcg: make([]rand.PCG, k), rnd: make([]rand.Rand, k),
		x: make([]float64, k*c.H()), drawn: make([]int, k)}
	for i := range s.rnd {
		s.rnd[i] = *rand.New(&s.pcg[i])
	}
	return s
}

// Contexts implements explore.ContextSampler. Contexts draws the features of all arms for the next
// round and stores them in dst, K x h. All pulls of the next call of Sample share the drawn
// features. With seed s, the stream s.Child("context", i) generates the features of arm i,
// independently of the pulls. Contexts returns an error if features do not change under the law,
// and panics if dst has the wrong shape.
func (smp *Sampler) Contexts(dst *mat.Dense) error {
	s := &smp.scene
	if s.law == nil {
		return fmt.Errorf("bandit: a %T has constant features and no contexts: %w", smp.law, explore.ErrContext)
	}
	k, h := dst.Dims()
	if k != len(s.rnd) || h != s.law.H() {
		panic(panicShape)
	}
	for i := range k {
		x := s.x[i*h:][:h]
		s.drawn[i] = s.law.Context(x, i, &s.rnd[i])
		dst.SetRow(i, x)
	}
	s.set = true
	return nil
}

// sum draws the sum of n rewards of an arm for the features of the current round.
func (s *scene) sum(dst []float64, arm, n int, rnd *rand.Rand) {
	h := s.law.H()
	s.law.Given(dst, s.x[arm*h:][:h], s.drawn[arm], arm, n, rnd)
}
