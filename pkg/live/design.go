package live

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/internal/csvtable"
	"github.com/purexp/purexp/pkg/seed"
)

// The following constants limit the size of tables of features.
const (
	maxPoints   = 20_000
	maxFeatures = 200
)

// DesignRequest requests an optimal design for the points in a table.
type DesignRequest struct {
	// Table is a table with one point per row: the name of the point, in the first column or in
	// Column, and numbers.
	Table  string `json:"table"`
	Column string `json:"column,omitempty"`
	// Features are the names of the feature columns, in order; null means all columns except the
	// names.
	Features []string `json:"features,omitempty"`
	// If Constant is true, the features include a constant 1.
	Constant bool `json:"constant,omitempty"`
	// Criterion selects the estimates whose largest variance is minimised: "g" (the means of
	// points), "xy" (differences of two points) or "transductive" (differences of two Items). Items
	// is a table of items with the same columns as Table.
	Criterion string `json:"criterion"`
	Items     string `json:"items,omitempty"`
	// Measurements is the number of measurements in the rounded plan; zero means that no plan is
	// computed.
	Measurements int `json:"measurements,omitempty"`
	// Seed determines the random order of measurements in the worksheet.
	Seed uint64 `json:"seed,omitempty"`
}

// DesignAnswer is a design with its certificate, and optionally a plan of whole measurements.
type DesignAnswer struct {
	Features []string `json:"features"`
	Rank     int      `json:"rank"`
	// Value is the largest variance under the design, for one measurement of variance 1. No design
	// has a Value below Lower. Gap is the relative gap of the design, Value/Lower - 1.
	Value Number `json:"value"`
	Lower Number `json:"lower"`
	Gap   Number `json:"gap"`
	// Points are the points that have weight or measurements, in the order of the table.
	Points []Point `json:"points"`
	// Critical lists the directions that are hardest to estimate; it is empty for "g".
	Critical []Critical `json:"critical,omitempty"`
	// Rounded is the plan of whole measurements, if requested.
	Rounded *Rounded `json:"rounded,omitempty"`
}

// Point is a point of the table with its weight and its number of measurements.
type Point struct {
	Name   string  `json:"name"`
	Weight float64 `json:"weight"`
	Count  int     `json:"count"`
}

// Critical is a direction that is hard to estimate, with its weight in the certificate.
type Critical struct {
	From   string  `json:"from"`
	To     string  `json:"to"`
	Weight float64 `json:"weight"`
}

// Rounded is a plan of whole measurements.
type Rounded struct {
	Measurements int `json:"measurements"`
	// Variance is the largest variance of the plan's estimates, relative to the variance of one
	// measurement.
	Variance Number `json:"variance"`
	// Efficiency is a lower bound: no plan of the same size has a variance below Efficiency times
	// Variance.
	Efficiency Number `json:"efficiency"`
	// Worksheet has one row for each measurement, in random order, as CSV.
	Worksheet string `json:"worksheet"`
}

func designOf(q *DesignRequest, tell Tell) (*DesignAnswer, error) {
	if q.Measurements < 0 || q.Measurements > 1e6 {
		return nil, fmt.Errorf("measurements: %d; expected 1 to 1e6, or 0 for none", q.Measurements)
	}
	names, features, x, err := points("the table", q.Table, q.Column, q.Features, q.Constant)
	if err != nil {
		return nil, err
	}
	items := names
	var c design.Criterion
	switch q.Criterion {
	case "g":
		c, err = design.NewG(x)
	case "xy":
		c, err = design.NewPairs(x, nil)
	case "transductive":
		columns := features
		if q.Constant {
			columns = columns[1:]
		}
		var z *mat.Dense
		if items, _, z, err = points("the table of items", q.Items, "", columns, q.Constant); err != nil {
			return nil, err
		}
		c, err = design.NewPairs(x, z)
	default:
		err = fmt.Errorf("criterion: %q; expected g, xy or transductive", q.Criterion)
	}
	if err == nil && q.Criterion != "transductive" && q.Items != "" {
		err = fmt.Errorf("items: given, but the criterion %q uses no items; leave them out", q.Criterion)
	}
	if err != nil {
		return nil, spanned(err, items)
	}
	d, err := c.Solve(&design.Options{Watch: func(b design.Bracket) bool {
		tell(float64(b.Iteration), 0)
		return true
	}})
	if err != nil && !errors.Is(err, design.ErrGap) { // the answer states the gap
		return nil, err
	}
	a := &DesignAnswer{Features: features, Rank: c.Rank(), Value: Number(d.Value),
		Lower: Number(d.Lower), Gap: Number(d.Gap())}
	counts := make([]int, len(names))
	if q.Measurements > 0 {
		alloc, err := design.Round(c, d.Weights, q.Measurements, design.Best)
		if err != nil {
			return nil, fmt.Errorf("measurements: %w", err)
		}
		counts = alloc.Counts
		variance := c.Value(floatsOf(counts))
		a.Rounded = &Rounded{Measurements: q.Measurements, Variance: Number(variance),
			Efficiency: Number(d.Lower / (float64(q.Measurements) * variance))}
		if d.Value == 0 {
			a.Rounded.Efficiency = 1 // there is nothing to estimate
		}
		if a.Rounded.Worksheet, err = worksheet(names, counts, q.Seed); err != nil {
			return nil, err
		}
	}
	for i, w := range d.Weights {
		if w > 0 || counts[i] > 0 {
			a.Points = append(a.Points, Point{names[i], w, counts[i]})
		}
	}
	for _, y := range d.Critical {
		a.Critical = append(a.Critical, Critical{items[y.I], items[y.J], y.Weight})
	}
	return a, nil
}

func floatsOf(counts []int) []float64 {
	x := make([]float64, len(counts))
	for i, n := range counts {
		x[i] = float64(n)
	}
	return x
}

// points parses a table of features, and returns the row names, the feature names and the numbers.
func points(name, text, column string, columns []string,
	constant bool) (names, features []string, x *mat.Dense, err error) {
	fail := func(format string, args ...any) ([]string, []string, *mat.Dense, error) {
		return nil, nil, nil, fmt.Errorf(format, args...)
	}
	t, err := csvtable.Read(name, []byte(text))
	if err != nil {
		return nil, nil, nil, err
	}
	if len(t.Rows) == 0 || len(t.Rows) > maxPoints {
		return fail("%s has %d rows below its header; expected 1 to %d", name, len(t.Rows), maxPoints)
	}
	at := 0
	if column != "" {
		if at, err = t.Column(column); err != nil {
			return nil, nil, nil, err
		}
	}
	if columns == nil {
		for c, f := range t.Columns {
			if c != at {
				columns = append(columns, f)
			}
		}
	}
	where := make([]int, len(columns))
	for j, f := range columns {
		if where[j], err = t.Column(f); err != nil {
			return nil, nil, nil, err
		}
	}
	first := 0
	if constant {
		features, first = []string{"1"}, 1
	}
	features = append(features, columns...)
	if len(features) == 0 || len(features) > maxFeatures {
		return fail("%s has %d features; expected 1 to %d", name, len(features), maxFeatures)
	}
	x = mat.NewDense(len(t.Rows), len(features), nil)
	seen := map[string]int{}
	for i, row := range t.Rows {
		if row[at] == "" {
			return fail("%s: the cell is empty; every row needs a name", t.Where(i, at))
		}
		if j, dup := seen[row[at]]; dup {
			return fail("%s: %s is also the name in line %d; names must differ", t.Where(i, at),
				csvtable.Short(row[at]), t.Lines[j])
		}
		seen[row[at]] = i
		names = append(names, row[at])
		if constant {
			x.Set(i, 0, 1)
		}
		for j, c := range where {
			v, err := csvtable.Number(row[c])
			if err != nil {
				return fail("%s: %w", t.Where(i, c), err)
			}
			if math.Abs(v) > 1e100 {
				return fail("%s: %v; expected a number between -1e100 and 1e100", t.Where(i, c), v)
			}
			x.Set(i, first+j, v)
		}
	}
	return names, features, x, nil
}

// spanned adds the names of the items to an error about a direction that measurements cannot
// estimate.
func spanned(err error, items []string) error {
	var s *design.SpanError
	if !errors.As(err, &s) || s.J < 0 {
		return err
	}
	return fmt.Errorf("the difference between %s and %s cannot be estimated from the points of the table "+
		"(%w)", items[s.I], items[s.J], err)
}

// worksheet lists the measurements in random order, so that drift does not look like a difference
// between points.
func worksheet(names []string, counts []int, root uint64) (string, error) {
	var rows []int
	for i, n := range counts {
		for range n {
			rows = append(rows, i)
		}
	}
	rng := rand.New(seed.New(root).Child("order").PCG())
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	// The call w.Error returns any earlier write error.
	_ = w.Write([]string{"measurement", "candidate", "value"})
	for n, i := range rows {
		_ = w.Write([]string{strconv.Itoa(n + 1), csvtable.Guard(names[i]), ""})
	}
	w.Flush()
	return b.String(), w.Error()
}
