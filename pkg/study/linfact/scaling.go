package linfact

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// Directions returns an instance with k arms drawn independently and uniformly on the unit sphere
// in d dimensions. The parameter of the instance is its first arm. With instances of Directions,
// Scaling measures how the duration of a round grows with k and d. Rewards have a standard
// deviation of 100, so that no method stops before its rounds are timed.
func Directions(k, d int) (*bandit.Instance, error) {
	rnd := rand.New(seed.New(1).Child("linfact", "directions", k, d).Source())
	x := study.OnSphere(rnd, k, d)
	theta := mat.NewDense(d, 1, nil)
	theta.SetCol(0, x.RawRowView(0))
	return bandit.NewLinear(fmt.Sprintf("%d directions in %d dimensions", k, d), &explore.Problem{
		X: x, Sigma: 100, Question: question.AllEpsilonBest{Epsilon: .5},
	}, theta)
}

// scaled lists the timed methods. For LinFACT, the first round is timed: it has all arms, and most
// of its time is spent on computing the design. For methods for the top m arms, the pulls after the
// initial pulls are timed.
var (
	scaled = []timedMethod{
		{LinFACTG, Theory, 0, 1, 32}, {LinFACTXY, Theory, 0, 1, 16},
		{LinGIFA, Published, 50, 20, 32}, {MLinGapE, Published, 50, 20, 32},
	}
	dimensionsTimed = []int{4, 8, 16, 32} // dimensions that are timed with armsTimed arms
	armsTimed       = 64
	numbersTimed    = []int{32, 64, 128} // numbers of arms that are timed in dimension 8
)

// timedMethod is a method, with the number of first rounds that are not timed and the number of
// rounds to time after them.
type timedMethod struct {
	method, constants string
	first, rounds     int
	largest           int // largest dimension to time
}

const (
	timedRounds = 10 // number of timed runs for the claims
	tries       = 3  // number of attempts, of which the fastest counts, because other processes only add time
)

// roundTime contains the durations of a round of a method, in microseconds, for k arms of
// Directions in d dimensions.
type roundTime struct {
	method string
	k, d   int
	us     []float64
}

// timeRounds times the given number of runs of each method, one run after the other.
func timeRounds(runs int) ([]roundTime, error) {
	var sizes [][2]int
	for _, d := range dimensionsTimed {
		sizes = append(sizes, [2]int{armsTimed, d})
	}
	for _, k := range numbersTimed {
		if k != armsTimed {
			sizes = append(sizes, [2]int{k, 8})
		}
	}
	var ts []roundTime
	for _, size := range sizes {
		in, err := Directions(size[0], size[1])
		if err != nil {
			return nil, err
		}
		for _, s := range scaled {
			if size[1] > s.largest {
				continue
			}
			m := compared(s.method, s.constants)
			t := roundTime{method: s.method, k: size[0], d: size[1]}
			for i := range runs {
				us, err := s.fastest(m, in, i)
				if err != nil {
					return nil, err
				}
				t.us = append(t.us, us)
			}
			ts = append(ts, t)
		}
	}
	return ts, nil
}

func compared(name, constants string) study.Method {
	for _, m := range slices.Concat(own, baselines) {
		if m.Name == name && m.Constants == constants {
			return m
		}
	}
	panic(fmt.Sprintf("linfact: no method %s (%s)", name, constants))
}

// fastest returns the mean duration, in microseconds, of s.rounds rounds of m, including the time
// for drawing rewards. The mean duration is that of the fastest of three sessions.
func (s timedMethod) fastest(m study.Method, in *bandit.Instance, run int) (float64, error) {
	fastest := math.Inf(1)
	for range tries {
		session, err := explore.NewSession(m.New(study.Task{Instance: in, Delta: Delta, Size: 3}), in.Problem, nil)
		if err != nil {
			return 0, err
		}
		noise, start := in.Sampler(seed.New(1).Child(in.Name, run).Child("noise")), time.Now()
		var obs []explore.Batch
		for round := range s.first + s.rounds {
			if round == s.first {
				start = time.Now()
			}
			pulls, err := session.Ask()
			if err != nil {
				return 0, err
			}
			if len(pulls) == 0 {
				return 0, fmt.Errorf("linfact: %s stopped on %s after %d rounds, before its time was measured", m.Name,
					in.Name, round)
			}
			if obs, err = noise.Sample(obs[:0], pulls); err != nil {
				return 0, err
			}
			if err := session.Tell(obs); err != nil {
				return 0, err
			}
		}
		fastest = min(fastest, float64(time.Since(start).Nanoseconds())/1e3/float64(s.rounds))
	}
	return fastest, nil
}

// onThisMachine measures the durations only once, for the figure, the table and the claims.
var onThisMachine = sync.OnceValues(func() ([]roundTime, error) { return timeRounds(timedRounds) })

// exponents estimates the exponents with which the duration of a round grows with the dimension and
// with the number of arms.
func exponents(ts []roundTime, method string) (inD, inK study.Estimate) {
	var ds, ks []float64
	var byD, byK [][]float64
	for _, t := range ts {
		if t.method != method {
			continue
		}
		if t.k == armsTimed {
			ds, byD = append(ds, float64(t.d)), append(byD, t.us)
		}
		if t.d == 8 {
			ks, byK = append(ks, float64(t.k)), append(byK, t.us)
		}
	}
	return study.GrowthOf("exponent of the time of a round of "+method+" in d", ds, byD),
		study.GrowthOf("exponent of the time of a round of "+method+" in K", ks, byK)
}

// The following variables are phrases about the exponents of durations.
var (
	atMostSquare = study.Between("O(d²)", math.Inf(-1), 2.1, "with an exponent of at most 2.1")
	atMostLinear = study.Between("O(K)", math.Inf(-1), 1.1, "with an exponent of at most 1.1")
	atMostCubic  = study.Between("O(d³)", math.Inf(-1), 3.1, "with an exponent of at most 3.1")
)

// byTime returns a check that judges durations measured on this machine.
func byTime(judge func(ts []roundTime) study.Verdict) func(*study.Results) study.Verdict {
	return known(func() study.Verdict {
		ts, err := onThisMachine()
		if err != nil {
			return study.Unknown(err)
		}
		return judge(ts)
	})
}

// squareRounds judges whether a round of LinFACT takes time O(K d²).
func squareRounds(ts []roundTime) study.Verdict {
	var cs []study.Condition
	for _, m := range []string{LinFACTG, LinFACTXY} {
		inD, inK := exponents(ts, m)
		cs = append(cs, atMostSquare.Of(inD), atMostLinear.Of(inK))
	}
	return study.All(cs...)
}

// cubicRounds judges whether a round of methods for the top m arms takes time O(K d³). Because the
// claim is an upper bound, it is also true if rounds are faster.
func cubicRounds(ts []roundTime) study.Verdict {
	var cs []study.Condition
	for _, m := range []string{LinGIFA, MLinGapE} {
		inD, _ := exponents(ts, m)
		cs = append(cs, atMostCubic.Of(inD))
	}
	return study.All(cs...)
}

// Scaling measures, on this machine, the duration of a round of LinFACT, and of a pull of methods
// for the top m arms. The table shows how durations grow with the dimension and the number of arms.
// Scaling makes the given number of runs, one after the other. Each duration is the shortest of
// three attempts, and includes the time for drawing rewards. The table has exponents of the growth,
// and median durations for 64 arms in 16 dimensions. The claims about times use 10 runs.
func Scaling(runs int) (*tidy.Table, error) {
	times := onThisMachine
	if runs != timedRounds {
		times = func() ([]roundTime, error) { return timeRounds(runs) }
	}
	ts, err := times()
	if err != nil {
		return nil, err
	}
	t := &tidy.Table{
		Title: "How the time of a round grows",
		Columns: []tidy.Column{{Name: "method"}, {Name: "paper"}, {Name: "exponent in d"},
			{Name: "exponent in K"}, {Name: fmt.Sprintf("K = %d, d = 16", armsTimed), Unit: "us"}},
		Notes: []string{fmt.Sprintf("Medians of %d runs on this machine, each the fastest of three. Exponents "+
			"are least-squares slopes of logarithms, for d = 4 to 32 (XY: 4 to 16) with K = %d, and for K = 32 "+
			"to 128 with d = 8. A round of LinFACT is its first round, with all arms; a round of another method "+
			"is one pull.", runs, armsTimed)},
	}
	for _, m := range scaled {
		inD, inK := exponents(ts, m.method)
		order := "O(K d²)"
		if m.constants == Published {
			order = "O(K d³)"
		}
		row := []any{m.method, order, round3(inD.At(study.Confidence).Center), round3(inK.At(study.Confidence).Center)}
		for _, x := range ts {
			if x.method == m.method && x.k == armsTimed && x.d == 16 {
				row = append(row, math.Round(tidy.Median(x.us, study.Confidence).Center))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}
