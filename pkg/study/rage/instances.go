package rage

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study"
)

// BenchmarkInstance returns the benchmark example (paper, section 5; after Soare, Lazaric and
// Munos, NeurIPS 2014). The arms are e_1, ..., e_d and x' = cos(angle) e_1 + sin(angle) e_2; theta
// = 2 e_1. The angle in the paper is 0.01 radians. The best arm is e_1; the gap of x' is 2 (1 -
// cos(angle)).
//
// If d is below 2, or the angle (in radians) is not in (0, pi/2), BenchmarkInstance returns an
// error.
func BenchmarkInstance(d int, angle float64) (*bandit.Instance, error) {
	if d < 2 {
		return nil, fmt.Errorf("rage: benchmark: dimension %d; expected at least 2", d)
	}
	if err := checkAngle("benchmark", angle); err != nil {
		return nil, err
	}
	x := study.Basis(d+1, d)
	x.Set(d, 0, math.Cos(angle))
	x.Set(d, 1, math.Sin(angle))
	theta := make([]float64, d)
	theta[0] = 2
	return linearInstance(sized("benchmark", "d", d, angle != .01, angle), &explore.Problem{
		X: x, ArmNames: append(basisNames(d), "x'"),
	}, theta)
}

// ManyArmsInstance returns the example "many arms with moderate gaps" (paper, section 5) with the
// angles of the released code. The arms are e_1, the direction at 135 degrees, and n - 2 directions
// at angles pi/4 + phi, with phi uniform in [0, 0.1] radians; theta = e_1. The gaps are between
// 0.29 and 0.37, which agrees with the "expected gap of about .3" in the paper.
// [ManyArmsNormalInstance] uses the printed N(0, .09).
//
// If there are fewer than 3 arms, ManyArmsInstance returns an error.
func ManyArmsInstance(n, draw int) (*bandit.Instance, error) {
	if err := checkManyArms(n); err != nil {
		return nil, err
	}
	rnd := stream("many arms uniform", n, draw)
	return plane(drawn(sized("many arms", "n", n, false, 0), draw), n,
		func() float64 { return .1 * rnd.Float64() },
		"angles are drawn uniformly between pi/4 and pi/4 + 0.1 radians, as in the released code; the paper states "+
			"N(0, 0.09)")
}

// ManyArmsNormalInstance returns the same example as ManyArmsInstance with phi ~ N(0, sd^2). The
// paper writes N(0, .09), which corresponds to a standard deviation of 0.3 radians. Instances with
// the same n and draw differ only in the scale of phi.
//
// If n is below 3, or sd is not positive and finite, ManyArmsNormalInstance returns an error.
func ManyArmsNormalInstance(n int, sd float64, draw int) (*bandit.Instance, error) {
	if !(sd > 0) || math.IsInf(sd, 1) {
		return nil, fmt.Errorf("rage: many arms: the angles have standard deviation %v; expected a positive number "+
			"of radians", sd)
	}
	if err := checkManyArms(n); err != nil {
		return nil, err
	}
	rnd := stream("many arms", n, draw)
	return plane(drawn(sized("many arms", "n", n, sd != .3, sd), draw), n,
		func() float64 { return sd * rnd.NormFloat64() },
		fmt.Sprintf("angles are drawn with standard deviation %v around 45 degrees; the paper states N(0, 0.09), a "+
			"variance of 0.09", sd))
}

func checkManyArms(n int) error {
	if n < 3 {
		return fmt.Errorf("rage: many arms: %d arms; expected at least 3", n)
	}
	return nil
}

// plane returns an instance with many arms in the plane, at angles pi/4 + phi.
func plane(name string, n int, phi func() float64, notes ...string) (*bandit.Instance, error) {
	x := mat.NewDense(n, 2, nil)
	names := make([]string, n)
	x.SetRow(0, []float64{1, 0})
	names[0], names[1] = "e1", "135°"
	for i := 1; i < n; i++ {
		angle := 3 * math.Pi / 4
		if i > 1 {
			angle = math.Pi/4 + phi()
			names[i] = "x" + strconv.Itoa(i+1)
		}
		x.SetRow(i, []float64{math.Cos(angle), math.Sin(angle)})
	}
	return linearInstance(name, &explore.Problem{X: x, ArmNames: names}, []float64{1, 0}, notes...)
}

// SphereInstance returns an instance with n arms drawn uniformly on the unit sphere of R^d; theta
// is one arm of the closest pair (paper, section 5; after Tao, Blanco and Zhou, ICML 2018). The
// paper uses d = 9.
//
// If n or d is below 2, SphereInstance returns an error.
func SphereInstance(n, d, draw int) (*bandit.Instance, error) {
	if n < 2 || d < 2 {
		return nil, fmt.Errorf("rage: sphere: %d arms in dimension %d; expected at least 2 arms and dimension 2", n, d)
	}
	// The name of the random stream contains d only if d is not 9, so that the paper's instances
	// depend only on n and the draw.
	rnd := stream("sphere", n, draw)
	name := sized("sphere", "n", n, false, 0)
	if d != 9 {
		rnd = rand.New(seed.New(1).Child("rage", "sphere", n, draw).Child("d", d).Source())
		name = fmt.Sprintf("sphere d=%d n=%d", d, n)
	}
	x := study.OnSphere(rnd, n, d)
	i, j := closest(x)
	theta := mat.Row(nil, i, x)
	names := study.Numbered("x", n)
	return linearInstance(drawn(name, draw), &explore.Problem{X: x, ArmNames: names}, theta,
		fmt.Sprintf("theta is the first arm of the closest pair, %s and %s; the paper does not state which "+
			"arm", names[i], names[j]))
}

// closest returns the two rows of x with the largest inner product; all rows have unit length. If
// several pairs are tied, closest returns the first pair in ascending order.
func closest(x *mat.Dense) (at, to int) {
	n, _ := x.Dims()
	most := math.Inf(-1)
	for i := range n {
		u := x.RawRowView(i)
		for j := i + 1; j < n; j++ {
			if dot := floats.Dot(u, x.RawRowView(j)); dot > most {
				at, to, most = i, j, dot
			}
		}
	}
	return at, to
}

// TransductiveInstance returns the transductive example (paper, section 5). The arms are e_1, ...,
// e_d. The items are z_j = e_j and z_{d/2+j} = cos(angle) e_j + sin(angle) e_{j+d/2} for j = 1,
// ..., d/2; theta = e_1. The angle in the paper is 0.1 radians. The best item is e_1; the gap of
// z_{d/2+1} is 1 - cos(angle).
//
// TransductiveInstance returns an error if d is odd or below 2, or if the angle (in radians)
// is not in (0, pi/2).
func TransductiveInstance(d int, angle float64) (*bandit.Instance, error) {
	if d < 2 || d%2 != 0 {
		return nil, fmt.Errorf("rage: transductive: dimension %d; expected an even number, at least 2", d)
	}
	if err := checkAngle("transductive", angle); err != nil {
		return nil, err
	}
	h := d / 2
	z, items := study.Basis(d, d), basisNames(d)
	for j := range h {
		z.Set(h+j, h+j, math.Sin(angle))
		z.Set(h+j, j, math.Cos(angle))
		items[h+j] = fmt.Sprintf("z%d", h+j+1)
	}
	theta := make([]float64, d)
	theta[0] = 1
	return linearInstance(sized("transductive", "d", d, angle != .1, angle), &explore.Problem{
		X: study.Basis(d, d), Z: z, ArmNames: basisNames(d), ItemNames: items,
	}, theta)
}

// PropositionInstance returns the instance of the proof of Proposition 1 (paper, appendix D). The
// arms, which are also the items, are e_1, ..., e_{d/2} and cos(angle) e_j + sin(angle) e_{j+d/2}
// for j = 1, ..., d/2; theta = e_1. In the proof, each other arm is also used as theta.
//
// PropositionInstance returns an error if d is odd or below 2, or if the angle (in radians)
// is not in (0, pi/2).
func PropositionInstance(d int, angle float64) (*bandit.Instance, error) {
	inst, err := TransductiveInstance(d, angle)
	if err != nil {
		return nil, err
	}
	p := inst.Problem
	return linearInstance(sized("proposition 1", "d", d, true, angle),
		&explore.Problem{X: p.Z, ArmNames: p.ItemNames}, mat.Col(nil, 0, inst.Theta))
}

// The following constants are the strengths of interactions in multivariate testing (paper, section
// 5).
const (
	alpha1 = 1
	alpha2 = .5
)

// MultivariateInstance returns the multivariate testing example (paper, section 5): D slots with
// two contents each, and one arm for each of the 2^D layouts w in {-1, 1}^D. Features are 1, w_j in
// order of j, and w_k w_l in order of k < l. theta is (theta_0, alpha_1 theta_j, alpha_2 theta_kl)
// with alpha_1 = 1, alpha_2 = 0.5 and weights theta drawn uniformly from -0.30, -0.29, ..., 0.30.
// The names of arms are the contents of their slots, such as "+-+-".
//
// If the best layout is not unique, the weights are drawn again; the notes of the instance state
// how often. MultivariateInstance returns an error if D is not between 1 and 16.
func MultivariateInstance(D, draw int) (*bandit.Instance, error) {
	if D < 1 || D > 16 {
		return nil, fmt.Errorf("rage: multivariate: %d slots; expected 1 to 16 (n slots have 2^n arms)", D)
	}
	rnd := stream("multivariate", D, draw)
	k, h := 1<<D, 1+D+D*(D-1)/2
	x := mat.NewDense(k, h, nil)
	names := make([]string, k)
	for i := range k {
		var b strings.Builder
		row := x.RawRowView(i)
		row[0] = 1
		for j := range D {
			row[1+j] = 1
			if i>>(D-1-j)&1 == 1 {
				row[1+j] = -1
			}
			b.WriteByte("-?+"[int(row[1+j])+1])
		}
		c := 1 + D
		for a := range D {
			for l := a + 1; l < D; l++ {
				row[c] = row[1+a] * row[1+l]
				c++
			}
		}
		names[i] = b.String()
	}
	// Weights are multiples of 0.01, and weights of interactions are halved. Therefore, in units of
	// 0.005, all numbers are whole and ties are exact.
	const unit = .005
	whole := make([]float64, h)
	again := 0
	for {
		for c := range whole {
			whole[c] = float64(rnd.IntN(61) - 30)
			if strength := alpha1 / unit * .01; c <= D {
				whole[c] *= strength
			} else {
				whole[c] *= strength * alpha2 / alpha1
			}
		}
		if uniqueBest(x, whole) {
			break
		}
		again++
	}
	theta := make([]float64, h)
	for c, v := range whole {
		theta[c] = v / 200 // dividing only once avoids rounding twice
	}
	notes := []string{
		"alpha_1 = 1 and alpha_2 = 0.5 are factors of the parameter, not of the features",
	}
	if again > 0 {
		notes = append(notes, fmt.Sprintf(
			"the weights were redrawn %d times, because the best layout was not unique", again))
	}
	return linearInstance(drawn(sized("multivariate", "D", D, false, 0), draw),
		&explore.Problem{X: x, ArmNames: names}, theta, notes...)
}

// uniqueBest reports whether a single row of x has the largest product with theta; all entries are
// whole numbers.
func uniqueBest(x *mat.Dense, theta []float64) bool {
	n, _ := x.Dims()
	most, count := math.Inf(-1), 0
	for i := range n {
		switch v := floats.Dot(x.RawRowView(i), theta); {
		case v > most:
			most, count = v, 1
		case v == most:
			count++
		}
	}
	return count == 1
}

// clickLogs caches logs that were already read.
var clickLogs sync.Map // path -> func() (*dataset.Clicks, error)

// ClickThroughInstance returns the click-through example (paper, section 5), built from the click
// log in the file path. If path is empty, the instance uses a synthetic log. The type
// dataset.ClickLog describes the format of the log. Each log is read once per process.
func ClickThroughInstance(path string, draw int) (*bandit.Instance, error) {
	log := dataset.ClickLog{Path: path}
	read, _ := clickLogs.LoadOrStore(path, sync.OnceValues(log.Read))
	clicks, err := read.(func() (*dataset.Clicks, error))()
	if err != nil {
		return nil, err
	}
	return log.Draw(clicks, draw)
}

// stream returns the random numbers for a draw of the instance with the given name and n arms.
func stream(name string, n, draw int) *rand.Rand { return study.Stream("rage", name, n, draw) }

func checkAngle(name string, angle float64) error {
	if !(angle > 0 && angle < math.Pi/2) {
		return fmt.Errorf("rage: %s: angle %v; expected radians between 0 and pi/2", name, angle)
	}
	return nil
}

// sized returns the name of an instance with its size. If value differs from the value in the
// paper, the name contains value.
func sized(name, letter string, n int, other bool, value float64) string {
	if other {
		name = fmt.Sprintf("%s (%v)", name, value)
	}
	return fmt.Sprintf("%s %s=%d", name, letter, n)
}

// drawn appends the number of a draw to the name of an instance.
func drawn(name string, draw int) string { return name + " #" + strconv.Itoa(draw) }

func basisNames(d int) []string { return study.Numbered("e", d) }

// linearInstance returns an instance of the problem p with the question of the best item. Rewards
// are Gaussian with mean x'theta and variance 1.
func linearInstance(
	name string, p *explore.Problem, theta []float64, notes ...string,
) (*bandit.Instance, error) {
	p.Objectives, p.Sigma, p.Question = 1, 1, question.Best{}
	inst, err := bandit.NewLinear(name, p, mat.NewDense(len(theta), 1, theta))
	if err != nil {
		return nil, fmt.Errorf("rage: %w", err)
	}
	inst.Notes = notes
	return inst, nil
}
