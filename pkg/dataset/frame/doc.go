// Package frame makes data frames of the package gota: of tables, and of files of
// comma-separated values. It goes around what gota's own functions lose: digits beyond the sixth,
// leading zeros, errors.
//
//	df, err := frame.ReadCSV("yields.csv", "ligand", "yield")
package frame
