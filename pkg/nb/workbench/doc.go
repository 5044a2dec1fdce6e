// Package workbench provides functions for a campaign in a notebook: the problem and its plan,
// worksheets as frames, the record, and a simulated laboratory for practice.
//
// On an error, functions print what is wrong and end the cell, as in package nb.
package workbench
