package alternative_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question/internal/questiontest"
)

// wrong tells whether one of the four things happens that make the answer wrong,
// in the words of the definition of Reject.
func wrong(s questiontest.Setting, lambda *mat.Dense, a explore.Answer) bool {
	row := lambda.RawRowView
	for _, i := range s.Front {
		if !s.Q.Region.Contains(row(i)) {
			return true
		}
		for _, j := range s.Front {
			if i != j && below(row(i), row(j)) {
				return true
			}
		}
	}
	for i, r := range a.Reasons {
		switch r.Class {
		case explore.Infeasible:
			if s.Q.Region.Contains(row(i)) {
				return true
			}
		case explore.Dominated:
			if !slices.ContainsFunc(s.Front, func(j int) bool { return below(row(i), row(j)) }) {
				return true
			}
		}
	}
	return false
}

// below reports whether a is at most b in every objective.
func below(a, b []float64) bool {
	for c, v := range a {
		if v > b[c] {
			return false
		}
	}
	return true
}

// An answer with reasons is wrong if and only if one of the four alternatives is
// there, for means that are anything: the question's own verdict against it.
func TestExplainedDecomposition(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 5))
	right, errors := 0, 0
	for range 400 {
		s := questiontest.RandomSetting(rnd, 1+rnd.IntN(3), 7)
		s.Q.SetOnly = false
		a, _ := s.Labelled(rnd)
		if !s.Q.Correct(s.Mu, a) {
			t.Fatalf("%+v is wrong to begin with", a)
		}
		k, d := s.Mu.Dims()
		lambda := mat.NewDense(k, d, nil)
		for range 200 {
			spread := .5 * rnd.Float64()
			for i := range k {
				for c := range d {
					lambda.Set(i, c, s.Mu.At(i, c)+spread*rnd.NormFloat64())
				}
			}
			bad := wrong(s, lambda, a)
			if bad == s.Q.Correct(lambda, a) {
				t.Fatalf("%v in %v with %v: wrong is %v", mat.Formatted(lambda), s.Q.Region, a, bad)
			}
			if bad {
				errors++
			} else {
				right++
			}
		}
	}
	if right < 5000 || errors < 5000 {
		t.Errorf("%d right, %d wrong: the test is one-sided", right, errors)
	}
}

func TestExplainedBestResponse(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 5))
	seen := map[string]int{}
	for trial := range 1800 {
		d := 1 + trial%4
		s := questiontest.RandomSetting(rnd, d, []int{0, 1, 5, 4, 3}[d])
		s.Q.SetOnly = false
		answer, free := s.Labelled(rnd)
		k, _ := s.Mu.Dims()
		r := s.Response(t)
		as := questiontest.Classes(answer)
		open := -1
		if len(free) > 0 && trial%3 == 0 { // nothing claimed for one of them
			open = free[0]
			as[open] = explore.Undecided
		}
		r.Reject(as)
		w, grad := s.Weights(rnd), make([]float64, k)
		f := r.Cost(grad, w)
		a := r.Alternative()
		if v := questiontest.Price(s.Mu, a.Means, s.Cov, w); !(math.Abs(v-f) <= 1e-9*f) {
			t.Errorf("trial %d: the alternative costs %v; F = %v", trial, v, f)
		}
		if v := floats.Dot(w, grad); !(math.Abs(v-f) <= 1e-11*f) {
			t.Errorf("trial %d: w.grad = %v, F = %v", trial, v, f)
		}
		if s.Q.Correct(passed(s, a), answer) {
			t.Errorf("trial %d: the answer %v is right for %+v", trial, answer, a)
		}
		if v := s.Crossing(w); v < f*(1-1e-8) {
			t.Errorf("trial %d: members leave or fall at %v; F = %v", trial, v, f)
		}
		for i := range k {
			if slices.Contains(s.Front, i) {
				continue
			}
			ok := false
			switch as[i] {
			case explore.Dominated:
				ok = s.Entering(i, w, false, f*(1-1e-8))
			case explore.Infeasible:
				ok = questiontest.Exceeds(s.Mu.RawRowView(i), s.Covariance(), w[i], s.Hard(), f*(1-1e-8))
			default:
				ok = s.Entering(i, w, true, f*(1-1e-8))
			}
			if !ok {
				t.Errorf("trial %d: arm %d, %v, may make the answer wrong below F = %v", trial, i,
					as[i], f)
			}
		}
		// Reasons that are asked for make more alternatives, and nil forgets them.
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
	if seen["feasible"] < 100 || seen["undominated"] < 100 || seen["open"] < 30 ||
		seen["free"] < 300 {
		t.Errorf("%v: the test is one-sided", seen)
	}
}

// Refute is what Cost would be if nothing could change but the reason of that arm.
func TestRefute(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	compared := 0
	for trial := range 400 {
		s := questiontest.RandomSetting(rnd, 1+trial%3, 7)
		answer, free := s.Labelled(rnd)
		r, w := s.Response(t), s.Weights(rnd)
		as := questiontest.Classes(answer)
		r.Reject(as)
		before := r.Cost(nil, w)
		for _, i := range free {
			dominated := r.Refute(w, i, explore.Dominated)
			infeasible := r.Refute(w, i, explore.Infeasible)
			f := before * (1 - 1e-8)
			if !s.Entering(i, w, false, dominated*(1-1e-8)) {
				t.Errorf("trial %d: arm %d is undominated below %v", trial, i, dominated)
			}
			y := s.Mu.RawRowView(i)
			if !questiontest.Exceeds(y, s.Covariance(), w[i], s.Hard(), infeasible*(1-1e-8)) {
				t.Errorf("trial %d: arm %d is feasible below %v", trial, i, infeasible)
			}
			// The reason that was given is one of the ways in which the answer is wrong.
			if given := map[explore.Class]float64{
				explore.Dominated: dominated, explore.Infeasible: infeasible,
			}[as[i]]; given < f {
				t.Errorf("trial %d: arm %d as %v is refuted at %v; F = %v", trial, i, as[i], given,
					before)
			}
			compared++
		}
		if after := r.Cost(nil, w); after != before {
			t.Errorf("trial %d: F = %v, formerly %v", trial, after, before)
		}
		// Where no reason was given, none is after Refute.
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
