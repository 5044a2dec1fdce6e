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

// Of an instance: the number of arms, and how far below the best one the others are at least, in clicks per view.
const (
	clickArms = 40
	clickGap  = .01
)

// Draw returns the instance of a draw, a number from 0: the
// arms are the best pair of the log by its fit, and others drawn among the
// distinct pairs that are at least 0.01 behind, again and again until all
// dimensions are filled. A reward is 1 for a click; its mean is the fit, X theta,
// clipped to [0, 1].
func (l ClickLog) Draw(c *Clicks, draw int) (*bandit.Instance, error) {
	if draw < 0 {
		return nil, c.errorf("draw %d; want a number from 0", draw)
	}
	others, err := c.behind()
	if err != nil {
		return nil, err
	}
	span := c.span
	if span == nil {
		return nil, c.errorf("all features are zero")
	}
	arms, y, err := c.arms(others, span, draw)
	if err != nil {
		return nil, err
	}
	var theta mat.Dense
	theta.Mul(span.T(), mat.NewDense(clickFeatures, 1, slices.Clone(c.theta)))
	mu := mat.NewDense(clickArms, 1, nil)
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
			Sigma: 1, Question: question.Best{},
		},
	}
	if c.synthetic {
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
	return fmt.Errorf("dataset: click log %s: %s", c.name, fmt.Sprintf(format, args...))
}

// behind returns the pairs that are at least 0.01 below the best one.
func (c *Clicks) behind() ([]int, error) {
	rate := func(p *clickPair) float64 { return min(max(p.mean(c.theta), 0), 1) }
	best := rate(&c.best)
	var others []int
	for i := range c.pairs {
		if best-rate(&c.pairs[i]) >= clickGap {
			others = append(others, i)
		}
	}
	if len(others) < clickArms-1 {
		return nil, c.errorf("%d distinct pairs are at least %v below the best; want %d; "+
			"take a longer log", len(others), clickGap, clickArms-1)
	}
	return others, nil
}

// arms draws the arms, the best pair first, until their coordinates, the rows of
// y, fill all dimensions. It shuffles others.
func (c *Clicks) arms(others []int, span *mat.Dense,
	draw int) ([]clickPair, *mat.Dense, error) {
	rnd := rand.New(seed.New(1).Child("clicklog", draw).Source())
	n := clickArms
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
		if y.Mul(x, span); lsq.NewSpan(y).Rank() == m {
			return arms, y, nil
		}
	}
	return nil, nil, c.errorf("none of %d draws of %d arms fills all %d dimensions; "+
		"take a longer log", most, n, m)
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
	if c.synthetic {
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
	add("Sigma is 1, as in the paper; rewards of 0 or 1 are 1/2-sub-Gaussian")
	add("arms are drawn among distinct pairs of a user and an article;" +
		" the paper does not say how repeated ones count")
	if c.sampled {
		add("arms are drawn from a sample of %d distinct pairs", kept)
	}
	return notes
}
