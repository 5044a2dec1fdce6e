package runner

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/internal/csvtable"
)

// Columns are what is known of candidates: values by column, by candidate.
type Columns map[string]map[string]string

// ReadColumns reads all columns of a table of candidates, whose names are in the first one. Name is
// that of the file, for errors.
func ReadColumns(name string, data []byte) (Columns, error) {
	t, err := csvtable.Read(name, data)
	if err != nil {
		return nil, fmt.Errorf("runner: %w", err)
	}
	all := Columns{}
	for at, column := range t.Columns {
		values := map[string]string{}
		for i, row := range t.Rows {
			arm := problem.Normal(csvtable.Unguard(row[0]))
			if _, twice := values[arm]; twice {
				return nil, fmt.Errorf("runner: %s: %q is there twice", t.Where(i, 0), arm)
			}
			values[arm] = csvtable.Unguard(row[at])
		}
		all[csvtable.Unguard(column)] = values
	}
	return all, nil
}

// ColumnsOf returns the columns of the table of candidates that a problem uses: features,
// categories and values that are known. Others are not kept in a campaign.
func ColumnsOf(p *problem.Problem) Columns {
	all := Columns{}
	add := func(column string, value func(i int) string) {
		all[column] = make(map[string]string, p.K())
		for i, arm := range p.Candidates.Names {
			all[column][arm] = value(i)
		}
	}
	for j, column := range p.Candidates.SettingColumns() {
		add(column, func(i int) string { return p.Candidates.Settings(i)[j] })
	}
	for i := range p.Objectives {
		if o := &p.Objectives[i]; o.Known {
			add(o.Name, func(i int) string { return text(o.Exact[i]) })
		}
	}
	return all
}

// text writes a number with all its digits.
func text(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// names returns the names of columns that are no other placeholders, in order.
func (c Columns) names() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(c)), func(name string) bool {
		return slices.Contains(places, name)
	})
}

// of returns the values of an arm in the columns that a command names. A column without one is an
// error.
func (c Columns) of(arm string, t *Template) (map[string]string, error) {
	values := map[string]string{}
	for _, name := range t.names {
		column, is := c[name]
		if !is || slices.Contains(places, name) {
			continue
		}
		value, is := column[arm]
		if !is {
			return nil, fmt.Errorf("runner: the column %q of the table has no value for %s; add "+
				"its row", name, arm)
		}
		values[name] = value
	}
	return values, nil
}

// job returns the job of a ticket of the campaign with an id.
func (l *loop) job(t campaign.Ticket) (Job, error) {
	j := Job{Ticket: t.Ticket, Plate: t.Plate, Arm: t.Arm,
		ID: fmt.Sprintf("%s-%d", l.id, t.Ticket)}
	sum := sha256.Sum256([]byte(j.ID))
	j.Seed = int(binary.BigEndian.Uint32(sum[:]) >> 1)
	var err error
	j.Columns, err = l.columns.of(t.Arm, l.r.Template)
	return j, err
}

// prepare finds the columns of candidates, and checks that the command names none that there are
// not, and that each candidate has a value.
func (l *loop) prepare() error {
	p, err := l.c.Problem()
	if err != nil {
		return err
	}
	l.columns = ColumnsOf(p)
	for name, column := range l.set.Columns {
		if l.columns[name] == nil {
			l.columns[name] = map[string]string{}
		}
		maps.Copy(l.columns[name], column)
	}
	if err := l.r.Template.Check(l.columns.names()); err != nil {
		return err
	}
	arms := p.Candidates.Names
	if f := p.Laboratory.Reference; f != "" {
		arms = append(slices.Clone(arms), f)
	}
	for _, arm := range arms {
		if _, err := l.columns.of(arm, l.r.Template); err != nil {
			return err
		}
	}
	return nil
}
