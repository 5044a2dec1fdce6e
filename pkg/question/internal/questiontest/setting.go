package questiontest

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
)

// A Setting is a constrained problem.
type Setting struct {
	Mu     *mat.Dense
	Cov    mat.Symmetric
	Q      question.FeasiblePareto
	Centre []float64 // inside the region
	Front  []int
}

// RandomSetting returns a setting with at most that many optimal arms; most have
// an arm that is both infeasible and dominated.
func RandomSetting(rnd *rand.Rand, d, most int) Setting {
	easy := rnd.IntN(4) == 0
	for {
		s := Setting{Mu: RandomMeans(rnd, 1+rnd.IntN(7), d)}
		var region *polyhedron.Polyhedron
		region, s.Centre = RandomRegion(rnd, d)
		s.Q = question.FeasiblePareto{Region: region, SetOnly: true}
		if rnd.IntN(2) == 0 {
			s.Cov = RandomCovariance(rnd, d)
		}
		s.Front = Optimal(s.Q, s.Mu)
		if len(s.Front) > most {
			continue
		}
		truth := s.Q.Truth(s.Mu)
		for i, in := range truth.Feasible {
			easy = easy || !in && truth.SubOpt[i]
		}
		if easy {
			return s
		}
	}
}

// Optimal returns the feasible Pareto set.
func Optimal(q question.FeasiblePareto, mu *mat.Dense) []int {
	var o []int
	for i, in := range q.Truth(mu).Optimal {
		if in {
			o = append(o, i)
		}
	}
	return o
}

// Response returns the best response for the setting.
func (s Setting) Response(t testing.TB) *alternative.BestResponse {
	t.Helper()
	k, d := s.Mu.Dims()
	r, err := alternative.New(k, d, s.Cov)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Constrain(s.Q.Region); err != nil {
		t.Fatal(err)
	}
	r.SetMeans(Flat(s.Mu))
	return r
}

// Covariance returns the covariance, for oracles.
func (s Setting) Covariance() mat.Symmetric {
	if s.Cov != nil {
		return s.Cov
	}
	_, d := s.Mu.Dims()
	i := mat.NewDiagDense(d, nil)
	for c := range d {
		i.SetDiag(c, 1)
	}
	return i
}

// Weights are random; where members have more of it, it is others that move.
func (s Setting) Weights(rnd *rand.Rand) []float64 {
	k, _ := s.Mu.Dims()
	w, more := RandomWeights(rnd, k), []float64{1, 4, 30}[rnd.IntN(3)]
	for _, i := range s.Front {
		w[i] *= more
	}
	return w
}

// Labelled returns a right answer with random reasons where there is a choice, and
// the arms for which there is.
func (s Setting) Labelled(rnd *rand.Rand) (a explore.Answer, free []int) {
	truth := s.Q.Truth(s.Mu)
	a = explore.Answer{Items: s.Front, Reasons: make([]explore.Reason, len(truth.Eta))}
	for i := range a.Reasons {
		class := explore.Infeasible
		switch {
		case truth.Optimal[i]:
			class = explore.Optimal
		case truth.Feasible[i]:
			class = explore.Dominated
		case truth.SubOpt[i]:
			free = append(free, i)
			if rnd.IntN(2) == 0 {
				class = explore.Dominated
			}
		}
		a.Reasons[i].Class = class
	}
	return a, free
}

// Classes returns the reasons of an answer.
func Classes(a explore.Answer) []explore.Class {
	var c []explore.Class
	for _, r := range a.Reasons {
		c = append(c, r.Class)
	}
	return c
}

// Changes checks that an alternative is at the boundary of the means with the same
// Pareto set.
func Changes(t testing.TB, name string, mu *mat.Dense, a alternative.Alternative) {
	t.Helper()
	_, d := mu.Dims()
	size := mat.Norm(mu, math.Inf(1)) * 1e-9
	if a.By >= 0 {
		for c := range d {
			if a.Means.At(a.Arm, c) > a.Means.At(a.By, c)+size {
				t.Errorf("%s: arm %d does not fall below %d: %v, %v", name, a.Arm, a.By,
					a.Means.RawRowView(a.Arm), a.Means.RawRowView(a.By))
			}
		}
		return
	}
	for _, j := range pareto.Set(mu) {
		if pareto.Deficit(a.Means.RawRowView(a.Arm), a.Means.RawRowView(j)) > size {
			t.Errorf("%s: arm %d does not enter: it is at %v, arm %d at %v", name, a.Arm,
				a.Means.RawRowView(a.Arm), j, a.Means.RawRowView(j))
		}
	}
}
