package dataset

import (
	"cmp"
	"fmt"
	"math"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// defaultNoise is the standard deviation of rewards in the GEGE paper's experiment on NoC.
const defaultNoise = .5

// linearTable describes how a table is converted to a linear instance with several objectives.
type linearTable struct {
	name       string
	df         dataframe.DataFrame
	arms       []string // names of the arms
	features   []string // columns with features
	objectives Columns  // columns with objectives, and the objectives that are minimised
	shown      []string // names of the objectives, with units
	linear     bool     // whether the means are replaced by their least-squares fit
	sigma      float64  // standard deviation of rewards; zero means defaultNoise
}

// instance builds the instance. Features have unit Euclidean norm, rewards are Gaussian with
// independent objectives, and the question is the Pareto set.
func (t linearTable) instance() (*bandit.Instance, error) {
	_, mu, notes, err := t.objectives.Means(t.df)
	if err != nil {
		return nil, err
	}
	x, err := unitRows(t.df, t.features)
	if err != nil {
		return nil, err
	}
	k, d := mu.Dims()
	fit, off := mat.NewDense(k, d, nil), 0.
	for c := range d {
		fit.SetCol(c, linearFit(x, mat.Col(nil, c, mu)))
	}
	for i := range k {
		off = max(off, floats.Distance(fit.RawRowView(i), mu.RawRowView(i), math.Inf(1)))
	}
	notes = append(notes, "each row of features is scaled to unit Euclidean norm; the features include no constant")
	if t.linear {
		mu = fit
		notes = append(notes, fmt.Sprintf("means are those of a linear model, fitted by least squares; the table "+
			"deviates from the model by up to %.3g", off))
	} else {
		notes = append(notes, fmt.Sprintf("means are those of the table, and deviate from a linear model fitted by "+
			"least squares by up to %.3g", off))
	}
	sd := cmp.Or(t.sigma, defaultNoise)
	if !(sd > 0) || math.IsInf(sd, 1) {
		return nil, fmt.Errorf("dataset: %s: Sigma is %v; "+
			"expected a standard deviation above 0, or 0 for %v", t.name, t.sigma, defaultNoise)
	}
	law, err := bandit.NewGaussian(mu, bandit.Isotropic(d, sd))
	if err != nil {
		return nil, err
	}
	inst := &bandit.Instance{
		Name: t.name, Law: law, Notes: notes, Axes: t.objectives.axes(t.shown),
		Problem: &explore.Problem{
			X: x, Objectives: d, ArmNames: t.arms, ObjectiveNames: t.shown,
			Sigma: sd, NormSigma: sd, Question: question.Pareto{},
		},
	}
	return inst, inst.Validate()
}

// unitRows returns the columns as features, each row scaled to unit Euclidean norm.
func unitRows(df dataframe.DataFrame, columns []string) (*mat.Dense, error) {
	all, _, err := Features(df, columns, nil)
	if err != nil {
		return nil, err
	}
	k, h := all.Dims()
	x := mat.DenseCopyOf(all.Slice(0, k, 1, h)) // the features without the constant
	for i := range k {
		row := x.RawRowView(i)
		norm := floats.Norm(row, 2)
		if norm == 0 {
			return nil, fmt.Errorf("dataset: row %d: all features are 0; leave out the row", i+1)
		}
		floats.Scale(1/norm, row)
	}
	return x, nil
}

// rowNames returns name(v) for each row, where v contains the numbers of the row in the given
// columns.
func rowNames(df dataframe.DataFrame, name func(v []float64) string, columns ...string) []string {
	cols := make([][]float64, len(columns))
	for j, c := range columns {
		cols[j] = df.Col(c).Float()
	}
	names, v := make([]string, df.Nrow()), make([]float64, len(columns))
	for i := range names {
		for j := range v {
			v[j] = cols[j][i]
		}
		names[i] = name(v)
	}
	return names
}
