package linfact

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// For d = 8, eps = 0.2 and X = 1, the means of the 4 good arms are 1.2, 1.15, 1.1 and 1.05. The means
// of the two disturbing arms are X - eps = 0.8 and X - eps/2 = 0.9.
func TestAdaptiveByHand(t *testing.T) {
	in, err := adaptiveInstance(2, 8, 4, .2, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{1.2, 1.15, 1.1, 1.05, 0, 0, 0, 0, .8, .9}
	if got := mat.Col(nil, 0, in.Truth()); !floats.EqualApprox(got, want, 1e-12) {
		t.Errorf("means %v; want %v", got, want)
	}
	row := in.Problem.X.RawRowView(9)
	if math.Abs(row[0]-.75) > 1e-12 || math.Abs(row[7]-math.Sqrt(.4375)) > 1e-12 {
		t.Errorf("x2 is %v; want .75 and sqrt(.4375) at the ends", row)
	}
	q := in.Problem.Question.(question.AllEpsilonBest)
	if got := q.Right(in.Truth()); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("right: %v", got)
	}
	if math.Abs(q.Threshold(1.2)-in.Threshold) > 1e-12 {
		t.Errorf("threshold %v", in.Threshold)
	}
}

// In setting 1, one good arm leaves room for five disturbing arms, and six good arms leave room for none.
func TestDisturbingArms(t *testing.T) {
	for good, want := range map[int]int{1: 5, 4: 2, 5: 1, 6: 0, 7: 0} {
		in, err := adaptiveInstance(1, 8, good, .1, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		if n := in.Problem.K() - 8; n != want {
			t.Errorf("%d good arms: %d disturbing ones; want %d", good, n, want)
		}
	}
}

// alpha is the distance from the threshold to the nearest good arm, and beta is the distance to the nearest other arm.
// In adaptive settings, alpha is eps/m-tilde, and beta is eps/n for n disturbing arms. Without disturbing arms, beta
// equals the threshold. In static settings, alpha and beta are 1/2. Arms have unit length, and no arm is on the
// threshold.
func TestSettings(t *testing.T) {
	sizes := map[int]int{1: 8, 2: 8, 3: 8, 4: 12, 5: 12, 6: 12, 7: 8, 8: 12, 9: 16}
	eps := map[int]float64{1: .1, 2: .2, 3: .3, 4: .1, 5: .2, 6: .3, 7: .5, 8: .5, 9: .5}
	for s := 1; s <= Settings; s++ {
		sum := 0
		const draws = 200
		for draw := range draws {
			in, err := Setting(s, draw)
			if err != nil {
				t.Fatal(err)
			}
			sum += in.Good
			q, mu := in.Problem.Question.(question.AllEpsilonBest), mat.Col(nil, 0, in.Truth())
			_, d := in.Problem.X.Dims()
			if d != sizes[s] || q.Epsilon != eps[s] || in.Problem.Sigma != 1 {
				t.Fatalf("setting %d: d = %d, %v, sigma %v", s, d, q, in.Problem.Sigma)
			}
			if n := len(q.Right(in.Truth())); n != in.Good {
				t.Fatalf("setting %d, draw %d: %d good arms; want %d", s, draw, n, in.Good)
			}
			if err := q.Check(in.Problem, in.Truth()); err != nil {
				t.Fatal(err)
			}
			alpha, beta := math.Inf(1), math.Inf(1)
			for i, v := range mu {
				if math.Abs(floats.Norm(in.Problem.X.RawRowView(i), 2)-1) > 1e-12 {
					t.Fatalf("setting %d: arm %d has length other than 1", s, i)
				}
				if i < in.Good {
					alpha = min(alpha, v-in.Threshold)
				} else {
					beta = min(beta, in.Threshold-v)
				}
			}
			wantA, wantB := .5, .5
			if !static(s) {
				wantA, wantB = eps[s]/float64(in.Good), in.Threshold
				if n := 6 - in.Good; n > 0 {
					wantB = eps[s] / float64(n)
				}
			}
			if math.Abs(alpha-wantA) > 1e-9 || math.Abs(beta-wantB) > 1e-9 {
				t.Fatalf("setting %d, draw %d: alpha %v, beta %v; want %v, %v", s, draw, alpha, beta, wantA, wantB)
			}
		}
		// The mean is 4, apart from small effects of rounding and clipping. The tolerance is five standard errors.
		if mean := float64(sum) / draws; math.Abs(mean-4) > 5*math.Sqrt(3./draws)+.1 {
			t.Errorf("setting %d: %v good arms on average", s, mean)
		}
	}
}

// Settings that differ only in epsilon have the same draws.
func TestSettingsShareDraws(t *testing.T) {
	for draw := range 10 {
		a, err := Setting(1, draw)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Setting(3, draw)
		if err != nil {
			t.Fatal(err)
		}
		if a.Good != b.Good || a.Threshold != b.Threshold {
			t.Errorf("draw %d: %d and %d good arms, thresholds %v and %v", draw, a.Good, b.Good, a.Threshold, b.Threshold)
		}
	}
}

func TestSettingErrors(t *testing.T) {
	for _, c := range []struct {
		setting, draw int
		want          string
	}{{0, 0, "setting 0"}, {10, 0, "setting 10"}} {
		if _, err := Setting(c.setting, c.draw); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v", err)
		}
	}
}

// In adaptive settings, the printed bound and the exact bound agree to 1e-5. In static settings with one good arm, the
// bounds agree. With four good arms, the printed bound is larger by 19.3, 20.5 and 19.4 % in settings 7, 8 and 9.
func TestPrintedBound(t *testing.T) {
	ratio := func(in *Instance, err error) float64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		mu := mat.Col(nil, 0, in.Truth())
		exact, err := complexity.NewGammaStar(in.Problem, mu, 1e-6)
		if err != nil {
			t.Fatal(err)
		}
		printed, err := complexity.NewPaperGammaStar(in.Problem, mu, 1e-6)
		if err != nil {
			t.Fatal(err)
		}
		return printed.Upper / exact.Upper
	}
	for good := 1; good <= 6; good++ {
		if r := ratio(adaptiveInstance(2, 8, good, .2, 1, 0)); math.Abs(r-1) > 1e-5 {
			t.Errorf("adaptive, %d good arms: ratio %v; want 1", good, r)
		}
	}
	for i, want := range []float64{1.193, 1.205, 1.194} {
		s := 7 + i
		if r := ratio(staticInstance(s, dimensions[s], 1, 0)); math.Abs(r-1) > 1e-5 {
			t.Errorf("setting %d, one good arm: ratio %v; want 1", s, r)
		}
		if r := ratio(staticInstance(s, dimensions[s], 4, 0)); math.Abs(r-want) > 6e-4 {
			t.Errorf("setting %d, four good arms: ratio %v; want %v", s, r, want)
		}
	}
}
