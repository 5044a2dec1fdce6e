package dataset

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/polyhedron"
)

// ReadConstraints reads linear constraints on the objectives from a CSV file,
// one a row: a column for each objective with its coefficient (empty means 0),
// "sense" (<= or >=), "bound", and, if wanted, "name".
//
//	name,efficacy,safety,sense,bound
//	works,1,,>=,0.4
//	safe enough for its effect,1,-2,<=,0.1
//
// Errors name file, row (the header is row 1) and column; constraints that
// contradict each other are named, with what would reconcile them.
func ReadConstraints(path string, objectives []string) (*polyhedron.Polyhedron, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	defer f.Close()
	return ParseConstraints(f, path, objectives)
}

// ParseConstraints is ReadConstraints from r, called name in errors.
func ParseConstraints(r io.Reader, name string, objectives []string) (*polyhedron.Polyhedron, error) {
	bad := func(row int, column, format string, args ...any) error {
		return fmt.Errorf("dataset: %s: row %d, column %q: %s", name, row, column, fmt.Sprintf(format, args...))
	}
	cr := csv.NewReader(r)
	cr.TrimLeadingSpace = true
	records, err := cr.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("dataset: %s: %w", name, err)
	}
	if len(records) < 2 {
		return nil, fmt.Errorf("dataset: %s: no constraints; want a header and a row for each", name)
	}
	head := records[0]
	for i := range head {
		head[i] = strings.TrimPrefix(strings.TrimSpace(head[i]), "\ufeff") // a spreadsheet's byte order mark
		if h := head[i]; !slices.Contains(objectives, h) && h != "sense" && h != "bound" && h != "name" {
			return nil, bad(1, h, "no such objective; there are %q, and \"name\", \"sense\", \"bound\"", objectives)
		}
	}
	for _, c := range []string{"sense", "bound"} {
		if !slices.Contains(head, c) {
			return nil, fmt.Errorf("dataset: %s: no column %q; there are %q", name, c, head)
		}
	}
	a := mat.NewDense(len(records)-1, len(objectives), nil)
	b := make([]float64, len(records)-1)
	names := make([]string, len(records)-1)
	for k, rec := range records[1:] {
		sign := 1.
		for j, field := range rec {
			field = strings.TrimSpace(field)
			switch h := head[j]; h {
			case "name":
				names[k] = field
			case "sense":
				switch field {
				case "<=", "≤":
				case ">=", "≥":
					sign = -1
				default:
					return nil, bad(k+2, h, "%q; want <= or >=", field)
				}
			default:
				v := 0.
				if field != "" || h == "bound" {
					if v, err = strconv.ParseFloat(field, 64); err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
						return nil, bad(k+2, h, "%q is not a finite number", field)
					}
				}
				if h == "bound" {
					b[k] = v
				} else {
					a.Set(k, slices.Index(objectives, h), v)
				}
			}
		}
		if sign < 0 { // A x >= b is -A x <= -b
			b[k] = -b[k]
			row := a.RawRowView(k)
			for j := range row {
				row[j] = -row[j]
			}
		}
	}
	p, err := polyhedron.New(a, b, names)
	var conflict *polyhedron.ConflictError
	if errors.As(err, &conflict) {
		rows := make([]int, len(conflict.Rows))
		for i, k := range conflict.Rows {
			rows[i] = k + 2
		}
		return nil, fmt.Errorf("dataset: %s: rows %v: %w", name, rows, err)
	}
	if err != nil {
		return nil, fmt.Errorf("dataset: %s: %w", name, err)
	}
	return p, nil
}
