package live

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// DraftRequest contains a table of candidates, and the answers to the questions that `purexp
// problem new` asks.
type DraftRequest struct {
	Name  string `json:"name"`  // name of the table in the file
	Table string `json:"table"` // text of the table
	// Column is the column with the names of candidates; empty means the most likely column.
	Column     string           `json:"column,omitempty"`
	Find       string           `json:"find,omitempty"`
	Delta      float64          `json:"delta,omitempty"`
	Objectives []DraftObjective `json:"objectives"`
}

// DraftObjective is a numeric column that becomes an objective, with known values or with guesses
// of means to be measured.
type DraftObjective struct {
	Column string `json:"column"`
	Goal   string `json:"goal"` // max or min
	// If Known is true, the values in the table are exact, and the objective is not measured.
	Known bool `json:"known,omitempty"`
	// SD is the standard deviation of one measurement, in Unit.
	SD   *float64 `json:"sd,omitempty"`
	Unit string   `json:"unit,omitempty"`
	// Threshold is the smallest acceptable value; if lower values are better, it is the largest
	// acceptable value.
	Threshold *float64 `json:"threshold,omitempty"`
}

// DraftAnswer is a valid problem file with comments.
type DraftAnswer struct {
	Text     string         `json:"text"`
	Fields   map[string]any `json:"fields"`
	Question string         `json:"question"` // the question in words
}

// draftOf writes a problem file in the same way as `purexp problem new`. Errors of draftOf name the
// invalid field.
func draftOf(q *DraftRequest, _ Tell) (*DraftAnswer, error) {
	columns, err := problem.Columns(q.Name, []byte(q.Table))
	if err != nil {
		return nil, err
	}
	d := problem.Draft{Table: q.Name, Column: q.Column, Find: q.Find, Delta: q.Delta}
	if len(q.Objectives) == 0 {
		return nil, errors.New("objective: no column is chosen; choose a column, and whether higher or lower values " +
			"are better")
	}
	for i, o := range q.Objectives {
		if o.SD == nil && !o.Known {
			return nil, fmt.Errorf("objective[%d].noise.sd: missing; give the standard deviation of one measurement "+
				"of %s, or mark its values as known exactly", i+1, o.Column)
		}
		drafted, err := problem.NewDraftObjective(o.Column, o.settings()...)
		if err == nil {
			err = drafted.Match(columns)
		}
		if err != nil {
			return nil, fmt.Errorf("objective[%d].name: %w", i+1, err)
		}
		d.Objectives = append(d.Objectives, drafted)
	}
	if j := problem.NameColumn(columns, d.Used(columns)...); d.Column == "" && j >= 0 {
		d.Column = columns[j].Name
	}
	file := ProblemFile{Text: d.TOML(), Files: map[string]string{q.Name: q.Table}}
	p, err := file.parse()
	if err != nil {
		withoutFile(err)
		return nil, err
	}
	read, err := problemFields(&file, nil)
	if err != nil {
		return nil, err
	}
	return &DraftAnswer{Text: file.Text, Fields: read.Fields, Question: p.Words()}, nil
}

// settings returns the settings of the objective in the form that problem.NewDraftObjective
// accepts.
func (o *DraftObjective) settings() []string {
	list := []string{o.Goal}
	add := func(key string, v *float64) {
		if v != nil {
			list = append(list, key+"="+strconv.FormatFloat(*v, 'g', -1, 64))
		}
	}
	if o.Known {
		list = append(list, "known")
	} else {
		list = append(list, "guess="+o.Column)
		add("sd", o.SD)
	}
	if o.Unit != "" {
		list = append(list, "unit="+o.Unit)
	}
	add(map[string]string{"max": "at_least", "min": "at_most"}[o.Goal], o.Threshold)
	return list
}
