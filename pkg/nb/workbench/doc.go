// Package workbench is what notebooks call for a campaign of one's own: the problem and its plan,
// worksheets as frames, the record, and a simulated laboratory to try all that out.
//
// Like package nb, it prints what was wrong and ends the cell.
package workbench
