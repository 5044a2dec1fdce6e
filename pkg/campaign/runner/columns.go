package runner

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kballard/go-shellquote"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/internal/csvtable"
)

// Columns contains cells of the candidate table, indexed by column name and then by candidate.
type Columns map[string]map[string]string

// ReadColumns reads all columns of a candidate table, whose first column must contain the names.
// Errors call the table by the argument name.
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
				return nil, fmt.Errorf("runner: %s: %q appears twice; remove one of the rows", t.Where(i, 0), arm)
			}
			values[arm] = csvtable.Unguard(row[at])
		}
		all[csvtable.Unguard(column)] = values
	}
	return all, nil
}

// ColumnsOf returns the columns of the table of candidates that a problem uses: features,
// categories and known values. Other columns of the table are not stored in a campaign.
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

func text(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// names returns the sorted names of those columns whose names are not built-in placeholders.
func (c Columns) names() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(c)), func(name string) bool {
		return slices.Contains(placeholders, name)
	})
}

// of returns the cells of an arm in those columns that the command refers to. If a cell is missing,
// of returns an error.
func (c Columns) of(arm string, t *Template) (map[string]string, error) {
	values := map[string]string{}
	for _, name := range t.names {
		column, is := c[name]
		if !is || slices.Contains(placeholders, name) {
			continue
		}
		value, is := column[arm]
		if !is {
			return nil, fmt.Errorf("runner: the column %q of the table has no value for %s; add a row", name, arm)
		}
		values[name] = value
	}
	return values, nil
}

// job returns the job for a ticket; the ID of the job contains the id of the campaign.
func (l *loop) job(t campaign.Ticket) (Job, error) {
	j := Job{Ticket: t.Ticket, Plate: t.Plate, Arm: t.Arm, ID: fmt.Sprintf("%s-%d", l.id, t.Ticket)}
	sum := sha256.Sum256([]byte(j.ID))
	j.Seed = int(binary.BigEndian.Uint32(sum[:]) >> 1)
	var err error
	j.Columns, err = l.columns.of(t.Arm, l.r.Template)
	return j, err
}

// prepare finds the columns that the command refers to, and checks that each candidate has a value
// in each of them.
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

// Template is a command with placeholders in braces, such as "./bench --flags {arm}". Parse splits
// a command into words as a shell does, with quotes and backslashes, before placeholders are
// replaced. No shell executes the command, so the value of a placeholder never splits into several
// arguments. A placeholder inside a shell script is an error, because the shell would execute the
// placeholder's value. Instead, pass the value as an argument, as in sh -c 'echo "$1"' _ {arm}, or
// use "$PUREXP_ARM".
type Template struct {
	words []string
	names []string // distinct names of placeholders
}

// Job describes one measurement to make.
type Job struct {
	// Ticket is the number of the measurement's ticket in the campaign, and Plate is the number of
	// its plate.
	Ticket, Plate int
	// Arm is the name of the arm.
	Arm string
	// ID is a name for the job that is unique among all campaigns.
	ID string
	// Seed is a seed for the random choices of the measurement. Seed is in [0, 2^31), differs
	// between measurements, and stays the same when a measurement is retried.
	Seed int
	// Columns contains the cells of the arm in the candidate table, by column.
	Columns map[string]string
}

// The following constants are the built-in placeholders; they take precedence over columns of the
// same name.
const (
	placeArm    = "arm"
	placeTicket = "ticket"
	placePlate  = "plate"
	placeID     = "id"
	placeSeed   = "seed"
)

var placeholders = []string{placeArm, placeTicket, placePlate, placeID, placeSeed}

func (j *Job) value(name string) string {
	switch name {
	case placeArm:
		return j.Arm
	case placeTicket:
		return strconv.Itoa(j.Ticket)
	case placePlate:
		return strconv.Itoa(j.Plate)
	case placeID:
		return j.ID
	case placeSeed:
		return strconv.Itoa(j.Seed)
	}
	return j.Columns[name]
}

// Parse parses a command with placeholders. The placeholders are {arm}, {ticket}, {plate}, {id},
// {seed} and column names; see Check. Literal braces in the command are written twice: {{ and }}.
func Parse(command string) (*Template, error) {
	words, err := shellquote.Split(command)
	if err != nil {
		return nil, fmt.Errorf("runner: command %q: %w", command, err)
	}
	if len(words) == 0 {
		return nil, fmt.Errorf("runner: the command is empty; use, for example, './bench {arm}'")
	}
	t := &Template{words: words}
	for i, w := range words {
		if scripted(words, i) && strings.Contains(strings.ReplaceAll(w, "{{", ""), "{") {
			return nil, fmt.Errorf("runner: command %q: a shell would run the value of a placeholder "+
				"in %q; pass it as an argument: sh -c 'echo \"$1\"' _ {arm}", command, w)
		}
		if _, err := fill(w, func(name string) string {
			if !slices.Contains(t.names, name) {
				t.names = append(t.names, name)
			}
			return ""
		}); err != nil {
			return nil, fmt.Errorf("runner: command %q: %w", command, err)
		}
	}
	return t, nil
}

// scripted reports whether word i is a script that a shell among the earlier words executes. After
// a flag such as -c or -ec, a shell executes the next word; the Windows program cmd executes all
// words after /c.
func scripted(words []string, i int) bool {
	for at, w := range words[:i] {
		name := strings.TrimSuffix(strings.ToLower(w[strings.LastIndexAny(w, `/\`)+1:]), ".exe")
		flags := words[at+1 : i]
		switch name {
		case "cmd":
			return slices.ContainsFunc(flags,
				func(f string) bool { return strings.EqualFold(f, "/c") || strings.EqualFold(f, "/k") })
		case "powershell", "pwsh":
			return true
		case "sh", "bash", "zsh", "dash", "ash", "ksh", "fish", "busybox":
			if n := len(flags); n > 0 && strings.HasPrefix(flags[n-1], "-") && strings.HasSuffix(flags[n-1], "c") {
				return true
			}
		}
	}
	return false
}

// ErrPlaceholder reports an unknown placeholder in a command.
var ErrPlaceholder = errors.New("unknown placeholder")

// Check returns an error that wraps ErrPlaceholder if a placeholder of the command is neither a
// field of [Job] nor in columns.
func (t *Template) Check(columns []string) error {
	for _, name := range t.names {
		if slices.Contains(placeholders, name) || slices.Contains(columns, name) {
			continue
		}
		var list []string
		for _, n := range slices.Concat(placeholders, columns) {
			list = append(list, "{"+n+"}")
		}
		return fmt.Errorf("runner: {%s}: %w; expected one of %s, or a column of the table that --table names "+
			"(write {{ for a brace)", name, ErrPlaceholder, strings.Join(list, ", "))
	}
	return nil
}

// Words returns the command for a job as a list: the program and its arguments.
func (t *Template) Words(j Job) []string {
	out := make([]string, len(t.words))
	for i, w := range t.words {
		out[i], _ = fill(w, j.value) // an error is impossible, because Parse has checked the word
	}
	return out
}

// fill replaces the placeholders in a word by their values, and doubled braces by single braces.
func fill(word string, value func(name string) string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		rest := word[i:]
		switch {
		case strings.HasPrefix(rest, "{{") || strings.HasPrefix(rest, "}}"):
			b.WriteByte(word[i])
			i++
		case word[i] == '{':
			name, _, closed := strings.Cut(rest[1:], "}")
			switch {
			case !closed:
				return "", fmt.Errorf("%q: the brace at character %d is not closed; close it, or write {{", word, i+1)
			case name == "":
				return "", fmt.Errorf("%q: the braces at character %d are empty; name a "+
					"placeholder, or write {{ for a brace", word, i+1)
			}
			b.WriteString(value(name))
			i += len(name) + 1
		case word[i] == '}':
			return "", fmt.Errorf("%q: the brace at character %d was not opened; remove it, or write }}", word, i+1)
		default:
			b.WriteByte(word[i])
		}
	}
	return b.String(), nil
}
