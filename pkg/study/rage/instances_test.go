package rage

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/question"
)

// check checks the properties of all instances: they are valid, means follow from theta, the best item has the given
// name, and its gap to the second-best item is gap.
func check(t *testing.T, inst *bandit.Instance, err error, k, m, h int, best string, gap float64) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	p, theta := inst.Problem, parameter(inst)
	if err := inst.Validate(); err != nil {
		t.Error(err)
	}
	if _, c := p.X.Dims(); p.K() != k || p.M() != m || c != h || len(theta) != h || p.Question != (question.Best{}) {
		t.Errorf("%s: %d arms, %d items, %d features, %d parameters, %v; want %d, %d, %d, and "+
			"the best item", inst.Name, p.K(), p.M(), c, len(theta), p.Question, k, m, h)
	}
	z := p.Z
	if z == nil {
		z = p.X
	}
	for _, c := range []struct{ mu, x *mat.Dense }{{inst.Means(), p.X}, {inst.Truth(), z}} {
		var want mat.VecDense
		want.MulVec(c.x, mat.NewVecDense(h, theta))
		if !mat.EqualApprox(c.mu, &want, 1e-14) {
			t.Errorf("%s: means differ from x'theta", inst.Name)
		}
	}
	mu := mat.Col(nil, 0, inst.Truth())
	order := slices.Clone(mu)
	slices.Sort(order)
	i := slices.Index(mu, order[m-1])
	if p.Item(i) != best {
		t.Errorf("%s: the best item is %s; want %s", inst.Name, p.Item(i), best)
	}
	if lead := order[m-1] - order[m-2]; !(math.Abs(lead-gap) <= 1e-14) && !math.IsNaN(gap) {
		t.Errorf("%s: the best item leads by %v; want %v", inst.Name, lead, gap)
	}
	seen := map[string]bool{}
	for i := range k {
		if seen[p.Arm(i)] {
			t.Errorf("%s: two arms are %s", inst.Name, p.Arm(i))
		}
		seen[p.Arm(i)] = true
	}
}

// parameter returns the parameter vector theta of an instance.
func parameter(inst *bandit.Instance) []float64 { return mat.Col(nil, 0, inst.Theta) }

// same checks that a draw is reproducible, and that another draw differs.
func same(t *testing.T, draw func(draw int) (*bandit.Instance, error)) {
	t.Helper()
	a, _ := draw(3)
	if _, err := draw(0); err != nil { // another draw in between has no effect
		t.Fatal(err)
	}
	b, _ := draw(3)
	c, _ := draw(4)
	if a.Name != b.Name || !strings.HasSuffix(a.Name, " #3") ||
		!mat.Equal(a.Problem.X, b.Problem.X) || !mat.Equal(a.Means(), b.Means()) {
		t.Errorf("%s and %s: the same draw is not the same instance", a.Name, b.Name)
	}
	if mat.Equal(a.Means(), c.Means()) {
		t.Errorf("%s and %s are the same", a.Name, c.Name)
	}
}

// The arm x' is at the given angle from e1. By hand, its gap is 2 - 2 cos(angle).
func TestBenchmark(t *testing.T) {
	for _, d := range []int{2, 5, 35} {
		inst, err := BenchmarkInstance(d, .01)
		check(t, inst, err, d+1, d+1, d, "e1", 2*(1-math.Cos(.01)))
		if want := fmt.Sprintf("benchmark d=%d", d); inst.Name != want || inst.Problem.Arm(d) != "x'" {
			t.Errorf("%q, last arm %q", inst.Name, inst.Problem.Arm(d))
		}
		if got := inst.Problem.X.RawRowView(d)[:2]; got[0] != math.Cos(.01) || got[1] != math.Sin(.01) {
			t.Errorf("x' = %v", got)
		}
	}
	if inst, _ := BenchmarkInstance(5, .1); inst.Name != "benchmark (0.1) d=5" {
		t.Errorf("%q: another angle has the same name", inst.Name)
	}
}

// The 20,000 random angles have mean pi/4 + c.mean and standard deviation c.sd. For n angles, the standard error is
// c.sd/sqrt(n) for the sample mean, and at most c.sd/sqrt(2n) for the sample standard deviation. A test at 4.9
// standard errors has a false alarm rate of 1e-6.
func TestManyArms(t *testing.T) {
	const n = 20_002
	for _, c := range []struct {
		name           string
		inst           func(n, draw int) (*bandit.Instance, error)
		mean, sd       float64
		least, largest float64 // smallest and largest possible angle
	}{
		{"uniform", ManyArmsInstance, .05, .1 / math.Sqrt(12), 0, .1},
		{"variance 0.09", normal(.3), 0, .3, math.Inf(-1), math.Inf(1)},
		{"deviation 0.09", normal(.09), 0, .09, math.Inf(-1), math.Inf(1)},
	} {
		inst, err := c.inst(n, 0)
		check(t, inst, err, n, n, 2, "e1", math.NaN())
		x := inst.Problem.X
		if !slices.Equal(x.RawRowView(0), []float64{1, 0}) || math.Abs(x.At(1, 0)+math.Sqrt(.5)) > 1e-15 ||
			math.Abs(x.At(1, 1)-math.Sqrt(.5)) > 1e-15 {
			t.Errorf("%s: the first arms are %v and %v", c.name, x.RawRowView(0), x.RawRowView(1))
		}
		var s, s2 float64
		for i := 2; i < n; i++ {
			a, b := x.At(i, 0), x.At(i, 1)
			if math.Abs(math.Hypot(a, b)-1) > 1e-15 {
				t.Fatalf("%s: arm %d has length %v", c.name, i, math.Hypot(a, b))
			}
			phi := math.Atan2(b, a) - math.Pi/4
			s, s2 = s+phi, s2+phi*phi
			if phi < c.least-1e-15 || phi > c.largest+1e-15 {
				t.Fatalf("%s: arm %d has angle %v above 45 degrees", c.name, i, phi)
			}
		}
		mean := s / (n - 2)
		got := math.Sqrt(s2/(n-2) - mean*mean)
		if math.Abs(mean-c.mean) > 4.9*c.sd/math.Sqrt(n) || math.Abs(got-c.sd) > 4.9*c.sd/math.Sqrt(2*n) {
			t.Errorf("%s: angles above 45 degrees have mean %v and standard deviation %v; want %v and %v",
				c.name, mean, got, c.mean, c.sd)
		}
		one, err := c.inst(3, 1)
		check(t, one, err, 3, 3, 2, "e1", 1-one.Means().At(2, 0))
		same(t, func(draw int) (*bandit.Instance, error) { return c.inst(20, draw) })
	}
	for _, inst := range []func(n, draw int) (*bandit.Instance, error){ManyArmsInstance, normal(.3)} {
		if a, _ := inst(20, 3); a.Name != "many arms n=20 #3" {
			t.Errorf("%q", a.Name)
		}
	}
}

// normal returns a function that makes many-arms instances whose angles are normal with standard deviation sd.
func normal(sd float64) func(n, draw int) (*bandit.Instance, error) {
	return func(n, draw int) (*bandit.Instance, error) { return ManyArmsNormalInstance(n, sd, draw) }
}

func TestSphere(t *testing.T) {
	const n, d = 200, 9
	inst, err := SphereInstance(n, d, 0)
	if err != nil {
		t.Fatal(err)
	}
	x := inst.Problem.X
	at, near := [2]int{}, math.Inf(1)
	var mean [d]float64
	for i := range n {
		for c, v := range x.RawRowView(i) {
			mean[c] += v / n
		}
		if v := mat.Norm(x.RowView(i), 2); math.Abs(v-1) > 1e-14 {
			t.Errorf("arm %d has length %v", i, v)
		}
		for j := i + 1; j < n; j++ { // find the pair of arms with the smallest distance
			var y mat.VecDense
			y.SubVec(x.RowView(i), x.RowView(j))
			if v := mat.Norm(&y, 2); v < near {
				at, near = [2]int{i, j}, v
			}
		}
	}
	// Because |x|^2 = 1, the gap 1 - x'x* is |x - x*|^2 / 2, which is smallest for the closest pair.
	check(t, inst, err, n, n, d, inst.Problem.Arm(at[0]), near*near/2)
	if !slices.Equal(parameter(inst), x.RawRowView(at[0])) {
		t.Error("theta is not the first arm of the closest pair")
	}
	// Each coordinate has variance 1/d. A test of 9 coordinates at 4.9 standard errors has a false alarm rate of 1e-5.
	for c, v := range mean {
		if math.Abs(v) > 4.9/math.Sqrt(n*d) {
			t.Errorf("coordinate %d has mean %v; want 0", c, v)
		}
	}
	same(t, func(draw int) (*bandit.Instance, error) { return SphereInstance(20, d, draw) })
	if a, _ := SphereInstance(20, 9, 3); a.Name != "sphere n=20 #3" {
		t.Errorf("%q", a.Name)
	}
}

// The gap of the item cos(angle) e_1 + sin(angle) e_{1+d/2} is 1 - cos(angle), computed by hand.
func TestTransductive(t *testing.T) {
	for _, d := range []int{2, 10, 80} {
		inst, err := TransductiveInstance(d, .1)
		check(t, inst, err, d, d, d, "e1", 1-math.Cos(.1))
		if inst.Name != fmt.Sprintf("transductive d=%d", d) {
			t.Errorf("%q", inst.Name)
		}
	}
	inst, _ := TransductiveInstance(4, .1)
	c, s := math.Cos(.1), math.Sin(.1)
	want := mat.NewDense(4, 4, []float64{1, 0, 0, 0, 0, 1, 0, 0, c, 0, s, 0, 0, c, 0, s})
	if !mat.Equal(inst.Problem.Z, want) {
		t.Errorf("items\n%v\nwant\n%v", mat.Formatted(inst.Problem.Z), mat.Formatted(want))
	}
	if inst.Problem.Item(2) != "z3" || inst.Problem.Arm(2) != "e3" {
		t.Errorf("item %q, arm %q", inst.Problem.Item(2), inst.Problem.Arm(2))
	}
}

func TestMultivariate(t *testing.T) {
	const D = 4
	inst, err := MultivariateInstance(D, 0)
	if err != nil {
		t.Fatal(err)
	}
	// The test computes the mean reward by the formula of the paper, from the name of the arm.
	theta := parameter(inst)
	best, most, next := "", math.Inf(-1), math.Inf(-1)
	mu := inst.Means()
	for i := range 1 << D {
		name := inst.Problem.Arm(i)
		w := func(j int) float64 { return map[byte]float64{'+': 1, '-': -1}[name[j]] }
		v := theta[0]
		c := 1 + D
		for j := range D {
			v += theta[1+j] * w(j)
		}
		for k := range D {
			for l := k + 1; l < D; l++ {
				v += theta[c] * w(k) * w(l)
				c++
			}
		}
		if math.Abs(mu.At(i, 0)-v) > 1e-14 {
			t.Errorf("%s: mean %v; want %v", name, mu.At(i, 0), v)
		}
		if v > most {
			best, most, next = name, v, most
		} else {
			next = max(next, v)
		}
	}
	check(t, inst, err, 16, 16, 11, best, most-next)
	if inst.Problem.Arm(0) != "++++" || inst.Problem.Arm(5) != "+-+-" || inst.Name != "multivariate D=4 #0" {
		t.Errorf("%q: arm 0 is %q, arm 5 is %q", inst.Name, inst.Problem.Arm(0), inst.Problem.Arm(5))
	}
	same(t, func(draw int) (*bandit.Instance, error) { return MultivariateInstance(D, draw) })

	// Weights take all values of the paper's grid, and the best layout is unique.
	seen := map[int]int{}
	redrawn := 0
	for draw := range 300 {
		inst, err := MultivariateInstance(3, draw)
		if err != nil {
			t.Fatal(err)
		}
		for c, v := range parameter(inst) {
			step := .01
			if c > 3 {
				step *= .5
			}
			n := math.Round(v / step)
			if math.Abs(v-n*step) > 1e-15 || math.Abs(n) > 30 {
				t.Fatalf("draw %d: weight %d is %v", draw, c, v)
			}
			seen[int(n)]++
		}
		mu := mat.Col(nil, 0, inst.Means())
		slices.Sort(mu)
		if mu[7]-mu[6] < .005 { // half a step of the grid of means
			t.Errorf("draw %d: the best arm leads by %v", draw, mu[7]-mu[6])
		}
		for _, n := range inst.Notes {
			if strings.Contains(n, "redrawn") {
				redrawn++
			}
		}
	}
	// The probability that a given one of the 61 values does not occur among 2100 weights is 8e-16.
	if len(seen) != 61 {
		t.Errorf("%d weights occur; want 61, from -0.30 to 0.30", len(seen))
	}
	if redrawn == 0 {
		t.Error("no draw was repeated: ties for the best were not among the cases")
	}
}
