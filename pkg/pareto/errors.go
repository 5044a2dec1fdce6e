package pareto

// What this package panics with when the calling code is wrong.
const (
	panicShape  = "pareto: wrong length of a slice, or more than 2^31-1 points"
	panicDim    = "pareto: less than one objective"
	panicIndex  = "pareto: row index out of range"
	panicFinite = "pareto: a coordinate is NaN or infinite"
)

// finite reports whether v is neither NaN nor infinite.
func finite(v float64) bool { return v-v == 0 } // Inf-Inf is NaN
