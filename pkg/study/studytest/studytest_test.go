package studytest

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// reports is a testing.TB that keeps what it is told.
type reports struct {
	testing.TB
	said []string
}

func (r *reports) Helper() {}

func (r *reports) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// a drawing of nothing
type blank struct{}

func (blank) WriteFile(string) error { return nil }

// sound is a study without faults.
func sound() study.Study {
	return study.Study{
		Tables: func(rows []mc.Row) ([]*tidy.Table, error) {
			if len(rows) == 0 {
				return nil, nil
			}
			return []*tidy.Table{{Title: "pulls", Columns: []tidy.Column{{Name: "mean"}}, Rows: [][]any{{3}}}}, nil
		},
		Figures: func(rows []mc.Row) ([]study.Figure, error) {
			if len(rows) == 0 {
				return nil, nil
			}
			return []study.Figure{{Name: "pulls", Caption: "Pulls.", Drawing: blank{}}}, nil
		},
		Claims: func() []study.Claim { return []study.Claim{few("A1")} },
	}
}

func few(id string) study.Claim {
	return study.Claim{ID: id, Source: "Fig. 1", Statement: "few pulls", Check: func(r *study.Results) study.Verdict {
		rows := r.Rows
		if len(rows) == 0 {
			return study.Missing("A")
		}
		return study.Verdict{Outcome: study.Agrees, Measured: "3", Why: "fewer than 10"}
	}}
}

// Each planted fault is found, and nothing else.
func TestFaults(t *testing.T) {
	rows := []mc.Row{{Pulls: 3}}
	always := few("A1")
	always.Check = func(*study.Results) study.Verdict {
		return study.Verdict{Outcome: study.Agrees, Measured: "3", Why: "known"}
	}
	silent := few("A1")
	silent.Check = func(r *study.Results) study.Verdict {
		rows := r.Rows
		if rows == nil {
			return study.Missing("A")
		}
		return study.Verdict{Outcome: study.Agrees, Measured: "NaN pulls", Why: "fewer than 10"}
	}
	for _, c := range []struct {
		name  string
		plant func(*study.Study)
		want  string
	}{
		{"none", func(*study.Study) {}, ""},
		{"an ID twice", func(s *study.Study) { s.Claims = func() []study.Claim { return []study.Claim{few("A1"), few("A1")} } }, "ID of its own"},
		{"no source", func(s *study.Study) {
			s.Claims = func() []study.Claim { c := few("A1"); c.Source = ""; return []study.Claim{c} }
		}, "a source"},
		{"judged without rows", func(s *study.Study) { s.Claims = func() []study.Claim { return []study.Claim{always} } }, "without rows"},
		{"measured NaN", func(s *study.Study) { s.Claims = func() []study.Claim { return []study.Claim{silent} } }, "what was measured"},
		{"no table", func(s *study.Study) { s.Tables = func([]mc.Row) ([]*tidy.Table, error) { return nil, nil } }, "0 tables"},
		{"tables always", func(s *study.Study) {
			one, _ := s.Tables(rows)
			s.Tables = func([]mc.Row) ([]*tidy.Table, error) { return one, nil }
		}, "1 tables without rows"},
		{"an error", func(s *study.Study) {
			s.Figures = func([]mc.Row) ([]study.Figure, error) { return nil, errors.New("no ink") }
		}, "no ink"},
		{"no caption", func(s *study.Study) {
			s.Figures = func(rows []mc.Row) ([]study.Figure, error) {
				return make([]study.Figure, len(rows)), nil
			}
		}, "a caption"},
	} {
		s, r := sound(), &reports{}
		c.plant(&s)
		Claims(r, s, rows)
		Report(r, s, rows, 1, 1, "mean")
		if all := strings.Join(r.said, "\n"); (c.want == "") != (all == "") || !strings.Contains(all, c.want) {
			t.Errorf("%s: %q; want %q", c.name, all, c.want)
		}
	}
	r, s := &reports{}, sound()
	always.Known = true
	s.Claims = func() []study.Claim { return []study.Claim{always} }
	if v := Claims(r, s, rows); len(r.said) != 0 || v["A1"].Outcome != study.Agrees {
		t.Errorf("a claim that is known to be judged by instances: %q, %v", r.said, v)
	}
	if Report(r, s, rows, 1, 1, "median"); len(r.said) != 1 || !strings.Contains(r.said[0], "median") {
		t.Errorf("a word that no table says: %q", r.said)
	}
}

// A row more, a row less or another one is found, with its line.
func TestGolden(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := []mc.Row{{Instance: "a", Pulls: 3, Items: []int{1}}, {Instance: "b", Pulls: 4}}
	if err := os.Mkdir("testdata", 0o777); err != nil {
		t.Fatal(err)
	}
	was := *update
	*update = true
	Golden(t, "rows.csv", rows)
	*update = false
	defer func() { *update = was }()
	other := []mc.Row{rows[0], {Instance: "b", Pulls: 5}}
	for _, c := range []struct {
		rows []mc.Row
		want string
	}{
		{rows, ""}, {other, ":3: "}, {rows[:1], "is\n(nothing)"}, {append(rows[:2:2], rows[0]), "was\n(nothing)"}, {nil, ":2: "},
	} {
		r := &reports{TB: t}
		Golden(r, "rows.csv", c.rows)
		if all := strings.Join(r.said, "\n"); (c.want == "") != (all == "") || !strings.Contains(all, c.want) {
			t.Errorf("%d rows: %q; want %q", len(c.rows), all, c.want)
		}
	}
}

// A method without a look, and an experiment with looks of its own, are found.
func TestPalette(t *testing.T) {
	with := func(palette []string, methods ...string) study.Experiment {
		e := study.Experiment{Palette: palette}
		for _, m := range methods {
			e.Methods = append(e.Methods, study.Method{Name: m})
		}
		return e
	}
	ab := []string{"a", "b"}
	for _, c := range []struct {
		second study.Experiment
		want   string
	}{
		{with(ab, "b"), ""},
		{with(ab, "c"), "c is not in the palette"},
		{with([]string{"b", "a"}, "b"), "palette [\"b\" \"a\"]"},
	} {
		var r reports
		Palette(&r, study.Paper{Experiments: []study.Experiment{with(ab, "a"), c.second}})
		if said := strings.Join(r.said, "\n"); !strings.Contains(said, c.want) || (said == "") != (c.want == "") {
			t.Errorf("said %q; want %q", said, c.want)
		}
	}
}
