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
	if _, err := designs.Shares(plane); err != nil {
		t.Error(err)
	}
	if _, err := designs.MirrorDescent(plane, 1e-3); err != nil {
		t.Error(err)
	}
	sphere, err := rage.SphereInstance(30, 9, 0)
	if err != nil {
		t.Fatal(err)
	}
	// The certified solver reaches its tolerance; the other is above the same lower bound.
	table, err := designs.Certificates(sphere)
	if err != nil || len(table.Rows) != 2 {
		t.Fatalf("%v, %v", table, err)
	}
	own, other := table.Rows[0], table.Rows[1]
	if lower := own[4].(float64); lower != other[4] || own[3].(float64)/lower-1 > 1e-6 || other[3].(float64) < lower {
		t.Errorf("certified %v, Frank-Wolfe %v", own, other)
	}
}
