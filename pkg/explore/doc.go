// Package explore runs pure exploration: a [Policy] measures noisy arms until it can answer a
// [Question] about their means.
//
// A [Problem] describes what is known before the first measurement. [Run] runs a policy of package
// policy on a problem. A [Sampler], such as one from package bandit, simulates the measurements:
//
//	problem := &explore.Problem{Arms: 3, Sigma: 0.5, Question: question.Best{}}
//	result, err := explore.Run(&policy.LinGapE{Delta: 0.05}, problem, sampler, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(result.Answer.Items, "after", result.Pulls, "pulls")
//
// If result.Status is [Stopped], the [Answer] is right with probability at least 1 - Delta, if the
// policy's assumptions hold. The answer has a [Reason] for every item, unless the policy gives no
// reasons. For real measurements, use a [Session] directly; Run is only a loop around a session:
//
//	pulls, err := session.Ask() // such as two pulls of arm 0 and one of arm 2
//	err = session.Tell(batches) // their rewards
//
// With plates, several machines or late results, use the session by tickets: see [Session.More],
// [Session.Report] and [Session.Forget]. Package campaign stores a session with tickets in a file,
// and [Plates] simulates a laboratory.
//
// Measurements are sufficient statistics: a [Batch] contains the number of rewards of one arm and
// their sum. A policy is a deterministic function of the problem, its settings, its random source
// and the reported results. Because policies are deterministic, a run can be repeated exactly.
//
// Features may change from round to round. Before each Ask, a [Contextual] policy receives the
// features of the round through Observe. A [ContextSampler] draws the features of each round.
//
// The package does not contain policies (package policy), questions (package question) or true
// means (package bandit).
//
// Notation: K arms, M items, d objectives (larger is better), h features, error probability delta,
// N_i pulls of arm i and t pulls in total.
package explore
