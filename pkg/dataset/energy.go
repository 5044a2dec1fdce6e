package dataset

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"

	"github.com/purexp/purexp/pkg/bandit"
)

// Energy is the building instance of the GEGE paper (appendix I.2): heating and
// cooling loads of 768 buildings with eight features, of rank 7, simulated by
// Tsanas and Xifara (Energy and Buildings 49, 2012). See data/energy/README.md.
// The zero value minimises both loads as they are in the table.
type Energy struct {
	// Maximise maximises both loads. The Pareto set then has three arms, as the
	// paper says of its own; if loads are minimised, which the paper also says, it
	// has two.
	Maximise bool
	// Linear replaces the loads by their least-squares fit, for which a linear
	// model is exact.
	Linear bool
}

var energyFeatures = []string{
	"relative_compactness", "surface_area", "wall_area", "roof_area", "overall_height",
	"orientation", "glazing_area", "glazing_area_distribution",
}

// EnergyFrame returns the table, one row a building.
func EnergyFrame() (dataframe.DataFrame, error) {
	return embedded("energy/energy.csv",
		append([]string{"heating_load", "cooling_load"}, energyFeatures...)...)
}

// Instance builds the instance.
func (e Energy) Instance() (*bandit.Instance, error) {
	df, err := EnergyFrame()
	if err != nil {
		return nil, err
	}
	t := linearTable{
		name: "energy", df: df, features: energyFeatures, linear: e.Linear,
		arms: rowNames(df, func(v []float64) string {
			return fmt.Sprintf("c%.2f o%g g%.2f d%g", v[0], v[1], v[2], v[3])
		}, "relative_compactness", "orientation", "glazing_area", "glazing_area_distribution"),
		objectives: Columns{Objectives: []string{"heating_load", "cooling_load"}},
		shown:      []string{"heating load (kWh/m²)", "cooling load (kWh/m²)"},
	}
	if e.Linear {
		t.name += " linear"
	}
	if e.Maximise {
		t.name += " maximised"
	} else {
		t.objectives.Minimise = t.objectives.Objectives
	}
	inst, err := t.instance()
	if err != nil {
		return nil, err
	}
	if e.Maximise {
		inst.Notes = append(inst.Notes, "both loads are maximised, "+
			"which is what gives the three optimal arms that the paper states")
	}
	inst.Notes = append(inst.Notes, "the standard deviation of rewards, 0.5 kWh/m², is an assumption")
	return inst, nil
}
