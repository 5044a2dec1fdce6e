package gege

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question"
)

func synthetic(t testing.TB, k, h, d, draw int) (*bandit.Instance, *mat.Dense) {
	t.Helper()
	inst, theta, err := Synthetic(k, h, d, draw)
	if err != nil {
		t.Fatal(err)
	}
	return inst, theta
}

// lowest returns the complexities of an instance with h features.
func lowest(inst *bandit.Instance, h int) (h1, h2 float64) {
	gaps := pareto.Gaps(inst.Truth())
	slices.Sort(gaps)
	return complexities(gaps[:h])
}

// Instances are as in the GEGE paper: the first h arms have the h smallest gaps. These gaps are the same for every
// number K of arms, so complexities do not depend on K. The test computes the gaps of all arms.
func TestSynthetic(t *testing.T) {
	for _, c := range []struct{ h, d int }{{8, 2}, {2, 2}, {8, 4}, {8, 8}, {3, 1}} {
		for draw := range 4 {
			small, theta := synthetic(t, c.h, c.h, c.d, draw)
			if !mat.Equal(small.Means(), theta) {
				t.Errorf("%s: means of the first arms are not the rows of Theta", small.Name)
			}
			first := pareto.Gaps(theta)
			for _, k := range []int{c.h + 1, 50, 200} {
				inst, th := synthetic(t, k, c.h, c.d, draw)
				p, mu := inst.Problem, inst.Means()
				if !mat.Equal(th, theta) {
					t.Errorf("%s: Theta depends on K", inst.Name)
				}
				var want mat.Dense
				want.Mul(p.X, th)
				if !mat.EqualApprox(mu, &want, 1e-14) || p.Question != (question.Pareto{}) ||
					p.K() != k || p.D() != c.d || p.Sigma != .5 {
					t.Errorf("%s: not linear, or %d arms, %d objectives, Sigma %v", inst.Name, p.K(), p.D(), p.Sigma)
				}
				gaps := pareto.Gaps(mu)
				if !floats.EqualApprox(gaps[:c.h], first, 1e-12) {
					t.Errorf("%s: gaps of the first arms are %v; want %v", inst.Name, gaps[:c.h], first)
				}
				if least, most := slices.Min(gaps[c.h:]), slices.Max(first); least <= most {
					t.Errorf("%s: a gap of %v among the others; want above %v", inst.Name, least, most)
				}
				front := pareto.Set(mu)
				if front[len(front)-1] >= c.h || len(front) < min(c.d, 2) {
					t.Errorf("%s: front %v; want at least two of the first %d arms", inst.Name, front, c.h)
				}
				if h1, h2 := lowest(inst, c.h); math.Abs(h2/SyntheticH2-1) > 1e-9 || h1 < h2 {
					t.Errorf("%s: H1 %v, H2 %v; want H2 %v, and H1 above it", inst.Name, h1, h2, SyntheticH2)
				}
				for i := range k {
					row := p.X.RawRowView(i)
					if n := floats.Norm(row, 2); math.Abs(n-1) > 1e-14 || slices.Min(row) < 0 {
						t.Errorf("%s: features of arm %d are %v", inst.Name, i, row)
					}
				}
				// Instances are nested: an instance consists of the first arms of any instance with a larger K.
				more, _ := synthetic(t, k+7, c.h, c.d, draw)
				if !mat.Equal(more.Problem.X.Slice(0, k, 0, c.h), p.X) {
					t.Errorf("%s has other arms than %s", inst.Name, more.Name)
				}
			}
			other, _ := synthetic(t, c.h, c.h, c.d, draw+1)
			if mat.Equal(other.Means(), theta) || other.Name == small.Name {
				t.Errorf("%s and %s are the same", other.Name, small.Name)
			}
		}
	}
	inst, _ := synthetic(t, 500, 8, 2, 0)
	if inst.Name != "synthetic K=500 #0" || inst.Problem.Arm(7) != "e8" || inst.Problem.Arm(499) != "x500" {
		t.Errorf("%q, arms %s and %s", inst.Name, inst.Problem.Arm(7), inst.Problem.Arm(499))
	}
}

// For the gaps 1, 2 and 2, H1 is 1/1 + 1/4 + 1/4, and H2 is the largest of 1/1, 2/4 and 3/4.
func TestComplexities(t *testing.T) {
	if h1, h2 := complexities([]float64{1, 2, 2}); h1 != 1.5 || h2 != 1 {
		t.Errorf("H1 %v, H2 %v; want 1.5 and 1", h1, h2)
	}
}

// The means of SNW are exactly linear, and are the least-squares fit to the table of the data set. The fitted
// means differ from the table by up to 4.69; 58 arms are optimal.
func TestSNW(t *testing.T) {
	inst, theta, err := SNW()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := dataset.SNW{}.Instance()
	if err != nil {
		t.Fatal(err)
	}
	var mu, off mat.Dense
	mu.Mul(inst.Problem.X, theta)
	off.Sub(&mu, raw.Means())
	if !mat.EqualApprox(&mu, inst.Means(), 1e-12) || inst.Problem.Sigma != SNWSigma {
		t.Errorf("means are not X Theta, or Sigma is %v", inst.Problem.Sigma)
	}
	if m := mat.Norm(&off, math.Inf(1)); math.Max(math.Abs(mat.Max(&off)), math.Abs(mat.Min(&off))) < 4.685 || m > 2*4.695 {
		t.Errorf("the model is wrong by %v; want 4.69", m)
	}
	// Residuals of least squares are orthogonal to the features.
	var dot mat.Dense
	dot.Mul(inst.Problem.X.T(), &off)
	if m := mat.Norm(&dot, math.Inf(1)); m > 1e-9 {
		t.Errorf("not the least-squares fit: residuals have %v of the features", m)
	}
	if n := len(pareto.Set(inst.Means())); n != 58 {
		t.Errorf("%d optimal arms; want 58", n)
	}
}

// The test checks all statements of appendix G about Fig. 5, with k instead of j for the arm l.
func TestConcept(t *testing.T) {
	inst, err := Concept()
	if err != nil {
		t.Fatal(err)
	}
	const i, j, k, l = 0, 1, 2, 3
	mu := inst.Truth()
	gaps, m := pareto.Gaps(mu), pareto.Excess(mu.RawRowView(j), mu.RawRowView(k))
	if gaps[j] != m || gaps[k] != m {
		t.Errorf("optimal arms: %v, M(j,k) = %v", gaps, m)
	}
	for arm, by := range map[int]int{i: j, l: k} {
		if want := pareto.Deficit(mu.RawRowView(arm), mu.RawRowView(by)); gaps[arm] != want || !(want > 0) {
			t.Errorf("arm %d: %v; want %v, from arm %d", arm, gaps, want, by)
		}
	}
	if pareto.Dominates(mu.RawRowView(j), mu.RawRowView(l)) {
		t.Error("j dominates l")
	}
}
