package policy_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// What settings do stays: each value by itself on three of the sites, each setting with each other one on
// one. A setting that changes nothing there leaves the run as usual.
func TestSettingsStay(t *testing.T) {
	golden.Digests(t, "ways.txt", eachPolicy(ways), golden.Before(", "))
}

// ofPolicy returns the name of the policy with which a line begins.
func ofPolicy(line string) string {
	name, _, _ := strings.Cut(line, " (delta")
	return golden.Before(",")(name)
}

// eachPolicy returns the lines of f for all of the catalogue.
func eachPolicy(f func(create func() explore.Carded) []string) []string {
	all := policy.Catalogue()
	lines := make([][]string, len(all))
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				lines[i] = f(all[i])
			}
		})
	}
	for i := range all {
		next <- i
	}
	close(next)
	wg.Wait()
	return slices.Concat(lines...)
}

// ways returns what settings of a policy do.
func ways(create func() explore.Carded) (lines []string) {
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

// way runs p for forty rounds, and returns how that ends.
func (s *site) way(p explore.Policy) string {
	l := laboratory{site: s, rnd: rand.New(rand.NewPCG(28, 1)), h: fnv.New64a()}
	ses, err := explore.NewSession(p, &s.Problem, &explore.Settings{MaxPulls: 1 << 16, MaxRounds: 40, Src: rand.NewPCG(28, 1)})
	if err != nil {
		return "refused"
	}
	err = l.rounds(ses)
	return l.end(ses, err)
}

// rounded are differences that are due to rounding.
var rounded = regexp.MustCompile(`[\d.]+e-1[4-9]`)

// plain is what err says in a line, without the names of who calls.
func plain(err error) string {
	text := rounded.ReplaceAllString(strings.ReplaceAll(err.Error(), "\n", " "), "0")
	return text[max(strings.Index(text, "policy: "), 0):]
}

// What is told in other ways than it was asked for is taken in as ever: single rewards and sums without squares
// before the start is complete, much of one arm at once, sums with squares and without for the same arm.
func TestHistoriesStay(t *testing.T) {
	golden.Digests(t, "histories.txt", eachPolicy(func(create func() explore.Carded) (lines []string) {
		if _, open := create().(explore.Open); !open {
			return nil
		}
		forms := []radius.Radius{nil}
		for _, field := range []string{"Radius", "Rewards"} {
			if f := reflect.ValueOf(create()).Elem().FieldByName(field); f.IsValid() && f.Type() == reflect.TypeFor[radius.Radius]() {
				forms = append(forms, radius.EmpiricalBernstein{})
			}
		}
		for _, s := range sites() {
			for _, r := range forms {
				p := s.usual(create)
				for _, field := range []string{"Radius", "Rewards"} {
					if f := reflect.ValueOf(p).Elem().FieldByName(field); r != nil && f.IsValid() {
						f.Set(reflect.ValueOf(r))
					}
				}
				l := laboratory{site: &s, rnd: rand.New(rand.NewPCG(28, 1)), h: fnv.New64a(), squares: true}
				prob := s.Problem
				if r != nil && prob.Sigma != .5 { // a range that the rewards fit
					prob.Sigma, prob.NormSigma, prob.Sigmas = 3, 3, slices.Clone(s.Sigmas)
					for c := range prob.Sigmas {
						prob.Sigmas[c] *= 25
					}
				}
				ses, err := explore.NewSession(p, &prob, &explore.Settings{Src: rand.NewPCG(28, 1)})
				if err != nil || s.Changing {
					continue
				}
				err = l.histories(ses)
				lines = append(lines, fmt.Sprintf("%s, %s: %s", explore.Name(p), s.name, l.end(ses, err)))
			}
		}
		return lines
	}), ofPolicy)
}

// histories tells a session what nobody asked for, between plates.
func (l *laboratory) histories(ses *explore.Session) error {
	k := l.K()
	told := func(pulls ...explore.Pull) error {
		var reports []explore.Report
		for _, p := range pulls {
			reports = append(reports, explore.Report{Batch: l.measure(p.Arm, p.N, nil)})
		}
		_, err := ses.Report(reports)
		return err
	}
	plate := func(n int) error {
		orders, err := ses.More(n)
		if err != nil {
			return err
		}
		var reports []explore.Report
		for _, o := range orders {
			fmt.Fprint(l.h, o.Arm, " ")
			reports = append(reports, explore.Report{Ticket: o.Ticket, Batch: l.measure(o.Arm, 1, nil)})
		}
		_, err = ses.Report(reports)
		l.write(ses.Result())
		return err
	}
	var several, many, more []explore.Pull
	for i := range k {
		if i > 0 {
			several = append(several, explore.Pull{Arm: i, N: 2 + i%3})
		}
		many, more = append(many, explore.Pull{Arm: i, N: 30 + i}), append(more, explore.Pull{Arm: i, N: 1 + 9*(i%2)})
	}
	one, bare := explore.Pull{Arm: k - 1, N: 1}, explore.Pull{Arm: 1 % k, N: 3}
	for _, step := range []func() error{
		func() error { return told(one) }, func() error { return told(one) },
		func() error { return told(several...) }, func() error { return plate(3) },
		func() error { return told(explore.Pull{Arm: 0, N: 4}) }, func() error { return plate(7) },
		func() error { return told(bare, one, one) }, func() error { return plate(4) },
		func() error { return told(many...) }, func() error { return plate(2 * k) },
		func() error { return told(explore.Pull{Arm: 0, N: 4096}) }, func() error { return plate(9) },
		func() error { return told(more...) }, func() error { return plate(1) },
	} {
		if err := step(); err != nil || ses.Status() != explore.Running {
			return err
		}
	}
	return nil
}

// A policy after a pilot, which Catalogue does not list, treats each site as ever, too: by rounds, by plates and with what
// was told without being asked for.
func TestPilotedStays(t *testing.T) {
	var lines []string
	for _, s := range sites() {
		for name, inner := range map[string]func(delta float64) explore.Policy{
			"e-cAPE": func(delta float64) explore.Policy {
				return &policy.ECAPE{Delta: delta, Radius: radius.KaufmannKoolen{}}
			},
			"LinGapE": func(delta float64) explore.Policy { return &policy.LinGapE{Delta: delta} },
			"TF-LUCB": func(delta float64) explore.Policy { return &policy.TFLUCB{Delta: delta} },
			"MD-APT":  func(delta float64) explore.Policy { return &policy.MDAPT{Delta: delta} },
			"PFIwR":   func(delta float64) explore.Policy { return &policy.PFIwR{Delta: delta, Scale: .5} },
			"game":    func(delta float64) explore.Policy { return &policy.AllEpsilonGame{Delta: delta} },
		} {
			for _, rewards := range []int{0, 2} {
				p := &policy.Piloted{New: inner, Rewards: rewards, Share: .25}
				if _, err := explore.NewSession(p, &s.Problem, &explore.Settings{MaxRounds: 60, Src: rand.NewPCG(28, 1)}); err != nil {
					continue
				}
				d := s.way(p)
				l := laboratory{site: &s, rnd: rand.New(rand.NewPCG(28, 1)), h: fnv.New64a(), squares: true}
				told := "not by plates"
				if ses, err := explore.NewSession(p, &s.Problem, &explore.Settings{Src: rand.NewPCG(28, 1)}); err == nil && !s.Changing {
					err = l.plates(ses)
					told = l.end(ses, err)
				}
				lines = append(lines, fmt.Sprintf("%s, %d, %s: %s; %s; bounds %.4g", name, rewards, s.name, d, told, p.Sigmas()))
			}
		}
	}
	golden.Digests(t, "piloted.txt", lines, golden.Before(","))
}

// When nothing more can be found out, those that ask for more say what is too close to what, by name and in units
// of the rewards: here, after a million million exact rewards of each arm of a site with a tie.
func TestUndecidableStays(t *testing.T) {
	golden.Digests(t, "undecidable.txt", eachPolicy(func(create func() explore.Carded) (lines []string) {
		for _, s := range sites() {
			k, d := s.K(), s.D()
			if s.ArmNames = []string{"ann", "bob", "cid", "dan", "eve", "fay"}[:min(k, 6)]; k > 6 || k < 2 || s.Changing || s.Link != explore.Identity {
				continue
			}
			s.means = tied(&s)
			p := s.usual(create)
			ses, err := explore.NewSession(p, &s.Problem, &explore.Settings{MaxRounds: 600, Src: rand.NewPCG(28, 1)})
			if err != nil {
				continue
			}
			exact := func(pull explore.Pull) explore.Batch {
				b := explore.Batch{Pull: pull, Sum: make([]float64, d)}
				for c := range d {
					b.Sum[c] = float64(pull.N) * s.means[pull.Arm*d+c]
				}
				return b
			}
			if _, open := p.(explore.Open); open {
				var reports []explore.Report
				for i := range k {
					reports = append(reports, explore.Report{Batch: exact(explore.Pull{Arm: i, N: int(min(int64(1)<<40, math.MaxInt))})})
				}
				if _, err = ses.Report(reports); err == nil {
					_, err = ses.More(2)
				}
			} else {
				var pulls []explore.Pull
				for err == nil && ses.Status() == explore.Running {
					if pulls, err = ses.Ask(); len(pulls) == 0 {
						break
					}
					var obs []explore.Batch
					for _, pull := range pulls {
						obs = append(obs, exact(pull))
					}
					err = ses.Tell(obs)
				}
			}
			end := fmt.Sprintf("%v, %v of %d", ses.Status(), ses.Result().Answer.Items, k)
			if err != nil {
				if end = plain(err); !errors.Is(err, policy.ErrUndecidable) {
					end = "not undecidable: " + end
				}
			}
			lines = append(lines, fmt.Sprintf("%s, %s: %s", create().Card().Name, s.name, end))
		}
		return lines
	}), ofPolicy)
}

// Methods that bet give up in the same way, long after these rounds: two of the items are tied, or one is on an edge, and
// the error names what is hardest, for whom a tolerance would help.
func TestBetsGiveUp(t *testing.T) {
	names := []string{"ann", "bob", "cid"}
	for _, x := range []struct {
		p     explore.Policy
		q     explore.Question
		means []float64
		says  string
	}{
		{&policy.BettingPareto{}, question.Pareto{}, []float64{1, 1, 1, 1, 0, 0}, "compare ann with bob: if they are tied or on an edge, ask with"},
		{&policy.BettingPareto{}, question.Pareto{}, []float64{1, 1, 0, 0, 1, 1}, "compare ann with cid"},
		{&policy.BettingAllEpsilon{}, question.AllEpsilonBest{Epsilon: .5}, []float64{0, 1, .5}, "compare cid with bob"},
		{&policy.BettingFeasible{}, question.FeasiblePareto{Region: atLeast(0, 0)}, []float64{1, 1, 2, 0, -1, -1}, "decide about bob: if it is on an edge, ask with"},
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

// tied are means of the arms of s with a tie of the best, of an arm with the threshold, or of two arms on the front.
func tied(s *site) []float64 {
	good, threshold := s.Question.(question.AllEpsilonBest)
	if s.X == nil || s.D() > 1 {
		m, d := slices.Clone(s.means), s.D()
		if copy(m[d:2*d], m[:d]); d > 1 {
			return m
		}
		m[0], m[1] = 1, 1
		switch {
		case good.Multiplicative:
			m[1] = 1 - good.Epsilon*(1-good.Zero)
		case threshold:
			m[1] = 1 - good.Epsilon
		}
		return m
	}
	switch _, h := s.X.Dims(); {
	case s.Z != nil && threshold:
		return predicted(s.X, 1, .25)
	case s.Z != nil:
		return predicted(s.X, 1, 0)
	case h == 2 && threshold:
		return predicted(s.X, 1, -2./7)
	case h == 2:
		return predicted(s.X, 1, 3./7)
	case s.X.At(0, 2) == 1: // short of rank
		return predicted(s.X, 1, .5, 0)
	case threshold:
		return predicted(s.X, 1, .6, -1)
	}
	return predicted(s.X, 1, .4, 0)
}

// What is recommended stays, with its settings: for each site in circumstances of all kinds. With a budget it
// is a method that keeps to that, or none.
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
