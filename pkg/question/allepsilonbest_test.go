package question_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

func column(mu ...float64) *mat.Dense { return mat.NewDense(len(mu), 1, mu) }

func TestAllEpsilonBestCorrect(t *testing.T) {
	additive := question.AllEpsilonBest{Epsilon: .3}
	share := question.AllEpsilonBest{Epsilon: .5, Multiplicative: true}
	from := question.AllEpsilonBest{Epsilon: .5, Multiplicative: true, Zero: 10}
	for _, c := range []struct {
		q    question.AllEpsilonBest
		mu   []float64
		want []int
	}{
		{additive, []float64{1, .8, .6, .75}, []int{0, 1, 3}},
		{additive, []float64{-5, -5.2, -9}, []int{0, 1}},
		{additive, []float64{4}, []int{0}},
		{question.AllEpsilonBest{}, []float64{1, 2, 1.999}, []int{1}},
		{share, []float64{1, .6, .4}, []int{0, 1}},
		{share, []float64{-1, -2}, nil}, // no fraction of a negative mean is within it
		{from, []float64{12, 11.1, 10.9}, []int{0, 1}},
	} {
		mu := column(c.mu...)
		if got := c.q.Right(mu); !slices.Equal(got, c.want) {
			t.Errorf("%v of %v: right is %v; want %v", c.q, c.mu, got, c.want)
		}
		if on := c.q.OnThreshold(mu); on != nil {
			t.Errorf("%v of %v: %v on the threshold", c.q, c.mu, on)
		}
		// No other set is right.
		for set := range 1 << len(c.mu) {
			var a explore.Answer
			for i := range c.mu {
				if set>>i&1 == 1 {
					a.Items = append(a.Items, i)
				}
			}
			if got, want := c.q.Correct(mu, a), slices.Equal(a.Items, c.want); got != want {
				t.Errorf("%v of %v: answer %v is %v", c.q, c.mu, a.Items, got)
			}
		}
		for _, bad := range [][]int{{-1}, {0, 0}, {len(c.mu)}} {
			if c.q.Correct(mu, items(bad...)) {
				t.Errorf("%v: answer %v is right", c.q, bad)
			}
		}
	}
}

func TestAllEpsilonBestScore(t *testing.T) {
	q, mu := question.AllEpsilonBest{Epsilon: .5}, column(1, .9, .8, .1, 0)
	for _, c := range []struct {
		items []int
		want  question.Score
	}{
		{[]int{0, 1, 2}, question.Score{1, 1, 1}},
		{nil, question.Score{}},
		{[]int{3, 4}, question.Score{}},
		{[]int{0}, question.Score{1, 1. / 3, .5}},
		{[]int{0, 1, 3, 4}, question.Score{.5, 2. / 3, 4. / 7}}, // 2 of 4, 2 of 3
		{[]int{0, 1, 2, 3, 4}, question.Score{.6, 1, .75}},
		{[]int{0, 0}, question.Score{.5, 1. / 3, .4}}, // the second one is no hit
	} {
		got := q.Score(mu, items(c.items...))
		if math.Abs(got.Precision-c.want.Precision)+math.Abs(got.Recall-c.want.Recall)+
			math.Abs(got.F1-c.want.F1) > 1e-15 {
			t.Errorf("%v: %v; want %v", c.items, got, c.want)
		}
	}
}

// A score is 1 if and only if the answer is right.
func TestAllEpsilonBestScoreOfRight(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		q := question.AllEpsilonBest{Epsilon: rnd.Float64(), Multiplicative: rnd.IntN(2) == 0}
		mu := column(rnd.Float64(), rnd.Float64(), rnd.Float64(), rnd.Float64())
		var a explore.Answer
		for i := range 4 {
			if rnd.IntN(2) == 0 {
				a.Items = append(a.Items, i)
			}
		}
		if got, want := q.Score(mu, a).F1 == 1, q.Correct(mu, a); got != want {
			t.Fatalf("%v of %v: %v scores 1: %v, is right: %v", q, mu, a.Items, got, want)
		}
	}
}

func ExampleAllEpsilonBest() {
	q := question.AllEpsilonBest{Epsilon: .5}
	mu := mat.NewDense(4, 1, []float64{2.1, 1.8, 1.7, .4})
	fmt.Println("right:", q.Right(mu))
	s := q.Score(mu, explore.Answer{Items: []int{0, 1, 3}})
	fmt.Printf("precision %.2f, recall %.2f, F1 %.2f\n", s.Precision, s.Recall, s.F1)
	// Output:
	// right: [0 1 2]
	// precision 0.67, recall 0.67, F1 0.67
}
