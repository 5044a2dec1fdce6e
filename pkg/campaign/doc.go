// Package campaign runs a policy on a person's own bench: it says what to measure next, takes
// results as they come, and says when it is enough and how sure one may be.
//
// A [Campaign] is one file. [Create] begins it with a problem (see package problem), which is kept
// in full; [Open] goes on with it, any number of times and by several people, machines and programs
// at once. [Campaign.Ask] hands out tickets, one a measurement; [Campaign.Tell] takes results in
// the person's units, in any order. All that happens is an event that stays on record: who, when,
// what. [Campaign.Undo] takes an event back, which is an event, too. What was acknowledged is on
// disk, and told twice is told once.
//
//	c, err := campaign.Open("coupling.campaign")
//	tickets, err := c.Ask(8, "robot-1")
//	receipt, err := c.Tell([]campaign.Result{{Ticket: 1, Values: []float64{71.2}}}, "robot-1")
//	status, err := c.Status()
//
// The state of a campaign is a function of its events that stand, in the order of their numbers;
// clocks have no part in it. Results count for the candidates that there are; when candidates come
// or go the policy begins anew, with all results at once.
package campaign
