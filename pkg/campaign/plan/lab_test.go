package plan

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
)

// Of 10,000 plates of 8 wells, a tenth of the wells fail, and a fifth of the other wells are two plates late. All
// successful results arrive. On average, 7.2 × 0.2 × 2 results are pending.
func TestLab(t *testing.T) {
	l := lab{Laboratory: problem.Laboratory{Plate: 8, Failures: .1, Late: .2, LateBy: 2}}
	l.reset(rand.NewPCG(1, 2))
	const n = 10000
	came, out := 0, 0
	for range n {
		for _, p := range l.make([]explore.Pull{{Arm: 0, N: 5}, {Arm: 1, N: 3}}, 8, 1) {
			came += p.N
		}
		for _, p := range l.pending {
			out += p.N
		}
	}
	for _, p := range l.pending {
		came += p.N
	}
	if l.plates != n || l.time != n {
		t.Errorf("%v plates in the time of %v; want %v", l.plates, l.time, n)
	}
	// The tolerance is five standard deviations.
	if sd := math.Sqrt(8 * n * .1 * .9); math.Abs(float64(came)-.9*8*n) > 5*sd {
		t.Errorf("%d results of %d measurements; want 90 %%", came, 8*n)
	}
	if mean := float64(out) / n; math.Abs(mean-2*.2*7.2) > .1 {
		t.Errorf("%v results are late on average; want %v", mean, 2*.2*7.2)
	}
	// If all results are late, no result arrives with its plate.
	l.reset(rand.NewPCG(1, 2))
	l.Late, l.Failures = 1, 0
	if got := l.make([]explore.Pull{{Arm: 0, N: 8}}, 8, 1); len(got) != 0 {
		t.Errorf("%v arrived with their plate, although all results are late", got)
	}
	if got := l.make(nil, 0, 1); len(got) != 0 {
		t.Errorf("results arrived a plate too early: %v", got)
	}
	if got := l.make(nil, 0, 1); len(got) != 1 || got[0].N != 8 || l.plates != 1 || l.time != 3 {
		t.Errorf("%v arrived after %v plates, at time %v; want 8 after 1, at time 3", got, l.plates, l.time)
	}
	// The default delay is one plate.
	l.reset(rand.NewPCG(1, 2))
	l.LateBy = 0
	if got := l.make([]explore.Pull{{Arm: 0, N: 8}}, 8, 1); len(got) != 0 {
		t.Errorf("%v arrived with their plate, although all results are late", got)
	}
	if got := l.make(nil, 0, 1); len(got) != 1 || got[0].N != 8 {
		t.Errorf("%v arrived with the next plate; want 8", got)
	}
}

// Plates that are in progress together take the time of one plate. Free wells are the unused wells of the last
// plate, without reference wells. Waiting takes time but no plate.
func TestLabByHand(t *testing.T) {
	for _, x := range []struct {
		l            problem.Laboratory
		n, m         int
		plates, time float64
		free         int
	}{
		{problem.Laboratory{}, 3, 1, 3, 3, 0}, {problem.Laboratory{Plate: 8}, 8, 1, 1, 1, 0}, {problem.Laboratory{Plate: 8}, 9, 1, 2, 2, 7},
		{problem.Laboratory{Plate: 8}, 1, 1, 1, 1, 7}, {problem.Laboratory{Plate: 8, AtOnce: 2}, 16, 1, 2, 1, 0},
		{problem.Laboratory{Plate: 8, AtOnce: 4}, 9, 1, 2, .5, 7}, {problem.Laboratory{Plate: 8, AtOnce: 2}, 16, 3, 6, 3, 0},
		{problem.Laboratory{Plate: 8}, 0, 1, 0, 1, 0}, {problem.Laboratory{Plate: 8, Reference: "control"}, 8, 1, 2, 2, 6},
	} {
		for _, late := range []float64{0, 1e-12} { // the code for late results must give the same result
			x.l.Late = late
			l := lab{Laboratory: x.l}
			l.reset(rand.NewPCG(1, 2))
			l.make([]explore.Pull{{Arm: 0, N: max(x.n, 1)}}, x.n, x.m)
			if l.plates != x.plates || l.time != x.time || l.free(x.n) != x.free {
				t.Errorf("%+v, %d measurements, %d times: %v plates in the time of %v, %d free; want %v, %v, %d", x.l, x.n, x.m, l.plates,
					l.time, l.free(x.n), x.plates, x.time, x.free)
			}
		}
	}
}

// A round of 100 measurements takes 13 plates of 8. If half of the wells fail, the round takes 25 to 29 plates on
// average. With late results, the round lasts one to two plate times longer.
func TestRound(t *testing.T) {
	l := lab{Laboratory: problem.Laboratory{Plate: 8}}
	l.reset(rand.NewPCG(1, 2))
	if l.round(100); l.plates != 13 || l.time != 13 {
		t.Errorf("%v plates in the time of %v; want 13", l.plates, l.time)
	}
	l.AtOnce = 2 // two plates at the same time
	l.reset(l.src)
	if l.round(100); l.plates != 13 || l.time != 6.5 {
		t.Errorf("%v plates, two at once, in the time of %v; want 6.5", l.plates, l.time)
	}
	l.Failures = 1e-12 // the code for failures must give the same result
	l.reset(l.src)
	if l.round(100); l.plates != 13 || l.time != 6.5 {
		t.Errorf("%v plates with few failures, two at once, took the time %v; want 6.5", l.plates, l.time)
	}
	l.AtOnce, l.Failures, l.Late, l.LateBy = 0, .5, .9, 2
	plates, time := 0., 0.
	for range 1000 {
		l.reset(l.src)
		l.round(100)
		plates, time = plates+l.plates/1000, time+l.time/1000
	}
	// 200 wells fill 25 plates on average, and the last two or three plates are not full.
	if plates < 25 || plates > 29 || time < plates+1 || time > plates+2 {
		t.Errorf("%v plates took the time %v", plates, time)
	}
	// By default, late results are one plate late.
	l = lab{Laboratory: problem.Laboratory{Plate: 8, Late: 1}}
	l.reset(rand.NewPCG(1, 2))
	if l.round(16); l.plates != 2 || l.time != 3 {
		t.Errorf("%v plates with late results took the time %v; want 2 plates in 3", l.plates, l.time)
	}
}

// Failures cost additional plates, and late results cost time. With failures, e-cAPE needs about as many
// successful measurements as without.
func TestPrice(t *testing.T) {
	row := func(method string, lab problem.Laboratory) Row {
		t.Helper()
		p := bench(t)
		p.Objectives[0].Tolerance, p.Objectives[1].Tolerance = 4, 1
		p.Objectives[0].Slack, p.Objectives[1].Slack = 2, .5
		p.Laboratory = lab
		made, err := Simulate(context.Background(), p, &Options{Runs: 100, Methods: []string{method}, Changes: []Change{}})
		if err != nil {
			t.Fatal(err)
		}
		return made.Rows[0]
	}
	good := problem.Laboratory{Plate: 8}
	failing, late := good, good
	failing.Failures, late.Late, late.LateBy = .3, .5, 4
	base, worse, slow := row("e-cAPE", good), row("e-cAPE", failing), row("e-cAPE", late)
	t.Logf("plates %v, %v, %v; days %v, %v, %v; measurements %v, %v, %v", base.Plates.Median.Value,
		worse.Plates.Median.Value, slow.Plates.Median.Value, base.Days.Median.Value,
		worse.Days.Median.Value, slow.Days.Median.Value, base.Measurements.Median.Value,
		worse.Measurements.Median.Value, slow.Measurements.Median.Value)
	if r := worse.Plates.Median.Value / base.Plates.Median.Value; r < 1.25 || r > 1.7 {
		t.Errorf("with 30 %% failures it takes %.2f times the plates; want about 1/0.7", r)
	}
	if r := worse.Measurements.Median.Value / base.Measurements.Median.Value; r < .9 || r > 1.15 {
		t.Errorf("with 30 %% failures it takes %.2f times the measurements", r)
	}
	if slow.Days.Median.Value < base.Days.Median.Value+1 {
		t.Errorf("with half of the results late it takes %v days, and %v without",
			slow.Days.Median.Value, base.Days.Median.Value)
	}
	for _, r := range []Row{base, worse, slow} {
		if r.ErrorLo > .05 || r.GaveUp > 0 {
			t.Errorf("%d of %d wrong, %d given up", r.Wrong, r.Runs, r.GaveUp)
		}
	}
}

// Advice never names a method with abandoned runs, with too many errors, or without a clearly lower cost.
func TestAdvice(t *testing.T) {
	row := func(name string, median float64) cell {
		r := Row{Method: name, Runs: 100}
		r.Measurements.Median = Quantile{Value: median, Lo: median - 5, Hi: median + 5}
		return cell{c: &problem.Compiled{Delta: .1}, row: r}
	}
	for _, x := range []struct {
		change func(r *Row)
		want   bool
	}{
		{func(*Row) {}, true},
		{func(r *Row) { r.GaveUp = 1 }, false},
		{func(r *Row) { r.ErrorLo = .11 }, false},
		{func(r *Row) { r.Hopeless = "a tie" }, false},
		{func(r *Row) { r.Budget = 50 }, false},
		{func(r *Row) { r.Runs = 0 }, false},
		{func(r *Row) { r.Change = "delta = 0.2" }, false},
		{func(r *Row) { r.Measurements.Median.Hi = 95 }, false},
	} {
		s := &study{plan: &Plan{}, cells: []cell{row("usual", 100), row("cheap", 50), row("dear", 200)}}
		x.change(&s.cells[1].row)
		got := s.advice()
		if strings.Contains(got, "The cheapest method here is cheap: it takes a median of 50 measurements, and usual takes 100.") != x.want ||
			!x.want && got != "" {
			t.Errorf("%+v: %q", s.cells[1].row, got)
		}
	}
	// If several methods are cheaper, advice names the method with the smallest median, whatever the order of the
	// rows. Costs take precedence over measurements. If the first row has a fixed budget, there is no advice.
	for want, s := range map[string]*study{
		"The cheapest method here is b: it takes a median of 40 measurements, and usual takes 100.": {plan: &Plan{CostUnit: "EUR"}, cells: []cell{row("usual", 100), row("a", 50), row("b", 40), row("c", 60)}},
		"The cheapest method here is c: it takes a median of 7 EUR, and usual takes 30.":            {plan: &Plan{CostUnit: "EUR"}, cells: []cell{row("usual", 100), row("a", 50), row("c", 200)}},
		"": {plan: &Plan{}, cells: []cell{row("usual", 100), row("a", 50)}},
	} {
		if want != "" && s.cells[len(s.cells)-1].row.Measurements.Median.Value == 200 {
			for i, cost := range []float64{30, 31, 7} {
				s.cells[i].row.Cost = &Spread{Median: Quantile{Value: cost, Lo: cost - 1, Hi: cost + 1}}
			}
		}
		if want == "" {
			s.cells[0].row.Budget = 100
		}
		if got := s.advice(); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q; want %q", got, want)
		}
	}
	wide := &study{plan: &Plan{}, cells: []cell{row("usual", 100), row("sure", 60), row("unsure", 65)}}
	wide.cells[2].row.Measurements.Median.Lo = 10
	if got := wide.advice(); !strings.HasPrefix(got, "The cheapest method here is sure: it takes a median of 60 ") {
		t.Errorf("%q", got)
	}
	// If the cheaper method has rounds of its own and the default method has none, the advice says which measurements
	// the cheaper method can use.
	for _, usual := range []explore.Sampling{explore.AnySampling, explore.OwnRounds} {
		for _, cheap := range []explore.Sampling{explore.AnySampling, explore.OwnRounds} {
			s := &study{plan: &Plan{}, cells: []cell{row("usual", 100), row("cheap", 50)}}
			s.cells[0].c.Card.Evidence, s.cells[1].c.Card.Evidence = usual, cheap
			want := usual == explore.AnySampling && cheap == explore.OwnRounds
			if got := s.advice(); strings.Contains(got, "only if they were announced") != want {
				t.Errorf("%v beside %v: %q", cheap, usual, got)
			}
		}
	}
}

// If a simulated plate represents m real plates, only 1 in m of its late results stays pending. With m = 4 and ten
// late results, seven arrive at once, and three arrive two steps later.
func TestLabBlocks(t *testing.T) {
	l := lab{Laboratory: problem.Laboratory{Plate: 4, Late: 1, LateBy: 2}}
	l.reset(rand.NewPCG(1, 2))
	for plate, want := range []int{7, 0, 3} {
		pulls, n := []explore.Pull(nil), 0
		if plate == 0 {
			pulls, n = []explore.Pull{{Arm: 1, N: 10}}, 3
		}
		came := 0
		for _, p := range l.make(pulls, n, 4) {
			came += p.N
		}
		if came != want || (len(l.pending) > 0) != (plate < 2) {
			t.Errorf("after plate %d: %d results arrived, %v are pending; want %d", plate+1, came, l.pending, want)
		}
	}
}

// Methods with and without rounds of their own abandon runs near the limit.
func TestLimit(t *testing.T) {
	p := parsed(t, `find = "best"`, "", "noise = { sd = 2.0 }\nguess = \"guess\"", "candidate,guess\nA,0\nB,0.001\nC,0.002\n")
	const limit = 60
	open, rounds := 0, 0
	for _, new := range policy.Catalogue() {
		p.Method.Name = new().Card().Name
		c, err := p.CompileFor(p.Method.Name)
		if err != nil || c.Budget > 0 {
			continue
		}
		b, err := believe(p)
		if err != nil {
			t.Fatal(err)
		}
		r := newRunner(c, b, limit)
		if _, ok := r.policy.(explore.Asynchronous); ok {
			open++
		} else {
			rounds++
		}
		if out := r.run(t.Context(), 0, 1); out.status != gaveUp || out.pulls >= 2*limit {
			t.Errorf("%s: %v after %d measurements; want to give up near %d", p.Method.Name, out.status, out.pulls, limit)
		}
	}
	if open < 3 || rounds < 3 {
		t.Errorf("%d methods without rounds and %d with them", open, rounds)
	}
}

// A fixed budget is spent completely, even beyond the limit of measurements.
func TestBudgetWithinLimit(t *testing.T) {
	p := parsed(t, `find = "best"`, "", "noise = { sd = 2.0 }\nguess = \"guess\"", threeGuesses)
	p.Method = problem.Method{Name: "Uniform, fixed budget", Budget: 24}
	b, err := believe(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{1, 24, 1000} {
		r := newRunner(compiled(t, p), b, limit)
		if out := r.run(t.Context(), 0, 1); out.status == gaveUp || out.pulls != 24 {
			t.Errorf("limit %d: %v after %d measurements", limit, out.status, out.pulls)
		}
	}
}

// The ends of the confidence interval of a median are order statistics. By a table of the binomial distribution,
// these are the 14th and the 27th of 40 values.
func TestQuantileByTable(t *testing.T) {
	x := make([]float64, 40)
	for i := range x {
		x[i] = float64(40 - i)
	}
	given := make([]bool, 40)
	if q := quantile(x, given, .5); q != (Quantile{Value: 20.5, Lo: 14, Hi: 27}) {
		t.Errorf("%+v", q)
	}
	for i := range 14 {
		given[i] = true // the 14 largest values belong to abandoned runs
	}
	if q := quantile(x, given, .5); q != (Quantile{Value: 20.5, Lo: 14, Hi: 27, HiOpen: true}) {
		t.Errorf("with 14 abandoned runs: %+v", q)
	}
	// A value interpolated between a known and an unknown value is only a bound, even near the known value.
	for q, open := range map[float64]bool{0: false, .1: false, .25: false, .3: true, .45: true, .5: true, 1: true} {
		if got := quantile([]float64{1, 2, 3, 4, 5}, []bool{false, false, true, true, true}, q); got.Open != open {
			t.Errorf("quantile %v: %+v", q, got)
		}
	}
}

// The default changes agree with changes found by hand, for several laboratories, with tolerances, and with lower
// and upper bounds.
func TestChangesByHand(t *testing.T) {
	for _, x := range []struct{ question, lab, objectives, want string }{
		{`find = "best"`, "", "noise = { sd = 2.0 }", "delta = 0.2, plate = 8, y.tolerance = 1"},
		{`find = "pareto"`, "plate = 24", "noise = { sd = 1.2345678 }\ntolerance = 0.6172839", "delta = 0.2, plate = 96, y.tolerance = 1.23"},
		{`find = "best"`, "plate = 4\nfill = true\nfailures = 0.1\nlate = 0.1", "noise = { sd = 2.0 }\ntolerance = 3",
			"delta = 0.2, plate = 16, fill = false, failures = 0, late = 0, y.tolerance = 6"},
		{`find = "best"`, "late = 0.1", "noise = { sd = 2.0 }", "delta = 0.2, plate = 8, late = 0, y.tolerance = 1"},
		{`find = "feasible"`, "", "noise = { sd = 2.0 }\nat_least = 10", "delta = 0.2, plate = 8, y.at_least = 9"},
		{`find = "feasible"`, "", "noise = { sd = 2.0 }\nat_most = 10", "delta = 0.2, plate = 8, y.at_most = 11"},
		{`find = "feasible"`, "", "noise = { sd = 2.0 }\nguess = \"y\"\nat_least = 4", "delta = 0.2, plate = 8, y.at_least = 2.5"}, // the new bound avoids 3, the guess for C
		{`find = "best"`, "", "noise = { sd = 2.0 }\ngoal = \"bounded\"\nat_most = 10\n[[objective]]\nname = \"z\"\nnoise = { sd = 4.0 }",
			"delta = 0.2, plate = 8, y.at_most = 11"},
		{`find = "pareto"`, "", "noise = { counts = 16 }\namounts = \"rates\"\nat_least = 0.5", "delta = 0.2, plate = 8, y.tolerance = 0.0625, y.at_least = 0.438"},
	} {
		p := parsed(t, x.question, "", x.objectives, "candidate,y\nA,1\nB,2\nC,3\n")
		p.Laboratory = problem.Laboratory{}
		for _, line := range strings.Split(x.lab, "\n") {
			switch key, value, _ := strings.Cut(line, " = "); key {
			case "plate":
				p.Laboratory.Plate = map[string]int{"4": 4, "24": 24}[value]
			case "fill":
				p.Laboratory.Fill = true
			case "failures":
				p.Laboratory.Failures = .1
			case "late":
				p.Laboratory.Late = .1
			}
		}
		var got []string
		for _, c := range Changes(p) {
			got = append(got, c.String())
			if again, err := ParseChange(c.String()); err != nil || again != c {
				t.Errorf("%s is read as %v, %v", c, again, err)
			}
			if _, err := c.Apply(p); err != nil {
				t.Errorf("%s: %v", c, err)
			}
		}
		if s := strings.Join(got, ", "); s != x.want {
			t.Errorf("%s, %s, %s: %s; want %s", x.question, x.lab, x.objectives, s, x.want)
		}
		for delta, want := range map[float64]string{.01: "delta = 0.02", .2: "delta = 0.4", .3: "delta = 0.4"} {
			if p.Question.Delta = delta; Changes(p)[0].String() != want {
				t.Errorf("delta %v: %s; want %s", delta, Changes(p)[0], want)
			}
		}
	}
}

// If results are counts, both the means and the guesses of unmeasured candidates are rates.
func TestLearnedGuessesOfCounts(t *testing.T) {
	p := parsed(t, `find = "best"`, "", "noise = { counts = 12 }\nguess = \"guess\"", threeGuesses)
	b := learned(compiled(t, p), []explore.Batch{{Pull: explore.Pull{Arm: 0, N: 1}, Sum: []float64{0}, Squares: []float64{0}}})
	if b.mean.At(1, 0) != 1./12 || b.mean.At(2, 0) != 3./12 || b.se.At(2, 0) != 0 {
		t.Errorf("%v, %v; want guesses of 1 and 3 of 12", b.mean.RawMatrix().Data, b.se.RawMatrix().Data)
	}
}
