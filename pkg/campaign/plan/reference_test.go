package plan

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Plates of eight with two wells for a reference are planned as plates of six, and the plan says so.
func TestReferencePlates(t *testing.T) {
	made := map[int]*Plan{}
	for _, lab := range []problem.Laboratory{{Plate: 6}, {Plate: 8, Reference: "DMSO", ReferenceWells: 2}} {
		p := bench(t)
		p.Laboratory = lab
		var err error
		made[lab.Plate], err = Simulate(context.Background(), p, &Options{Runs: 20, Methods: []string{"e-cAPE"},
			Changes: []Change{}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if a, b := made[6].Rows[0], made[8].Rows[0]; !reflect.DeepEqual(a, b) {
		t.Errorf("plates %v and measurements %v; want %v and %v", b.Plates, b.Measurements, a.Plates,
			a.Measurements)
	}
	if all := strings.Join(made[8].Assumptions, " "); !strings.Contains(all,
		"Of each plate 2 of 8 wells are for the reference, DMSO") {
		t.Error(all)
	}
}
