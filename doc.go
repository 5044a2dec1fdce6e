// Package purexp is pure exploration in Go: finding, with as few noisy measurements as possible and
// a stated error probability, which of finitely many options are best.
//
// This package is empty; what it stands for is below pkg:
//
//   - [github.com/purexp/purexp/pkg/explore]: problems, questions, policies, and the session in which
//     a policy asks for measurements and is told them. Begin here.
//   - [github.com/purexp/purexp/pkg/policy]: the algorithms, and which one to take (policy.For).
//   - [github.com/purexp/purexp/pkg/question]: what a right answer is: the best item, the Pareto set,
//     a feasible one, all epsilon-best items.
//   - [github.com/purexp/purexp/pkg/campaign]: a real campaign in one file, asked and told by several
//     people and machines at once.
//   - [github.com/purexp/purexp/pkg/bandit] and [github.com/purexp/purexp/pkg/mc]: simulated truth, and
//     many runs on it.
//   - [github.com/purexp/purexp/pkg/study]: five papers, reproduced.
//
// The command is [github.com/purexp/purexp/cmd/purexp]. Which packages keep their promises from one
// version to the next is in docs/release.md, and the map of all of them in docs/architecture.md.
package purexp
