package ledger

import (
	"fmt"
	"strings"

	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/papers"
	"github.com/purexp/purexp/pkg/tidy"
)

// Counts is a table of verdicts by paper and kind, those on what the paper ran apart from those on
// readings and stand-ins.
func (l *Ledger) Counts() *tidy.Table {
	t := &tidy.Table{
		Title: "Verdicts",
		Columns: tidy.Columns("paper", "kind", "judged on", "agree", "differ", "not comparable",
			"not judged"),
		Notes: []string{"Claims that are judged by this machine's clock are not counted here."},
	}
	for _, p := range papers.All() {
		s := l.Scores(p.Name)
		for k := study.Result; k <= study.Addition; k++ {
			for _, g := range study.Grounds {
				if one := s[k][g]; one.All() > 0 && g != study.Clock {
					t.Rows = append(t.Rows, []any{p.Name, k.String(), g.String(), one.Agree,
						one.Differ, one.NotComparable, one.NotJudged})
				}
			}
		}
	}
	return t
}

// Summary is the table of docs/reproduced.md: results by paper, on what the paper ran and on readings and
// stand-ins, and guarantees. A cell has three counts, so that the table is as wide as a page.
func (l *Ledger) Summary() string {
	var b strings.Builder
	b.WriteString("| paper | on what it ran | on a reading | on a stand-in | guarantees | not judged |\n" +
		"|---|---|---|---|---|---|\n")
	is := func(g study.Ground) func(study.Ground) bool {
		return func(x study.Ground) bool { return x == g }
	}
	for _, p := range papers.All() {
		s := l.Scores(p.Name)
		theirs := s.Of(study.Result, study.Ground.Theirs)
		read, stood := s.Of(study.Result, is(study.Reading)), s.Of(study.Result, is(study.StandIn))
		any := s.Of(study.Guarantee, func(study.Ground) bool { return true })
		fmt.Fprintf(&b, "| %s |", names[p.Name])
		for _, one := range []study.Score{theirs, read, stood, any} {
			fmt.Fprintf(&b, " %d · %d · %d |", one.Agree, one.Differ, one.NotComparable)
		}
		fmt.Fprintf(&b, " %d |\n", theirs.NotJudged+read.NotJudged+stood.NotJudged)
	}
	b.WriteString("\nEach cell: claims that agree · that differ · that cannot be compared.\n")
	return b.String()
}

// names of papers in texts.
var names = map[string]string{"ecape": "e-cAPE", "rage": "RAGE", "gege": "GEGE",
	"linfact": "LinFACT", "pfiwr": "PFIwR"}

// Page is docs/papers.md.
func (l *Ledger) Page() string {
	var b strings.Builder
	b.WriteString(`# Every figure, table and theorem

<!-- written by go generate ./pkg/study/ledger -->

Where each part of the five papers is in this project, how it differs, and what came out. ` + "`purexp papers rage \"fig 2a\"`" + ` finds one. Verdicts are by [one rule](verdicts.md); those with no more words
are on the paper's data, on its distribution of instances, or on any instance of a theorem, and the others are not about the paper. Numbers before them are those of ` + "`purexp claims`" + `. "Here" are replicates
of each method on each instance or size; where random instances are drawn, of all draws. How many claims agree is [counted](#counts) at the end.
`)
	for _, p := range papers.All() {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n| number | what it shows | where it is here | faithful, or "+
			"how it differs | replicates there | here | verdicts |\n|---|---|---|---|---|---|---|\n",
			names[p.Name], p.Reference)
		for _, e := range All() {
			if e.Paper == p.Name {
				fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", e.Number, e.Shows, e.link(),
					e.How, e.There, e.Here(), l.Verdicts(e))
			}
		}
	}
	b.WriteString(`
## Counts

| paper | kind | judged on | agree | differ | not comparable | not judged |
|---|---|---|---|---|---|---|
`)
	for _, r := range l.Counts().Rows {
		r[0] = names[r[0].(string)]
		for _, c := range r {
			fmt.Fprintf(&b, "| %v ", c)
		}
		b.WriteString("|\n")
	}
	b.WriteString("\nClaims that are judged by a machine's clock (Table 5 of e-cAPE, the time of a " +
		"round of LinFACT) change from one machine to the next, and are in no count.\n")
	return b.String()
}

// link leads from docs/ to where the entry is.
func (e Entry) link() string {
	path, at, ok := strings.Cut(e.Where, "#")
	if !ok {
		return e.Where
	}
	if strings.HasSuffix(path, ".go") {
		return fmt.Sprintf("[%s](../%s)", at, path)
	}
	name := strings.TrimSuffix(strings.TrimPrefix(path, "notebooks/"), ".ipynb")
	return fmt.Sprintf("[%s](../%s): %s", name, path, at)
}
