package rage

import (
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
)

// Released is RAGE as the released code has it, to be added to the methods of an experiment: as
// printed, with log(2|Z|^2/delta_t) where the paper has log(|Z|^2/delta_t), which is what half the
// delta does.
var Released = study.NewMethod(RAGE, Code, policy.RAGEPrinted(0),
	func(p *policy.RAGE, t study.Task) { p.Delta = t.Delta / 2 })

// UnitFree is RAGE as the library has it, to be added to the methods of an experiment: its first
// accuracy follows from the noise, where that of the paper, and of the experiments here, is 1/2 in
// units of rewards.
var UnitFree = study.NewMethod(RAGE, "default", &policy.RAGE{})

// EachArm is LinGapE with the bound of "theory" and a pull of each arm to begin with, as printed,
// where the default starts from arms that span the model. To be added to the methods of an
// experiment.
var EachArm = study.NewMethod(LinGapE, "each arm", &policy.LinGapE{EachArm: true})
