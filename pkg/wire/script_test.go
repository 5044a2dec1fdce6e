package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/wire"
)

const (
	aProblem = `{"arms":2,"objectives":1,"sigma":0.5,"question":{"find":"best"}}`
	pairs    = `{"arms":2,"objectives":2,"sigma":0.5,"question":{"find":"pareto","reasons":true,"constraints":[{"weights":[-1,0],"at_most":0.5}]}}`
)

// begun returns an init message with the problem, after replacing the first occurrence of old in the problem by new.
func begun(problem, old, new string) string {
	return `{"type":"init","protocol":1,"delta":0.1,"seed":"7","problem":` + strings.Replace(problem, old, new, 1) + `}`
}

// talks lists the messages of hosts to a served policy, line by line.
var talks = map[string][]string{
	"a run": {begun(aProblem, "", ""), `{"type":"answer"}`, `{"type":"tell","results":[{"arm":0,"n":1,"sum":[5]},{"arm":1,"n":1,"sum":[-5]}]}`,
		`{"type":"answer"}`},
	"plates": {strings.Replace(begun(pairs, "", ""), `"delta"`, `"plate":3,"delta"`, 1),
		`{"type":"tell","results":[{"arm":0,"n":1,"sum":[5,4]},{"arm":1,"n":0,"sum":null},{"arm":0,"n":1,"sum":[5,4]}]}`},
	"half a plate": {strings.Replace(begun(pairs, "", ""), `"delta"`, `"plate":2,"delta"`, 1),
		`{"type":"tell","results":[{"arm":0,"n":1,"sum":[5,4],"squares":[25,16]},{"arm":1,"n":0}]}`},
	"after the end": {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":0,"n":1,"sum":[500]},{"arm":1,"n":1,"sum":[-500]}]}`,
		`{"type":"tell","results":[{"arm":0,"n":1,"sum":[500]},{"arm":1,"n":1,"sum":[-500]}]}`, `{"type":"tell","results":[]}`},
	"no type":          {`{"results":[]}`},
	"an error":         {begun(aProblem, "", ""), `{"type":"error","message":"no power"}`},
	"no JSON":          {`hello ` + strings.Repeat("x", 200)},
	"refused":          {strings.Replace(begun(aProblem, "", ""), `"delta":0.1`, `"delta":1.5`, 1), begun(aProblem, "", "")},
	"a result too few": {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":0,"n":1,"sum":[5]}]}`},
	"too many rewards": {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":0,"n":2,"sum":[5]},{"arm":1,"n":1,"sum":[5]}]}`},
	"negative":         {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":0,"n":-1,"sum":[5]},{"arm":1,"n":1,"sum":[5]}]}`},
	"no sums":          {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":0,"n":1},{"arm":1,"n":1,"sum":[5]}]}`},
	"squares too many": {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":0,"n":1,"sum":[5],"squares":[1,2]},{"arm":1,"n":1,"sum":[5]}]}`},
	"squares too few": {strings.Replace(begun(pairs, "", ""), `"delta"`, `"plate":2,"delta"`, 1),
		`{"type":"tell","results":[{"arm":0,"n":1,"sum":[5,4],"squares":[25]},{"arm":1,"n":0}]}`},
	"text for a number": {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":"0","n":1,"sum":[1]}]}`},
	"no list":           {begun(aProblem, "", ""), `{"type":"tell","results":{"arm":0}}`},
	"no sum list":       {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":0,"n":1,"sum":3}]}`},
	"empty lines":       {"", begun(aProblem, "", ""), "  ", `{"type":"answer"}`},
	"too many arms":     {begun(aProblem, `"arms":2`, `"arms":1000001`)},
	"no objectives":     {begun(aProblem, `"objectives":1`, `"objectives":0`)},
	"many objectives":   {begun(aProblem, `"objectives":1`, `"objectives":1001`)},
	"features":          {begun(aProblem, `"sigma"`, `"features":[[1]],"sigma"`)},
	"no features":       {begun(aProblem, `"sigma"`, `"features":[[],[]],"sigma"`)},
	"items":             {begun(aProblem, `"sigma"`, `"features":[[1],[2]],"items":[[1],[3,4]],"sigma"`)},
	"no items":          {begun(aProblem, `"sigma"`, `"features":[[1],[2]],"items":[],"sigma"`)},
	"known rows":        {begun(aProblem, `"sigma"`, `"known":[[1]],"sigma"`)},
	"known values":      {begun(pairs, `"sigma"`, `"known":[[1,null],[2]],"sigma"`)},
	"known":             {begun(pairs, `"sigma"`, `"known":[[1,null],[2,null]],"sigma"`)},
	"another link":      {begun(aProblem, `"sigma"`, `"link":"probit","sigma"`)},
	"a link":            {begun(aProblem, `"sigma"`, `"link":"logit","sigma"`)},
	"identity":          {begun(aProblem, `"sigma"`, `"link":"identity","sigma"`)},
	"no noise":          {begun(aProblem, `"sigma":0.5`, `"sigma":0`)},
	"bound too long":    {begun(pairs, `[-1,0]`, `[-1]`)},
	"bound of nothing":  {begun(pairs, `[-1,0]`, `[0,0]`)},
}

// The replies of a served policy equal those in testdata.
func TestTalks(t *testing.T) {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(talks)) {
		var said bytes.Buffer
		err := wire.Serve(strings.NewReader(strings.Join(talks[name], "\n")), &said, func(m *wire.Message) (explore.Policy, error) {
			p, err := m.Problem.Explore()
			if err != nil {
				return nil, err
			}
			if p.D() == 2 {
				return &policy.ECAPE{Delta: m.Delta, Radius: radius.Mixture{}}, nil
			}
			return &policy.LUCB{Delta: m.Delta}, nil
		})
		fmt.Fprintf(&out, "%s\n%s\terror: %v\n", name, said.String(), err)
	}
	golden.Parts(t, "talks.txt", out.String(), `^[a-z].*`)
}

// spread requests thirty rewards of each arm, and returns the arm with the largest sum of squares.
type spread struct{ k, best int }

func (s *spread) Init(p *explore.Problem, _ rand.Source) error {
	*s = spread{k: p.K()}
	return nil
}

func (s *spread) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	for i := range s.k {
		dst = append(dst, explore.Pull{Arm: i, N: 30})
	}
	s.k = 0 // request rewards only once
	return dst, nil
}

func (s *spread) Tell(obs []explore.Batch) error {
	for i := range obs {
		if obs[i].Square(0) > obs[s.best].Square(0) {
			s.best = i
		}
	}
	return nil
}

func (s *spread) Answer() explore.Answer { return explore.Answer{Items: []int{s.best}} }

// lucky requests nothing, and returns a random arm.
type lucky struct{ arm int }

func (l *lucky) Init(p *explore.Problem, src rand.Source) error {
	l.arm = rand.New(src).IntN(p.K())
	return nil
}

func (*lucky) Ask(dst []explore.Pull) ([]explore.Pull, error) { return dst, nil }

func (*lucky) Tell([]explore.Batch) error { return nil }

func (l *lucky) Answer() explore.Answer { return explore.Answer{Items: []int{l.arm}} }

// A guest receives all information about a run: the problem, an error probability or a budget, a seed, and the
// plates. A process that rejects a run is ready for the next one; a crashed process is replaced; a closed pool has
// no processes. Until a program sends a name, the guest is named after its command.
func TestGuestsAreToldAll(t *testing.T) {
	inst := instance(t, question.Best{}, []float64{1}, []float64{0})
	pool := guest(t, "hear", "")
	heard := map[string]string{"pid": ""}
	for _, c := range []struct {
		g    *wire.Guest
		want string
	}{{pool.Guest(.1), `"delta":0.1,"seed":"9"}`}, {pool.Budgeted(60), `"budget":60,"seed":"9"}`}} {
		for plate, more := range map[int]string{0: "", 4: `,"plate":4`} {
			c.g.Plate = plate
			err := c.g.Init(inst.Problem, constant(9))
			want := `hears {"type":"init","protocol":1,"problem":{"arms":2,"objectives":1,"sigma":0.5,"question":{"find":"best"}},` +
				strings.Replace(c.want, "}", more+"}", 1) + ": " + explore.ErrQuestion.Error()
			if !errors.Is(err, explore.ErrQuestion) || !strings.HasSuffix(err.Error(), want) {
				t.Fatalf("%v; want %s", err, want)
			}
			pid := strings.Fields(strings.TrimPrefix(err.Error(), c.g.String()+": "))[0]
			if heard["pid"] == "" {
				heard["pid"] = pid
			}
			if pid != heard["pid"] {
				t.Errorf("process %s, and then %s", heard["pid"], pid)
			}
		}
	}
	g := guest(t, "crash", "LUCB").Guest(.1)
	if err := g.Init(inst.Problem, constant(9)); err == nil {
		t.Fatal("Init returned no error after a crash")
	}
	t.Setenv("PUREXP_GUEST", "serve")
	if r, err := explore.Run(g, inst.Problem, inst.Sampler(seed.New(1)), nil); err != nil || !slices.Equal(r.Answer.Items, []int{0}) {
		t.Errorf("after a crash: %+v, %v", r, err)
	}
	pool = guest(t, "serve", "LUCB")
	if g = pool.Guest(.1); g.Init(inst.Problem, constant(9)) != nil {
		t.Fatal("Init fails")
	}
	pool.Close()
	if err := g.Tell([]explore.Batch{{Pull: explore.Pull{Arm: 0, N: 1}, Sum: []float64{1}}, {Pull: explore.Pull{Arm: 1, N: 1}, Sum: []float64{1}}}); err == nil {
		t.Error("a process lives on in a pool that was closed")
	}
	if got := wire.NewPool(wire.Options{Command: []string{"python3", "mine.py"}}).Guest(.1).String(); got != "python3 mine.py" {
		t.Error(got)
	}
	new, _ := wire.Named("recommended", nil)
	sent, _ := wire.NewProblem(inst.Problem)
	if p, err := new(&wire.Message{Delta: .1, Plate: 8, Problem: sent}); err != nil || p.(*policy.BettingElimination).Plate != 8 {
		t.Errorf("recommended for plates of 8: %+v, %v", p, err)
	}
}

// constant is a source that always returns the same number.
type constant uint64

func (c constant) Uint64() uint64 { return uint64(c) }

// A method in Python is used like any other policy.
func ExamplePool() {
	pool := wire.NewPool(wire.Options{Command: []string{"python3", "mine.py"}, Log: os.Stderr})
	defer pool.Close()
	var mine explore.Policy = pool.Guest(0.05)
	_ = mine // explore.Run(mine, problem, sampler, nil)
}

// A host in any language runs one of the Go policies.
func ExampleServe() {
	host := `{"type":"init","protocol":1,"problem":{"arms":2,"objectives":1,"sigma":1,"question":{"find":"best"}},"delta":0.1}`
	policy, err := wire.Named("LinGapE", nil)
	if err != nil {
		log.Fatal(err)
	}
	var said strings.Builder
	if err := wire.Serve(strings.NewReader(host), &said, policy); err != nil {
		log.Fatal(err)
	}
	fmt.Print(said.String())
	// Output:
	// {"type":"ready","protocol":1,"name":"LinGapE (delta 0.1)","evidence":"any sampling"}
	// {"type":"ask","pulls":[[0,1],[1,1]]}
}
