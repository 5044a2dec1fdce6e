package dataset

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/purexp/purexp/pkg/seed"
)

// The following constants are parameters of the synthetic log, which resembles Yahoo's log R6A. The
// synthetic log serves for tests, and for users without a copy of R6A. Of the features of a user or
// article, five are nonnegative and sum to 1. The remaining feature, with id 1, is the constant 1;
// all numbers have six decimals. A user u clicks article a with probability u'Wa for a matrix W
// with entries in (0, 0.11), about 4 % on average. At any time, a pool of 20 of the 50 articles is
// available; the pool changes slowly.
const (
	simRecords  = 100_000
	simArticles = 50
	pool        = 20 // number of available articles
)

// eachVisit calls visits with each record of the synthetic log.
func eachVisit(visits func(*visit)) {
	node := seed.New(0).Child("clicksim")
	rnd := rand.New(node.Child("articles").Source())
	var w [clickSide - 1][clickSide - 1]float64
	for i := range w {
		for j := range w[i] {
			u := rnd.Float64()
			w[i][j] = .002 + .108*u*u // the mean of an entry of W is 0.038
		}
	}
	all := make([]clickPair, simArticles)
	for i := range all {
		all[i].id = strconv.Itoa(109_000 + i)
		shares(&all[i].article, .6, rnd)
	}
	rnd = rand.New(node.Child("visits").Source())
	var v visit
	for t := range simRecords {
		first := t * (simArticles - pool + 1) / simRecords
		offer := all[first : first+pool]
		shown := offer[rnd.IntN(pool)]
		v.article, v.id, v.line = shown.article, shown.id, t+2 // line 1 of the log is a comment
		shares(&v.user, .3, rnd)
		p := 0.
		for i := range w {
			for j, r := range w[i] {
				p += v.user[i+1] * r * v.article[j+1]
			}
		}
		v.clicked = rnd.Float64() < p
		visits(&v)
	}
}

// shares draws the features of a user or article: the constant, and five rounded shares from a
// symmetric Dirichlet distribution. shares draws the underlying gamma variates, with shape a < 1,
// by the method of Ahrens and Dieter (1974).
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
