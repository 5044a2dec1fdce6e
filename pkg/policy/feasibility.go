package policy

import (
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// feasibility tracks where the empirical means lie relative to a polyhedron.
type feasibility struct {
	region *polyhedron.Polyhedron
	ws     polyhedron.Workspace
	sigmaU float64

	inside []bool    // muhat_i in P
	eta    []float64 // distance of muhat_i to the boundary of P
	facet  []int     // the constraint that comes closest, or is violated most
	width  []float64 // width[i] times factor is U_i
	factor float64
}

func (f *feasibility) init(p *explore.Problem, region *polyhedron.Polyhedron) {
	f.region, f.sigmaU = region, p.SigmaU()
	f.inside = zeroed(f.inside, p.K())
	f.eta = zeroed(f.eta, p.K())
	f.facet = zeroed(f.facet, p.K())
	f.width = zeroed(f.width, p.K())
}

// locate updates the arms of obs from the estimates e.
func (f *feasibility) locate(obs []explore.Batch, e *estimates) {
	for b := range obs {
		i := obs[b].Arm
		f.inside[i], f.eta[i], f.facet[i] = f.region.MarginWith(&f.ws, e.row(i))
		f.width[i] = e.bonus.Norm(e.n[i])
	}
}

// gamma returns the evidence on whether arm i with n pulls is on the side of
// the boundary where its estimate lies,
//
//	gamma_i = N_i (eta_i^2 - U_i^2) / (2 sigma_u^2),
//
// in units of log-likelihood: positive if that is certain.
func (f *feasibility) gamma(i, n int) float64 {
	u := f.factor * f.width[i]
	return float64(n) * (f.eta[i]*f.eta[i] - u*u) / (2 * f.sigmaU * f.sigmaU)
}

// slack fills in the part of a reason that concerns feasibility.
func (f *feasibility) slack(r *explore.Reason, i int) {
	r.Constraint, r.Slack, r.SlackRadius = f.facet[i], f.eta[i], f.factor*f.width[i]
	if !f.inside[i] {
		r.Slack = -r.Slack
	}
}
