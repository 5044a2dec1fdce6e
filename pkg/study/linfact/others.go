package linfact

import (
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
)

// Names of methods that are not in the paper: the asymptotically optimal one, and those that do not
// use features.
const (
	Game         = "all-epsilon game"
	TrackAndStop = "track-and-stop, no features"
	ST2          = "(ST)^2, no features"
	EAST         = "EAST, no features"
	FAREAST      = "FAREAST, no features"
)

// games are the asymptotically optimal method, with a threshold that has a proof and with the
// published one.
func games() []study.Method {
	game := func(constants string, threshold policy.Threshold) study.Method {
		m := study.NewMethod(Game, constants,
			&policy.AllEpsilonGame{Threshold: threshold, Batch: .01})
		m.Each, m.TableOnly = slowRuns, constants != Theory
		return m
	}
	return []study.Method{game(Theory, nil), game(Published, policy.Heuristic{})}
}

// featureFree are methods that do not use features.
var featureFree = []study.Method{
	study.NewMethod(TrackAndStop, Theory, &policy.AllEpsilonTrackAndStop{}),
	study.NewMethod(ST2, Theory, &policy.ST2{}),
	study.NewMethod(EAST, Theory, &policy.EAST{}),
	study.NewMethod(FAREAST, Theory, &policy.FAREAST{}),
}

// gStatic follows one G-optimal design in all rounds.
var gStatic = study.NewMethod(GStatic, Theory, &policy.GStatic{})
