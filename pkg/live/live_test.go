package live_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/live"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study/ecape"
	"github.com/purexp/purexp/pkg/study/gege"
	"github.com/purexp/purexp/pkg/study/linfact"
	"github.com/purexp/purexp/pkg/study/rage"
)

// ask makes a call and returns its answer.
func ask[A any](t testing.TB, name string, request any) *A {
	t.Helper()
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Answer *A
		Error  string
	}
	if err := json.Unmarshal(live.Do(name, text, nil), &got); err != nil {
		t.Fatal(err)
	}
	if got.Error != "" {
		t.Fatal(got.Error)
	}
	return got.Answer
}

// rows returns the rows of a matrix.
func rows(a *mat.Dense) [][]float64 {
	n, _ := a.Dims()
	r := make([][]float64, n)
	for i := range r {
		r[i] = mat.Row(nil, i, a)
	}
	return r
}

// described returns an instance of a study as a page describes it.
func described(t testing.TB, in *bandit.Instance, q live.Question) live.Instance {
	t.Helper()
	d := live.Instance{Means: rows(in.Means()), Question: q, Noise: live.Noise{Kind: "gaussian", SD: in.Problem.Sigma}}
	for i := range in.Problem.K() {
		d.Arms = append(d.Arms, in.Problem.Arm(i))
	}
	for c := range in.Problem.D() {
		d.Objectives = append(d.Objectives, in.Problem.Objective(c))
	}
	if in.Problem.X != nil {
		d.Features, d.Theta, d.Means = rows(in.Problem.X), rows(in.Theta), nil
	}
	return d
}

// An example is the request of a page for a run, with the instance and the policy that give the expected result.
type example struct {
	name    string
	in      *bandit.Instance
	policy  explore.Policy
	request live.RunRequest
}

func examples(t testing.TB) []example {
	t.Helper()
	must := func(in *bandit.Instance, err error) *bandit.Instance {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	near := must(ecape.NearBoundary(.05))
	feasible := live.Question{Kind: "feasible-pareto", Least: []*float64{new(float64), new(float64)}}
	*feasible.Least[0] = .4
	plane := must(rage.BenchmarkInstance(2, .4))
	concept := must(gege.Concept())
	setting := must(linfact.Synthetic.At(2, 0))
	epsilon := live.Question{Kind: "all-epsilon-best", Epsilon: .2}
	var list []example
	add := func(in *bandit.Instance, p explore.Policy, q live.Question, method, constants string, delta float64) {
		list = append(list, example{method + " " + constants, in, p, live.RunRequest{
			Instance: described(t, in, q), Seed: 1,
			Method: live.Method{Name: method, Constants: constants, Delta: delta}}})
	}
	add(near, &policy.ECAPE{Delta: .1}, feasible, "e-cape", "theory", .1)
	add(near, &policy.ECAPE{Delta: .1, Radius: radius.KaufmannKoolen{}}, feasible, "e-cape", "kaufmann-koolen", .1)
	add(near, &policy.Uniform{Delta: .05, Radius: radius.Paper{}}, feasible, "uniform", "paper", .05)
	add(near, &policy.TwoStage{Delta: .1}, feasible, "two-stage", "theory", .1)
	add(near, &policy.ConstrainedRacing{Delta: .1}, feasible, "racing", "theory", .1)
	add(plane, policy.RAGEPrinted(.05), live.Question{Kind: "best"}, "rage", "printed", .05)
	add(plane, &policy.RAGE{Delta: .05}, live.Question{Kind: "best"}, "rage", "theory", .05)
	add(plane, &policy.XYStatic{Delta: .05}, live.Question{Kind: "best"}, "xy-static", "", .05)
	add(concept, &policy.GEGEFixedConfidence{Delta: .1}, live.Question{Kind: "pareto"}, "gege", "theory", .1)
	add(concept, &policy.APE{Delta: .1, Radius: radius.KaufmannKoolen{}},
		live.Question{Kind: "pareto"}, "ape", "kaufmann-koolen", .1)
	add(setting, &policy.LinFACT{Delta: .05, Design: policy.LinFACTG}, epsilon, "linfact-g", "", .05)
	add(setting, &policy.LinFACT{Delta: .05}, epsilon, "linfact-xy", "theory", .05)
	add(concept, &policy.PFIwR{Delta: .1, Width: policy.PFIwRPaper}, live.Question{Kind: "pareto"}, "pfiwr", "paper", .1)
	return list
}

// The run of a page equals the run of the library on the study's instance, with the notebook's random streams.
func TestRunIsTheLibrarys(t *testing.T) {
	for _, e := range examples(t) {
		t.Run(e.name, func(t *testing.T) {
			problem := *e.in.Problem
			q, err := e.request.Instance.Question.Build(e.request.Instance.Objectives)
			if err != nil {
				t.Fatal(err)
			}
			problem.Question = q
			s := seed.New(1)
			want, err := explore.Run(e.policy, &problem, e.in.Sampler(s.Child("noise")),
				&explore.Settings{Src: s.Child("policy").Source(), MaxPulls: 20_000_000})
			if err != nil {
				t.Fatal(err)
			}
			got := ask[live.Run](t, "run", e.request)
			if got.Pulls != want.Pulls || got.Rounds != want.Rounds || !slices.Equal(got.ArmPulls, want.ArmPulls) ||
				!slices.Equal(got.Items, want.Answer.Items) || got.Status != want.Status.String() {
				t.Errorf("%d pulls %v in %d rounds, answer %v; want %d %v in %d, %v", got.Pulls,
					got.ArmPulls, got.Rounds, got.Items, want.Pulls, want.ArmPulls, want.Rounds,
					want.Answer.Items)
			}
			if want.Answer.Reasons != nil {
				for i, sentence := range want.Answer.Explain(&problem) {
					if got.Verdicts[i].Text != sentence {
						t.Errorf("%q; want %q", got.Verdicts[i].Text, sentence)
					}
				}
			}
			last := got.Course[len(got.Course)-1]
			if last.Pulls != want.Pulls || !slices.Equal(last.ArmPulls, want.ArmPulls) {
				t.Errorf("the course ends with %d pulls %v", last.Pulls, last.ArmPulls)
			}
			for i := range last.Half {
				if len(last.Half[i]) != problem.D() || !(last.Half[i][0] > 0) {
					t.Errorf("half-widths of arm %d at the end: %v", i, last.Half[i])
				}
			}
		})
	}
}

// Bounds are those of package complexity for the true means.
func TestBound(t *testing.T) {
	for _, e := range examples(t) {
		q, err := e.request.Instance.Question.Build(e.request.Instance.Objectives)
		if err != nil {
			t.Fatal(err)
		}
		problem := *e.in.Problem
		problem.Question = q
		means := e.in.Truth().RawMatrix().Data
		name, want := "", 0.
		switch e.request.Instance.Question.Kind {
		case "best":
			s, err := complexity.NewPsiStar(&problem, means, nil)
			if err != nil {
				t.Fatal(err)
			}
			name, want = "psi*", complexity.LeastPulls(2*problem.Sigma*problem.Sigma*s.Lower, .1)
		case "all-epsilon-best":
			s, err := complexity.NewGammaStar(&problem, means, 1e-3)
			if err != nil {
				t.Fatal(err)
			}
			name, want = "Gamma*", s.LowerBound(.1)
		default:
			d, sd := problem.D(), problem.Sigma
			cov := mat.NewSymDense(d, nil)
			for c := range d {
				cov.SetSym(c, c, sd*sd)
			}
			s, err := complexity.NewTStar(q, e.in.Truth(), cov, 1e-2)
			if err != nil {
				t.Fatal(err)
			}
			name, want = "T*", s.LowerBound(.1)
		}
		got := ask[live.Bound](t, "bound", live.BoundRequest{Instance: e.request.Instance, Delta: .1})
		if got.Name != name || math.Abs(float64(got.Value)-want) > 2e-3*want {
			t.Errorf("%s: %s %v; want %s %v", e.name, got.Name, got.Value, name, want)
		}
	}
}

// In at most delta = 0.3 of the runs, a box misses its mean at some time. Therefore, the probability that more than 36
// of 80 runs fail is at most 0.002. With boxes of half the width, most runs would fail.
func TestBoxesHold(t *testing.T) {
	reps := 80
	if testing.Short() {
		reps = 40
	}
	for _, method := range []string{"e-cape", "gege", "pfiwr"} {
		e := examples(t)[0]
		constants := "theory"
		if method != "e-cape" {
			e = examples(t)[8]
		}
		if method == "pfiwr" {
			constants = "paper"
		}
		r := e.request
		r.Method, r.MaxPulls = live.Method{Name: method, Constants: constants, Delta: .3}, 4000
		mu := e.in.Truth()
		missed, seen := 0, 0
		for rep := range reps {
			r.Seed = uint64(rep)
			bad := false
			for _, s := range ask[live.Run](t, "run", r).Course {
				for i, row := range s.Half {
					for c, half := range row {
						if half == 0 {
							continue // null means that no interval is known
						}
						seen++
						bad = bad || math.Abs(float64(s.Means[i][c])-mu.At(i, c)) > float64(half)
					}
				}
			}
			if bad {
				missed++
			}
		}
		if limit := .45 * float64(reps); float64(missed) > limit || seen == 0 {
			t.Errorf("%s: %d of %d runs leave their boxes (%d seen); want at most %v", method, missed, reps, seen, limit)
		}
	}
}

// A tie has no bound, and the answer says so. On a tie, a run does not stop before its limit.
func TestTie(t *testing.T) {
	r := examples(t)[8].request
	r.Instance.Theta = [][]float64{{1, 1}, {1, 1}, {0, 0}, {.5, .2}}
	got := ask[live.Bound](t, "bound", live.BoundRequest{Instance: r.Instance, Delta: .1})
	if got.Name != "" || !strings.Contains(got.About, "No number of measurements is enough") ||
		len(got.Classes) != 4 || got.Classes[2] != "dominated" {
		t.Errorf("%+v", got)
	}
	r.MaxPulls = 5000
	if run := ask[live.Run](t, "run", r); run.Status == "stopped" {
		t.Errorf("a tie was broken after %d pulls", run.Pulls)
	}
}
