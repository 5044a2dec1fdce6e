// Package frame makes data frames of the package gota from tables and from files of comma-separated
// values. Unlike gota's own functions, package frame loses neither digits after the sixth, nor
// leading zeros, nor errors.
//
//	df, err := frame.ReadCSV("yields.csv", "ligand", "yield")
package frame
