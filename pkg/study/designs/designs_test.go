package designs_test

import (
	"testing"

	"github.com/purexp/purexp/pkg/study/designs"
	"github.com/purexp/purexp/pkg/study/rage"
)

func TestDesigns(t *testing.T) {
	plane, err := rage.ManyArmsNormalInstance(12, .3, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := designs.Plane(plane); err != nil {
		t.Error(err)
	}
	for _, inst := range []func() error{
		func() error { _, err := designs.Needles(plane, nil); return err },
		func() error { _, err := designs.Convergence(plane); return err },
		func() error { _, err := designs.MirrorDescent(plane, 1e-3); return err },
		func() error { _, err := designs.Roundings(plane, 2, 3, 30); return err },
	} {
		if err := inst(); err != nil {
			t.Error(err)
		}
	}
	sphere, err := rage.SphereInstance(30, 9, 0)
	if err != nil {
		t.Fatal(err)
	}
	os, err := designs.Solvers(sphere)
	if err != nil {
		t.Fatal(err)
	}
	if own, paper := os[0].Design, os[1].Design; own.Gap() > 1e-6 || paper.Value < own.Lower {
		t.Errorf("certified %v (gap %v), Frank-Wolfe %v", own.Value, own.Gap(), paper.Value)
	}
	table, err := designs.Certificates(sphere)
	if err != nil || len(table.Rows) != 2 {
		t.Fatalf("%v, %v", table, err)
	}
	if lower := table.Rows[0][4].(float64); lower < os[0].Design.Lower {
		t.Errorf("no design is below %v; the certified solver knows %v", lower, os[0].Design.Lower)
	}
}
