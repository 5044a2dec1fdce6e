package policy

import "github.com/purexp/purexp/pkg/explore"

// What policies know of rewards is counts and sums of arms, and everything else is computed from
// these: see explore.Pooled.
var _ = []explore.Pooled{(*APE)(nil), (*ECAPE)(nil), (*MDAPT)(nil), (*TFLUCB)(nil)}

// Pools implements explore.Pooled.
func (p *APE) Pools() bool { return true }

// Pools implements explore.Pooled.
func (p *ECAPE) Pools() bool { return true }

// Pools implements explore.Pooled.
func (p *MDAPT) Pools() bool { return true }

// Pools implements explore.Pooled.
func (p *TFLUCB) Pools() bool { return true }
