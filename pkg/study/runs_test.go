package study_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
)

// elimination returns an experiment whose runs have different lengths. The stopping time of a policy depends on the
// rewards, and one method is limited to 40 pulls.
func elimination() study.Experiment {
	e := named()
	e.Reps, e.Bounds = 5, nil
	e.Methods = []study.Method{study.NewMethod("LUCB", "", &policy.LUCB{}), study.NewMethod("LUCB", "loose", &policy.LUCB{}),
		study.NewMethod("LinGapE", "", &policy.LUCB{})}
	e.Methods[2].MaxPulls = 40
	return e
}

// For any instance and replicate, a replay repeats the run of a row, including the method's limit on pulls. If the
// settings contain a limit, it replaces the method's limit.
func TestReplay(t *testing.T) {
	e := elimination()
	seen := map[int]bool{}
	for _, row := range simulate(t, e, study.Options{}) {
		m, ok := e.Method(row.Method, row.Constants)
		inst, err := e.Named(row.Instance)
		if err != nil || !ok {
			t.Fatal(err, ok)
		}
		for _, set := range []*explore.Settings{nil, {}} {
			r, err := e.Replay(m, inst, row.Size, row.Rep, set)
			if err != nil || r.Pulls != row.Pulls || r.Rounds != row.Rounds || !reflect.DeepEqual(r.Answer.Items, row.Items) ||
				r.Status.String() != row.Status {
				t.Errorf("%+v, %v; the row is %+v", r, err, row)
			}
		}
		limit := &explore.Settings{MaxPulls: 12}
		if r, err := e.Replay(m, inst, row.Size, row.Rep, limit); err != nil || r.Pulls > 12 || limit.MaxPulls != 12 || limit.Src != nil {
			t.Errorf("%+v, %v: want at most 12 pulls, and the settings as they were: %+v", r, err, limit)
		}
		seen[row.Pulls] = true
		f, err := e.Trajectory(row.Instance, row.Method, row.Rep)
		if err != nil || f.Title != "One run of "+row.Method+" on "+row.Instance ||
			!strings.HasPrefix(f.Alt(), fmt.Sprintf("One run of %d pulls.", row.Pulls)) {
			t.Errorf("%s: %s, %v: want the trajectory of a run of %d pulls", f.Title, f.Alt(), err, row.Pulls)
		}
	}
	if len(seen) < 10 {
		t.Errorf("runs have %d numbers of pulls; want many that differ", len(seen))
	}
	for _, names := range [][2]string{{"rope", "LUCB"}, {"long ladder", "nobody"}} {
		if _, err := e.Trajectory(names[0], names[1], 0); err == nil || !strings.Contains(err.Error(), `"LUCB" "LinGapE"`) ==
			(names[1] == "nobody") {
			t.Errorf("%q: error %v; want the known names", names, err)
		}
	}
	e.Methods[0].New = func(study.Task) explore.Policy { return &broken{} }
	inst, _ := e.Named("long ladder")
	if _, err := e.Replay(e.Methods[0], inst, 1, 0, nil); !errors.Is(err, errBroken) ||
		!strings.HasPrefix(err.Error(), "toy/ladder: LUCB on long ladder: ") {
		t.Errorf("a policy that cannot begin: %v", err)
	}
}

// Results sorts the rows of random instances by draw and replicate, whatever their order was, and numbers them
// consecutively. If a method has more runs on an instance, the numbers of other methods do not change.
func TestRowsOfDraws(t *testing.T) {
	e := confident()
	e.Draws, e.Sizes, e.Bounds = 3, []int{2, 4}, e.Bounds[:1]
	e.Reps = 3
	e.Methods[1].Each, e.Methods[2].Reps = 1, 2
	rows := simulate(t, e, study.Options{})
	slices.Reverse(rows)
	before := slices.Clone(rows)
	r := e.Results(append(rows, mc.Row{Experiment: "toy/other", Size: 2, Delta: .1, Rep: 50}))
	if !reflect.DeepEqual(rows, before) || len(r.Rows) != len(rows) || len(r.Runs()) != len(rows)-6 {
		t.Fatalf("%d of %d rows, %d of methods, or the rows themselves changed", len(r.Rows), len(rows), len(r.Runs()))
	}
	for _, size := range e.Sizes {
		for c, want := range map[study.Choice][]int{
			{Method: "even", Constants: "many"}: {0, 1, 2, 3, 4, 5, 6, 7, 8}, {Method: "even", Constants: "few"}: {0, 3, 6},
			{Method: "rare"}: {0, 1, 2, 3, 4, 5}, {Method: "floor", Constants: "bound"}: {0, 3, 6}, {Method: "none"}: nil,
		} {
			var reps []int
			for _, row := range r.Cell(size, c.Method, c.Constants) {
				reps = append(reps, row.Rep)
				if row.Draw != row.Rep/3 || row.Instance != fmt.Sprintf("ladder K=%d", size) {
					t.Errorf("%v: %+v", c, row)
				}
			}
			if !slices.Equal(reps, want) {
				t.Errorf("%v at %d has the replicates %v; want %v", c, size, reps, want)
			}
		}
	}
	// Results use their current rows, even if a caller changes Rows or creates Results without an experiment.
	r.Rows = r.Rows[:0:0]
	if c := r.Cell(2, "even", "many"); c != nil {
		t.Errorf("a cell of removed rows: %v", c)
	}
	if c := (&study.Results{Rows: []mc.Row{{Size: 2, Method: "a"}, {Size: 3, Method: "a"}}}).Cell(3, "a", ""); len(c) != 1 || c[0].Size != 3 {
		t.Errorf("rows by hand: %v", c)
	}
}

// Claims are judged by the current rows. This holds even if a caller has replaced the rows of the same results, with
// or without changing their number.
func TestClaimsOfRowsThatChange(t *testing.T) {
	e := confident()
	rows := simulate(t, e, study.Options{})
	check := e.Study().Claims()[0].Check
	r := &study.Results{Rows: rows}
	say := func() string { v := check(r); return fmt.Sprint(v.Outcome, " ", v.Measured) }
	got := []string{say(), say()}
	r.Rows = rows[:len(rows)-1]
	got = append(got, say())
	r.Rows = make([]mc.Row, len(rows))
	got = append(got, say())
	r = &study.Results{Rows: rows[:4]}
	if got = append(got, say()); !slices.Equal(got, []string{"agrees 40", "agrees 40", "agrees 39", "not comparable -", "not comparable -"}) {
		t.Errorf("%q", got)
	}
}
