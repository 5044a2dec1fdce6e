package dataset

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/purexp/purexp/pkg/seed"
)

// ClickSim generates a synthetic click log like Yahoo! R6A, for those without a
// copy of it and for tests. Nothing in it comes from Yahoo!.
//
// Five features of a user are nonnegative and sum to 1, and so are five of an
// article; feature 1 of both is the constant 1, and numbers have six decimals.
// A user u clicks article a with probability u'Wa for a matrix W with entries in
// (0, 0.11), about 4 % on average. A pool of 20 articles moves on slowly.
type ClickSim struct {
	// Records is the number of records. Zero means 100 000.
	Records int
	// Articles is the number of articles in the course of the log, at least 20.
	// Zero means 50.
	Articles int
	// Seed of the log. Two seeds give different users, articles and rates.
	Seed uint64
}

// pool is the number of articles on offer.
const pool = 20

// size returns the numbers of records and articles.
func (s ClickSim) size() (records, articles int) {
	return cmp.Or(s.Records, 100_000), cmp.Or(s.Articles, 50)
}

// each calls do with each record and the articles on offer.
func (s ClickSim) each(do func(v *visit, pool []clickPair) error) error {
	records, articles := s.size()
	if records < 1 || articles < pool {
		return fmt.Errorf("dataset: click log: ClickSim of %d records and %d articles; "+
			"want at least 1 and %d", records, articles, pool)
	}
	node := seed.New(s.Seed).Child("clicksim")
	rnd := rand.New(node.Child("articles").Source())
	var w [clickSide - 1][clickSide - 1]float64
	for i := range w {
		for j := range w[i] {
			u := rnd.Float64()
			w[i][j] = .002 + .108*u*u // mean 0.038
		}
	}
	all := make([]clickPair, articles)
	for i := range all {
		all[i].id = strconv.Itoa(109_000 + i)
		shares(&all[i].article, .6, rnd)
	}
	rnd = rand.New(node.Child("visits").Source())
	var v visit
	for t := range records {
		first := t * (articles - pool + 1) / records
		offer := all[first : first+pool]
		shown := offer[rnd.IntN(pool)]
		v.article, v.id, v.line = shown.article, shown.id, t+2 // line 1 is a comment
		shares(&v.user, .3, rnd)
		p := 0.
		for i := range w {
			for j, r := range w[i] {
				p += v.user[i+1] * r * v.article[j+1]
			}
		}
		v.clicked = rnd.Float64() < p
		if err := do(&v, offer); err != nil {
			return err
		}
	}
	return nil
}

// shares draws features: the constant, and five shares from a symmetric
// Dirichlet distribution, rounded. It draws gamma variates of shape a below 1 by
// the method of Ahrens and Dieter (1974).
func shares(f *clickSideFeatures, a float64, rnd *rand.Rand) {
	sum := 0.
	for sum == 0 {
		sum = 0
		for i := 1; i < clickSide; i++ {
			f[i] = smallGamma(a, rnd)
			sum += f[i]
		}
	}
	f[0] = 1
	for i := 1; i < clickSide; i++ {
		f[i] = math.Round(f[i]/sum*1e6) / 1e6
	}
}

func smallGamma(a float64, rnd *rand.Rand) float64 {
	b := 1 + a/math.E
	for {
		p := b * rnd.Float64()
		if p <= 1 {
			if x := math.Pow(p, 1/a); rnd.ExpFloat64() >= x {
				return x
			}
		} else if x := -math.Log((b - p) / a); rnd.ExpFloat64() >= (1-a)*math.Log(x) {
			return x
		}
	}
}

// Clicks returns what is kept of the log, as ClickLog.Read does of a file.
func (s ClickSim) Clicks() (*Clicks, error) {
	records, _ := s.size()
	a := newClickFit(records)
	err := s.each(func(v *visit, _ []clickPair) error {
		v.hash = v.sum()
		a.counts.Lines++
		a.counts.Records++
		if v.clicked {
			a.counts.Clicks++
		}
		a.add(v)
		return nil
	})
	if err != nil {
		return nil, err
	}
	c, err := a.clicks("synthetic", true)
	if err != nil || !c.sampled {
		return c, err
	}
	err = s.each(func(v *visit, _ []clickPair) error {
		c.better(v)
		return nil
	})
	return c, err
}
