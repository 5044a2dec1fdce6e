package dataset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// ClickLog is the click-through instance of the RAGE paper (Fiez, Jain, Jamieson
// and Ratliff, NeurIPS 2019, section 5): which pair of a user and an article of
// a news page is clicked most often. It is built from a log in the format of
// Yahoo! R6A, which may not be passed on: see data/r6a/README.md for how to get
// a copy. The zero value is built from a synthetic log (see ClickSim).
type ClickLog struct {
	// Path is the file of a log, compressed if its name ends in .gz. Empty means
	// the synthetic log.
	Path string
	// Sigma is the sub-Gaussian scale that policies are told. Zero means 1, the
	// paper's; rewards are 0 or 1, for which 0.5 holds.
	Sigma float64
	// Arms is the number of arms. Zero means 40.
	Arms int
	// MinGap is how far below the best arm the others are at least, in clicks per
	// view. Zero means 0.01.
	MinGap float64
	// Full keeps all 36 features, as the paper does. By default directions in
	// which the log varies by no more than the rounding of its numbers are left
	// out: the features of a user sum to 1 up to the sixth decimal, and so do
	// those of an article, so that 25 of 36 dimensions are filled.
	Full bool
}

// Sizes of the model.
const (
	clickSide     = 6                     // features of a user, and of an article
	clickFeatures = clickSide * clickSide // features of a pair
)

// clickRidge is the regularisation of the paper.
const clickRidge = 0.01

// rounding is the variation of features, relative to the largest, below which
// it is that of numbers with six decimals.
const rounding = 1e-4

// Kept is the largest number of distinct pairs of a user and an article that
// are kept of a log. Those with the smallest hashes are kept where there are
// more: a uniform sample of the distinct pairs, whatever their order.
const Kept = 100_000

// Clicks is what is kept of a click log: its least-squares fit and its distinct
// pairs of a user and an article.
type Clicks struct {
	// Name says which log this is.
	Name string
	// Synthetic says that the log was made up.
	Synthetic bool
	// Counts of its lines.
	Counts ClickCounts
	// Theta is the regularised least-squares fit (X'X + 0.01 I)^-1 X'y to all
	// records, 36 numbers. Number 6 i + j belongs to the product of features i of
	// the user and j of the article, both in order of their ids.
	Theta []float64

	pairs   []clickPair // ascending by hash
	sampled bool        // there are more
	best    clickPair   // with the largest product with Theta, of all records
	span    *mat.Dense  // 36 x m, orthonormal: where the log varies
}

// ClickCounts counts the lines of a click log. Lines that are not records are
// left out.
type ClickCounts struct {
	Lines   int // but empty ones and comments, which start with #
	Records int
	Clicks  int // among the records
	Pairs   int // distinct ones of a user and an article that are kept

	// Lines that are not records, by what is wrong first.
	Short   int // fewer than three fields and a user, or longer than 1 MB
	Click   int // neither clicked (1) nor not (0)
	User    int // the user does not have features 1 to 6, once each, finite
	Missing int // the displayed article is not in the pool
	Article int // the displayed article does not have features 1 to 6
	// First says where the first of them is, and what is wrong.
	First string
}

// skipped returns the number of lines that are not records.
func (c *ClickCounts) skipped() int { return c.Lines - c.Records }

// String returns the counts in words.
func (c ClickCounts) String() string {
	s := fmt.Sprintf("%d records, %d clicks", c.Records, c.Clicks)
	for _, k := range []struct {
		n    int
		what string
	}{
		{c.Short, "incomplete"}, {c.Click, "without 0 or 1 for the click"},
		{c.User, "with a malformed user"},
		{c.Missing, "whose displayed article is missing from the pool"},
		{c.Article, "with a malformed article"},
	} {
		if k.n > 0 {
			s += fmt.Sprintf("; %d lines %s", k.n, k.what)
		}
	}
	return s
}

type clickSideFeatures = [clickSide]float64

// A clickPair is a user and an article, as first seen.
type clickPair struct {
	user, article clickSideFeatures
	hash          uint64
	id            string // of the article
	line          int
}

// A visit is one record.
type visit struct {
	clickPair
	clicked bool
}

// fill stores the 36 features of the pair in dst: products of the features of
// the user, the slower index, and of the article.
func (p *clickPair) fill(dst []float64) {
	for i, u := range p.user {
		for j, a := range p.article {
			dst[clickSide*i+j] = u * a
		}
	}
}

// mean returns the product of the features of the pair and theta.
func (p *clickPair) mean(theta []float64) float64 {
	var s float64
	for i, u := range p.user {
		for j, a := range p.article {
			s += u * a * theta[clickSide*i+j]
		}
	}
	return s
}

// sum hashes the features: FNV-1a over their bits, mixed at the end so that
// order by hash is random.
func (p *clickPair) sum() uint64 {
	h := uint64(14695981039346656037)
	var b [8]byte
	for _, side := range [2]*clickSideFeatures{&p.user, &p.article} {
		for _, v := range side {
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
			for _, c := range b {
				h = (h ^ uint64(c)) * 1099511628211
			}
		}
	}
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// Read reads the log, all of it but one line at a time. A log with more than
// Kept distinct pairs is read twice: the best pair is that of all records.
func (l ClickLog) Read() (*Clicks, error) {
	if l.Path == "" {
		return ClickSim{}.Clicks()
	}
	name := filepath.Base(l.Path)
	read := func(visits func(*visit), c *ClickCounts) (synthetic bool, err error) {
		f, err := os.Open(l.Path)
		if err != nil {
			return false, fmt.Errorf("dataset: click log: %w", err)
		}
		defer f.Close()
		var r io.Reader = f
		if strings.HasSuffix(l.Path, ".gz") {
			z, err := gzip.NewReader(f)
			if err != nil {
				return false, fmt.Errorf("dataset: click log %s: %w; "+
					"its name says that it is compressed", name, err)
			}
			r = z
		}
		return scanClicks(r, name, visits, c)
	}
	a := newClickFit()
	synthetic, err := read(a.add, &a.counts)
	if err != nil {
		return nil, err
	}
	c, err := a.clicks(name, synthetic)
	if err != nil || !a.full {
		return c, err
	}
	_, err = read(c.better, new(ClickCounts))
	return c, err
}

// better makes the pair of v the best one if it is.
func (c *Clicks) better(v *visit) {
	if v.mean(c.Theta) > c.best.mean(c.Theta) {
		c.best = v.clickPair
	}
}

// ParseClicks reads a log from r, called name in errors. The best pair is that
// of the distinct pairs kept.
func ParseClicks(r io.Reader, name string) (*Clicks, error) {
	a := newClickFit()
	synthetic, err := scanClicks(r, name, a.add, &a.counts)
	if err != nil {
		return nil, err
	}
	return a.clicks(name, synthetic)
}

// longest is the length of the longest line that is read, in bytes. Lines of
// R6A have about two thousand.
const longest = 1 << 20

// scanClicks calls visits for each record and counts lines. The visit is
// overwritten by the next.
func scanClicks(r io.Reader, name string, visits func(*visit),
	c *ClickCounts) (synthetic bool, err error) {
	br := bufio.NewReaderSize(r, longest)
	ids := map[string]string{} // one string an article
	var v visit
	for number := 1; ; number++ {
		line, err := br.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = br.ReadSlice('\n')
		}
		if err != nil && err != io.EOF {
			return synthetic, fmt.Errorf("dataset: click log %s:%d: %w", name, number, err)
		}
		text := bytes.TrimSpace(line)
		switch {
		case bytes.HasPrefix(text, []byte("#")):
			synthetic = synthetic || bytes.Contains(text, []byte("synthetic"))
		case len(text) > 0 || long:
			c.Lines++
			kind, what := &c.Short, "longer than 1 MB"
			var id []byte
			if !long {
				id, kind, what = parseVisit(text, &v, c)
			}
			if what != "" {
				*kind++
				if c.First == "" {
					c.First = fmt.Sprintf("%s:%d: %s", name, number, what)
				}
				break
			}
			if s, ok := ids[string(id)]; ok {
				v.id = s
			} else {
				v.id = string(id)
				ids[v.id] = v.id
			}
			v.line, v.hash = number, v.sum()
			c.Records++
			if v.clicked {
				c.Clicks++
			}
			visits(&v)
		}
		if err == io.EOF {
			break
		}
	}
	return synthetic, nil
}

// parseVisit parses a line into v and returns the id of the displayed article.
// If the line is no record it says what is wrong, and which count that is. Only
// the user and the displayed article are looked at: the rest of the pool does
// not matter.
func parseVisit(line []byte, v *visit, c *ClickCounts) (id []byte, kind *int, what string) {
	head, rest, ok := bytes.Cut(line, []byte("|"))
	var fields [3][]byte
	n := 0
	for f := range bytes.FieldsSeq(head) {
		if n < len(fields) {
			fields[n] = f
		}
		n++
	}
	if !ok || n != len(fields) {
		return nil, &c.Short, fmt.Sprintf("%d fields before the first |; want a time, "+
			"the displayed article, and 0 or 1", n)
	}
	id = fields[1]
	switch string(fields[2]) {
	case "0":
		v.clicked = false
	case "1":
		v.clicked = true
	default:
		return nil, &c.Click, fmt.Sprintf("click is %q; want 0 or 1", clipped(fields[2]))
	}
	block, rest, _ := bytes.Cut(rest, []byte("|"))
	side, block := cutField(block)
	if string(side) != "user" {
		return nil, &c.User, fmt.Sprintf("the first block is %q; want user", clipped(side))
	}
	if what := parseFeatures(block, &v.user); what != "" {
		return nil, &c.User, "user: " + what
	}
	for len(rest) > 0 {
		block, rest, _ = bytes.Cut(rest, []byte("|"))
		name, block := cutField(block)
		if !bytes.Equal(name, id) {
			continue
		}
		if what := parseFeatures(block, &v.article); what != "" {
			return nil, &c.Article, fmt.Sprintf("article %s: %s", clipped(id), what)
		}
		return id, nil, ""
	}
	return nil, &c.Missing, fmt.Sprintf("the displayed article %s is not in the pool", clipped(id))
}

// clipped returns the beginning of a field, for messages.
func clipped(b []byte) []byte { return b[:min(len(b), 20)] }

// cutField splits off the first field.
func cutField(b []byte) (field, rest []byte) {
	b = bytes.TrimLeft(b, " \t")
	if i := bytes.IndexAny(b, " \t"); i >= 0 {
		return b[:i], b[i:]
	}
	return b, nil
}

// parseFeatures parses "id:value" for ids 1 to 6, in any order, and says what is
// wrong.
func parseFeatures(b []byte, f *clickSideFeatures) (what string) {
	var seen [clickSide]bool
	n := 0
	for {
		var field []byte
		if field, b = cutField(b); len(field) == 0 {
			break
		}
		if len(field) < 3 || field[1] != ':' || field[0] < '1' || field[0] > '0'+clickSide {
			return fmt.Sprintf("%q is no feature; want id:value with an id from 1 to 6",
				clipped(field))
		}
		i := int(field[0] - '1')
		if seen[i] {
			return fmt.Sprintf("feature %d twice", i+1)
		}
		x, err := strconv.ParseFloat(string(field[2:]), 64)
		// Features are shares and a constant 1; squares must not overflow.
		if err != nil || math.IsNaN(x) || math.Abs(x) > 1e6 {
			return fmt.Sprintf("feature %d is %q; want a number between -1e6 and 1e6", i+1,
				clipped(field[2:]))
		}
		seen[i] = true
		f[i] = x + 0 // not -0, which is the same pair
		n++
	}
	if n != clickSide {
		return fmt.Sprintf("%d features; want 1 to 6", n)
	}
	return ""
}

// A clickFit accumulates a log.
type clickFit struct {
	counts ClickCounts
	gram   []float64 // X'X, upper triangle of 36 x 36
	xy     []float64 // X'y
	row    []float64
	pairs  map[[2 * clickSide]float64]bool
	heap   []clickPair // largest hash first
	limit  int         // of distinct pairs
	full   bool        // some were left out
}

func newClickFit() *clickFit {
	return &clickFit{
		gram: make([]float64, clickFeatures*clickFeatures), xy: make([]float64, clickFeatures),
		row: make([]float64, clickFeatures), pairs: map[[2 * clickSide]float64]bool{}, limit: Kept,
	}
}

func (p *clickPair) key() (k [2 * clickSide]float64) {
	copy(k[:], p.user[:])
	copy(k[clickSide:], p.article[:])
	return k
}

// add adds a record.
func (a *clickFit) add(v *visit) {
	v.fill(a.row)
	for i, x := range a.row {
		floats.AddScaled(a.gram[clickFeatures*i+i:clickFeatures*(i+1)], x, a.row[i:])
	}
	if v.clicked {
		floats.Add(a.xy, a.row)
	}
	if a.full && v.hash >= a.heap[0].hash {
		return
	}
	k := v.key()
	if a.pairs[k] {
		return
	}
	a.pairs[k] = true
	if len(a.heap) < a.limit {
		a.heap = append(a.heap, v.clickPair)
		for i := len(a.heap) - 1; i > 0 && a.heap[i].hash > a.heap[(i-1)/2].hash; i = (i - 1) / 2 {
			a.heap[i], a.heap[(i-1)/2] = a.heap[(i-1)/2], a.heap[i]
		}
		return
	}
	a.full = true
	if v.hash >= a.heap[0].hash {
		delete(a.pairs, k)
		return
	}
	delete(a.pairs, a.heap[0].key())
	a.heap[0] = v.clickPair
	for i := 0; ; {
		l := 2*i + 1
		if l+1 < len(a.heap) && a.heap[l+1].hash > a.heap[l].hash {
			l++
		}
		if l >= len(a.heap) || a.heap[l].hash <= a.heap[i].hash {
			break
		}
		a.heap[i], a.heap[l] = a.heap[l], a.heap[i]
		i = l
	}
}

// clicks fits what was accumulated.
func (a *clickFit) clicks(name string, synthetic bool) (*Clicks, error) {
	n := &a.counts
	if n.Records == 0 {
		if n.Lines == 0 {
			return nil, fmt.Errorf("dataset: click log %s is empty", name)
		}
		return nil, fmt.Errorf("dataset: click log %s has no records in %d lines; "+
			"the first is wrong at %s", name, n.Lines, n.First)
	}
	if n.skipped() > n.Records {
		return nil, fmt.Errorf("dataset: click log %s: %d of %d lines are no records; "+
			"is the file in the format of R6A? The first is wrong at %s",
			name, n.skipped(), n.Lines, n.First)
	}
	n.Pairs = len(a.heap)
	gram := mat.NewSymDense(clickFeatures, a.gram)
	ridge := mat.NewSymDense(clickFeatures, nil)
	ridge.CopySym(gram)
	for i := range clickFeatures {
		ridge.SetSym(i, i, gram.At(i, i)+clickRidge)
	}
	var chol mat.Cholesky
	if !chol.Factorize(ridge) {
		return nil, fmt.Errorf("dataset: click log %s: the features are too large or too unequal "+
			"in size to fit", name)
	}
	c := &Clicks{Name: name, Synthetic: synthetic, Counts: *n,
		Theta: make([]float64, clickFeatures), pairs: a.heap, sampled: a.full}
	if err := chol.SolveVecTo(mat.NewVecDense(clickFeatures, c.Theta),
		mat.NewVecDense(clickFeatures, a.xy)); err != nil {
		var cond mat.Condition
		if !errors.As(err, &cond) { // ridge regression is meant for this
			return nil, fmt.Errorf("dataset: click log %s: %w", name, err)
		}
	}
	slices.SortFunc(c.pairs, func(a, b clickPair) int {
		if a.hash != b.hash {
			if a.hash < b.hash {
				return -1
			}
			return 1
		}
		return a.line - b.line
	})
	most := math.Inf(-1)
	for i := range c.pairs {
		if m := c.pairs[i].mean(c.Theta); m > most {
			most, c.best = m, c.pairs[i]
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(gram, true) {
		return nil, fmt.Errorf("dataset: click log %s: the eigenvalues of X'X did not converge",
			name)
	}
	c.span = varying(&eigen)
	return c, nil
}

// varying returns the eigenvectors whose eigenvalues are not those of rounding,
// largest first; the largest entry of each is positive.
func varying(e *mat.EigenSym) *mat.Dense {
	values := e.Values(nil)
	var v mat.Dense
	e.VectorsTo(&v)
	most := values[len(values)-1]
	m := 0
	for _, l := range values {
		if l > rounding*rounding*most {
			m++
		}
	}
	if m == 0 {
		return nil
	}
	s := mat.NewDense(clickFeatures, m, nil)
	for c := range m {
		col := mat.Col(nil, clickFeatures-1-c, &v)
		if floats.Max(col) < -floats.Min(col) {
			floats.Scale(-1, col)
		}
		s.SetCol(c, col)
	}
	return s
}
