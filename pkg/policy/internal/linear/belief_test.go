package linear

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// A belief that is updated is that of a Tracker, which is tested by itself, and the one computed at
// once; gains are what one more reward takes.
func TestBelief(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, reg := range []float64{0, .3} {
		const k, m = 7, 3
		x := mat.NewDense(k, m, nil)
		for i := range k {
			for j := range m {
				x.Set(i, j, rnd.NormFloat64())
			}
		}
		b, l := NewBelief(x, reg), lsq.NewTracker(x, nil, reg)
		add := func(arm int) {
			r := rnd.NormFloat64()
			b.Add(arm, 2, r)
			l.Add(arm, 2, r)
		}
		for i := range k {
			add(i)
		}
		if !b.Solve() || !l.Solve() {
			t.Fatal("singular")
		}
		for range 700 {
			i, j, at := rnd.IntN(k), rnd.IntN(k), rnd.IntN(k)
			before := l.Squared(difference(x, i, j))
			gain := b.Gain(at, i, j)
			r := rnd.NormFloat64()
			b.Add(at, 1, r)
			l.Add(at, 1, r)
			if after := l.Squared(difference(x, i, j)); math.Abs(before-after-gain) > 1e-9 {
				t.Fatalf("gain %v; want %v", gain, before-after)
			}
			if math.Abs(b.LogDet-l.LogDet()) > 1e-8 || math.Abs(b.Mean[i]-l.Means()[i]) > 1e-9 {
				t.Fatalf("log det %v, mean %v; want %v, %v", b.LogDet, b.Mean[i], l.LogDet(),
					l.Means()[i])
			}
			if v := b.Row(i)[i] + b.Row(j)[j] - 2*b.Row(i)[j]; math.Abs(v-l.Squared(difference(x, i,
				j))) > 1e-9 {
				t.Fatalf("variance %v of a difference", v)
			}
		}
	}
}

func difference(x *mat.Dense, i, j int) []float64 {
	var y mat.VecDense
	y.SubVec(x.RowView(i), x.RowView(j))
	return y.RawVector().Data
}
