package dataset

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/internal/csvtable"
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
// Two columns of a name are an error. Errors name file, row (the header is row 1)
// and column; constraints that contradict each other are named, with what would reconcile them.
func ReadConstraints(path string, objectives []string) (*polyhedron.Polyhedron, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	defer f.Close()
	return ParseConstraints(f, path, objectives)
}

// ParseConstraints is ReadConstraints from r, called name in errors.
func ParseConstraints(r io.Reader, name string,
	objectives []string) (*polyhedron.Polyhedron, error) {
	if len(objectives) == 0 {
		return nil, fmt.Errorf("dataset: %s: there are no objectives to constrain; name them", name)
	}
	cr := csvtable.NewReader(r)
	cr.TrimLeadingSpace = true
	records, err := cr.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("dataset: %s: %w", name, err)
	}
	if len(records) < 2 {
		return nil, fmt.Errorf("dataset: %s: no constraints; want a header and a row for each",
			name)
	}
	t := constraintTable{name: name, objectives: objectives}
	if err := t.header(records[0]); err != nil {
		return nil, err
	}
	a := mat.NewDense(len(records)-1, len(objectives), nil)
	b := make([]float64, len(records)-1)
	names := make([]string, len(records)-1)
	for k, rec := range records[1:] {
		if names[k], b[k], err = t.row(k+2, rec, a.RawRowView(k)); err != nil {
			return nil, err
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

// A constraintTable reads a table of constraints.
type constraintTable struct {
	name       string // of the table, for errors
	objectives []string
	head       []string
}

// errorf returns an error about a cell.
func (t *constraintTable) errorf(row int, column, format string, args ...any) error {
	return fmt.Errorf("dataset: %s: row %d, column %q: %s", t.name, row, column,
		fmt.Sprintf(format, args...))
}

// header reads the names of the columns.
func (t *constraintTable) header(rec []string) error {
	t.head = rec
	if err := csvtable.Header(rec); err != nil {
		return fmt.Errorf("dataset: %s: %w", t.name, err)
	}
	for _, h := range rec {
		if !slices.Contains(t.objectives, h) && h != "sense" && h != "bound" &&
			h != "name" {
			return t.errorf(1, h,
				"no such objective; there are %q, and \"name\", \"sense\", \"bound\"", t.objectives)
		}
	}
	for _, c := range []string{"sense", "bound"} {
		if !slices.Contains(rec, c) {
			return fmt.Errorf("dataset: %s: no column %q; there are %q", t.name, c, rec)
		}
	}
	return nil
}

// row reads the constraint a'x <= b in a row of the file. Where the row says
// >=, both sides are negated.
func (t *constraintTable) row(row int, rec []string,
	a []float64) (name string, b float64, err error) {
	atLeast := false
	for j, field := range rec {
		field = strings.TrimSpace(field)
		switch h := t.head[j]; h {
		case "name":
			name = field
		case "sense":
			switch field {
			case "<=", "≤":
				atLeast = false
			case ">=", "≥":
				atLeast = true
			default:
				return "", 0, t.errorf(row, h, "%q; want <= or >=", field)
			}
		default:
			v := 0.
			if field != "" || h == "bound" {
				if v, err = strconv.ParseFloat(field, 64); err != nil || math.IsNaN(v) ||
					math.IsInf(v, 0) {
					return "", 0, t.errorf(row, h, "%q is not a finite number", field)
				}
			}
			if h == "bound" {
				b = v
			} else {
				a[slices.Index(t.objectives, h)] = v
			}
		}
	}
	if atLeast {
		b = -b
		for j := range a {
			a[j] = -a[j]
		}
	}
	return name, b, nil
}
