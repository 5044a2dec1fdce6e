package linear_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/question"
)

// copies returns a problem whose arms 0 and 2 have the same features.
func copies(t *testing.T) (*explore.Problem, *linear.Model) {
	t.Helper()
	p := &explore.Problem{
		X: mat.NewDense(4, 2, []float64{2, 0, 0, 3, 2, 0, 2, 3}), Sigma: 1,
		Question: question.Best{},
	}
	l := new(linear.Model)
	if err := l.Init(p); err != nil {
		t.Fatal(err)
	}
	return p, l
}

// Items with the same features form a class: they have the same verdict and the same reason. In the reason, By is an
// item, not a class.
func TestModelAnswersClasses(t *testing.T) {
	_, l := copies(t)
	if l.Rank != 2 || l.N != 3 || !slices.Equal(l.Class, []int{0, 1, 0, 2}) {
		t.Fatalf("rank %d, %d distinct, classes %v", l.Rank, l.N, l.Class)
	}
	reasons := arms.Undecided(3)
	reasons[0].By = 2 // class of item 3
	a := l.Answer(func(c int) bool { return c == 0 }, reasons)
	if !slices.Equal(a.Items, []int{0, 2}) {
		t.Errorf("items %v; want both copies", a.Items)
	}
	for i, want := range []int{3, -1, 3, -1} {
		if r := a.Reasons[i]; r.By != want || r.Constraint != -1 {
			t.Errorf("item %d: %+v; want By %d", i, r, want)
		}
	}
	if a := l.Answer(func(int) bool { return true }, nil); a.Reasons != nil || len(a.Items) != 4 {
		t.Errorf("%+v; want all items without reasons", a)
	}
}

// Four rewards of (2,0) with mean 1 and one reward of (0,3) with value 6 give theta = (1/2, 2). The mean of (2,3)
// is 7, with variance 1/4 + 1. Both estimators agree.
func TestEstimators(t *testing.T) {
	_, l := copies(t)
	e := l.Estimator(1)
	e.Add(l.Arm(0), 3, []float64{3})
	e.Add(l.Arm(2), 1, []float64{1})
	e.Add(l.Arm(1), 1, []float64{6})
	if !e.Solve() {
		t.Fatal("the arms span, but the estimator does not report it")
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s %v; want %v", what, got, want)
		}
	}
	white := make([]float64, l.Rank)
	e.Whiten(white, l.Item(2))
	near("mean", e.Mean(l.Item(2), 0), 7)
	near("variance", mat.Dot(mat.NewVecDense(2, white), mat.NewVecDense(2, white)), 1.25)

	w := l.Tracker(0)
	w.Add(0, 4, 4)
	if w.Solve() {
		t.Error("one direction of two has a unique estimate")
	}
	w.Add(1, 1, 6)
	if !w.Solve() {
		t.Fatal("the arms span, but the tracker does not report it")
	}
	near("tracked mean", w.Means()[2], 7)
	near("tracked variance of a difference", w.Against(2)[1], .25)
	if w.Best() != 2 {
		t.Errorf("best %d", w.Best())
	}
}

// For any estimates, items cannot be distinguished if no reward measures their difference.
func TestSeen(t *testing.T) {
	_, l := copies(t)
	e := l.Estimator(1)
	e.Add(l.Arm(0), 4, []float64{4}) // (2,0)
	e.Solve()
	if err := l.Seen([]int{1, 2}, e.Outside); err != nil { // (0,3) and (2,3)
		t.Errorf("%v; their difference was measured", err)
	}
	if err := l.Seen([]int{0, 1}, e.Outside); err == nil { // (2,0) and (0,3)
		t.Error("an unmeasured difference counts as measured")
	}
}

// Features that agree up to rounding count as equal, also in directions outside the span of the
// arms.
func TestItemsUpToRounding(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 0, 2, 0})
	tenth, fifth := .1, .2 // their sum is not 0.3 in floating point
	for _, c := range []struct {
		second float64
		ok     bool
	}{{tenth + fifth, true}, {.3001, false}} {
		p := &explore.Problem{
			X: x, Z: mat.NewDense(3, 2, []float64{0, .3, 0, c.second, 1, .3}), Sigma: 1,
			Question: question.Best{},
		}
		l := new(linear.Model)
		if err := l.Init(p); (err == nil) != c.ok {
			t.Errorf("%v beside .3: %v", c.second, err)
		} else if c.ok && !slices.Equal(l.Class, []int{0, 0, 1}) {
			t.Errorf("classes %v; want the first two items to be one", l.Class)
		}
	}
}
