package canvas

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/plot"
)

func TestTicks(t *testing.T) {
	labels := func(ts []plot.Tick) string {
		var ls []string
		for _, t := range ts {
			if !t.IsMinor() {
				ls = append(ls, t.Label)
			}
		}
		return strings.Join(ls, "|")
	}
	for _, c := range []struct {
		tick   plot.Ticker
		lo, hi float64
		want   string
	}{
		{LogTicks{7}, 90, 120_000, "100|300|1 000|3 000|10 000|30 000|100 000"},
		{LogTicks{7}, 9e4, 2e7, "100 000|300 000|10⁶|3·10⁶|10⁷"},
		{LogTicks{7}, 1500, 8000, "2 000|3 000|4 000|5 000|6 000|7 000|8 000"},
		{LogTicks{7}, .0005, .2, "0.001|0.003|0.01|0.03|0.1"},
		{LogTicks{7}, 1, 1e12, "1|100|10 000|10⁶|10⁸|10¹⁰|10¹²"},
		{LinearTicks{6}, .33, .56, "0.35|0.40|0.45|0.50|0.55"},
		{LinearTicks{6}, 0, 12_000, "0|2 000|4 000|6 000|8 000|10 000|12 000"},
		{LinearTicks{6}, -1, 1, "-1.0|-0.5|0|0.5|1.0"},
		{LinearTicks{2}, 190, 460, "200|400"},
		{LinearTicks{2}, 0, 9_999_999, "0|5 000 000"}, {LinearTicks{2}, 0, 1e7, "0|5e+06|1e+07"}, {LinearTicks{2}, -1e7, 0, "-10 000 000|-5 000 000|0"},
		{LinearTicks{2}, 0, 4e-5, "0|0.00002|0.00004"}, {LinearTicks{2}, 0, 4e-6, "0|2e-06|4e-06"},
		{LogTicks{7}, 2e-5, 2e-3, "2·10⁻⁵|5·10⁻⁵|10⁻⁴|2·10⁻⁴|5·10⁻⁴|0.001|0.002"}, {LogTicks{7}, 2e5, 5e6, "200 000|500 000|10⁶|2·10⁶|5·10⁶"}, {LogTicks{3}, 1e5, 3e6, "100 000|10⁶"},
		{LogTicks{4}, 42, 47, "42|44|46"}, {LogTicks{7}, 1.5e6, 6e6, "2·10⁶|3·10⁶|4·10⁶|5·10⁶|6·10⁶"},
		{ScaledTicks{LinearTicks{3}, 10, -5}, -2, 2, "0|10|20"}, {ScaledTicks{LinearTicks{3}, 10, 5}, -2, 2, "0|10|20"},
		{SizeTicks{[]float64{-3, 2.5, 12, 1234.5, 9_999_999, 1e7}}, 0, 0, "-3|2.5|12|1234|9 999 999|1e+07"},
	} {
		if got := labels(c.tick.Ticks(c.lo, c.hi)); got != c.want {
			t.Errorf("%T from %v to %v: %s, want %s", c.tick, c.lo, c.hi, got, c.want)
		}
	}
	// Every range has at least two labels, and not many more than requested.
	rng := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		lo := math.Pow(10, 8*rng.Float64()-2)
		hi := lo * math.Pow(10, .15+9*rng.Float64()*rng.Float64())
		for _, n := range []int{2, 3, 7} {
			for _, tick := range []plot.Ticker{LogTicks{n}, LinearTicks{n}} {
				s := strings.Count(labels(tick.Ticks(lo, hi)), "|") + 1
				if s < 2 || s > 2*n+3 {
					t.Fatalf("%T{%d} from %v to %v: %d labels", tick, n, lo, hi, s)
				}
			}
		}
	}
	for _, bad := range [][2]float64{{1, 1}, {2, 1}, {math.NaN(), 1}, {-1, math.Inf(1)}} {
		if len(LinearTicks{6}.Ticks(bad[0], bad[1])) > 0 || len(LogTicks{7}.Ticks(bad[0], bad[1])) > 0 {
			t.Errorf("ticks from %v to %v", bad[0], bad[1])
		}
	}
}
