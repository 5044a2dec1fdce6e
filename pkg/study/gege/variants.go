package gege

import (
	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
)

// Mirror is GEGE with a fixed budget and the designs of the paper's Algorithm 4, entropic mirror
// descent, to be added to the methods of an experiment with a budget.
var Mirror = study.NewMethod("GEGE, mirror descent", "",
	&policy.GEGEFixedBudget{Design: design.MirrorDescent})

// Cumulative is EGE-SH with means of the rewards of all stages, as the authors' code has it, where
// its analysis takes those of the stage alone. To be added to the methods of an experiment with a
// budget.
var Cumulative = study.NewMethod("EGE-SH, cumulative", "", &policy.EGESH{Cumulative: true})
