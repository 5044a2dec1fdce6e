package plan_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// usualOf plans a problem with candidates A, B, ... and guesses, and returns the usual design.
func usualOf(t *testing.T, find, objectives string, guesses ...string) (*plan.Usual, *problem.Problem) {
	t.Helper()
	table := "name,x,y\n"
	for i, g := range guesses {
		table += fmt.Sprintf("%c,%s\n", 'A'+i, g)
	}
	p, err := problem.Parse("p.toml", []byte("question = { find = \""+find+"\", delta = 0.05 }\n"+
		"[candidates]\nfile = \"p.csv\"\n"+objectives), func(string) ([]byte, error) { return []byte(table), nil })
	if err != nil {
		t.Fatal(err)
	}
	made, err := plan.Simulate(context.Background(), p, &plan.Options{Runs: 1, Changes: []plan.Change{}, Methods: []string{p.MethodName()}})
	if err != nil {
		t.Fatal(err)
	}
	return made.Usual, p
}

const (
	gaussian = "[[objective]]\nname = \"x\"\nnoise = { sd = 2 }\nguess = \"x\"\n"
	bound    = "[[objective]]\nname = \"y\"\ngoal = \"bounded\"\nat_most = 4\nnoise = { sd = 0.5 }\nguess = \"y\"\n"
)

// For a single test, the number of replicates is the textbook sample size, ((z_level + z_power) × sigma /
// difference)^2. For two samples, the number of replicates is twice as large.
func TestUsualOfTextbooks(t *testing.T) {
	z := distuv.UnitNormal.Quantile
	for name, c := range map[string]struct {
		find, objectives string
		guesses          []string
		want             float64
		share            int
	}{
		"two samples":      {"best", gaussian, []string{"10,0", "9,0"}, 2 * math.Pow((z(.95)+z(.9))*2/1, 2), 1},
		"less is better":   {"best", gaussian + "goal = \"minimise\"\n", []string{"10,0", "9,0"}, 2 * math.Pow((z(.95)+z(.9))*2/1, 2), 1},
		"with a tolerance": {"best", gaussian + "tolerance = 0.5\n", []string{"10,0", "9,0"}, 2 * math.Pow((z(.95)+z(.9))*2/1.5, 2), 1},
		"a bound, inside":  {"feasible", bound, []string{"0,3.8"}, math.Pow((z(.95)+z(.9))*.5/.2, 2), 1},
		"a bound, outside": {"feasible", bound, []string{"0,4.1"}, math.Pow((z(.95)+z(.9))*.5/.1, 2), 1},
		"one far away":     {"feasible", bound, []string{"0,3.8", "0,9"}, math.Pow((z(.975)+z(.9))*.5/.2, 2), 2},
	} {
		u, _ := usualOf(t, c.find, c.objectives, c.guesses...)
		if u == nil || u.Replicates != int(math.Ceil(c.want)) || u.Measurements != u.Replicates*len(c.guesses) || u.Share != c.share {
			t.Errorf("%s: %+v; want %v replicates, and delta shared by %d", name, u, math.Ceil(c.want), c.share)
		}
	}
}

// For several candidates with a bound, 90 % of the laboratories that use the usual design find the right answer. With
// one replicate fewer, the proportion is lower. Answers of the usual design are wrong with probability at most delta.
func TestUsualInLaboratories(t *testing.T) {
	x, y := []float64{9, 10, 8.4, 12}, []float64{3, 3.7, 3.9, 4.4}
	var guesses []string
	for i := range x {
		guesses = append(guesses, fmt.Sprintf("%v,%v", x[i], y[i]))
	}
	u, p := usualOf(t, "best", gaussian+bound, guesses...)
	if u == nil || u.Share != 4 {
		t.Fatalf("%+v", u)
	}
	rnd, c := rand.New(rand.NewPCG(1, 2)), distuv.UnitNormal.Quantile(1-p.Question.Delta/4)
	const labs = 100_000
	// found returns the proportions of right and of wrong answers among laboratories that use n replicates.
	found := func(n int) (right, wrong float64) {
		root := math.Sqrt(float64(n))
		a, b := make([]float64, len(x)), make([]float64, len(x))
		for range labs {
			for i := range x {
				a[i], b[i] = x[i]+2/root*rnd.NormFloat64(), y[i]+.5/root*rnd.NormFloat64()
			}
			for j := range x {
				answer := b[j] < 4-c*.5/root
				for i := range x {
					answer = answer && (i == j || b[i] > 4+c*.5/root || a[j]-a[i] > c*2*math.Sqrt2/root)
				}
				switch {
				case answer && j == 1:
					right += 1. / labs
				case answer:
					wrong += 1. / labs
				}
			}
		}
		return right, wrong
	}
	const off = .004 // more than four standard errors
	enough, wrong := found(u.Replicates)
	less, _ := found(u.Replicates - 1)
	if enough < .9-off || less > .9+off || wrong > p.Question.Delta {
		t.Errorf("%d replicates: right %.4f, wrong %.4f; one less: right %.4f", u.Replicates, enough, wrong, less)
	}
}

// For counts of successes, simulated binomial results give the right answer about as often as the normal approximation
// predicts. The design is the same if some trials may not be evaluable.
func TestUsualOfCounts(t *testing.T) {
	counted := func(more string) string {
		return "[[objective]]\nname = \"x\"\namounts = \"rates\"\nguess = \"x\"\nnoise = { counts = 12" + more + " }\n"
	}
	u, p := usualOf(t, "best", counted(""), "0.5,0", "0.7,0", "0.2,0")
	each, _ := usualOf(t, "best", counted(`, evaluable = "n"`), "0.5,0", "0.7,0", "0.2,0")
	if u == nil || each == nil || *each != *u {
		t.Fatalf("%+v, of trials one by one %+v", u, each)
	}
	rates, _ := usualOf(t, "best", counted("")+"tolerance = 0.1\n", "0.5,0", "0.7,0", "0.2,0")
	counts, _ := usualOf(t, "best", strings.Replace(counted(""), `"rates"`, `"counts"`, 1)+"tolerance = 1.2\n",
		"6,0", "8.4,0", "2.4,0")
	if rates == nil || counts == nil || *rates != *counts || rates.Replicates >= u.Replicates {
		t.Errorf("with a tolerance in rates %+v, in counts %+v, without %+v", rates, counts, u)
	}
	rnd, c := rand.New(rand.NewPCG(1, 2)), distuv.UnitNormal.Quantile(1-p.Question.Delta/2)
	m := float64(12 * u.Replicates)
	rate := func(q float64) float64 { return distuv.Binomial{N: m, P: q, Src: rnd}.Rand() / m }
	right := 0.0
	const labs = 20_000
	for range labs {
		a, b, d := rate(.5), rate(.7), rate(.2)
		if b-a > c*math.Sqrt((.25+.21)/m) && b-d > c*math.Sqrt((.16+.21)/m) {
			right += 1. / labs
		}
	}
	if math.Abs(right-.9) > .03 {
		t.Errorf("%d replicates: right %.3f", u.Replicates, right)
	}
}

// There is no usual design if the question has no customary test, or if no number of replicates is enough.
func TestNotUsual(t *testing.T) {
	for name, c := range map[string]struct {
		find, objectives string
		guesses          []string
	}{
		"a tie":            {"best", gaussian, []string{"10,0", "10,0"}},
		"on a bound":       {"feasible", bound, []string{"0,4"}},
		"a Pareto set":     {"pareto", gaussian + strings.Replace(bound, "bounded", "minimise", 1), []string{"10,1", "9,3"}},
		"two roles":        {"best", gaussian + "at_least = 5\n", []string{"10,1", "9,3"}},
		"all that is good": {"good", gaussian + "tolerance = 0.5\n", []string{"10,1", "9,3"}},
		"a known value":    {"best", gaussian + "[[objective]]\nname = \"y\"\nknown = true\ngoal = \"bounded\"\nat_most = 4\n", []string{"10,1", "9,3"}},
	} {
		if u, _ := usualOf(t, c.find, c.objectives, c.guesses...); u != nil {
			t.Errorf("%s: %+v", name, u)
		}
	}
}
