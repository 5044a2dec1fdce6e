package simulated

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/internal/csvtable"
	"github.com/purexp/purexp/pkg/seed"
)

// Laboratory draws random results for tickets. The result of a ticket depends only on the seed and
// the ticket's number.
type Laboratory struct {
	Truth Truth
	// SD maps objectives to their true standard deviations, which replace standard deviations that
	// the problem states. For an objective with a range, the default is the problem's guess_sd or, if there
	// is none, a tenth of the range.
	SD map[string]float64
	// Failures is the probability that a measurement has no result.
	Failures float64
	// Late is the probability that a result arrives with the next plate instead of with its own
	// plate.
	Late float64
	// Missing is the probability that a trial is not evaluable, for problems whose results state
	// the number of evaluable trials.
	Missing float64
	Seed    uint64
}

// Results returns the results of tickets: all results of earlier plates, and from the last plate
// the results that are not late. If all results of a call would be late, Results returns all
// results.
func (l *Laboratory) Results(p *problem.Problem, tickets []campaign.Ticket) (results []campaign.Result, err error) {
	last := 0
	for _, t := range tickets {
		last = max(last, t.Plate)
	}
	root := seed.New(l.Seed)
	for waiting := range 2 {
		for _, t := range tickets {
			rnd := rand.New(root.Child("ticket", t.Ticket).Source())
			late, failed := rnd.Float64() < l.Late, rnd.Float64() < l.Failures
			if late && t.Plate == last && waiting == 0 {
				continue
			}
			r := campaign.Result{Ticket: t.Ticket, Plate: t.Plate, Arm: t.Arm, Failed: failed}
			if !failed {
				if err := l.measure(p, &r, rnd); err != nil {
					return nil, err
				}
			}
			results = append(results, r)
		}
		if len(results) > 0 {
			break
		}
	}
	return results, nil
}

func (l *Laboratory) measure(p *problem.Problem, r *campaign.Result, rnd *rand.Rand) error {
	means, ok := l.Truth[problem.Normal(r.Arm)]
	if !ok {
		return fmt.Errorf("simulated: the truth has no row for %q; add its true means", r.Arm)
	}
	trials, _ := p.Trials()
	if p.Evaluable() != "" && l.Missing > 0 {
		// At least one trial is always evaluable.
		r.Of = max(int(distuv.Binomial{N: float64(trials), P: 1 - l.Missing, Src: rnd}.Rand()), 1)
	}
	for j, c := range p.Measured() {
		v, err := l.draw(&p.Objectives[c], means[j], r.Of, rnd)
		if err != nil {
			return err
		}
		r.Values = append(r.Values, v)
	}
	return nil
}

// draw draws a value of an objective with the given mean and, for counts, the given number of
// evaluable trials. The value lies within the possible values. With Gaussian noise, it is rounded to a
// hundredth of the standard deviation or finer.
func (l *Laboratory) draw(o *problem.Objective, mean float64, of int, rnd *rand.Rand) (float64, error) {
	sd, told := l.SD[o.Name]
	switch {
	case o.Noise.Counts != nil:
		return distuv.Binomial{N: float64(cmp.Or(of, *o.Noise.Counts)), P: mean, Src: rnd}.Rand(), nil
	case o.Noise.Range != nil:
		return l.within(o, mean, rnd)
	case told:
	case o.Noise.SD != nil:
		sd = *o.Noise.SD
	case o.Noise.Pilot != nil:
		sd = o.Noise.Pilot.SD
	}
	if !(sd > 0) {
		return 0, fmt.Errorf("simulated: the noise of %s is unknown; give its standard deviation (SD of "+
			"the laboratory, or noise.pilot.sd of the problem)", o.Name)
	}
	decimals := max(2-int(math.Floor(math.Log10(sd))), 0)
	x, err := strconv.ParseFloat(strconv.FormatFloat(mean+sd*rnd.NormFloat64(), 'f', decimals, 64), 64)
	if o.Values != nil {
		x = min(max(x, o.Values[0]), o.Values[1])
	}
	return x, err
}

// within draws a value of an objective with a range. The value has a beta distribution with the
// given mean and standard deviation. If no such distribution exists, within returns an error.
func (l *Laboratory) within(o *problem.Objective, mean float64, rnd *rand.Rand) (float64, error) {
	lo, hi := o.Noise.Range[0], o.Noise.Range[1]
	sd, told := l.SD[o.Name]
	switch {
	case told:
	case o.GuessSD > 0:
		sd = o.GuessSD
	default:
		sd = (hi - lo) / 10
	}
	m, v := (mean-lo)/(hi-lo), sd*sd/(hi-lo)/(hi-lo)
	size := m*(1-m)/v - 1
	if !(size > 0) {
		return 0, fmt.Errorf("simulated: %s with a mean of %v in the range from %v to %v cannot have a standard "+
			"deviation of %v; give a smaller value (SD of the laboratory, or guess_sd of the "+
			"problem)", o.Name, mean, lo, hi, sd)
	}
	return lo + (hi-lo)*distuv.Beta{Alpha: m * size, Beta: (1 - m) * size, Src: rnd}.Rand(), nil
}

// Truth maps the name of each candidate, and of the reference, to the true means of the measured
// objectives, in the unit of means.
type Truth map[string][]float64

// ReadTruth reads a table of true means for p, with one row for each candidate and one column for
// each measured objective. Means in the table have the same units as bounds and guesses in the
// problem file. The names of candidates are in the name column of the candidate table, in a column
// "candidate", or in the first column. Errors call the table by the argument name, and also state
// line and column.
func ReadTruth(p *problem.Problem, name string, table []byte) (Truth, error) {
	t, err := csvtable.Read(name, table)
	if err != nil {
		return nil, err
	}
	names := max(t.Find(cmp.Or(p.Candidates.Column, "candidate")), 0)
	truth := Truth{}
	for i, row := range t.Rows {
		arm := problem.Normal(csvtable.Unguard(row[names]))
		if _, dup := truth[arm]; dup {
			return nil, fmt.Errorf("%s: %s appears twice; remove one of the rows", t.Where(i, names),
				csvtable.Short(arm))
		}
		truth[arm] = []float64{}
		for _, c := range p.Measured() {
			o := &p.Objectives[c]
			at, err := t.Column(o.Name)
			if err != nil {
				return nil, fmt.Errorf("%w; add the true means of the objective", err)
			}
			x, err := csvtable.Number(row[at])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", t.Where(i, at), err)
			}
			mean := o.Value(x)
			if o.Noise.Counts != nil && (mean < 0 || mean > 1) {
				return nil, fmt.Errorf("%s: %v is a rate of %v; expected the true mean of %s, in the unit of its "+
					"bounds, equivalent to a rate from 0 to 1", t.Where(i, at), x, mean, o.Name)
			}
			truth[arm] = append(truth[arm], mean)
		}
	}
	for _, arm := range p.Candidates.Names {
		if truth[problem.Normal(arm)] == nil {
			return nil, fmt.Errorf("%s: column %q: no row for %s; add its true means", name, t.Columns[names],
				csvtable.Short(arm))
		}
	}
	return truth, nil
}

// Guesses returns the guessed means of p as the truth, or an error if p has no guessed means.
func Guesses(p *problem.Problem) (Truth, error) {
	truth := Truth{}
	for _, c := range p.Measured() {
		o := &p.Objectives[c]
		means := o.GuessedMeans()
		if means == nil {
			return nil, fmt.Errorf("simulated: the means of %s are unknown; give the true means with --truth TABLE, "+
				"or name a column of guesses (guess = \"column\" of the objective)", o.Name)
		}
		for i, arm := range p.Candidates.Names {
			truth[problem.Normal(arm)] = append(truth[problem.Normal(arm)], means[i])
		}
	}
	return truth, nil
}

// FillIn returns a copy of a worksheet of p in which the results of its tickets are filled in. Rows
// with a result do not change, and late results stay empty; see [Laboratory.Results]. Numbers have
// decimal commas if semicolons separate cells. Errors call the worksheet by the argument name.
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

// sheet is a worksheet to fill in, with the positions of its columns.
type sheet struct {
	*csvtable.Table
	ticket, plate, candidate int
	values                   []int // column of each measured objective
	evaluable                int   // column of the number of evaluable trials, or -1
	row                      map[int]int
}

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
		return fmt.Errorf("%w; expected a worksheet of 'purexp campaign ask'", err)
	}
	return nil
}

func (s *sheet) tickets() (list []campaign.Ticket, err error) {
	s.row = map[int]int{}
	for i, row := range s.Rows {
		empty := true
		for _, j := range s.values {
			empty = empty && row[j] == ""
			row[j] = s.decimal(row[j]) // restore the decimal comma, which parsing the table replaced
		}
		if !empty {
			continue
		}
		t := campaign.Ticket{Arm: csvtable.Unguard(row[s.candidate])}
		for j, n := range map[int]*int{s.ticket: &t.Ticket, s.plate: &t.Plate} {
			if *n, err = strconv.Atoi(row[j]); err != nil {
				return nil, fmt.Errorf("%s: %s is not a whole number; expected a worksheet of 'purexp campaign ask'",
					s.Where(i, j), csvtable.Short(row[j]))
			}
		}
		s.row[t.Ticket] = i
		list = append(list, t)
	}
	return list, nil
}

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

// decimal formats a number with the decimal mark of the worksheet. After a decimal comma, a number
// has four decimals, because a comma before three digits could be read as a thousands separator.
func (s *sheet) decimal(text string) string {
	if s.Comma != ';' {
		return text
	}
	if _, decimals, _ := strings.Cut(text, "."); len(decimals) == 3 {
		text += "0"
	}
	return strings.Replace(text, ".", ",", 1)
}

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
