package study

import (
	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/mc"
)

// A Check judges a claim: see Claim.Check.
type Check = func(*Results) Verdict

// Unknown is the verdict where something that a claim needs cannot be had.
func Unknown(why error) Verdict { return Verdict{Measured: "-", Why: why.Error()} }

// Judge judges that an estimate is what the word says.
func (w Word) Judge(e Estimate) Verdict { return All(w.Of(e)) }

// For judges that an estimate of the results is what the word says.
func (w Word) For(of func(*Results) Estimate) Check {
	return func(r *Results) Verdict { return w.Judge(of(r)) }
}

// Exactly judges a count of something, which the paper says is want.
func Exactly(says string, want int, what string, count int) Verdict {
	v := float64(want)
	return Between(says, v, v, "exactly").Judge(Exact(what, float64(count)))
}

// OnInstance judges a claim that one instance of an experiment decides, that of its first size.
func OnInstance(judge func(*bandit.Instance) Verdict) Check {
	return onInstance(func(e Experiment) (*bandit.Instance, error) { return e.At(e.Sizes[0], 0) },
		judge)
}

// OnNamed is OnInstance for the instance with the given name, one of Names.
func OnNamed(name string, judge func(*bandit.Instance) Verdict) Check {
	return onInstance(func(e Experiment) (*bandit.Instance, error) { return e.Named(name) }, judge)
}

func onInstance(
	load func(Experiment) (*bandit.Instance, error), judge func(*bandit.Instance) Verdict,
) Check {
	return func(r *Results) Verdict {
		inst, err := load(r.Experiment)
		if err != nil {
			return Unknown(err)
		}
		return judge(inst)
	}
}

// BySize returns the rows of a method by size, where it was run.
func (r *Results) BySize(method, constants string) []At {
	return r.bySize(func(size int) []mc.Row { return r.Cell(size, method, constants) })
}

// ShownBySize is BySize with the first constants of the method that are in figures.
func (r *Results) ShownBySize(method string) []At {
	return r.bySize(func(size int) []mc.Row { return r.Shown(size, method) })
}

func (r *Results) bySize(cell func(size int) []mc.Row) (all []At) {
	for _, size := range r.Experiment.Sizes {
		if rows := cell(size); len(rows) > 0 {
			all = append(all, At{Size: size, Rows: rows})
		}
	}
	return all
}

// TallyOf counts the wrong answers of rows.
func TallyOf(name string, rows []mc.Row) Tally {
	return Tally{Name: name, Wrong: Mistakes(rows), Runs: len(rows), GivenUp: GivenUp(rows)}
}
