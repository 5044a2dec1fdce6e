package dataset_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
)

// once measures each arm a hundred times, and ends.
type once struct{ arms, rounds int }

func (p *once) Init(prob *explore.Problem, _ rand.Source) error {
	p.arms, p.rounds = prob.K(), 0
	return nil
}

func (p *once) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	for i := range p.arms {
		if p.rounds == 0 {
			dst = append(dst, explore.Pull{Arm: i, N: 100})
		}
	}
	return dst, nil
}

func (p *once) Tell([]explore.Batch) error { p.rounds++; return nil }

func (p *once) Answer() explore.Answer { return explore.Answer{} }

// Means are of single measurements, whatever the batches, and the right answer knows the bounds.
func TestOutcomeOfBatches(t *testing.T) {
	df := dataframe.New(series.New([]string{"never", "always", "harmful"}, series.String, "arm"),
		series.New([]float64{0, 1, 1}, series.Float, "cured"),
		series.New([]float64{0, 0, 1}, series.Float, "harmed"))
	a, err := dataset.Table{Arm: "arm", Maximise: []string{"cured"}, Minimise: []string{"harmed"},
		AtMost: map[string]float64{"harmed": .5}, Rates: true}.Ask(df)
	if err != nil {
		t.Fatal(err)
	}
	o, err := a.Run(new(once), dataset.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]float64{{0, 0}, {1, 0}, {1, 1}} { // without noise
		if got := o.Measured.RawRowView(i); !slices.Equal(got, want) {
			t.Errorf("%s is measured as %v, not %v", a.Problem.Arm(i), got, want)
		}
	}
	right := a.Right()
	classes := []explore.Class{explore.Dominated, explore.Optimal, explore.Infeasible}
	for i, want := range classes {
		if got := right.Reasons[i].Class; got != want {
			t.Errorf("%s is %v, not %v", a.Problem.Arm(i), got, want)
		}
	}
	if !slices.Equal(right.Items, []int{1}) {
		t.Errorf("the right answer is %v", right.Items)
	}
}

// The efficacy of a compound is what all have in common and what its substituents add.
func TestFreeWilsonFrame(t *testing.T) {
	f := dataset.FreeWilson{Base: 10, Sites: []dataset.Site{
		{Name: "R1", Substituents: []string{"H", "Me"}, Contributions: []float64{0, .5}},
		{Name: "R2", Substituents: []string{"H", "Cl", "OH"}, Contributions: []float64{0, -1, 2}},
	}}
	df, err := f.Frame()
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{10, 9, 12, 10.5, 9.5, 12.5}
	if got := df.Col("efficacy").Float(); !slices.Equal(got, want) {
		t.Errorf("efficacies %v, not %v", got, want)
	}
}
