package policy_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// The effects of settings are those recorded in testdata/pins. The test runs each value of a setting by itself on at
// most three sites, and each pair of settings on one site. If a setting does not change the run on a site, the record
// says "as usual".
func TestSettingsStay(t *testing.T) {
	all := policy.Catalogue()
	lines := map[string][]string{}
	for i, own := range inParallel(len(all), func(i int) []string { return ways(all[i]) }) {
		lines[explore.TypeName(all[i]())] = own
	}
	golden.Pins(t, "pins", "runs by settings", true, lines)
}

// ways returns lines about the effects of the settings of a policy.
func ways(create func() explore.Describer) (lines []string) {
	typ := reflect.TypeOf(create()).Elem()
	var suited []site
	for _, s := range sites() {
		if s.K() > 1 && s.usual(create).Init(&s.Problem, rand.NewPCG(1, 2)) == nil {
			suited = append(suited, s)
		}
	}
	usual := make([]string, len(suited))
	run := func(i int, name string, fill func(v reflect.Value)) string {
		s := &suited[i]
		p := s.usual(create)
		fill(reflect.ValueOf(p).Elem())
		d := s.way(p)
		if name == "" {
			usual[i] = d
		} else if d == usual[i] {
			d = "as usual"
		}
		return d
	}
	for i := range suited {
		run(i, "", func(reflect.Value) {})
	}
	try := func(at, n int, name string, fill func(v reflect.Value)) {
		line, refused := typ.Name()+", "+name, true
		for j := range min(n, len(suited)) {
			i := (at + j) % len(suited)
			d := run(i, name, fill)
			line, refused = fmt.Sprintf("%s; %s: %s", line, suited[i].name, d), refused && d == "refused"
		}
		if !refused {
			lines = append(lines, line)
		}
	}
	var fields []reflect.StructField
	at := 0
	for _, f := range reflect.VisibleFields(typ) {
		for _, v := range settings(f) {
			try(at, 3, fmt.Sprintf("%s %v", f.Name, v), func(p reflect.Value) {
				p.FieldByIndex(f.Index).Set(reflect.ValueOf(v))
			})
			at += 3
		}
		if len(settings(f)) > 0 && f.Name != "Delta" && f.Name != "Budget" {
			fields = append(fields, f)
		}
	}
	for i, f := range fields {
		for _, g := range fields[:i] {
			v, w := settings(f), settings(g)
			x, y := v[at%min(3, len(v))], w[(at/3)%min(3, len(w))]
			try(at, 1, fmt.Sprintf("%s %v, %s %v", g.Name, y, f.Name, x), func(p reflect.Value) {
				p.FieldByIndex(f.Index).Set(reflect.ValueOf(x))
				p.FieldByIndex(g.Index).Set(reflect.ValueOf(y))
			})
			at++
		}
	}
	return lines
}

// way runs p for forty rounds and returns the final state.
func (s *site) way(p explore.Policy) string {
	l := laboratory{site: s, rnd: rand.New(rand.NewPCG(28, 1)), h: fnv.New64a()}
	ses, err := explore.NewSession(p, &s.Problem, &explore.Settings{MaxPulls: 1 << 16, MaxRounds: 40, Src: rand.NewPCG(28, 1)})
	if err != nil {
		return "refused"
	}
	err = l.rounds(ses)
	return l.end(ses, err)
}

// If two items are tied or an item is on a boundary, betting methods give up after many rounds. The error names
// the hardest items, for which a tolerance would help.
func TestBetsGiveUp(t *testing.T) {
	names := []string{"ann", "bob", "cid"}
	for _, x := range []struct {
		p     explore.Policy
		q     explore.Question
		means []float64
		says  string
	}{
		{&policy.BettingPareto{}, question.Pareto{}, []float64{1, 1, 1, 1, 0, 0}, "compare ann with bob; if they are tied or on a bound, use the smallest"},
		{&policy.BettingPareto{}, question.Pareto{}, []float64{1, 1, 0, 0, 1, 1}, "compare ann with cid"},
		{&policy.BettingAllEpsilon{}, question.AllEpsilonBest{Epsilon: .5}, []float64{0, 1, .5}, "compare cid with bob"},
		{&policy.BettingFeasible{}, question.FeasiblePareto{Region: atLeast(0, 0)}, []float64{1, 1, 2, 0, -1, -1}, "decide about bob; if it is on a bound, use the smallest"},
	} {
		d := len(x.means) / 3
		ses, err := explore.NewSession(x.p, &explore.Problem{Arms: 3, Objectives: d, Sigma: 1, ArmNames: names, Question: x.q}, nil)
		for err == nil && ses.Status() == explore.Running {
			var pulls []explore.Pull
			if pulls, err = ses.Ask(); err == nil && len(pulls) > 0 {
				var obs []explore.Batch
				for _, pull := range pulls {
					b := explore.Batch{Pull: pull}
					for _, m := range x.means[pull.Arm*d:][:d] {
						b.Sum = append(b.Sum, m*float64(pull.N))
					}
					obs = append(obs, b)
				}
				err = ses.Tell(obs)
			}
		}
		if !errors.Is(err, policy.ErrUndecidable) || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%T, %v: %v; want ErrUndecidable, and to %s", x.p, x.means, err, x.says)
		}
	}
}

// For each site and each of the circumstances below, the recommendation and its settings do not change. With a budget,
// the recommendation is a fixed-budget method, or there is no recommendation.
func TestForStays(t *testing.T) {
	type circumstances = policy.Circumstances
	bernoulli, kk := radius.Bernoulli{}, radius.KaufmannKoolen{}
	var lines []string
	for _, s := range sites() {
		last := ""
		for _, of := range []struct {
			name string
			c    circumstances
		}{
			{"", circumstances{}}, {"plates of 7", circumstances{Plate: 7}}, {"any sampling", circumstances{AnySampling: true}},
			{"unknown noise", circumstances{UnknownSigma: true}},
			{"unknown noise, any sampling", circumstances{AnySampling: true, UnknownSigma: true}},
			{"3 in all", circumstances{Budget: 3}}, {"300 in all, any sampling", circumstances{Budget: 300, AnySampling: true}},
			{"successes", circumstances{Radius: bernoulli}},
			{"successes, any sampling", circumstances{Radius: bernoulli, AnySampling: true}},
			{"a radius for Gaussian noise", circumstances{Radius: kk}},
			{"a radius for Gaussian noise, which there is", circumstances{Radius: kk, Gaussian: true}},
			{"norm and slope", circumstances{Norm: .3, MinSlope: .05}},
		} {
			of.c.Delta = .07
			what := ""
			if r, err := policy.For(&s.Problem, of.c); err != nil {
				what = "no method"
			} else {
				what = explore.Name(r.Make())
				if fixed := r.Kind == explore.FixedBudget; fixed != (of.c.Budget > 0) {
					t.Errorf("%s, %s: %s has a %v", s.name, of.name, what, r.Kind)
				}
			}
			if what != last {
				lines = append(lines, fmt.Sprintf("%s; %s: %s", s.name, of.name, what))
			}
			last = what
		}
	}
	golden.Digests(t, "for.txt", lines, golden.Before(";"))
}
