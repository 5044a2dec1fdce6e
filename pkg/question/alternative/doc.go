// Package alternative finds the cheapest alternative to an answer about a Pareto set,
// constrained or not, or about all epsilon-best items (AllEpsilon): the means with another
// answer that measurements find hardest to tell from the true ones.
//
//	r, err := alternative.New(k, d, nil)    // k arms, d objectives
//	r.SetMeans(mu)                          // k*d numbers
//	cost := r.Cost(nil, counts)             // of the cheapest, after so many pulls of each arm
//
// Lower bounds maximise its cost over the weights of the arms (package complexity), and
// policies for which identification is a game play against it.
package alternative
