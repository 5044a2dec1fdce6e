// Package workbench provides functions for running a campaign in a notebook: the problem and its
// plan, worksheets as frames, the record, and a simulated laboratory for practice.
//
// If an error occurs, functions print what is wrong and end the cell, as in package nb.
package workbench
