package betting

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// The noise of a combination of objectives has the scale for perfectly correlated objectives, unless the problem
// declares a smaller scale of projections.
func TestNoise(t *testing.T) {
	for _, c := range []struct {
		prob   explore.Problem
		lambda []float64
		want   float64
	}{
		{explore.Problem{Arms: 2, Objectives: 2, Sigma: 1}, []float64{1, 1}, 4},
		{explore.Problem{Arms: 2, Objectives: 2, Sigma: 1}, []float64{1, -1}, 4},
		{explore.Problem{Arms: 2, Objectives: 2, Sigma: 2}, []float64{0, .5}, 1},
		{explore.Problem{Arms: 2, Objectives: 2, Sigma: 1, NormSigma: 1}, []float64{1, 1}, 2},
		{explore.Problem{Arms: 2, Objectives: 2, Sigma: 3, Sigmas: []float64{3, 1}}, []float64{1, 2}, 25},
	} {
		e := Engine{prob: &c.prob, Exact: [][]float64{nil, nil, {7, 8}}}
		// Known values have no noise.
		for _, lambda := range [][]float64{c.lambda, append(c.lambda, 5)} {
			if got := e.Noise(lambda); math.Abs(got-c.want) > 1e-12 {
				t.Errorf("%+v, %v: %v; want %v", c.prob, lambda, got, c.want)
			}
		}
	}
}

// When a run ends, the capital at that time proves each stated claim with respect to each rival, even if other claims
// were stated and proved earlier. In half of the runs, the means change, so that bets on proved claims lose.
func TestWhatEndsIsProved(t *testing.T) {
	region, err := polyhedron.AtLeast([]float64{.3, .3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(7, 1))
	pair := func(u *duels, i, j int) []Group { return []Group{{At: u.first(i, j), N: 1}} }
	for name, d := range map[string]int{"near": 1, "front": 2, "feasible": 2, "lenient": 2, "slack": 2, "best": 2} {
		ends, turns := 0, 0
		for run := range 150 {
			const n = 6
			prob := &explore.Problem{Arms: n, Objectives: d, Sigma: .5}
			mean := make([]float64, n*d)
			for i := range mean {
				mean[i] = rnd.Float64()
			}
			near, front := &Near{Factor: 1, Offset: .2}, &Front{}
			feasible := &Feasible{Region: region}
			switch name {
			case "lenient":
				feasible.Tolerance, feasible.Slack = []float64{.1, .05}, []float64{.05, .1}
			case "slack":
				feasible.Slack = []float64{.05, .1}
			}
			best := &Best{Region: region, Weights: []float64{1, .5}, Count: 2}
			rules := map[string]Rules{"near": near, "front": front, "feasible": feasible, "lenient": feasible, "slack": feasible,
				"best": best}[name]
			var e Engine
			if err := e.Init(prob, rules, .1, nil); err != nil {
				t.Fatal(err)
			}
			var before []Stated
			for pulls, turned := 0, run%2 == 0; !e.Over && pulls < 6000; {
				if !turned && pulls > 100 {
					turned = true
					for i := range mean {
						mean[i] = rnd.Float64()
					}
				}
				asked, err := e.Ask(nil)
				if err != nil {
					t.Fatal(err)
				}
				obs := make([]explore.Batch, len(asked))
				for k, p := range asked {
					obs[k] = explore.Batch{Pull: p, Sum: make([]float64, d)}
					for c := range d {
						obs[k].Sum[c] = float64(p.N)*mean[p.Arm*d+c] + .5*math.Sqrt(float64(p.N))*rnd.NormFloat64()
					}
					pulls += p.N
				}
				if err := e.Tell(obs); err != nil {
					t.Fatal(err)
				}
				if before != nil && !slices.Equal(before, e.stated) {
					turns++
				}
				before = append(before[:0], e.stated...)
				for i := 0; i < n && name == "near" && !e.Over; i++ { // the coefficients of a blend are proportions
					if blend, ok := near.blend(&e, i, &e.pooled); ok {
						sum := 0.
						for _, x := range blend.Coef[1:blend.N] {
							sum += x
						}
						if math.Abs(sum-1) > 1e-12 || blend.Coef[0] != -1 {
							t.Fatalf("the blend %v beside item %d: proportions sum to %v", blend.Coef[:blend.N], i, sum)
						}
					}
				}
				for i := range n {
					if name == "best" && !e.Over && best.Out(&e, i) && !best.certain[i] {
						t.Fatalf("best: item %d is out before the end, but its claim depends on other items", i)
					}
				}
			}
			if !e.Over {
				continue
			}
			ends++
			for i := range n {
				// own lists the groups of the stated claim, beside lists the groups of its claims by rival, and sure
				// reports whether the claim was proved earlier, independently of other items.
				var own []Group
				var beside [][]Group
				sure := false
				s := e.stated[i]
				switch name {
				case "near":
					if sure = near.Dropped[i] && !slices.Contains(near.active, i); s.Of == isBad {
						own = []Group{{At: i, N: 1}}
					}
					for j := range n {
						beside = append(beside, []Group{{At: n + i*n + j, N: 1}})
					}
				case "front":
					if sure = front.Dropped[i] && !slices.Contains(front.active, i); s.Of == isBehind {
						own = front.duels.against(i, -1)
					}
					for j := range n {
						beside = append(beside, pair(&front.duels, i, j))
					}
				case "best":
					switch sure = best.certain[i]; s.Of {
					case notInside:
						own = []Group{{At: best.outside(i), N: 1}}
					case accepted:
						for r := range best.rows {
							if !e.Accounts.Proved(inAnswer(i, -1), e.Log, Group{At: best.inside(i, r), N: 1}) {
								t.Fatalf("best: that item %d is inside of row %d is not proved", i, r)
							}
						}
					}
					for k := range n {
						beside = append(beside, []Group{{At: best.pair(i, k), N: 1}})
					}
				default:
					if name != "feasible" && s.Of != infeasible && !s.Rival {
						t.Fatalf("%s: item %d is neither stated to be outside nor a rival", name, i)
					}
					sure = feasible.certain[i]
					switch s.Of {
					case dominated:
						own = feasible.duels.against(i, feasible.by[i])
					case infeasible:
						own = []Group{{At: feasible.outside(i), N: 1}}
					case accepted:
						for r := range feasible.rows {
							if !e.Accounts.Proved(feasible.claim(i, accepted), e.Log, Group{At: feasible.inside(i, r), N: 1}) {
								t.Fatalf("%s: that item %d is inside of row %d is not proved", name, i, r)
							}
						}
					}
					for j := range n {
						beside = append(beside, pair(&feasible.duels, i, j))
					}
				}
				if own != nil && !sure && !e.Accounts.Proved(Claim{Item: i, Of: s.Of, Beside: s.Beside}, e.Log, own...) {
					t.Fatalf("%s: the stated claim %v about item %d is not proved", name, s, i)
				}
				for j := range n {
					if s.Of == 0 && j != i && e.stated[j].Rival &&
						!e.Accounts.Proved(Claim{Item: i, Beside: j}, e.Log, beside[j]...) {
						t.Fatalf("%s: item %d is not proved to be ahead of %d", name, i, j)
					}
				}
			}
		}
		if ends < 40 || turns < 50 {
			t.Errorf("%s: %d runs ended, and statements changed %d times; want more", name, ends, turns)
		}
	}
}

// The variance of a difference is infinite if the measured arms do not determine the difference.
func TestVarianceOfWhatIsNotMeasured(t *testing.T) {
	var e Engine
	prob := &explore.Problem{X: mat.NewDense(4, 2, []float64{1, 0, 2, 0, 0, 1, 1, 1}), Sigma: 1}
	if err := e.Init(prob, &Near{Factor: 1}, .1, nil); err != nil {
		t.Fatal(err)
	}
	r := &e.own
	r.reset()
	r.add(0, 4, []float64{8})
	r.solve()
	for _, x := range []struct {
		i, j int
		want float64
	}{{0, 1, 1. / 4}, {0, 2, math.Inf(1)}, {3, 2, 1. / 4}, {1, 3, math.Inf(1)}} {
		c := Sum(1, x.i, -1, x.j)
		if got := r.variance(&c); got != x.want && !(math.Abs(got-x.want) < 1e-9) || r.pair(1, x.i, -1, x.j) != got {
			t.Errorf("items %d and %d, with arm 0 measured four times: variance %v, %v; want %v", x.i, x.j, got, r.pair(1, x.i, -1, x.j), x.want)
		}
	}
}
