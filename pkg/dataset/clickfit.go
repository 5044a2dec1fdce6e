package dataset

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// clickFit accumulates the records of a click log.
type clickFit struct {
	records, bad int
	first        string // location of the first invalid line, and the error

	gram  []float64 // upper triangle of the 36 x 36 matrix X'X
	xy    []float64 // X'y
	row   []float64
	pairs map[[2 * clickSide]float64]clickPair
	limit int    // largest number of distinct pairs to keep; up to twice as many are stored while reading
	most  uint64 // largest hash that is still accepted
	full  bool   // whether pairs were left out
}

// newClickFit returns a clickFit that keeps at most limit distinct pairs.
func newClickFit(limit int) *clickFit {
	return &clickFit{
		gram: make([]float64, clickFeatures*clickFeatures), xy: make([]float64, clickFeatures),
		row: make([]float64, clickFeatures), pairs: make(map[[2 * clickSide]float64]clickPair, limit), limit: limit,
		most: math.MaxUint64,
	}
}

func (p *clickPair) key() (k [2 * clickSide]float64) {
	copy(k[:], p.user[:])
	copy(k[clickSide:], p.article[:])
	return k
}

func (a *clickFit) add(v *visit) {
	a.records++
	v.hash = v.sum()
	v.fill(a.row)
	for i, x := range a.row {
		floats.AddScaled(a.gram[clickFeatures*i+i:clickFeatures*(i+1)], x, a.row[i:])
	}
	if v.clicked {
		floats.Add(a.xy, a.row)
	}
	k := v.key()
	if _, ok := a.pairs[k]; ok || v.hash > a.most {
		return
	}
	p := v.clickPair
	p.id = strings.Clone(p.id) // store a copy, so that the whole line need not be kept
	a.pairs[k] = p
	if len(a.pairs) > 2*a.limit {
		a.smallest()
	}
}

// smallest keeps the pairs whose hashes are smallest, and returns the kept pairs sorted by hash.
func (a *clickFit) smallest() []clickPair {
	all := slices.SortedFunc(maps.Values(a.pairs), func(a, b clickPair) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), a.line-b.line)
	})
	if len(all) > a.limit {
		for _, p := range all[a.limit:] {
			delete(a.pairs, p.key())
		}
		all, a.full = all[:a.limit], true
		a.most = all[len(all)-1].hash
	}
	return all
}

func (a *clickFit) fit(name string) (*Clicks, error) {
	fail := func(format string, args ...any) (*Clicks, error) {
		return nil, fmt.Errorf("dataset: click log %s: %w", name, fmt.Errorf(format, args...))
	}
	if a.records == 0 || a.bad > a.records {
		return fail("%d of %d lines are not R6A records; use a file in R6A format; the first error is at %s",
			a.bad, a.bad+a.records, cmp.Or(a.first, "its end"))
	}
	gram := mat.NewSymDense(clickFeatures, a.gram)
	ridge := mat.NewSymDense(clickFeatures, nil)
	ridge.CopySym(gram)
	for i := range clickFeatures {
		ridge.SetSym(i, i, gram.At(i, i)+clickRidge)
	}
	var chol mat.Cholesky
	if !chol.Factorize(ridge) {
		return fail("the features are too large, or differ too much in scale, to fit; rescale the features")
	}
	c := &Clicks{name: name, records: a.records, theta: make([]float64, clickFeatures), pairs: a.smallest()}
	c.sampled = a.full
	if err := chol.SolveVecTo(mat.NewVecDense(clickFeatures, c.theta),
		mat.NewVecDense(clickFeatures, a.xy)); err != nil {
		var cond mat.Condition
		if !errors.As(err, &cond) { // ridge regression tolerates an ill-conditioned matrix
			return fail("%w", err)
		}
	}
	c.best = slices.MaxFunc(c.pairs, func(p, q clickPair) int {
		return cmp.Compare(p.mean(c.theta), q.mean(c.theta))
	})
	var eigen mat.EigenSym
	if !eigen.Factorize(gram, true) {
		return fail("the eigenvalues of X'X did not converge; rescale the features")
	}
	c.span = varying(&eigen)
	return c, nil
}

// varying returns those eigenvectors whose eigenvalues exceed rounding errors, in descending order
// of eigenvalue. The sign of each eigenvector is such that its entry with the largest absolute
// value is positive.
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

func (a *clickFit) readFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if !strings.HasSuffix(path, ".gz") {
		return a.read(f, filepath.Base(path))
	}
	r, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w; compress the file, or remove the ending .gz", filepath.Base(path), err)
	}
	return a.read(r, filepath.Base(path))
}

// read adds the records in r to the fit; it skips empty lines and comments, which start with #.
func (a *clickFit) read(r io.Reader, name string) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20) // a line of the log R6A has about 2,000 bytes
	v := visit{}
	for v.line = 1; lines.Scan(); v.line++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		if err := v.parse(text); err == nil {
			a.add(&v)
		} else {
			a.bad++
			a.first = cmp.Or(a.first, fmt.Sprintf("%s:%d: %v", name, v.line, err))
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", name, v.line, err)
	}
	return nil
}

// parse reads the features of the user and of the displayed article from a line of the log. parse
// ignores the other articles of the pool.
func (v *visit) parse(line string) error {
	blocks := strings.Split(line, "|")
	head := strings.Fields(blocks[0])
	if len(blocks) < 2 || len(head) != 3 {
		return fmt.Errorf("%d fields before the first |; expected a time, the displayed article, and 0 or 1", len(head))
	}
	if v.id, v.clicked = head[1], head[2] == "1"; !v.clicked && head[2] != "0" {
		return fmt.Errorf("click is %.20q; expected 0 or 1", head[2])
	}
	name, user, _ := strings.Cut(strings.TrimSpace(blocks[1]), " ")
	if name != "user" {
		return fmt.Errorf("the first block is %.20q; expected user", name)
	}
	if err := v.user.parse(user); err != nil {
		return fmt.Errorf("user: %w", err)
	}
	for _, block := range blocks[2:] {
		if name, article, _ := strings.Cut(strings.TrimSpace(block), " "); name == v.id {
			if err := v.article.parse(article); err != nil {
				return fmt.Errorf("article %.20s: %w", v.id, err)
			}
			return nil
		}
	}
	return fmt.Errorf("the pool lacks the displayed article %.20s; correct the line", v.id)
}

// parse accepts features of the form "id:value" with ids 1 to 6, in any order.
func (f *clickSideFeatures) parse(text string) error {
	var seen [clickSide]bool
	fields := strings.Fields(text)
	for _, field := range fields {
		id, value, _ := strings.Cut(field, ":")
		i, err := strconv.Atoi(id)
		if err != nil || value == "" || i < 1 || i > clickSide {
			return fmt.Errorf("%.20q is not a feature; expected id:value with an id from 1 to 6", field)
		}
		if seen[i-1] {
			return fmt.Errorf("feature %d occurs twice; expected each feature once", i)
		}
		x, err := strconv.ParseFloat(value, 64)
		// Features are a constant 1 and shares. The limit only rejects numbers whose squares could
		// overflow.
		if err != nil || math.IsNaN(x) || math.Abs(x) > 1e6 {
			return fmt.Errorf("feature %d is %.20q; expected a number between -1e6 and 1e6", i, value)
		}
		seen[i-1], f[i-1] = true, x+0 // adding 0 turns -0 into 0, so that equal pairs have the same key
	}
	if len(fields) != clickSide {
		return fmt.Errorf("%d features; expected 6, with the ids 1 to 6", len(fields))
	}
	return nil
}
