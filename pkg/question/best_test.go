package question_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

func TestBestCorrect(t *testing.T) {
	mu := mat.NewDense(4, 1, []float64{.5, 1, .9, 1})
	for _, c := range []struct {
		eps   float64
		items []int
		want  bool
	}{
		{0, []int{1}, true}, {0, []int{3}, true}, {0, []int{1, 3}, true}, {0, []int{2}, false},
		{0, nil, false},
		{0, []int{1, 2}, false}, {.1, []int{2}, true}, {.05, []int{2}, false},
		{.1, []int{0}, false}, {9, []int{4}, false}, {9, []int{-1}, false},
	} {
		if got := (question.Best{Epsilon: c.eps}).Correct(mu,
			explore.Answer{Items: c.items}); got != c.want {
			t.Errorf("epsilon %v, items %v: %v", c.eps, c.items, got)
		}
	}
}
