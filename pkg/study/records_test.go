package study_test

import (
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/study"
)

func TestReadRecords(t *testing.T) {
	rs := study.ReadRecords("# Table 4\ncube,\"a, b\",1,2.5\nsimplex,-.5\n")
	if len(rs) != 2 || !slices.Equal(rs[0].Words, []string{"cube", "a, b"}) {
		t.Errorf("%+v", rs)
	}
	if x := rs.Of("cube", "a, b"); !slices.Equal(x, []float64{1, 2.5}) {
		t.Errorf("numbers %v; want 1 and 2.5", x)
	}
	if x := rs.Of("simplex"); !slices.Equal(x, []float64{-.5}) || rs.Of("cube") != nil {
		t.Errorf("numbers %v; want -0.5, and none of half a name", x)
	}
	for _, wrong := range []string{"a,1,b\n", "1,a\n", "a,\"1\n"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for %q", wrong)
				}
			}()
			study.ReadRecords(wrong)
		}()
	}
}
