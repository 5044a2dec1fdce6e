package dataset_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question"
)

func close(a, b, tol float64) bool { return math.Abs(a-b) <= tol }

func truth(t *testing.T, inst *bandit.Instance, err error) (question.Truth, *mat.Dense) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if err := inst.Validate(); err != nil {
		t.Fatal(err)
	}
	mu := inst.Truth()
	return inst.Problem.Question.(question.FeasiblePareto).Truth(mu), mu
}

// TestSecukinumab checks the statements of data/secukinumab/README.md.
func TestSecukinumab(t *testing.T) {
	df, err := dataset.SecukinumabFrame()
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.
	n := df.Col("n_randomised").Float()
	ae, aeRate := df.Col("any_ae_wk20_n").Float(), df.Col("any_ae_wk20_rate").Float()
	acr, acrRate := df.Col("acr20_responders_inferred").Float(), df.Col("acr20_wk16_rate").Float()
	inf, infRate := df.Col("infection_wk20_n").Float(), df.Col("infection_wk20_rate").Float()
	safe := df.Col("safety_one_minus_any_ae").Float()
	for i := range n {
		sum += n[i]
		// For 25 mg, the published efficacy rate of 0.340 differs from the rate of 18/54 = 0.333 that the counts
		// imply.
		tol := .0005
		if i == 1 {
			tol = .007
		}
		if !close(acr[i]/n[i], acrRate[i], tol+1e-9) || !close(ae[i]/n[i], aeRate[i], .0005+1e-9) ||
			!close(inf[i]/n[i], infRate[i], .0005+1e-9) || !close(safe[i], 1-aeRate[i], 1e-9) {
			t.Errorf("row %d: rates are not counts over patients", i)
		}
	}
	if sum != 237 {
		t.Errorf("%v patients; want 237", sum)
	}
	inst, err := dataset.Secukinumab{}.Instance()
	tr, mu := truth(t, inst, err)
	if fmt.Sprint(tr.Feasible, tr.Optimal) != "[false false false true false] [false false false true false]" {
		t.Errorf("feasible %v, optimal %v; want 150 mg alone", tr.Feasible, tr.Optimal)
	}
	if !close(tr.Eta[2], .012, 1e-9) || !close(tr.Eta[4], .010, 1e-9) {
		t.Errorf("75 mg and 300 mg miss by %v and %v; want .012 and .010", tr.Eta[2], tr.Eta[4])
	}
	if tr.SubOpt[2] || !close(mu.At(2, 0), .469, 0) {
		t.Error("75 mg is dominated as published")
	}
	inst, err = dataset.Secukinumab{AsDescribed: true}.Instance()
	tr, _ = truth(t, inst, err)
	if !tr.SubOpt[2] || tr.By[2] != 3 || !close(tr.D[2], .010, 1e-9) || !strings.Contains(inst.Name, "as described") {
		t.Errorf("as described: 75 mg dominated by %d by %v", tr.By[2], tr.D[2])
	}
	if !slices.ContainsFunc(inst.Notes, func(s string) bool { return strings.Contains(s, "0.455") }) {
		t.Error("no note on the changed rate")
	}
}

// TestCovBoost checks the statements of data/covboost/README.md.
func TestCovBoost(t *testing.T) {
	inst, err := dataset.CovBoost{}.Instance()
	tr, mu := truth(t, inst, err)
	k, d := mu.Dims()
	if k != 20 || d != 3 {
		t.Fatalf("%d x %d means", k, d)
	}
	for i := range k {
		for _, c := range []int{0, 1} {
			if g := math.Exp(mu.At(i, c)); !close(g, math.Round(g), 1e-3) {
				t.Errorf("arm %d: geometric mean %v is not whole", i, g)
			}
		}
	}
	if f := pareto.Set(mu); !slices.Equal(f, []int{8, 18}) {
		t.Errorf("front %v; want 8 and 18", f)
	}
	if inst.Problem.Arm(8) != "BNT/BNT->m1273" || inst.Problem.Arm(18) != "ChAd/ChAd->m1273" {
		t.Error("names of arms 8 and 18")
	}
	feasible := 0
	for i, in := range tr.Feasible {
		if in {
			feasible++
		} else if !slices.Contains([]int{6, 10, 15, 16}, i) {
			t.Errorf("arm %d is infeasible", i)
		}
	}
	if feasible != 16 {
		t.Errorf("%d feasible arms; want 16", feasible)
	}
	for arm, want := range map[int]float64{6: .028, 19: .043, 5: .094} {
		if !close(tr.Eta[arm], want, 5e-4) {
			t.Errorf("arm %d is at %v; want %v", arm, tr.Eta[arm], want)
		}
	}
	for i, eta := range tr.Eta {
		if eta < .094-5e-4 && i != 6 && i != 19 {
			t.Errorf("arm %d is at %v, nearer than arm 5", i, eta)
		}
	}
	v, err := dataset.CovBoostVariances()
	if err != nil {
		t.Fatal(err)
	}
	for c, want := range []float64{.839, .910, 1.240} {
		if got := math.Sqrt(v.Col("variance").Float()[c]); !close(got, want, 5e-4) {
			t.Errorf("standard deviation %d is %v; want %v", c, got, want)
		}
	}
	if !close(inst.Problem.Sigma, 1.240, 5e-4) || inst.Problem.NormSigma != inst.Problem.Sigma {
		t.Errorf("Sigma %v, NormSigma %v", inst.Problem.Sigma, inst.Problem.NormSigma)
	}
	// The geometric means of the instance are close to the published ones.
	published, err := os.Open("../../data/covboost/published_group_b.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer published.Close()
	pub := dataframe.ReadCSV(published)
	for r, strategy := range pub.Col("strategy").Records() {
		i := slices.Index(inst.Problem.ArmNames, strategy)
		igg, nt := pub.Col("igg_gmc").Float()[r], pub.Col("nt50_gmt").Float()[r]
		if !close(math.Exp(mu.At(i, 0)), igg, .6) || !close(math.Exp(mu.At(i, 1)), nt, .6) {
			t.Errorf("%s: published %v and %v, here %v and %v", strategy, igg, nt, math.Exp(mu.At(i, 0)), math.Exp(mu.At(i, 1)))
		}
	}
}

func TestAll(t *testing.T) {
	for _, info := range dataset.All() {
		inst, err := info.Instance()
		if err != nil || inst.Problem.K() != info.Arms || inst.Problem.D() != len(info.Objective) || inst.Name != info.Name {
			t.Errorf("%s: instance %+v, %v", info.Name, inst, err)
		}
		df, err := info.Frame()
		rows := info.Arms
		if info.Name == "llvm" {
			rows = 1024 // arms are groups of rows
		}
		if err != nil || df.Nrow() != rows {
			t.Errorf("%s: frame of %d rows, %v", info.Name, df.Nrow(), err)
		}
		if got, err := dataset.Named(info.Name); err != nil || got.Title != info.Title {
			t.Errorf("%s: not found by name", info.Name)
		}
	}
	if _, err := dataset.Named("nonsense"); err == nil || !strings.Contains(err.Error(), "secukinumab") {
		t.Errorf("error %v; want the known names", err)
	}
}

func parsed(csv string) dataframe.DataFrame { return dataframe.ReadCSV(strings.NewReader(csv)) }

func ExampleGaussian() {
	df := dataframe.ReadCSV(strings.NewReader("design,speed,energy\nA,10,3\nB,12,5\nC,9,4\n"))
	inst, err := dataset.Gaussian("designs", df, dataset.Columns{Arm: "design", Objectives: []string{"speed", "energy"},
		Minimise: []string{"energy"}},
		mat.NewSymDense(2, []float64{1, 0, 0, 0.25}))
	if err != nil {
		fmt.Println(err)
		return
	}
	inst, err = dataset.Ask(inst, question.Pareto{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, i := range pareto.Set(inst.Truth()) {
		fmt.Println(inst.Problem.Arm(i))
	}
	fmt.Println(inst.Notes)
	// Output:
	// A
	// B
	// [energy is minimised, so its values are negated]
}
