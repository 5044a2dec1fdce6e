// Package studytest checks a study.Study: that its rows are those that were
// accepted, that its claims have verdicts, that its report is complete. Tests of
// a study call it with rows of a small grid, and add what is its own.
package studytest

import (
	"context"
	"flag"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

var update = flag.Bool("update", false,
	"accept the rows of studies as they are now, and write them anew")

// Simulate returns the rows of grids, one after the other.
func Simulate(tb testing.TB, grids ...*mc.Grid) []mc.Row {
	tb.Helper()
	var rows []mc.Row
	for _, g := range grids {
		own, err := g.Run(context.Background())
		if err != nil {
			tb.Fatal(err)
		}
		rows = append(rows, own...)
	}
	return rows
}

// Golden compares rows at a fixed seed with a file in testdata, to the pull: a
// change of these numbers is a change of results, and is to be explained in the
// changelog. The flag -update accepts it. Rows were accepted on amd64; other
// processors may round designs otherwise, and skip.
func Golden(tb testing.TB, file string, rows []mc.Row) {
	tb.Helper()
	if runtime.GOARCH != "amd64" {
		tb.Skipf("rows were accepted on amd64; %s may round otherwise", runtime.GOARCH)
	}
	var b strings.Builder
	b.WriteString("instance,method,constants,rep,pulls,rounds,items,classes,correct\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "%s,%s,%s,%d,%d,%d,%v,%s,%v\n", r.Instance, r.Method, r.Constants, r.Rep,
			r.Pulls, r.Rounds, r.Items, r.Classes, r.Correct)
	}
	path := filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			tb.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	was, is := strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")
	for i := range max(len(was), len(is)) {
		if o, n := line(was, i), line(is, i); o != n {
			tb.Errorf("%s:%d: the row was\n%s\nand is\n%s\nif that is wanted: go test -update, "+
				"and say why in the changelog", path, i+1, o, n)
			return
		}
	}
}

// line returns the i-th line, or that there is none.
func line(lines []string, i int) string {
	if i >= len(lines) || lines[i] == "" {
		return "(nothing)"
	}
	return lines[i]
}

// Claims checks that every claim has an ID of its own, a source and a statement;
// that it says what it is judged on, and is on any instance only if a theorem says so; that it has a
// verdict on rows, with words for what was measured and why; and that without rows it is not comparable, unless it is Known: judged by the instances. It returns
// the verdicts on rows by ID.
func Claims(tb testing.TB, s study.Study, rows []mc.Row) map[string]study.Verdict {
	tb.Helper()
	verdicts := map[string]study.Verdict{}
	for _, c := range s.Claims() {
		if _, twice := verdicts[c.ID]; twice || c.ID == "" || c.Source == "" || c.Statement == "" {
			tb.Errorf("claim %q (%s: %s): want an ID of its own, a source and a statement", c.ID,
				c.Source, c.Statement)
		}
		theorem := c.Kind == study.Guarantee || slices.ContainsFunc(
			[]string{"Theorem", "Proposition", "Lemma", "Definition"},
			func(w string) bool { return strings.Contains(c.Source, w) })
		if c.Ground == study.Unstated || c.Ground == study.AnyInstance && !theorem {
			tb.Errorf("claim %q (%s): it is judged on %v; say on what, and on any instance only what "+
				"a theorem promises", c.ID, c.Source, c.Ground)
		}
		v := c.Check(&study.Results{Rows: rows})
		verdicts[c.ID] = v
		if v.Measured == "" || v.Why == "" || strings.Contains(v.Measured+v.Why, "NaN") {
			tb.Errorf("%s: %+v; want what was measured and why", c.ID, v)
		}
		if none := c.Check(&study.Results{}); none.Outcome != study.NotComparable && !c.Known &&
			!c.Moot {
			tb.Errorf("%s without rows: %+v", c.ID, none)
		}
	}
	return verdicts
}

// Looks checks that every method of a paper has a look that it keeps in all figures, one of
// study.Looks, and that no two methods of an experiment look alike.
func Looks(tb testing.TB, p study.Paper) {
	tb.Helper()
	type look struct {
		color  color.NRGBA
		marker canvas.Marker
	}
	for _, e := range p.Experiments {
		of := map[look]string{}
		for _, name := range e.MethodNames() {
			if !slices.Contains(study.Looks, name) {
				tb.Errorf("%s: %s is not in study.Looks", e.Name, name)
				continue
			}
			l := study.Looks.Look(name)
			k := look{l.Color, l.Marker}
			if other := of[k]; other != "" {
				tb.Errorf("%s: %s looks like %s", e.Name, name, other)
			}
			of[k] = name
		}
		for _, name := range e.InColour {
			if !slices.Contains(e.MethodNames(), name) {
				tb.Errorf("%s: %s is to be in colour, and is no method", e.Name, name)
			}
		}
	}
}

// Report checks that a study makes so many tables and figures of rows, that a
// table says each of the words, and that figures have a name, a caption and a
// drawing; and that without rows there are no figures, fewer tables, no error.
func Report(tb testing.TB, s study.Study, rows []mc.Row, tables, figures int, words ...string) {
	tb.Helper()
	ts, err := s.Tables(rows)
	if err != nil || len(ts) != tables {
		tb.Errorf("%d tables, %v; want %d", len(ts), err, tables)
	}
	for _, t := range ts {
		if text := t.Text(); t.Title == "" || len(t.Rows) == 0 || strings.Contains(text, "NaN") {
			tb.Errorf("want a title, rows and numbers of the table\n%s", text)
		}
	}
	for _, w := range words {
		if !slices.ContainsFunc(ts, func(t *tidy.Table) bool {
			return strings.Contains(t.Text(), w)
		}) {
			tb.Errorf("no table says %q", w)
		}
	}
	fs, err := s.Figures(rows)
	if err != nil || len(fs) != figures {
		tb.Errorf("%d figures, %v; want %d", len(fs), err, figures)
	}
	seen := map[string]bool{}
	for _, f := range fs {
		if f.Name == "" || seen[f.Name] || f.Caption == "" || f.Drawing == nil {
			tb.Errorf("figure %+v: want a name of its own, a caption and a drawing", f)
		}
		seen[f.Name] = true
	}
	if ts, err := s.Tables(nil); len(ts) >= tables || err != nil {
		tb.Errorf("%d tables without rows, %v", len(ts), err)
	}
	if fs, err := s.Figures(nil); len(fs) != 0 || err != nil {
		tb.Errorf("%d figures without rows, %v", len(fs), err)
	}
}
