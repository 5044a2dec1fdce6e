package goodenough

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/armstest"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// wide is a radius with simple numbers: the half-width is 1/n for a mean of n rewards, and 0.8 (1/n + 1/m) for the
// difference of two arms with n and m rewards.
type wide struct{}

func (wide) String() string                   { return "wide" }
func (wide) Bind(radius.Params) radius.Bonus  { return wide{} }
func (wide) Factors(int) (pair, norm float64) { return 1, 1 }
func (wide) Mean(n int) float64               { return 1 / float64(n) }
func (wide) Term(n int) radius.Term           { return radius.Term{X: .8 / float64(n)} }
func (wide) Pair(i, j radius.Term) float64    { return i.X + j.X }
func (wide) Norm(n int) float64               { return math.NaN() } // not used
func (w wide) state(t *testing.T, p *explore.Problem, means ...[]float64) *State {
	t.Helper()
	var s State
	if err := s.Init(p, w, .1); err != nil {
		t.Fatal(err)
	}
	var obs []explore.Batch
	for i, m := range means { // ten rewards of the first arm, twenty of the second, ...
		b := explore.Batch{Pull: explore.Pull{Arm: i, N: 10 * (i + 1)}}
		for _, v := range m {
			b.Sum = append(b.Sum, v*float64(b.N))
		}
		obs = append(obs, b)
	}
	s.Tell(obs)
	return &s
}

var unknown = math.NaN()

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12) && got != want {
		t.Errorf("%s: %v; want %v", what, got, want)
	}
}

// The comparisons of two arms equal values computed by hand. The half-width is 0.8 (1/10 + 1/20) = 0.12 for the
// difference of arms 0 and 1, 0.1 for the mean of arm 0, and 0.05 for the mean of arm 1.
func TestComparisons(t *testing.T) {
	p := &explore.Problem{Arms: 2, Objectives: 2, Sigma: 1, Question: question.FeasiblePareto{
		Region: polyhedron.Whole(2), Tolerance: []float64{.3, .5}}}
	s := wide{}.state(t, p, []float64{1, 2}, []float64{1.5, 2.25})
	near(t, "0 spared by 1", s.Spared(0, 1), max(1-1.5+.3, 2-2.25+.5)-.12)
	near(t, "1 stands for 0", s.covers(0, 1, -1), min(1.5-1+.3, 2.25-2+.5)-.12)
	near(t, "0 stands for 1", s.covers(1, 0, -1), min(1-1.5+.3, 2-2.25+.5)-.12)
	near(t, "hope", s.hope(0, 1), 2-2.25+.12)
	m, half := s.behind(0, 1)
	near(t, "behind", m, .25)
	near(t, "half", half, .12)
	m, _ = s.ahead(0, 1)
	near(t, "ahead", m, -.25)
	// The second objective is twice as noisy; evidence is in units of the noise.
	p.Sigma, p.Sigmas = 2, []float64{1, 2}
	s = wide{}.state(t, p, []float64{1, 2}, []float64{1.5, 2.25})
	near(t, "0 spared by 1 by scales", s.Spared(0, 1), max((1-1.5+.3-.06)/.5, 2-2.25+.5-.12))
	near(t, "1 stands for 0 by scales", s.covers(0, 1, -1), min((1.5-1+.3-.06)/.5, 2.25-2+.5-.12))
	p.Sigmas = []float64{2, 1}
	_, half = wide{}.state(t, p, []float64{1, 2}, []float64{1.5, 2.25}).behind(0, 1)
	near(t, "the wider half", half, .12)
	// For a Pareto question, the tolerance is the smaller of Epsilon and Cover.
	p.Question = question.Pareto{Epsilon: .5, Cover: .3}
	s = wide{}.state(t, p, []float64{1, 2}, []float64{1.5, 2.25})
	near(t, "1 covers 0", s.covers(0, 1, -1), min(1.5-1+.3-.12, (2.25-2+.3-.06)/.5))
}

// Known values have half-width 0, and equal known values are ignored. If one arm has a known value, the
// half-width is that of the other arm.
func TestComparisonsKnown(t *testing.T) {
	p := &explore.Problem{Arms: 3, Objectives: 2, Sigma: 1,
		Question: question.FeasiblePareto{Region: polyhedron.Whole(2)},
		Known:    mat.NewDense(3, 2, []float64{unknown, 7, unknown, 7, unknown, 6})}
	// Reported sums of known values are ignored.
	s := wide{}.state(t, p, []float64{1, 0}, []float64{3, 99}, []float64{1, -9})
	near(t, "of equal prices", s.Spared(0, 1), 1-3-.12)
	near(t, "of equal prices, the other", s.Spared(1, 0), 3-1-.12)
	near(t, "the better stands for the other", s.covers(0, 1, -1), 3-1-.12)
	near(t, "the cheaper is not beaten", s.Spared(1, 2), max(3-1-.8*(1./20+1./30), 1))
	near(t, "the dearer does not stand for the cheaper", s.covers(0, 2, -1), math.Inf(-1))
	near(t, "the cheaper stands for the dearer", s.covers(2, 0, -1), -.8*(1./10+1./30))
	m, _ := s.behind(0, 1)
	near(t, "behind, the price is the same", m, 2)
	// Arm 1 is known in both objectives. The half-width for the difference is therefore 1/10, that of arm 0 alone,
	// whichever arm is first.
	p.Known.Set(1, 0, 3)
	s = wide{}.state(t, p, []float64{1, 0}, []float64{0, 0}, []float64{1, 0})
	near(t, "known against measured", s.Spared(1, 0), 3-1-.1)
	near(t, "measured against known", s.Spared(0, 1), 1-3-.1)
	// If all values are known and equal, neither arm beats the other, and each can replace the other.
	p.Known.Set(0, 0, 3)
	s = wide{}.state(t, p, []float64{0, 0}, []float64{0, 0}, []float64{1, 0})
	near(t, "copies", s.Spared(0, 1), math.Inf(1))
	near(t, "copies", s.covers(0, 1, -1), math.Inf(1))
}

// Stored half-widths equal half-widths recomputed from the current rewards, whichever arm is first.
func TestKeptHalves(t *testing.T) {
	var s State
	p := &explore.Problem{Arms: 2, Objectives: 1, Sigma: .5, Question: question.FeasiblePareto{Region: polyhedron.Whole(1)}}
	if err := s.Init(p, radius.Bernoulli{}, .1); err != nil {
		t.Fatal(err)
	}
	for n := range 6 {
		s.Tell([]explore.Batch{{Pull: explore.Pull{Arm: n % 2, N: 4}, Sum: []float64{1 + float64(n%3)}}})
		kept := [2]float64{s.half(0, 1, 0, 0), s.half(1, 0, 0, 0)}
		bare := s
		bare.apart = nil
		near(t, "of arms 0 and 1", kept[0], bare.half(0, 1, 0, 0))
		near(t, "of arms 1 and 0", kept[1], bare.half(1, 0, 0, 0))
	}
	// If one sum of an arm arrives without squares, the squares of this arm are unknown from then on.
	if s.Tell([]explore.Batch{{Pull: explore.Pull{N: 1}, Sum: []float64{1}}}); s.Squares([]float64{0}, 0) || !math.IsNaN(s.seen(0, 0).Spread) {
		t.Error("squares are known after a sum without squares")
	}
}

// The constraints are x <= 1 with slack 0.4, and x + y <= 4 with slack 0.3 in the unit of x + y.
func TestLocate(t *testing.T) {
	region, err := polyhedron.New(mat.NewDense(2, 2, []float64{1, 0, 1, 1}), []float64{1, 4}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &explore.Problem{Arms: 1, Objectives: 2, Sigma: 1, Question: question.FeasiblePareto{
		Region: region, Slack: []float64{.4, .3}}}
	for _, c := range []struct {
		what   string
		x, y   float64
		inside bool
		sure   float64
		facet  int
	}{
		{"inside", .2, 0, true, 1.2 - .1, 0},
		{"nearer to the inside of what is tolerated", 1.1, 0, true, .3 - .1, 0},
		{"nearer to the outside of what need not be", 1.3, 0, false, .3 - .1, 0},
		{"near the other constraint", 0, 3.9, true, (.4 - .2) / math.Sqrt2, 1},
		{"outside of the other constraint", 0, 6, false, (2 - .2) / math.Sqrt2, 1},
	} {
		s := wide{}.state(t, p, []float64{c.x, c.y})
		if s.Inside[0] != c.inside || s.facet[0] != c.facet {
			t.Errorf("%s: inside %v by constraint %d", c.what, s.Inside[0], s.facet[0])
		}
		near(t, c.what, s.Sure[0], c.sure)
	}
	// Known values are certain, also on the boundary.
	for _, c := range []struct {
		x      float64
		inside bool
	}{{1, true}, {1.4, true}, {1.5, false}} {
		p.Known = mat.NewDense(1, 2, []float64{c.x, unknown})
		s := wide{}.state(t, p, []float64{0, 0})
		if s.Inside[0] != c.inside || s.Sure[0] < 0 {
			t.Errorf("known to be %v: inside %v, evidence %v", c.x, s.Inside[0], s.Sure[0])
		}
		if !c.inside && len(s.Sweep(nil)) > 0 {
			t.Error("a certainly infeasible arm is measured")
		}
	}
}

// The rule agrees with its definition. The front updated from round to round agrees with a front computed from
// scratch, after batches of random arms in random order.
func TestRule(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	// With an upper bound on an objective, arms that dominate other arms may be outside the region.
	region, err := polyhedron.New(mat.NewDense(1, 2, []float64{1, 0}), []float64{.5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const k = 7
	p := &explore.Problem{Arms: k, Objectives: 2, Sigma: 1, Question: question.FeasiblePareto{
		Region: region, Tolerance: []float64{.2, 0}, Slack: []float64{.02}}}
	var s State
	if err := s.Init(p, wide{}, .1); err != nil {
		t.Fatal(err)
	}
	s.Tell(armstest.Batches(rnd, rnd.Perm(k), 2))
	outside := 0
	for range 500 {
		s.Tell(armstest.Batches(rnd, rnd.Perm(k)[:1+rnd.IntN(k)], 2))
		var fresh State
		if err := fresh.Init(p, wide{}, .1); err != nil {
			t.Fatal(err)
		}
		var all []explore.Batch
		for i := range k {
			all = append(all, explore.Batch{Pull: explore.Pull{Arm: i, N: s.N[i]}, Sum: slices.Clone(s.sum[i*2:][:2])})
		}
		fresh.Tell(all)
		if !slices.Equal(s.front, fresh.front) || !slices.Equal(s.Possible, fresh.Possible) {
			t.Fatalf("front %v, possible %v; from scratch %v, %v", s.front, s.Possible, fresh.front, fresh.Possible)
		}
		open := -1
		for i := range k {
			if s.evidence(i) < 0 {
				open = i
			}
		}
		if b := s.Check(); b < 0 != (open < 0) || b >= 0 && s.evidence(b) >= 0 {
			t.Fatalf("arm %d is next, %d is not certain", b, open)
		}
		for i := range k {
			if o := s.isMember[i]; o != slices.Contains(s.front, i) || o && !s.Inside[i] {
				t.Fatalf("arm %d of front %v", i, s.front)
			}
			if s.isMember[i] && s.evidence(i) > s.Sure[i] {
				t.Fatalf("arm %d of the front is certain by %v, feasible by %v", i, s.evidence(i), s.Sure[i])
			}
			if !s.Inside[i] {
				outside++
			}
		}
	}
	if outside < 500 || outside > 500*(k-1) {
		t.Errorf("arms are outside in %d of %d cases; want both", outside, 500*k)
	}
}

// Functions that stop early give the same results as comparisons with all arms. The means are random, with and without
// tolerances in the question.
func TestShortcuts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	region, err := polyhedron.New(mat.NewDense(1, 2, []float64{1, 0}), []float64{.8}, nil)
	if err != nil {
		t.Fatal(err)
	}
	leaders := 0
	for rep := range 200 {
		q := question.FeasiblePareto{Region: region, Tolerance: []float64{.02, 0}}
		if rep%2 == 0 {
			q = question.FeasiblePareto{Region: region, Slack: []float64{.1}}
		}
		means := make([][]float64, 8)
		for i := range means {
			means[i] = []float64{rnd.Float64(), rnd.Float64()}
		}
		s := wide{}.state(t, &explore.Problem{Arms: 8, Objectives: 2, Sigma: 1, Question: q}, means...)
		merit := func(i int) float64 {
			least := inf
			for _, j := range s.Possible {
				if j != i {
					least = min(least, s.Spared(i, j))
				}
			}
			return least
		}
		worst, arm := [2]float64{}, [2]int{-1, -1} // first for arms outside O, then for members of O
		leader, most := -1, -inf
		for i := range s.K {
			good := -inf
			if s.Inside[i] {
				good = min(s.Sure[i], merit(i))
			}
			e, of := good, 1
			if !s.isMember[i] {
				of = 0
				if _, e = s.cover(i); s.tolerates {
					e = max(e, good)
				}
				if !s.Inside[i] {
					e = max(e, s.Sure[i])
				}
			}
			near(t, "evidence", s.evidence(i), e)
			if e < worst[of] {
				worst[of], arm[of] = e, i
			}
			if !slices.Contains(s.Possible, i) || merit(i) >= 0 {
				continue
			}
			hope := inf
			for _, j := range s.Possible {
				if j != i {
					hope = min(hope, s.hope(i, j))
				}
			}
			if hope > most {
				leader, most = i, hope
			}
		}
		if arm[0] < 0 {
			arm[0] = arm[1]
		}
		if got := s.Check(); got != arm[0] {
			t.Errorf("the arm to check is %d; want %d", got, arm[0])
		}
		if got := s.Leader(); got != leader {
			t.Errorf("%d leads; want %d", got, leader)
		}
		if leader >= 0 {
			leaders++
		}
	}
	if leaders < 100 {
		t.Errorf("%d of 200 have a leader", leaders)
	}
}

// A State accepts a BestFeasible question only if the answer is one item, and exactly one objective has a nonzero
// weight, which must be positive. The known values of this objective must be distinct: if two arms had the same known
// value, either of the two could be the answer. Unknown values, and equal values in other objectives, are allowed.
func TestBestByOne(t *testing.T) {
	for _, x := range []struct {
		weights []float64
		count   int
		known   []float64 // values of the three arms in objective 0, then in objective 1
		takes   bool
	}{
		{[]float64{1, 0}, 0, nil, true}, {[]float64{0, 3}, 1, nil, true},
		{[]float64{1, 0}, 2, nil, false}, {[]float64{1, 0}, 3, nil, false},
		{[]float64{-1, 0}, 1, nil, false}, {[]float64{1, 1}, 1, nil, false}, {[]float64{1, -1}, 1, nil, false}, {nil, 1, nil, false},
		{[]float64{1, 0}, 1, []float64{1, 2, 3, unknown, unknown, unknown}, true},
		{[]float64{1, 0}, 1, []float64{1, 2, 1, unknown, unknown, unknown}, false},
		{[]float64{1, 0}, 1, []float64{unknown, 2, 2, unknown, unknown, unknown}, false},
		{[]float64{1, 0}, 1, []float64{unknown, 2, unknown, 5, 5, 5}, true},
		{[]float64{0, 1}, 1, []float64{unknown, unknown, unknown, 4, 5, 4}, false},
	} {
		p := &explore.Problem{Arms: 3, Objectives: 2, Sigma: 1, Question: question.BestFeasible{Region: polyhedron.Whole(2),
			Weights: x.weights, Count: x.count}}
		if x.known != nil {
			p.Known = mat.DenseCopyOf(mat.NewDense(2, 3, x.known).T())
		}
		var s State
		if err := s.Init(p, wide{}, .1); (err == nil) != x.takes || err != nil && !errors.Is(err, explore.ErrQuestion) {
			t.Errorf("weights %v, %d asked for, known %v: %v; want it accepted: %v", x.weights, x.count, x.known, err, x.takes)
		}
	}
}
