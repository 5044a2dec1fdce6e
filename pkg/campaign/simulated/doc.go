// Package simulated is a laboratory that there is not: it fills in worksheets with results that are drawn about true
// means which only it knows, with failures, late results and trials that cannot be evaluated. A campaign can be tried
// out with it before the first real measurement. It is what 'purexp simulate' and notebooks measure with.
//
//	truth, err := simulated.ReadTruth(p, "truth.csv", table)
//	lab := simulated.Laboratory{Truth: truth, Late: 0.1, Seed: 1}
//	err = lab.FillIn(out, p, "plate.csv", sheet)
package simulated
