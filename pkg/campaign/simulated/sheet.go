package simulated

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/internal/csvtable"
)

// FillIn writes the worksheet of p with the results of its tickets. Rows that have a result stay as they are, and
// those of late results stay empty: see [Laboratory.Results]. Numbers have decimal commas where semicolons
// separate cells, as spreadsheets of such countries write them. Name is that of the worksheet, for errors.
func (l *Laboratory) FillIn(w io.Writer, p *problem.Problem, name string, worksheet []byte) error {
	t, err := csvtable.Read(name, worksheet)
	if err != nil {
		return err
	}
	for j, column := range t.Columns {
		t.Columns[j] = csvtable.Unguard(column)
	}
	s := sheet{Table: t}
	if err := s.columns(p); err != nil {
		return err
	}
	tickets, err := s.tickets()
	if err != nil {
		return err
	}
	results, err := l.Results(p, tickets)
	if err != nil {
		return err
	}
	for i := range results {
		s.fill(&results[i])
	}
	return s.write(w)
}

// A sheet is a worksheet that is filled in.
type sheet struct {
	*csvtable.Table
	ticket, plate, candidate int
	values                   []int // by objective that is measured
	evaluable                int   // -1 if there is no such column
	row                      map[int]int
}

// columns finds the columns.
func (s *sheet) columns(p *problem.Problem) (err error) {
	at := func(name string) (j int) {
		if err == nil {
			j, err = s.Column(name)
		}
		return j
	}
	s.ticket, s.plate, s.candidate = at(problem.ColumnTicket), at(problem.ColumnPlate), at(problem.ColumnCandidate)
	for _, c := range p.Measured() {
		s.values = append(s.values, at(p.Objectives[c].Name))
	}
	s.evaluable = s.Find(p.Evaluable())
	if err != nil {
		return fmt.Errorf("%w; want a worksheet of 'purexp campaign ask'", err)
	}
	return nil
}

// tickets returns those of rows without results.
func (s *sheet) tickets() (list []campaign.Ticket, err error) {
	s.row = map[int]int{}
	for i, row := range s.Rows {
		empty := true
		for _, j := range s.values {
			empty = empty && row[j] == ""
			row[j] = s.decimal(row[j]) // reading took the comma away
		}
		if !empty {
			continue
		}
		t := campaign.Ticket{Arm: csvtable.Unguard(row[s.candidate])}
		for j, n := range map[int]*int{s.ticket: &t.Ticket, s.plate: &t.Plate} {
			if *n, err = strconv.Atoi(row[j]); err != nil {
				return nil, fmt.Errorf("%s: %s is no whole number; want a worksheet of 'purexp campaign ask'",
					s.Where(i, j), csvtable.Short(row[j]))
			}
		}
		s.row[t.Ticket] = i
		list = append(list, t)
	}
	return list, nil
}

// fill writes a result into its row.
func (s *sheet) fill(r *campaign.Result) {
	row := s.Rows[s.row[r.Ticket]]
	if r.Failed {
		row[s.values[0]] = "failed"
		return
	}
	for k, j := range s.values {
		row[j] = s.decimal(strconv.FormatFloat(r.Values[k], 'f', -1, 64))
	}
	if s.evaluable >= 0 && r.Of > 0 {
		row[s.evaluable] = strconv.Itoa(r.Of)
	}
}

// decimal writes a number as the spreadsheet does. Three decimals after a comma would as well be thousands, so that
// they are four.
func (s *sheet) decimal(text string) string {
	if s.Comma != ';' {
		return text
	}
	if _, decimals, _ := strings.Cut(text, "."); len(decimals) == 3 {
		text += "0"
	}
	return strings.Replace(text, ".", ",", 1)
}

// write writes the table as it was separated.
func (s *sheet) write(w io.Writer) error {
	out := csv.NewWriter(w)
	out.Comma = s.Comma
	header := make([]string, len(s.Columns))
	for j, column := range s.Columns {
		header[j] = csvtable.Guard(column)
	}
	if err := out.Write(header); err != nil {
		return err
	}
	return out.WriteAll(s.Rows)
}
