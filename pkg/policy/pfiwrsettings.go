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
	delta, _, err := checked(p, p.Delta, nil)
	if err != nil {
		return err
	}
	if p.Fresh && p.Width == PFIwRSelfNormalized {
		return errors.New("policy: PFIwR.Fresh has no self-normalised width; set Width to " +
			"PFIwRTheory or PFIwRPaper")
	}
	p.c = PFIwRConstants{
		Arms: prob.K(), Features: cmp.Or(prob.H(), prob.K()), Objectives: prob.D(),
		Delta: delta, P: cmp.Or(p.P, .5), Norm: cmp.Or(p.Norm, 1),
	}
	p.scale = cmp.Or(p.Scale, 1)
	if p.Width == PFIwRPaper {
		p.scale = cmp.Or(p.Scale, PFIwRPaperScale)
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
