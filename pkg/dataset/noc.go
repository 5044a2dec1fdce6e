package dataset

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"

	"github.com/purexp/purexp/pkg/bandit"
)

// NoC is the hardware instance of the GEGE paper (section 5). The instance has 259 implementations
// of a network on chip with four design parameters, from Almer, Topham and Franke (ARCS 2011). The
// source of the data is described in data/noc/README.md. The table is not embedded; see [Folder].
//
// The zero value is the instance in the paper's experiment. The means are the negated values of
// least-squares fits to log2 energy and log2 inverse runtime, so the linear model is exact. Both
// objectives are therefore minimised, and chips with long runtimes are preferred. Minimising both
// objectives reproduces the paper; for the natural question, set Raw. The name of an arm lists its
// parameters: "w3 c1 f4 m1" has width 3, complexity 1, fifo 4 and multiplier 1.
type NoC struct {
	// If Raw is true, the means are the measurements, which are not linear in the features. With
	// Raw, objectives keep their natural meaning: log2 energy is minimised and log2 inverse runtime
	// is maximised. With Raw, some gaps are 0, so no method can identify the Pareto set with
	// certainty.
	Raw bool
}

var nocFeatures = []string{"width", "complexity", "fifo", "multiplier"}

// NoCFrame returns the table, one implementation in each row.
func NoCFrame() (dataframe.DataFrame, error) {
	return stored("noc/noc.csv", append([]string{"log2_energy", "log2_inverse_runtime"}, nocFeatures...)...)
}

// Instance builds the instance. If the table is not found, Instance returns an error.
func (n NoC) Instance() (*bandit.Instance, error) {
	df, err := NoCFrame()
	if err != nil {
		return nil, err
	}
	t := linearTable{
		name: "noc", df: df, features: nocFeatures, linear: !n.Raw,
		arms: rowNames(df, func(v []float64) string {
			return fmt.Sprintf("w%g c%g f%g m%g", v[0], v[1], v[2], v[3])
		}, nocFeatures...),
		objectives: Columns{Objectives: []string{"log2_energy", "log2_inverse_runtime"},
			Minimise: []string{"log2_energy"}},
		shown: []string{"log2 energy", "log2 inverse runtime"},
	}
	if n.Raw {
		t.name = "noc raw"
	} else {
		t.objectives.Minimise = t.objectives.Objectives
	}
	inst, err := t.instance()
	if err != nil {
		return nil, err
	}
	if n.Raw {
		inst.Notes = append(inst.Notes, "some gaps are 0, so no method identifies the Pareto set with certainty")
	} else {
		inst.Notes = append(inst.Notes, "as in the paper's experiment, log2 inverse runtime is minimised too, so "+
			"slow implementations are preferred")
	}
	return inst, nil
}

// SNW is a hardware instance: 206 implementations of a sorting network with three design
// parameters, from Zuluaga, Milder and Püschel (DAC 2012). Area is minimised, and throughput is
// maximised. The source of the data is described in data/snw/README.md. The table is not embedded;
// see [Folder].
type SNW struct {
	// Sigma is the standard deviation of a reward in each objective; zero means 0.5, which this
	// project assumes.
	Sigma float64
}

var snwFeatures = []string{"f1", "f2", "f3"}

// SNWFrame returns the table, one implementation in each row.
func SNWFrame() (dataframe.DataFrame, error) {
	return stored("snw/snw.csv", append([]string{"log2_area", "log2_throughput"}, snwFeatures...)...)
}

// Instance builds the instance. If the table is not found, Instance returns an error.
func (s SNW) Instance() (*bandit.Instance, error) {
	df, err := SNWFrame()
	if err != nil {
		return nil, err
	}
	inst, err := linearTable{
		name: "snw", df: df, features: snwFeatures, sigma: s.Sigma,
		arms: rowNames(df, func(v []float64) string {
			return fmt.Sprintf("(%g, %g, %g)", v[0], v[1], v[2])
		}, snwFeatures...),
		objectives: Columns{Objectives: []string{"log2_area", "log2_throughput"},
			Minimise: []string{"log2_area"}},
		shown: []string{"log2 area", "log2 throughput"},
	}.instance()
	if err != nil {
		return nil, err
	}
	if s.Sigma == 0 {
		inst.Notes = append(inst.Notes, "the standard deviation of rewards is assumed to be 0.5")
	}
	return inst, nil
}

// Energy is the building instance of the GEGE paper (appendix I.2), with heating and cooling loads
// of 768 buildings. Tsanas and Xifara (Energy and Buildings 49, 2012) simulated the loads from
// eight features, whose rank is 7. The source of the data is described in data/energy/README.md.
// The zero value minimises both loads, with means as in the table.
type Energy struct {
	// If Maximise is true, larger loads are better in both objectives. With Maximise, the Pareto
	// set has three arms, which is the number in the paper. The paper also says that loads are
	// minimised, but then the Pareto set has only two arms.
	Maximise bool
	// If Linear is true, the least-squares fit replaces the loads, so that a linear model is exact.
	Linear bool
}

var energyFeatures = []string{
	"relative_compactness", "surface_area", "wall_area", "roof_area", "overall_height",
	"orientation", "glazing_area", "glazing_area_distribution",
}

// EnergyFrame returns the table, one building in each row.
func EnergyFrame() (dataframe.DataFrame, error) {
	return embedded("energy/energy.csv", append([]string{"heating_load", "cooling_load"}, energyFeatures...)...)
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
		inst.Notes = append(inst.Notes, "both loads are maximised, which gives the three optimal arms that the "+
			"paper states")
	}
	inst.Notes = append(inst.Notes, "the standard deviation of rewards is assumed to be 0.5 kWh/m²")
	return inst, nil
}
