package linfact

import (
	"github.com/purexp/purexp/pkg/explore"
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
		return study.Method{Name: Game, Constants: constants, Each: few,
			TableOnly: constants != Theory,
			New: func(t study.Task) explore.Policy {
				return &policy.AllEpsilonGame{Delta: t.Delta, Threshold: threshold, Batch: .01}
			}}
	}
	return []study.Method{game(Theory, nil), game(Published, policy.Heuristic{})}
}

// featureFree are methods that do not use features.
var featureFree = []study.Method{
	{Name: TrackAndStop, Constants: Theory, New: func(t study.Task) explore.Policy {
		return &policy.AllEpsilonTrackAndStop{Delta: t.Delta}
	}},
	{Name: ST2, Constants: Theory, New: func(t study.Task) explore.Policy {
		return &policy.ST2{Delta: t.Delta}
	}},
	{Name: EAST, Constants: Theory, New: func(t study.Task) explore.Policy {
		return &policy.EAST{Delta: t.Delta}
	}},
	{Name: FAREAST, Constants: Theory, New: func(t study.Task) explore.Policy {
		return &policy.FAREAST{Delta: t.Delta}
	}},
}

// gStatic follows one G-optimal design in all rounds.
var gStatic = study.Method{Name: GStatic, Constants: Theory,
	New: func(t study.Task) explore.Policy {
		return &policy.GStatic{Delta: t.Delta}
	}}
