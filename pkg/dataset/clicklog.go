package dataset

import (
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// ClickLog is the click-through instance of the RAGE paper (Fiez, Jain, Jamieson
// and Ratliff, NeurIPS 2019, section 5): which pair of a user and an article of
// a news page is clicked most often. It is built from a log in the format of
// Yahoo! R6A, which may not be passed on: see data/r6a/README.md for how to get
// a copy. The zero value is built from a synthetic log (see ClickSim).
type ClickLog struct {
	// Path is the file of a log, compressed if its name ends in .gz. Empty means
	// the synthetic log.
	Path string
	// Sigma is the sub-Gaussian scale that policies are told. Zero means 1, the
	// paper's; rewards are 0 or 1, for which 0.5 holds.
	Sigma float64
	// Arms is the number of arms. Zero means 40.
	Arms int
	// MinGap is how far below the best arm the others are at least, in clicks per
	// view. Zero means 0.01.
	MinGap float64
	// Full keeps all 36 features, as the paper does. By default directions in
	// which the log varies by no more than the rounding of its numbers are left
	// out: the features of a user sum to 1 up to the sixth decimal, and so do
	// those of an article, so that 25 of 36 dimensions are filled.
	Full bool
}

// Sizes of the model.
const (
	clickSide     = 6                     // features of a user, and of an article
	clickFeatures = clickSide * clickSide // features of a pair
)

// clickRidge is the regularisation of the paper.
const clickRidge = 0.01

// rounding is the variation of features, relative to the largest, below which
// it is that of numbers with six decimals.
const rounding = 1e-4

// Kept is the largest number of distinct pairs of a user and an article that
// are kept of a log. Those with the smallest hashes are kept where there are
// more: a uniform sample of the distinct pairs, whatever their order.
const Kept = 100_000

// Clicks is what is kept of a click log: its least-squares fit and its distinct
// pairs of a user and an article.
type Clicks struct {
	// Name says which log this is.
	Name string
	// Synthetic says that the log was made up.
	Synthetic bool
	// Counts of its lines.
	Counts ClickCounts
	// Theta is the regularised least-squares fit (X'X + 0.01 I)^-1 X'y to all
	// records, 36 numbers. Number 6 i + j belongs to the product of features i of
	// the user and j of the article, both in order of their ids.
	Theta []float64

	pairs   []clickPair // ascending by hash
	sampled bool        // there are more
	best    clickPair   // with the largest product with Theta, of all records
	span    *mat.Dense  // 36 x m, orthonormal: where the log varies
}

// ClickCounts counts the lines of a click log. Lines that are not records are
// left out.
type ClickCounts struct {
	Lines   int // but empty ones and comments, which start with #
	Records int
	Clicks  int // among the records
	Pairs   int // distinct ones of a user and an article that are kept

	// Lines that are not records, by what is wrong first.
	Short   int // fewer than three fields and a user, or longer than 1 MB
	Click   int // neither clicked (1) nor not (0)
	User    int // the user does not have features 1 to 6, once each, finite
	Missing int // the displayed article is not in the pool
	Article int // the displayed article does not have features 1 to 6
	// First says where the first of them is, and what is wrong.
	First string
}

// skipped returns the number of lines that are not records.
func (c *ClickCounts) skipped() int { return c.Lines - c.Records }

// String returns the counts in words.
func (c ClickCounts) String() string {
	s := fmt.Sprintf("%d records, %d clicks", c.Records, c.Clicks)
	for _, k := range []struct {
		n    int
		what string
	}{
		{c.Short, "incomplete"}, {c.Click, "without 0 or 1 for the click"},
		{c.User, "with a malformed user"},
		{c.Missing, "whose displayed article is missing from the pool"},
		{c.Article, "with a malformed article"},
	} {
		if k.n > 0 {
			s += fmt.Sprintf("; %d lines %s", k.n, k.what)
		}
	}
	return s
}

type clickSideFeatures = [clickSide]float64

// A clickPair is a user and an article, as first seen.
type clickPair struct {
	user, article clickSideFeatures
	hash          uint64
	id            string // of the article
	line          int
}

// A visit is one record.
type visit struct {
	clickPair
	clicked bool
}

// fill stores the 36 features of the pair in dst: products of the features of
// the user, the slower index, and of the article.
func (p *clickPair) fill(dst []float64) {
	for i, u := range p.user {
		for j, a := range p.article {
			dst[clickSide*i+j] = u * a
		}
	}
}

// mean returns the product of the features of the pair and theta.
func (p *clickPair) mean(theta []float64) float64 {
	var s float64
	for i, u := range p.user {
		for j, a := range p.article {
			s += u * a * theta[clickSide*i+j]
		}
	}
	return s
}

// sum hashes the features: FNV-1a over their bits, mixed at the end so that
// order by hash is random.
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

// Read reads the log, all of it but one line at a time. A log with more than
// Kept distinct pairs is read twice: the best pair is that of all records.
func (l ClickLog) Read() (*Clicks, error) {
	if l.Path == "" {
		return ClickSim{}.Clicks()
	}
	name := filepath.Base(l.Path)
	read := func(visits func(*visit), c *ClickCounts) (synthetic bool, err error) {
		f, err := os.Open(l.Path)
		if err != nil {
			return false, fmt.Errorf("dataset: click log: %w", err)
		}
		defer f.Close()
		var r io.Reader = f
		if strings.HasSuffix(l.Path, ".gz") {
			z, err := gzip.NewReader(f)
			if err != nil {
				return false, fmt.Errorf("dataset: click log %s: %w; "+
					"its name says that it is compressed", name, err)
			}
			r = z
		}
		return scanClicks(r, name, visits, c)
	}
	a := newClickFit(0)
	synthetic, err := read(a.add, &a.counts)
	if err != nil {
		return nil, err
	}
	c, err := a.clicks(name, synthetic)
	if err != nil || !a.full {
		return c, err
	}
	_, err = read(c.better, new(ClickCounts))
	return c, err
}

// better makes the pair of v the best one if it is.
func (c *Clicks) better(v *visit) {
	if v.mean(c.Theta) > c.best.mean(c.Theta) {
		c.best = v.clickPair
	}
}
