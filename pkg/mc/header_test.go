package mc_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/internal/jsonl"
	"github.com/purexp/purexp/pkg/mc"
)

// named is a policy whose name does not say its settings.
type named struct {
	Setting float64
	race
}

func (named) String() string { return "named" }

// within asks for the best arm up to a tolerance, which its type does not say.
type within struct{ Epsilon float64 }

func (w within) Correct(mu *mat.Dense, a explore.Answer) bool { return best{}.Correct(mu, a) }

func (w within) GoString() string { return fmt.Sprintf("within %v", w.Epsilon) }

// What makes another grid is named, also where the name of the policy, the means and the noise
// do not tell grids apart.
func TestOtherGridsAreNamed(t *testing.T) {
	grid := func() *mc.Grid {
		g := toy()
		g.Methods[0].New = func() explore.Policy { return &named{1, race{Batch: 3, Width: .5}} }
		g.Instances[0].Problem.Question = within{}
		return g
	}
	path, whole := stream(t, grid())
	for want, change := range map[string]func(g *mc.Grid){
		"settings of the policy of narrow (tuned) at delta 0.1 on easy are others": func(
			g *mc.Grid,
		) {
			g.Methods[0].New = func() explore.Policy { return &named{2, race{Batch: 3, Width: .5}} }
		},
		"easy differs, there and here: question: within 0 and within 0.1": func(g *mc.Grid) {
			g.Instances[0].Problem.Question = within{.1}
		},
		"easy differs, there and here: means, features or noise scales": func(g *mc.Grid) {
			g.Instances[0].Problem.Sigma = 1.5
		},
		"hard> differs, there and here: means, features or noise scales": func(g *mc.Grid) {
			g.Instances[1].Problem.NormSigma = 2
		},
		"easy differs, there and here: distribution of the rewards": func(g *mc.Grid) {
			law, err := bandit.NewGaussian(g.Instances[0].Means(),
				mat.NewSymDense(1, []float64{.5}))
			if err != nil {
				t.Fatal(err)
			}
			g.Instances[0].Law = law
		},
	} {
		g := grid()
		change(g)
		err := g.Stream(context.Background(), path)
		if !errors.Is(err, mc.ErrGrid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
		if contents(t, path) != whole {
			t.Fatalf("%s: the file was changed", want)
		}
	}
}

// Features are a part of an instance, with the same means too.
func TestOtherFeatures(t *testing.T) {
	grid := func(x ...float64) *mc.Grid {
		g := toy()
		g.Instances[0].Problem.X = mat.NewDense(3, 2, x)
		return g
	}
	path, _ := stream(t, grid(1, 0, 0, 1, 1, 1))
	err := grid(1, 0, 0, 1, 1, 2).Stream(context.Background(), path)
	if !errors.Is(err, mc.ErrGrid) || !strings.Contains(err.Error(),
		"means, features or noise scales") {
		t.Errorf("error %v", err)
	}
}

// Costs are a part of an instance, each amount of them.
func TestOtherCosts(t *testing.T) {
	grid := func(costs ...float64) *mc.Grid {
		g := toy()
		g.Instances[0].Problem.Costs = costs
		return g
	}
	path, whole := stream(t, grid(1, 2, 3))
	for _, costs := range [][]float64{nil, {1, 2, 4}, {2, 1, 3}} {
		err := grid(costs...).Stream(context.Background(), path)
		if !errors.Is(err, mc.ErrGrid) || contents(t, path) != whole {
			t.Errorf("costs %v, and [1 2 3] in the file: error %v", costs, err)
		}
	}
}

// A limit of a method counts in place of the grid's.
func TestLimits(t *testing.T) {
	g := toy()
	g.MaxPulls = 1000
	g.Methods[0].MaxPulls = 10 // a round of easy has 10 pulls
	g.Methods[0].New = func() explore.Policy { return &race{Batch: 3, Width: math.Inf(1)} }
	g.Methods[1].New = g.Methods[0].New
	for _, r := range run(t, g) {
		switch most := map[string]int{"narrow": 10, "wide": 1000}[r.Method]; {
		case r.Instance == "tie":
		case r.Pulls > most || r.Pulls < most-10 || r.Status != explore.PullLimit.String():
			t.Errorf("%s on %s: %v after %d pulls; want the limit, %d", r.Method, r.Instance,
				r.Status, r.Pulls, most)
		}
	}
}

// Each part of a grid knows how many rows it has.
func TestProgressOfShards(t *testing.T) {
	for n := 1; n <= 4; n++ {
		for i := range n {
			g := toy()
			g.Shard = mc.Shard{I: i + 1, N: n}
			last, most := 0, 0
			g.Progress = func(done, total int, _ time.Duration) { last, most = done, total }
			rows := len(run(t, g))
			if last != rows || most != rows {
				t.Errorf("shard %v: %d of %d at the end, with %d rows", g.Shard, last, most, rows)
			}
		}
	}
}

// A row that was written whole, with pulls of arms that the instance does not have, is refused.
func TestRowsOfOtherArms(t *testing.T) {
	g := toy()
	path, whole := stream(t, g)
	lines := strings.SplitAfter(whole, "\n")
	var r mc.Row
	if err := jsonl.Decode([]byte(strings.TrimSuffix(lines[1], "\n")), &r); err != nil {
		t.Fatal(err)
	}
	r.ArmPulls = append(r.ArmPulls, 0)
	forged, err := jsonl.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, lines[0]+string(forged)+strings.Join(lines[2:], ""))
	const want = "rows.jsonl:2: this is not what was written here: pulls of 4 arms; easy has 3"
	_, _, reading := mc.Read(path)
	for _, err := range []error{g.Stream(context.Background(), path), reading} {
		if !errors.Is(err, mc.ErrRows) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v", err)
		}
	}
}

// Rows of another version, older or newer, are refused.
func TestRowsOfOtherVersions(t *testing.T) {
	path, whole := stream(t, toy())
	head, rest, _ := strings.Cut(whole, "\n")
	for _, version := range []int{mc.Version - 1, mc.Version + 1} {
		var h map[string]any
		if err := jsonl.Decode([]byte(head), &h); err != nil {
			t.Fatal(err)
		}
		h["version"] = version
		delete(h, "crc")
		forged, err := jsonl.Encode(h)
		if err != nil {
			t.Fatal(err)
		}
		write(t, path, string(forged)+rest)
		want := fmt.Sprintf("version is %d, this program reads %d", version, mc.Version)
		if _, _, err := mc.Read(path); !errors.Is(err, mc.ErrRows) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %s", err, want)
		}
	}
}
