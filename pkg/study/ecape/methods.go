package ecape

import (
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/study"
)

// The following constants are the names of the methods. Game-cPSI is asymptotically optimal for the
// question without reasons.
const (
	ECAPE    = "e-cAPE"
	TwoStage = "MD-APT+APE"
	Racing   = "Racing"
	Uniform  = "Uniform"
	Game     = "Game-cPSI"
)

// The following names state which constants, such as thresholds and radii, a method uses. Printed
// means the constants of the paper's experiments, which have no guarantee. Theory means the
// constants of Theorem 4.4 or, for Game-cPSI, those of the theorem about Game-cPSI. Calibrated
// means constants with another guarantee, that of the radii of Kaufmann and Koolen. Heuristic means
// a threshold of Game-cPSI without a guarantee.
const (
	Printed    = "paper"
	Theory     = "theory"
	Calibrated = "Kaufmann-Koolen"
	Heuristic  = "heuristic"
)

// trials lists the methods of section 5, in the order of tables.
var trials = []string{ECAPE, TwoStage, Racing, Uniform}

var radii = map[string]radius.Radius{
	Printed: radius.Paper{}, Calibrated: radius.KaufmannKoolen{}, Theory: radius.Theory{},
}

// with returns methods with the given constants and number of replicates.
// If reps is 0, the experiment determines the number of replicates.
func with(constants string, reps int, names ...string) []study.Method {
	var ms []study.Method
	for _, name := range names {
		ms = append(ms, study.Method{Name: name, Constants: constants, Reps: reps,
			New: func(t study.Task) explore.Policy { return newPolicy(name, constants, t.Delta) }})
	}
	return ms
}

// newPolicy returns the policy of a method with the given constants. With the paper's constants,
// the two-stage method uses all of delta in each stage, as printed. With other constants, the
// two-stage method divides delta between the stages, as the guarantee requires.
func newPolicy(name, constants string, delta float64) explore.Policy {
	r := radii[constants]
	switch name {
	case ECAPE:
		return &policy.ECAPE{Delta: delta, Radius: r}
	case TwoStage:
		return &policy.TwoStage{Delta: delta, Radius: r, WholeDelta: constants == Printed}
	case Racing:
		return &policy.ConstrainedRacing{Delta: delta, Radius: r}
	case Uniform:
		return &policy.Uniform{Delta: delta, Radius: r}
	}
	p := &policy.GameCPSI{Delta: delta}
	switch constants {
	case Printed:
		p.Threshold, p.PrintedBonus = policy.MixtureMartingales{Printed: true}, true
	case Heuristic:
		p.Threshold = policy.Heuristic{}
	}
	return p
}
