package dataset

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// A log by hand: four records, features in several orders, and one line of each
// way to be wrong.
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

func TestParseClicksCounts(t *testing.T) {
	c, err := parseClicks(strings.NewReader(handLog), "hand.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := ClickCounts{
		Lines: 14, Records: 7, Clicks: 5, Pairs: 2,
		Short: 3, Click: 1, User: 1, Missing: 1, Article: 1,
		First: "hand.txt:6: 2 fields before the first |; " +
			"want a time, the displayed article, and 0 or 1",
	}
	if c.Counts != want {
		t.Errorf("counts\n%+v\nwant\n%+v", c.Counts, want)
	}
	if c.Synthetic {
		t.Error("a log that does not say so is synthetic")
	}
	if c, err := parseClicks(strings.NewReader("# synthetic\n# of today\n"+handLog), "hand.txt"); err != nil || !c.Synthetic {
		t.Errorf("a log that says so in the first of two comments is not synthetic: %v", err)
	}
	const words = "7 records, 5 clicks; 3 lines incomplete; " +
		"1 lines without 0 or 1 for the click; 1 lines with a malformed user; " +
		"1 lines whose displayed article is missing from the pool; 1 lines with a malformed article"
	if got := c.Counts.String(); got != words {
		t.Errorf("%q; want %q", got, words)
	}
	// One user, articles 7 (1 click in 2) and 8 (4 in 5): article 8 is best. It
	// was first seen in line 4.
	if c.best.id != "8" || c.best.line != 4 ||
		c.best.user != (clickSideFeatures{1, .1, .2, .3, .4, 0}) ||
		c.best.article != (clickSideFeatures{1, 1, 0, 0, 0, 0}) {
		t.Errorf("the best pair is %+v", c.best)
	}
}

func TestParseClicksErrors(t *testing.T) {
	const good = "1 7 1 |user 2:0 3:0 4:0 5:0 6:0 1:1 |7 2:0 3:0 4:0 5:0 6:0 1:1"
	for _, c := range []struct{ in, want string }{
		{"", "dataset: click log log is empty"},
		{"# nothing\n\n", "is empty"},
		{"a b c\n", "no records in 1 lines; the first is wrong at log:1: 3 fields"},
		{strings.Replace(good, "1 |u", "x |u", 1), `log:1: click is "x"`},
		{strings.Replace(good, "user", "customer", 1),
			`log:1: the first block is "customer"; want user`},
		{strings.Replace(good, "2:0", "2:NaN", 1), `log:1: user: feature 2 is "NaN"`},
		{strings.Replace(good, "2:0", "2:1e99", 1), `user: feature 2 is "1e99"`},
		{strings.Replace(good, "2:0", "3:0", 1), "log:1: user: feature 3 twice"},
		{strings.Replace(good, "2:0", "2:", 1), `user: "2:" is no feature`},
		{strings.Replace(good, "2:0", "0:0", 1), `user: "0:0" is no feature`},
		{strings.Replace(good, "|7 2:0", "|7", 1), "article 7: 5 features"},
		{strings.Replace(good, "|7", "|8", 1), "article 7 is not in the pool"},
		{good + "\nx\ny", "2 of 3 lines are no records; is the file in the format of R6A? The " +
			"first is wrong at log:2"},
		{strings.Repeat("7", longest+1), "log:1: longer than 1 MB"},
	} {
		if _, err := parseClicks(strings.NewReader(c.in), "log"); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80q: error %v; want %q", c.in, err, c.want)
		}
	}
	// Articles are told apart by the whole id.
	like, err := parseClicks(strings.NewReader("1 7 1 |user 2:0 3:0 4:0 5:0 6:0 1:1 |71 2:1 3:0 4:0 5:0 6:0 1:1 |7 2:0 3:1 4:0 5:0 6:0 1:1\n"), "log")
	if err != nil || like.best.article != (clickSideFeatures{1, 0, 1, 0, 0, 0}) {
		t.Errorf("article 7 beside 71: %+v, %v", like.best, err)
	}
	// The line after a long one is read from its beginning.
	long := strings.Repeat("7 ", longest)
	c, err := parseClicks(strings.NewReader(good+"\n"+long+"\n"+good+"\n"), "log")
	if err != nil || c.Counts.Records != 2 || c.Counts.Short != 1 {
		t.Errorf("with a long line: %v, %v", c, err)
	}
	if _, err := parseClicks(io.MultiReader(strings.NewReader(good+"\n"), broken{}),
		"log"); !errors.Is(err, errBroken) || !strings.Contains(err.Error(), "log:2") {
		t.Errorf("a broken reader: %v", err)
	}
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errBroken }

// theta against the definition, on the matrix of all records.
func TestClickFit(t *testing.T) {
	var rows [][]float64
	var y []float64
	sim := ClickSim{Records: 500, Seed: 3}
	err := sim.each(func(v *visit, _ []clickPair) error {
		row := make([]float64, 0, 36)
		for _, u := range v.user {
			for _, a := range v.article {
				row = append(row, u*a)
			}
		}
		rows, y = append(rows, row), append(y, map[bool]float64{true: 1}[v.clicked])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
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
	c, err := sim.Clicks()
	if err != nil {
		t.Fatal(err)
	}
	if !floats.EqualApprox(c.Theta, want.RawVector().Data, 1e-8) {
		t.Errorf("theta\n%v\nwant\n%v", c.Theta, want.RawVector().Data)
	}
	best := math.Inf(-1)
	for _, r := range rows {
		best = max(best, floats.Dot(r, c.Theta))
	}
	if got := c.best.mean(c.Theta); math.Abs(got-best) > 1e-12 {
		t.Errorf("the best pair has %v; the best record has %v", got, best)
	}
}

// A log that is written and read is the log.
func TestClickSimRoundTrip(t *testing.T) {
	sim := ClickSim{Records: 3000, Seed: 5}
	want, err := sim.Clicks()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	n, err := writeClicks(&b, sim)
	if err != nil || n != int64(b.Len()) {
		t.Fatalf("%d of %d bytes written, %v", n, b.Len(), err)
	}
	dir := t.TempDir()
	plain, packed := filepath.Join(dir, "log.txt"), filepath.Join(dir, "log.gz")
	var z bytes.Buffer
	zw := gzip.NewWriter(&z)
	zw.Write(b.Bytes())
	zw.Close()
	for name, data := range map[string][]byte{plain: b.Bytes(), packed: z.Bytes()} {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := ClickLog{Path: name}.Read()
		if err != nil {
			t.Fatal(err)
		}
		if got.Name != filepath.Base(name) {
			t.Errorf("the log is called %q", got.Name)
		}
		got.Name = want.Name
		if !reflect.DeepEqual(got, want) { // to the bit, synthetic included
			t.Errorf("%s: what was read is not what was written: %v; want %v", name, got.Counts,
				want.Counts)
		}
	}
	// The end of a compressed file is missing.
	if err := os.WriteFile(packed, z.Bytes()[:z.Len()/2], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := (ClickLog{Path: packed}).Read(); !errors.Is(err, io.ErrUnexpectedEOF) ||
		!strings.Contains(err.Error(), "log.gz:") {
		t.Errorf("half a file: %v", err)
	}
	if err := os.Rename(plain, packed); err != nil {
		t.Fatal(err)
	}
	if _, err := (ClickLog{Path: packed}).Read(); !errors.Is(err, gzip.ErrHeader) ||
		!strings.Contains(err.Error(), "its name says") {
		t.Errorf("a plain file called .gz: %v", err)
	}
	if _, err := (ClickLog{Path: plain}).Instance(0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := writeClicks(io.Discard, ClickSim{Articles: 3}); err == nil ||
		!strings.Contains(err.Error(), "3 articles") {
		t.Errorf("three articles: %v", err)
	}
}

// Of more distinct pairs than are kept, those with the smallest hashes are, in
// whatever order they come.
func TestKept(t *testing.T) {
	for _, limit := range []int{50, 51} { // heaps with and without an only child
		kept(t, limit)
	}
}

func kept(t *testing.T, limit int) {
	t.Helper()
	const distinct = 400
	rnd := rand.New(rand.NewPCG(1, 2))
	all := make([]clickPair, distinct)
	for i := range all {
		all[i].user[0], all[i].article[0] = 1, float64(i)
		all[i].hash = all[i].sum()
	}
	want := make([]uint64, distinct)
	for i := range want {
		want[i] = all[i].hash
	}
	slices.Sort(want)
	want = want[:limit]
	for range 20 {
		a := newClickFit(0)
		a.limit = limit
		stream := append(slices.Clone(all), all...)
		rnd.Shuffle(len(stream), func(i, j int) { stream[i], stream[j] = stream[j], stream[i] })
		for _, p := range stream {
			a.add(&visit{clickPair: p})
		}
		var got []uint64
		for _, p := range a.heap {
			got = append(got, p.hash)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) || !a.full || len(a.pairs) != limit {
			t.Fatalf("kept %d pairs, %d in the index; want the %d smallest hashes", len(got),
				len(a.pairs), limit)
		}
	}
	// Hashes are like random numbers: the pairs kept are anywhere in the order of
	// features. Their mean rank has standard error 400/sqrt(12*50), less for
	// drawing without replacement; 4.9 of them is a false alarm of 1e-6.
	s := 0.
	for _, p := range all {
		if p.hash <= want[limit-1] {
			s += p.article[0] / float64(limit)
		}
	}
	if math.Abs(s-(distinct-1)/2.) > 4.9*distinct/math.Sqrt(float64(12*limit)) {
		t.Errorf("the pairs kept have mean rank %v; want %v", s, (distinct-1)/2.)
	}
}

// The synthetic log is like the paper's, and clicks follow its own rates.
func TestClickSim(t *testing.T) {
	c, err := ClickSim{}.Clicks()
	if err != nil {
		t.Fatal(err)
	}
	if !c.Synthetic || c.Counts.Records != 100_000 || c.Counts.Pairs < 99_000 {
		t.Errorf("synthetic: %v; %v", c.Synthetic, c.Counts)
	}
	if rate := float64(c.Counts.Clicks) / 100_000; rate < .03 || rate > .05 {
		t.Errorf("%v of visits are clicks; want about 4 %%", rate)
	}
	for i := range c.pairs {
		if m := c.pairs[i].mean(c.Theta); m <= 0 || m >= .11 {
			t.Fatalf("a pair has %v clicks a view; want within (0, 0.11)", m)
		}
	}
	if _, m := c.span.Dims(); m != 25 {
		t.Errorf("the log varies in %d dimensions; shares that sum to 1 leave 25", m)
	}
	other, err := ClickSim{Records: 100_000, Articles: 50, Seed: 1}.Clicks()
	if err != nil || floats.Equal(other.Theta, c.Theta) {
		t.Errorf("another seed gives the same log (%v)", err)
	}

	for draw := range 5 {
		for _, l := range []ClickLog{{}, {Full: true, Sigma: .5}} {
			inst, err := l.Draw(c, draw)
			if err != nil {
				t.Fatal(err)
			}
			mu, theta := inst.Means(), mat.Col(nil, 0, inst.Theta)
			notes := strings.Join(inst.Notes, "; ")
			p := inst.Problem
			k, h := p.X.Dims()
			sigma, dims := 1., 25
			if l.Full {
				sigma, dims = .5, 36
			}
			if k != 40 || h != dims || len(theta) != dims || p.Sigma != sigma ||
				strings.Contains(notes, "Sigma") == l.Full ||
				strings.Contains(notes, "25") == l.Full {
				t.Errorf("%+v: %d arms, %d features, %d parameters, Sigma %v, notes %s", l, k, h,
					len(theta), p.Sigma, notes)
			}
			if math.Abs(mu.At(0, 0)-c.best.mean(c.Theta)) > 1e-6 { // rounding left out
				t.Errorf("the first arm has %v; the best pair has %v", mu.At(0, 0),
					c.best.mean(c.Theta))
			}
			for i := range k {
				if v := floats.Dot(p.X.RawRowView(i), theta); math.Abs(v-mu.At(i, 0)) > 1e-13 {
					t.Errorf("arm %d: mean %v, x'theta = %v", i, mu.At(i, 0), v)
				}
				if i > 0 && mu.At(0, 0)-mu.At(i, 0) < .01-1e-6 {
					t.Errorf("arm %d is %v behind; want at least 0.01", i, mu.At(0, 0)-mu.At(i, 0))
				}
			}
			if !l.Full && lsq.NewSpan(p.X).Rank() != 25 {
				t.Errorf("the arms span %d dimensions", lsq.NewSpan(p.X).Rank())
			}
			again, err := l.Draw(c, draw)
			if err != nil || !mat.Equal(again.Problem.X, p.X) {
				t.Errorf("draw %d is not the same again (%v)", draw, err)
			}
			next, err := l.Draw(c, draw+1)
			if err != nil || mat.Equal(next.Problem.X, p.X) {
				t.Errorf("draws %d and %d are the same (%v)", draw, draw+1, err)
			}
		}
	}
	for _, e := range []struct {
		l    ClickLog
		draw int
		want string
	}{
		{ClickLog{}, -1, "draw -1"},
		{ClickLog{Arms: 1}, 0, "ClickLog.Arms is 1; want at least 2"},
		{ClickLog{Arms: 24}, 0, "25 dimensions need at least as many"},
		{ClickLog{MinGap: .2}, 0, "0 distinct pairs are at least 0.2 below"},
		{ClickLog{MinGap: -1}, 0, "MinGap is -1"},
		{ClickLog{MinGap: 1}, 0, "MinGap is 1; want a difference of rates in (0, 1)"},
		{ClickLog{MinGap: math.NaN()}, 0, "MinGap is NaN"},
		{ClickLog{Sigma: -1}, 0, "Sigma"},
	} {
		if _, err := e.l.Draw(c, e.draw); err == nil || !strings.Contains(err.Error(), e.want) {
			t.Errorf("%+v: error %v; want %q", e.l, err, e.want)
		}
	}
}

// A fit outside [0, 1] is clipped, and said so.
func TestClickClip(t *testing.T) {
	c, err := ClickSim{Records: 4000}.Clicks()
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Theta {
		c.Theta[i] -= map[bool]float64{true: .05}[i == 0] // less for all pairs
	}
	inst, err := ClickLog{}.Draw(c, 0)
	if err != nil {
		t.Fatal(err)
	}
	cut, theta := 0, mat.Col(nil, 0, inst.Theta)
	for i := range 40 {
		v := floats.Dot(inst.Problem.X.RawRowView(i), theta)
		if got := inst.Means().At(i, 0); math.Abs(got-max(v, 0)) > 1e-13 {
			t.Errorf("arm %d has mean %v; x'theta = %v", i, got, v)
		}
		if v < 0 {
			cut++
		}
	}
	if cut == 0 || !strings.Contains(strings.Join(inst.Notes, "; "),
		fmt.Sprintf("the fit of %d arms lies outside [0, 1]", cut)) {
		t.Errorf("%d arms are clipped; notes %q", cut, inst.Notes)
	}
}

func FuzzParseClicks(f *testing.F) {
	f.Add(handLog)
	var b bytes.Buffer
	if _, err := writeClicks(&b, ClickSim{Records: 3}); err != nil {
		f.Fatal(err)
	}
	f.Add(b.String())
	f.Add("1 7 1 |user 1:1e6 2:-1e6 3:1e-300 4:0 5:-0 6:+1 |7 1:1e6 2:-1e6 3:0 4:0 5:0 6:1")
	f.Fuzz(func(t *testing.T, in string) {
		c, err := parseClicks(strings.NewReader(in), "fuzz")
		if err != nil {
			return
		}
		n := c.Counts
		if n.Records < 1 || n.Lines != n.Records+n.Short+n.Click+n.User+n.Missing+n.Article ||
			n.Clicks > n.Records || n.Pairs != len(c.pairs) || n.Pairs > n.Records {
			t.Errorf("counts do not add up: %+v", n)
		}
		if (n.First == "") != (n.Lines == n.Records) {
			t.Errorf("%d lines, %d records, first wrong one %q", n.Lines, n.Records, n.First)
		}
		for i, v := range c.Theta {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("theta %d is %v", i, v)
			}
		}
		if inst, err := (ClickLog{}).Draw(c, 0); err == nil {
			if err := inst.Validate(); err != nil {
				t.Error(err)
			}
		}
	})
}

func ExampleClickLog() {
	// With your copy of Yahoo! R6A: ClickLog{Path: "ydata-fp-td-clicks-v1_0.20090501.gz"}.
	inst, err := ClickLog{}.Instance(0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(inst.Name)
	fmt.Println(inst.Problem.K(), "arms; the best is", inst.Problem.Arm(0))
	fmt.Println(inst.Notes[0])
	// Output:
	// click-through, synthetic #0
	// 40 arms; the best is article 109017, line 40935
	// synthetic: built from a made-up click log, not from Yahoo! R6A
}

// A log is read once for many draws.
func ExampleClickLog_Draw() {
	log := ClickLog{Sigma: 0.5}
	clicks, err := log.Read()
	if err != nil {
		fmt.Println(err)
		return
	}
	for draw := range 2 {
		inst, err := log.Draw(clicks, draw)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(inst.Name, inst.Problem.K(), inst.Problem.H())
	}
	// Output:
	// click-through, synthetic #0 40 25
	// click-through, synthetic #1 40 25
}

// The best pair of a synthetic log is the best of all its records, not of those that are kept.
func TestClickSimBest(t *testing.T) {
	sim := ClickSim{Records: Kept + 60_000, Seed: 2}
	c, err := sim.Clicks()
	if err != nil {
		t.Fatal(err)
	}
	best, kept := math.Inf(-1), math.Inf(-1)
	for i := range c.pairs {
		kept = max(kept, c.pairs[i].mean(c.Theta))
	}
	if err := sim.each(func(v *visit, _ []clickPair) error {
		best = max(best, v.mean(c.Theta))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if got := c.best.mean(c.Theta); got != best || kept >= best {
		t.Errorf("the best pair has %v; the best record has %v", got, best)
	}
}

// So is that of a file: here the only user who clicks is the best, and not kept.
func TestClickLogBest(t *testing.T) {
	p := clickPair{user: clickSideFeatures{1, 0, 1}, article: clickSideFeatures{1}}
	for p.sum() < math.MaxUint64/20*19 { // with a tenth more pairs than are kept, those below .91 stay
		p.user[1]++
	}
	var log bytes.Buffer
	line := func(click int, f clickSideFeatures) {
		fmt.Fprintf(&log, "1 a %d |user 1:%v 2:%v 3:%v 4:0 5:0 6:0 |a 1:1 2:0 3:0 4:0 5:0 6:0\n", click,
			f[0], f[1], f[2])
	}
	line(1, p.user)
	for i := range Kept + Kept/10 {
		line(0, clickSideFeatures{1, float64(i) / Kept})
	}
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, log.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := ClickLog{Path: path}.Read()
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(c.pairs, func(q clickPair) bool { return q.user == p.user }) || !c.sampled {
		t.Fatal("the best pair is kept; want a log in which it is not")
	}
	if c.best.user != p.user {
		t.Errorf("the best user is %v; want the one that clicks, %v", c.best.user, p.user)
	}
}

// What is said of rates that are clipped is the largest amount, wherever it is.
func TestClipRates(t *testing.T) {
	mu := mat.NewDense(5, 1, []float64{-.3, .5, 1.1, 1, 0})
	if cut, outside := clipRates(mu); cut != 2 || math.Abs(outside-.3) > 1e-15 ||
		!mat.Equal(mu, mat.NewDense(5, 1, []float64{0, .5, 1, 1, 0})) {
		t.Errorf("%d by up to %v: %v", cut, outside, mat.Formatted(mu))
	}
}

// Of pairs that are equally good the one that was seen first is the best.
func TestBestIsTheFirst(t *testing.T) {
	c := &Clicks{Theta: make([]float64, clickFeatures)}
	c.Theta[0] = 1
	at := func(x float64, line int) clickPair {
		return clickPair{user: clickSideFeatures{x}, article: clickSideFeatures{1}, line: line}
	}
	c.best = at(.5, 3)
	for _, x := range []struct {
		p    clickPair
		want int
	}{{at(.5, 9), 3}, {at(.4, 10), 3}, {at(.6, 11), 11}, {at(.6, 12), 11}} {
		if c.better(&visit{clickPair: x.p}); c.best.line != x.want {
			t.Errorf("after line %d the best is that of line %d; want %d", x.p.line, c.best.line, x.want)
		}
	}
}

// As many pairs as are asked for are enough.
func TestClickBehind(t *testing.T) {
	c, err := parseClicks(strings.NewReader(handLog), "hand.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, err := ClickLog{Arms: 2}.behind(c)
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	if some, err := (ClickLog{Arms: len(all) + 1}).behind(c); err != nil || len(some) != len(all) {
		t.Errorf("%d of %d: %v", len(some), len(all), err)
	}
	if _, err := (ClickLog{Arms: len(all) + 2}).behind(c); err == nil {
		t.Errorf("%d pairs are enough for %d", len(all), len(all)+1)
	}
}

// Rates of a linear fit are clipped before they are compared: one of 1.3 and one of 1 are the same.
func TestClickBehindClipped(t *testing.T) {
	pair := func(x float64) clickPair { return clickPair{user: clickSideFeatures{x}, article: clickSideFeatures{1}} }
	c := &Clicks{Theta: make([]float64, clickFeatures), pairs: []clickPair{pair(1.3), pair(1), pair(.95), pair(.8), pair(-.2), pair(0)}}
	c.Theta[0], c.best = 1, c.pairs[0]
	got, err := ClickLog{Arms: 2, MinGap: .1}.behind(c)
	if err != nil || !slices.Equal(got, []int{3, 4, 5}) {
		t.Errorf("%v, %v; want the pairs with .8 and below", got, err)
	}
	c.best = c.pairs[5]
	if got, err := (ClickLog{Arms: 2, MinGap: .1}).behind(c); err == nil {
		t.Errorf("%v are behind a best rate of 0", got)
	}
}

// Arms are drawn without replacement.
func TestClickArmsDiffer(t *testing.T) {
	c, err := ClickSim{}.Clicks()
	if err != nil {
		t.Fatal(err)
	}
	others, err := ClickLog{Arms: 40, MinGap: .01}.behind(c)
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Clone(others[:39])
	arms, _, err := ClickLog{Arms: 40}.arms(c, slices.Clone(all), c.span, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range all {
		if !slices.Contains(arms, c.pairs[i]) {
			t.Errorf("39 of 39 pairs are drawn, and pair %d is not among them", i)
		}
	}
}

// Features are six numbers of up to a million, in any order; what is wrong is quoted, its beginning if it is long.
func TestClickFeatures(t *testing.T) {
	for text, want := range map[string]string{
		"1:1 2:2 3:3 4:4 5:5 6:6": "", "\t6:6  5:5 4:4\t3:3 1:1 2:2 ": "", "1:1e6 2:-1e6 3:1e-300 4:+4 5:-0 6:.5": "",
		"1:1 2:2 3:3 4:4 5:5 6:1000001": `feature 6 is "1000001"; want a number between -1e6 and 1e6`, "1:-1.1e6": `feature 1 is "-1.1e6"; want a number`,
		"1:1 7:1": `"7:1" is no feature; want id:value with an id from 1 to 6`, "0:1": `"0:1" is no`, "1:": `"1:" is no`, "1": `"1" is no`, "12:3": `"12:3" is no`,
		"1:1 2:2 2:3": "feature 2 twice", "1:1 2:2 3:3 4:4 5:5": "5 features; want 1 to 6", "": "0 features; want 1 to 6", "1:Inf": `feature 1 is "Inf"`,
		"2:" + strings.Repeat("9", 50): `feature 2 is "` + strings.Repeat("9", 20) + `";`,
	} {
		var f clickSideFeatures
		if got := parseFeatures([]byte(text), &f); got != want && (want == "" || !strings.HasPrefix(got, want)) {
			t.Errorf("%q: %q; want %q", text, got, want)
		}
		if want == "" && (f[5] != 6 && f[5] != .5 || f[0] != 1 && f[0] != 1e6) {
			t.Errorf("%q: %v", text, f)
		}
	}
	if got := (ClickCounts{Records: 3, Clicks: 1, Missing: 1}).String(); got != "3 records, 1 clicks; 1 lines whose displayed article is missing from the pool" {
		t.Error(got)
	}
}

// Arms of a log are called by the articles and lines of their pairs, the best first; a log that is not made up is not called so, and a sample of
// its pairs is. As many arms as dimensions are enough.
func TestDrawOfALog(t *testing.T) {
	c, err := ClickSim{Records: 4000}.Clicks()
	if err != nil {
		t.Fatal(err)
	}
	real := *c
	real.Synthetic, real.sampled = false, true
	for _, x := range []struct {
		c       *Clicks
		name    string
		sampled bool
	}{{c, "click-through, synthetic #3", false}, {&real, "click-through #3", true}} {
		inst, err := ClickLog{Arms: 25, Sigma: .5}.Draw(x.c, 3)
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(inst.Notes, "\n")
		if inst.Name != x.name || inst.Problem.K() != 25 || strings.Contains(notes, "made-up") != x.c.Synthetic ||
			strings.Contains(notes, "arms are drawn from a sample of 100000 distinct pairs") != x.sampled {
			t.Errorf("%s, %d arms: %s", inst.Name, inst.Problem.K(), notes)
		}
		for i, name := range inst.Problem.ArmNames {
			at := slices.IndexFunc(c.pairs, func(p clickPair) bool { return fmt.Sprintf("article %s, line %d", p.id, p.line) == name })
			if at < 0 || i == 0 && c.pairs[at] != c.best || slices.Index(inst.Problem.ArmNames, name) != i {
				t.Fatalf("arm %d is called %q", i, name)
			}
			var y mat.Dense
			x := mat.NewDense(1, clickFeatures, nil)
			c.pairs[at].fill(x.RawRowView(0))
			if y.Mul(x, c.span); !floats.EqualApprox(y.RawRowView(0), inst.Problem.X.RawRowView(i), 1e-12) {
				t.Errorf("arm %d has other features than %s", i, name)
			}
		}
	}
}

// The directions in which a log varies are orthonormal, that of the largest variation first, and each points to where its largest entry is.
func TestDirectionsOfALog(t *testing.T) {
	a := newClickFit(0)
	if err := (ClickSim{Records: 2000, Seed: 4}).each(func(v *visit, _ []clickPair) error {
		v.hash = v.sum()
		a.counts.Lines, a.counts.Records = a.counts.Lines+1, a.counts.Records+1
		a.add(v)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	c, err := a.clicks("log", true)
	if err != nil {
		t.Fatal(err)
	}
	gram, before := mat.NewSymDense(clickFeatures, a.gram), math.Inf(1)
	_, m := c.span.Dims()
	for k := range m {
		v := c.span.ColView(k)
		size := mat.Inner(v, gram, v)
		if col := mat.Col(nil, k, c.span); size > before*(1+1e-9) || floats.Max(col) < -floats.Min(col) {
			t.Errorf("direction %d: variation %v after %v, entries from %v to %v", k, size, before, floats.Min(col), floats.Max(col))
		}
		before = size
		for j := range k + 1 {
			if dot, want := mat.Dot(v, c.span.ColView(j)), map[bool]float64{true: 1}[j == k]; !(math.Abs(dot-want) <= 1e-9) {
				t.Errorf("directions %d and %d: product %v", j, k, dot)
			}
		}
	}
}

// A made-up log has a record at least, and a pool of articles.
func TestClickSimSizes(t *testing.T) {
	for s, want := range map[ClickSim]string{
		{Records: -1}: "ClickSim of -1 records and 50 articles; want at least 1 and 20", {Articles: 19}: "ClickSim of 100000 records and 19 articles; want",
		{Records: 1, Articles: 20}: "", {Records: 60, Articles: 21}: "",
	} {
		shown := map[string]bool{}
		err := s.each(func(v *visit, offer []clickPair) error {
			for _, a := range offer {
				shown[a.id] = true
			}
			if len(offer) != pool || !slices.ContainsFunc(offer, func(a clickPair) bool { return a.id == v.id && a.article == v.article }) {
				t.Errorf("%+v: article %s is not among the %d on offer", s, v.id, len(offer))
			}
			return nil
		})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || err == nil && len(shown) != s.Articles {
			t.Errorf("%+v: %v, %d articles are on offer", s, err, len(shown))
		}
	}
}
