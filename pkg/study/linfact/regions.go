package linfact

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// triangle contains the features of three arms; arm a1 is longer than the other two. The paper
// shows its own three arms only as a picture.
var triangle = mat.NewDense(3, 2, []float64{1.5, 0, .6, .8, .6, -.8})

const (
	// triangleEpsilon is the epsilon of the decision regions. On the instances of DecisionRegions,
	// each arm is at least triangleEpsilon/2 away from the threshold.
	triangleEpsilon = .5
	// reach is half the width of the square window in which regions are drawn and measured.
	reach = 2.
)

// window is the part of the plane in which decision regions are drawn and measured.
var window = canvas.Rectangle(-reach, reach, -reach, reach)

// decisionRegion is the set of parameters for which a given set of arms is the set of epsilon-best
// arms.
type decisionRegion struct {
	Name string
	Arms []int // indices of the arms, from 0
	x    *mat.Dense
}

// regionsOf returns the decision regions of three arms with features x, 3 x 2, in the order of Table
// EC.4.1.
func regionsOf(x *mat.Dense) []decisionRegion {
	sets := [][]int{{0}, {0, 2}, {2}, {1, 2}, {1}, {0, 1}, {0, 1, 2}}
	rs := make([]decisionRegion, len(sets))
	for i, s := range sets {
		rs[i] = decisionRegion{Name: fmt.Sprint("M", i+1), Arms: s, x: x}
	}
	return rs
}

// decisionRegions returns the regions of Table EC.4.1 for the arms in triangle.
func decisionRegions() []decisionRegion { return regionsOf(triangle) }

// title returns the name of the region with its arms, such as "M2 {1, 3}".
func (r decisionRegion) title() string { return r.Name + " " + r.set() }

// set formats the set of arms of the region, numbered from 1 as in the paper.
func (r decisionRegion) set() string {
	var names []string
	for _, i := range r.Arms {
		names = append(names, fmt.Sprint(i+1))
	}
	return "{" + strings.Join(names, ", ") + "}"
}

// expression describes the region as an intersection of sets M_ai and their complements; M_ai is
// the set of parameters for which arm i is epsilon-best.
func (r decisionRegion) expression() string {
	var terms []string
	k, _ := r.x.Dims()
	for i := range k {
		term := fmt.Sprintf("M_a%d", i+1)
		if !slices.Contains(r.Arms, i) {
			term += "ᶜ"
		}
		terms = append(terms, term)
	}
	return strings.Join(terms, " ∩ ")
}

// beyond returns the half-plane of the parameters theta with (a_j - a_i)'theta <= c.
func beyond(x *mat.Dense, j, i int, c float64) canvas.HalfPlane {
	return canvas.HalfPlane{A: x.At(j, 0) - x.At(i, 0), B: x.At(j, 1) - x.At(i, 1), C: c}
}

// pieces returns the part of the region inside the window, as one convex polygon for each arm that
// can be the best. In each polygon of pieces, every arm is at least margin away from the threshold.
func (r decisionRegion) pieces(epsilon, margin float64) (ps [][]canvas.Point) {
	k, _ := r.x.Dims()
	for _, best := range r.Arms {
		var hs []canvas.HalfPlane
		for j := range k {
			switch {
			case j == best:
			case slices.Contains(r.Arms, j):
				hs = append(hs, beyond(r.x, j, best, 0), beyond(r.x, best, j, epsilon-margin))
			default:
				hs = append(hs, beyond(r.x, j, best, -epsilon-margin))
			}
		}
		if p := canvas.Cut(window, hs...); len(p) > 2 && canvas.Area(p) > 1e-12 {
			ps = append(ps, p)
		}
	}
	return ps
}

// share returns the fraction of the window that the region covers.
func (r decisionRegion) share(epsilon float64) float64 {
	sum := 0.
	for _, p := range r.pieces(epsilon, 0) {
		sum += canvas.Area(p)
	}
	return sum / canvas.Area(window)
}

// nearest returns the point closest to the origin, within the region, at which every arm is at
// least margin away from the threshold. If the window has no suitable point, nearest returns false.
func (r decisionRegion) nearest(epsilon, margin float64) (q canvas.Point, ok bool) {
	least := math.Inf(1)
	for _, p := range r.pieces(epsilon, margin) {
		if n := closest(p); math.Hypot(n.X, n.Y) < least {
			least, q, ok = math.Hypot(n.X, n.Y), n, true
		}
	}
	return q, ok
}

// closest returns the point closest to the origin in a convex polygon.
func closest(polygon []canvas.Point) (q canvas.Point) {
	least, inside := math.Inf(1), true
	for i, b := range polygon {
		a := polygon[(i+len(polygon)-1)%len(polygon)]
		inside = inside && a.X*b.Y-a.Y*b.X >= 0
		dx, dy := b.X-a.X, b.Y-a.Y
		t := 0.
		if square := dx*dx + dy*dy; square > 0 {
			t = min(max(-(a.X*dx+a.Y*dy)/square, 0), 1)
		}
		p := canvas.Point{X: a.X + t*dx, Y: a.Y + t*dy}
		if d := math.Hypot(p.X, p.Y); d < least {
			least, q = d, p
		}
	}
	if inside {
		return canvas.Point{}
	}
	return q
}

// ThreeArms returns an instance with the arms (1.5, 0), (0.6, 0.8) and (0.6, -0.8) and the
// parameter (x, y). The question is all arms within epsilon of the best.
func ThreeArms(epsilon, x, y float64) (*bandit.Instance, error) {
	return bandit.NewLinear("three arms", &explore.Problem{
		X: triangle, ArmNames: []string{"a1", "a2", "a3"}, Sigma: 1,
		Question: question.AllEpsilonBest{Epsilon: epsilon},
	}, mat.NewDense(2, 1, []float64{x, y}))
}

// inRegion returns the instance for the decision region with index size; index 0 is region M1. The
// instance's parameter is the point closest to the origin, within the region, at which every arm is
// at least epsilon/2 away from the threshold.
func inRegion(size int, epsilon float64) (*bandit.Instance, error) {
	r := decisionRegions()[size]
	q, ok := r.nearest(epsilon, epsilon/2)
	if !ok {
		return nil, fmt.Errorf("linfact: for epsilon = %v, no parameter of %s in [-%v, %v]² keeps all arms at least "+
			"epsilon/2 from the threshold; use a smaller epsilon", epsilon, r.title(), reach, reach)
	}
	return ThreeArms(epsilon, q.X, q.Y)
}

// RegionTable returns Table EC.4.1 for three arms. The table shows the fraction of the window that
// each region covers, for the epsilon of DecisionRegions and for smaller values.
func RegionTable() *tidy.Table {
	t := &tidy.Table{
		Title:   "Seven decision regions of three arms (Table EC.4.1)",
		Columns: tidy.Columns("region", "set", "epsilon-best arms", "a parameter of the region"),
		Notes: []string{"M_ai: parameters for which arm i is epsilon-best; ᶜ: complement. The arms are (1.5, 0), " +
			"(0.6, 0.8) and (0.6, -0.8). The parameter shown is the one closest to 0 for which every arm is at least " +
			"epsilon/2 from the threshold, for epsilon = 0.5. Shares are fractions of the parameters in [-2, 2]²."},
	}
	epsilons := []float64{.5, .25, .125, 0}
	for _, e := range epsilons {
		t.Columns = append(t.Columns, tidy.Column{Name: fmt.Sprintf("share, epsilon = %v", e), Unit: "%"})
	}
	for _, r := range decisionRegions() {
		q, _ := r.nearest(triangleEpsilon, triangleEpsilon/2)
		row := []any{r.Name, r.expression(), r.set(), fmt.Sprintf("(%.2f, %.2f)", q.X+0, q.Y+0)}
		for _, e := range epsilons {
			row = append(row, fmt.Sprintf("%.1f", 100*r.share(e)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func regionTitles() []string {
	var names []string
	for _, r := range decisionRegions() {
		names = append(names, r.title())
	}
	return names
}

// DecisionRegions is an experiment about the geometry of sections 3, EC.3 and EC.4.1, which the
// paper shows only as pictures. Three arms in the plane have seven possible sets of epsilon-best
// arms. The experiment measures the pulls of LinFACT for each possible set of epsilon-best arms.
var DecisionRegions = study.Experiment{
	Basis: study.StandIn,
	Name:  "linfact/decision-regions", Title: "Three arms, seven decision regions",
	Source: "Fig. 1, Fig. EC.3.1, Fig. EC.4.1, Table EC.4.1",
	Axis:   "region M", Sizes: []int{0, 1, 2, 3, 4, 5, 6}, Names: regionTitles(), Reps: 200,
	Delta: Delta,
	Instance: func(size, _ int) (*bandit.Instance, error) {
		return inRegion(size, triangleEpsilon)
	},
	Methods: own, Bounds: bounds,
	Tables: regionTables, Figures: regionFigures, Claims: regionClaims,
	Notes: []string{"The paper shows arms and parameters only in figures. Here, the arms are (1.5, 0), (0.6, 0.8) " +
		"and (0.6, -0.8). In each region, the parameter is the one closest to 0 for which every arm is at least 0.25 " +
		"from the threshold, for epsilon = 0.5."},
}

// regionTables returns the table of bounds, Table EC.4.1, and the table from Entering.
func regionTables(r *study.Results) ([]*tidy.Table, error) {
	ts := []*tidy.Table{RegionTable()}
	if b := r.BoundTable(); len(b.Rows) > 0 {
		ts = append(ts, b)
	}
	t, err := Entering()
	return append(ts, t), err
}
