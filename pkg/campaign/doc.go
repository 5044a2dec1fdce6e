// Package campaign runs a policy on real measurements. The package proposes what to measure next,
// accepts results as they arrive, and reports when the campaign may stop and how certain its answer
// is.
//
// A [Campaign] is stored in one file. [Create] starts a campaign from a problem (package problem),
// and stores the whole problem in the file. [Open] opens an existing campaign; several people,
// machines and programs may use the file at the same time. [Campaign.Ask] issues tickets, one for
// each measurement. [Campaign.Tell] records results in the user's units, in any order. Each action
// is recorded as an event that states who did what, and when. An undo (see [Campaign.Undo]) is also
// recorded as an event. When Tell returns, the results are on disk; a result that is reported twice
// is recorded once.
//
//	c, err := campaign.Open("coupling.campaign")
//	tickets, err := c.Ask(8, "robot-1")
//	receipt, err := c.Tell([]campaign.Result{{Ticket: 1, Values: []float64{71.2}}}, "robot-1")
//	status, err := c.Status()
//
// The state of a campaign depends only on the sequence of its valid events, not on clocks. When a
// candidate joins or leaves, the policy restarts with all results of the current candidates.
//
// The package does not make measurements, serve pages or write reports: see the packages runner,
// web and report in this folder.
package campaign
