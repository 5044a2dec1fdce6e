// Package simulated simulates a laboratory: it fills in worksheets with random results around true
// means, with failures, late results and trials that cannot be evaluated. With simulated results, a
// laboratory can rehearse a campaign before it starts. The command 'purexp simulate' and the
// notebooks use this package.
//
//	truth, err := simulated.ReadTruth(p, "truth.csv", table)
//	lab := simulated.Laboratory{Truth: truth, Late: 0.1, Seed: 1}
//	err = lab.FillIn(out, p, "plate.csv", sheet)
package simulated
