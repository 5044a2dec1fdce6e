package rage

import (
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
)

// Released is RAGE as the released code has it, to be added to the methods of an experiment: as
// printed, with log(2|Z|^2/delta_t) where the paper has log(|Z|^2/delta_t), which is what half the
// delta does.
var Released = study.Method{
	Name: RAGE, Constants: Code,
	New: func(t study.Task) explore.Policy { return policy.RAGEPrinted(t.Delta / 2) },
}

// UnitFree is RAGE as the library has it, to be added to the methods of an experiment: its first
// accuracy follows from the noise, where that of the paper, and of the experiments here, is 1/2 in
// units of rewards.
var UnitFree = study.Method{
	Name: RAGE, Constants: "default",
	New: func(t study.Task) explore.Policy { return &policy.RAGE{Delta: t.Delta} },
}

// EachArm is LinGapE with the bound of "theory" and a pull of each arm to begin with, as printed,
// where the default starts from arms that span the model. To be added to the methods of an
// experiment.
var EachArm = study.Method{
	Name: LinGapE, Constants: "each arm",
	New: func(t study.Task) explore.Policy {
		return &policy.LinGapE{Delta: t.Delta, EachArm: true}
	},
}
