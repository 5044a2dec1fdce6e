package gege

import (
	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
)

// Mirror is GEGE with a fixed budget and the designs of the paper's Algorithm 4, entropic mirror
// descent, to be added to the methods of an experiment with a budget.
var Mirror = study.Method{Name: "GEGE, mirror descent", New: func(t study.Task) explore.Policy {
	return &policy.GEGEFixedBudget{Budget: t.Budget, Design: design.MirrorDescent}
}}

// Cumulative is EGE-SH with means of the rewards of all stages, as the authors' code has it, where
// its analysis takes those of the stage alone. To be added to the methods of an experiment with a
// budget.
var Cumulative = study.Method{Name: "EGE-SH, cumulative", New: func(t study.Task) explore.Policy {
	return &policy.EGESH{Budget: t.Budget, Cumulative: true}
}}
