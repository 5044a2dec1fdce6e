package published_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/published"
)

// mine is a short experiment: two methods on instances with two and three arms.
func mine() study.Experiment {
	method := func(name string, extra int) study.Method {
		return study.Method{Name: name, New: func(t study.Task) explore.Policy {
			return &late{APE: policy.APE{Delta: t.Delta}, Extra: extra, shift: shift}
		}}
	}
	return study.Experiment{
		Name: "mine/first", Title: "Mine", Axis: "arms K", Sizes: []int{2, 3}, Reps: 4, Delta: .1,
		Instance: func(size, _ int) (*bandit.Instance, error) {
			mu := mat.NewDense(size, 1, nil)
			for i := range size {
				mu.Set(i, 0, float64(2*i))
			}
			law, err := bandit.NewGaussian(mu, mat.NewSymDense(1, []float64{1}))
			return &bandit.Instance{Law: law, Problem: &explore.Problem{Arms: size, Sigma: 1, Question: question.Pareto{}}}, err
		},
		Methods: []study.Method{method("plain", 0), method("late", 5)},
	}
}

// shift is the number of rounds that late adds. shift is not a setting, so a different shift
// represents a change of code.
var shift int

// late is a policy that takes more rounds than it needs.
type late struct {
	policy.APE
	Extra int
	shift int
	left  int
}

func (l *late) Init(p *explore.Problem, src rand.Source) error {
	l.left = l.Extra + l.shift
	return l.APE.Init(p, src)
}

func (l *late) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	dst, err := l.APE.Ask(dst)
	if err == nil && len(dst) == 0 && l.left > 0 {
		l.left--
		dst = append(dst, explore.Pull{Arm: 0, N: 1})
	}
	return dst, err
}

// publish simulates an experiment and publishes its rows in a temporary folder.
func publish(t *testing.T, e study.Experiment) (path string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv(published.FolderVariable, dir)
	g, err := e.Grid(study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), "rows")
	if err := g.Stream(t.Context(), plain); err != nil {
		t.Fatal(err)
	}
	path, err = published.Path(e.Study())
	if err != nil {
		t.Fatal(err)
	}
	if err := mc.Pack(plain, path); err != nil {
		t.Fatal(err)
	}
	if same, err := published.Same(e.Study(), plain); !same || err != nil {
		t.Fatalf("the published rows are not reproduced: %v", err)
	}
	return path
}

// rows simulates an experiment.
func rows(t *testing.T, e study.Experiment) []mc.Row {
	t.Helper()
	g, err := e.Grid(study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := g.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// Of finds the rows of unchanged cells of an experiment.
func TestOf(t *testing.T) {
	publish(t, mine())
	for _, c := range []struct {
		name            string
		change          func(e *study.Experiment)
		known, unknown  int // numbers of rows
		wholeGridIsLeft bool
	}{
		{"as it is", func(*study.Experiment) {}, 16, 0, false},
		{"fewer replicates", func(e *study.Experiment) { e.Reps = 2 }, 8, 0, false},
		{"more replicates", func(e *study.Experiment) { e.Reps = 5 }, 0, 20, true},
		{"a size", func(e *study.Experiment) { e.Sizes = []int{3} }, 8, 0, false},
		{"another size", func(e *study.Experiment) { e.Sizes = []int{3, 4} }, 8, 8, false},
		{"a method", func(e *study.Experiment) { *e = e.Only("late") }, 8, 0, false},
		{"another delta", func(e *study.Experiment) { e.Delta = .2 }, 0, 16, true},
		{"other settings of a method", func(e *study.Experiment) {
			e.Methods[1].New = func(study.Task) explore.Policy { return &late{Extra: 6} }
		}, 8, 8, false},
		{"another instance", func(e *study.Experiment) {
			at := e.Instance
			e.Instance = func(size, draw int) (*bandit.Instance, error) {
				inst, err := at(size, draw)
				if size == 2 {
					inst.Problem.Sigma = 1.5
				}
				return inst, err
			}
		}, 8, 8, false},
		{"another name", func(e *study.Experiment) { e.Name = "mine/second" }, 0, 16, true},
	} {
		e := mine()
		c.change(&e)
		g, err := e.Grid(study.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := published.Of(g)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if len(p.Rows) != c.known || (p.Rest == g) != c.wholeGridIsLeft || (p.Rest == nil) != (c.unknown == 0) {
			t.Errorf("%s: %d rows are published; want %d", c.name, len(p.Rows), c.known)
			continue
		}
		if none := c.name == "another name"; (p.Path == "") != none || p.Own.Study != e.Name || !none && p.Header.Study != e.Name {
			t.Errorf("%s: path %q, header of %q, own %q", c.name, p.Path, p.Header.Study, p.Own.Study)
		}
		var rest []mc.Row
		if p.Rest != nil {
			if rest, err = p.Rest.Run(t.Context()); err != nil || len(rest) != c.unknown {
				t.Errorf("%s: %d rows are left, %v; want %d", c.name, len(rest), err, c.unknown)
			}
		}
		if got := p.With(rest); !reflect.DeepEqual(got, rows(t, e)) {
			t.Errorf("%s: the rows are not those of a simulation", c.name)
		}
	}
}

// Verify compares a sample that contains each method, and finds stale rows, files and definitions.
func TestVerify(t *testing.T) {
	path := publish(t, mine())
	s := mine().Study()
	verify := func(o published.Sample) (int, error) {
		n, all, err := published.Verify(t.Context(), s, o)
		if err == nil && all != 16 {
			t.Errorf("%d published rows; want 16", all)
		}
		return n, err
	}
	for share, want := range map[float64]int{.001: 2, .5: 8, 1: 16} {
		if n, err := verify(published.Sample{Share: share}); n != want || err != nil {
			t.Errorf("share %v: %d rows, %v; want %d", share, n, err, want)
		}
	}
	shift = 1 // simulates a change of code
	defer func() { shift = 0 }()
	for _, share := range []float64{.001, 1} {
		_, err := verify(published.Sample{Share: share, Seed: 7})
		if !errors.Is(err, published.ErrStale) || !strings.Contains(err.Error(), `"pulls":`) {
			t.Errorf("changed code, share %v: error %v", share, err)
		}
		if share == 1 && !strings.Contains(err.Error(), "11 more of 16") {
			t.Errorf("the error does not count all differences: %v", err)
		}
	}
	// Rows that other code wrote have the same header, but different contents.
	g, err := mine().Grid(study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "rows")
	if err := g.Stream(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	if same, err := published.Same(s, other); same || err != nil {
		t.Errorf("rows of other code are the same: %v", err)
	}
	shift = 0
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := published.Verify(ctx, s, published.Sample{Share: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for what, change := range map[string]func(e *study.Experiment){
		"the experiment has 3": func(e *study.Experiment) { e.Reps = 3 },
		"the experiment has 5": func(e *study.Experiment) { e.Reps = 5 },
		"delta 0.1 on":         func(e *study.Experiment) { e.Delta = .2 },
		"settings of the policy": func(e *study.Experiment) {
			e.Methods[0].New = func(study.Task) explore.Policy { return &late{Extra: 3} }
		},
	} {
		e := mine()
		change(&e)
		for _, err := range []error{published.Current(e.Study()), second(published.Verify(
			t.Context(), e.Study(), published.Sample{Share: 1}))} {
			if !errors.Is(err, published.ErrStale) || !strings.Contains(err.Error(), what) {
				t.Errorf("%s: error %v", what, err)
			}
		}
	}
	if err := published.Current(s); err != nil {
		t.Error(err)
	}
	// The file has only part of the replicates.
	if g, err = mine().Grid(study.Options{Shard: mc.Shard{I: 1, N: 2}}); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), "rows")
	if err := g.Stream(t.Context(), plain); err != nil {
		t.Fatal(err)
	}
	if same, err := published.Same(s, plain); same || err != nil {
		t.Errorf("a part is the same as the whole: %v, %v", same, err)
	}
	if err := mc.Pack(plain, path); err != nil {
		t.Fatal(err)
	}
	if err := published.Current(s); !errors.Is(err, published.ErrStale) {
		t.Errorf("a part of the replicates: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := verify(published.Sample{Share: 1}); !errors.Is(err, published.ErrNone) ||
		!strings.Contains(err.Error(), path) {
		t.Errorf("no file: %v", err)
	}
}

func second(_, _ int, err error) error { return err }

// Spot compares a run of each method until the context ends.
func TestSpot(t *testing.T) {
	publish(t, mine())
	part := func() *published.Part {
		g, err := mine().Grid(study.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := published.Of(g)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if n, err := part().Spot(t.Context()); n != 2 || err != nil {
		t.Errorf("%d rows, %v; want one of each of 2 methods", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if n, err := part().Spot(ctx); n != 0 || err != nil {
		t.Errorf("no time: %d rows, %v", n, err)
	}
	shift = 2
	defer func() { shift = 0 }()
	p := part()
	if _, err := p.Spot(t.Context()); !errors.Is(err, published.ErrStale) {
		t.Errorf("changed code: %v", err)
	}
	if p.Forget(); p.Rows != nil || p.Rest == nil || len(p.With(rows(t, mine()))) != 16 {
		t.Error("forgotten rows are still returned")
	}
}

// The rows of a downloaded module are in a separate module. A checkout has the rows, even with an @ in its name.
func TestFolderOfModule(t *testing.T) {
	top := t.TempDir()
	root, rows := filepath.Join(top, "purexp@v9.9.9"), filepath.Join(top, "purexp", "results@v9.9.9")
	err := errors.Join(os.MkdirAll(root, 0o777), os.WriteFile(filepath.Join(root, "go.mod"), []byte("module github.com/purexp/purexp\n"), 0o666))
	t.Chdir(root)
	_, missing := published.Folder()
	err = errors.Join(err, os.MkdirAll(rows, 0o777))
	downloaded, err1 := published.Folder()
	err = errors.Join(err, err1, os.Mkdir("results", 0o777))
	checkout, err2 := published.Folder()
	if err = errors.Join(err, err2); err != nil || !errors.Is(missing, published.ErrNone) || !errors.As(missing, new(published.NotDownloaded)) ||
		!strings.HasSuffix(downloaded, "results@v9.9.9") || filepath.Base(checkout) != "results" {
		t.Error(err, missing, downloaded, checkout)
	}
}
