package problem

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/internal/csvtable"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/policy"
)

// Normal returns the form of a name that is used in comparisons: composed letters (NFC) without
// surrounding white space.
func Normal(name string) string { return strings.TrimSpace(norm.NFC.String(name)) }

// errNoTables reports that a problem names a table although the caller provided no function to open
// tables.
var errNoTables = errors.New("tables cannot be opened here; list the names of candidates")

// fill reads the tables named in p, and returns the errors found in these tables.
func (p *Problem) fill(open func(string) ([]byte, error)) (errs Errors) {
	if open == nil {
		open = func(string) ([]byte, error) { return nil, errNoTables }
	}
	p.normalise()
	if p.Candidates.File != "" {
		errs = p.fillCandidates(open)
	}
	if p.Pilot != nil && p.K() > 0 {
		errs = append(errs, p.fillPilot(open)...)
	}
	return errs
}

// wrong returns an error about a field, with the number of the field's line in the file.
func (p *Problem) wrong(field, format string, args ...any) *Error {
	e := &Error{Field: field, Text: fmt.Sprintf(format, args...)}
	if p.source != nil {
		e.File, e.Line = p.source.file, p.source.line(field)
	}
	return e
}

// normalise converts names and goals in the problem to their canonical spelling.
func (p *Problem) normalise() {
	each := func(names []string) {
		for i := range names {
			names[i] = Normal(names[i])
		}
	}
	each(p.Candidates.Names)
	each(p.Candidates.FeatureColumns)
	each(p.Candidates.CategoryColumns)
	p.Candidates.Column = Normal(p.Candidates.Column)
	p.Laboratory.Reference = Normal(p.Laboratory.Reference)
	p.Question.Find = strings.ToLower(strings.TrimSpace(p.Question.Find))
	for name := range radii {
		if strings.EqualFold(name, strings.TrimSpace(p.Method.Radius)) {
			p.Method.Radius = name
		}
	}
	for c := range p.Objectives {
		o := &p.Objectives[c]
		o.Name, o.Unit = Normal(o.Name), Normal(o.Unit)
		o.Column, o.Guess = Normal(o.Column), Normal(o.Guess)
		switch o.Goal = strings.ToLower(strings.TrimSpace(o.Goal)); o.Goal {
		case "", "maximize", "max":
			o.Goal = Maximise
		case "minimize", "min":
			o.Goal = Minimise
		}
	}
	for i := range p.Constraints {
		terms := make(map[string]float64, len(p.Constraints[i].Terms))
		for name, w := range p.Constraints[i].Terms {
			terms[Normal(name)] += w
		}
		p.Constraints[i].Terms = terms
	}
}

// table opens the table named by a field. If this fails, the returned table is nil.
func (p *Problem) table(field, file string, open func(string) ([]byte, error)) (*csvtable.Table, Errors) {
	data, err := open(file)
	if err != nil {
		return nil, Errors{p.wrong(field, "%v", err)}
	}
	t, err := csvtable.Read(file, data)
	if err != nil {
		return nil, Errors{p.wrong(field, "%v", err)}
	}
	if len(t.Rows) == 0 {
		return nil, Errors{p.wrong(field, "%s has no rows below its header; add a row for each candidate", file)}
	}
	if err := t.Units(); err != nil {
		return nil, Errors{{Text: err.Error(), spoils: []string{field, "candidates.names"}}}
	}
	return t, nil
}

// faultyCells collects errors in the cells of one column.
type faultyCells struct {
	errs  Errors
	spoil []string
	more  int // number of errors beyond mostCells
}

// mostCells limits the number of errors listed for a column, because a column of texts has an error
// in each cell.
const mostCells = 10

// wrong records an error about one cell of the table.
func (c *faultyCells) wrong(t *csvtable.Table, row, column int, format string, args ...any) {
	where := t.Where(row, column) + ": "
	if c.more == 0 && len(c.errs) < mostCells {
		c.errs = append(c.errs, &Error{Text: where + fmt.Sprintf(format, args...), spoils: c.spoil})
		return
	}
	if c.more++; c.more == 1 {
		c.errs = append(c.errs, &Error{spoils: c.spoil})
	}
	c.errs[mostCells].Text = fmt.Sprintf("%sthe last of %d further cells with this error", where, c.more)
}

// fillCandidates reads names, features, known values and guessed means from the table of
// candidates.
func (p *Problem) fillCandidates(open func(string) ([]byte, error)) (errs Errors) {
	c := &p.Candidates
	if len(c.Names) > 0 {
		return Errors{p.wrong("candidates.names", "given, but candidates.file is given too; remove one of the two")}
	}
	t, errs := p.table("candidates.file", c.File, open)
	if t == nil {
		return errs
	}
	if t.Comma != ',' {
		c.Separator = string(t.Comma)
	}
	at := 0
	if c.Column != "" {
		var err error
		if at, err = t.Column(c.Column); err != nil {
			return Errors{p.wrong("candidates.column", "%v", err)}
		}
	}
	bad := faultyCells{spoil: []string{"candidates.names"}}
	replicates := ". If rows are measurements, 'purexp problem new TABLE --measured' writes each candidate once"
	seen := map[string]int{}
	for i, row := range t.Rows {
		name := row[at]
		if j, dup := seen[name]; name == "" {
			bad.wrong(t, i, at, "empty; every candidate needs a name")
		} else if dup {
			bad.wrong(t, i, at, "%s is also the candidate in line %d; names must differ%s", csvtable.Short(name),
				t.Lines[j], replicates)
			replicates = ""
		} else if !utf8.ValidString(name) || strings.ContainsFunc(name, hidden) {
			bad.wrong(t, i, at, "%s has invisible characters or line breaks; delete them", csvtable.Short(name))
		}
		seen[name] = i
		c.Names = append(c.Names, name)
	}
	errs = append(bad.errs, p.fillFeatures(t)...)
	numbers := func(field, column string) []float64 {
		x, more := p.numbers(t, field, column)
		errs = append(errs, more...)
		return x
	}
	if c.Cost != "" {
		c.Costs = numbers("candidates.cost", c.Cost)
	}
	for i := range p.Objectives {
		o := &p.Objectives[i]
		field := fmt.Sprintf("objective[%d]", i+1)
		if o.Known {
			o.Exact = numbers(field+".column", cmp.Or(o.Column, o.Name))
		}
		if o.Guess != "" {
			o.Guesses = numbers(field+".guess", o.Guess)
		}
	}
	return errs
}

// numbers returns a column as numbers. If a cell is not a number, numbers returns nil and errors.
func (p *Problem) numbers(t *csvtable.Table, field, column string) ([]float64, Errors) {
	at, err := t.Column(column)
	if err != nil {
		return nil, Errors{p.wrong(field, "%v", err)}
	}
	x := make([]float64, len(t.Rows))
	bad := faultyCells{spoil: []string{field}}
	number := t.Numbers(at, "")
	for i := range t.Rows {
		if x[i], err = number(i); err != nil {
			bad.wrong(t, i, at, "%v", err)
		}
	}
	if bad.errs != nil {
		return nil, bad.errs
	}
	return x, nil
}

// fillFeatures computes the features: a constant, the numeric columns, and an indicator for each
// category value in order of appearance.
func (p *Problem) fillFeatures(t *csvtable.Table) (errs Errors) {
	c := &p.Candidates
	if len(c.FeatureColumns)+len(c.CategoryColumns) == 0 {
		return nil
	}
	all := slices.Concat(c.FeatureColumns, c.CategoryColumns)
	for i, name := range all {
		if slices.Contains(all[:i], name) {
			errs = append(errs, p.wrong("candidates.features", "the column %q is listed twice under features and "+
				"categories; leave out one entry", name))
		}
	}
	var numbers []lsq.Numbers
	for j, name := range c.FeatureColumns {
		x, more := p.numbers(t, fmt.Sprintf("candidates.features[%d]", j+1), name)
		errs = append(errs, more...)
		numbers = append(numbers, lsq.Numbers{Name: name, Values: x})
	}
	var categories []lsq.Category
	features := 1 + len(numbers)
	for j, name := range c.CategoryColumns {
		field := fmt.Sprintf("candidates.categories[%d]", j+1)
		at, err := t.Column(name)
		if err != nil {
			errs = append(errs, p.wrong(field, "%v", err))
			continue
		}
		x := lsq.Category{Name: name}
		bad := faultyCells{spoil: []string{field}}
		for i, row := range t.Rows {
			if row[at] == "" {
				bad.wrong(t, i, at, "empty; every candidate needs a value")
			}
			x.Values = append(x.Values, row[at])
		}
		errs = append(errs, bad.errs...)
		_, levels := x.Levels()
		if features += len(levels); features > mostFeatures {
			return append(errs, p.wrong(field, "the values make more than %d features; use a column with fewer "+
				"distinct values", mostFeatures))
		}
		categories = append(categories, x)
	}
	if errs != nil {
		return errs
	}
	x, names := lsq.Features(len(t.Rows), numbers, categories)
	c.Features, c.FeatureNames = make([][]float64, len(t.Rows)), names
	for i := range c.Features {
		c.Features[i] = mat.Row(nil, i, x)
	}
	return nil
}

// mostFeatures limits the number of features, including the constant.
const mostFeatures = 1000

func (p *Problem) fillPilot(open func(string) ([]byte, error)) Errors {
	q := p.Pilot
	if q.File == "" {
		return Errors{p.wrong("pilot.file", "missing; name the table of pilot measurements")}
	}
	t, errs := p.table("pilot.file", q.File, open)
	if t == nil {
		return errs
	}
	at := max(t.Find(p.Candidates.Column), 0)
	if q.Column = Normal(q.Column); q.Column != "" {
		var err error
		if at, err = t.Column(q.Column); err != nil {
			return Errors{p.wrong("pilot.column", "%v", err)}
		}
	}
	index := p.Numbers()
	arm := make([]int, len(t.Rows))
	bad := faultyCells{spoil: []string{"pilot.file"}}
	for i, row := range t.Rows {
		k, ok := index[row[at]]
		if !ok {
			bad.wrong(t, i, at, "%s is not a candidate; correct the name, or remove the row", csvtable.Short(row[at]))
		}
		arm[i] = k
	}
	if bad.errs != nil {
		return bad.errs
	}
	d := len(p.Objectives)
	q.N, q.Means = make([][]int, d), make([][]float64, d)
	q.SD, q.DF = make([]float64, d), make([]int, d)
	found := false
	for c := range p.Objectives {
		q.N[c], q.Means[c] = make([]int, p.K()), make([]float64, p.K())
		o := &p.Objectives[c]
		col := ColumnOf(t, o.Name, o.Unit)
		if o.Known || col < 0 {
			continue
		}
		found = true
		if more := q.fill(c, t, arm, col, p.Candidates.Names, o); more != nil {
			errs = append(errs, more...)
			continue
		}
		p.borrow(c)
	}
	if !found {
		return Errors{p.wrong("pilot.file", "no column is named after a measured objective; the columns are "+
			"%q", t.Columns)}
	}
	return errs
}

// fill summarises the results of objective c in column col of the pilot's table. If the pilot
// determines the noise, the noise must be the same for all candidates.
func (q *Pilot) fill(c int, t *csvtable.Table, arm []int, col int, names []string, o *Objective) Errors {
	value := make([]float64, len(t.Rows))
	bad := faultyCells{spoil: []string{"pilot.file", fmt.Sprintf("objective[%d].noise.pilot", c+1)}}
	number := t.Numbers(col, o.Unit)
	for i, row := range t.Rows {
		if row[col] == "" {
			value[i] = math.NaN() // NaN marks a missing value
			continue
		}
		v, err := number(i)
		if err != nil {
			bad.wrong(t, i, col, "%v", err)
			continue
		}
		value[i] = v
		k := arm[i]
		q.N[c][k]++
		q.Means[c][k] += (v - q.Means[c][k]) / float64(q.N[c][k])
	}
	if bad.errs != nil {
		return bad.errs
	}
	squares, free := make([]float64, len(q.N[c])), make([]int, len(q.N[c]))
	for i, v := range value {
		if !math.IsNaN(v) {
			squares[arm[i]] += (v - q.Means[c][arm[i]]) * (v - q.Means[c][arm[i]])
		}
	}
	for i, n := range q.N[c] {
		free[i] = max(n-1, 0)
		q.DF[c] += free[i]
	}
	if q.DF[c] == 0 {
		return nil
	}
	q.SD[c] = math.Sqrt(floats.Sum(squares) / float64(q.DF[c]))
	if i, times := policy.Unequal(squares, free, len(squares)*len(q.N)); i >= 0 && o.Noise.Pilot != nil {
		at := slices.Index(arm, i)
		bad.wrong(t, at, col, "%s has %.3g times the standard deviation of the other candidates, but a pilot assumes "+
			"equal noise; declare noise that holds for each candidate, or leave the candidate out", names[i], times)
	}
	return bad.errs
}

// borrow copies the standard deviation of objective c from the pilot, if the objective itself
// states none.
func (p *Problem) borrow(c int) {
	if n := p.Objectives[c].Noise.Pilot; n != nil && n.SD == 0 && n.DF == 0 {
		n.SD, n.DF = p.Pilot.SD[c], p.Pilot.DF[c]
	}
}
