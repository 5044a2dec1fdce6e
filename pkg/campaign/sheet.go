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

// The following constants are names of the columns of worksheets, apart from the columns of
// objectives.
const (
	columnPlate  = problem.ColumnPlate
	columnTicket = problem.ColumnTicket
	columnArm    = problem.ColumnCandidate
	columnArmToo = "arm"
	columnID     = "id"
	columnNote   = problem.ColumnNote
	// columnCampaign holds the short id of the campaign; columnState and columnEvent occur in
	// exports.
	columnCampaign = problem.ColumnCampaign
	columnState    = "state"
	columnEvent    = "event"
	// columnSummed holds the number of measurements of each summary, in exports.
	columnSummed = "replicates"
)

// shortID returns the id of the campaign in worksheets, a text that no spreadsheet takes for a
// number. The id is empty if a column of the problem has the name of the campaign column.
func (l *ledger) shortID() string {
	if ownCampaign(l.problem) {
		return ""
	}
	return "c" + l.id[:min(len(l.id), 5)]
}

// ownCampaign reports whether a column of the problem has the name of the campaign column.
func ownCampaign(p *problem.Problem) bool {
	return slices.ContainsFunc(append(filledIn(p), p.Candidates.SettingColumns()...),
		func(name string) bool { return strings.EqualFold(name, columnCampaign) })
}

// WriteSheet writes tickets as a worksheet, with an additional last column that identifies the
// campaign. Other campaigns reject a worksheet with this column.
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

// WriteSheet writes tickets as a worksheet with empty cells for results. [Campaign.TellSheet] reads
// the completed worksheet. If there are at most twenty columns of features and categories, the
// worksheet shows them to the operator; TellSheet ignores these columns. The separator of cells is
// that of the table of candidates. Rows of reference wells have a note.
func WriteSheet(w io.Writer, p *problem.Problem, tickets []Ticket) error {
	return writeSheet(w, p, tickets, "")
}

// writeSheet writes the worksheet of WriteSheet, with a campaign column if id is not empty.
func writeSheet(w io.Writer, p *problem.Problem, tickets []Ticket, id string) error {
	out := csv.NewWriter(w)
	if s := p.Candidates.Separator; s == ";" || s == "\t" {
		out.Comma = rune(s[0])
	}
	names := filledIn(p)
	var settings []string
	var at []int // indices of setting columns that TellSheet does not read
	for i, name := range settingColumns(p) {
		if !readInSheets(p, name) {
			settings, at = append(settings, name), append(at, i)
		}
	}
	row := slices.Concat([]string{columnPlate, columnTicket, columnArm}, settings, names, []string{columnNote})
	noted := len(row) - 1
	if id != "" {
		row = append(row, columnCampaign)
	}
	for i, name := range row {
		row[i] = csvtable.Guard(name)
	}
	_ = out.Write(row) // out.Error returns the first error
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
		_ = out.Write(row)
	}
	out.Flush()
	return out.Error()
}

// filledIn returns the names of the columns to fill in: the objectives and the number of evaluable
// trials.
func filledIn(p *problem.Problem) []string {
	names := measured(p)
	if column := p.Evaluable(); column != "" {
		names = append(names, column)
	}
	return names
}

// readInSheets reports whether TellSheet reads a column of the given name in worksheets of problem
// p. Problems with settings have no column of evaluable trials.
func readInSheets(p *problem.Problem, name string) bool {
	fixed := []string{columnPlate, columnTicket, columnArm, columnArmToo, columnID, columnNote}
	for _, c := range p.Measured() {
		fixed = append(fixed, problem.Headings(p.Objectives[c].Name, p.Objectives[c].Unit)...)
	}
	return slices.ContainsFunc(fixed, func(f string) bool { return strings.EqualFold(f, name) })
}

// readSheet reads results from a table for the campaign with the given short id; see
// [Campaign.TellSheet]. If batch is not empty, the table is a batch; see
// [Campaign.TellBatch]. The argument replicates has the same meaning as in
// [Campaign.ReadBatch]. The notes describe the parts of the table that were ignored.
func readSheet(batch, replicates, name string, data []byte, p *problem.Problem, id string) (results []Result,
	notes []string, err error) {
	if n := max(bytes.Count(data, []byte("\n")), bytes.Count(data, []byte("\r"))); n > MostRows {
		return nil, nil, InputErrors{{Text: fmt.Sprintf("%s: %d lines; expected at most %d; split the "+
			"table", name, n, MostRows)}}
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
	s, err := newSheet(t, p, batch != "", replicates)
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
				text = "the row has a ticket or id of this campaign; omit --batch, so that the row counts only once"
			case !own && r.Ticket > 0:
				text = fmt.Sprintf("the row belongs to campaign %s, but this is campaign %s; report the row "+
					"there, or report the table as unsolicited results with --batch NAME", csvtable.Short(of), id)
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

// sheet holds the columns of a table, and lists rows that were ignored or reinterpreted.
type sheet struct {
	table   *csvtable.Table
	prob    *problem.Problem
	batch   bool
	at      map[string]int // index of fixed columns, by name
	value   []int          // column of each measured objective
	each    []int          // columns of the replicates, or of the single values if there is one objective
	number  []func(int) (float64, error)
	which   []int    // indices of measured objectives
	of      int      // column with the number of evaluable trials, or -1
	summed  int      // column with the number of measurements in each row, or -1
	ignored []string // columns of tickets and plates, which a batch ignores
	unread  []int    // columns with unknown names

	// The following fields list rows: rows without a value, rows with values of only some
	// objectives, undone rows or reference rows of an export, and rows with a note "failed".
	empty, partial, undone, noted []int
}

func newSheet(t *csvtable.Table, p *problem.Problem, batch bool, replicates string) (*sheet, error) {
	s := &sheet{table: t, prob: p, batch: batch, at: map[string]int{}, which: p.Measured(), of: -1, each: []int{-1},
		summed: t.Find(replicates)}
	if column := p.Evaluable(); column != "" {
		s.of = t.Find(column)
	}
	for _, c := range s.which {
		o := &p.Objectives[c]
		at := problem.ColumnOf(t, o.Name, o.Unit)
		if s.each = []int{at}; at < 0 && batch && len(s.which) == 1 {
			if s.each = problem.ReplicateColumns(t, o.Name); s.each != nil {
				at = s.each[len(s.each)-1]
			}
		}
		if at < 0 {
			return nil, fmt.Errorf("no column %q; the columns are %q; rename the column of this "+
				"objective, and give each measurement a row", o.Name, t.Columns)
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
	export := t.Find(columnEvent) >= 0 && t.Find(columnState) >= 0
	if export {
		find(columnState)
	}
	switch {
	case replicates == "" && export && !slices.Contains(s.value, t.Find(columnSummed)):
		s.summed = t.Find(columnSummed)
	case replicates != "" && (s.summed < 0 || slices.Contains(s.value, s.summed) ||
		replicates == columnTicket || replicates == columnPlate):
		return nil, fmt.Errorf("no column %q with the number of measurements of each row; the columns are %q",
			replicates, t.Columns)
	case replicates != "" && len(s.each) > 1:
		return nil, fmt.Errorf("the table has columns of replicates, but the column %q counts the measurements in a "+
			"summary; use only one of the two forms", replicates)
	}
	find(columnArm, columnArmToo, p.Candidates.Column)
	if arm, ok := s.at[columnArm]; ok { // the column "id" may contain the names of candidates
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
		return nil, fmt.Errorf("no column %q with the candidates of unsolicited results; the columns are %q",
			cmp.Or(p.Candidates.Column, columnArm), t.Columns)
	case !ticket:
		return nil, fmt.Errorf("no column %q or %q that identifies the measurements; the columns are %q",
			columnTicket, cmp.Or(p.Candidates.Column, columnArm), t.Columns)
	}
	known := append(p.Candidates.SettingColumns(), columnCampaign)
	if export {
		known = append(known, columnEvent, columnState, "at", "who")
	}
	if batch {
		known = append(known, columnTicket, columnPlate)
	}
	read := slices.Concat(s.value, s.each, []int{s.of, s.summed}, slices.Collect(maps.Values(s.at)))
	for at, name := range t.Columns {
		if !slices.Contains(read, at) &&
			!slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, name) }) {
			s.unread = append(s.unread, at)
		}
	}
	return s, nil
}

// column returns the index of a fixed column, or -1 if the table lacks the column.
func (s *sheet) column(name string) int {
	if at, ok := s.at[name]; ok {
		return at
	}
	return -1
}

// notes describes the parts of the table that were ignored or reinterpreted.
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
		hint := "; each row counts as one measurement. If rows are means or totals of several measurements, " +
			"use 'purexp campaign tell --replicates n'"
		if s.summed >= 0 {
			hint = ""
		}
		say("ignored: %s%s", strings.Join(unread, ", "), hint)
	}
	for _, x := range []struct {
		rows []int
		text string
	}{{s.empty, "skipped: no value"}, {s.undone, "skipped: undone, or for the reference"},
		{s.partial, "skipped, and still pending: a value is missing. Report the row again with all values, or " +
			"with \"failed\""},
		{s.noted, "counted as failed because of the note"}} {
		if x.rows != nil {
			say("%s (%s) %s", counted(len(x.rows), "row", "rows"), t.Listed(x.rows), x.text)
		}
	}
	return list
}

// cell returns the text of row i in the named fixed column, or "".
func (s *sheet) cell(i int, column string) string {
	at, ok := s.at[column]
	if !ok || missing(s.table.Rows[i][at]) {
		return ""
	}
	return s.table.Rows[i][at]
}

// failedNote matches a note that says why a value is missing: "failed", optionally with a reason.
var failedNote = regexp.MustCompile(`(?i)^failed *($|[^\pL\pN ])`)

// missing reports whether a cell contains no value: it is empty, NA or NaN.
func missing(cell string) bool { return cell == "" || cell == "NA" || cell == "NaN" }

// result returns the result in row i, or nil if the row has not been measured yet.
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
	if s.summed >= 0 {
		if r.N, err = positive(s.table.Whole(i, s.summed)); err != nil {
			bad(s.table.Columns[s.summed], err)
		}
	}
	for j, at := range s.value {
		if missing(row[at]) && r.Ticket > 0 {
			continue
		}
		o := &s.prob.Objectives[s.which[j]]
		v, err := s.number[j](i)
		if err == nil {
			err = successes(o, v, row[at])
		}
		if err != nil {
			if missing(row[at]) {
				err = errors.New("the cell is empty, but other cells of the row have values; fill in all values, " +
					"or write \"failed\"")
			} else if n := o.Noise.Counts; n != nil && strings.HasSuffix(row[at], "%") {
				err = fmt.Errorf("%s; expected a whole number of successes in %d trials", csvtable.Short(row[at]),
					*n*max(r.N, 1))
			} else if !strings.ContainsAny(row[at], "0123456789") {
				err = fmt.Errorf("%w; if there is no result, write \"failed\"", err)
			}
			bad(o.Name, err)
		}
		r.Values = append(r.Values, v)
	}
	if len(r.Values) < len(s.value) && errs == nil {
		s.partial = append(s.partial, i)
		return nil, nil
	}
	for _, at := range s.unread {
		if failedNote.MatchString(row[at]) {
			bad(s.table.Columns[at], fmt.Errorf("%s, but the row has values; clear the cell, or clear the values",
				csvtable.Short(row[at])))
		}
	}
	return r, errs
}

// successes returns an error if a count in a cell may contain a thousands separator.
func successes(o *problem.Objective, v float64, cell string) error {
	if o.Noise.Counts == nil || v != math.Trunc(v) {
		return nil
	}
	_, err := csvtable.Whole(cell)
	return err
}

// whole returns the positive whole number in row i of a column, or 0 if the cell is empty.
func (s *sheet) whole(i, column int) (int, error) {
	if column < 0 || missing(s.table.Rows[i][column]) {
		return 0, nil
	}
	return positive(s.table.Whole(i, column))
}

func positive(n int, err error) (int, error) {
	if err == nil && n < 1 {
		err = fmt.Errorf("%d is less than 1; use e.g. 8", n)
	}
	if err != nil {
		return 0, err
	}
	return n, nil
}

// TellSheet reports the results in a table, such as a worksheet that was filled in. The table needs
// a column for each measured objective and either the column "ticket", or the columns "candidate"
// and "id". The columns plate, note and campaign are optional, and other columns are ignored. The
// column of candidates may have the same name as in the table of candidates. For a worksheet of
// another campaign, the error wraps ErrConflict. The argument name is the name of the file in
// errors. Notes in the receipt describe the ignored parts of the table.
//
// Cells are numbers with a decimal point; in tables with semicolons or tabs, a column may use
// decimal commas consistently. A row without values (empty or NA) has not been measured yet and is
// skipped. A row that has a ticket but lacks the value of an objective is also skipped. A row with
// a cell "failed", or with a note "failed" and no values, counts as failed. Ticket numbers such as
// 1.0 are accepted. Errors of TellSheet are InputErrors that name the line and the column. A table
// has at most [MostRows] lines.
func (c *Campaign) TellSheet(name string, data []byte, who string) (Receipt, error) {
	return c.TellBatch("", name, data, who)
}

// TellBatch works like TellSheet, for a table of unsolicited results, such as results of the
// previous year. The argument batch names the table: rows without an id get ids from their lines,
// such as batch:2 and batch:3. If batch is empty, a row without an id is an error. TellBatch
// ignores tickets and plates in the table. The monitors treat a batch as a plate. If the same batch
// is reported again, each row is still recorded only once. Rows may be added at the end; for a
// changed row, the error wraps ErrConflict. Each table of unsolicited results needs a different
// batch name.
//
// Ids are not computed from the contents, because one of two measurements with equal values would
// then be lost. Numbering the equal rows would not help, because an inserted row would change the
// ids of later equal rows.
func (c *Campaign) TellBatch(batch, name string, data []byte, who string) (Receipt, error) {
	results, notes, err := c.ReadBatch(batch, "", name, data)
	if err != nil {
		return Receipt{}, err
	}
	r, err := c.Tell(results, who)
	r.Notes = append(notes, r.Notes...)
	return r, err
}

// ReadBatch returns the results that TellBatch would report, and the notes of the receipt; the
// results can be passed to [Campaign.Odd]. If replicates is not empty, it names the column with the
// number of measurements that each row summarises; see [Result]. ReadBatch then returns an error if
// the method needs the scatter of single results.
func (c *Campaign) ReadBatch(batch, replicates, name string, data []byte) (results []Result, notes []string,
	err error) {
	if !isLine(batch) {
		return nil, nil, input("batch", wantLine, events.MostWho)
	}
	var p *problem.Problem
	var id string
	err = c.read(func(m *snapshot) error {
		p, id = m.ledger.problem, m.ledger.shortID()
		if why := m.ledger.unsummed(0); replicates != "" && why != "" {
			return input("replicates", "the rows of %s cannot be summaries: %s", name, why)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	results, notes, err = readSheet(problem.Normal(batch), problem.Normal(replicates), name, data, p, id)
	if err == nil && len(results) == 0 {
		err = InputErrors{{Where: name, Text: "no row has a result yet; fill in the values of " +
			strings.Join(measured(p), ", ")}}
	}
	return results, notes, err
}

// Fill sets the values of a result from cells by name: the objectives, and optionally the number of
// evaluable trials. Numbers may be written with or without the unit. Errors of Fill are InputErrors
// in the order of the names.
func (r *Result) Fill(p *problem.Problem, by map[string]string) error {
	var errs InputErrors
	bad := func(field string, err error) { errs = append(errs, &InputError{Field: field, Text: err.Error()}) }
	names, column := measured(p), p.Evaluable()
	for _, name := range slices.Sorted(maps.Keys(by)) {
		if name != column && !slices.Contains(names, name) {
			bad(name, fmt.Errorf("not a measured objective; expected one of %s", strings.Join(names, ", ")))
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
			err = errors.New("the value is missing; give all values, or mark the result as failed")
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

// LargestSheet is the largest size in bytes of a table of results.
const LargestSheet = csvtable.Largest

// MostRows is the largest number of lines in a table of results. The campaign handles no other
// requests while it records the results of a table.
const MostRows = 100_000
