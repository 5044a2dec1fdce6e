package question_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
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

// An item on the threshold may be in the answer or not, exactly or up to
// rounding; it has no part in scores, and it is named.
func TestAllEpsilonBestOnThreshold(t *testing.T) {
	q := question.AllEpsilonBest{Epsilon: .1}
	p := &explore.Problem{Arms: 4, Sigma: 1, Question: q, ArmNames: []string{"a", "b", "c", "d"}}
	for _, at := range []float64{.2, math.Nextafter(.2, 1), math.Nextafter(.2, 0)} {
		mu := column(.3, at, .25, 0)
		if on := q.OnThreshold(mu); !slices.Equal(on, []int{1}) {
			t.Errorf("%v: %v on the threshold", at, on)
		}
		if !q.Correct(mu, items(0, 2)) || !q.Correct(mu, items(0, 1, 2)) ||
			q.Correct(mu, items(0, 1)) {
			t.Errorf("%v: item 1 should be free, the others not", at)
		}
		for _, a := range []explore.Answer{items(0, 2), items(0, 1, 2)} {
			if s := q.Score(mu, a); s != (question.Score{1, 1, 1}) {
				t.Errorf("%v: score %v of %v", at, s, a.Items)
			}
		}
		err := q.Check(p, mu)
		if !errors.Is(err, question.ErrThreshold) ||
			!strings.Contains(err.Error(), "b has mean 0.2") {
			t.Errorf("%v: error %v", at, err)
		}
	}
	if err := q.Check(p, column(.3, .1, .25, 0)); err != nil {
		t.Error(err)
	}
	// Ties for the best, without a tolerance: any of them, but not none.
	exact, mu := question.AllEpsilonBest{}, column(1, 1, 0)
	if !exact.Correct(mu, items(0)) || !exact.Correct(mu, items(0, 1)) ||
		exact.Correct(mu, items()) || exact.Correct(mu, items(0, 2)) {
		t.Error("of tied items any is best")
	}
	if err := exact.Check(p, mu); !errors.Is(err, question.ErrThreshold) {
		t.Errorf("a tie: error %v", err)
	}
	if s := exact.Score(mu, items(0, 1)); s.F1 != 1 {
		t.Errorf("score %v of two tied items", s)
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

func TestAllEpsilonBestValidate(t *testing.T) {
	p := &explore.Problem{Arms: 2, Sigma: 1}
	for _, c := range []struct {
		q    question.AllEpsilonBest
		want string // part of the error
	}{
		{question.AllEpsilonBest{}, ""},
		{question.AllEpsilonBest{Epsilon: 7}, ""},
		{question.AllEpsilonBest{Epsilon: .99, Multiplicative: true, Zero: -3}, ""},
		{question.AllEpsilonBest{Epsilon: -.1}, "Epsilon is -0.1"},
		{question.AllEpsilonBest{Epsilon: math.NaN()}, "Epsilon is NaN"},
		{question.AllEpsilonBest{Epsilon: math.Inf(1)}, "Epsilon is +Inf"},
		{question.AllEpsilonBest{Epsilon: 1, Multiplicative: true}, "below 1"},
		{question.AllEpsilonBest{Epsilon: -.1, Multiplicative: true}, "at least 0"},
		{question.AllEpsilonBest{Multiplicative: true, Zero: math.Inf(1)}, "Zero is +Inf"},
		{question.AllEpsilonBest{Zero: 1}, "only if Multiplicative"},
	} {
		p.Question = c.q
		err := p.Validate()
		if c.want == "" && err != nil || c.want != "" &&
			(err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%#v: %v; want %q", c.q, err, c.want)
		}
	}
	p.Objectives, p.Question = 2, question.AllEpsilonBest{Epsilon: 1}
	if err := p.Validate(); err == nil || !strings.Contains(err.Error(), "2 objectives") {
		t.Errorf("two objectives: %v", err)
	}
}

// The same question in other units has the same answer.
func TestAllEpsilonBestMove(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		q := question.AllEpsilonBest{Epsilon: rnd.Float64(), Multiplicative: rnd.IntN(2) == 0}
		if q.Multiplicative { // fractions are of what is above Zero
			q.Zero = -5 * rnd.Float64()
		}
		scale, shift := .1+3*rnd.Float64(), 10*rnd.NormFloat64()
		mu, moved := column(make([]float64, 5)...), column(make([]float64, 5)...)
		for i := range 5 {
			v := rnd.Float64()
			mu.Set(i, 0, v)
			moved.Set(i, 0, scale*v+shift)
		}
		if got, want := q.Rescale(scale, []float64{shift}).(question.AllEpsilonBest).Right(moved),
			q.Right(mu); !slices.Equal(got, want) {
			t.Fatalf("%#v: %v in other units, %v in these", q, got, want)
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

// An estimate that has no interval is not written with one of no width.
func TestAllEpsilonBestEstimated(t *testing.T) {
	p := &explore.Problem{Arms: 2, Sigma: 1, ArmNames: []string{"A", "B"}}
	for _, x := range []struct {
		r    explore.Reason
		want string
	}{
		{explore.Reason{Class: explore.Dominated, By: 1, Margin: .4, Estimated: true},
			"below B by an estimated 0.400 more than 0.15"},
		{explore.Reason{Class: explore.Optimal, By: 1, Margin: .1, Estimated: true},
			"within 0.15 of B with an estimated 0.100 to spare"},
		{explore.Reason{Class: explore.Dominated, By: 1, Margin: .4, MarginRadius: .1},
			"below B by 0.400 ± 0.100 more than 0.15"},
		{explore.Reason{Class: explore.Dominated, By: 1, Margin: .4, MarginRadius: .1, Estimated: true},
			"below B by 0.400 ± 0.100 more than 0.15"},
	} {
		if _, why := (question.AllEpsilonBest{Epsilon: .15}).Explain(p, 0, x.r); why != x.want {
			t.Errorf("%q; want %q", why, x.want)
		}
	}
}

// What counts as rounding is 1e-12 of the largest number that there is: a mean, Epsilon or Zero. What is
// nearer to the threshold than that may be in the answer or not, and what is farther is decided.
func TestAllEpsilonBestRounding(t *testing.T) {
	for _, c := range []struct {
		q    question.AllEpsilonBest
		mu   []float64 // the second on the threshold, up to the last number times 1e-12
		size float64
	}{
		{question.AllEpsilonBest{Epsilon: .5}, []float64{1, .5}, 1},
		{question.AllEpsilonBest{Epsilon: 5}, []float64{1e3, 995}, 1e3},
		{question.AllEpsilonBest{Epsilon: 1e6}, []float64{5e5, -5e5}, 1e6},
		{question.AllEpsilonBest{Epsilon: .5, Multiplicative: true, Zero: -1e6}, []float64{0, -5e5}, 1e6},
	} {
		for _, side := range []float64{-1, 1} {
			for _, x := range []struct {
				by float64
				on bool
			}{{.4, true}, {3, false}} {
				mu := mat.NewDense(2, 1, []float64{c.mu[0], c.mu[1] + side*x.by*1e-12*c.size})
				if on := c.q.OnThreshold(mu); (len(on) == 1) != x.on {
					t.Errorf("%v, %v roundings off: on the threshold are %v", c.q, side*x.by, on)
				}
				alone := c.q.Correct(mu, explore.Answer{Items: []int{0}})
				both := c.q.Correct(mu, explore.Answer{Items: []int{0, 1}})
				if alone != (x.on || side < 0) || both != (x.on || side > 0) {
					t.Errorf("%v, %v roundings off: right without it %v, with it %v", c.q, side*x.by, alone, both)
				}
			}
		}
	}
	p := &explore.Problem{Arms: 4, Objectives: 1, Sigma: 1}
	for want, mu := range map[string][]float64{"question: arm 1 has mean 1, and 1 is": {2, 1, .5, .5}, "question: arm 1 (and 1 more) has mean 1, and 1 is": {2, 1, .5, 1},
		"question: arm 0 (and 2 more) has mean 1, and 1 is": {1, 1, 1, 2}} {
		err := question.AllEpsilonBest{Epsilon: 1}.Check(p, mat.NewDense(4, 1, mu))
		if err == nil || !strings.HasPrefix(err.Error(), want+" the least mean within 1 of the best: no number of rewards tells on which side it is") {
			t.Errorf("%v; want %s", err, want)
		}
	}
}
