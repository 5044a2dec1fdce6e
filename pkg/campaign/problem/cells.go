package problem

import (
	"slices"
	"strconv"
	"strings"
)

// SettingColumns returns the columns of the table of candidates that are features and categories.
func (c *Candidates) SettingColumns() []string {
	return slices.Concat(c.FeatureColumns, c.CategoryColumns)
}

// Settings returns the cells of candidate i in SettingColumns: numbers with all their digits.
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

// NewcomerColumns returns the columns in which [Problem.With] asks for a value, each once: settings,
// the cost of a measurement, and values that are known.
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
	once := []string{} // a list in JSON, also if it is empty
	for _, column := range list {
		if !slices.Contains(once, column) {
			once = append(once, column)
		}
	}
	return once
}

// knownColumn is the column of the table of candidates that has the values that are known.
func (o *Objective) knownColumn() string {
	if o.Column != "" {
		return o.Column
	}
	return o.Name
}
