package live

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
)

// Method selects the policy of a run and its settings.
type Method struct {
	// Name is a key of the map methods, for example "e-cape".
	Name string `json:"name"`
	// Constants selects the constants of the method, for example those with a proof ("theory") or
	// those of the paper ("paper"); empty means the first choice of the method.
	Constants string `json:"constants,omitempty"`
	// Delta is the error probability.
	Delta float64 `json:"delta"`
}

// maker returns a policy, and the intervals to draw for a run of the policy.
type maker func(in *bandit.Instance, delta float64) (explore.Policy, *intervals)

// variant is a maker with the name of the constants that it uses.
type variant struct {
	constants string
	make      maker
}

// methods maps names to the methods that pages can run, each with its choices of constants, the
// default first.
var methods = map[string][]variant{
	"e-cape": byRadius(1, func(d float64, r radius.Radius) explore.Policy {
		return &policy.ECAPE{Delta: d, Radius: r}
	}),
	"two-stage": byRadius(.5, func(d float64, r radius.Radius) explore.Policy {
		return &policy.TwoStage{Delta: d, Radius: r}
	}),
	"racing": byRadius(1, func(d float64, r radius.Radius) explore.Policy {
		return &policy.ConstrainedRacing{Delta: d, Radius: r}
	}),
	"uniform": byRadius(1, func(d float64, r radius.Radius) explore.Policy {
		return &policy.Uniform{Delta: d, Radius: r}
	}),
	"ape": byRadius(1, func(d float64, r radius.Radius) explore.Policy {
		return &policy.APE{Delta: d, Radius: r}
	}),
	"rage": {
		{"theory", rounds(func(d float64) explore.Policy { return &policy.RAGE{Delta: d} })},
		{"printed", rounds(func(d float64) explore.Policy { return policy.RAGEPrinted(d) })},
	},
	"xy-static": {
		{"theory", always(func(d float64) explore.Policy { return &policy.XYStatic{Delta: d} })},
	},
	"lingame": {
		{"theory", always(func(d float64) explore.Policy { return &policy.LinGame{Delta: d} })},
	},
	"oracle": {{"theory", func(in *bandit.Instance, d float64) (explore.Policy, *intervals) {
		return &policy.XYOracle{Delta: d, Means: in.Truth().RawMatrix().Data}, alwaysValid(in, d)
	}}},
	"gege": {
		{"theory", rounds(gege(policy.GEGETheory))},
		{"paper", rounds(gege(policy.GEGEPaper))},
		{"code", rounds(gege(policy.GEGECode))},
	},
	"linfact-g": {
		{"theory", rounds(func(d float64) explore.Policy {
			return &policy.LinFACT{Delta: d, Design: policy.LinFACTG}
		})},
	},
	"linfact-xy": {
		{"theory", rounds(func(d float64) explore.Policy {
			return &policy.LinFACT{Delta: d, Design: policy.LinFACTXY}
		})},
	},
	"pfiwr": {
		{"self-normalised", pfiwr(policy.PFIwRSelfNormalized)},
		{"paper", pfiwr(policy.PFIwRPaper)},
	},
}

// radii lists the choices of confidence radii, the default first.
var radii = []struct {
	name string
	is   radius.Radius
}{
	{"theory", radius.Theory{}},
	{"kaufmann-koolen", radius.KaufmannKoolen{}},
	{"mixture", radius.Mixture{}},
	{"paper", radius.Paper{}},
}

// byRadius returns the variants of a method whose intervals use a radius; the radius gets the given
// share of delta.
func byRadius(share float64, f func(float64, radius.Radius) explore.Policy) []variant {
	var vs []variant
	for _, r := range radii {
		vs = append(vs, variant{r.name,
			func(in *bandit.Instance, delta float64) (explore.Policy, *intervals) {
				return f(delta, r.is), ofRadius(in, share*delta, r.is)
			}})
	}
	return vs
}

// rounds returns a maker for methods that estimate means from the rewards of a single round.
func rounds(f func(delta float64) explore.Policy) maker {
	return func(in *bandit.Instance, delta float64) (explore.Policy, *intervals) {
		return f(delta), ofRounds(in, delta)
	}
}

// always returns a maker for methods that estimate means from all rewards so far.
func always(f func(delta float64) explore.Policy) maker {
	return func(in *bandit.Instance, delta float64) (explore.Policy, *intervals) {
		return f(delta), alwaysValid(in, delta)
	}
}

func gege(c policy.GEGEConstants) func(delta float64) explore.Policy {
	return func(delta float64) explore.Policy {
		return &policy.GEGEFixedConfidence{Delta: delta, Constants: c}
	}
}

func pfiwr(w policy.PFIwRWidth) maker {
	return func(in *bandit.Instance, delta float64) (explore.Policy, *intervals) {
		p := &policy.PFIwR{Delta: delta, Width: w}
		if w != policy.PFIwRPaper {
			// The norm bound of the policy is the true norm of the parameters, in units of sigma;
			// it is rounded up because its last digits differ between processors.
			p.Norm = math.Ceil(1000*norm(in)) / 1000
		}
		return p, alwaysValid(in, delta)
	}
}

// policy returns the policy that m selects, and the intervals to draw.
func (m Method) policy(in *bandit.Instance) (explore.Policy, *intervals, error) {
	vs := methods[m.Name]
	if vs == nil {
		return nil, nil, fmt.Errorf("method: unknown method %q; expected one of %s", m.Name,
			strings.Join(slices.Sorted(maps.Keys(methods)), ", "))
	}
	if !(m.Delta > 0 && m.Delta < 1) {
		return nil, nil, fmt.Errorf("method: delta is %v; expected a number between 0 and 1", m.Delta)
	}
	var names []string
	for _, v := range vs {
		if m.Constants == "" || m.Constants == v.constants {
			p, how := v.make(in, m.Delta)
			return p, how, nil
		}
		names = append(names, v.constants)
	}
	return nil, nil, fmt.Errorf("method: %s has no constants %q; expected one of %s", m.Name, m.Constants,
		strings.Join(names, ", "))
}
