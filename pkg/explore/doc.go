// Package explore runs pure exploration: a [Policy] measures noisy arms until it can answer a
// [Question] about their means.
//
// Tell what is known before the first measurement in a [Problem], and run a policy of package
// policy on it against a [Sampler], that is, a simulator:
//
//	problem := &explore.Problem{Arms: 3, Sigma: 0.5, Question: question.Best{}}
//	result, err := explore.Run(&policy.LinGapE{Delta: 0.05}, problem, sampler, nil)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(result.Answer.Items, "after", result.Pulls, "pulls")
//
// The [Answer] is right with probability at least 1 - Delta if the run has [Stopped], and carries a
// [Reason] for every item. Those who measure themselves use the [Session] that Run is a loop
// around:
//
//	pulls, err := session.Ask() // such as two pulls of arm 0 and one of arm 2
//	err = session.Tell(batches) // their rewards
//
// A laboratory with plates, several machines or late results takes tickets instead: see
// [Session.More], [Session.Report] and [Session.Forget]. Package campaign keeps such a session in a
// file, and [Plates] simulates one.
//
// Measurements travel as sufficient statistics: a [Batch] holds how many rewards of one arm were
// drawn, and their sum. A policy is a deterministic function of the problem, its settings, its
// random source and what it was told, so that a run can be repeated exactly.
//
// The features of arms may change from round to round and be seen before the pull. A [Contextual]
// policy is then told them by Observe before each Ask, and a [ContextSampler] draws them.
//
// Letters used throughout: K arms, M items, d objectives (larger is better in each), h features,
// delta the error probability, N_i the pulls of arm i, t their total.
package explore
