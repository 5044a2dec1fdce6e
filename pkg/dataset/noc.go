package dataset

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"

	"github.com/purexp/purexp/pkg/bandit"
)

// NoC is the hardware instance of the GEGE paper (section 5): 259
// implementations of a network on chip with four design parameters, from Almer,
// Topham and Franke (ARCS 2011). See data/noc/README.md. The table is not
// compiled in, see [Folder].
//
// The zero value is the instance of the paper's experiment: means are minus the
// least-squares fit of both columns, so that the model is exact, and so that log2
// inverse runtime is minimised as well as log2 energy: "log2 inverse runtime, less is better" prefers
// chips that run long. That is the paper's experiment, and a reader's riddle; Raw has what one would ask.
// Arms are named by their parameters: "w3 c1 f4 m1" has width 3, complexity 1, fifo 4 and multiplier 1.
type NoC struct {
	// Raw keeps the measurements, which are not linear, and their meaning: log2
	// energy is minimised and log2 inverse runtime is maximised. Some gaps are then
	// 0: no method identifies the Pareto set with certainty.
	Raw bool
}

var nocFeatures = []string{"width", "complexity", "fifo", "multiplier"}

// NoCFrame returns the table, one row an implementation.
func NoCFrame() (dataframe.DataFrame, error) {
	return stored("noc/noc.csv",
		append([]string{"log2_energy", "log2_inverse_runtime"}, nocFeatures...)...)
}

// Instance builds the instance. It is an error if the table is not found.
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
		inst.Notes = append(inst.Notes,
			"some gaps are 0: no method identifies the Pareto set with certainty")
	} else {
		inst.Notes = append(inst.Notes, "as in the paper's experiment, "+
			"log2 inverse runtime is minimised too, which prefers implementations that run long")
	}
	return inst, nil
}
