package question_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

func column(mu ...float64) *mat.Dense { return mat.NewDense(len(mu), 1, mu) }

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
