package problem

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/purexp/purexp/pkg/internal/csvtable"
)

// Draft is the input for a new problem file: the settings that the table of candidates does not
// contain.
type Draft struct {
	// Table is the path of the table of candidates, as written in the problem file.
	Table string
	// Column is the column of the table with the names of the candidates.
	Column string
	// If Measured is true, the table has one row for each measurement, and may have several rows
	// for a candidate.
	Measured bool
	// Find and Delta are the fields of Question with the same names. By default, Find is "pareto"
	// with several objectives and "best" with one, and Delta is 0.05.
	Find  string
	Delta float64
	// Count is the number of candidates for the question "top".
	Count int
	// Objectives are the objectives, which ParseDraftObjective parses from text.
	Objectives []DraftObjective
	// Features and Categories are the columns on which the means of the objectives depend linearly.
	Features, Categories []string
	// Cost is the column with the cost of one measurement of the candidate; empty means equal
	// costs.
	Cost string
	// Plate is the number of measurements on a plate; 0 means no plates.
	Plate int
}

// DraftObjective describes an objective of a Draft.
type DraftObjective struct {
	Name   string   // name of the objective
	Fields []string // lines of TOML for the objective, such as "unit = \"%\""
}

// ParseDraftObjective parses comma-separated text: the name of an objective, followed by any of the
// following settings. The settings are max, min, bounded, known, sd=2, range=0..100, counts=12,
// of=patients, evaluable=COLUMN, unit=%, at_least=40, at_most=4, tolerance=1 (or 5%, of the best),
// slack=1, weight=2, guess=COLUMN, values=0..100.
func ParseDraftObjective(text string) (DraftObjective, error) {
	name, settings, _ := strings.Cut(text, ",")
	var list []string
	if settings != "" {
		list = strings.Split(settings, ",")
	}
	return NewDraftObjective(name, list...)
}

// NewDraftObjective is ParseDraftObjective for separate settings, which may contain commas.
func NewDraftObjective(name string, settings ...string) (DraftObjective, error) {
	o := DraftObjective{Name: strings.TrimSpace(name)}
	wrong := func(format string, args ...any) (DraftObjective, error) {
		text := strings.Join(append([]string{name}, settings...), ",")
		return o, fmt.Errorf("objective %q: %s", text, fmt.Sprintf(format, args...))
	}
	if o.Name == "" {
		return wrong("the name is missing; write name,max,sd=2")
	}
	noisy, aimed, bounded := false, false, false
	trials := "" // settings of the trials whose successes are counted
	add := func(format string, args ...any) { o.Fields = append(o.Fields, fmt.Sprintf(format, args...)) }
	for i, part := range settings {
		part = strings.TrimSpace(part)
		if _, err := csvtable.Number(part); err == nil && i > 0 && strings.Contains(settings[i-1], "=") {
			return wrong("%s,%s: commas separate settings; if the comma is a decimal comma, write %[1]s.%[2]s",
				strings.TrimSpace(settings[i-1]), part)
		}
		key, value, given := strings.Cut(part, "=")
		number, err := csvtable.Number(strings.TrimSuffix(value, "%"))
		lo, hi, span := strings.Cut(value, "..")
		least, err1 := csvtable.Number(lo)
		most, err2 := csvtable.Number(hi)
		percent, is := strings.HasSuffix(value, "%"), err == nil
		switch {
		case !given && shortGoals[part] != "":
			aimed = true
			add("goal = %q", shortGoals[part])
		case !given && part == "known":
			noisy = true
			add("known = true # from the table, not measured")
		case !given:
			return wrong("unknown setting %q; expected max, min, bounded, known or a value such as sd=2", part)
		case !slices.Contains(draftKeys, key):
			return wrong("unknown setting %s; expected max, min, bounded, known or one of %s", key, Listed(draftKeys))
		case key == "unit" || key == "guess":
			add("%s = %q", key, value)
		case key == "of" || key == "evaluable":
			trials += fmt.Sprintf(", %s = %q", key, value)
		case key == "values" || key == "range":
			if !span || err1 != nil || err2 != nil || least >= most {
				return wrong("%s is %q; expected two numbers, such as 0..100", key, value)
			}
			format := "values = [%s, %s]"
			if key == "range" {
				noisy, format = true, "noise = { range = [%s, %s] }"
			}
			add(format, decimal(least), decimal(most))
		case key == "tolerance" && percent && is:
			add("tolerance_percent = %s # per cent of the best", decimal(number))
		case key == "counts" && (percent || !is || number != math.Trunc(number)):
			return wrong("counts is %q; expected a whole number of trials", value)
		case percent && is &&
			slices.ContainsFunc(settings, func(s string) bool { return strings.HasPrefix(s, "counts=") }):
			return wrong("%s is %q; expected a rate from 0 to 1, here %s", key, value, decimal(number/100))
		case percent || !is:
			return wrong("%s is %q; expected a number, such as 2 or 0.5", key, value)
		case key == "sd":
			noisy = true
			add("noise = { sd = %s } # of one measurement about the mean of its candidate", decimal(number))
		case key == "counts":
			noisy = true
			add("noise = { counts = %.0f%s } # successes in this number of trials", number, trialsPlace)
			add("amounts = %q # bounds, tolerance and guesses are from 0 to 1", AmountRates)
		default:
			bounded = bounded || strings.HasPrefix(key, "at_")
			add("%s = %s", key, decimal(number))
		}
	}
	if !noisy {
		return wrong("the noise is missing; add sd=2 (a standard deviation), range=0..100 (only the range is known), "+
			"counts=12 (successes of 12), or known if %s is in the table and not measured", o.Name)
	}
	if bounded && !aimed {
		return wrong("the goal is missing; add max (higher is better), min (lower is better) or bounded (only the " +
			"bounds matter)")
	}
	for i, f := range o.Fields {
		o.Fields[i] = strings.Replace(f, trialsPlace, trials, 1)
	}
	return o, nil
}

// draftKeys are those settings of an objective that take a value.
var draftKeys = []string{"sd", "range", "counts", "of", "evaluable", "unit", "at_least", "at_most", "tolerance",
	"slack", "guess", "values", "weight"}

// Match finds the columns of a table to which the settings of the objective refer: known values and
// guesses. A setting may omit the unit in the name of a column; see FindColumn. If the heading of
// the objective's column includes a unit, such as "yield [%]", the objective gets this unit. For an
// unknown column, the error lists the known columns; a measured objective needs no column.
func (o *DraftObjective) Match(cs []TableColumn) error {
	for i, f := range o.Fields {
		quoted, guess := strings.CutPrefix(f, "guess = ")
		if !guess {
			continue
		}
		name, err := strconv.Unquote(quoted)
		if err == nil {
			name, err = FindColumn(cs, name)
		}
		if err != nil {
			return fmt.Errorf("objective %q: guess: %w", o.Name, err)
		}
		o.Fields[i] = fmt.Sprintf("guess = %q", name)
	}
	column, err := FindColumn(cs, o.Name)
	if err != nil && o.says("known") {
		return fmt.Errorf("objective %q is known, but the table has no values: %w", o.Name, err)
	} else if err != nil {
		return nil
	}
	name, unit := SplitUnit(column)
	if found, _ := FindColumn(cs, name); found == column {
		o.Name = name
	}
	if o.says("known") && column != o.Name {
		o.Fields = append(o.Fields, fmt.Sprintf("column = %q", column))
	}
	if o.Name == name && unit != "" && !o.says("unit") && !o.says("amounts") { // rates have no unit
		o.Fields = append(o.Fields, fmt.Sprintf("unit = %q", unit))
	}
	return nil
}

// withUnit matches a column heading that ends with a unit.
var withUnit = regexp.MustCompile(`^(.*\S)\s*[\[(]([^\])]+)[\])]$`)

// SplitUnit splits a heading, such as "yield [%]" or "cost (EUR)", into its name and unit. For
// headings without a unit, the returned unit is empty.
func SplitUnit(heading string) (name, unit string) {
	if parts := withUnit.FindStringSubmatch(heading); parts != nil {
		return parts[1], parts[2]
	}
	return heading, ""
}

// Headings returns the possible headings of a result column for the objective name.
func Headings(name, unit string) []string {
	return []string{name, name + " [" + unit + "]", name + " (" + unit + ")"}
}

// FindColumn returns the column with the given name, ignoring case. The name may omit a unit in
// brackets if only one column matches, as "cost" matches "cost (EUR)". If no column matches, the
// error lists the known columns.
func FindColumn(cs []TableColumn, name string) (string, error) {
	var found, all []string
	for _, c := range cs {
		all = append(all, strconv.Quote(c.Name))
		bare, _ := SplitUnit(c.Name)
		switch {
		case c.Name == name:
			return name, nil
		case strings.EqualFold(c.Name, name), strings.EqualFold(bare, name):
			found = append(found, c.Name)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	return "", fmt.Errorf("no column %q; the columns are %s", name, strings.Join(all, ", "))
}

// shortGoals maps abbreviations such as "max" to the goals in problem files.
var shortGoals = map[string]string{"max": Maximise, "min": Minimise, "bounded": Bounded}

// trialsPlace marks where the settings of trials belong in the text; these settings may be parsed
// later.
const trialsPlace = "\x00"

// tolerant reports whether questions of kind find can use a tolerance; see [Problem.Tolerant].
func (d Draft) tolerant(find string) bool {
	simple := len(d.Objectives) == 1 && !d.Objectives[0].says("at_least") && !d.Objectives[0].says("at_most")
	return find == FindPareto || find == FindGood || find == FindBest && simple
}

// Guessless returns the names of the measured objectives without guessed means.
func (d Draft) Guessless() (list []string) {
	for _, o := range d.Objectives {
		if !o.says("known") && !o.says("guess") {
			list = append(list, o.Name)
		}
	}
	return list
}

// Tolerates reports whether the draft gives the objective a tolerance.
func (o DraftObjective) Tolerates() bool { return o.says("tolerance") || o.says("tolerance_percent") }

func (o DraftObjective) says(field string) bool {
	return slices.ContainsFunc(o.Fields, func(f string) bool { return strings.HasPrefix(f, field+" = ") })
}

// decimal formats a number, and uses an exponent only if the result would otherwise be long.
func decimal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// TableColumn describes a column of a table of candidates.
type TableColumn struct {
	Name     string // heading
	Text     bool   // most non-empty cells are not numbers
	Distinct bool   // all cells are different
}

// coded matches names that could be read as numbers, such as 001, or 1E5 for a well of a plate.
var coded = regexp.MustCompile(`^(0[0-9]+|[0-9]+E[0-9]+)$`)

// Columns describes the columns of a table; in error messages, name refers to the table.
func Columns(name string, table []byte) ([]TableColumn, error) {
	t, err := csvtable.Read(name, table)
	if err == nil {
		err = t.Units()
	}
	if err != nil {
		return nil, err
	}
	var cs []TableColumn
	for j, head := range t.Columns {
		c := TableColumn{Name: head, Distinct: true}
		seen := map[string]bool{}
		texts := 0 // number of cells with text minus number of cells with numbers
		number := t.Numbers(j, "")
		for i, row := range t.Rows {
			cell := row[j]
			if _, err := number(i); err != nil || coded.MatchString(cell) {
				texts += min(len(cell), 1)
			} else {
				texts--
			}
			c.Distinct = c.Distinct && !seen[cell] && cell != ""
			seen[cell] = true
		}
		c.Text = texts > 0
		cs = append(cs, c)
	}
	return cs, nil
}

// NameColumn returns the index of the column that most likely contains the names of candidates, or
// -1; it skips the columns in used. NameColumn prefers a column named candidate or arm. The next
// choices are the first column of distinct texts, the first column of texts, and the first column
// of distinct cells.
func NameColumn(cs []TableColumn, used ...string) int {
	for _, is := range []func(c TableColumn) bool{
		func(c TableColumn) bool {
			return strings.EqualFold(c.Name, ColumnCandidate) || strings.EqualFold(c.Name, "arm")
		},
		func(c TableColumn) bool { return c.Text && c.Distinct },
		func(c TableColumn) bool { return c.Text },
		func(c TableColumn) bool { return c.Distinct },
	} {
		if j := slices.IndexFunc(cs,
			func(c TableColumn) bool { return is(c) && !slices.Contains(used, c.Name) }); j >= 0 {
			return j
		}
	}
	return -1
}

// field returns the value of a field of the objective, as text, or "".
func (o DraftObjective) field(name string) string {
	for _, f := range o.Fields {
		if quoted, is := strings.CutPrefix(f, name+" = "); is {
			text, _ := strconv.Unquote(quoted)
			return text
		}
	}
	return ""
}

// columnOf returns the index of the column that contains values of the objective, or -1. The
// heading of that column is the name of the objective or, for known values, the setting "column" of
// the objective.
func (o DraftObjective) columnOf(t *csvtable.Table) int {
	return ColumnOf(t, cmp.Or(o.field("column"), o.Name), o.field("unit"))
}

// ColumnOf returns the index of the column of results of an objective, or -1. The heading may
// include the unit; see Headings.
func ColumnOf(t *csvtable.Table, objective, unit string) int {
	for _, name := range Headings(objective, unit) {
		if at := t.Find(name); at >= 0 {
			return at
		}
	}
	return -1
}

// ReplicateColumns returns the columns whose headings end with a number after the objective's name
// or "rep", such as "rep1" and "rep2"; each column contains one replicate.
func ReplicateColumns(t *csvtable.Table, objective string) (columns []int) {
	numbered := regexp.MustCompile(`(?i)^(` + regexp.QuoteMeta(objective) + `|rep(licate)?)[ _.-]*(rep(licate)?)?[ _.-]*\d+$`)
	for j, name := range t.Columns {
		if numbered.MatchString(name) {
			columns = append(columns, j)
		}
	}
	return columns
}

// known returns those columns of the candidate table, apart from the column of names, that the
// draft uses.
func (d *Draft) known() []string {
	list := slices.Concat(d.Features, d.Categories)
	if d.Cost != "" {
		list = append(list, d.Cost)
	}
	for _, o := range d.Objectives {
		if o.says("known") {
			list = append(list, cmp.Or(o.field("column"), o.Name))
		}
		if guess := o.field("guess"); guess != "" {
			list = append(list, guess)
		}
	}
	return list
}

// Used returns the columns of a table that the draft uses for settings and that therefore cannot
// contain the names.
func (d *Draft) Used(cs []TableColumn) []string {
	list := d.known()
	for _, o := range d.Objectives {
		for _, name := range Headings(o.Name, o.field("unit")) {
			if found, err := FindColumn(cs, name); err == nil {
				list = append(list, found)
			}
		}
	}
	return list
}

// Candidates makes the table of candidates from the table of the draft. If the table has a row for
// each measurement, Candidates keeps only the used columns and lists each candidate once. If the
// table should have one row for each candidate, a repeated name is an error. The result note names
// rows that look like totals. In errors, name refers to the table.
func (d *Draft) Candidates(name string, table []byte) (candidates []byte, note string, err error) {
	t, err := csvtable.Read(name, table)
	if err != nil {
		return nil, "", err
	}
	at := 0
	if d.Column != "" {
		if at, err = t.Column(d.Column); err != nil {
			return nil, "", Errors{{Text: err.Error()}}
		}
	}
	if rows := t.Aggregates(at); rows != nil {
		note = fmt.Sprintf("%s: column %q: %s may summarise other rows (%s); delete rows that are not candidates", name,
			t.Columns[at], t.Listed(rows), csvtable.Short(t.Rows[rows[0]][at]))
		if d.Measured {
			return nil, "", Errors{{Text: note}}
		}
	}
	var wrong Errors
	bad := func(i, j int, format string, args ...any) {
		wrong = append(wrong, &Error{Text: t.Where(i, j) + ": " + fmt.Sprintf(format, args...)})
	}
	rows := map[string][]int{}
	var names []string
	for i, row := range t.Rows {
		if row[at] == "" {
			bad(i, at, "empty; every candidate needs a name")
		}
		if rows[row[at]] == nil {
			names = append(names, row[at])
		}
		rows[row[at]] = append(rows[row[at]], i)
	}
	if !d.Measured {
		return table, note, repeated(t, at, names, rows)
	}
	columns := []int{at}
	for _, column := range d.known() {
		j, err := t.Column(column)
		if err != nil {
			return nil, "", Errors{{Text: err.Error()}}
		}
		if slices.Contains(columns, j) {
			continue
		}
		columns = append(columns, j)
		number := t.Numbers(j, "")
		for i := range t.Rows {
			if _, err := number(i); err != nil && t.Rows[i][j] != "" && !slices.Contains(d.Categories, column) {
				bad(i, j, "%v", err)
			}
		}
	}
	for _, o := range d.Objectives {
		if !o.says("known") && o.columnOf(t) < 0 && ReplicateColumns(t, o.Name) == nil {
			wrong = append(wrong, &Error{Text: fmt.Sprintf("%s: no column %q of measurements; the columns are %q", name,
				o.Name, t.Columns)})
		}
	}
	var text bytes.Buffer
	out := csv.NewWriter(&text)
	out.Comma = t.Comma
	rec := make([]string, len(columns))
	for k, j := range columns {
		rec[k] = t.Columns[j]
	}
	_ = out.Write(rec) // writing to a buffer cannot fail
	for _, arm := range names {
		for k, j := range columns {
			first := rows[arm][0]
			for _, i := range rows[arm] {
				switch cell, was := t.Rows[i][j], t.Rows[first][j]; {
				case cell == "" || cell == was:
				case was == "":
					first = i
				default:
					bad(i, j, "%s, but %s in line %d for the same candidate, %s; give different candidates different "+
						"names", csvtable.Short(cell), csvtable.Short(was), t.Lines[first], csvtable.Short(arm))
				}
			}
			rec[k] = t.Rows[first][j]
		}
		_ = out.Write(rec)
	}
	if wrong != nil {
		return nil, "", wrong[:min(len(wrong), mostCells)]
	}
	out.Flush()
	return text.Bytes(), "", nil
}

// repeated returns an error if a name occurs more than once in a table.
func repeated(t *csvtable.Table, at int, names []string, rows map[string][]int) error {
	var list []string
	for _, arm := range names {
		if n := len(rows[arm]); n > 1 && arm != "" {
			list = append(list, fmt.Sprintf("%s %d times, in %s", csvtable.Short(arm), n, t.Listed(rows[arm])))
		}
	}
	if list == nil {
		return nil
	}
	const most = 3
	if more := len(list) - most; more > 0 {
		list = append(list[:most], fmt.Sprintf("and %d more", more))
	}
	return Errors{{Text: fmt.Sprintf("%s: column %q has the same names in several rows (%s). If each row is a "+
		"measurement, use --measured to write each candidate once; 'purexp campaign new PROBLEM --with %[1]s' then "+
		"reports the rows as results. If another column has the names, use --names COLUMN",
		t.Name, t.Columns[at], strings.Join(list, "; "))}}
}

// CandidatesEnding is the suffix of the file name of a candidate table that was made from a table
// of measurements.
const CandidatesEnding = "-candidates"

// TOML returns the text of the problem file, with comments.
func (d Draft) TOML() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	find := d.Find
	if find == "" {
		if find = FindBest; len(d.Objectives) > 1 {
			find = FindPareto
		}
	}
	line("# The question. 'purexp problem check' prints it in words; 'purexp plan' estimates the measurements.")
	line("#:schema ./problem.schema.json")
	line("# protocol = \"frozen\" # for trials: changes after the end need a reason and a second person")
	line("title = %q\n", strings.TrimSuffix(strings.TrimSuffix(filepath.Base(d.Table), filepath.Ext(d.Table)),
		CandidatesEnding))
	line("[question]")
	line("find = %q # best, top, good, pareto or feasible", find)
	if d.Count > 0 {
		line("count = %d", d.Count)
	}
	line("delta = %s # largest probability that the answer is wrong\n", decimal(cmp.Or(d.Delta, .05)))
	line("[candidates]")
	line("file = %q", filepath.ToSlash(d.Table))
	if d.Column != "" {
		line("column = %q # the names", d.Column)
	}
	list := func(name string, columns []string) {
		if len(columns) == 0 {
			return
		}
		quoted := make([]string, len(columns))
		for i, c := range columns {
			quoted[i] = strconv.Quote(c)
		}
		line("%s = [%s] # columns in which means are linear; leave the line out if linearity is uncertain", name,
			strings.Join(quoted, ", "))
	}
	list("features", d.Features)
	list("categories", d.Categories)
	if d.Cost != "" {
		line("cost = %q # cost of a measurement; methods reduce the total cost", d.Cost)
	}
	for _, o := range d.Objectives {
		line("\n[[objective]]")
		line("name = %q", o.Name)
		for _, f := range o.Fields {
			line("%s", f)
		}
		if o.Tolerates() || o.says("known") || !d.tolerant(find) {
			continue
		}
		tolerance := "1"
		if o.says("amounts") {
			tolerance = "0.05" // suggested tolerance if amounts are rates
		}
		line("# tolerance = %s # a difference that does not matter; this setting saves the most "+
			"measurements", tolerance)
	}
	if d.Plate > 0 {
		line("\n[laboratory]")
		line("plate = %d # measurements at a time", d.Plate)
		line("# at_once = 2 # plates measured at the same time")
		line("# fill = true # fill empty wells with replicates of undecided candidates")
		line("# reference = \"control\" # one well in each plate, to detect plate and day effects")
	}
	return b.String()
}
