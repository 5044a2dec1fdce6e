package monitor

import "math"

// Claim is a certified statement about two arms in one objective. The claim says that the mean of
// Ahead is at least the mean of Behind minus Margin, in units of the rewards. A claim that compares
// an arm with itself is always true, and only requests replicates.
type Claim struct {
	Ahead, Behind, Objective int
	Margin                   float64
}

// A Confirmation tests claims of a linear certificate by results of the arms themselves, without
// features. A Confirmation assumes sub-Gaussian noise of scale sigma, but makes no assumption about
// the means. A monitor of the linear fit has little power before a campaign ends; a Confirmation
// tests the model where errors matter.
//
// Only results requested after the claims were made count; Observe must receive all such results,
// in order of arrival. Next requests Replicates results of each arm of the claims; the certificate
// is confirmed if the claims Survived.
type Confirmation struct {
	// Replicates is the number of results of each arm after which uncontradicted claims have
	// survived.
	Replicates int
	sigma      []float64 // scale of the noise by objective
	claims     []Claim
	arms       []int             // arms of the claims, in the order of Next
	sums       map[int][]armSums // sums by arm of the claims and objective
	worst      float64           // largest log E so far
	sure       []bool            // by claim: whether the claim is established
	delta      float64
}

// ClaimState is the state of the claims of a Confirmation.
type ClaimState int

// The following constants are the values of ClaimState.
const (
	// Open means that results are still missing.
	Open ClaimState = iota
	// Survived means that all results are available and do not contradict the claims. Claims that
	// survived may still be false.
	Survived
	// Established means that the results show, without features, that all claims are true. Claims
	// are wrongly Established with probability at most delta.
	Established
	// Contradicted means evidence of at least Withdraw against the claims. True claims are
	// contradicted with probability at most 1/Withdraw.
	Contradicted
)

var verdicts = [...]string{"open", "survived", "established", "contradicted"}

// String returns the state in a word.
func (v ClaimState) String() string { return verdicts[v] }

// NewConfirmation returns a confirmation of claims by replicates of each arm. The argument sigma is
// the scale of the noise by objective, and delta is the error probability of Established.
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

// Observe records a result, with one value for each objective; results of arms outside of the
// claims are ignored.
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

// gap returns log E against "the true difference is at most 0", where d is the difference of the
// means of a and b. The evidence E is a mixture of likelihoods, with means of unit variance for a
// and b, divided by the largest likelihood under the null hypothesis.
func gap(a, b *armSums, d float64) float64 {
	wa, wb := a.n*a.n/(1+a.n), b.n*b.n/(1+b.n)
	log := -math.Log1p(a.n)/2 - math.Log1p(b.n)/2
	if d > 0 && wa > 0 && wb > 0 {
		log += wa * wb / (wa + wb) * d * d / 2
	}
	return log
}

// Shows returns the smallest violation of a single claim that all results together would detect, in
// standard deviations of a result.
func (c *Confirmation) Shows() float64 {
	n := float64(c.Replicates)
	return 2 / n * math.Sqrt((1+n)*(math.Log(Withdraw*float64(len(c.claims)))+math.Log1p(n)))
}

// Arms returns the arms of the claims.
func (c *Confirmation) Arms() []int { return c.arms }

// E returns the evidence against the claims, which is the largest average over claims so far.
func (c *Confirmation) E() float64 { return math.Exp(c.worst) }

// Next returns the arms with missing results, each repeated as often as its results are missing.
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
