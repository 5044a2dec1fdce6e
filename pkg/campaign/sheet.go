package campaign

import (
	"bytes"
	"cmp"
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
	// columnCampaign has the short id of the campaign of a worksheet or an export, and columnState and columnEvent are
	// those of exports.
	columnCampaign = problem.ColumnCampaign
	columnState    = "state"
	columnEvent    = "event"
)

// shortID is what worksheets call the campaign: text that no spreadsheet takes for a number. It is empty if the problem
// has another column of that name.
func (l *ledger) shortID() string {
	if ownCampaign(l.problem) {
		return ""
	}
	return "c" + l.id[:min(len(l.id), 5)]
}

// ownCampaign reports whether a problem has a column of its own that is called as that of the campaign.
func ownCampaign(p *problem.Problem) bool {
	return slices.ContainsFunc(append(filledIn(p), p.Candidates.SettingColumns()...),
		func(name string) bool { return strings.EqualFold(name, columnCampaign) })
}

// WriteSheet writes tickets as [WriteSheet] does, with a last column that names the campaign: other campaigns refuse
// the worksheet.
func (c *Campaign) WriteSheet(w io.Writer, tickets []Ticket) error {
	var p *problem.Problem
	var id string
	err := c.read(func(m *snapshot) error {
		p, id = m.ledger.problem, m.ledger.shortID()
		return nil
	})
	if err != nil {
		return err
	}
	return writeSheet(w, p, tickets, id)
}

// WriteSheet writes tickets as a worksheet: a table in which results are filled in, and which
// [Campaign.TellSheet] reads. Cells of results are empty. Features and categories of candidates are
// there for whoever measures, up to twenty columns of them, and are not read. Cells are separated as
// in the table of candidates. Wells of the reference have that as their note.
func WriteSheet(w io.Writer, p *problem.Problem, tickets []Ticket) error {
	return writeSheet(w, p, tickets, "")
}

// writeSheet is WriteSheet with a column of the campaign, if its short id is given.
func writeSheet(w io.Writer, p *problem.Problem, tickets []Ticket, id string) error {
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
	noted := len(row) - 1
	if id != "" {
		row = append(row, columnCampaign)
	}
	for i, name := range row {
		row[i] = csvtable.Guard(name)
	}
	if err := out.Write(row); err != nil {
		return err
	}
	numbers := p.Numbers()
	for _, t := range tickets {
		clear(row)
		row[0], row[1] = strconv.Itoa(t.Plate), strconv.Itoa(t.Ticket)
		row[2] = csvtable.Guard(t.Arm)
		if i, ok := numbers[t.Arm]; ok && len(at) > 0 {
			cells := p.Candidates.Settings(i)
			for j, c := range at {
				row[3+j] = csvtable.Guard(cells[c])
			}
		}
		if t.Reference {
			row[noted] = "reference"
		}
		if id != "" {
			row[noted+1] = id
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

// readSheet reads results from a table, see [Campaign.TellSheet], of a batch, see [Campaign.TellBatch], for the
// campaign with a short id. Notes say what of the table was not taken as it is.
func readSheet(batch, name string, data []byte, p *problem.Problem, id string) (results []Result, notes []string,
	err error) {
	if n := max(bytes.Count(data, []byte("\n")), bytes.Count(data, []byte("\r"))); n > MostRows {
		return nil, nil, InputErrors{{Text: fmt.Sprintf("%s: %d lines; a table of results has at most %d: "+
			"tell it in parts", name, n, MostRows)}}
	}
	t, err := csvtable.Read(name, data)
	if err != nil {
		return nil, nil, InputErrors{{Text: err.Error()}}
	}
	for _, row := range append(t.Rows, t.Columns) {
		for i, cell := range row {
			row[i] = csvtable.Unguard(cell)
		}
	}
	if err := t.Units(); err != nil {
		return nil, nil, InputErrors{{Row: 1, Text: err.Error()}}
	}
	s, err := newSheet(t, p, batch != "")
	if err != nil {
		return nil, nil, InputErrors{{Where: name, Text: err.Error()}}
	}
	var errs InputErrors
	for n := range len(t.Rows) * len(s.each) {
		i, k := n%len(t.Rows), n/len(t.Rows)
		if i == 0 && len(s.each) > 1 {
			s.value[0], s.number[0] = s.each[k], t.Numbers(s.each[k], p.Objectives[s.which[0]].Unit)
		}
		r, problems := s.result(i)
		if of := s.cell(i, columnCampaign); r != nil && of != "" && id != "" {
			text := ""
			switch own := strings.EqualFold(of, id); {
			case own && batch != "":
				text = "the row is of this campaign; leave out --batch, so that it counts once, by its ticket or id"
			case !own && r.Ticket > 0:
				text = fmt.Sprintf("the row is of campaign %s, and this is campaign %s; tell it to the other one, or "+
					"take it as a batch without tickets, by --batch NAME", csvtable.Short(of), id)
			}
			if text != "" {
				return nil, nil, InputErrors{{Where: fmt.Sprintf("%s:%d", name, t.Lines[i]), Row: i + 1,
					Field: columnCampaign, Text: text, Conflict: true}}
			}
		}
		for _, e := range problems {
			e.Row = i + 1
			e.Where = fmt.Sprintf("%s:%d", name, t.Lines[i])
			errs = append(errs, e)
		}
		if len(errs) >= mostErrors {
			return nil, nil, errs[:mostErrors]
		}
		if r == nil {
			continue
		}
		if batch != "" && r.ID == "" {
			r.ID = fmt.Sprintf("%s:%d", batch, t.Lines[i])
			if len(s.each) > 1 {
				r.ID += fmt.Sprintf(".%d", k+1)
			}
		}
		results = append(results, *r)
	}
	if errs != nil {
		return nil, nil, errs
	}
	return results, s.notes(), nil
}

// sheet is where the columns of a table are, and which rows are not taken as they are.
type sheet struct {
	table   *csvtable.Table
	prob    *problem.Problem
	batch   bool
	at      map[string]int // fixed columns
	value   []int          // by objective that is measured
	each    []int          // of the only objective: the columns of its replicates, or one
	number  []func(int) (float64, error)
	which   []int    // objectives that are measured
	of      int      // evaluable trials, -1 if there is no such column
	ignored []string // columns of tickets, where the table is a batch
	unread  []int    // columns of which nothing is known

	empty, undone, noted []int // rows: without a value, undone in an export, failed by their notes
}

func newSheet(t *csvtable.Table, p *problem.Problem, batch bool) (*sheet, error) {
	s := &sheet{table: t, prob: p, batch: batch, at: map[string]int{}, which: p.Measured(), of: -1, each: []int{-1}}
	if column := p.Evaluable(); column != "" {
		s.of = t.Find(column)
	}
	for _, c := range s.which {
		o := &p.Objectives[c]
		at := t.Find(o.Name)
		if at < 0 {
			at = t.Find(labelled(o))
		}
		if s.each = []int{at}; at < 0 && batch && len(s.which) == 1 {
			s.each = nil
			numbered := regexp.MustCompile(`(?i)^(` + regexp.QuoteMeta(o.Name) + `|rep(licate)?)[ _.-]*(rep(licate)?)?[ _.-]*\d+$`)
			for j, name := range t.Columns {
				if numbered.MatchString(name) {
					s.each, at = append(s.each, j), j
				}
			}
		}
		if at < 0 {
			return nil, fmt.Errorf("there is no column %q among %q; give results that name, and each measurement a row",
				o.Name, t.Columns)
		}
		s.value, s.number = append(s.value, at), append(s.number, t.Numbers(at, o.Unit))
	}
	find := func(names ...string) {
		for _, name := range names {
			at := slices.IndexFunc(t.Columns, func(c string) bool { return name != "" && strings.EqualFold(c, name) })
			if at >= 0 && !slices.Contains(s.value, at) {
				s.at[names[0]] = at
				return
			}
		}
	}
	for _, name := range []string{columnPlate, columnTicket, columnID, columnNote} {
		find(name)
	}
	if !ownCampaign(p) {
		find(columnCampaign)
	}
	if t.Find(columnEvent) >= 0 {
		find(columnState)
	}
	find(columnArm, columnArmToo, p.Candidates.Column)
	if arm, ok := s.at[columnArm]; ok { // names may be in a column "id"
		maps.DeleteFunc(s.at, func(name string, at int) bool { return at == arm && name != columnArm })
	}
	if batch {
		for _, name := range []string{columnTicket, columnPlate} {
			at, ok := s.at[name]
			if ok && slices.ContainsFunc(t.Rows, func(row []string) bool { return !missing(row[at]) }) {
				s.ignored = append(s.ignored, strconv.Quote(name))
			}
			delete(s.at, name)
		}
	}
	_, ticket := s.at[columnTicket]
	_, arm := s.at[columnArm]
	switch {
	case arm:
	case batch:
		return nil, fmt.Errorf("there is no column %q, which a table of unsolicited results needs; there are %q",
			cmp.Or(p.Candidates.Column, columnArm), t.Columns)
	case !ticket:
		return nil, fmt.Errorf("there is neither a column %q nor a column %q; there are %q",
			columnTicket, cmp.Or(p.Candidates.Column, columnArm), t.Columns)
	}
	known := append(p.Candidates.SettingColumns(), columnCampaign)
	if t.Find(columnEvent) >= 0 { // an export
		known = append(known, columnEvent, columnState, "at", "who")
	}
	if batch {
		known = append(known, columnTicket, columnPlate)
	}
	read := slices.Concat(s.value, s.each, []int{s.of}, slices.Collect(maps.Values(s.at)))
	for at, name := range t.Columns {
		if !slices.Contains(read, at) &&
			!slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, name) }) {
			s.unread = append(s.unread, at)
		}
	}
	return s, nil
}

// column returns the number of a fixed column, -1 if there is none.
func (s *sheet) column(name string) int {
	if at, ok := s.at[name]; ok {
		return at
	}
	return -1
}

// notes says what of the table was not taken as it is.
func (s *sheet) notes() (list []string) {
	t := s.table
	say := func(format string, args ...any) { list = append(list, t.Name+": "+fmt.Sprintf(format, args...)) }
	if s.ignored != nil {
		say("ignored: %s; the rows of a batch are unsolicited results", strings.Join(s.ignored, ", "))
	}
	var unread []string
	for _, at := range s.unread {
		unread = append(unread, strconv.Quote(t.Columns[at]))
	}
	if unread != nil {
		say("not read: %s; each row counts as one measurement, also a mean of several: give each its own row",
			strings.Join(unread, ", "))
	}
	for _, x := range []struct {
		rows []int
		text string
	}{{s.empty, "without a value, left out"}, {s.undone, "undone or of the reference in the export, left out"},
		{s.noted, "taken as failed, as the note says"}} {
		if x.rows != nil {
			say("%s (%s) %s", counted(len(x.rows), "row", "rows"), t.Listed(x.rows), x.text)
		}
	}
	return list
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
	state := s.cell(i, columnState)
	if state == "undone" || state == "reference" && s.batch {
		s.undone = append(s.undone, i)
		return nil, nil
	}
	empty, failed := 0, state == string(Failed)
	for _, at := range s.value {
		if missing(row[at]) {
			empty++
		}
		failed = failed || strings.EqualFold(row[at], "failed")
	}
	if empty == len(s.value) && !failed {
		if !failedNote.MatchString(s.cell(i, columnNote)) {
			s.empty = append(s.empty, i)
			return nil, nil
		}
		failed = true
		s.noted = append(s.noted, i)
	}
	r := &Result{ID: s.cell(i, columnID), Arm: s.cell(i, columnArm), Note: s.cell(i, columnNote),
		Failed: failed, Where: fmt.Sprintf("%s:%d", s.table.Name, s.table.Lines[i])}
	var err error
	if r.Ticket, err = s.whole(i, s.column(columnTicket)); err != nil {
		bad(columnTicket, err)
	}
	if r.Plate, err = s.whole(i, s.column(columnPlate)); err != nil {
		bad(columnPlate, err)
	}
	if failed {
		return r, errs
	}
	if r.Of, err = s.whole(i, s.of); err != nil {
		bad(s.prob.Evaluable(), err)
	}
	for j, at := range s.value {
		o := &s.prob.Objectives[s.which[j]]
		v, err := s.number[j](i)
		if err == nil {
			err = successes(o, v, row[at])
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
	for _, at := range s.unread {
		if failedNote.MatchString(row[at]) {
			bad(s.table.Columns[at], fmt.Errorf("%s, and the row has values; clear one of the two",
				csvtable.Short(row[at])))
		}
	}
	return r, errs
}

// successes returns an error if the value in a cell counts successes, and its point may separate thousands.
func successes(o *problem.Objective, v float64, cell string) error {
	if o.Noise.Counts == nil || v != math.Trunc(v) {
		return nil
	}
	_, err := csvtable.Whole(cell)
	return err
}

// whole returns the whole number, from 1 on, in row i of a column; 0 if there is none.
func (s *sheet) whole(i, column int) (int, error) {
	if column < 0 || missing(s.table.Rows[i][column]) {
		return 0, nil
	}
	return positive(s.table.Whole(i, column))
}

// positive returns an error unless a number is at least 1.
func positive(n int, err error) (int, error) {
	if err == nil && n < 1 {
		err = fmt.Errorf("%d is not at least 1; use e.g. 8", n)
	}
	if err != nil {
		return 0, err
	}
	return n, nil
}

// TellSheet is Tell of the results of a table: a worksheet that was filled in, by hand or by a
// program, or any table with a column for each objective that is measured, and the columns ticket
// or candidate and id; plate, note and campaign may be there, and others are ignored. The candidate may be in a column
// that is called as that of the names in the table of candidates. A worksheet of another campaign is an error that
// wraps ErrConflict. Name is that of the file, for errors. Notes of the receipt say what was left out or ignored.
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
// which is called batch from now on: rows without an id have the id batch:2, batch:3,
// and so on, by their line in the file. Tickets and plates in it are those of another campaign, and are ignored. The
// monitors take a batch for a plate. Told again under the same name nothing counts twice; rows
// may be added at the end; a row that is not what it was is an error that wraps ErrConflict.
// Another table needs another name. Without a name such rows are an error.
//
// (A name that is computed from the contents would not do: of two measurements with the same value
// one would be lost, or, if the file counted, all be told twice when a row is added.)
func (c *Campaign) TellBatch(batch, name string, data []byte, who string) (Receipt, error) {
	results, notes, err := c.ReadBatch(batch, name, data)
	if err != nil {
		return Receipt{}, err
	}
	r, err := c.Tell(results, who)
	r.Notes = notes
	return r, err
}

// ReadBatch returns what TellBatch tells, for [Campaign.Odd], and the notes of the receipt.
func (c *Campaign) ReadBatch(batch, name string, data []byte) (results []Result, notes []string, err error) {
	if !isLine(batch) {
		return nil, nil, input("batch", wantLine, events.MostWho)
	}
	var p *problem.Problem
	var id string
	err = c.read(func(m *snapshot) error {
		p, id = m.ledger.problem, m.ledger.shortID()
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	results, notes, err = readSheet(problem.Normal(batch), name, data, p, id)
	if err == nil && len(results) == 0 {
		err = InputErrors{{Where: name, Text: "no row has a result yet; fill in the columns " +
			strings.Join(measured(p), ", ")}}
	}
	return results, notes, err
}

// Fill fills in the values of a result from cells by name, numbers as people write them, with or without the unit:
// those of the objectives, and the number of evaluable trials by the name of its column, which may be left out if it is
// that of all. Errors are InputErrors in the order of the names.
func (r *Result) Fill(p *problem.Problem, by map[string]string) error {
	var errs InputErrors
	bad := func(field string, err error) { errs = append(errs, &InputError{Field: field, Text: err.Error()}) }
	names, column := measured(p), p.Evaluable()
	for _, name := range slices.Sorted(maps.Keys(by)) {
		if name != column && !slices.Contains(names, name) {
			bad(name, fmt.Errorf("this is not measured; values are of %s", strings.Join(names, ", ")))
		}
	}
	if cell := strings.TrimSpace(by[column]); column != "" && !missing(cell) {
		var err error
		if r.Of, err = positive(csvtable.Whole(cell)); err != nil {
			bad(column, err)
		}
	}
	var values []float64
	for _, name := range names {
		o := &p.Objectives[p.Objective(name)]
		cell, given := by[name]
		v, err := csvtable.Number(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(cell), o.Unit)))
		if !given {
			err = errors.New("there is no value; give all values, or say that it failed")
		} else if err == nil {
			err = successes(o, v, cell)
		}
		if err != nil {
			bad(name, err)
		}
		values = append(values, v)
	}
	if errs != nil {
		slices.SortStableFunc(errs, func(a, b *InputError) int { return strings.Compare(a.Field, b.Field) })
		return errs
	}
	r.Values = values
	return nil
}

// LargestSheet is the size in bytes of the largest table of results that is read.
const LargestSheet = csvtable.Largest

// MostRows is the number of lines of the longest table of results that is read at once. While it is
// taken, the campaign answers nobody; this many take a second.
const MostRows = 100_000
