package policy

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
)

// String returns the name with the settings.
func (p *PFIwR) String() string {
	return label("PFIwR", withDelta(p.Delta), fmt.Sprintf(", width %v", p.Width),
		setting("p %v", p.P), setting("norm %v", p.Norm), setting("scale %v", p.Scale),
		setting("random %v", float64(p.Random)), setting("ridge %v", p.Ridge),
		setting("growth %v", p.Growth), setting("fresh", p.Fresh))
}

// settings resolves the settings.
func (p *PFIwR) settings(prob *explore.Problem) error {
	delta, _, err := confidence(p.Delta, nil)
	if err != nil {
		return err
	}
	or := func(v, otherwise float64) float64 {
		if v == 0 {
			return otherwise
		}
		return v
	}
	p.c = PFIwRConstants{
		Arms: prob.K(), Features: prob.H(), Objectives: prob.D(),
		Delta: delta, P: or(p.P, .5), Norm: or(p.Norm, 1),
	}
	p.c.Features = cmp.Or(p.c.Features, prob.K())
	p.scale = or(p.Scale, 1)
	if p.Width == PFIwRPaper {
		p.scale = or(p.Scale, PFIwRPaperScale)
	}
	positive := func(v float64) bool { return v > 0 && !math.IsInf(v, 1) }
	bad := func(name string, v any, want string) error {
		return fmt.Errorf("policy: PFIwR.%s is %v; want %s", name, v, want)
	}
	switch {
	case p.Width < PFIwRSelfNormalized || p.Width > PFIwRPaper:
		return bad("Width", int(p.Width), "PFIwRSelfNormalized, PFIwRTheory or PFIwRPaper")
	case !(p.c.P > 0 && p.c.P < 1):
		return bad("P", p.P, "a probability between 0 and 1, or 0 for 0.5")
	case !positive(p.c.Norm):
		return bad("Norm", p.Norm,
			"a bound on the norm of the parameters in units of Sigma, or 0 for 1")
	case !positive(p.scale):
		return bad("Scale", p.Scale, "a positive factor, or 0 for that of the width")
	case !(p.Ridge >= 0) || math.IsInf(p.Ridge, 1):
		return bad("Ridge", p.Ridge, "a positive regulariser, or 0 for that of the width")
	case !(p.Growth >= 0 && p.Growth <= 1):
		return bad("Growth", p.Growth,
			"the part of the rewards so far that a round may have, from 0 to 1")
	case p.Fresh && p.Width == PFIwRSelfNormalized:
		return errors.New("policy: PFIwR.Fresh has no self-normalised width; set Width to " +
			"PFIwRTheory or PFIwRPaper")
	}
	switch {
	case p.Random != 0:
		p.random = p.Random
	case p.Width == PFIwRTheory:
		p.random = int(min(p.c.Start(), math.MaxInt32))
	case p.Width == PFIwRPaper:
		p.random = 10 * prob.K()
	default:
		p.random = -1
	}
	return nil
}

// remarks are warnings that the settings call for.
func (p *PFIwR) remarks() (warn []error) {
	switch start := p.c.Start(); {
	case p.Width == PFIwRPaper || p.scale < 1:
		warn = append(warn, fmt.Errorf("policy: PFIwR with width %v x %.4g has no guarantee",
			p.Width, p.scale))
	case p.Width == PFIwRTheory && p.random >= 0 && float64(p.random) < math.Floor(start):
		warn = append(warn, fmt.Errorf(
			"policy: PFIwR.Random is %d; Theorem 4.2 is stated from %.0f rounds on",
			p.random, start))
	}
	return warn
}

// Warnings implements explore.Warnings.
func (p *PFIwR) Warnings() []error {
	warn := slices.Clone(p.warn)
	if p.longest > 1+1e-9 { // more than rounding
		warn = append(warn, fmt.Errorf("policy: PFIwR: features as long as %.4g, where 1 is "+
			"assumed; all were taken in units of that", p.longest))
	}
	return warn
}
