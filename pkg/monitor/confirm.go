package monitor

import "math"

// Claim is a certified statement about two arms in one objective. The claim states that the mean of
// Ahead is at least the mean of Behind minus Margin, in reward units. A claim that compares an arm
// with itself is always true; it only causes replicates to be requested.
type Claim struct {
	Ahead, Behind, Objective int
	Margin                   float64
}

// A Confirmation tests the claims of a certificate based on a linear model, with new results of the
// arms in the claims, without using the model. A Confirmation assumes sub-Gaussian noise of scale
// sigma, but makes no assumption about the means. A monitor of the linear fit has little power
// before a campaign ends; a Confirmation tests the model only where errors would affect the answer.
//
// Only results requested after the claims were stated count; pass all of these results to Observe,
// in order of arrival. Next requests Replicates results of each arm in the claims. If the state of
// the claims is Survived or Established after these results, the certificate is confirmed.
type Confirmation struct {
	// Replicates is the number of results of each arm that Next requests. Claims that these results
	// do not contradict have survived.
	Replicates int
	sigma      []float64 // scale of the noise by objective
	claims     []Claim
	arms       []int             // arms of the claims, in the order of Next
	sums       map[int][]armSums // sums by arm and objective, for the arms in the claims
	worst      float64           // largest log E so far
	sure       []bool            // for each claim, whether it is established
	delta      float64
}

// ClaimState is the state of the claims of a Confirmation.
type ClaimState int

// The following constants are the values of ClaimState.
const (
	// Open means that some results are still missing.
	Open ClaimState = iota
	// Survived means that all requested results have arrived and do not contradict the claims.
	// Claims that survived may still be false.
	Survived
	// Established means that the results show, without the linear model, that all claims are true.
	// The probability that false claims become Established is at most delta.
	Established
	// Contradicted means that the evidence against the claims is at least Withdraw. The probability
	// that true claims become Contradicted is at most 1/Withdraw.
	Contradicted
)

var verdicts = [...]string{"open", "survived", "established", "contradicted"}

// String returns the name of the state.
func (v ClaimState) String() string { return verdicts[v] }

// NewConfirmation returns a confirmation of claims that requests the given number of replicates of
// each arm. The argument sigma contains the scale of the noise in each objective, and delta is the
// error probability of Established.
func NewConfirmation(claims []Claim, replicates int, sigma []float64, delta float64) *Confirmation {
	c := &Confirmation{Replicates: replicates, sigma: sigma, claims: claims, delta: delta,
		sums: map[int][]armSums{}, worst: math.Inf(-1), sure: make([]bool, len(claims))}
	for _, x := range claims {
		for _, i := range []int{x.Ahead, x.Behind} {
			if c.sums[i] == nil {
				c.sums[i] = make([]armSums, len(sigma))
				c.arms = append(c.arms, i)
			}
		}
	}
	return c
}

// Observe records a result, with one value for each objective; results of arms that occur in no
// claim are ignored.
func (c *Confirmation) Observe(arm int, x []float64) {
	a := c.sums[arm]
	if a == nil {
		return
	}
	for j, sigma := range c.sigma {
		a[j].add(1, x[j]/sigma)
	}
	logs := make([]float64, len(c.claims))
	for i, claim := range c.claims {
		j := claim.Objective
		ahead, behind := &c.sums[claim.Ahead][j], &c.sums[claim.Behind][j]
		lead := ahead.mean - behind.mean + claim.Margin/c.sigma[j]
		logs[i] = gap(ahead, behind, -lead)
		if gap(ahead, behind, lead) >= -math.Log(c.delta) {
			c.sure[i] = true
		}
	}
	c.worst = max(c.worst, logMean(logs))
}

// gap returns log E against the hypothesis "the true difference is at most 0", where d is the
// estimated difference of the means of a and b. The evidence E is a mixture of likelihoods, divided
// by the largest likelihood under the hypothesis. In the mixture, the means of a and b have
// Gaussian distributions with unit variance.
func gap(a, b *armSums, d float64) float64 {
	wa, wb := a.n*a.n/(1+a.n), b.n*b.n/(1+b.n)
	log := -math.Log1p(a.n)/2 - math.Log1p(b.n)/2
	if d > 0 && wa > 0 && wb > 0 {
		log += wa * wb / (wa + wb) * d * d / 2
	}
	return log
}

// Shows returns the smallest violation of a single claim that the complete results would detect, in
// standard deviations of a result.
func (c *Confirmation) Shows() float64 {
	n := float64(c.Replicates)
	return 2 / n * math.Sqrt((1+n)*(math.Log(Withdraw*float64(len(c.claims)))+math.Log1p(n)))
}

// Arms returns the arms that occur in the claims.
func (c *Confirmation) Arms() []int { return c.arms }

// E returns the evidence against the claims: the largest value so far of the average over claims.
func (c *Confirmation) E() float64 { return math.Exp(c.worst) }

// Next returns the arms whose results are missing; each arm occurs once for each of its missing
// results.
func (c *Confirmation) Next() (arms []int) {
	if c.Verdict() != Open {
		return nil
	}
	for _, i := range c.arms {
		for range c.Replicates - c.sums[i][0].k {
			arms = append(arms, i)
		}
	}
	return arms
}

// Verdict returns the current state of the claims.
func (c *Confirmation) Verdict() ClaimState {
	if c.worst >= math.Log(Withdraw) {
		return Contradicted
	}
	established := true
	for _, sure := range c.sure {
		established = established && sure
	}
	if established {
		return Established
	}
	for _, i := range c.arms {
		if c.sums[i][0].k < c.Replicates {
			return Open
		}
	}
	return Survived
}
