package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/internal/csvtable"
	"github.com/purexp/purexp/pkg/internal/strictjson"
)

// problemFile stands for the file name in errors about a problem, because a page sends only the
// text.
const problemFile = "problem.toml"

// ProblemFile is a problem file in TOML with its tables.
type ProblemFile struct {
	// Text is the text of the file; it is ignored if Fields is set.
	Text string `json:"text,omitempty"`
	// Fields are the fields of the file as a JSON object, such as {"question": {"find": "best"},
	// ...}; null fields are omitted.
	Fields json.RawMessage `json:"fields,omitempty"`
	// Files maps the names of tables to their contents.
	Files map[string]string `json:"files,omitempty"`
}

// ProblemText is the text of a problem file.
type ProblemText struct {
	Text string `json:"text"`
}

// ProblemFields are the fields of a problem file and the names of its tables.
type ProblemFields struct {
	Fields map[string]any `json:"fields"`
	Tables []string       `json:"tables"`
}

// problemText formats fields as a problem file. problemText does not validate the fields, so that
// users can save unfinished work.
func problemText(q *ProblemFile, _ Tell) (*ProblemText, error) {
	text, err := q.text()
	if err != nil {
		return nil, err
	}
	return &ProblemText{text}, nil
}

// problemFields parses a problem file into fields; comments in the file are lost.
func problemFields(q *ProblemFile, _ Tell) (*ProblemFields, error) {
	if len(q.Text) > problem.LargestFile {
		return nil, fmt.Errorf("the problem file has %d bytes; expected at most %d", len(q.Text), problem.LargestFile)
	}
	a := &ProblemFields{Fields: map[string]any{}, Tables: []string{}}
	if err := toml.Unmarshal([]byte(strings.TrimPrefix(q.Text, csvtable.Mark)), &a.Fields); err != nil {
		var wrong *toml.DecodeError
		if errors.As(err, &wrong) {
			line, column := wrong.Position()
			return nil, fmt.Errorf("line %d, column %d: invalid TOML: %s", line, column,
				strings.TrimPrefix(wrong.Error(), "toml: "))
		}
		return nil, fmt.Errorf("invalid TOML: %w", err)
	}
	for _, section := range []string{"candidates", "pilot"} {
		if s, ok := a.Fields[section].(map[string]any); ok {
			if name, ok := s["file"].(string); ok {
				a.Tables = append(a.Tables, name)
			}
		}
	}
	return a, nil
}

// sections lists the sections of a problem file in the usual order.
var sections = []string{"title", "independent", "question", "candidates", "objective", "constraint", "pilot",
	"method", "laboratory"}

// text returns the problem file as text.
func (q *ProblemFile) text() (string, error) {
	if q.Fields == nil {
		return q.Text, nil
	}
	if q.Text != "" {
		return "", errors.New("text: both text and fields are given; leave out one of the two")
	}
	var fields map[string]any
	d := json.NewDecoder(bytes.NewReader(q.Fields))
	d.UseNumber() // keeps 8 from becoming 8.0
	if err := errors.Join(strictjson.Unmarshal(q.Fields, new(any)), d.Decode(&fields)); err != nil {
		return "", fmt.Errorf("fields: %w", err)
	}
	// Unknown fields are kept, so that Parse reports them as errors. In TOML, fields that are not
	// tables must precede the first section.
	parts := make([]map[string]any, len(sections)+2)
	for name, v := range fields {
		if v == nil {
			continue
		}
		v, err := plain(v)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		at := 1 + slices.Index(sections, name)
		if at == 0 && isTable(v) {
			at = len(parts) - 1
		}
		if parts[at] == nil {
			parts[at] = map[string]any{}
		}
		parts[at][name] = v
	}
	var b strings.Builder
	for _, part := range parts {
		text, err := toml.Marshal(part)
		if err != nil {
			return "", fmt.Errorf("fields: %w", err)
		}
		if b.Len() > 0 && bytes.HasPrefix(text, []byte("[")) {
			b.WriteByte('\n')
		}
		b.Write(text)
	}
	return b.String(), nil
}

// isTable reports whether TOML represents the value as a table or a list of tables.
func isTable(v any) bool {
	if list, _ := v.([]any); len(list) > 0 {
		v = list[0]
	}
	_, table := v.(map[string]any)
	return table
}

// plain converts a JSON value to a value for TOML: null is omitted, and whole numbers have no
// decimal point.
func plain(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n, nil
		}
		return v.Float64()
	case map[string]any:
		m := map[string]any{}
		for name, x := range v {
			if x == nil {
				continue
			}
			if m[name], err = plain(x); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		return m, nil
	case []any:
		list := make([]any, len(v))
		for i, x := range v {
			if x == nil {
				return nil, errors.New("a list contains null; leave it out")
			}
			if list[i], err = plain(x); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return v, nil
}

// parse parses the problem; if the problem is given as fields, errors state no file and no line.
func (q *ProblemFile) parse() (*problem.Problem, error) {
	text, err := q.text()
	if err != nil {
		return nil, err
	}
	p, err := problem.Parse(problemFile, []byte(text), func(name string) ([]byte, error) {
		data, ok := q.Files[name]
		if !ok {
			return nil, fmt.Errorf("the table %s is missing; open this table too", csvtable.Short(name))
		}
		return []byte(data), nil
	})
	if q.Fields != nil {
		withoutFile(err)
	}
	return p, err
}

// withoutFile removes file and line from errors, for a problem that was not read from a file.
func withoutFile(err error) {
	var all problem.Errors
	if !errors.As(err, &all) {
		return
	}
	for _, e := range all {
		if e.File == problemFile {
			e.File, e.Line = "", 0
		}
	}
}

// TableRequest contains a pasted table, whose cells are separated by commas, semicolons or tabs.
type TableRequest struct {
	Name string `json:"name"` // name of the table, for errors
	Text string `json:"text"`
	// Column is the column with the names of candidates; empty means the first column.
	Column string `json:"column,omitempty"`
}

// TableAnswer describes the table of a TableRequest.
type TableAnswer struct {
	Columns []string `json:"columns"`
	// Numeric says, for each column except the column of names, whether all cells are numbers or
	// empty and at least one cell is a number.
	Numeric []bool `json:"numeric"`
	Rows    int    `json:"rows"`
	// Names are the distinct names of the candidates, in order of first appearance.
	Names []string `json:"names"`
	// Suggested is the column that `purexp problem new` would choose as the column of names.
	Suggested string `json:"suggested"`
}

func tableOf(q *TableRequest, _ Tell) (*TableAnswer, error) {
	t, err := csvtable.Read(q.Name, []byte(q.Text))
	if err != nil {
		return nil, err
	}
	if len(t.Rows) == 0 {
		return nil, fmt.Errorf("%s has no rows below its header; add a row for each candidate", q.Name)
	}
	a := &TableAnswer{Columns: t.Columns, Numeric: make([]bool, len(t.Columns)), Rows: len(t.Rows)}
	at := 0
	if q.Column != "" {
		if at, err = t.Column(q.Column); err != nil {
			return nil, err
		}
	}
	columns, err := problem.Columns(q.Name, []byte(q.Text))
	if err != nil {
		return nil, err
	}
	if j := problem.NameColumn(columns); j >= 0 {
		a.Suggested = columns[j].Name
	}
	seen := map[string]bool{}
	for _, row := range t.Rows {
		if !seen[row[at]] {
			seen[row[at]] = true
			a.Names = append(a.Names, row[at])
		}
	}
	for c := range t.Columns {
		some := false
		all := !slices.ContainsFunc(t.Rows, func(row []string) bool {
			if row[c] == "" {
				return false
			}
			some = true
			_, err := csvtable.Number(row[c])
			return err != nil
		})
		a.Numeric[c] = some && all && c != at
	}
	return a, nil
}
