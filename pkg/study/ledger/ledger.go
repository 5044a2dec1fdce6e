// Package ledger lists every figure, table, algorithm and theorem of the papers. Each entry
// contains a description, its place in this project, the differences from the paper, and the
// verdicts on the paper's claims.
//
//	for _, e := range ledger.All() {
//		fmt.Println(e.Paper, e.Number, e.Where)
//	}
//
// Lemmas are listed only if the project computes or tests them separately.
package ledger

import (
	_ "embed" // for the table entries.csv
	"encoding/csv"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/papers"
	"github.com/purexp/purexp/pkg/study/published"
	"github.com/purexp/purexp/pkg/tidy"
)

// Entry is a figure, a table, an algorithm or a theorem of a paper.
type Entry struct {
	Paper  string // name of the paper on the command line
	Number string // number in the paper, such as "Fig. 2a" or "Theorem 4.4"
	Shows  string
	// Where is the place in this project: a file, "#", and the beginning of a heading in the file
	// or the name of a declaration. If the project does not contain the entry, Where is "not here".
	Where string
	How   string // "faithful", or the differences from the paper
	// Experiments names the experiments whose rows the entry uses.
	Experiments []string
	There       string // number of replicates in the paper, if stated
}

//go:embed entries.csv
var table string

// All returns the entries, sorted by paper and number.
var All = sync.OnceValue(func() []Entry {
	records, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		panic(err) // the table is embedded and tested
	}
	var es []Entry
	for _, r := range records[1:] {
		e := Entry{Paper: r[0], Number: r[1], Shows: r[2], Where: r[3], How: r[4], There: r[6]}
		if r[5] != "" {
			e.Experiments = strings.Split(r[5], ";")
		}
		es = append(es, e)
	}
	return es
})

// Here returns the numbers of replicates in this project, such as "500" or, if some methods have
// fewer, "500; 20 to 100 of some". For an entry without runs, Here returns "".
func (e Entry) Here() string {
	if len(e.Experiments) == 0 {
		return ""
	}
	x, ok := experiment(e.Experiments[0])
	if !ok {
		return ""
	}
	all := x.Replicates()
	least, most := all, 0
	for _, m := range x.Methods {
		n := all
		switch {
		case m.Reps > 0 && x.Draws == 0:
			n = min(n, m.Reps)
		case m.Reps > 0:
			n = min(x.Draws, m.Reps) * x.Reps
		case m.Each > 0:
			n = min(m.Each, x.Reps) * max(1, x.Draws)
		}
		if n < all {
			least, most = min(least, n), max(most, n)
		}
	}
	for _, draws := range x.Fewer {
		least, most = min(least, draws*x.Reps), max(most, draws*x.Reps)
	}
	switch {
	case most == 0:
		return tidy.Int(all)
	case least == most:
		return fmt.Sprintf("%s; %s for some methods", tidy.Int(all), tidy.Int(least))
	}
	return fmt.Sprintf("%s; %s to %s for some methods", tidy.Int(all), tidy.Int(least), tidy.Int(most))
}

func experiment(name string) (study.Experiment, bool) {
	for _, p := range papers.All() {
		for _, e := range p.Experiments {
			if e.Name == name {
				return e, true
			}
		}
	}
	return study.Experiment{}, false
}

// parts matches the numbered parts of a paper in the source of a claim, such as "7.1, Fig. 6" or
// "Theorems 4.1, 4.2".
var parts = regexp.MustCompile(
	`(Theorem|Fig\.|Table|Algorithm|Proposition|Lemma)s? ((?:EC\.)?[A-Z]?[0-9.]*[0-9][a-z]?` +
		`(?:(?:,| and| to) (?:EC\.)?[A-Z]?[0-9.]*[0-9][a-z]?)*)`)

var number = regexp.MustCompile(`(?:EC\.)?[A-Z]?[0-9.]*[0-9][a-z]?`)

// About reports whether the source of a claim refers to the entry. "Fig. 8a" refers to Fig. 8 and
// Fig. 8a; "Fig. 2" refers to Fig. 2 and all of its panels.
func (e Entry) About(source string) bool {
	kind, own, _ := strings.Cut(e.Number, " ")
	for _, m := range parts.FindAllStringSubmatch(source, -1) {
		if m[1] != kind {
			continue
		}
		for _, n := range number.FindAllString(m[2], -1) {
			if n == own || panel(n) == own || panel(own) == n {
				return true
			}
		}
	}
	return false
}

// panel returns the number of a figure without the letter of a panel.
func panel(n string) string { return strings.TrimRight(n, "abcdefgh") }

// Ledger contains the claims of the papers with their verdicts.
type Ledger struct {
	claims   map[string][]study.Claim // claims by paper
	verdicts map[string][]study.Outcome
}

// Judge reads the published rows, and judges all claims by these rows. Claims about computing times
// are not judged, because computing times depend on the machine.
func Judge() (*Ledger, error) {
	l := &Ledger{map[string][]study.Claim{}, map[string][]study.Outcome{}}
	for _, p := range papers.All() {
		rows, err := rowsOf(p)
		if err != nil {
			return nil, err
		}
		all := &study.Results{Rows: rows}
		for _, c := range p.Study().Claims() {
			o := study.NotJudged
			if c.Basis != study.Clock {
				o = c.Check(all).Outcome
			}
			l.claims[p.Name] = append(l.claims[p.Name], c)
			l.verdicts[p.Name] = append(l.verdicts[p.Name], o)
		}
	}
	return l, nil
}

// rowsOf reads the published rows of a paper.
func rowsOf(p study.Paper) (all []mc.Row, err error) {
	for _, e := range p.Experiments {
		rows, _, err := published.Read(e.Study())
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}

// Scores counts the verdicts on the claims of a paper. Claims about computing times count as not
// judged.
func (l *Ledger) Scores(paper string) study.Scores {
	s := study.Scores{}
	for i, c := range l.claims[paper] {
		s.Add(c, l.verdicts[paper][i])
	}
	return s
}

// Verdicts lists the verdicts on the claims about an entry, such as "A1 agrees; A2 differs on a
// reading".
func (l *Ledger) Verdicts(e Entry) string {
	var text []string
	for i, c := range l.claims[e.Paper] {
		if !e.About(c.Source) || c.Kind == study.Addition {
			continue
		}
		said := c.Basis.Ruled(l.verdicts[e.Paper][i])
		if c.Basis == study.Clock {
			said = "by the clock"
		}
		text = append(text, c.ID+" "+said)
	}
	return strings.Join(text, "; ")
}

// Table returns the ledger of a paper as a table. The table has verdicts only on claims of the
// paper, not on additional questions.
func (l *Ledger) Table(paper string) *tidy.Table {
	t := &tidy.Table{Columns: tidy.Columns("number", "what it shows", "place in this project",
		"differences from the paper", "replicates there", "here", "verdicts")}
	for _, p := range papers.All() {
		if p.Name == paper {
			t.Title = p.Reference
		}
	}
	for _, e := range All() {
		if e.Paper == paper {
			t.Rows = append(t.Rows, []any{e.Number, e.Shows, e.Where, e.How, e.There, e.Here(), l.Verdicts(e)})
		}
	}
	t.Notes = []string{"'purexp claims " + paper + "' lists the claims. Verdicts without a qualifier are on the " +
		"paper's data, its distribution of instances, or any instance of a theorem; other verdicts do not count as " +
		"verdicts on the paper."}
	return t
}

// Find returns the entries whose number matches a text such as "fig 2a", "Fig. 2" or "theorem 4.4".
func Find(asked string) []Entry {
	plain := func(s string) string {
		s = strings.ToLower(strings.NewReplacer(".", "", " ", "", "figure", "fig").Replace(strings.ToLower(s)))
		return s
	}
	var found []Entry
	for _, e := range All() {
		if n := plain(e.Number); n == plain(asked) || plain(panel(e.Number)) == plain(asked) ||
			n == plain(panel(asked)) {
			found = append(found, e)
		}
	}
	return slices.Clip(found)
}

// Counts returns a table that counts verdicts by paper and kind. Verdicts on the paper's own
// experiments are counted separately from those on readings and stand-ins.
func (l *Ledger) Counts() *tidy.Table {
	t := &tidy.Table{
		Title:   "Verdicts",
		Columns: tidy.Columns("paper", "kind", "judged on", "agree", "differ", "not comparable", "not judged"),
		Notes: []string{"A reading is an interpretation of a detail that the paper leaves open. A stand-in is an " +
			"instance of ours in place of unpublished data. An addition is a claim of ours. Claims about run times " +
			"are not counted."},
	}
	for _, p := range papers.All() {
		s := l.Scores(p.Name)
		for k := study.Result; k <= study.Addition; k++ {
			for _, g := range study.Bases {
				if one := s[k][g]; one.All() > 0 && g != study.Clock {
					t.Rows = append(t.Rows, []any{p.Name, k.String(), g.String(), one.Agree,
						one.Differ, one.NotComparable, one.NotJudged})
				}
			}
		}
	}
	return t
}
