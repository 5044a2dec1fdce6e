package radius

// A Fitted bonus is narrower where rewards vary less than Sigma allows. What a [Bonus] gives by
// counts alone holds for it, too.
type Fitted interface {
	Bonus
	// Around returns beta_i / factor for objective c of an arm, by its rewards.
	Around(c int, s Seen) float64
	// Apart returns beta_ij / factor for objective c of two arms.
	Apart(c int, i, j Seen) float64
	// Squares reports whether it has a use for Seen.Spread.
	Squares() bool
	// Within reports whether rewards of objective c from lo to hi are such as it is about: it is
	// worth nothing for others.
	Within(c int, lo, hi float64) bool
	// Range says in words which these are, for rewards that are scale times those of the bonus.
	Range(c int, scale float64) string
}

// Seen is what was seen of the rewards of an arm in one objective.
type Seen struct {
	N    int // at least 1
	Mean float64
	// Spread is the mean square deviation of rewards from their mean, the sum of squares divided by
	// N; NaN if nobody kept squares.
	Spread float64
}
