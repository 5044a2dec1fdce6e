package pareto

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// A GapKind says which of the terms of Gaps a gap is.
type GapKind int

// Kinds of gaps.
const (
	// GapAlone: there is no other row, and the gap is infinite.
	GapAlone GapKind = iota
	// GapEnter: m(i,j) of a dominated row i; if it improves by the gap in every
	// objective, J no longer dominates it.
	GapEnter
	// GapLeave: M(i,j) of an optimal row i; if it loses the gap in every
	// objective, J dominates it weakly.
	GapLeave
	// GapBeat: M(j,i) of two optimal rows; if J loses the gap in every objective,
	// i dominates it weakly.
	GapBeat
	// GapRelease: max(M(j,i), 0) + D_j of an optimal row i and a dominated row J:
	// J would no longer be dominated if both moved that far in all.
	GapRelease
)

// A Gap is the gap of a row with what it comes from.
type Gap struct {
	Size float64
	Kind GapKind
	// J is the other row of the kind, -1 if there is none; the first of several.
	J int
	// C is the objective that decides m(i,j), M(i,j) or M(j,i); -1 without J.
	C int
}

// Explain returns what Gaps returns, to rounding, with the pair of rows and the objective that
// each gap comes from. O(K^2 d): it is for figures and tables, Gaps for algorithms. It panics as
// Gaps does.
func Explain(mu *mat.Dense) []Gap {
	x := view(mu)
	x.checkAll()
	gaps := make([]Gap, x.n)
	for i := range gaps { // D_i, with the row that attains it
		gaps[i] = Gap{Size: math.Inf(-1), J: -1, C: -1}
		for j := range x.n {
			if j == i {
				continue
			}
			if v, c := widest(x.row(i), x.row(j)); -v > gaps[i].Size {
				gaps[i] = Gap{Size: -v, Kind: GapEnter, J: j, C: c}
			}
		}
	}
	least := make([]float64, x.n)
	for i, g := range gaps {
		least[i] = max(g.Size, 0)
	}
	for i := range gaps {
		if gaps[i].Size > 0 {
			continue
		}
		gaps[i] = Gap{Size: math.Inf(1), J: -1, C: -1}
		for j := range x.n {
			if j == i {
				continue
			}
			if v, c := widest(x.row(i), x.row(j)); v < gaps[i].Size {
				gaps[i] = Gap{Size: v, Kind: GapLeave, J: j, C: c}
			}
			if v, c := widest(x.row(j), x.row(i)); max(v, 0)+least[j] < gaps[i].Size {
				kind := GapRelease
				if least[j] == 0 {
					kind = GapBeat
				}
				gaps[i] = Gap{Size: max(v, 0) + least[j], Kind: kind, J: j, C: c}
			}
		}
	}
	return gaps
}

// widest returns M(a,b) and the objective that attains it.
func widest(a, b []float64) (v float64, c int) {
	v = math.Inf(-1)
	for k, u := range a {
		if u-b[k] > v {
			v, c = u-b[k], k
		}
	}
	return v, c
}
