package alternative_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
)

func TestExplainedBestResponse(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 5))
	seen := map[string]int{}
	for trial := range 1800 {
		d := 1 + trial%4
		s := randomSetting(rnd, d, []int{0, 1, 5, 4, 3}[d])
		s.Q.SetOnly = false
		answer, free := s.labelled(rnd)
		k, _ := s.Mu.Dims()
		r := s.response(t)
		as := classes(answer)
		open := -1
		if len(free) > 0 && trial%3 == 0 { // the answer makes no claim about one of the free arms
			open = free[0]
			as[open] = explore.Undecided
		}
		r.Reject(as)
		w, grad := s.weights(rnd), make([]float64, k)
		f := r.Cost(grad, w)
		a := r.Alternative()
		if v := price(s.Mu, a.Means, s.Cov, w); !(math.Abs(v-f) <= 1e-9*f) {
			t.Errorf("trial %d: the alternative costs %v; F = %v", trial, v, f)
		}
		if v := floats.Dot(w, grad); !(math.Abs(v-f) <= 1e-11*f) {
			t.Errorf("trial %d: w.grad = %v, F = %v", trial, v, f)
		}
		if s.Q.Correct(passed(s, a), answer) {
			t.Errorf("trial %d: the answer %v is right for %+v", trial, answer, a)
		}
		if v := s.crossing(w); v < f*(1-1e-8) {
			t.Errorf("trial %d: members leave or fall at %v; F = %v", trial, v, f)
		}
		for i := range k {
			if slices.Contains(s.Front, i) {
				continue
			}
			ok := false
			switch as[i] {
			case explore.Dominated:
				ok = s.entering(i, w, false, f*(1-1e-8))
			case explore.Infeasible:
				ok = exceeds(s.Mu.RawRowView(i), s.covariance(), w[i], s.hard(), f*(1-1e-8))
			default:
				ok = s.entering(i, w, true, f*(1-1e-8))
			}
			if !ok {
				t.Errorf("trial %d: arm %d, %v, may make the answer wrong below F = %v", trial, i, as[i], f)
			}
		}
		// Required reasons add alternatives, and Reject(nil) removes these alternatives.
		r.Reject(nil)
		if g := r.Cost(nil, w); g < f*(1-1e-9) {
			t.Errorf("trial %d: F = %v with reasons, %v without", trial, f, g)
		}
		switch {
		case a.Reason && a.Feasible:
			seen["feasible"]++
		case a.Reason:
			seen["undominated"]++
		case a.Arm == open:
			seen["open"]++
		}
		if len(free) > 0 {
			seen["free"]++
		}
	}
	t.Log(seen)
	if seen["feasible"] < 100 || seen["undominated"] < 100 || seen["open"] < 30 || seen["free"] < 300 {
		t.Errorf("%v: the test is one-sided", seen)
	}
}

// TestRefute checks that no means make a reason wrong at a lower cost than Refute returns, and that Refute does not
// change the results of Cost.
func TestRefute(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	compared := 0
	for trial := range 400 {
		s := randomSetting(rnd, 1+trial%3, 7)
		answer, free := s.labelled(rnd)
		r, w := s.response(t), s.weights(rnd)
		as := classes(answer)
		r.Reject(as)
		before := r.Cost(nil, w)
		for _, i := range free {
			dominated := r.Refute(w, i, explore.Dominated)
			infeasible := r.Refute(w, i, explore.Infeasible)
			f := before * (1 - 1e-8)
			if !s.entering(i, w, false, dominated*(1-1e-8)) {
				t.Errorf("trial %d: arm %d is undominated below %v", trial, i, dominated)
			}
			y := s.Mu.RawRowView(i)
			if !exceeds(y, s.covariance(), w[i], s.hard(), infeasible*(1-1e-8)) {
				t.Errorf("trial %d: arm %d is feasible below %v", trial, i, infeasible)
			}
			// An answer is wrong if its reason is wrong, so F is at most the cost of refuting the reason.
			if given := map[explore.Class]float64{
				explore.Dominated: dominated, explore.Infeasible: infeasible,
			}[as[i]]; given < f {
				t.Errorf("trial %d: arm %d as %v is refuted at %v; F = %v", trial, i, as[i], given, before)
			}
			compared++
		}
		if after := r.Cost(nil, w); after != before {
			t.Errorf("trial %d: F = %v, formerly %v", trial, after, before)
		}
		// Refute does not add reasons to arms without a reason.
		r.Reject(nil)
		before = r.Cost(nil, w)
		for _, i := range free {
			r.Refute(w, i, explore.Dominated)
		}
		if after := r.Cost(nil, w); after != before {
			t.Errorf("trial %d: without reasons F = %v, formerly %v", trial, after, before)
		}
	}
	if compared < 100 {
		t.Errorf("%d arms with a choice; the test is too easy", compared)
	}
}
