package dataset

import (
	"math"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/bandit"
)

// Rows of features have unit norm. Errors name the row and the invalid setting.
func TestLinearTable(t *testing.T) {
	made := func(csv string, sigma float64) (*bandit.Instance, error) {
		return linearTable{name: "mine", df: compoundsOf(csv), features: []string{"u", "v"}, objectives: Columns{Objectives: []string{"y", "z"}},
			shown: []string{"y", "z"}, sigma: sigma}.instance()
	}
	const good = "u,v,y,z\n3,4,1,2\n0,2,2,1\n-5e9,0,3,0\n"
	for sigma, want := range map[float64]float64{0: .5, 1e-9: 1e-9, 7: 7} {
		inst, err := made(good, sigma)
		if err != nil || inst.Problem.Sigma != want || inst.Problem.NormSigma != want {
			t.Fatalf("Sigma %v: %v", sigma, err)
		}
		for i, row := range [][]float64{{.6, .8}, {0, 1}, {-1, 0}} {
			if got := inst.Problem.X.RawRowView(i); math.Hypot(got[0]-row[0], got[1]-row[1]) > 1e-15 {
				t.Errorf("row %d: %v; want %v", i, got, row)
			}
		}
	}
	for _, sigma := range []float64{-1, math.Inf(1), math.Inf(-1), math.NaN()} {
		if _, err := made(good, sigma); err == nil || !strings.Contains(err.Error(), "dataset: mine: Sigma is ") || !strings.Contains(err.Error(), "or 0 for 0.5") {
			t.Errorf("Sigma %v: %v", sigma, err)
		}
	}
	for csv, want := range map[string]string{
		"u,v,y,z\n3,4,1,2\n0,0,2,1\n": "dataset: row 2: all features are 0; leave out the row", "u,v,y,z\n3,4,1,2\n1,x,2,1\n": `row 2, column "v": "x"`,
		"u,y,z\n3,1,2\n": `no column "v"`, "u,v,y\n3,1,2\n": `no column "z"`,
	} {
		if _, err := made(csv, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", csv, err, want)
		}
	}
}
