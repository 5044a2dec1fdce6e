package wire_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/wire"
)

// The test binary is also the guest program; the environment variable PUREXP_GUEST selects its role.
func TestMain(m *testing.M) {
	switch role := os.Getenv("PUREXP_GUEST"); role {
	case "":
		os.Exit(m.Run())
	case "serve":
		err := wire.Serve(os.Stdin, os.Stdout, func(m *wire.Message) (explore.Policy, error) {
			for _, p := range append(policies(m.Delta), new(spread), new(lucky)) {
				if explore.TypeName(p) == os.Getenv("PUREXP_POLICY") {
					return p, nil
				}
			}
			return nil, errors.New("no such policy")
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "hang":
		time.Sleep(time.Hour)
	case "crash":
		fmt.Fprintln(os.Stderr, "line 3: division by zero")
		os.Exit(3)
	case "leave":
		fmt.Fprintln(os.Stderr, "nothing to do")
	case "node":
		fmt.Fprint(os.Stderr, "/mine.js:4\nthrow Error('no seed')\n^\n\nError: no seed\n    at start (/mine.js:4:7)\n    at node:internal/main:28:49\n\nNode.js v20.20.2\n")
		os.Exit(1)
	case "hear": // refuse each message, and quote it in the reason
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			why, _ := json.Marshal(fmt.Sprintf("%d hears %s", os.Getpid(), in.Text()))
			fmt.Printf(`{"type":"refuse","why":%s}`+"\n", why)
		}
	case "flood":
		x := bytes.Repeat([]byte("x"), 1<<20)
		for range 100 {
			_, _ = os.Stdout.Write(x)
		}
	default: // the role lists the replies, one for each line of input
		line := make([]byte, 1<<16)
		for {
			for _, say := range strings.Split(role, "\n") {
				if _, err := os.Stdin.Read(line); err != nil {
					os.Exit(0)
				}
				fmt.Println(strings.ReplaceAll(say, "&", "\n"))
			}
		}
	}
}

func policies(delta float64) []explore.Policy {
	return []explore.Policy{
		&policy.LinGapE{Delta: delta}, &policy.BettingElimination{Delta: delta}, &policy.RAGE{Delta: delta},
		&policy.ECAPE{Delta: delta, Radius: radius.Mixture{}}, &policy.LUCB{Delta: delta}, &policy.APE{Delta: delta}}
}

// guest returns a pool of guests with a role.
func guest(t testing.TB, role, name string) *wire.Pool {
	t.Setenv("PUREXP_GUEST", role)
	t.Setenv("PUREXP_POLICY", name)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := wire.NewPool(wire.Options{Command: []string{exe}, Timeout: 20 * time.Second})
	t.Cleanup(p.Close)
	return p
}

func instance(t testing.TB, q explore.Question, means ...[]float64) *bandit.Instance {
	m := mat.NewDense(len(means), len(means[0]), nil)
	for i, row := range means {
		m.SetRow(i, row)
	}
	inst := policytest.Gaussian("", &explore.Problem{Arms: len(means), Objectives: len(means[0]), Sigma: .5, Question: q}, m)
	return &inst
}

// A policy in another process makes the same requests and gives the same answer as in this process. The policy also
// receives the squares and the seed.
func TestGuestIsThePolicy(t *testing.T) {
	one := instance(t, question.Best{}, []float64{1}, []float64{.3}, []float64{0})
	two := instance(t, question.Pareto{}, []float64{1, 0}, []float64{0, 1}, []float64{-.5, -.4})
	for _, p := range append(policies(.1), new(spread)) {
		name := explore.TypeName(p)
		pool := guest(t, "serve", name)
		inst := one
		switch name {
		case "ECAPE", "APE":
			inst = two
		case "spread": // six arms with equal means
			inst = instance(t, question.Best{}, slices.Repeat([][]float64{{0}}, 6)...)
		}
		g := pool.Guest(.1)
		for rep := range uint64(3) { // the runs of a guest use one process, one after the other
			run := func(p explore.Policy) *explore.Result {
				rewards := bandit.NewSampler(inst.Law, seed.New(rep))
				rewards.Squares = true
				r, err := explore.Run(p, inst.Problem, rewards, nil)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				return r
			}
			want, got := run(p), run(g)
			if !slices.Equal(got.ArmPulls, want.ArmPulls) || !slices.Equal(got.Answer.Items, want.Answer.Items) ||
				len(got.Answer.Reasons) != len(want.Answer.Reasons) || got.Status != explore.Stopped {
				t.Fatalf("%s: %+v, want %+v", name, got, want)
			}
			for i, r := range want.Answer.Reasons {
				if x := got.Answer.Reasons[i]; x.Class != r.Class || x.By != r.By || x.By >= 0 && x.Margin != r.Margin {
					t.Errorf("%s: item %d: %+v, want %+v", name, i, x, r)
				}
			}
		}
		if g.String() == "" || g.String() != explore.Name(p) {
			t.Errorf("%s calls itself %q", name, g)
		}
	}
	pool := guest(t, "serve", "lucky")
	g := pool.Guest(.1)
	for s := range constant(8) {
		var want lucky
		_ = want.Init(one.Problem, seed.New(uint64(s)).Source())
		if err := g.Init(one.Problem, s); err != nil || g.Answer().Items[0] != want.arm {
			t.Errorf("seed %d: %v, %v; want %d", s, g.Answer(), err, want.arm)
		}
	}
	pool.Close()
	if err := g.Init(one.Problem, constant(1)); err == nil || g.Answer().Items != nil {
		t.Errorf("%v, and after a failed Init, Answer returns %v of the earlier run", err, g.Answer())
	}
}

// Half-widths that a guest does not send are infinite, so its reasons are not certificates.
func TestHalfWidthsNotSaid(t *testing.T) {
	region, _ := polyhedron.AtLeast([]float64{0}, nil)
	p := &explore.Problem{Arms: 2, Objectives: 1, Sigma: 1, Question: question.FeasiblePareto{Region: region}}
	var said wire.Verdict
	err := json.Unmarshal([]byte(`{"chosen":[0],"reasons":[{"class":"optimal","by":1,"margin":1},{"class":"infeasible","constraint":0,"slack":1}]}`), &said)
	a, wrong := said.Explore(p)
	if err := errors.Join(err, wrong); err != nil || a.Reasons[0].Constraint != -1 || a.Reasons[1].By != -1 || !math.IsInf(a.Reasons[0].MarginRadius, 1) || !math.IsInf(a.Reasons[1].SlackRadius, 1) {
		t.Errorf("%+v, %v", a, err)
	}
}

// A mistake of a guest ends its run with an error that describes the mistake, and the next run is not affected.
func TestGuestsGoWrong(t *testing.T) {
	inst := instance(t, question.Best{}, []float64{1}, []float64{0})
	const ready, ask = `{"type":"ready"}`, `{"type":"ask","pulls":[[0,1],[1,1]]}`
	for _, c := range []struct{ role, want string }{
		{"crash", "division by zero"},
		{"flood", "a line exceeds the limit"},
		{"leave", "the program ended: nothing to do"},
		{"nonsense", "the line is nonsense"},
		{`{"type":"ready","name":7}`, "name: a number"},
		{`{"pulls":[]}`, "type: missing"},
		{`{"type":"bid"}`, `"bid" after init`},
		{`{"type":"refuse","why":"no features"}`, "no features"},
		{`{"type":"error","message":"out of ideas"}`, "out of ideas"},
		{ready + "&" + `{"type":"ask","pulls":[]}`, "pulls: empty"},
		{ready + "&" + `{"type":"ask","pulls":[[0,1],[2,1]]}`, "pulls[1]: arm 2; expected 0 to 1"},
		{ready + "&" + `{"type":"ask","pulls":[[-1,1]]}`, "pulls[0]: arm -1; expected 0 to 1"},
		{ready + "&" + `{"type":"ask","pulls":[[0,0]]}`, "pulls[0]: 0 rewards of arm 0"},
		{ready + "&" + `{"type":"stop"}`, "answer: missing"},
		{ready + "&" + `{"type":"stop","answer":{"chosen":[1,0]}}`, "ascending"},
		{ready + "&" + `{"type":"stop","answer":{"chosen":[2]}}`, "chosen[0]: 2; expected an item from 0 to 1"},
		{ready + "&" + `{"type":"stop","answer":{"chosen":[0],"reasons":[{"class":"optimal"}]}}`, "reasons: 1"},
		{ready + "&" + `{"type":"stop","answer":{"chosen":[0],"reasons":[{"class":"best"},{"class":"best"}]}}`, `unknown verdict "best"`},
		{ready + "&" + ask + "\n" + `{"type":"ready"}`, `"ready"; expected ask or stop`},
		{`{"type":"ready","protocol":2}`, "version 2"},
		{ready + "&" + `{"type":"error","message":"too hot"}`, "the program reports an error: too hot"},
		{`{"type":"ready","evidence":"lots"}`, `evidence: "lots"; expected "own rounds" or "any sampling"`},
		{`[1,2]`, "an array; expected an object"},
		{`{"type":"ready","protocol":"1"}`, "protocol: a string; expected a whole number"},
		{ready + "&" + `{"type":"ask","pulls":[[0,1,2]]}`, "pulls[0]: [0,1,2]; expected a pair"},
		{ready + "&" + `{"type":"ask","pulls":[[0]]}`, "pulls[0]: [0]; expected a pair"},
		{ready + "&" + `{"type":"ask","pulls":[0,1]}`, "pulls[0]: 0; expected a pair"},
		{ready + "&" + `{"type":"ask","pulls":[[0,1.5]]}`, "pulls[0]: [0,1.5]; expected a pair"},
		{ready + "&" + `{"type":"ask","pulls":[[null,1]]}`, "pulls[0]: [null,1]; expected a pair"},
		{ready + "&" + `{"type":"stop","answer":{"chosen":[null]}}`, "[null]: null is not a number"},
		{ready + "&" + `{"type":"stop","answer":{"chosen":1}}`, "1; expected an array of whole numbers"},
		{ready + "&" + `{"type":"ask","pulls":7}`, "pulls: a number; expected an array"},
		{"node", "the program ended: exit status 1: throw Error('no seed') / Error: no seed"},
	} {
		g := guest(t, c.role, "").Guest(.1)
		for range 2 {
			_, err := explore.Run(g, inst.Problem, inst.Sampler(seed.New(1)), nil)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v; want %q", c.role, err, c.want)
			}
			if a := g.Answer(); a.Items != nil {
				t.Errorf("%s: it answers %v after an error", c.role, a)
			}
			if !errors.Is(err, explore.ErrQuestion) { // the run has failed, and returns the error again
				if _, again := g.Ask(nil); again == nil || !strings.Contains(again.Error(), c.want) {
					t.Errorf("%s: asked again it says %v", c.role, again)
				}
			}
		}
	}
	// If a guest sends an invalid answer during a run, the run fails, and the next call returns the error.
	for role, want := range map[string]string{
		`{"type":"answer"}`:                           `"answer" in response to answer; expected type answer, with the field answer`,
		`{"type":"answer","answer":{"chosen":[7]}}`:   "chosen[0]: 7; expected an item from 0 to 1",
		`{"type":"error","message":"no idea"}`:        "the program reports an error: no idea",
		`{"type":"stop","answer":{"chosen":[0]}}`:     `"stop" in response to answer`, // a stop message is rejected here, although it contains an answer
		`{"type":"answer","answer":{"chosen":[1,1]}}`: "1 after 1",
	} {
		g := guest(t, ready+"&"+ask+"\n"+role, "").Guest(.1)
		if err := g.Init(inst.Problem, seed.New(1).Source()); err != nil {
			t.Fatal(err)
		}
		a := g.Answer()
		if _, err := g.Ask(nil); a.Items != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v; want %q", role, a, err, want)
		}
		if err := g.Tell(nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: told, %v; want %q", role, err, want)
		}
	}
	t.Setenv("PUREXP_GUEST", "hang")
	exe, _ := os.Executable()
	pool := wire.NewPool(wire.Options{Command: []string{exe}, Timeout: 50 * time.Millisecond})
	defer pool.Close()
	if _, err := explore.Run(pool.Guest(.1), inst.Problem, inst.Sampler(seed.New(1)), nil); err == nil ||
		!strings.Contains(err.Error(), "did not answer in 50ms") {
		t.Errorf("a guest that hangs: %v", err)
	}
	// If a message is larger than the capacity of a pipe, the error distinguishes a guest that does not read from
	// a guest that does not reply.
	large := *inst.Problem
	large.ObjectiveNames = []string{strings.Repeat("x", 1<<20)}
	if _, err := explore.Run(pool.Guest(.1), &large, inst.Sampler(seed.New(1)), nil); err == nil ||
		!strings.Contains(err.Error(), "did not answer in 50ms, and did not read its input") {
		t.Errorf("a guest that does not read: %v", err)
	}
	// A successful run resets the number of consecutive time-outs.
	t.Setenv("PUREXP_GUEST", "serve")
	t.Setenv("PUREXP_POLICY", "spread")
	pool.Patience, pool.Timeout = 3, time.Minute
	_, err := explore.Run(pool.Guest(.1), inst.Problem, inst.Sampler(seed.New(1)), nil)
	busy := pool.Guest(.1) // busy occupies the idle process, so the next run starts a new process
	if err := errors.Join(err, busy.Init(inst.Problem, constant(1))); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PUREXP_GUEST", "hang")
	pool.Timeout = 50 * time.Millisecond
	const late = ": the program did not answer in 50ms"
	for k, want := range []string{late, late, late, ": 3 times in a row, " + late[2:] + "; correct the program"} {
		if _, err := explore.Run(pool.Guest(.1), inst.Problem, inst.Sampler(seed.New(1)), nil); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("run %d of a guest that hangs: %v, want %q", k+2, err, want)
		}
	}
	if err := wire.NewPool(wire.Options{}).Guest(.1).Init(inst.Problem, constant(1)); err == nil ||
		!strings.Contains(err.Error(), "the command is empty") {
		t.Errorf("no command: %v", err)
	}
	none := wire.NewPool(wire.Options{Command: []string{"/no/such/program"}})
	if _, err := explore.Run(none.Guest(.1), inst.Problem, inst.Sampler(seed.New(1)), nil); err == nil {
		t.Error("a command that does not exist was run")
	}
	none.Close()
	if _, err := explore.Run(none.Guest(.1), inst.Problem, inst.Sampler(seed.New(1)), nil); err == nil ||
		!strings.Contains(err.Error(), "closed") {
		t.Errorf("a closed pool: %v", err)
	}
}

// A host that violates the protocol receives the name of the wrong field.
func TestHostsGoWrong(t *testing.T) {
	const begin = `{"type":"init","protocol":1,"delta":0.1,"problem":{"arms":2,"objectives":1,"sigma":1,"question":{"find":"best"}}}` + "\n"
	for _, c := range []struct{ lines, want string }{
		{`{"type":"tell"}`, `"tell" before init`},
		{`{"type":"init","protocol":3}`, "version 3"},
		{`{"type":"init","protocol":1}`, "problem: missing"},
		{`{"type":"init","protocol":1,"problem":{"arms":0}}`, "problem.arms: 0"},
		{`{"type":"init","protocol":1,"problem":{"arms":2,"objectives":1,"sigma":-1,"question":{"find":"best"}}}`, "Sigma"},
		{`{"type":"init","protocol":1,"problem":{"arms":2,"objectives":1,"sigma":1,"question":{"find":"worst"}}}`, `find: "worst"`},
		{`{"type":"init","protocol":1,"problem":{"arms":2,"objectives":1,"sigma":1,"features":[[1,2],[1]],"question":{"find":"best"}}}`, "features[1]: 1 numbers"},
		{`{"type":"init","protocol":1,"problem":{"arms":2,"objectives":1,"sigma":"1","question":{"find":"best"}}}`, "problem.sigma: a string"},
		{begin + `{"type":"tell","results":[]}`, "results: 0"},
		{begin + `{"type":"tell","results":[{"arm":1,"n":1,"sum":[1]},{"arm":0,"n":1,"sum":[1]}]}`, "results[0].arm: 1"},
		{begin + `{"type":"tell","results":[{"arm":0,"n":0},{"arm":1,"n":1,"sum":[1]}]}`, "results[0].n: 0"},
		{begin + `{"type":"tell","results":[{"arm":0,"n":1,"sum":[1,2]},{"arm":1,"n":1,"sum":[1]}]}`, "results[0].sum: 2 numbers"},
		{begin + `{"type":"tell","results":[{"arm":0,"n":1,"sum":[null]},{"arm":1,"n":1,"sum":[1]}]}`, "[null]: null is not a number"},
		{`{"type":"init","protocol":1,"seed":7}`, "seed: expected a string of digits"},
		{begin + `{"type":"ready"}`, "expected init, tell"},
		{strings.Replace(begin, `"delta"`, `"plate":2,"delta"`, 1) + `{"type":"tell","results":[{"arm":0,"n":1,"sum":[1e300]},{"arm":1,"n":1,"sum":[1]}]}`, "results[0]: "},
		{strings.Replace(begin, `"delta"`, `"plate":2,"delta"`, 1) + `{"type":"tell","results":[{"arm":0,"n":1,"sum":[1]},{"arm":1,"n":1,"sum":[1],"squares":[0.1]}]}`, "results[1]: "},
		{strings.Replace(begin, `"best"`, `"best","reasons":1`, 1), "question.reasons: a number; expected true or false"},
		{strings.Replace(begin, `"best"`, `"best","count":1.5`, 1), "expected a whole number"},
		{strings.Replace(begin, `"arms"`, `"link":[1],"arms"`, 1), "problem.link: an array; expected a string"},
		{strings.Replace(begin, `{"find":"best"}`, `"best"`, 1), "problem.question: a string; expected an object"},
	} {
		var out bytes.Buffer
		err := wire.Serve(strings.NewReader(c.lines), &out, func(m *wire.Message) (explore.Policy, error) {
			return &policy.LUCB{Delta: m.Delta}, nil
		})
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if last := lines[len(lines)-1]; err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(last, `"error"`) {
			t.Errorf("%s: %v, %s; want %q", c.lines, err, last, c.want)
		}
	}
}

// Any-sampling policies continue after a failed measurement.
func TestFailedMeasurements(t *testing.T) {
	lines := `{"type":"init","protocol":1,"delta":0.1,"plate":4,"problem":{"arms":2,"objectives":1,"sigma":1,"question":{"find":"best"}}}
{"type":"tell","results":[{"arm":0,"n":0},{"arm":1,"n":1,"sum":[1]},{"arm":0,"n":1,"sum":[1]},{"arm":1,"n":0}]}
{"type":"answer"}
`
	var out bytes.Buffer
	if err := wire.Serve(strings.NewReader(lines), &out, func(m *wire.Message) (explore.Policy, error) {
		return &policy.UGapE{Delta: m.Delta}, nil
	}); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(got) != 4 || !strings.Contains(got[0], `"any sampling"`) || !strings.Contains(got[2], `[0,`) ||
		!strings.Contains(got[3], `"type":"answer"`) {
		t.Errorf("%s", out.String())
	}
}

// The other side receives all fields of a problem unchanged.
func TestAllOfAProblemTravels(t *testing.T) {
	nan := math.NaN()
	region, err := polyhedron.New(mat.NewDense(2, 2, []float64{-1, 0, .5, 1}), []float64{-.25, 3}, []string{"low", "budget"})
	if err != nil {
		t.Fatal(err)
	}
	asked := func(q explore.Question) *explore.Problem {
		return &explore.Problem{Arms: 3, Objectives: 2, Sigma: 1, Question: q}
	}
	linked := func(l explore.Link) *explore.Problem {
		return &explore.Problem{X: mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1}), Sigma: .5, Link: l,
			Question: question.Best{}}
	}
	one := &explore.Problem{Arms: 3, Sigma: 1, Question: question.AllEpsilonBest{Epsilon: .25, Multiplicative: true, Zero: -2}}
	for name, p := range map[string]*explore.Problem{
		"logit": linked(explore.Logit), "log": linked(explore.Log), "identity": linked(explore.Identity),
		"all good": one,
		"feasible": asked(question.Feasible{Region: region}),
		"front with reasons": asked(question.FeasiblePareto{Region: region, Tolerance: []float64{.5, 0},
			Slack: []float64{0, .125}}),
		"front as a set":        asked(question.FeasiblePareto{Region: region, SetOnly: true}),
		"a tolerance alone":     asked(question.FeasiblePareto{Region: polyhedron.Whole(2), SetOnly: true, Tolerance: []float64{.5, 0}}),
		"the best sum":          asked(question.BestFeasible{Region: polyhedron.Whole(2), Weights: []float64{2, 1}}),
		"front of all":          asked(question.FeasiblePareto{Region: polyhedron.Whole(2)}),
		"two of a weighted sum": asked(question.BestFeasible{Region: region, Weights: []float64{1, .5}, Count: 2}),
		"without features": {Arms: 3, Objectives: 2, Sigma: 2, Sigmas: []float64{1, 2}, NormSigma: 2.5,
			ArmNames: []string{"a", "b", "c"}, ObjectiveNames: []string{"yield", "price"},
			Known: mat.NewDense(3, 2, []float64{nan, 1, nan, 2, nan, 4}), Costs: []float64{1, 2.5, 4},
			Question: question.Pareto{Epsilon: .5, Cover: .25, AtMost: 2}},
		"with features and items": {X: mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1}), Sigma: .5,
			Z: mat.NewDense(2, 2, []float64{2, 1, 1, 3}), ItemNames: []string{"d", "e"},
			Costs: []float64{3, 2, 1}, Question: question.Best{Epsilon: .125}},
	} {
		sent, err := wire.NewProblem(p)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text, err := json.Marshal(sent)
		if err != nil {
			t.Fatal(err)
		}
		var got wire.Problem
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		q, err := got.Explore()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for what, pair := range map[string][2]any{
			"sizes":      {[]int{p.K(), p.D(), p.M()}, []int{q.K(), q.D(), q.M()}},
			"names":      {[][]string{p.ArmNames, p.ItemNames, p.ObjectiveNames}, [][]string{q.ArmNames, q.ItemNames, q.ObjectiveNames}},
			"scales":     {[]any{p.Sigma, p.Sigmas, p.NormSigma}, []any{q.Sigma, q.Sigmas, q.NormSigma}},
			"costs":      {p.Costs, q.Costs},
			"known":      {p.Known, q.Known},
			"features":   {p.X, q.X},
			"items":      {p.Z, q.Z},
			"a link":     {p.Link, q.Link},
			"a question": {fmt.Sprintf("%#v", p.Question), fmt.Sprintf("%#v", q.Question)},
		} {
			if is, want := fmt.Sprintf("%+v", pair[1]), fmt.Sprintf("%+v", pair[0]); is != want {
				t.Errorf("%s: %s: %s; want %s", name, what, is, want)
			}
		}
	}
}

// The fields that are set, and the number of objectives, determine the type of the question.
func TestQuestionsByTheirFields(t *testing.T) {
	bound := []wire.Constraint{{Weights: []float64{1, 0}, AtMost: 1}}
	for _, c := range []struct {
		d    int
		q    wire.Question
		want explore.Question
	}{
		{1, wire.Question{Find: "best"}, question.Best{}}, {2, wire.Question{Find: "best"}, question.BestFeasible{}},
		{1, wire.Question{Find: "best", Count: 1}, question.Best{}}, {1, wire.Question{Find: "best", Count: 2}, question.BestFeasible{}},
		{1, wire.Question{Find: "best", Weights: []float64{1}}, question.BestFeasible{}},
		{1, wire.Question{Find: "best", Constraints: []wire.Constraint{}}, question.BestFeasible{}},
		{2, wire.Question{Find: "pareto"}, question.Pareto{}}, {2, wire.Question{Find: "pareto", Reasons: true}, question.FeasiblePareto{}},
		{2, wire.Question{Find: "pareto", Constraints: bound}, question.FeasiblePareto{}},
		{2, wire.Question{Find: "pareto", Constraints: []wire.Constraint{}}, question.FeasiblePareto{}},
		{2, wire.Question{Find: "pareto", Tolerance: []float64{1, 1}}, question.FeasiblePareto{}},
		{2, wire.Question{Find: "pareto", Slack: []float64{}}, question.FeasiblePareto{}},
		{2, wire.Question{Find: "feasible"}, question.Feasible{}}, {1, wire.Question{Find: "good"}, question.AllEpsilonBest{}},
	} {
		p, err := (&wire.Problem{Arms: 2, Objectives: c.d, Sigma: 1, Question: c.q}).Explore()
		if err != nil || fmt.Sprintf("%T", p.Question) != fmt.Sprintf("%T", c.want) {
			t.Errorf("%d objectives, %+v: %+v, %v; want %T", c.d, c.q, p, err, c.want)
		}
	}
}

// For arbitrary input, Serve ends with an error message or at the end of the input.
func FuzzServe(f *testing.F) {
	f.Add(`{"type":"init","protocol":1,"delta":0.1,"problem":{"arms":2,"objectives":1,"sigma":1,"question":{"find":"best"}}}` +
		"\n" + `{"type":"tell","results":[{"arm":0,"n":1,"sum":[1]},{"arm":1,"n":1,"sum":[2]}]}`)
	f.Add(`{"type":"init","protocol":1,"problem":{"arms":3,"objectives":2,"sigma":1,"known":[[null,1]],"question":{"find":"pareto","reasons":true,"constraints":[{"weights":[1,0],"at_most":1}]}}}`)
	f.Fuzz(func(t *testing.T, lines string) {
		var out bytes.Buffer
		err := wire.Serve(strings.NewReader(lines), &out, func(m *wire.Message) (explore.Policy, error) {
			if m.Problem.Arms > 100 {
				return nil, errors.New("too many arms for this test")
			}
			return &policy.ECAPE{Delta: m.Delta}, nil
		})
		if said := strings.Contains(out.String(), `{"type":"error"`); (err != nil) != said {
			t.Errorf("error %v, and it said %s", err, out.String())
		}
	})
}

// No output of a guest makes its reader panic.
func FuzzVerdict(f *testing.F) {
	f.Add(`{"chosen":[0],"reasons":[{"class":"optimal","by":1,"margin":2,"radius":1},{"class":"dominated"}]}`)
	p := &explore.Problem{Arms: 2, Sigma: 1, Question: question.Best{}}
	f.Fuzz(func(t *testing.T, text string) {
		var v wire.Verdict
		if json.Unmarshal([]byte(text), &v) != nil {
			return
		}
		a, err := v.Explore(p)
		if err != nil {
			return
		}
		if _, err := json.Marshal(wire.NewVerdict(a)); err != nil {
			t.Error(err)
		}
		_ = a.Explain(p)
	})
}

// The transcript in the documentation equals what the program prints.
func TestTranscript(t *testing.T) {
	page, err := os.ReadFile("../../docs/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "<!-- transcript: replayed by TestTranscript -->\n```\n")
	text, _, ended := strings.Cut(text, "```")
	if !ended {
		t.Fatal("the page has no transcript")
	}
	var in, want strings.Builder
	for line := range strings.Lines(text) {
		if said, ok := strings.CutPrefix(line, "> "); ok {
			in.WriteString(said)
		} else {
			want.WriteString(strings.TrimPrefix(line, "< "))
		}
	}
	new, err := wire.Named("LUCB", nil)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := wire.Serve(strings.NewReader(in.String()), &got, new); err != nil || got.String() != want.String() {
		t.Errorf("%v:\n%s\nwant\n%s", err, got.String(), want.String())
	}
}
