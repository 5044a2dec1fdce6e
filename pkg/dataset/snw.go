package dataset

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"

	"github.com/purexp/purexp/pkg/bandit"
)

// SNW is a hardware instance: 206 implementations of a sorting network with
// three design parameters, whose area is minimised and whose throughput is
// maximised, from Zuluaga, Milder and Püschel (DAC 2012). See
// data/snw/README.md. The table is not compiled in, see [Folder].
type SNW struct {
	// Sigma is the standard deviation of a reward in each objective. Zero means
	// 0.5, an assumption.
	Sigma float64
}

var snwFeatures = []string{"f1", "f2", "f3"}

// SNWFrame returns the table, one row an implementation.
func SNWFrame() (dataframe.DataFrame, error) {
	return stored("snw/snw.csv",
		append([]string{"log2_area", "log2_throughput"}, snwFeatures...)...)
}

// Instance builds the instance. It is an error if the table is not found.
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
		inst.Notes = append(inst.Notes, "the standard deviation of rewards, 0.5, is an assumption")
	}
	return inst, nil
}
