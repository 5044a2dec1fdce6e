// Package campaign runs a policy on real measurements. Package campaign proposes what to measure
// next, accepts results as they arrive, and reports when to stop and how certain the answer is.
//
// A [Campaign] is stored in one file. [Create] starts a campaign from a problem (package problem),
// and stores the whole problem in the file. [Open] opens an existing campaign; several people,
// machines and programs may use the file at once. [Campaign.Ask] issues tickets, one for each
// measurement. [Campaign.Tell] records results in the user's units, in any order. Each action is
// recorded as an event, which states who did what, and when. An undo by [Campaign.Undo] is also
// recorded as an event. When Tell returns, the results are on disk; results that are reported twice
// count once.
//
//	c, err := campaign.Open("coupling.campaign")
//	tickets, err := c.Ask(8, "robot-1")
//	receipt, err := c.Tell([]campaign.Result{{Ticket: 1, Values: []float64{71.2}}}, "robot-1")
//	status, err := c.Status()
//
// The state of a campaign is a function of its valid events in order; clocks do not affect it. When
// candidates join or leave, the policy restarts with all results of the current candidates.
//
// The package does not make measurements, serve pages or write reports: see the packages runner,
// web and report in this folder.
package campaign
