package radius

// A Holder is a Radius that says for which noise its events hold with probability at least 1 -
// delta. Of one that does not say so, nobody knows it.
type Holder interface {
	Radius
	Holds() Noise
}

// Noise says for which rewards events hold.
type Noise int

const (
	// Nominal: no theorem says so for any.
	Nominal Noise = iota
	// SubGaussian is any noise with the scales of Params.
	SubGaussian
	// GaussianOrIndependent is Gaussian noise, or one whose objectives are independent. Events of
	// pairs and means hold for SubGaussian noise.
	GaussianOrIndependent
	// Bounded is that of rewards in a range of the length of two Sigmas.
	Bounded
)
