package explore

import (
	"fmt"

	"github.com/purexp/purexp/pkg/lsq"
)

// A Link says how the mean of a reward depends on the linear predictor x'theta; see
// [lsq.Link].
type Link = lsq.Link

// Links.
const (
	Identity = lsq.Identity // means are linear: the default
	Logit    = lsq.Logit    // successes and failures, of mean 1/(1 + exp(-predictor))
	Log      = lsq.Log      // counts, of mean exp(predictor)
)

// ErrLink says that something is about linear means, and the problem has another link.
// It wraps ErrQuestion.
var ErrLink = fmt.Errorf("means are not linear in the features: %w", ErrQuestion)

// CheckLinear returns an error that wraps ErrLink if p has another link than Identity.
// Policies that estimate means by least squares, or that compare means with a tolerance
// of the question, call it in Init: the means that they would estimate are not those that
// the question is about.
func (p *Problem) CheckLinear() error {
	if p.Link == Identity {
		return nil
	}
	return fmt.Errorf("explore: the link is %v; this needs linear means (the link %v), or a "+
		"method for generalised linear models: %w", p.Link, Identity, ErrLink)
}

// checkLink reports what does not fit the link of p.
func (p *Problem) checkLink() error {
	if !p.Link.Known() {
		return wrong("Link", "%v; want Identity, Logit or Log", p.Link)
	}
	if p.Link == Identity {
		return nil
	}
	switch q, ok := p.Question.(OnPredictors); {
	case p.X == nil:
		return wrong("Link", "%v, but arms have no features (X); without them there is no linear "+
			"predictor", p.Link)
	case p.Changing:
		return wrong("Link", "%v, but the features are Changing; want Identity", p.Link)
	case p.D() != 1:
		return wrong("Link", "%v, but there are %d objectives; want one", p.Link, p.D())
	case p.Question != nil && !(ok && q.OnPredictors()):
		return wrong("Link", "%v, but the question is about means; want one about linear "+
			"predictors, such as question.Best or question.AllEpsilonBest", p.Link)
	}
	return nil
}
