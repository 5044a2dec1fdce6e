package nb

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/internal/jsonl"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/nb/internal/cell/celltest"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/gege"
)

func TestReps(t *testing.T) {
	t.Setenv("PUREXP_REPS", "")
	if Reps(500) != 500 {
		t.Error("the study's own number is not used")
	}
	t.Setenv("PUREXP_REPS", "7")
	if Reps(500) != 7 {
		t.Error("PUREXP_REPS is not used")
	}
	for _, bad := range []string{"0", "-1", "many", "1.5"} {
		t.Setenv("PUREXP_REPS", bad)
		m, failed := celltest.Fails(t, func() { Reps(500) })
		if !failed || !strings.Contains(m, bad) {
			t.Errorf("%q: %v, %q", bad, failed, m)
		}
	}
}

// arms returns a table of three designs with two success rates each.
func arms() Frame {
	return dataframe.ReadCSV(strings.NewReader("design,speed,yield\nA,0.9,0.2\nB,0.2,0.9\nC,0.1,0.1\n"))
}

// The test covers all steps from a table to an explained answer.
func TestFromFrameToAnswer(t *testing.T) {
	inst := AtLeast(Bernoulli(arms(), "design", "speed", "yield"), 0.15, Free)
	r := Run(inst, &policy.ECAPE{Radius: radius.Paper{}}, 1)
	if r.Status != explore.Stopped || !inst.Problem.Question.Correct(inst.Truth(), r.Answer) {
		t.Fatalf("%+v", r)
	}
	text := outcome("", inst, r).table(false).Text()
	for _, say := range []string{"A  ", "in the answer", "C  ", "stopped after"} {
		if !strings.Contains(text, say) {
			t.Errorf("the table does not say %q:\n%s", say, text)
		}
	}
	if strings.Contains(text, "C: ") {
		t.Errorf("arms are named twice:\n%s", text)
	}
	for name, f := range map[string]func(){
		"too few bounds":  func() { AtLeast(inst, 0.1) },
		"too few weights": func() { Weighted(inst, 1) },
		"no such column":  func() { Bernoulli(arms(), "design", "cost") },
		"no such file":    func() { Load("nothing.csv") },
		"no data set":     func() { Dataset("nothing") },
	} {
		if m, failed := celltest.Fails(t, f); !failed || m == "" {
			t.Errorf("%s: %v, %q", name, failed, m)
		}
	}
	one := Weighted(inst, 0, 1)
	if best := Run(one, &policy.TFLUCB{Radius: radius.Paper{}},
		1); best.Status != explore.Stopped || len(best.Answer.Items) != 1 ||
		!one.Problem.Question.Correct(one.Truth(), best.Answer) {
		t.Errorf("the feasible item of the best yield: %+v", best)
	}
	if free := Weighted(Bernoulli(arms(), "design", "speed", "yield"), 1,
		1); free.Problem.Question.(question.BestFeasible).Region.Rows() != 0 {
		t.Errorf("constraints where none were asked for: %v", free.Problem.Question)
	}
}

func TestLoadAndDataset(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arms.csv")
	os.WriteFile(path, []byte("design,speed\nA,0.9\n"), 0o666)
	if df := Load(path, "design"); df.Nrow() != 1 {
		t.Error("Load: want one row")
	}
	if df := Load("data/secukinumab/arms.csv"); df.Nrow() != 5 { // the path is relative to the root of the project
		t.Error("Load: a path relative to the project does not work")
	}
	if df := Dataset("llvm"); df.Nrow() != 1024 {
		t.Error("Dataset: llvm does not have 1,024 rows")
	}
}

// tiny returns a short study.
func tiny(made *int) study.Study {
	return study.Study{Name: "tiny", Title: "Tiny", Reps: 4, Grid: func(o study.Options) (*mc.Grid, error) {
		var inst *bandit.Instance = AtLeast(Bernoulli(arms(), "design", "speed", "yield"), 0.15, Free)
		return &mc.Grid{
			Study: "tiny", Seed: o.Root(), Reps: o.Scaled(4, 4), Instances: []*bandit.Instance{inst},
			Methods: []mc.Method{{Name: "e-cAPE", New: func() explore.Policy {
				*made++
				return &policy.ECAPE{Radius: radius.Paper{}}
			}}},
			Workers: 1,
		}, nil
	}}
}

// Rows are simulated once and then read; an incomplete file is continued.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PUREXP_CACHE", dir)
	t.Setenv("PUREXP_RESULTS", t.TempDir())
	t.Setenv("PUREXP_REPS", "")
	made := 0
	rows := newRowCache(tiny(&made)).rows()
	first := made
	if len(rows) != 4 || first == 0 {
		t.Fatalf("%d rows, %d policies", len(rows), made)
	}
	// Reading the stored rows creates fewer policies than simulating them, because policies are then needed only to
	// describe the grid.
	newRowCache(tiny(&made)).rows()
	second := made - first
	if second >= first {
		t.Errorf("created %d policies to reuse rows, %d to simulate them", second, first)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "tiny-*.jsonl"))
	if len(files) != 1 {
		t.Fatalf("files %v", files)
	}
	whole, _ := os.ReadFile(files[0])
	os.WriteFile(files[0], whole[:len(whole)-100], 0o666)
	if again := newRowCache(tiny(&made)).rows(); len(again) != 4 {
		t.Errorf("%d rows after a truncation; want 4", len(again))
	}
	if now, _ := os.ReadFile(files[0]); string(now) != string(whole) {
		t.Error("the continued file differs")
	}
	t.Setenv("PUREXP_REPS", "2")
	if fewer := newRowCache(tiny(&made)).rows(); len(fewer) != 2 {
		t.Errorf("%d rows; want 2", len(fewer))
	}
}

// publish writes rows of a study to a folder of published rows, as if the given code had written them.
func publish(t *testing.T, s study.Study, code string) (path string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("PUREXP_RESULTS", dir)
	plain := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := Must(s.Grid(study.Options{})).Stream(t.Context(), plain); err != nil {
		t.Fatal(err)
	}
	if code != "" {
		b, _ := os.ReadFile(plain)
		head, rows, _ := strings.Cut(string(b), "\n")
		var h mc.Header
		if err := jsonl.Decode([]byte(head), &h); err != nil {
			t.Fatal(err)
		}
		h.Code = code
		line, err := jsonl.Encode(h)
		if err != nil {
			t.Fatal(err)
		}
		os.WriteFile(plain, append(line, rows...), 0o666)
	}
	path = filepath.Join(dir, s.FileName()+".jsonl.zst")
	if err := mc.Pack(plain, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// Published rows are read; if more replicates are requested than were published, rows are simulated.
func TestPublished(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("PUREXP_CACHE", cache)
	t.Setenv("PUREXP_REPS", "")
	made := 0
	want := newRowCache(tiny(&made)).rows()
	publish(t, tiny(&made), "")
	for _, c := range []struct {
		reps      string
		rows      int
		published int
	}{{"", 4, 4}, {"3", 3, 3}, {"6", 6, 0}} {
		t.Setenv("PUREXP_REPS", c.reps)
		k := newRowCache(tiny(&made))
		rows := k.rows()
		if len(rows) != c.rows || len(k.part.Rows) != c.published {
			t.Errorf("%q replicates: %d rows, %d of them published; want %d and %d", c.reps,
				len(rows), len(k.part.Rows), c.rows, c.published)
		}
		if n := min(c.rows, len(want)); !reflect.DeepEqual(rows[:n], want[:n]) {
			t.Errorf("%q replicates: other rows than without published ones", c.reps)
		}
		says := map[bool]string{true: "read from `results/tiny.jsonl.zst`",
			false: "simulated in"}[c.published > 0]
		if o := k.origin(); !strings.Contains(o, says) {
			t.Errorf("%q replicates: the origin is %q; want %q", c.reps, o, says)
		}
	}
}

// Published rows of other code are used only if a newly simulated sample of rows is the same.
func TestPublishedByOtherCode(t *testing.T) {
	t.Setenv("PUREXP_CACHE", t.TempDir())
	t.Setenv("PUREXP_REPS", "")
	made := 0
	publish(t, tiny(&made), "elder")
	k := newRowCache(tiny(&made))
	if k.rows(); len(k.part.Rows) != 4 || k.from.Spotted != 1 {
		t.Errorf("%d published rows, %d compared; want 4 and 1", len(k.part.Rows), k.from.Spotted)
	}
	if o := k.origin(); !strings.Contains(o, "elder") || !strings.Contains(o, "1 of these runs were simulated again") {
		t.Errorf("the origin is %q", o)
	}
	other := tiny(&made)
	grid := other.Grid
	other.Grid = func(o study.Options) (*mc.Grid, error) {
		g, err := grid(o)
		g.Methods[0].New = func() explore.Policy {
			return &hasty{ECAPE: policy.ECAPE{Radius: radius.Paper{}}, rounds: made}
		}
		return g, err
	}
	made = 1e6
	t.Setenv("PUREXP_CACHE", t.TempDir())
	publish(t, other, "elder")
	made = 3
	k = newRowCache(other)
	if rows := k.rows(); len(rows) != 4 || len(k.part.Rows) != 0 || rows[0].Rounds != 3 {
		t.Errorf("rows of changed code: %d, %d of them published, %d rounds", len(rows), len(k.part.Rows), rows[0].Rounds)
	}
}

// hasty is a policy that stops after a given number of rounds. It stands for a policy whose code was changed.
type hasty struct {
	policy.ECAPE
	rounds, done int
}

func (h *hasty) Init(p *explore.Problem, src rand.Source) error {
	h.done = 0
	return h.ECAPE.Init(p, src)
}

func (h *hasty) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if h.done == h.rounds {
		return dst, nil
	}
	h.done++
	return h.ECAPE.Ask(dst)
}

// An experiment is simulated once; later its rows are read when they are needed.
func TestSimulate(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PUREXP_CACHE", dir)
	t.Setenv("PUREXP_RESULTS", t.TempDir())
	t.Setenv("PUREXP_REPS", "3")
	t.Setenv("GONB_TMP_DIR", t.TempDir())
	e := gege.SyntheticBudget
	e.Sizes = []int{10, 20}
	s := Simulate(e)
	if s.results == nil || len(s.Results().Rows) != 3*2*len(e.Methods) {
		t.Fatalf("%d rows; want 3 runs of %d methods on 2 instances", len(s.Results().Rows), len(e.Methods))
	}
	again := Simulate(e)
	if again.results != nil {
		t.Error("rows are read before they are needed")
	}
	if got, want := len(again.Results().Rows), len(s.Results().Rows); got != want {
		t.Errorf("%d rows are read, %d were simulated", got, want)
	}
	if c := s.colophon(); !strings.Contains(c, "replicates 3;") || !strings.Contains(c, e.Name) {
		t.Errorf("colophon %q", c)
	}
	none := &Simulation{Experiment: e, results: e.Results(nil), rows: s.rows}
	if c := none.colophon(); !strings.Contains(c, "no runs") || !strings.Contains(c, e.Name) {
		t.Errorf("colophon without rows %q", c)
	}
	if m, failed := celltest.Fails(t, func() { s.Figure("nothing") }); !failed || !strings.Contains(m, "synthetic-budget") {
		t.Errorf("a figure that does not exist: %v, %q", failed, m)
	}
	e.Sizes = []int{10, 20, 50} // another experiment has other rows
	if more := Simulate(e); len(more.Results().Rows) != 3*3*len(e.Methods) {
		t.Errorf("%d rows of three sizes", len(more.Results().Rows))
	}
}

// Figure shows the requested figures or, by default, all figures. If an experiment has no figures, the error says so.
func TestSimulationFigures(t *testing.T) {
	e := study.Experiment{Name: "mine/two", Sizes: []int{5}, Figures: func(r *study.Results) ([]study.Figure, error) {
		draw := func(name string) study.Figure {
			return study.Figure{Name: name, Drawing: Must(fig.Effort([]fig.ArmEffort{{Name: name, Used: 5}}, nil))}
		}
		return []study.Figure{draw("first"), draw("second")}, nil
	}}
	s := &Simulation{Experiment: e, results: e.Results([]mc.Row{{Experiment: e.Name, Size: 5, Budget: 9, Method: "A"}})}
	for _, x := range []struct{ names, want []string }{{nil, []string{"first", "second"}}, {[]string{"second"}, []string{"second"}},
		{[]string{"second", "first"}, []string{"first", "second"}}} {
		var shown []string
		for _, m := range regexp.MustCompile(`Most on (\w+)`).FindAllStringSubmatch(celltest.Printed(t, func() { s.Figure(x.names...) }), -1) {
			shown = append(shown, m[1])
		}
		if !slices.Equal(shown, x.want) {
			t.Errorf("asked for %q: %q; want %q", x.names, shown, x.want)
		}
	}
	if m, failed := celltest.Fails(t, func() { s.Figure("first", "third") }); !failed || !strings.Contains(m, `mine/two has no figure "third"; the figures are ["first" "second"]`) {
		t.Errorf("%v, %q", failed, m)
	}
	none := &Simulation{Experiment: e, results: e.Results(nil)}
	if m, failed := celltest.Fails(t, func() { none.Figure() }); !failed || !strings.Contains(m, "mine/two has no figures") {
		t.Errorf("%v, %q", failed, m)
	}
}
