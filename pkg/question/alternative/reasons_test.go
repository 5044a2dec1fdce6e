package alternative_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question/alternative"
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

// A wrong answer costs nothing.
func TestExplainedWrongAnswer(t *testing.T) {
	r, err := alternative.New(3, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Constrain(questiontest.Quadrant()); err != nil {
		t.Fatal(err)
	}
	r.SetMeans([]float64{3, 3, 1, 1, -1, 4})
	w := []float64{1, 1, 1}
	for _, as := range [][]explore.Class{
		{explore.Optimal, explore.Infeasible, explore.Infeasible}, // arm 1 is feasible
		{explore.Optimal, explore.Dominated, explore.Dominated},   // arm 2 is not dominated
	} {
		r.Reject(as)
		if f := r.Cost(nil, w); f != 0 {
			t.Errorf("%v: F = %v", as, f)
		}
	}
	r.Reject([]explore.Class{explore.Optimal, explore.Dominated, explore.Infeasible})
	if f := r.Cost(nil, w); f != .5 {
		t.Errorf("F = %v; want 1/2, for arm 2 to become feasible", f)
	}
}

func ExampleBestResponse_Reject() {
	region, err := polyhedron.AtLeast([]float64{.4, .4}, []string{"efficacy", "safety"})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := alternative.New(2, 2, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := r.Constrain(region); err != nil {
		fmt.Println(err)
		return
	}
	p := &explore.Problem{Arms: 2, Objectives: 2, ArmNames: []string{"placebo", "150 mg"}}
	r.SetMeans([]float64{.3, .5, .7, .7}) // placebo is infeasible and dominated
	for _, why := range []explore.Class{explore.Undecided, explore.Infeasible, explore.Dominated} {
		r.Reject([]explore.Class{why, explore.Optimal})
		f := r.Cost(nil, []float64{1, 1})
		fmt.Printf("%v: %.4f, %s\n", why, f, r.Alternative().Explain(p))
	}
	// Output:
	// undecided: 0.0150, placebo would become feasible and enter the Pareto set
	// infeasible: 0.0050, placebo would become feasible
	// dominated: 0.0100, placebo would no longer be dominated
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

func TestRefutePanics(t *testing.T) {
	r, err := alternative.New(2, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	refute := func(w []float64, arm int, as explore.Class) func() {
		return func() { r.Refute(w, arm, as) }
	}
	w := []float64{1, 1}
	panics(t, "early", refute(w, 1, explore.Dominated))
	panics(t, "boundary, early", func() { r.Boundary(make([]float64, 2), 0) })
	r.SetMeans([]float64{1, 1, 0, 0})
	panics(t, "weights", refute(w[:1], 1, explore.Dominated))
	panics(t, "member", refute(w, 0, explore.Dominated))
	panics(t, "no region", refute(w, 1, explore.Infeasible))
	panics(t, "reason", refute(w, 1, explore.Optimal))
	panics(t, "point", func() { r.Boundary(make([]float64, 1), 0) })
}

func panics(t *testing.T, name string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", name)
		}
	}()
	f()
}

func ExampleBestResponse_Refute() {
	region, err := polyhedron.AtLeast([]float64{.4, .4}, []string{"efficacy", "safety"})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := alternative.New(2, 2, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := r.Constrain(region); err != nil {
		fmt.Println(err)
		return
	}
	r.SetMeans([]float64{.3, .5, .7, .7}) // arm 0 is infeasible and dominated
	for _, why := range []explore.Class{explore.Infeasible, explore.Dominated} {
		fmt.Printf("that it is %v: %.4f\n", why, r.Refute([]float64{1, 1}, 0, why))
	}
	// Output:
	// that it is infeasible: 0.0050
	// that it is dominated: 0.0100
}
