package dataset

import (
	"fmt"
	"math"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// CovBoost is the vaccine instance of the e-cAPE paper (section 5.1): Gaussian
// arms, 20 booster strategies, with three immune responses on a logarithmic
// scale and the variances pooled over strategies, from the COV-BOOST trial
// (Munro et al. 2021). See data/covboost/README.md. The zero value is the
// paper's.
type CovBoost struct{}

// CovBoostFrame returns the means, one row a strategy.
func CovBoostFrame() (dataframe.DataFrame, error) {
	return embedded("covboost/means.csv", "arm", "strategy", "ln_igg", "ln_nt50", "ln_cellular_wt")
}

// CovBoostVariances returns the pooled variances, one row an indicator.
func CovBoostVariances() (dataframe.DataFrame, error) {
	return embedded("covboost/pooled_variance.csv", "indicator", "variance")
}

// Instance builds the instance.
func (CovBoost) Instance() (*bandit.Instance, error) {
	df, err := CovBoostFrame()
	if err != nil {
		return nil, err
	}
	vars, err := CovBoostVariances()
	if err != nil {
		return nil, err
	}
	columns := []string{"ln_igg", "ln_nt50", "ln_cellular_wt"}
	cov := mat.NewSymDense(len(columns), nil)
	indicators, v := vars.Col("indicator").Records(), vars.Col("variance").Float()
	for i, c := range columns {
		if i >= len(indicators) || indicators[i] != c {
			return nil, fmt.Errorf("dataset: covboost/pooled_variance.csv: row %d: "+
				"want indicator %q", i+1, c)
		}
		cov.SetSym(i, i, v[i])
	}
	inst, err := Gaussian("covboost", df, Columns{Arm: "strategy", Objectives: columns}, cov)
	if err != nil {
		return nil, err
	}
	inst.Problem.ObjectiveNames = []string{"ln IgG", "ln NT50", "ln cellular response"}
	inst.Notes = append(inst.Notes,
		"objectives are simulated as independent, with the pooled variances")
	region, err := polyhedron.AtLeast([]float64{8.25, math.Inf(-1), math.Inf(-1)},
		inst.Problem.ObjectiveNames)
	if err != nil {
		return nil, fmt.Errorf("dataset: covboost: %w", err)
	}
	return Ask(inst, question.FeasiblePareto{Region: region})
}
