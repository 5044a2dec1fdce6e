package policy

import "github.com/purexp/purexp/pkg/explore"

// Catalogue returns what makes the policies of this package, each with its default settings. What
// there is to say of a policy is on its card. The tables of docs/methods.md and of this package's
// documentation are made of them: see TestTables.
func Catalogue() []func() explore.Carded {
	return []func() explore.Carded{
		entry[ECAPE],
		entry[TwoStage],
		entry[ConstrainedRacing],
		entry[Uniform],
		entry[GameCPSI],
		entry[ParetoTrackAndStop],
		entry[MDAPT],
		entry[TFLUCB],
		entry[APE],
		entry[GEGEFixedConfidence],
		entry[GEGEFixedBudget],
		entry[EGESR],
		entry[EGESH],
		entry[UniformBudget],
		entry[AuerRacing],
		entry[PAL],
		entry[PFIwR],
		entry[Sparing],
		entry[PSIPS],
		entry[RAGE],
		entry[BettingElimination],
		entry[BettingPareto],
		entry[BettingFeasible],
		entry[BettingAllEpsilon],
		entry[XYStatic],
		entry[XYOracle],
		entry[XYAdaptive],
		entry[GAllocation],
		entry[ALBA],
		entry[LinGapE],
		entry[LinGame],
		entry[LazyTrackAndStop],
		entry[FWS],
		entry[ODLinBAI],
		entry[GSE],
		entry[PEACE],
		entry[LinFACT],
		entry[LinFACTMIS],
		entry[LinFACTGLM],
		entry[AllEpsilonGame],
		entry[GStatic],
		entry[LinGIFA],
		entry[MLinGapE],
		entry[LazyThreshold],
		entry[BayesGap],
		entry[KGCB],
		entry[ST2],
		entry[EAST],
		entry[FAREAST],
		entry[AllEpsilonTrackAndStop],
		entry[LUCB],
		entry[UGapE],
	}
}

// entry returns a policy with its default settings.
func entry[T any, P interface {
	*T
	explore.Carded
}]() explore.Carded {
	return P(new(T))
}
