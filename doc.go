// Package purexp is the root of a module for pure exploration in Go: finding, with few noisy
// measurements and a stated error probability, which of finitely many options are best.
//
// Package purexp contains no code; the code is in the packages below pkg:
//
//   - [github.com/purexp/purexp/pkg/explore]: problems, questions, policies, and the session in
//     which a policy requests measurements and receives results. Begin with this package.
//   - [github.com/purexp/purexp/pkg/policy]: the algorithms, and the function policy.For, which
//     recommends a policy.
//   - [github.com/purexp/purexp/pkg/question]: definitions of right answers: the best item, the
//     Pareto set, feasible items, all epsilon-best items.
//   - [github.com/purexp/purexp/pkg/campaign]: a real campaign in one file, which several people
//     and machines use at once.
//   - [github.com/purexp/purexp/pkg/bandit] and [github.com/purexp/purexp/pkg/mc]: instances with
//     known true means, and many runs on such instances.
//   - [github.com/purexp/purexp/pkg/study]: reproductions of five papers.
//
// The command is [github.com/purexp/purexp/cmd/purexp]. The file docs/release.md lists the packages
// with a stable API, and docs/architecture.md is a map of all packages.
package purexp
