package arms

import (
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/radius"
)

// Bind binds r to the arms of p with error probability delta.
func Bind(r radius.Radius, p *explore.Problem, delta float64) radius.Bonus {
	return r.Bind(radius.Params{Arms: p.K(), Objectives: p.D(), Sigma: p.Sigma,
		NormSigma: p.SigmaU(), Delta: delta})
}
