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

// Secukinumab is the dose-finding instance of the e-cAPE paper (section 5.1). The instance has
// Bernoulli arms with two objectives, efficacy (ACR20 response at week 16) and safety (no adverse
// event up to week 20). The rates are from the phase II trial of Genovese et al. (2013). The source
// of the data is described in data/secukinumab/README.md. The zero value of Secukinumab is the
// instance with the published rates.
type Secukinumab struct {
	// If AsDescribed is true, the efficacy of 75 mg is 0.455, so 150 mg dominates 75 mg. The paper
	// states that 150 mg dominates 75 mg, but the published rates (0.469 > 0.465) contradict the
	// statement.
	AsDescribed bool
}

// SecukinumabFrame returns the published table, one arm in each row.
func SecukinumabFrame() (dataframe.DataFrame, error) {
	return embedded("secukinumab/arms.csv", "arm", "dose_mg", "n_randomised", "acr20_wk16_rate",
		"any_ae_wk20_n", "any_ae_wk20_rate", "safety_one_minus_any_ae")
}

// Instance builds the instance.
func (s Secukinumab) Instance() (*bandit.Instance, error) {
	df, err := SecukinumabFrame()
	if err != nil {
		return nil, err
	}
	inst, err := Bernoulli("secukinumab", df,
		Columns{Objectives: []string{"acr20_wk16_rate", "safety_one_minus_any_ae"}})
	if err != nil {
		return nil, err
	}
	inst.Problem.ArmNames = []string{"placebo", "25 mg", "75 mg", "150 mg", "300 mg"}
	inst.Problem.ObjectiveNames = []string{"efficacy", "safety"}
	if s.AsDescribed {
		mu := inst.Means()
		mu.Set(2, 0, .455)
		inst.Name = "secukinumab as described"
		inst.Notes = append(inst.Notes, "as described in the paper: "+
			"efficacy of 75 mg is set to 0.455 (published: 0.469), so that 150 mg dominates it")
		if inst.Law, err = bandit.NewBernoulli(mu); err != nil {
			return nil, err
		}
	}
	inst.Notes = append(inst.Notes, "the safety threshold of 0.40 is an assumption; the paper states only the "+
		"efficacy threshold")
	region, err := polyhedron.AtLeast([]float64{.40, .40}, inst.Problem.ObjectiveNames)
	if err != nil {
		return nil, fmt.Errorf("dataset: secukinumab: %w", err)
	}
	return Ask(inst, question.FeasiblePareto{Region: region})
}

// CovBoost is the vaccine instance of the e-cAPE paper (section 5.1). The instance has 20 Gaussian
// arms, which are booster strategies, and three objectives: immune responses on a logarithmic
// scale. The variances of the responses are pooled over strategies. The data are from the COV-BOOST
// trial (Munro et al. 2021). The source of the data is described in data/covboost/README.md. The
// zero value of CovBoost is the instance of the paper.
type CovBoost struct{}

// CovBoostFrame returns the means, one strategy in each row.
func CovBoostFrame() (dataframe.DataFrame, error) {
	return embedded("covboost/means.csv", "arm", "strategy", "ln_igg", "ln_nt50", "ln_cellular_wt")
}

// CovBoostVariances returns the pooled variances, one immune response in each row.
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
			return nil, fmt.Errorf("dataset: covboost/pooled_variance.csv: row %d: expected the indicator %q", i+1, c)
		}
		cov.SetSym(i, i, v[i])
	}
	inst, err := Gaussian("covboost", df, Columns{Arm: "strategy", Objectives: columns}, cov)
	if err != nil {
		return nil, err
	}
	inst.Problem.ObjectiveNames = []string{"ln IgG", "ln NT50", "ln cellular response"}
	inst.Notes = append(inst.Notes, "objectives are simulated as independent, with the pooled variances")
	region, err := polyhedron.AtLeast([]float64{8.25, math.Inf(-1), math.Inf(-1)}, inst.Problem.ObjectiveNames)
	if err != nil {
		return nil, fmt.Errorf("dataset: covboost: %w", err)
	}
	return Ask(inst, question.FeasiblePareto{Region: region})
}
