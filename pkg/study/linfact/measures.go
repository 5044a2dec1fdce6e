package linfact

import (
	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
)

// The following constants are the names of measures other than pulls and errors.
const (
	Precision = "precision"
	Recall    = "recall"
	F1        = "F1"
	Open      = "undecided arms"
	Wrong     = "wrong arms"
	Rounds    = "rounds"
)

// scores is a measure of the precision, recall and F1 score of the returned set.
var scores = mc.Measure{
	Names: []string{Precision, Recall, F1},
	New:   func(in *bandit.Instance) mc.Meter { return scorer{in} },
}

type scorer struct{ in *bandit.Instance }

// Values implements mc.Meter.
func (s scorer) Values(dst []float64, res *explore.Result) []float64 {
	v := s.in.Problem.Question.(question.AllEpsilonBest).Score(s.in.Truth(), res.Answer)
	return append(dst, v.Precision, v.Recall, v.F1)
}

// verdicts is a measure that counts, for a run, the undecided arms, the arms with a wrong verdict,
// and the rounds.
var verdicts = mc.Measure{
	Names: []string{Open, Wrong, Rounds},
	New:   func(in *bandit.Instance) mc.Meter { return counter{in} },
}

type counter struct{ in *bandit.Instance }

// Values implements mc.Meter.
func (c counter) Values(dst []float64, res *explore.Result) []float64 {
	good := make([]bool, c.in.Problem.K())
	for _, i := range c.in.Problem.Question.(question.AllEpsilonBest).Right(c.in.Truth()) {
		good[i] = true
	}
	open, wrong := 0., 0.
	for i, r := range reasons(c.in.Problem, res.Answer) {
		switch {
		case r == explore.Undecided:
			open++
		case good[i] != (r == explore.Optimal):
			wrong++
		}
	}
	return append(dst, open, wrong, float64(res.Rounds))
}

// reasons returns the class of each arm according to the answer of a policy. If a policy gives no
// reasons, reasons returns Optimal for the arms in the answer and Dominated for all other arms.
func reasons(p *explore.Problem, a explore.Answer) []explore.Class {
	classes := make([]explore.Class, p.K())
	if len(a.Reasons) == len(classes) {
		for i, r := range a.Reasons {
			classes[i] = r.Class
		}
		return classes
	}
	for i := range classes {
		classes[i] = explore.Dominated
	}
	for _, i := range a.Items {
		classes[i] = explore.Optimal
	}
	return classes
}

// shown returns the label that figures use for a method with the given constants.
func shown(method, constants string) string {
	if constants == Printed {
		return study.Labelled(method, constants)
	}
	return method
}
