package policy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study/arena"
)

// costs are the laboratories in the table of docs/plates.md. The goal of a laboratory is the largest allowed ratio of
// the pulls with overlapping rounds to the pulls with complete rounds; 0 means no goal. Goals were set before the
// measurement.
var costs = []struct {
	lab
	goal float64
}{
	{lab{wells: 8, machines: 1, late: .2, fail: .05}, 1.1},
	{lab{wells: 8, machines: 3, late: .2, fail: .05}, 1.2},
	{lab{wells: 24, machines: 3, late: .5, fail: .05}, 1.45},
	{lab{wells: 8, machines: 1, late: .5, fail: .05}, 0},
	{lab{wells: 8, machines: 3, late: .5, fail: .05}, 1.2},
	{lab{wells: 8, machines: 1}, 0},
	{lab{wells: 8, machines: 1, late: .5, fail: .1}, 0},
	{lab{wells: 96, machines: 1}, 0},
	{lab{wells: 96, machines: 1, late: .2, fail: .05}, 0},
	{lab{wells: 96, machines: 1, late: .5, fail: .1}, 0},
	{lab{wells: 1, machines: 1, late: .2, fail: .05}, 0},
	{lab{wells: 1, machines: 4}, 0},
	{lab{wells: 1, machines: 4, late: .2, fail: .05}, 0},
	{lab{wells: 1, machines: 16, late: .2, fail: .05}, 0},
	{lab{wells: 1, machines: 16, late: .5, fail: .1}, 0},
}

// cost simulates a laboratory on the instances of a set of the arena. The argument runs is the number of runs of
// an instance; instances with 200 arms or more have a fifth as many. The ratios of pulls and
// of plate times to those of complete rounds are geometric means over instances.
func cost(t *testing.T, l lab, set arena.Set, runs int) (pulls, time, openPulls, openTime float64, wrong, of int) {
	t.Helper()
	logs, n := [4]float64{}, 0.
	for at, i := range arena.Instances() {
		if i.Set != set {
			continue
		}
		inst, err := i.Load()
		if err != nil {
			t.Fatal(err)
		}
		var rewards radius.Radius
		if _, ok := inst.Law.(*bandit.Bernoulli); ok {
			rewards = radius.Bernoulli{}
		}
		open, err := policy.For(inst.Problem, policy.Circumstances{AnySampling: true, Delta: .05, Radius: rewards})
		if err != nil {
			t.Fatal(err)
		}
		times := runs
		if inst.Problem.K() >= 200 {
			times = max(1, runs/5)
		}
		var made, plates [3]float64 // 0: complete rounds; 1: overlapping rounds; 2: the method for any sampling rule
		for run := range times {
			for k := range made {
				var p explore.Policy = bettingOn(inst.Problem, .05, rewards)
				m := 1.
				if k == 2 {
					p = open.Make()
					m = max(1, float64((times+3)/4)) // a quarter of the runs
					if float64(run) >= m {
						continue
					}
					m = float64(times) / m
				}
				l.wait = k == 0
				rnd := rand.New(rand.NewPCG(uint64(run), uint64(at)))
				o := l.run(t, p, inst.Problem, inst.Sampler(seed.New(uint64(run))), rnd)
				made[k] += m * float64(o.made)
				plates[k] += m * float64(o.plates)
				if k == 1 {
					of++
					c := &policytest.Case{Instance: *inst}
					if o.Status != explore.Stopped || falseClaim(c, o.Result) {
						wrong++
					}
				}
			}
		}
		n++
		for k := range 4 {
			logs[k] += math.Log([2][3]float64{made, plates}[k%2][1+k/2] / [2][3]float64{made, plates}[k%2][0])
		}
	}
	return math.Exp(logs[0] / n), math.Exp(logs[1] / n), math.Exp(logs[2] / n), math.Exp(logs[3] / n), wrong, of
}

// The table of docs/plates.md lists the cost of overlapping rounds on the held-back half of the arena. The test
// recomputes the first row of the table; PATHS=write recomputes and writes all rows in about half an hour.
func TestOverlapCost(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: it takes a minute or two")
	}
	const file, end = "../../docs/plates.md", "<!-- end of overlap -->\n"
	const begin = "<!-- overlap: written by PATHS=write go test -timeout 0 -run TestOverlapCost ./pkg/policy -->\n"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	was, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no table between %q and %q", file, begin, end)
	}
	write := os.Getenv("PATHS") == "write"
	table := "| plates | late | fail | pulls | time | any sampling: pulls | time | wrong |\n|---|--:|--:|--:|--:|--:|--:|--:|\n"
	for i, c := range costs {
		if i > 0 && !write {
			break
		}
		pulls, time, openPulls, openTime, wrong, of := cost(t, c.lab, arena.HeldBack, 15)
		row := fmt.Sprintf("| %d x %d | %.0f %% | %.0f %% | %.2f | %.2f | %.2f | %.2f | %d of %d |\n",
			c.machines, c.wells, 100*c.late, 100*c.fail, pulls, time, openPulls, openTime, wrong, of)
		table += row
		t.Log(row)
		if c.goal > 0 && pulls > c.goal || wrong > policytest.MostErrors(of, .05) {
			t.Errorf("want at most %v times the pulls, and few wrong answers: %s", c.goal, row)
		}
		if !write && !strings.Contains(was, row) {
			t.Errorf("%s lacks %s", file, row)
		}
	}
	if write {
		if err := os.WriteFile(file, []byte(head+begin+table+end+tail), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// BettingElimination runs on the ten arms of Jin et al. 2024, with few and with many rounds.
// docs/plates.md compares the results with the published results.
func TestFewRounds(t *testing.T) {
	page, err := os.ReadFile("../../docs/plates.md")
	if err != nil {
		t.Fatal(err)
	}
	runs := 200
	if testing.Short() {
		runs = 5
	}
	mu := mat.NewDense(10, 1, []float64{.5, .3440649, .20002287, .26046651, .22935118, .21846772, .23725204, .26911215,
		.27935349, .30776335})
	for _, growth := range []float64{0, 1.3, 2, 4} {
		row := fmt.Sprintf("| elimination by betting, `Growth: %v` |", growth)
		for _, delta := range []float64{.05, 1e-10} {
			pulls, rounds, wrong := 0, 0, 0
			for i := range runs {
				p := &policy.BettingElimination{Delta: delta, Growth: growth, Rewards: radius.Bernoulli{}}
				r, err := explore.Run(p, &explore.Problem{Arms: 10, Sigma: .5, Question: question.Best{}},
					&lawSampler{mu, boundedLaws["success"], rand.New(rand.NewPCG(uint64(i), 1))}, nil)
				if err != nil {
					t.Fatal(err)
				}
				pulls, rounds = pulls+r.Pulls, rounds+r.Rounds
				if r.Answer.Items[0] != 0 {
					wrong++
				}
			}
			n := float64(runs)
			row += fmt.Sprintf(" %.0f | %.1f | %d of %d |", float64(pulls)/n, float64(rounds)/n, wrong, runs)
		}
		if t.Log(row); !testing.Short() && !strings.Contains(string(page), row) {
			t.Errorf("docs/plates.md lacks %s", row)
		}
	}
}
