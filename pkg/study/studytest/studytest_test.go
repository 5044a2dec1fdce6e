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
			return []*tidy.Table{{Title: "pulls", Columns: []tidy.Column{{Name: "mean"}},
				Rows: [][]any{{3}}}}, nil
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
	return study.Claim{ID: id, Ground: study.StandIn, Source: "Fig. 1", Statement: "few pulls",
		Check: func(r *study.Results) study.Verdict {
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
		{"an ID twice", func(s *study.Study) {
			s.Claims = func() []study.Claim { return []study.Claim{few("A1"), few("A1")} }
		}, "ID of its own"},
		{"no source", func(s *study.Study) {
			s.Claims = func() []study.Claim {
				c := few("A1")
				c.Source = ""
				return []study.Claim{c}
			}
		}, "a source"},
		{"judged without rows", func(s *study.Study) {
			s.Claims = func() []study.Claim { return []study.Claim{always} }
		}, "without rows"},
		{"measured NaN", func(s *study.Study) {
			s.Claims = func() []study.Claim { return []study.Claim{silent} }
		}, "what was measured"},
		{"no table", func(s *study.Study) {
			s.Tables = func([]mc.Row) ([]*tidy.Table, error) { return nil, nil }
		}, "0 tables"},
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
		if all := strings.Join(r.said, "\n"); (c.want == "") != (all == "") ||
			!strings.Contains(all, c.want) {
			t.Errorf("%s: %q; want %q", c.name, all, c.want)
		}
	}
	r, s := &reports{}, sound()
	always.Known = true
	s.Claims = func() []study.Claim { return []study.Claim{always} }
	if v := Claims(r, s, rows); len(r.said) != 0 || v["A1"].Outcome != study.Agrees {
		t.Errorf("a claim that is known to be judged by instances: %q, %v", r.said, v)
	}
	if Report(r, s, rows, 1, 1, "median"); len(r.said) != 1 ||
		!strings.Contains(r.said[0], "median") {
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
		{rows, ""}, {other, ":3: "}, {rows[:1], "is\n(nothing)"},
		{append(rows[:2:2], rows[0]), "was\n(nothing)"}, {nil, ":2: "},
	} {
		r := &reports{TB: t}
		Golden(r, "rows.csv", c.rows)
		if all := strings.Join(r.said, "\n"); (c.want == "") != (all == "") ||
			!strings.Contains(all, c.want) {
			t.Errorf("%d rows: %q; want %q", len(c.rows), all, c.want)
		}
	}
}

// A method without a look is found, and a colour of a method that there is not.
func TestLooks(t *testing.T) {
	with := func(colour string, methods ...string) study.Experiment {
		e := study.Experiment{}
		for _, m := range methods {
			e.Methods = append(e.Methods, study.Method{Name: m})
		}
		if colour != "" {
			e.InColour = []string{colour}
		}
		return e
	}
	for _, c := range []struct {
		second study.Experiment
		want   string
	}{
		{with("", "GEGE", "APE"), ""},
		{with("", "GEGE", "c"), "c is not in study.Looks"},
		{with("APE", "GEGE"), "APE is to be in colour"},
	} {
		var r reports
		Looks(&r, study.Paper{Experiments: []study.Experiment{with("RAGE", "RAGE"), c.second}})
		if said := strings.Join(r.said, "\n"); !strings.Contains(said, c.want) ||
			(said == "") != (c.want == "") {
			t.Errorf("said %q; want %q", said, c.want)
		}
	}
}

// A claim that a has fewer pulls than b, and its faults: an inverted comparison, the wrong end of
// an interval, a verdict that needs no evidence, one that cannot differ.
func TestVerdicts(t *testing.T) {
	make := func(a float64, spread float64) Make {
		return Pulls(spread, map[string]float64{"a": 1000 * a})
	}
	sides := map[string]Sides{"A1": {Agrees: make(.5, .1), Differs: make(2, .1),
		Unclear: make(1, .3)}}
	ratio := func(r *study.Results) study.Estimate {
		return study.Ratio("a/b", r.Cell(1, "a", ""), r.Cell(1, "b", ""))
	}
	by := func(outcome func(s tidy.Summary) study.Outcome) func(*study.Results) study.Verdict {
		return func(r *study.Results) study.Verdict {
			return study.Verdict{Outcome: outcome(ratio(r).At(.95)), Measured: "1",
				Why: "by the ratio"}
		}
	}
	if_ := func(agrees bool, otherwise study.Outcome) study.Outcome {
		if agrees {
			return study.Agrees
		}
		return otherwise
	}
	for _, c := range []struct {
		name  string
		check func(*study.Results) study.Verdict
		wrong int // verdicts
	}{
		{"sound", func(r *study.Results) study.Verdict {
			return study.All(study.Fewer.Of(ratio(r)))
		}, 0},
		{"inverted", func(r *study.Results) study.Verdict {
			return study.All(study.More.Of(ratio(r)))
		}, 2},
		{"the other end", by(func(s tidy.Summary) study.Outcome {
			return if_(s.Lo < 1, study.Differs)
		}), 1},
		{"lack of evidence differs", by(func(s tidy.Summary) study.Outcome {
			return if_(s.Hi < 1, study.Differs)
		}), 1},
		{"the centre decides", by(func(s tidy.Summary) study.Outcome {
			return if_(s.Center < 1, study.Differs)
		}), 1},
		{"cannot differ", by(func(s tidy.Summary) study.Outcome {
			return if_(s.Hi < 1, study.NotComparable)
		}), 1},
		{"always agrees", by(func(tidy.Summary) study.Outcome { return study.Agrees }), 2},
	} {
		e := study.Experiment{
			Name: "toy/ratio", Axis: "size n", Sizes: []int{1}, Delta: .1,
			Methods: []study.Method{{Name: "a"}, {Name: "b"}},
			Claims:  []study.Claim{{ID: "A1", Check: c.check}},
		}
		r := &reports{}
		if Verdicts(r, e, sides); len(r.said) != c.wrong {
			t.Errorf("%s: %q; want %d wrong verdicts", c.name, r.said, c.wrong)
		}
		r = &reports{}
		if Verdicts(r, e, map[string]Sides{"A1": {Agrees: make(.5, .1)},
			"A2": {}}); len(r.said) < 3 {
			t.Errorf("%s: %q; want that two sides are missing, and that a claim is not there",
				c.name, r.said)
		}
		r = &reports{}
		if Verdicts(r, e, nil); len(r.said) != 1 ||
			!strings.Contains(r.said[0], "no made-up rows") {
			t.Errorf("%s without sides: %q", c.name, r.said)
		}
	}
}

// Made-up rows are as they are asked for: medians, shares of wrong answers, sizes and budgets.
func TestRows(t *testing.T) {
	e := study.Experiment{
		Name: "toy/rows", Axis: "size n", Sizes: []int{2, 4}, Draws: 5, Budget: func(n int) int {
			return 10 * n
		},
		Methods: []study.Method{{Name: "a", Constants: "x"}, {Name: "b"}},
		Bounds:  []study.Bound{{Name: "floor"}},
	}
	rows := Rows(e, func(m study.Method, size int) Made {
		switch {
		case m.Name == "b" && size == 4:
			return Made{}
		case m.Constants == "bound":
			return Made{Pulls: 7, Reps: 1}
		}
		return Made{Pulls: 1000 * float64(size), Spread: .5, Wrong: .25, Reps: 40,
			Edit: func(r *mc.Row) { r.Rounds = 3 }}
	})
	r := e.Results(rows)
	for _, size := range e.Sizes {
		c := r.Cell(size, "a", "x")
		// The median of an even number of quantiles is between the middle two.
		if m := study.MedianPulls(c).Center; len(c) != 40 || m < 980*float64(size) ||
			m > 1020*float64(size) || study.Mistakes(c) != 10 {
			t.Errorf("size %d: %d rows, median %v, %d wrong", size, len(c), m, study.Mistakes(c))
		}
		if c[0].Budget != 10*size || c[0].Rounds != 3 || c[39].Draw != 39 ||
			len(r.Bound(size, "floor")) != 1 {
			t.Errorf("size %d: %+v", size, c[0])
		}
	}
	if len(r.Cell(2, "b", "")) != 40 || len(r.Cell(4, "b", "")) != 0 {
		t.Error("rows of b at size 2 only")
	}
	if up, down := Exponents(0, map[string]float64{"b": 2})(e.Methods[1], 4),
		Wrongs(7, map[string]float64{"a x": .5})(e.Methods[0], 4); up.Pulls != 16000 ||
		down.Wrong != .5 || down.Reps != 7 {
		t.Errorf("%+v, %+v", up, down)
	}
}
