package constrained

import (
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// Feasibility tracks where the empirical means lie relative to a polyhedron.
type Feasibility struct {
	margins margins
	ws      polyhedron.Workspace
	sigmaU  float64

	Inside []bool    // muhat_i in P
	eta    []float64 // distance of muhat_i to the boundary of P
	facet  []int     // the constraint that comes closest, or is violated most
	width  []float64 // width[i] times factor is U_i
	factor float64
}

func (f *Feasibility) init(p *explore.Problem, region *polyhedron.Polyhedron) {
	f.margins.init(p, region)
	f.sigmaU = p.SigmaU()
	f.Inside = memory.Zeroed(f.Inside, p.K())
	f.eta = memory.Zeroed(f.eta, p.K())
	f.facet = memory.Zeroed(f.facet, p.K())
	f.width = memory.Zeroed(f.width, p.K())
}

// locate updates the arms of obs from the estimates e.
func (f *Feasibility) locate(obs []explore.Batch, e *arms.Estimates) {
	for b := range obs {
		i := obs[b].Arm
		f.Inside[i], f.eta[i], f.facet[i] = f.margins.of(&f.ws, i, e.Row(i))
		f.width[i] = e.Bonus.Norm(e.N[i])
	}
}

// gamma returns the evidence on whether arm i with n pulls is on the side of
// the boundary where its estimate lies,
//
//	gamma_i = N_i (eta_i^2 - U_i^2) / (2 sigma_u^2),
//
// in units of log-likelihood: positive if that is certain.
func (f *Feasibility) gamma(i, n int) float64 {
	u := f.factor * f.width[i]
	return float64(n) * (f.eta[i]*f.eta[i] - u*u) / (2 * f.sigmaU * f.sigmaU)
}

// Slack fills in the part of a reason that concerns feasibility.
func (f *Feasibility) Slack(r *explore.Reason, i int) {
	r.Constraint, r.Slack, r.SlackRadius = f.facet[i], f.eta[i], f.factor*f.width[i]
	if !f.Inside[i] {
		r.Slack = -r.Slack
	}
	f.margins.explain(r, i)
}
