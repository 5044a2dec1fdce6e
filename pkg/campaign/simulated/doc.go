// Package simulated is a simulated laboratory: it fills in worksheets with random results around
// true means, with failures, late results and trials that cannot be evaluated. Use it to rehearse a
// campaign. It is what 'purexp simulate' and notebooks measure with.
//
//	truth, err := simulated.ReadTruth(p, "truth.csv", table)
//	lab := simulated.Laboratory{Truth: truth, Late: 0.1, Seed: 1}
//	err = lab.FillIn(out, p, "plate.csv", sheet)
package simulated
