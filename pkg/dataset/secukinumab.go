package dataset

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// Secukinumab is the dose-finding instance of the e-cAPE paper (section 5.1):
// Bernoulli arms with two objectives, efficacy (ACR20 response at week 16) and
// safety (no adverse event up to week 20), from the phase II trial of Genovese
// et al. (2013). See data/secukinumab/README.md. The zero value is the instance
// as published.
type Secukinumab struct {
	// AsDescribed sets the efficacy of 75 mg to 0.455, which makes it dominated
	// by 150 mg, as the paper says and the published rates (0.469 > 0.465) do
	// not.
	AsDescribed bool
}

// SecukinumabFrame returns the published table, one row an arm.
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
	inst.Notes = append(inst.Notes, "the threshold on safety, 0.40, is an assumption: "+
		"the paper states that of efficacy only")
	region, err := polyhedron.AtLeast([]float64{.40, .40}, inst.Problem.ObjectiveNames)
	if err != nil {
		return nil, fmt.Errorf("dataset: secukinumab: %w", err)
	}
	return Ask(inst, question.FeasiblePareto{Region: region})
}
