package lsq

import (
	"math"
	"math/rand/v2"
)

// A DoublyRobust is the estimator of the PFIwR paper (Kim, Iyengar and Zeevi, "Pareto
// Front Identification with Regret Minimization", section 4.1) where its pseudo-actions
// are drawn anew: theta is regressed on the contexts of all arms, with imputed rewards.
//
// In each round two pseudo-actions are drawn, each of which is the arm pulled with
// probability p. Where the first is, the reward counts 1/p for theta-IPW (8). Where the
// second is, the reward of the arm pulled is imputed as Y/p + (1 - 1/p) x'theta-IPW; all
// other rewards are imputed as x'theta-IPW (9). The estimate is the ridge regression of
// imputed rewards on the contexts of all arms, with noise U added to those that were
// not pulled in some rounds (10).
//
// As printed, one pseudo-action serves (8) and (9), and is drawn until it is the arm
// pulled. Then imputed rewards are on average what theta-IPW says, and the estimate is
// theta-IPW itself: that of a Ridge of the arms pulled with p times the weight of the
// norm. See TestCollapse. With two, the estimates differ; that they use more than the
// rewards of the arms pulled, as the paper hopes, cannot be: contexts without rewards
// say nothing about theta.
//
// A round costs O(K m^2) for K arms and m features, and a solution O(m^3).
type DoublyRobust struct {
	p     float64
	rnd   *rand.Rand
	first *Ridge // rounds whose first pseudo-action is the arm pulled
	again *Ridge // the same for the second
	all   *Ridge // contexts of all arms
	x     []float64
}

// NewDoublyRobust returns an estimator without rewards for m features, d objectives and
// the probability p, between 0 and 1, that a pseudo-action is the arm pulled. Draws come
// from src.
func NewDoublyRobust(m, d int, p float64, src rand.Source) *DoublyRobust {
	if !(p > 0 && p < 1) {
		panic(panicProbability)
	}
	return &DoublyRobust{
		p: p, rnd: rand.New(src), first: NewRidge(m, d), again: NewRidge(m, d), all: NewRidge(m, d),
		x: make([]float64, m),
	}
}

const panicProbability = "lsq: a probability that is not between 0 and 1"

// Add adds a round: the contexts of k arms, k x m numbers; arm was pulled and gave
// reward. If noisy, a uniform draw from the unit ball is added to the contexts of the
// other arms.
func (r *DoublyRobust) Add(contexts []float64, arm int, reward []float64, noisy bool) {
	m := r.all.m
	pulled := contexts[arm*m:][:m]
	if r.rnd.Float64() < r.p {
		r.first.Add(pulled, 1, reward)
	}
	if r.rnd.Float64() < r.p {
		r.again.Add(pulled, 1, reward)
	}
	for k := 0; k < len(contexts)/m; k++ {
		copy(r.x, contexts[k*m:][:m])
		if noisy && k != arm {
			addBall(r.x, r.all.u, r.rnd)
		}
		r.all.Add(r.x, 1, nil)
	}
}

// Solve computes the estimate with the weight reg of the squared norm of theta in (8) and
// (10). It reports whether there is a unique one, as there is for positive reg.
func (r *DoublyRobust) Solve(reg float64) (unique bool) {
	if !r.first.Solve(r.p*reg) || !r.all.factorize(reg) {
		return false
	}
	// theta = (V + reg)^-1 (V theta-IPW + (b - A theta-IPW)/p).
	to, ipw := r.all.theta, r.first.theta
	copy(to, r.again.b)
	r.again.subtract(to, ipw)
	for i := range to {
		to[i] /= -r.p
	}
	r.all.subtract(to, ipw)
	for i := range to {
		to[i] = -to[i]
	}
	for c := range r.all.d {
		r.all.solve(to[c*r.all.m:][:r.all.m])
	}
	return true
}

// subtract subtracts A theta from y, both d x m.
func (r *Ridge) subtract(y, theta []float64) {
	m := r.m
	for c := range r.d {
		to, from := y[c*m:][:m], theta[c*m:][:m]
		for i := range m {
			for j, v := range from {
				to[i] -= r.a[max(i, j)*m+min(i, j)] * v
			}
		}
	}
}

// Means stores the estimated means at x, d numbers, in dst.
func (r *DoublyRobust) Means(dst, x []float64) { r.all.Means(dst, x) }

// addBall adds a uniform draw from the unit ball to x; u is memory of the same length.
func addBall(x, u []float64, rnd *rand.Rand) {
	// In a ball, directions are those of normal vectors, and the m-th power of the radius is
	// uniform.
	square := 0.
	for square == 0 { // once
		for j := range u {
			u[j] = rnd.NormFloat64()
			square += u[j] * u[j]
		}
	}
	r := math.Pow(rnd.Float64(), 1/float64(len(x))) / math.Sqrt(square)
	for j, v := range u {
		x[j] += r * v
	}
}
