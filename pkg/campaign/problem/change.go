package problem

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/purexp/purexp/pkg/internal/csvtable"
)

// Candidate describes a newcomer: its name, and its values in the columns of the candidate table.
type Candidate struct {
	Name    string            `json:"name"`
	Columns map[string]string `json:"columns,omitempty"`
}

// Clone returns a copy of p without the positions of fields in the file. Changes of lists in the
// copy do not change p, but rows of lists, such as the features of a candidate, are shared.
func (p *Problem) Clone() *Problem {
	q := *p
	q.source = nil
	q.Candidates.Names = slices.Clone(p.Candidates.Names)
	q.Candidates.Features = slices.Clone(p.Candidates.Features)
	q.Candidates.FeatureNames = slices.Clone(p.Candidates.FeatureNames)
	q.Candidates.Costs = slices.Clone(p.Candidates.Costs)
	q.Objectives = slices.Clone(p.Objectives)
	q.Constraints = slices.Clone(p.Constraints)
	for c := range q.Objectives {
		q.Objectives[c].Exact = slices.Clone(p.Objectives[c].Exact)
		q.Objectives[c].Guesses = slices.Clone(p.Objectives[c].Guesses)
	}
	if p.Pilot != nil {
		pilot := *p.Pilot
		pilot.N, pilot.Means = slices.Clone(p.Pilot.N), slices.Clone(p.Pilot.Means)
		q.Pilot = &pilot
	}
	return &q
}

// Without returns a copy of the problem without the named candidate; all features and noise
// estimates stay as they are.
func (p *Problem) Without(name string) (*Problem, error) {
	i := p.Candidate(name)
	if i < 0 {
		return nil, fmt.Errorf("problem: unknown candidate %q; the candidates are %s", name,
			Abbreviated(p.Candidates.Names))
	}
	q := p.Clone()
	q.Candidates.went()
	cut(&q.Candidates.Names, i)
	cut(&q.Candidates.Features, i)
	cut(&q.Candidates.Costs, i)
	for c := range q.Objectives {
		cut(&q.Objectives[c].Exact, i)
		cut(&q.Objectives[c].Guesses, i)
		if q.Pilot != nil {
			cut(&q.Pilot.N[c], i)
			cut(&q.Pilot.Means[c], i)
		}
	}
	if err := q.Validate(); err != nil {
		return nil, err
	}
	return q, nil
}

// cut replaces a list by a copy without entry i; a nil list stays nil.
func cut[T any](list *[]T, i int) {
	if *list != nil {
		*list = slices.Concat((*list)[:i], (*list)[i+1:])
	}
}

// With returns a copy of the problem with one more candidate, in the last position. The newcomer
// needs a value in each column of settings or known values and, if candidates have costs, a cost.
// The copy has no guessed means. A new value in a category column adds a feature that is 0 for all
// other candidates.
func (p *Problem) With(n Candidate) (*Problem, error) {
	n.Name = Normal(n.Name)
	if p.Candidate(n.Name) >= 0 {
		return nil, fmt.Errorf("problem: %q is already a candidate; use another name", n.Name)
	}
	used := map[string]bool{}
	columns := make(map[string]string, len(n.Columns))
	for _, name := range slices.Sorted(maps.Keys(n.Columns)) {
		text := Normal(n.Columns[name])
		if !utf8.ValidString(text) || strings.ContainsFunc(text, hidden) {
			return nil, fmt.Errorf("problem: candidate %q, column %q: %q has invisible characters; remove "+
				"them", n.Name, name, text)
		}
		column := Normal(name)
		if _, twice := columns[column]; twice {
			return nil, fmt.Errorf("problem: candidate %q has the column %q twice; leave out one", n.Name, column)
		}
		columns[column] = text
	}
	cell := func(column string) (string, error) {
		used[column] = true
		text := columns[column]
		if text == "" {
			return "", fmt.Errorf("problem: candidate %q, column %q: missing; give a value", n.Name, column)
		}
		return text, nil
	}
	number := func(column string) (float64, error) {
		text, err := cell(column)
		if err != nil {
			return 0, err
		}
		v, err := csvtable.Number(text)
		if err != nil {
			return 0, fmt.Errorf("problem: candidate %q, column %q: %w", n.Name, column, err)
		}
		return v, nil
	}
	q := p.Clone()
	q.Candidates.came()
	q.Candidates.Names = append(q.Candidates.Names, n.Name)
	if q.Candidates.Features != nil {
		if err := q.Candidates.join(cell, number); err != nil {
			return nil, err
		}
	}
	if q.Candidates.Costs != nil {
		v, err := number(q.Candidates.Cost)
		if err != nil {
			return nil, err
		}
		q.Candidates.Costs = append(q.Candidates.Costs, v)
	}
	for c := range q.Objectives {
		o := &q.Objectives[c]
		o.Guesses = nil
		if o.Known {
			v, err := number(o.knownColumn())
			if err != nil {
				return nil, err
			}
			o.Exact = append(o.Exact, v)
		}
		if q.Pilot != nil {
			q.Pilot.N[c] = append(slices.Clone(q.Pilot.N[c]), 0)
			q.Pilot.Means[c] = append(slices.Clone(q.Pilot.Means[c]), 0)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		if !used[name] {
			return nil, fmt.Errorf("problem: candidate %q: the problem does not use a column %q; "+
				"leave it out", n.Name, name)
		}
	}
	if err := q.Validate(); err != nil {
		return nil, err
	}
	return q, nil
}

func (c *Candidates) join(cell func(string) (string, error), number func(string) (float64, error)) error {
	row := make([]float64, len(c.FeatureNames))
	row[0] = 1
	for j, column := range c.FeatureColumns {
		v, err := number(column)
		if err != nil {
			return err
		}
		row[1+j] = v
	}
	for _, column := range c.CategoryColumns {
		level, err := cell(column)
		if err != nil {
			return err
		}
		name := column + " = " + level
		at := slices.Index(c.FeatureNames, name)
		if at < 0 {
			at = len(c.FeatureNames)
			c.FeatureNames = append(c.FeatureNames, name)
			row = append(row, 0)
			for i := range c.Features {
				c.Features[i] = append(slices.Clone(c.Features[i]), 0)
			}
		}
		row[at] = 1
	}
	c.Features = append(c.Features, row)
	return nil
}

// SettingColumns returns the feature columns and the category columns of the candidate table.
func (c *Candidates) SettingColumns() []string {
	return slices.Concat(c.FeatureColumns, c.CategoryColumns)
}

// Settings returns the cells of candidate i in SettingColumns, with all digits of numbers.
func (c *Candidates) Settings(i int) []string {
	var cells []string
	for j := range c.FeatureColumns {
		cells = append(cells, strconv.FormatFloat(c.Features[i][1+j], 'g', -1, 64))
	}
	for _, column := range c.CategoryColumns {
		cell := ""
		for f, name := range c.FeatureNames {
			if level, is := strings.CutPrefix(name, column+" = "); is && c.Features[i][f] == 1 {
				cell = level
			}
		}
		cells = append(cells, cell)
	}
	return cells
}

// NewcomerColumns returns the columns in which [Problem.With] needs a value, each once: settings,
// cost, and known values.
func (p *Problem) NewcomerColumns() []string {
	var list []string
	if p.Candidates.Features != nil {
		list = append(list, p.Candidates.SettingColumns()...)
	}
	if p.Candidates.Costs != nil {
		list = append(list, p.Candidates.Cost)
	}
	for i := range p.Objectives {
		if o := &p.Objectives[i]; o.Known {
			list = append(list, o.knownColumn())
		}
	}
	once := []string{} // an empty slice is encoded as an empty JSON list instead of null
	for _, column := range list {
		if !slices.Contains(once, column) {
			once = append(once, column)
		}
	}
	return once
}

// knownColumn returns the name of the candidate-table column with the known values of the
// objective.
func (o *Objective) knownColumn() string {
	if o.Column != "" {
		return o.Column
	}
	return o.Name
}
