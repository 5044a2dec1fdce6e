package dataset

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
)

// ClickLog is the click-through instance of the RAGE paper (Fiez, Jain, Jamieson and Ratliff,
// NeurIPS 2019, section 5). The question is which pair of a user and a news article has the highest
// click rate. The instance is built from a log in the format of the data set R6A of Yahoo!, which
// may not be redistributed; see data/r6a/README.md for how to get a copy. The zero value of
// ClickLog uses a synthetic log without any data of Yahoo!.
//
// The 40 arms have 25 coordinates, because the log varies in only 25 of 36 dimensions. The reason
// is that feature 1 is the constant 1, and features 2 to 6 also sum to 1, up to the sixth decimal.
// Users and articles both have such features.
type ClickLog struct {
	// Path is the path of a log file, compressed if the name ends in .gz; empty means the synthetic
	// log.
	Path string
}

// The following constants are sizes of the linear model.
const (
	clickSide     = 6                     // number of features of a user, and of an article
	clickFeatures = clickSide * clickSide // number of features of a pair
)

// clickRidge is the ridge parameter that the paper uses.
const clickRidge = 0.01

// rounding is the relative variation below which a direction of the features counts as constant.
// Rounding the features to six decimals can cause variation below this threshold.
const rounding = 1e-4

// kept is the largest number of distinct user-article pairs that are kept from a log. If a log has
// more distinct pairs, the pairs with the smallest hashes are kept. The kept pairs are a uniform
// sample of the distinct pairs, which does not depend on the order of the log.
const kept = 100_000

// Clicks is the summary of a click log: a least-squares fit, and distinct pairs of a user and an
// article.
type Clicks struct {
	name      string
	synthetic bool // whether the log is synthetic
	records   int
	// theta is the regularised least-squares fit (X'X + 0.01 I)^-1 X'y to all records, 36 numbers.
	// Entry 6 i + j of theta is the coefficient of user feature i times article feature j, in the
	// order of the ids.
	theta []float64

	pairs   []clickPair // pairs sorted by ascending hash
	sampled bool        // whether the log has more distinct pairs than are kept
	best    clickPair   // pair with the largest product with theta
	span    *mat.Dense  // orthonormal basis, 36 x m, of the space in which the log varies
}

type clickSideFeatures [clickSide]float64

// clickPair is a pair of a user and an article, with features as first seen in the log.
type clickPair struct {
	user, article clickSideFeatures
	hash          uint64
	id            string // id of the article
	line          int
}

// visit is one record of the log: a user, the displayed article, and whether the user clicked.
type visit struct {
	clickPair
	clicked bool
}

// fill stores the 36 features of the pair in dst: each user feature (slower index) times each
// article feature.
func (p *clickPair) fill(dst []float64) {
	for i, u := range p.user {
		for j, a := range p.article {
			dst[clickSide*i+j] = u * a
		}
	}
}

// mean returns the inner product of the pair's features and theta.
func (p *clickPair) mean(theta []float64) float64 {
	var s float64
	for i, u := range p.user {
		for j, a := range p.article {
			s += u * a * theta[clickSide*i+j]
		}
	}
	return s
}

// sum returns a hash of the pair's features: FNV-1a over the bits, with final mixing so that the
// order of hashes is random.
func (p *clickPair) sum() uint64 {
	h := uint64(14695981039346656037)
	var b [8]byte
	for _, side := range [2]*clickSideFeatures{&p.user, &p.article} {
		for _, v := range side {
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
			for _, c := range b {
				h = (h ^ uint64(c)) * 1099511628211
			}
		}
	}
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// Read reads the whole log, one line at a time.
func (l ClickLog) Read() (*Clicks, error) {
	name, a := "synthetic", newClickFit(kept)
	if l.Path == "" {
		eachVisit(a.add)
	} else {
		name = filepath.Base(l.Path)
		if err := a.readFile(l.Path); err != nil {
			return nil, fmt.Errorf("dataset: click log %w", err)
		}
	}
	c, err := a.fit(name)
	if err == nil {
		c.synthetic = l.Path == ""
	}
	return c, err
}

// The following constants define an instance: the number of arms, and the smallest gap to the best
// arm in clicks per view.
const (
	clickArms = 40
	clickGap  = .01
)

// Draw returns the instance with number draw; numbers start at 0. The first arm is the kept pair
// with the largest fitted rate; the other arms are random distinct pairs that are at least 0.01
// worse. The draw is repeated until the arms span all dimensions. A reward is 1 for a click and 0
// otherwise; its mean is the fit, X theta, clipped to [0, 1].
func (l ClickLog) Draw(c *Clicks, draw int) (*bandit.Instance, error) {
	others, err := c.behind()
	if err != nil {
		return nil, err
	}
	if c.span == nil {
		return nil, c.errorf("all features are zero; use another log")
	}
	arms, y, err := c.arms(others, draw)
	if err != nil {
		return nil, err
	}
	var theta mat.Dense
	theta.Mul(c.span.T(), mat.NewDense(clickFeatures, 1, slices.Clone(c.theta)))
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

func (c *Clicks) errorf(format string, args ...any) error {
	return fmt.Errorf("dataset: click log %s: %s", c.name, fmt.Sprintf(format, args...))
}

// behind returns the indices of the pairs that are at least 0.01 worse than the best pair.
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
		return nil, c.errorf("%d distinct pairs are at least %v below the best; expected at least %d; "+
			"use a longer log", len(others), clickGap, clickArms-1)
	}
	return others, nil
}

// arms draws the arms until their coordinates, the rows of y, span all dimensions; the best pair is
// always the first arm. To draw arms, arms shuffles the slice others.
func (c *Clicks) arms(others []int, draw int) ([]clickPair, *mat.Dense, error) {
	rnd := rand.New(seed.New(1).Child("clicklog", draw).Source())
	n := clickArms
	_, m := c.span.Dims()
	arms := make([]clickPair, n)
	arms[0] = c.best
	x := mat.NewDense(n, clickFeatures, nil)
	y := mat.NewDense(n, m, nil)
	const most = 1000
	for range most {
		for i := 1; i < n; i++ { // only the first steps of a shuffle are needed
			j := i - 1 + rnd.IntN(len(others)-i+1)
			others[i-1], others[j] = others[j], others[i-1]
			arms[i] = c.pairs[others[i-1]]
		}
		for i := range arms {
			arms[i].fill(x.RawRowView(i))
		}
		if y.Mul(x, c.span); lsq.NewSpan(y).Rank() == m {
			return arms, y, nil
		}
	}
	return nil, nil, c.errorf("none of %d draws of %d arms spans all %d dimensions; use a longer log", most, n, m)
}

// clipRates clips the rates in mu to [0, 1]. clipRates returns how many rates were clipped, and the
// largest excess.
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

// notes returns the notes for an instance whose arms have m dimensions. The argument cut is the
// number of arms whose fitted rates were clipped to [0, 1], and outside is the largest excess.
func (l ClickLog) notes(c *Clicks, m, cut int, outside float64) (notes []string) {
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if c.synthetic {
		add("synthetic: built from a simulated click log, not from Yahoo! R6A")
	}
	if m < clickFeatures {
		add("up to rounding, the log varies in %d of 36 dimensions (in 25 if the features of users and of articles "+
			"sum to 1); features of arms are coordinates in these dimensions", m)
	}
	if cut > 0 {
		add("the fit of %d arms lies outside [0, 1], by up to %.2g, and is clipped, so their means are not "+
			"linear", cut, outside)
	}
	add("Sigma is 1, as in the paper; rewards of 0 or 1 are 1/2-sub-Gaussian")
	add("arms are drawn among distinct pairs of a user and an article; the paper does not state how it counts " +
		"repeated pairs")
	if c.sampled {
		add("arms are drawn from a sample of %d distinct pairs", kept)
	}
	return notes
}
