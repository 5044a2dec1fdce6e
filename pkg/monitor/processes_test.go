package monitor

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
)

// inTurn returns results of the given number of arms, one after another.
func inTurn(k int, y ...float64) (list []result) {
	for t, v := range y {
		list = append(list, result{number: t + 1, arm: t % k, n: 1, y: v})
	}
	return list
}

// Two results that differ by 4 have the sum of squares 8 about their mean.
func TestNoiseByHand(t *testing.T) {
	list := inTurn(1, 10, 14)
	mean := func(k, ss float64) (e float64) {
		for _, s := range shares {
			e += math.Pow(1-s, k/2) * math.Exp(s*ss/2) / float64(len(shares))
		}
		return e
	}
	// If the first result of the arm is omitted, one result remains, and its sum of squares is 0. If the first four
	// are omitted, no results remain, and the factor is 1.
	want := math.Log((mean(2, 8) + mean(1, 0) + 1) / 3)
	near(t, "noise", look(newNoise(1), 1, list), want)
	near(t, "noise of an arm", look(newArmNoise(1), 1, list), math.Log(.9+.1*mean(2, 8)))
	// At s = 0.5, log E is log(0.5) + 0.25 × 8 = 1.3069.
	if got := excess(nil, 2, 8)[5]; math.Abs(got-1.306852819) > 1e-9 {
		t.Errorf("at s = .5: %v", got)
	}
	// The second arm has two equal results, and contributes the factor 0.9 + 0.1 × mean(2, 0).
	list = inTurn(2, 10, 3, 14, 3)
	near(t, "noise of two arms", look(newArmNoise(2), 2, list), math.Log(.9+.1*mean(2, 8))+math.Log(.9+.1*mean(2, 0)))
}

// After three results with mean 5, a result of 15 has w1 = 9/4, w2 = 100/101 and log E = -log(4)/2 - log(101)/2 + 50 ×
// w1 × w2/(w1 + w2) = 31.3767. A search over all means finds the same minimum.
func TestOddityByHand(t *testing.T) {
	a := &armSums{}
	for _, y := range []float64{4, 5, 6} {
		a.add(1, y)
	}
	if got := oddity(a, 1, 15); math.Abs(got-31.37668) > 1e-4 {
		t.Errorf("log E = %v", got)
	}
	least := math.Inf(1)
	for mu := 5.; mu < 15; mu += 1e-3 {
		first := mixture([]float64{4 - mu, 5 - mu, 6 - mu}, [][]float64{{1}, {1}, {1}}, []float64{1})
		last := mixture([]float64{15 - mu}, [][]float64{{1}}, []float64{100})
		least = min(least, first+last)
	}
	near(t, "oddity", oddity(a, 1, 15), least)
	// With two arms, the fourth result has the weight 1/(2 × 4 × 5).
	list := []result{{1, 0, 0, 1, 4}, {2, 0, 0, 1, 5}, {3, 0, 0, 1, 6}, {4, 0, 0, 1, 15}}
	p := &outlier{}
	near(t, "outlier", look(p, 2, list), 31.37668-math.Log(40))
	if f := p.look(&sums{k: 4, arm: make([]armSums, 2)}); f.Result != 4 || f.Arm != 0 || f.Size != 10 {
		t.Errorf("%+v", f)
	}
}

// logBetaBinomial returns the log probability of y successes in n trials, for a success rate with a Beta(a, b)
// distribution.
func logBetaBinomial(y, n int, a, b float64) float64 {
	choose := -math.Log(float64(n+1)) - mathext.Lbeta(float64(y+1), float64(n-y+1))
	return choose + mathext.Lbeta(float64(y)+a, float64(n-y)+b) - mathext.Lbeta(a, b)
}

// The test compares E with the ratio of probabilities on a grid of means.
func TestCountsAgainstGrid(t *testing.T) {
	const n = 7
	for _, ys := range [][]float64{{3}, {0, 7}, {1, 2, 6, 5, 0, 7, 7}, {0, 0, 0}, {7, 7}} {
		var logs []float64
		for _, c := range dispersions {
			m, least := (1-c)/c, math.Inf(1)
			for p := 1e-4; p < 1; p += 1e-4 {
				log := 0.
				for _, y := range ys {
					log += logBetaBinomial(int(y), n, p*m, (1-p)*m) -
						logBetaBinomial(int(y), n, p*1e9, (1-p)*1e9)
				}
				least = min(least, log)
			}
			logs = append(logs, least)
		}
		got := look(newCounts(1, Objective{Sigma: 1, Trials: n}), 1, inTurn(1, ys...))
		if want := logMean(logs); !(got <= want+1e-5 && got >= want-2e-3) {
			t.Errorf("%v: log E = %v; on the grid %v", ys, got, want)
		}
	}
}

// With binomial counts, for any rate, the expectation of E is at most 1. The test sums over all outcomes.
func TestCountsExpectation(t *testing.T) {
	const trials, results = 4, 4
	for _, p := range []float64{.05, .3, .5} {
		sum := 0.
		for code := range 625 { // 5^4
			chance, left := 1., code
			var ys []float64
			for range results {
				y := left % (trials + 1)
				left /= trials + 1
				ys = append(ys, float64(y))
				chance *= math.Exp(logBetaBinomial(y, trials, p*1e9, (1-p)*1e9))
			}
			sum += chance * math.Exp(look(newCounts(2, Objective{Sigma: 1, Trials: trials}), 2, inTurn(2, ys...)))
		}
		if sum > 1+1e-6 {
			t.Errorf("p = %v: expectation %v", p, sum)
		}
	}
}

// If the model has as many parameters as arms, no deviation from a line is possible.
func TestNothingIsOffALine(t *testing.T) {
	full := mat.NewDense(3, 3, []float64{1, 0, 0, 1, 1, 0, 1, 0, 2})
	for _, x := range []*mat.Dense{full, mat.NewDense(3, 1, nil), mat.NewDense(1, 1, []float64{2})} {
		k, _ := x.Dims()
		list := inTurn(k, 1, 1, 1)
		if e := look(&misfit{line: newLine(x)}, k, list); e > 0 && k == 3 && x == full || math.IsNaN(e) {
			t.Errorf("%d arms: log E = %v", k, e)
		}
	}
}

// The coordinates of a line are such that parameters of unit variance give means whose variance, averaged over the
// arms, is 1.
func TestCoordinates(t *testing.T) {
	l := newLine(mat.NewDense(4, 3, []float64{1, 5, 2, 1, 7, 2, 1, 9, 2, 1, 50, 2}))
	a := make([]float64, l.m*l.m)
	for _, x := range l.x {
		l.outer(a, x, float64(l.m)/4)
	}
	if l.m != 2 || math.Abs(a[0]-1)+math.Abs(a[1])+math.Abs(a[3]-1) > 1e-9 {
		t.Errorf("rank %d, sum of x x' %v", l.m, a)
	}
}

// The evidence e is rounded down, because its inverse is stated as an upper bound on a probability.
func TestEvidence(t *testing.T) {
	for e, want := range map[float64]string{3499: "= 3400", 20: "= 20", 20.9: "= 20", 123456: "= 120000",
		999999: "= 990000", 1e6: "> 1000000", math.Inf(1): "> 1000000"} {
		if is, _ := evidence(e); is != want {
			t.Errorf("%v: e %s; want %s", e, is, want)
		}
	}
}

// A range has two ends, even if one of them is 0.
func TestRangeEnds(t *testing.T) {
	for low, high := range map[float64]float64{0: 10, -10: 0, -1: 1} {
		for y, out := range map[float64]bool{low: false, high: false, low - .1: true, high + .1: true} {
			m, err := New(Assumptions{Arms: 1, Objectives: []Objective{{Sigma: 5, Low: low, High: high}}})
			if m.Observe(0, 0, []float64{y}); err != nil || math.IsInf(m.Report().LogE, 1) != out {
				t.Errorf("%v of %v to %v: %v, %+v", y, low, high, err, m.Report())
			}
		}
	}
}

// A finding of kind Outlier names the result and its plate. The number of a result counts the results of all arms,
// including results with missing values.
func TestSlipIsNamed(t *testing.T) {
	for _, at := range []int{20, 33, 47} {
		m, err := New(Assumptions{Arms: 2, Objectives: []Objective{{Sigma: 1}, {Sigma: 1}}})
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i <= 50; i++ {
			x := []float64{math.NaN(), float64(i%4) / 4}
			if i%3 > 0 {
				x[0] = 1
			}
			if i == at {
				x[1] += 30
			}
			m.Observe(i%2, i/10+1, x)
		}
		named := false
		for _, f := range m.Report().Findings {
			if f.Kind == Outlier {
				named = true
				if f.Result != at || f.Plate != at/10+1 || f.Arm != at%2 || f.Objective != 1 || !(math.Abs(f.Size-30) <= 1) {
					t.Errorf("a slip in result %d: %+v", at, f)
				}
			}
		}
		if !named {
			t.Errorf("a slip in result %d: %+v", at, m.Report())
		}
	}
}

// If means deviate from a line, sufficient evidence of scatter in the same objective is listed first, because
// scatter may be the cause of the deviation.
func TestLikeliest(t *testing.T) {
	f := func(kind Kind, objective int, e float64) Finding {
		return Finding{Kind: kind, Objective: objective, LogE: math.Log(e)}
	}
	for _, x := range []struct {
		all  []Finding
		kind Kind
		of   int
	}{
		{[]Finding{f(Scatter, 0, Warn), f(Misfit, 0, 900)}, Scatter, 0},
		{[]Finding{f(Scatter, 1, 2*Warn), f(Misfit, 0, 900)}, Misfit, 0},
		{[]Finding{f(Scatter, 1, 2*Warn), f(Scatter, 0, Warn), f(Misfit, 0, 900)}, Scatter, 0},
		{[]Finding{f(Scatter, 0, .9*Warn), f(Misfit, 0, 900)}, Misfit, 0},
		{[]Finding{f(Scatter, 0, 1000), f(Plates, 0, 2000), f(Misfit, 0, 900)}, Plates, 0},
	} {
		n := len(x.all)
		if got := likeliest(x.all); got[0].Kind != x.kind || got[0].Objective != x.of || len(got) != n {
			t.Errorf("%+v; want %v of objective %d first", got, x.kind, x.of)
		}
	}
}

// The golden file contains the texts for findings of every kind: the description with objective, arm, plate and size,
// the advice, and the remedy.
func TestSaidByKind(t *testing.T) {
	m, err := New(Assumptions{Arms: 2, Objectives: []Objective{{Sigma: 2, Low: 1, High: 5}, {Sigma: 3, Later: true}}})
	if err != nil {
		t.Fatal(err)
	}
	plain := &explore.Declaration{Problem: &explore.Problem{Arms: 2, ArmNames: []string{"a", "b"}, ObjectiveNames: []string{"yield", "waste"}}}
	units := *plain
	units.Amount = func(i int, x float64) string { return fmt.Sprint(10*x, " ", []string{"g", "%"}[i]) }
	units.Plate = func(n int) string { return fmt.Sprint("batch ", n+100) }
	var b strings.Builder
	for kind := range Range + 1 {
		for _, f := range []Finding{{Kind: kind, Arm: 1, Plate: 4, Result: 3, Size: 7.12345}, {Kind: kind, Objective: 1, Plate: 2, Result: 9, Size: .5, Reference: true}} {
			fmt.Fprintf(&b, "%v\n\t%s\n\t%s\n\t%s\n\t%s\n", kind, m.Say(&f, plain), m.Say(&f, &units), f.advice(), f.remedy())
		}
	}
	golden.Check(t, "findings.txt", b.String())
}
