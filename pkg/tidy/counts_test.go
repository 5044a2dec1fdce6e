package tidy_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// Counts of a summary are correct for each cell, for rows in any order.
func TestCountsOfRows(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 9))
	var rows []mc.Row
	for rep := range 400 {
		k := []string{"a", "b", "c"}[rnd.IntN(3)]
		r := row(k, rep, 2+rnd.IntN(90), []string{"stopped", "stopped", "pull limit", "round limit",
			"failure"}[rnd.IntN(5)], rnd.IntN(4) > 0)
		r.Instance, r.Constants, r.Delta = []string{"easy", "hard"}[rnd.IntN(2)], []string{"", "own"}[rnd.IntN(2)],
			.1*float64(rnd.IntN(2))
		rows = append(rows, r)
	}
	cs := tidy.SampleComplexity(rows, .9)
	seen := 0
	for _, c := range cs {
		var pulls []float64
		n := map[string]int{}
		for _, r := range rows {
			if r.Method != c.Method || r.Instance != c.Instance || r.Constants != c.Constants || r.Delta != c.Delta {
				continue
			}
			n["all"]++
			n[r.Status]++
			if r.Status == "stopped" && !r.Correct {
				n["wrong"]++
			}
			if r.Status != "failure" {
				pulls = append(pulls, float64(r.Pulls))
			}
		}
		seen += c.Reps
		slices.Sort(pulls)
		median := (pulls[len(pulls)/2] + pulls[(len(pulls)-1)/2]) / 2
		if c.Reps != n["all"] || c.Stopped != n["stopped"] || c.Errors != n["wrong"] || c.Failed != n["failure"] ||
			c.Early != n["pull limit"]+n["round limit"] || c.Median.N != len(pulls) || c.Mean.N != len(pulls) ||
			c.Median.Center != median || math.Abs(c.Mean.Center-stat.Mean(pulls, nil)) > 1e-12 ||
			c.ErrorRate.N != c.Stopped || c.ErrorRate.Center != float64(c.Errors)/float64(c.Stopped) {
			t.Errorf("%+v; want %v, pulls %v", c, n, pulls)
		}
	}
	if seen != len(rows) || len(cs) != 24 {
		t.Errorf("%d rows in %d cells; want %d in 24", seen, len(cs), len(rows))
	}
	for i, r := range tidy.ComplexityTable(cs).Rows { // columns: instance, constants, delta, method and so on
		c := cs[i]
		for j, want := range []any{c.Instance, c.Constants, c.Delta, c.Method, c.Reps, c.Median} {
			if s, ok := want.(tidy.Summary); ok {
				if got := r[j].(tidy.Summary); got.Center != s.Center || got.N != s.N {
					t.Errorf("row %d: %+v; want %+v", i, got, s)
				}
			} else if r[j] != want {
				t.Errorf("row %d has %v in column %d; want %v", i, r, j, want)
			}
		}
	}
}

// The summary of a sample has the unit of the sample. A ratio of two samples has the ratio of their units.
func TestUnits(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	var x, y [40]float64
	for i := range x {
		x[i], y[i] = 3+rnd.ExpFloat64(), 2+rnd.Float64()
	}
	for name, of := range map[string]func(a, b []float64) tidy.Summary{
		"mean":     func(a, _ []float64) tidy.Summary { return tidy.Mean(a, .95) },
		"median":   func(a, _ []float64) tidy.Summary { return tidy.Median(a, .95) },
		"quantile": func(a, _ []float64) tidy.Summary { return tidy.Quantile(a, .9, .8) },
		"ratio":    func(a, b []float64) tidy.Summary { return tidy.RatioOfMeans(a, b, false, .95) },
		"pairs":    func(a, b []float64) tidy.Summary { return tidy.RatioOfMedians(a, b, true, .95) },
		"contrast": func(a, b []float64) tidy.Summary {
			s := tidy.LogContrast([]float64{1, -1}, [][]float64{a, b}, true, .95)
			s.Center, s.Lo, s.Hi = math.Exp(s.Center), math.Exp(s.Lo), math.Exp(s.Hi)
			return s
		},
	} {
		was := of(x[:], y[:])
		for _, c := range []float64{64, .125} {
			a, b := slices.Clone(x[:]), slices.Clone(y[:])
			for i := range a {
				a[i], b[i] = c*a[i], b[i]/4
			}
			by := c
			if name == "ratio" || name == "pairs" || name == "contrast" {
				by *= 4
			}
			s := of(a, b)
			for i, v := range []float64{s.Center, s.Lo, s.Hi} {
				if want := by * []float64{was.Center, was.Lo, was.Hi}[i]; !(math.Abs(v-want) <= 1e-9*want) {
					t.Errorf("%s times %v: %+v; want %+v", name, by, s, was)
				}
			}
			if s.N != len(x) || s.Confidence != was.Confidence {
				t.Errorf("%s: %+v; want %+v", name, s, was)
			}
		}
	}
}
