package dataset_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/data"
	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/seed"
)

func TestLLVMFront(t *testing.T) {
	inst, err := dataset.LLVM{}.Instance()
	if err != nil {
		t.Fatal(err)
	}
	mu := inst.Truth()
	if got := pareto.Set(mu); !slices.Equal(got, []int{9, 15}) {
		t.Errorf("front %v", got)
	}
	if got := slices.Min(pareto.Gaps(mu)); !close(got, .255003, 5e-7) {
		t.Errorf("least gap %v", got)
	}
	noted(t, inst, "objective2 is minimised", "first row", "standardised")
}

// The means of the sixteen groups are those of data/llvm/arms.csv.
func TestLLVMArms(t *testing.T) {
	df, err := dataset.LLVMFrame()
	if err != nil {
		t.Fatal(err)
	}
	if df.Nrow() != 1024 {
		t.Fatalf("%d rows; want 1024", df.Nrow())
	}
	seen := map[string]bool{}
	for _, r := range df.Records()[1:] {
		seen[strings.Join(r[:11], "")] = true
		if r[0] != "1" {
			t.Fatalf("f1 is %s; want 1", r[0])
		}
	}
	if len(seen) != 768 {
		t.Errorf("%d different flags; want 768", len(seen))
	}
	lo, hi := []float64{199.68, 11}, []float64{270.40, 29}
	scale, shift := make([]float64, 2), make([]float64, 2)
	for c, name := range []string{"objective1", "objective2"} {
		v := df.Col(name).Float()
		if floats.Min(v) != lo[c] || floats.Max(v) != hi[c] {
			t.Errorf("%s from %v to %v; want %v to %v", name, floats.Min(v), floats.Max(v), lo[c], hi[c])
		}
		for _, x := range v[1:] {
			shift[c] += x / 1023
		}
		for _, x := range v[1:] {
			scale[c] += (x - shift[c]) * (x - shift[c]) / 1023
		}
		scale[c] = math.Sqrt(scale[c])
	}
	dir, err := dataset.Folder()
	if err != nil {
		t.Fatal(err)
	}
	arms, err := frame.ReadCSV(dir + "/llvm/arms.csv")
	if err != nil {
		t.Fatal(err)
	}
	inst, err := dataset.LLVM{}.Instance()
	if err != nil {
		t.Fatal(err)
	}
	mu := inst.Truth()
	for i := range 16 {
		for c, sign := range []float64{1, -1} {
			want := arms.Col(fmt.Sprintf("obj%d_mean", c+1)).Float()[i]
			if got := shift[c] + sign*scale[c]*mu.At(i, c); !close(got, want, 1e-6) {
				t.Errorf("arm %d, objective %d: mean %v; want %v", i, c+1, got, want)
			}
		}
		if name := inst.Problem.Arm(i); name != fmt.Sprintf("%04s", strconv.FormatInt(int64(i), 2)) {
			t.Errorf("arm %d is called %s", i, name)
		}
	}
	// The golden values have four decimals, and are compared to this accuracy.
	for i, want := range map[int][]float64{9: {1.3550, 1.6467}, 15: {1.6100, .5621}} {
		if got := mu.RawRowView(i); !close(got[0], want[0], 5e-5) || !close(got[1], want[1], 5e-5) {
			t.Errorf("arm %d: %v; want %v", i, got, want)
		}
	}
	law := inst.Law.(*bandit.Resample)
	if !close(law.Sigma(), .749, 5e-4) || inst.Problem.Sigma != 1 || inst.Problem.NormSigma != 1 {
		t.Errorf("scale %v, problem %v and %v", law.Sigma(), inst.Problem.Sigma, inst.Problem.NormSigma)
	}
}

// A reward draws both objectives from the same row of the group, or, with PerObjective, each objective from a separate
// row. Standard deviations are as in arms.csv; only joint draws have a nonzero covariance.
func TestLLVMRewards(t *testing.T) {
	const n = 20000
	const arm = 9
	moments := func(l dataset.LLVM) (inst *bandit.Instance, v, cov float64, distinct int) {
		inst, err := l.Instance()
		if err != nil {
			t.Fatal(err)
		}
		mu, smp := inst.Truth().RawRowView(arm), inst.Sampler(seed.New(5))
		seen := map[[2]float64]bool{}
		var obs []explore.Batch
		for range n {
			if obs, err = smp.Sample(obs[:0], []explore.Pull{{Arm: arm, N: 1}}); err != nil {
				t.Fatal(err)
			}
			a, b := obs[0].Sum[0]-mu[0], obs[0].Sum[1]-mu[1]
			v += a * a / n
			cov += a * b / n
			seen[[2]float64{obs[0].Sum[0], obs[0].Sum[1]}] = true
		}
		return inst, v, cov, len(seen)
	}
	const sd = 6.438554 / 17.132162669924327 // the arm's standard deviation in arms.csv, divided by that of the whole table
	inst, v, cov, distinct := moments(dataset.LLVM{})
	if !close(v, sd*sd, 6e-3) || distinct > 64 {
		t.Errorf("%s: variance %v, want %v; %d different rewards of 64 rows", inst.Name, v, sd*sd, distinct)
	}
	other, v2, cov2, distinct2 := moments(dataset.LLVM{PerObjective: true})
	if !close(v2, sd*sd, 6e-3) || distinct2 <= 64 || math.Abs(cov2) > 1.2e-3 || math.Abs(cov) < 3e-3 {
		t.Errorf("%s: variance %v, covariance %v; jointly %v; %d different rewards", other.Name, v2, cov2, cov, distinct2)
	}
	if other.Name == inst.Name || !mat.Equal(other.Truth(), inst.Truth()) {
		t.Error("the instances differ in their name and not in their means")
	}
}

// The tables of llvm, noc and snw are not embedded.
func TestLLVMIsNotEmbedded(t *testing.T) {
	for _, dir := range []string{"llvm", "noc", "snw"} {
		if _, err := data.Files.ReadDir(dir); err == nil {
			t.Errorf("data/%s is compiled in", dir)
		}
	}
}
