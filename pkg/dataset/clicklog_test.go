package dataset

import (
	"bytes"
	"compress/gzip"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// handLog is a small log: seven records with features in several orders, and lines with errors.
const handLog = `# a comment
1241160900 7 1 |user 2:0.1 3:0.2 4:0.3 5:0.4 6:0.0 1:1.0 |7 2:0.5 3:0.5 4:0 5:0 6:0 1:1 |8 2:1 3:0 4:0 5:0 6:0 1:1

1241160900 8 0 |user 1:1.0 6:0.0 5:0.4 4:0.3 3:0.2 2:0.1 |7 2:0.5 3:0.5 4:0 5:0 6:0 1:1 |8 1:1 2:1 3:0 4:0 5:0 6:0
1241160901 7 0 |user 2:0.1 3:0.2 4:0.3 5:0.4 6:0.0 1:1.0 |7 2:0.5 3:0.5 4:0 5:0 6:-0 1:1 |9 2:x
1241160902 7
1241160902 7 0
1241160902 7 0 4 |user 2:0.1 3:0.2 4:0.3 5:0.4 6:0.0 1:1.0 |7 2:0.5 3:0.5 4:0 5:0 6:0 1:1
1241160902 7 2 |user 2:0.1 3:0.2 4:0.3 5:0.4 6:0.0 1:1.0 |7 2:0.5 3:0.5 4:0 5:0 6:0 1:1
1241160902 7 1 |user 2:0.1 3:0.2 4:0.3 5:0.4 6:0.0 |7 2:0.5 3:0.5 4:0 5:0 6:0 1:1
1241160903 9 1 |user 2:0.1 3:0.2 4:0.3 5:0.4 6:0.0 1:1.0 |7 2:0.5 3:0.5 4:0 5:0 6:0 1:1
1241160904 7 1 |user 2:0.1 3:0.2 4:0.3 5:0.4 6:0.0 1:1.0 |7 2:0.5 3:0.5 4:0 5:0 6:0 7:1
1241160905 8 1 |user 2:0.1 3:0.2 4:0.3 5:0.4 6:0.0 1:1.0 |8 2:1 3:0 4:0 5:0 6:0 1:1 |7 2:0.5 3:0.5 4:0 5:0 6:0 1:1
1241160905 8 1 |user 2:0.1 3:0.2 4:0.3 5:0.4 6:0.0 1:1.0 |8 2:1 3:0 4:0 5:0 6:0 1:1
1241160905 8 1 |user 2:0.1 3:0.2 4:0.3 5:0.4 6:0.0 1:1.0 |8 2:1 3:0 4:0 5:0 6:0 1:1
1241160905 8 1 |user 2:0.1 3:0.2 4:0.3 5:0.4 6:0.0 1:1.0 |8 2:1 3:0 4:0 5:0 6:0 1:1
`

// parseClicks reads a log from text.
func parseClicks(text string) (*Clicks, error) {
	a := newClickFit(kept)
	if err := a.read(strings.NewReader(text), "log"); err != nil {
		return nil, err
	}
	return a.fit("log")
}

func TestParseClicks(t *testing.T) {
	c, err := parseClicks(handLog)
	if err != nil {
		t.Fatal(err)
	}
	if c.records != 7 || len(c.pairs) != 2 || c.synthetic {
		t.Errorf("%d records, %d pairs", c.records, len(c.pairs))
	}
	// One user sees article 7 (1 click in 2) and article 8 (4 clicks in 5), so article 8 is best.
	// Article 8 first appears in line 4.
	if c.best.id != "8" || c.best.line != 4 || c.best.user != (clickSideFeatures{1, .1, .2, .3, .4, 0}) ||
		c.best.article != (clickSideFeatures{1, 1, 0, 0, 0, 0}) {
		t.Errorf("the best pair is %+v", c.best)
	}
	const good = "1 7 1 |user 2:0 3:0 4:0 5:0 6:0 1:1 |7 2:0 3:0 4:0 5:0 6:0 1:1"
	for _, c := range []struct{ in, want string }{
		{"", "dataset: click log log: 0 of 0 lines are not R6A records"},
		{"a b c\n", "1 of 1 lines are not R6A records; use a file in R6A format; the first error is at log:1: 3 fields"},
		{strings.Replace(good, "1 |u", "x |u", 1), `log:1: click is "x"`},
		{strings.Replace(good, "user", "customer", 1), `log:1: the first block is "customer"; expected user`},
		{strings.Replace(good, "2:0", "2:NaN", 1), `log:1: user: feature 2 is "NaN"`},
		{strings.Replace(good, "2:0", "2:1e99", 1), `user: feature 2 is "1e99"`},
		{strings.Replace(good, "2:0", "3:0", 1), "log:1: user: feature 3 occurs twice"},
		{strings.Replace(good, "2:0", "0:0", 1), `user: "0:0" is not a feature`},
		{strings.Replace(good, "|7 2:0", "|7", 1), "article 7: 5 features"},
		{strings.Replace(good, "|7", "|8", 1), "the pool lacks the displayed article 7"},
		{good + "\nx\ny", "2 of 3 lines are not R6A records"},
		{strings.Repeat("7", 1<<20+1), "log:1: bufio.Scanner: token too long"},
	} {
		if _, err := parseClicks(c.in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80q: error %v; want %q", c.in, err, c.want)
		}
	}
}

// A compressed file gives the same result as a plain file.
func TestClickFile(t *testing.T) {
	dir := t.TempDir()
	var z bytes.Buffer
	zw := gzip.NewWriter(&z)
	zw.Write([]byte(handLog))
	zw.Close()
	for name, data := range map[string][]byte{"log.txt": []byte(handLog), "log.gz": z.Bytes()} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if c, err := (ClickLog{Path: path}).Read(); err != nil || c.name != name || c.records != 7 {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "plain.gz"), []byte(handLog), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := (ClickLog{Path: filepath.Join(dir, "plain.gz")}).Read(); !errors.Is(err, gzip.ErrHeader) {
		t.Errorf("a plain file called .gz: %v", err)
	}
}

// fit agrees with regularised least squares, computed from the matrix of all records.
func TestClickFit(t *testing.T) {
	var rows [][]float64
	var y []float64
	sim := newClickFit(kept)
	eachVisit(func(v *visit) {
		if len(y) == 500 {
			return
		}
		sim.add(v)
		row := make([]float64, 0, 36)
		for _, u := range v.user {
			for _, a := range v.article {
				row = append(row, u*a)
			}
		}
		rows, y = append(rows, row), append(y, map[bool]float64{true: 1}[v.clicked])
	})
	x := mat.NewDense(500, 36, slices.Concat(rows...))
	var a mat.Dense
	a.Mul(x.T(), x)
	for i := range 36 {
		a.Set(i, i, a.At(i, i)+.01)
	}
	var xy, want mat.VecDense
	xy.MulVec(x.T(), mat.NewVecDense(500, y))
	if err := want.SolveVec(&a, &xy); err != nil {
		t.Fatal(err)
	}
	c, err := sim.fit("log")
	if err != nil {
		t.Fatal(err)
	}
	if !floats.EqualApprox(c.theta, want.RawVector().Data, 1e-8) {
		t.Errorf("theta\n%v\nwant\n%v", c.theta, want.RawVector().Data)
	}
	best := math.Inf(-1)
	for _, r := range rows {
		best = max(best, floats.Dot(r, c.theta))
	}
	if got := c.best.mean(c.theta); math.Abs(got-best) > 1e-12 {
		t.Errorf("the best pair has %v; the best record has %v", got, best)
	}
}

// If there are too many distinct pairs, the pairs with the smallest hashes are kept, regardless of the order of the
// records.
func TestKept(t *testing.T) {
	const distinct, limit = 400, 50
	rnd := rand.New(rand.NewPCG(1, 2))
	all, want := make([]clickPair, distinct), make([]uint64, distinct)
	for i := range all {
		all[i].user[0], all[i].article[0] = 1, float64(i)
		all[i].hash = all[i].sum()
		want[i] = all[i].hash
	}
	slices.Sort(want)
	for range 20 {
		a := newClickFit(limit)
		stream := append(slices.Clone(all), all...)
		rnd.Shuffle(len(stream), func(i, j int) { stream[i], stream[j] = stream[j], stream[i] })
		for _, p := range stream {
			a.add(&visit{clickPair: p})
		}
		var got []uint64
		for _, p := range a.smallest() {
			got = append(got, p.hash)
		}
		if !slices.Equal(got, want[:limit]) || !a.full {
			t.Fatalf("kept %d pairs; want the %d smallest hashes", len(got), limit)
		}
	}
}

// The synthetic log has click rates below 0.11. In each draw, the best arm is at least 0.01 better than every other
// arm.
func TestClickSim(t *testing.T) {
	c, err := ClickLog{}.Read()
	if err != nil {
		t.Fatal(err)
	}
	if !c.synthetic || c.records != 100_000 || len(c.pairs) < 99_000 || c.sampled {
		t.Errorf("synthetic: %v; %d records, %d pairs", c.synthetic, c.records, len(c.pairs))
	}
	for i := range c.pairs {
		if m := c.pairs[i].mean(c.theta); m <= 0 || m >= .11 {
			t.Fatalf("a pair has %v clicks a view; want within (0, 0.11)", m)
		}
	}
	for draw := range 3 {
		inst, err := ClickLog{}.Draw(c, draw)
		if err != nil {
			t.Fatal(err)
		}
		mu := mat.Col(nil, 0, inst.Means())
		if k, h := inst.Problem.X.Dims(); k != 40 || h != 25 || inst.Problem.Sigma != 1 {
			t.Errorf("%d arms, %d features, Sigma %v", k, h, inst.Problem.Sigma)
		}
		for i, m := range mu {
			if x := mat.Dot(inst.Problem.X.RowView(i), inst.Theta.ColView(0)); math.Abs(x-m) > 1e-9 || i > 0 && mu[0]-m < .01 {
				t.Errorf("draw %d: arm %d has mean %v, features say %v; the best has %v", draw, i, m, x, mu[0])
			}
		}
	}
}
