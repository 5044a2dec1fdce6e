package simulated

import (
	"cmp"
	"fmt"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/internal/csvtable"
)

// Truth has the true means by candidate, and by the reference if there is one: of the objectives that are measured,
// in their order, in the unit of means, which is a rate where successes are counted.
type Truth map[string][]float64

// ReadTruth reads a table of true means for p: a row for each candidate, by the column that has the names in the
// table of candidates (or is called "candidate", or is the first one), and a column for each objective that is
// measured, as bounds and guesses are written. Name is that of the table, for errors, which name line and column.
func ReadTruth(p *problem.Problem, name string, table []byte) (Truth, error) {
	t, err := csvtable.Read(name, table)
	if err != nil {
		return nil, err
	}
	names := max(t.Find(cmp.Or(p.Candidates.Column, "candidate")), 0)
	truth := Truth{}
	for i, row := range t.Rows {
		arm := problem.Normal(csvtable.Unguard(row[names]))
		if _, dup := truth[arm]; dup {
			return nil, fmt.Errorf("%s: %s is there twice; leave one of them out", t.Where(i, names),
				csvtable.Short(arm))
		}
		truth[arm] = []float64{}
		for _, c := range p.Measured() {
			o := &p.Objectives[c]
			at, err := t.Column(o.Name)
			if err != nil {
				return nil, fmt.Errorf("%w; add the true means of the objective", err)
			}
			x, err := csvtable.Number(row[at])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", t.Where(i, at), err)
			}
			mean := o.Value(x)
			if o.Noise.Counts != nil && (mean < 0 || mean > 1) {
				return nil, fmt.Errorf("%s: %v is a rate of %v; want the true mean of %s, written as bounds and "+
					"guesses are", t.Where(i, at), x, mean, o.Name)
			}
			truth[arm] = append(truth[arm], mean)
		}
	}
	for _, arm := range p.Candidates.Names {
		if truth[problem.Normal(arm)] == nil {
			return nil, fmt.Errorf("%s: column %q: there is no row for %s; add its true means", name, t.Columns[names],
				csvtable.Short(arm))
		}
	}
	return truth, nil
}

// Guesses takes the guesses of p for the truth. It is an error if there are none.
func Guesses(p *problem.Problem) (Truth, error) {
	truth := Truth{}
	for _, c := range p.Measured() {
		o := &p.Objectives[c]
		means := o.GuessedMeans()
		if means == nil {
			return nil, fmt.Errorf("simulated: nobody guesses the means of %s; give the true ones (--truth TABLE), or "+
				"guess = \"column\" of the objective", o.Name)
		}
		for i, arm := range p.Candidates.Names {
			truth[problem.Normal(arm)] = append(truth[problem.Normal(arm)], means[i])
		}
	}
	return truth, nil
}
