// Package frame makes data frames of the package gota from tables and from files of comma-separated
// values. Package frame avoids three losses of gota's own functions: digits after the sixth,
// leading zeros, and errors.
//
//	df, err := frame.ReadCSV("yields.csv", "ligand", "yield")
package frame
