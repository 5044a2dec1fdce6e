// Package campaign runs a policy on real measurements: it says what to measure next, takes results
// as they arrive, and says when to stop and how certain the answer is.
//
// A [Campaign] is one file. [Create] starts it with a problem (package problem), which the file
// contains in full. [Open] opens it again; several people, machines and programs may use it at
// once. [Campaign.Ask] hands out tickets, one for each measurement. [Campaign.Tell] takes results
// in the user's units, in any order. Each action is an event on record: who, when, what.
// [Campaign.Undo] undoes an event and is an event itself. Acknowledged results are on disk, and
// repeated reports count once.
//
//	c, err := campaign.Open("coupling.campaign")
//	tickets, err := c.Ask(8, "robot-1")
//	receipt, err := c.Tell([]campaign.Result{{Ticket: 1, Values: []float64{71.2}}}, "robot-1")
//	status, err := c.Status()
//
// The state of a campaign is a function of its valid events in order; clocks do not affect it. When
// candidates join or leave, the policy restarts with all results of the current candidates.
//
// Package runner executes measurements, package web serves a campaign, and package report writes
// reports.
package campaign
