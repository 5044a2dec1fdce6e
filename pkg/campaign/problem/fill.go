package problem

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/internal/csvtable"
	"github.com/purexp/purexp/pkg/lsq"
)

// Normal returns a name as it is compared: composed letters (NFC), no space around it.
func Normal(name string) string { return strings.TrimSpace(norm.NFC.String(name)) }

// errNoTables is what happens to tables if nobody can open files.
var errNoTables = errors.New("files of tables cannot be opened here; give names of candidates")

// fill reads the tables that p names.
func (p *Problem) fill(open func(string) ([]byte, error)) error {
	if open == nil {
		open = func(string) ([]byte, error) { return nil, errNoTables }
	}
	p.normalise()
	if p.Candidates.File != "" {
		if err := p.fillCandidates(open); err != nil {
			return err
		}
	}
	if p.Pilot != nil {
		return p.fillPilot(open)
	}
	return nil
}

// wrong is an error about a field, at its place in the file.
func (p *Problem) wrong(field, format string, args ...any) *Error {
	e := &Error{Field: field, Text: fmt.Sprintf(format, args...)}
	if p.source != nil {
		e.File, e.Line = p.source.file, p.source.line(field)
	}
	return e
}

// normalise puts names into the form in which they are compared, and goals into one spelling.
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

// table opens a table that a field names.
func (p *Problem) table(field, file string,
	open func(string) ([]byte, error)) (*csvtable.Table, error) {
	data, err := open(file)
	if err != nil {
		return nil, Errors{p.wrong(field, "%v", err)}
	}
	t, err := csvtable.Read(file, data)
	if err != nil {
		return nil, Errors{p.wrong(field, "%v", err)}
	}
	if len(t.Rows) == 0 {
		return nil, Errors{p.wrong(field, "%s has no rows below its header", file)}
	}
	return t, nil
}

// fillCandidates reads names, features, values that are known and guesses.
func (p *Problem) fillCandidates(open func(string) ([]byte, error)) error {
	c := &p.Candidates
	if len(c.Names) > 0 {
		return Errors{p.wrong("candidates.names", "given although there is a file of candidates; "+
			"leave out one of them")}
	}
	t, err := p.table("candidates.file", c.File, open)
	if err != nil {
		return err
	}
	if t.Comma != ',' {
		c.Separator = string(t.Comma)
	}
	at := 0
	if c.Column != "" {
		if at, err = t.Column(c.Column); err != nil {
			return Errors{p.wrong("candidates.column", "%v", err)}
		}
	}
	seen := map[string]int{}
	for i, row := range t.Rows {
		name := row[at]
		where := t.Where(i, at)
		if name == "" {
			return Errors{{Text: where + ": empty; every candidate needs a name"}}
		}
		if j, dup := seen[name]; dup {
			return Errors{{Text: fmt.Sprintf("%s: %s is the candidate of line %d, too; names must "+
				"differ", where, csvtable.Short(name), t.Lines[j])}}
		}
		seen[name] = i
		c.Names = append(c.Names, name)
	}
	if err := p.fillFeatures(t); err != nil {
		return err
	}
	if c.Cost != "" {
		if c.Costs, err = p.numbers(t, "candidates.cost", c.Cost); err != nil {
			return err
		}
	}
	for i := range p.Objectives {
		o := &p.Objectives[i]
		field := fmt.Sprintf("objective[%d]", i+1)
		if o.Known {
			column := o.Column
			if column == "" {
				column = o.Name
			}
			if o.Exact, err = p.numbers(t, field+".column", column); err != nil {
				return err
			}
		}
		if o.Guess != "" {
			if o.Guesses, err = p.numbers(t, field+".guess", o.Guess); err != nil {
				return err
			}
		}
	}
	return nil
}

// numbers returns a column of numbers.
func (p *Problem) numbers(t *csvtable.Table, field, column string) ([]float64, error) {
	at, err := t.Column(column)
	if err != nil {
		return nil, Errors{p.wrong(field, "%v", err)}
	}
	x := make([]float64, len(t.Rows))
	for i, row := range t.Rows {
		if x[i], err = csvtable.Number(row[at]); err != nil {
			return nil, Errors{{Text: fmt.Sprintf("%s: %v", t.Where(i, at), err)}}
		}
	}
	return x, nil
}

// fillFeatures reads the features: a constant, the columns of numbers, an indicator of each value
// of the categories, in order of appearance.
func (p *Problem) fillFeatures(t *csvtable.Table) error {
	c := &p.Candidates
	if len(c.FeatureColumns)+len(c.CategoryColumns) == 0 {
		return nil
	}
	all := slices.Concat(c.FeatureColumns, c.CategoryColumns)
	for i, name := range all {
		if slices.Contains(all[:i], name) {
			return Errors{p.wrong("candidates.features", "the column %q is named twice among "+
				"features and categories; leave out one of them", name)}
		}
	}
	var numbers []lsq.Numbers
	for j, name := range c.FeatureColumns {
		x, err := p.numbers(t, fmt.Sprintf("candidates.features[%d]", j+1), name)
		if err != nil {
			return err
		}
		numbers = append(numbers, lsq.Numbers{Name: name, Values: x})
	}
	var categories []lsq.Category
	features := 1 + len(numbers)
	for j, name := range c.CategoryColumns {
		at, err := t.Column(name)
		if err != nil {
			return Errors{p.wrong(fmt.Sprintf("candidates.categories[%d]", j+1), "%v", err)}
		}
		x := lsq.Category{Name: name}
		for i, row := range t.Rows {
			if row[at] == "" {
				return Errors{{Text: t.Where(i, at) + ": empty; every candidate needs a value"}}
			}
			x.Values = append(x.Values, row[at])
		}
		_, levels := x.Levels()
		if features += len(levels); features > mostFeatures {
			return Errors{p.wrong(fmt.Sprintf("candidates.categories[%d]", j+1),
				"its values make more than %d features; a linear model of so many says little",
				mostFeatures)}
		}
		categories = append(categories, x)
	}
	x, names := lsq.Features(len(t.Rows), numbers, categories)
	c.Features, c.FeatureNames = make([][]float64, len(t.Rows)), names
	for i := range c.Features {
		c.Features[i] = mat.Row(nil, i, x)
	}
	return nil
}

// mostFeatures is the largest number of features of a candidate.
const mostFeatures = 1000

// fillPilot reads the table of the pilot.
func (p *Problem) fillPilot(open func(string) ([]byte, error)) error {
	q := p.Pilot
	if q.File == "" {
		return Errors{p.wrong("pilot.file", "missing; name the table of the measurements that "+
			"were made")}
	}
	t, err := p.table("pilot.file", q.File, open)
	if err != nil {
		return err
	}
	at := 0
	if q.Column = Normal(q.Column); q.Column != "" {
		if at, err = t.Column(q.Column); err != nil {
			return Errors{p.wrong("pilot.column", "%v", err)}
		}
	}
	index := make(map[string]int, p.K())
	for i, name := range p.Candidates.Names {
		index[name] = i
	}
	arm := make([]int, len(t.Rows))
	for i, row := range t.Rows {
		k, ok := index[row[at]]
		if !ok {
			return Errors{{Text: fmt.Sprintf("%s: %s is no candidate; mend the name, or leave out "+
				"the row", t.Where(i, at), csvtable.Short(row[at]))}}
		}
		arm[i] = k
	}
	d := len(p.Objectives)
	q.N, q.Means = make([][]int, d), make([][]float64, d)
	q.SD, q.DF = make([]float64, d), make([]int, d)
	for c := range p.Objectives {
		q.N[c], q.Means[c] = make([]int, p.K()), make([]float64, p.K())
		if p.Objectives[c].Known || !slices.Contains(t.Columns, p.Objectives[c].Name) {
			continue
		}
		col, _ := t.Column(p.Objectives[c].Name)
		if err := q.fill(c, t, arm, col); err != nil {
			return err
		}
		p.borrow(c)
	}
	return nil
}

// fill adds up objective c of a pilot, in column col of its table.
func (q *Pilot) fill(c int, t *csvtable.Table, arm []int, col int) error {
	value := make([]float64, len(t.Rows))
	for i, row := range t.Rows {
		if row[col] == "" {
			value[i] = math.NaN() // not measured
			continue
		}
		v, err := csvtable.Number(row[col])
		if err != nil {
			return Errors{{Text: fmt.Sprintf("%s: %v", t.Where(i, col), err)}}
		}
		value[i] = v
		k := arm[i]
		q.N[c][k]++
		q.Means[c][k] += (v - q.Means[c][k]) / float64(q.N[c][k])
	}
	squares := 0.0
	for i, v := range value {
		if !math.IsNaN(v) {
			squares += (v - q.Means[c][arm[i]]) * (v - q.Means[c][arm[i]])
		}
	}
	for _, n := range q.N[c] {
		q.DF[c] += max(n-1, 0)
	}
	if q.DF[c] > 0 {
		q.SD[c] = math.Sqrt(squares / float64(q.DF[c]))
	}
	return nil
}

// borrow takes the standard deviation of objective c from the pilot, if it is not stated.
func (p *Problem) borrow(c int) {
	if n := p.Objectives[c].Noise.Pilot; n != nil && n.SD == 0 && n.DF == 0 {
		n.SD, n.DF = p.Pilot.SD[c], p.Pilot.DF[c]
	}
}
