package design

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// checkGame checks that row and col are mixtures that guarantee the same value.
func checkGame(t *testing.T, a *mat.Dense, row, col []float64, value float64) {
	t.Helper()
	r, n := a.Dims()
	if len(row) != r || len(col) != n || floats.Min(row) < 0 || floats.Min(col) < 0 ||
		!(math.Abs(floats.Sum(row)-1) <= 1e-12) || !(math.Abs(floats.Sum(col)-1) <= 1e-12) {
		t.Fatalf("%v and %v are no mixtures", row, col)
	}
	forRow, forCol := mat.NewVecDense(n, nil), mat.NewVecDense(r, nil)
	forRow.MulVec(a.T(), mat.NewVecDense(r, row))
	forCol.MulVec(a, mat.NewVecDense(n, col))
	size := 1e-10 * (mat.Max(a) - mat.Min(a))
	if lo, hi := mat.Min(forRow), mat.Max(forCol); lo != value || !(math.Abs(hi-lo) <= size) {
		t.Errorf("row guarantees %v, col %v, value %v", lo, hi, value)
	}
}

func TestGameKnown(t *testing.T) {
	for _, c := range []struct {
		name     string
		a        *mat.Dense
		row, col []float64
		value    float64
	}{
		{"matching pennies", mat.NewDense(2, 2, []float64{1, -1, -1, 1}), []float64{.5, .5},
			[]float64{.5, .5}, 0},
		{"rock, paper, scissors", mat.NewDense(3, 3, []float64{0, -1, 1, 1, 0, -1, -1, 1, 0}),
			[]float64{1. / 3, 1. / 3, 1. / 3}, []float64{1. / 3, 1. / 3, 1. / 3}, 0},
		{"saddle point", mat.NewDense(2, 3, []float64{3, 2, 4, 1, 0, 9}), []float64{1, 0},
			[]float64{0, 1, 0}, 2},
		{"one row", mat.NewDense(1, 3, []float64{3, -2, 4}), []float64{1}, []float64{0, 1, 0}, -2},
		{"one column", mat.NewDense(3, 1, []float64{3, -2, 4}), []float64{0, 0, 1}, []float64{1}, 4},
		// If the game [a b; c d] has no saddle point, the first row has the probability (d - c)/(a - b - c + d). The
		// value is (ad - bc)/(a - b - c + d).
		{"mixed", mat.NewDense(2, 2, []float64{5, 1, 2, 4}), []float64{1. / 3, 2. / 3}, []float64{.5, .5}, 3},
	} {
		row, col, value := Game(c.a)
		checkGame(t, c.a, row, col, value)
		if !floats.EqualApprox(row, c.row, 1e-12) || !floats.EqualApprox(col, c.col, 1e-12) ||
			!(math.Abs(value-c.value) <= 1e-12) {
			t.Errorf("%s: %v, %v, %v, want %v, %v, %v", c.name, row, col, value, c.row, c.col, c.value)
		}
	}
	if _, _, v := Game(mat.NewDense(2, 2, []float64{7, 7, 7, 7})); v != 7 {
		t.Errorf("constant game: value %v, want 7", v)
	}
	panics(t, panicPayoff, func() { Game(mat.NewDense(1, 2, []float64{1, math.NaN()})) })
}

func TestGameRandom(t *testing.T) {
	for seed := range uint64(40) {
		r, n := 1+int(seed)%9, 1+int(seed*seed*11)%700
		a := normalPoints(seed, r, n)
		if seed%2 == 1 { // ties
			a.Apply(func(_, _ int, v float64) float64 { return math.Round(v) }, a)
		}
		a.Scale(math.Pow(10, float64(seed%7)-3), a)
		row, col, value := Game(a)
		checkGame(t, a, row, col, value)
		var minus mat.Dense // exchange of the players
		minus.Scale(-1, a.T())
		r2, c2, v2 := Game(&minus)
		checkGame(t, &minus, r2, c2, v2)
		if !(math.Abs(v2+value) <= 1e-9*(mat.Max(a)-mat.Min(a)+1e-300)) {
			t.Errorf("value %v, and %v with players exchanged", value, v2)
		}
	}
}

// Some payoffs are 1e9 times as large as other payoffs, and many payoffs are 0. The computed mixtures are as accurate
// as for payoffs of similar size. If no payoff is negative, even a small value has a small relative error. (Games
// between arms and alternative models have such payoffs if a mean is near a threshold.)
func TestGameManyOrders(t *testing.T) {
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		r, n := 1+rnd.IntN(12), 1+rnd.IntN(90)
		a := mat.NewDense(r, n, nil)
		for j := range n {
			size := math.Pow(10, -6*rnd.Float64()) // scale of the column
			for i := range r {
				if rnd.Float64() < .6 {
					a.Set(i, j, size*math.Pow(10, -3*rnd.Float64()))
				}
			}
		}
		row, col, value := Game(a)
		checkGame(t, a, row, col, value)
		var forCol mat.VecDense
		forCol.MulVec(a, mat.NewVecDense(n, col))
		if hi := mat.Max(&forCol); r <= n && hi > value*(1+1e-6) {
			t.Errorf("seed %d: row guarantees %v, col %v", seed, value, hi)
		}
		var minus mat.Dense
		minus.Scale(-1, a.T())
		row, col, value = Game(&minus)
		checkGame(t, &minus, row, col, value)
	}
}
