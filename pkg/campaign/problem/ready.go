package problem

import (
	"fmt"
	"slices"
	"strings"

	"github.com/purexp/purexp/internal/plaintext"
	"github.com/purexp/purexp/pkg/explore"
)

// Tolerant reports whether methods for the question of p use tolerances and slacks; if p names a
// method, Tolerant also checks that this method uses tolerances. Methods use slacks only for
// "pareto", and tolerances only for "pareto", "good", and "best" by one objective without bounds.
func (p *Problem) Tolerant() (tolerances, slacks bool) {
	by := explore.UsesRelaxations
	switch p.Question.Find {
	case FindPareto:
		tolerances, slacks = true, true
		by |= explore.UsesTolerances
	case FindGood:
		return true, false // the tolerance is a part of the question "good"
	case FindBest:
		tolerances = p.simple()
	}
	if new := named(p.Method.Name); new != nil && new().Card().Uses&by == 0 {
		tolerances = false
	}
	return tolerances, slacks
}

// Ready returns Errors unless the valid problem p is ready for the start of a campaign. Every
// tolerance and slack must be used, and no objective may have the name of another column of
// worksheets or exports. Bounds on counts must not look like rates, and features must distinguish
// candidates. Parse calls Ready. Ready does not apply to existing campaigns.
func (p *Problem) Ready() error {
	if errs := p.unready(); errs != nil {
		return errs
	}
	return nil
}

func (p *Problem) unready() Errors {
	return slices.Concat(p.unserved(), p.unnamed(), p.alike(), p.ambiguous(), p.disguised())
}

// disguised returns errors for names with invisible or misleading letters, and for pairs of names
// that look alike.
func (p *Problem) disguised() (errs Errors) {
	check := func(field, name string, seen map[string]string) {
		if err := plaintext.Name(name); err != nil {
			errs = append(errs, p.wrong(field, "%v", err))
			return
		}
		if seen == nil {
			return
		}
		look := plaintext.Skeleton(name)
		if other, twin := seen[look]; twin && other != name {
			errs = append(errs, p.wrong(field, "%+q looks like %+q; rename one of them", name, other))
		}
		seen[look] = name
	}
	check("title", p.Title, nil)
	check("candidates.cost_unit", p.Candidates.CostUnit, nil)
	for _, name := range p.Candidates.FeatureNames {
		if check("candidates.features", name, nil); len(errs) > 0 {
			break
		}
	}
	seen := map[string]string{}
	for i, name := range p.Candidates.Names {
		field := "candidates"
		if p.Candidates.File == "" {
			field = fmt.Sprintf("candidates.names[%d]", i+1)
		}
		if check(field, name, seen); len(errs) > 0 {
			break
		}
	}
	seen = map[string]string{}
	for i := range p.Objectives {
		o, at := &p.Objectives[i], fmt.Sprintf("objective[%d].", i+1)
		check(at+"name", o.Name, seen)
		check(at+"unit", o.Unit, nil)
		check(at+"noise.of", o.Noise.Of, nil)
	}
	for i := range p.Constraints {
		check(fmt.Sprintf("constraint[%d].name", i+1), p.Constraints[i].Name, nil)
	}
	check("laboratory.reference", p.Laboratory.Reference, nil)
	return errs
}

// The following constants are the headings of worksheet columns other than objectives.
const (
	ColumnPlate     = "plate"
	ColumnTicket    = "ticket"
	ColumnCandidate = "candidate"
	ColumnNote      = "note"
	ColumnCampaign  = "campaign"
)

// unnamed returns errors for objectives whose name is the heading of another column of worksheets
// or exports.
func (p *Problem) unnamed() (errs Errors) {
	for i := range p.Objectives {
		switch name := p.Objectives[i].Name; name {
		case ColumnPlate, ColumnTicket, ColumnCandidate, ColumnNote, "event", "state", "at", "who", "id", "replicates":
			errs = append(errs, p.wrong(fmt.Sprintf("objective[%d].name", i+1), "%q is another column of worksheets "+
				"or exports; use another name, such as %q", name, name+" value"))
		}
	}
	return errs
}

// alike returns an error if all candidates have the same features.
func (p *Problem) alike() Errors {
	x := p.Candidates.Features
	if len(x) < 2 || slices.ContainsFunc(x, func(row []float64) bool {
		return !slices.Equal(row, x[0])
	}) {
		return nil
	}
	return Errors{p.wrong("candidates.features", "all candidates have the same features, so all linear means are "+
		"equal; leave the features out, or add other features")}
}

// unserved returns errors for tolerances and slacks that the method ignores.
func (p *Problem) unserved() (errs Errors) {
	tolerances, slacks := p.Tolerant()
	exact := p.Method.Name != "" && !tolerances
	if exact {
		q := *p
		q.Method.Name = ""
		exact, _ = q.Tolerant() // whether other methods for this question use tolerances
	}
	no := func(field string, x float64, served bool) {
		if !(x > 0) || served {
			return
		}
		switch {
		case exact && strings.HasSuffix(field, ".tolerance"):
			errs = append(errs, p.wrong(field, "%v, but the method %s ignores it and answers the "+
				"exact question; leave it out, or use another method", x, p.MethodName()))
		default:
			errs = append(errs, p.wrong(field, "%v, but no method for %q %s uses this field; leave it out, or use "+
				"find = \"pareto\"", x,
				p.Question.Find, p.manner()))
		}
		errs[len(errs)-1].on("question.find", "method.name")
	}
	for i := range p.Objectives {
		field := fmt.Sprintf("objective[%d]", i+1)
		no(field+".tolerance", p.Objectives[i].Tolerance, tolerances)
		no(field+".slack", p.Objectives[i].Slack, slacks)
	}
	for i := range p.Constraints {
		no(fmt.Sprintf("constraint[%d].slack", i+1), p.Constraints[i].Slack, slacks)
	}
	return errs
}

func (p *Problem) manner() string {
	if p.bounded() {
		return "with bounds"
	}
	return fmt.Sprintf("of %d objectives", len(p.Objectives))
}
