// Package polyhedron describes the sets in which the mean of an arm must lie to be feasible,
//
//	P = { x in R^d : A x <= b },
//
// and measures how far a point is from leaving or from entering them.
//
//	p, err := polyhedron.AtLeast([]float64{0.4, 0.5}, []string{"efficacy", "safety"})
//	inside, eta, k := p.Margin([]float64{0.6, 0.8}) // true, 0.2: the distance to the boundary
//	fmt.Println(p.Constraint(k))                    // efficacy >= 0.4, the nearest one
//
// Larger is better in every objective throughout this module, so the most common set is a list of
// lower bounds, built by AtLeast. Box, HalfSpace, Simplex, Ordered and Whole build the other usual
// ones, and New takes any A and b.
//
// # Distances
//
// All distances are Euclidean and in the units of x, whatever the scale in which the rows of A
// were written. For a point x of P the quantity that feasible-arm identification needs is the
// distance to the complement of P, Depth; for a point outside it is the distance to P, Distance.
// Margin returns whichever of the two is not zero:
//
//	eta = dist(x, complement of P)  if x is in P
//	eta = dist(x, P)                otherwise
//
// Depth is the least slack over the rows, each divided by its norm: the complement is a union of
// half-spaces, one for each row, and a redundant row cannot be nearer than the boundary. Distance
// is the length of a projection, which is a clip for a box, a closed form for one half-space and a
// small quadratic program, solved by a finite active-set method, otherwise.
//
// A point belongs to P when a_k'x <= b_k holds for every row as the user wrote it, evaluated in
// floating point with no tolerance. Projections are exact up to rounding: a projected point may
// violate a row by about 1e-14 of the size of x and b, and Contains may then say no.
//
// # Which sets are accepted
//
// A set without points, or without interior, makes feasibility unanswerable: on the boundary both
// distances are zero and no number of samples can decide. New and its companions refuse such sets
// with an error that names the constraints in conflict. See ConflictError.
//
// # Concurrency
//
// A Polyhedron never changes once built and may be shared by goroutines. Methods whose name ends
// in With take a Workspace, one for each goroutine, and do not allocate once it has grown.
package polyhedron
