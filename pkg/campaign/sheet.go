package campaign

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/internal/csvtable"
)

// Columns of worksheets, beside those of the objectives.
const (
	columnPlate  = problem.ColumnPlate
	columnTicket = problem.ColumnTicket
	columnArm    = problem.ColumnCandidate
	columnArmToo = "arm"
	columnID     = "id"
	columnNote   = problem.ColumnNote
)

// WriteSheet writes tickets as a worksheet: a table in which results are filled in, and which
// [Campaign.TellSheet] reads. Cells of results are empty. Features and categories of candidates are
// there for whoever measures, up to twenty columns of them, and are not read. Cells are separated as
// in the table of candidates. Wells of the reference have that as their note.
func WriteSheet(w io.Writer, p *problem.Problem, tickets []Ticket) error {
	out := csv.NewWriter(w)
	if s := p.Candidates.Separator; s == ";" || s == "\t" {
		out.Comma = rune(s[0])
	}
	names := filledIn(p)
	var settings []string
	var at []int // settings that are shown: none takes the place of a column that is read
	for i, name := range settingColumns(p) {
		if !readInSheets(p, name) {
			settings, at = append(settings, name), append(at, i)
		}
	}
	row := slices.Concat([]string{columnPlate, columnTicket, columnArm}, settings, names,
		[]string{columnNote})
	for i, name := range row {
		row[i] = csvtable.Guard(name)
	}
	if err := out.Write(row); err != nil {
		return err
	}
	for _, t := range tickets {
		clear(row)
		row[0], row[1] = strconv.Itoa(t.Plate), strconv.Itoa(t.Ticket)
		row[2] = csvtable.Guard(t.Arm)
		if i := p.Candidate(t.Arm); i >= 0 && len(at) > 0 {
			cells := p.Candidates.Settings(i)
			for j, c := range at {
				row[3+j] = csvtable.Guard(cells[c])
			}
		}
		if t.Reference {
			row[len(row)-1] = "reference"
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// filledIn returns the columns that are filled in: the objectives, and that of evaluable trials.
func filledIn(p *problem.Problem) []string {
	names := measured(p)
	if column := p.Evaluable(); column != "" {
		names = append(names, column)
	}
	return names
}

// readInSheets reports whether a column of that name is read from worksheets of a problem with settings: those have no
// column of evaluable trials.
func readInSheets(p *problem.Problem, name string) bool {
	fixed := []string{columnPlate, columnTicket, columnArm, columnArmToo, columnID, columnNote}
	for _, c := range p.Measured() {
		fixed = append(fixed, p.Objectives[c].Name, labelled(&p.Objectives[c]))
	}
	return slices.ContainsFunc(fixed, func(f string) bool { return strings.EqualFold(f, name) })
}

// readSheet reads results from a table, see [Campaign.TellSheet], of a batch, see
// [Campaign.TellBatch].
func readSheet(batch, name string, data []byte, p *problem.Problem) ([]Result, error) {
	if n := bytes.Count(data, []byte("\n")); n > MostRows {
		return nil, InputErrors{{Text: fmt.Sprintf("%s: %d lines; a table of results has at most %d: "+
			"tell it in parts", name, n, MostRows)}}
	}
	t, err := csvtable.Read(name, data)
	if err != nil {
		return nil, InputErrors{{Text: err.Error()}}
	}
	for _, row := range append(t.Rows, t.Columns) {
		for i, cell := range row {
			row[i] = csvtable.Unguard(cell)
		}
	}
	s, err := newSheet(t, p)
	if err != nil {
		return nil, InputErrors{{Where: name, Text: err.Error()}}
	}
	var results []Result
	var errs InputErrors
	for i := range t.Rows {
		r, problems := s.result(i)
		for _, e := range problems {
			e.Row = i + 1
			e.Where = fmt.Sprintf("%s:%d", name, t.Lines[i])
			errs = append(errs, e)
		}
		if len(errs) >= mostErrors {
			return nil, errs[:mostErrors]
		}
		if r == nil {
			continue
		}
		if batch != "" && r.Ticket == 0 && r.ID == "" {
			r.ID = fmt.Sprintf("%s:%d", batch, t.Lines[i])
		}
		results = append(results, *r)
	}
	if errs != nil {
		return nil, errs
	}
	return results, nil
}

// sheet is where the columns of a table are.
type sheet struct {
	table *csvtable.Table
	prob  *problem.Problem
	at    map[string]int // fixed columns
	value []int          // by objective that is measured
	which []int          // objectives that are measured
	of    int            // evaluable trials, -1 if there is no such column
	point []map[int]int  // by value: rows with a decimal point, and how many others have a comma
}

func newSheet(t *csvtable.Table, p *problem.Problem) (*sheet, error) {
	s := &sheet{table: t, prob: p, at: map[string]int{}, which: p.Measured(), of: -1}
	if column := p.Evaluable(); column != "" {
		s.of = t.Find(column)
	}
	for _, c := range s.which {
		o := &p.Objectives[c]
		at := t.Find(o.Name)
		if at < 0 {
			at = t.Find(labelled(o))
		}
		if at < 0 {
			return nil, fmt.Errorf("there is no column %q; there are %q", o.Name, t.Columns)
		}
		s.value = append(s.value, at)
		rows, commas := t.Numbers(at)
		others := map[int]int{}
		for _, i := range rows {
			others[i] = commas
		}
		s.point = append(s.point, others)
	}
	for _, f := range [][]string{{columnPlate}, {columnTicket}, {columnArm, columnArmToo}, {columnID},
		{columnNote}} {
		for _, name := range f {
			at := slices.IndexFunc(t.Columns, func(c string) bool {
				return strings.EqualFold(c, name)
			})
			if at >= 0 && !slices.Contains(s.value, at) {
				s.at[f[0]] = at
				break
			}
		}
	}
	_, ticket := s.at[columnTicket]
	_, arm := s.at[columnArm]
	if !ticket && !arm {
		return nil, fmt.Errorf("there is neither a column %q nor a column %q; there are %q",
			columnTicket, columnArm, t.Columns)
	}
	return s, nil
}

// labelled is the other name of the column of an objective: with its unit.
func labelled(o *problem.Objective) string { return o.Name + " [" + o.Unit + "]" }

// cell returns the text of row i in one of the fixed columns, empty if there is none.
func (s *sheet) cell(i int, column string) string {
	at, ok := s.at[column]
	if !ok || missing(s.table.Rows[i][at]) {
		return ""
	}
	return s.table.Rows[i][at]
}

// failedNote is a note which says that there is no value: "failed", also with a reason after it.
var failedNote = regexp.MustCompile(`(?i)^failed *($|[^\pL\pN ])`)

// missing reports whether a cell says that there is nothing.
func missing(cell string) bool { return cell == "" || cell == "NA" || cell == "NaN" }

// result returns what row i says, nil if it was not measured yet.
func (s *sheet) result(i int) (*Result, InputErrors) {
	var errs InputErrors
	bad := func(field string, err error) {
		errs = append(errs, &InputError{Field: field, Text: err.Error()})
	}
	row := s.table.Rows[i]
	empty, failed := 0, false
	for _, at := range s.value {
		if missing(row[at]) {
			empty++
		}
		failed = failed || strings.EqualFold(row[at], "failed")
	}
	noted := empty == len(s.value) && failedNote.MatchString(s.cell(i, columnNote))
	if empty == len(s.value) && !noted {
		return nil, nil
	}
	failed = failed || noted
	r := &Result{ID: s.cell(i, columnID), Arm: s.cell(i, columnArm), Note: s.cell(i, columnNote),
		Failed: failed, Noted: noted, Where: fmt.Sprintf("%s:%d", s.table.Name, s.table.Lines[i])}
	var err error
	if r.Ticket, err = whole(s.cell(i, columnTicket)); err != nil {
		bad(columnTicket, err)
	}
	if r.Plate, err = whole(s.cell(i, columnPlate)); err != nil {
		bad(columnPlate, err)
	}
	if failed {
		return r, errs
	}
	if s.of >= 0 && !missing(row[s.of]) {
		if r.Of, err = whole(row[s.of]); err != nil {
			bad(s.prob.Evaluable(), fmt.Errorf("%s; want the number of evaluable trials", csvtable.Short(row[s.of])))
		}
	}
	for j, at := range s.value {
		o := &s.prob.Objectives[s.which[j]]
		v, err := number(row[at], o.Unit)
		if others := s.point[j][i]; others > 0 && err == nil {
			err = fmt.Errorf("%s has a decimal point, and %d others of the column have a comma; write %s",
				csvtable.Short(row[at]), others, strings.Replace(row[at], ".", ",", 1))
		}
		if err != nil {
			if missing(row[at]) {
				err = errors.New("the cell is empty, and others of the row are not; give all " +
					"values, or write failed")
			} else if n := o.Noise.Counts; n != nil && strings.HasSuffix(row[at], "%") {
				err = fmt.Errorf("%s; want a whole number of successes of %d trials", csvtable.Short(row[at]), *n)
			} else if !strings.ContainsAny(row[at], "0123456789") {
				err = fmt.Errorf("%w; if there is no result, write failed", err)
			}
			bad(o.Name, err)
		}
		r.Values = append(r.Values, v)
	}
	return r, errs
}

// number returns the number in a cell, without the unit if that is the one of the problem.
func number(cell, unit string) (float64, error) {
	if unit != "" {
		cell = strings.TrimSpace(strings.TrimSuffix(cell, unit))
	}
	return csvtable.Number(cell)
}

// whole returns the positive whole number in a cell, also if a spreadsheet gave it decimals; 0 for
// none.
func whole(cell string) (int, error) {
	if cell == "" {
		return 0, nil
	}
	v, err := csvtable.Number(cell)
	if err != nil {
		if w, e := strconv.ParseFloat(strings.Replace(cell, ",", ".", 1), 64); e == nil {
			v, err = w, nil // 1,0 is a whole number where the comma is decimal
		}
	}
	if err != nil || v != math.Trunc(v) || v < 1 || v > 1e9 {
		return 0, fmt.Errorf("%s is not a number of the worksheet, such as 1 or 2",
			csvtable.Short(cell))
	}
	return int(v), nil
}

// TellSheet is Tell of the results of a table: a worksheet that was filled in, by hand or by a
// program, or any table with a column for each objective that is measured, and the columns ticket
// or candidate and id; plate and note may be there, and others are ignored. Name is that of the
// file, for errors.
//
// Cells are numbers with a decimal point. A row whose cells of objectives are all empty (or NA) is
// not measured yet, and left out; one of which a cell says "failed" has failed, also if that is its note
// ("failed: empty well") and there are no values. Cells have decimal commas instead of points if those
// of a column agree, in tables with semicolons or tabs. Tables with
// semicolons or tabs are read, and numbers of tickets that a spreadsheet turned into 1.0. What is
// wrong is InputErrors that name line and column. A table has at most [MostRows] lines.
func (c *Campaign) TellSheet(name string, data []byte, who string) (Receipt, error) {
	return c.TellBatch("", name, data, who)
}

// TellBatch is TellSheet of a table of unsolicited results, such as those of last year,
// which is called batch from now on: rows without a ticket and an id have the id batch:2, batch:3,
// and so on, by their line in the file. Told again under the same name nothing counts twice; rows
// may be added at the end; a row that is not what it was is an error that wraps ErrConflict.
// Another table needs another name. Without a name such rows are an error.
//
// (A name that is computed from the contents would not do: of two measurements with the same value
// one would be lost, or, if the file counted, all be told twice when a row is added.)
func (c *Campaign) TellBatch(batch, name string, data []byte, who string) (Receipt, error) {
	results, err := c.ReadBatch(batch, name, data)
	if err != nil {
		return Receipt{}, err
	}
	return c.Tell(results, who)
}

// ReadBatch returns what TellBatch tells, for [Campaign.Odd].
func (c *Campaign) ReadBatch(batch, name string, data []byte) ([]Result, error) {
	if !isLine(batch) {
		return nil, input("batch", wantLine, events.MostWho)
	}
	p, err := c.Problem()
	if err != nil {
		return nil, err
	}
	results, err := readSheet(problem.Normal(batch), name, data, p)
	if err == nil && len(results) == 0 {
		err = InputErrors{{Where: name, Text: "no row has a result yet; fill in the columns " +
			strings.Join(measured(p), ", ")}}
	}
	return results, err
}

// Values returns the values of a result by the names of the objectives, in the order that [Result]
// has. Errors are InputErrors.
func Values(p *problem.Problem, by map[string]float64) ([]float64, error) {
	var values []float64
	var errs InputErrors
	for _, name := range measured(p) {
		v, ok := by[name]
		if !ok {
			errs = append(errs, &InputError{Field: name,
				Text: "there is no value; give all values, or say that it failed"})
		}
		values = append(values, v)
	}
	names := measured(p)
	for name := range by {
		if !slices.Contains(names, name) {
			errs = append(errs, &InputError{Field: name,
				Text: "this is not measured; values are of " + strings.Join(names, ", ")})
		}
	}
	if errs != nil {
		slices.SortFunc(errs, byField)
		return nil, errs
	}
	return values, nil
}

func byField(a, b *InputError) int { return strings.Compare(a.Field, b.Field) }

// ParseValues is Values of numbers as people write them in cells, with or without the unit.
func ParseValues(p *problem.Problem, by map[string]string) ([]float64, error) {
	values := map[string]float64{}
	var errs InputErrors
	for name, cell := range by {
		unit := ""
		if c := p.Objective(name); c >= 0 {
			unit = p.Objectives[c].Unit
		}
		v, err := number(strings.TrimSpace(cell), unit)
		if err != nil {
			errs = append(errs, &InputError{Field: name, Text: err.Error()})
		}
		values[name] = v
	}
	if errs != nil {
		slices.SortFunc(errs, byField)
		return nil, errs
	}
	return Values(p, values)
}

// Fill fills in the values of a result from cells by name, see ParseValues: those of the objectives, and the
// number of evaluable trials by the name of its column, which may be left out if it is that of all.
func (r *Result) Fill(p *problem.Problem, by map[string]string) (err error) {
	rest := maps.Clone(by)
	if column := p.Evaluable(); column != "" {
		if cell := strings.TrimSpace(by[column]); !missing(cell) {
			if r.Of, err = whole(cell); err != nil {
				return InputErrors{{Field: column, Text: csvtable.Short(cell) + "; want the number of evaluable trials"}}
			}
		}
		delete(rest, column)
	}
	r.Values, err = ParseValues(p, rest)
	return err
}

// LargestSheet is the size in bytes of the largest table of results that is read.
const LargestSheet = csvtable.Largest

// MostRows is the number of lines of the longest table of results that is read at once. While it is
// taken, the campaign answers nobody; this many take a second.
const MostRows = 100_000
