package linfact

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// margins returns how far the nearest arm is above the threshold, alpha, and below it, beta; an
// infinity if there is none.
func margins(in *bandit.Instance) (alpha, beta float64) {
	level := in.Problem.Question.(question.AllEpsilonBest).Threshold(mat.Max(in.Truth()))
	alpha, beta = math.Inf(1), math.Inf(1)
	for _, m := range mat.Col(nil, 0, in.Truth()) {
		if m >= level {
			alpha = min(alpha, m-level)
		} else {
			beta = min(beta, level-m)
		}
	}
	return alpha, beta
}

// rounds is R_upper of Theorem 4.2, after which every arm is classified if no estimate is further
// off than it should be.
func rounds(alpha, beta float64) int {
	return max(1, int(math.Ceil(math.Log2(4/min(alpha, beta)))))
}

// enough is what (21) asks for in so many rounds if no arm is ever dropped, with the rounding up of
// at most d(d+1)/2 shares: Theorem 4.1 with its constants.
func enough(in *bandit.Instance, delta float64, rounds int) float64 {
	k := float64(in.Problem.K())
	d := float64(lsq.NewSpan(in.Problem.X).Rank())
	sum := 0.
	for r := 1.; r <= float64(rounds); r++ {
		sum += 2*d*math.Pow(4, r)*in.Problem.Sigma*in.Problem.Sigma*math.Log(2*k*r*(r+1)/delta) +
			d*(d+1)/2
	}
	return sum
}

// Theorems is Theorems 3.2 and 4.1 in numbers, on an instance of each of some settings of Table 1,
// beside so many runs of LinFACT-G with the constants of the theory. It panics if runs is not
// positive.
func Theorems(runs int, settings ...int) (*tidy.Table, error) {
	if runs < 1 {
		panic("linfact: Theorems of no runs")
	}
	t := &tidy.Table{
		Title: "Theorems 3.2 and 4.1 in numbers",
		Columns: tidy.Columns("setting", "alpha", "beta", "rounds, at most", "rounds, measured",
			"every method needs [pulls]", "median, measured [pulls]",
			"Theorem 4.1: at most [pulls]", "wrong [%]"),
		Notes: []string{fmt.Sprintf("The first draw of each setting, delta = %v, %d runs of "+
			"LinFACT-G (constants of the theory). Every method needs: the certified lower bound, "+
			"not the expression of Theorem 3.2. Theorem 4.1 with its constants: (21) over all "+
			"rounds as if no arm left. Rounds, measured: the most.", Delta, runs)},
	}
	m := fact(LinFACTG, 0, Theory)
	for _, setting := range settings {
		in, err := Synthetic.At(setting, 0)
		if err != nil {
			return nil, err
		}
		alpha, beta := margins(in)
		g, err := complexity.NewGammaStar(in.Problem, mat.Col(nil, 0, in.Truth()), gammaTol)
		if err != nil {
			return nil, err
		}
		took, err := study.Try(in, m.New(Synthetic.Task(in, setting)), runs, nil)
		if err != nil {
			return nil, err
		}
		least := rounds(alpha, beta)
		t.Rows = append(t.Rows, []any{setting, round3(alpha), round3(beta), least, took.Rounds,
			math.Ceil(g.LowerBound(Delta)), tidy.Median(took.Pulls, study.Confidence).Center,
			math.Ceil(enough(in, Delta, least)), took.WrongPercent()})
	}
	return t, nil
}
