package ledger

import (
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
