package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
)

// Instance reads the log and returns the instance of a draw, a number from 0.
// To draw several, read the log once and call Draw.
func (l ClickLog) Instance(draw int) (*bandit.Instance, error) {
	c, err := l.Read()
	if err != nil {
		return nil, err
	}
	return l.Draw(c, draw)
}

// Draw returns the instance of a draw, a number from 0: the
// arms are the best pair of the log by its fit, and others drawn among the
// distinct pairs that are at least MinGap behind, again and again until all
// dimensions are filled. A reward is 1 for a click; its mean is the fit, X Theta,
// clipped to [0, 1].
func (l ClickLog) Draw(c *Clicks, draw int) (*bandit.Instance, error) {
	full, err := l.defaults(c, draw)
	if err != nil {
		return nil, err
	}
	others, err := full.behind(c)
	if err != nil {
		return nil, err
	}
	span, err := full.coordinates(c)
	if err != nil {
		return nil, err
	}
	arms, y, err := full.arms(c, others, span, draw)
	if err != nil {
		return nil, err
	}
	var theta mat.Dense
	theta.Mul(span.T(), mat.NewDense(clickFeatures, 1, slices.Clone(c.Theta)))
	mu := mat.NewDense(full.Arms, 1, nil)
	mu.Mul(y, &theta)
	cut, outside := clipRates(mu)
	law, err := bandit.NewBernoulli(mu)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(arms))
	for i := range arms {
		names[i] = fmt.Sprintf("article %s, line %d", arms[i].id, arms[i].line)
	}
	inst := &bandit.Instance{
		Name: fmt.Sprintf("click-through #%d", draw), Law: law, Theta: &theta,
		Problem: &explore.Problem{
			X: y, Objectives: 1, ArmNames: names, ObjectiveNames: []string{"clicks per view"},
			Sigma: full.Sigma, Question: question.Best{},
		},
	}
	if c.Synthetic {
		inst.Name = fmt.Sprintf("click-through, synthetic #%d", draw)
	}
	_, m := y.Dims()
	inst.Notes = l.notes(c, m, cut, outside)
	if err := inst.Validate(); err != nil {
		return nil, err
	}
	return inst, nil
}

// errorf returns an error about the log.
func (c *Clicks) errorf(format string, args ...any) error {
	return fmt.Errorf("dataset: click log %s: %s", c.Name, fmt.Sprintf(format, args...))
}

// defaults returns l with its zero values filled in, after a check.
func (l ClickLog) defaults(c *Clicks, draw int) (ClickLog, error) {
	if l.Arms == 0 {
		l.Arms = 40
	}
	if l.MinGap == 0 {
		l.MinGap = .01
	}
	if l.Sigma == 0 {
		l.Sigma = 1
	}
	switch {
	case draw < 0:
		return l, c.errorf("draw %d; want a number from 0", draw)
	case l.Arms < 2:
		return l, c.errorf("ClickLog.Arms is %d; want at least 2", l.Arms)
	case !(l.MinGap > 0 && l.MinGap < 1):
		return l, c.errorf("ClickLog.MinGap is %v; want a difference of rates in (0, 1)", l.MinGap)
	}
	return l, nil
}

// behind returns the pairs that are at least MinGap below the best one.
func (l ClickLog) behind(c *Clicks) ([]int, error) {
	rate := func(p *clickPair) float64 { return min(max(p.mean(c.Theta), 0), 1) }
	best := rate(&c.best)
	var others []int
	for i := range c.pairs {
		if best-rate(&c.pairs[i]) >= l.MinGap {
			others = append(others, i)
		}
	}
	if len(others) < l.Arms-1 {
		return nil, c.errorf("%d distinct pairs are at least %v below the best; want %d; "+
			"lower ClickLog.MinGap or ClickLog.Arms, or take a longer log",
			len(others), l.MinGap, l.Arms-1)
	}
	return others, nil
}

// coordinates returns the directions, 36 x m, in which arms have coordinates.
func (l ClickLog) coordinates(c *Clicks) (*mat.Dense, error) {
	span := c.span
	if l.Full {
		span = basisOf(clickFeatures)
	}
	if span == nil {
		return nil, c.errorf("all features are zero")
	}
	if _, m := span.Dims(); l.Arms < m {
		return nil, c.errorf("ClickLog.Arms is %d; %d dimensions need at least as many", l.Arms, m)
	}
	return span, nil
}

// arms draws the arms, the best pair first, until their coordinates, the rows of
// y, fill all dimensions. It shuffles others.
func (l ClickLog) arms(c *Clicks, others []int, span *mat.Dense,
	draw int) ([]clickPair, *mat.Dense, error) {
	rnd := rand.New(seed.New(1).Child("clicklog", draw).Source())
	n := l.Arms
	_, m := span.Dims()
	arms := make([]clickPair, n)
	arms[0] = c.best
	x := mat.NewDense(n, clickFeatures, nil)
	y := mat.NewDense(n, m, nil)
	const most = 1000
	for range most {
		for i := 1; i < n; i++ { // the beginning of a shuffle
			j := i - 1 + rnd.IntN(len(others)-i+1)
			others[i-1], others[j] = others[j], others[i-1]
			arms[i] = c.pairs[others[i-1]]
		}
		for i := range arms {
			arms[i].fill(x.RawRowView(i))
		}
		if y.Mul(x, span); filled(y, l.Full) {
			return arms, y, nil
		}
	}
	return nil, nil, c.errorf("none of %d draws of %d arms fills all %d dimensions; "+
		"lower ClickLog.MinGap, raise ClickLog.Arms, or take a longer log", most, n, m)
}

// clipRates clips the rates in mu to [0, 1], and returns how many were outside,
// and by how much at most.
func clipRates(mu *mat.Dense) (cut int, outside float64) {
	n, _ := mu.Dims()
	for i := range n {
		v := mu.At(i, 0)
		if w := min(max(v, 0), 1); w != v {
			outside, cut = max(outside, math.Abs(w-v)), cut+1
			mu.Set(i, 0, w)
		}
	}
	return cut, outside
}

// notes returns what a reader has to know about an instance with arms of m dimensions, where cut
// arms had a rate outside [0, 1].
func (l ClickLog) notes(c *Clicks, m, cut int, outside float64) (notes []string) {
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if c.Synthetic {
		add("synthetic: built from a made-up click log, not from Yahoo! R6A")
	}
	if m < clickFeatures {
		add("the log varies in %d of 36 dimensions, but for rounding (features of users "+
			"and of articles that sum to 1 leave 25); arms have coordinates in these", m)
	}
	if cut > 0 {
		add("the fit of %d arms lies outside [0, 1], by up to %.2g, and is clipped: "+
			"their means are not linear", cut, outside)
	}
	if l.Sigma == 0 {
		add("Sigma is 1, as in the paper; rewards of 0 or 1 are 1/2-sub-Gaussian")
	}
	add("arms are drawn among distinct pairs of a user and an article;" +
		" the paper does not say how repeated ones count")
	if c.sampled {
		add("arms are drawn from a sample of %d distinct pairs", Kept)
	}
	return notes
}

// filled reports whether the rows of x span its columns. With rounding counted,
// the tolerance is that of double precision.
func filled(x *mat.Dense, rounding bool) bool {
	n, m := x.Dims()
	if !rounding {
		return lsq.NewSpan(x).Rank() == m
	}
	var svd mat.SVD
	if !svd.Factorize(x, mat.SVDNone) {
		return false
	}
	s := svd.Values(nil)
	return s[m-1] > s[0]*float64(max(n, m))*0x1p-52
}

func basisOf(n int) *mat.Dense {
	b := mat.NewDense(n, n, nil)
	for i := range n {
		b.Set(i, i, 1)
	}
	return b
}
