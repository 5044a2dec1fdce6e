package bandit

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// anything accepts every answer.
type anything struct{}

func (anything) Correct(*mat.Dense, explore.Answer) bool { return true }

func toy() *Instance {
	return &Instance{
		Name:    "toy",
		Problem: &explore.Problem{Arms: 3, Objectives: 2, Sigma: 2, Question: anything{}},
		Law: must(NewGaussian(mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}),
			mat.NewSymDense(2, []float64{4, 2, 2, 4}))),
		Notes: []string{"An assumption."},
	}
}

func TestMeansIsACopy(t *testing.T) {
	in := toy()
	in.Means().Zero()
	in.Truth().Zero()
	if got := in.Means(); !slices.Equal(got.RawMatrix().Data, []float64{1, 2, 3, 4, 5, 6}) ||
		!mat.Equal(got, in.Truth()) {
		t.Errorf("means %v, truth %v", got, in.Truth())
	}
	in.ItemMeans = mat.NewDense(1, 2, []float64{7, 8})
	in.Truth().Zero()
	if got := in.Truth(); got.At(0, 0) != 7 || got.At(0, 1) != 8 {
		t.Errorf("truth of the items: %v", got)
	}
}

func TestValidate(t *testing.T) {
	if err := toy().Validate(); err != nil {
		t.Fatal(err)
	}
	features := mat.NewDense(3, 1, []float64{1, 2, 3})
	for _, c := range []struct {
		change func(in *Instance)
		want   string
	}{
		{func(in *Instance) { in.Problem = nil },
			`bandit: instance "toy": explore: problem is nil`},
		{func(in *Instance) { in.Problem.Sigma = -1 }, `Sigma`},
		{func(in *Instance) { in.Law = nil }, `bandit: instance "toy": Law is nil`},
		{func(in *Instance) { in.Problem.Arms = 4 },
			`Law has 3 arms and 2 objectives; the problem has 4 and 2`},
		{func(in *Instance) { in.Problem.Objectives = 1 },
			`Law has 3 arms and 2 objectives; the problem has 3 and 1`},
		{func(in *Instance) { in.Problem.X, in.Problem.Z = features, features },
			`ItemMeans is nil`},
		{func(in *Instance) { in.ItemMeans = mat.NewDense(2, 2, nil) },
			`ItemMeans is 2 x 2; want 3 items x 2 objectives`},
		{func(in *Instance) {
			in.ItemMeans = mat.NewDense(3, 2,
				[]float64{0, 0, 0, math.NaN(), 0, 0})
		}, `the mean of arm 1, objective 1 (row 1, column 1) is NaN`},
		{func(in *Instance) {
			in.ItemMeans = mat.NewDense(3, 2, []float64{0, 0, 0, 0, math.Inf(-1), 0})
		}, `the mean of arm 2, objective 0 (row 2, column 0) is -Inf`},
		{func(in *Instance) { in.ItemMeans = mat.NewDense(3, 1, nil) }, `ItemMeans is 3 x 1; want 3 items x 2 objectives`},
		{func(in *Instance) { in.Problem.X, in.Theta = features, mat.NewDense(1, 1, nil) },
			"Theta is 1 x 1; want 1 features x 2 objectives"},
		{func(in *Instance) { in.Theta = mat.NewDense(1, 2, nil) }, "the problem has no features"},
		{func(in *Instance) { in.Problem.X, in.Theta = features, mat.NewDense(3, 2, nil) },
			"Theta is 3 x 2; want 1 features x 2 objectives"},
	} {
		in := toy()
		c.change(in)
		if err := in.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v; want %s", err, c.want)
		}
	}
	in := toy()
	in.Problem.X, in.Problem.Z, in.ItemMeans = features, mat.NewDense(1, 1, nil), mat.NewDense(1, 2,
		nil)
	if err := in.Validate(); err != nil {
		t.Error(err)
	}
}

// An axis for each objective, or none; each is a line that is not level, up or down. What it says is by hand.
func TestAxes(t *testing.T) {
	inf, nan, fine := math.Inf(1), math.NaN(), Axis{Label: "yield", PerReward: 2}
	for _, c := range []struct {
		axes []Axis
		want string // "" if they are right
	}{
		{nil, ""}, {[]Axis{}, ""}, {[]Axis{fine, {"time", 5, -.5}}, ""}, {[]Axis{fine}, "Axes has 1 entries; want one for each of 2 objectives, or nil"},
		{[]Axis{fine, fine, fine}, "Axes has 3 entries"}, {[]Axis{fine, {"time", 5, 0}}, "Axes[1] (time): a reward is 5, and one more 0; want finite"},
		{[]Axis{{"time", 5, nan}, fine}, "Axes[0] (time): a reward is 5, and one more NaN"}, {[]Axis{{"time", 5, inf}, fine}, "one more +Inf"},
		{[]Axis{{"time", 5, -inf}, fine}, "one more -Inf"}, {[]Axis{{"time", inf, 1}, fine}, "a reward is +Inf, and one more 1"},
		{[]Axis{{"time", nan, 1}, fine}, "a reward is NaN"}, {[]Axis{{"time", -inf, 1}, fine}, "a reward is -Inf"},
	} {
		in := toy()
		in.Axes = c.axes
		if err := in.Validate(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v; want %q", c.axes, err, c.want)
		}
	}
	if a := (Axis{"time", 5, -.5}); a.Out(0) != 5 || a.Out(4) != 3 || !a.Less() || fine.Less() || (Axis{}).Less() {
		t.Errorf("%+v: %v and %v", a, a.Out(0), a.Out(4))
	}
}

// unscaled hides the scale of a law.
type unscaled struct{ Law }

func TestRemarks(t *testing.T) {
	for _, c := range []struct {
		change func(in *Instance)
		want   string // of the remark after the note; empty if there is none
	}{
		{func(in *Instance) {}, ""}, // NormSigma: sqrt(6) < 2 sqrt(2)
		{func(in *Instance) { in.Problem.Sigma = 1.9 }, "Sigma = 1.9 is below the sub-Gaussian " +
			"scale of the rewards, 2: guarantees do not cover this."},
		{func(in *Instance) { in.Problem.NormSigma = 2.4 }, "NormSigma = 2.4 is below the " +
			"sub-Gaussian scale of projections of the rewards, 2.449: " +
			"guarantees do not cover this."},
		{func(in *Instance) { in.Law = must(NewPoisson(in.Means())) }, "The rewards are not " +
			"sub-Gaussian: guarantees for sub-Gaussian rewards do not cover them."},
		{func(in *Instance) { in.Law, in.Problem.Sigma = unscaled{in.Law}, 1 }, ""},
		{func(in *Instance) { in.Problem.Sigma *= 1 - 1e-12 }, ""}, // rounding
		{func(in *Instance) { in.Problem.NormSigma = math.Sqrt(6) * (1 - 1e-12) }, ""},
	} {
		in := toy()
		c.change(in)
		want := []string{"An assumption."}
		if c.want != "" {
			want = append(want, c.want)
		}
		if got := in.Remarks(); !slices.Equal(got, want) {
			t.Errorf("got %q; want %q", got, want)
		}
		if err := in.Validate(); err != nil {
			t.Errorf("a remark is not an error: %v", err)
		}
		if in.Remarks()[0] = "Another one."; len(in.Notes) != 1 || in.Notes[0] != "An assumption." {
			t.Error("Notes changed")
		}
	}
}

// A sampler of an instance can be reset, so that a worker can keep it.
func TestInstanceSampler(t *testing.T) {
	smp, ok := toy().Sampler(seed.New(1)).(interface{ Reset(seed.Seed) })
	if !ok {
		t.Fatal("no method Reset")
	}
	smp.Reset(seed.New(2))
	pull := []explore.Pull{{Arm: 1, N: 3}}
	a, _ := smp.(explore.Sampler).Sample(nil, pull)
	b, _ := toy().Sampler(seed.New(2)).Sample(nil, pull)
	if !slices.Equal(a[0].Sum, b[0].Sum) {
		t.Errorf("%v after Reset; want %v", a[0].Sum, b[0].Sum)
	}
}
