package ledger

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study"
)

// A trial is a kind of claim that is simulated: what is asked, with how many replicates, and the
// truth: clearly as claimed, at the limit, clearly otherwise.
type trial struct {
	kind  string
	reps  []int
	truth [3]float64
	judge func(rnd *rand.Rand, reps int, truth float64) study.Verdict
}

// spread is the standard deviation of the logarithm of made-up numbers of pulls, about that of
// methods that stop by themselves; heavy is that of instances that differ a lot.
const (
	spread = .5
	heavy  = 1.5
)

// drawn are rows with log-normal numbers of pulls, of which a share is wrong.
func drawn(rnd *rand.Rand, n int, mean, sd, wrong float64) []mc.Row {
	rows := make([]mc.Row, n)
	for i := range rows {
		rows[i] = mc.Row{Rep: i, Status: explore.Stopped.String(), Correct: rnd.Float64() >= wrong,
			Pulls: int(math.Round(1e5 * mean * math.Exp(sd*rnd.NormFloat64())))}
	}
	return rows
}

// ratioTrial is the claim that a method needs fewer pulls than others.
func ratioTrial(kind string, others int, sd float64,
	ratio func(string, []mc.Row, []mc.Row) study.Estimate) trial {
	return trial{kind, []int{20, 100}, [3]float64{.8, 1, 1.25},
		func(rnd *rand.Rand, reps int, truth float64) study.Verdict {
			var cs []study.Condition
			own := drawn(rnd, reps, truth, sd, 0)
			for range others {
				cs = append(cs, study.Fewer.Of(ratio("a / b", own, drawn(rnd, reps, 1, sd, 0))))
			}
			return study.All(cs...)
		}}
}

// twice is of a claim whose middle column is not at the limit: in one cell the truth is twice that,
// which the others hide if they are looked at together.
const twice = "the same, wrong in one of four cells (in the middle, twice the limit)"

var trials = []trial{
	ratioTrial("fewer, ratio of medians", 1, spread, study.Ratio),
	ratioTrial("fewer, ratio of means", 1, spread, study.MeanRatio),
	ratioTrial("fewer, ratio of means, heavy tails", 1, heavy, study.MeanRatio),
	ratioTrial("fewer than each of five others", 5, spread, study.Ratio),
	{"barely grows: exponent at most 0.25, five sizes", []int{20, 100}, [3]float64{.1, .25, .4},
		func(rnd *rand.Rand, reps int, truth float64) study.Verdict {
			var cells []study.At
			for _, size := range []int{10, 20, 40, 80, 160} {
				cells = append(cells, study.At{Size: size,
					Rows: drawn(rnd, reps, math.Pow(float64(size), truth), spread, 0)})
			}
			return study.BarelyGrows.Judge(study.Growth("exponent", cells))
		}},
	{"wrong at most with delta = 0.1, four cells", []int{20, 100, 500}, [3]float64{.02, .1, .2},
		func(rnd *rand.Rand, reps int, truth float64) study.Verdict {
			return study.AtMost(.1, cells(rnd, 4, reps, truth), "")
		}},
	{"error negligible: at most 1 %, four cells", []int{100, 500}, [3]float64{.002, .01, .03},
		func(rnd *rand.Rand, reps int, truth float64) study.Verdict {
			return study.FewWrong(study.Negligible, cells(rnd, 4, reps, truth))
		}},
	{twice, []int{100, 500}, [3]float64{.002, .02, .05},
		func(rnd *rand.Rand, reps int, truth float64) study.Verdict {
			return study.FewWrong(study.Negligible,
				append(cells(rnd, 3, reps, 0), cells(rnd, 1, reps, truth)...))
		}},
}

// cells are tallies of so many cells.
func cells(rnd *rand.Rand, n, reps int, wrong float64) (ts []study.Tally) {
	for i := range n {
		t := study.Tally{Name: fmt.Sprint("cell ", i), Runs: reps}
		for range reps {
			if rnd.Float64() < wrong {
				t.Wrong++
			}
		}
		ts = append(ts, t)
	}
	return ts
}

// A Rate is how often each verdict is given, in percent, where the truth is clearly as claimed, at
// the limit, and clearly otherwise.
type Rate struct {
	Kind  string
	Reps  int
	Truth [3]float64
	Agree [3]float64
	// Differ is of the same; not comparable is what is left.
	Differ [3]float64
}

// Chance simulates claims, each so many times, and counts the verdicts.
func Chance(times int) (rates []Rate) {
	for _, c := range trials {
		for _, reps := range c.reps {
			r := Rate{Kind: c.kind, Reps: reps, Truth: c.truth}
			for i, truth := range c.truth {
				rnd := rand.New(seed.New(1).Child("chance", c.kind, reps, i).Source())
				for range times {
					switch c.judge(rnd, reps, truth).Outcome {
					case study.Agrees:
						r.Agree[i] += 100 / float64(times)
					case study.Differs:
						r.Differ[i] += 100 / float64(times)
					}
				}
			}
			rates = append(rates, r)
		}
	}
	return rates
}

// chances is the part of docs/verdicts.md on how often each verdict is given.
func (l *Ledger) chances(times int, rates []Rate) string {
	var b strings.Builder
	fmt.Fprintf(&b, `Claims are made up whose truth is known, and judged by the rules above, %d times each: the shares in per cent of the verdicts agrees / differs, the rest being not comparable. Numbers of pulls are
log-normal with a standard deviation of the logarithm of %v, %v with heavy tails.

| claim | replicates | clearly true | agrees / differs | at the limit | agrees / differs | clearly false | agrees / differs |
|---|---|---|---|---|---|---|---|
`, times, spread, heavy)
	worstAgree, worstDiffer := 0., 0.
	for _, r := range rates {
		fmt.Fprintf(&b, "| %s | %d |", r.Kind, r.Reps)
		for i := range r.Truth {
			fmt.Fprintf(&b, " %v | %.1f / %.1f |", r.Truth[i], r.Agree[i], r.Differ[i])
		}
		b.WriteString("\n")
		if r.Kind == twice {
			continue
		}
		worstAgree, worstDiffer = max(worstAgree, r.Agree[1]), max(worstDiffer, r.Differ[1])
	}
	n, by := 0, study.Score{}
	for paper := range l.claims {
		for i, c := range l.claims[paper] {
			if c.Known || c.Moot || c.Ground == study.Clock {
				continue
			}
			n++
			switch l.verdicts[paper][i] {
			case study.Agrees:
				by.Agree++
			case study.Differs:
				by.Differ++
			}
		}
	}
	fmt.Fprintf(&b, `
**Many claims at once.** %d claims are judged by random rows, and %d of them have a verdict, agrees or differs. The intervals of a claim hold together with 95 %%, those of all claims do not. If every claim had its truth exactly at its
limit, the worst case, %.1f %% of the verdicts would be "agrees" and %.1f %% "differs" at the rates of the worst row: some %.0f wrong verdicts of %d by chance. Few are near their limit: clearly
true or false ones are judged the wrong way in about one of a hundred cases at most (ratios of means of 20 runs with heavy tails), and else hardly ever, so that one or two wrong verdicts in all are to be
expected, among those with an interval that ends just short of the limit. Bootstrap intervals of 20 runs are a little short: 4 %% instead of 2.5 on a side.

Error rates agree by all cells together only if no cell has more wrong answers than the limit of its runs, or than one: by the former rule, which asked for an interval above the limit, a cell with twice the limit
was hidden by three right ones in more than half of the simulations with 500 runs.
`, n, by.Agree+by.Differ, worstAgree, worstDiffer, float64(n)*(worstAgree+worstDiffer)/100, n)
	return b.String()
}
