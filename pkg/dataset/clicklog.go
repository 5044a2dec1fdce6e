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
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// ClickLog is the click-through instance of the RAGE paper (Fiez, Jain, Jamieson
// and Ratliff, NeurIPS 2019, section 5): which pair of a user and an article of
// a news page is clicked most often. It is built from a log in the format of
// Yahoo! R6A, which may not be passed on: see data/r6a/README.md for how to get
// a copy. The zero value is built from a synthetic log, of which nothing comes from Yahoo!.
//
// The 40 arms have coordinates in the 25 of 36 dimensions that the log fills: the features of a user sum to 1
// up to the sixth decimal, and so do those of an article.
type ClickLog struct {
	// Path is the file of a log, compressed if its name ends in .gz. Empty means
	// the synthetic log.
	Path string
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

// kept is the largest number of distinct pairs of a user and an article that
// are kept of a log. Those with the smallest hashes are kept where there are
// more: a uniform sample of the distinct pairs, whatever their order.
const kept = 100_000

// Clicks is what is kept of a click log: its least-squares fit and its distinct
// pairs of a user and an article.
type Clicks struct {
	name      string
	synthetic bool // the log was made up
	counts    clickCounts
	// theta is the regularised least-squares fit (X'X + 0.01 I)^-1 X'y to all
	// records, 36 numbers. Number 6 i + j belongs to the product of features i of
	// the user and j of the article, both in order of their ids.
	theta []float64

	pairs   []clickPair // ascending by hash
	sampled bool        // there are more
	best    clickPair   // with the largest product with theta, of all records
	span    *mat.Dense  // 36 x m, orthonormal: where the log varies
}

// clickCounts counts the lines of a click log. Lines that are not records are
// left out.
type clickCounts struct {
	lines   int // but empty ones and comments, which start with #
	records int
	clicks  int    // among the records
	first   string // where the first line is that is no record, and what is wrong
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
// kept distinct pairs is read twice: the best pair is that of all records.
func (l ClickLog) Read() (*Clicks, error) {
	name, read := "synthetic", eachVisit
	if l.Path != "" {
		name, read = filepath.Base(l.Path), l.scan
	}
	a := newClickFit(kept)
	if err := read(a.add, &a.clickCounts); err != nil {
		return nil, err
	}
	c, err := a.fit(name)
	if err != nil {
		return nil, err
	}
	if c.synthetic = l.Path == ""; c.sampled {
		err = read(c.better, new(clickCounts))
	}
	return c, err
}

// scan calls visits for each record of the file.
func (l ClickLog) scan(visits func(*visit), c *clickCounts) error {
	name := filepath.Base(l.Path)
	f, err := os.Open(l.Path)
	if err != nil {
		return fmt.Errorf("dataset: click log: %w", err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(l.Path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return fmt.Errorf("dataset: click log %s: %w; its name says that it is compressed", name, err)
		}
	}
	return scanClicks(r, name, visits, c)
}

// better makes the pair of v the best one if it is.
func (c *Clicks) better(v *visit) {
	if v.mean(c.theta) > c.best.mean(c.theta) {
		c.best = v.clickPair
	}
}

// longest is the length of the longest line that is read, in bytes. Lines of
// R6A have about two thousand.
const longest = 1 << 20

// scanClicks calls visits for each record and counts lines. The visit is
// overwritten by the next.
func scanClicks(r io.Reader, name string, visits func(*visit), c *clickCounts) error {
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
			return fmt.Errorf("dataset: click log %s:%d: %w", name, number, err)
		}
		text := bytes.TrimSpace(line)
		switch {
		case bytes.HasPrefix(text, []byte("#")):
		case len(text) > 0 || long:
			c.lines++
			what := "longer than 1 MB"
			var id []byte
			if !long {
				id, what = parseVisit(text, &v)
			}
			if what != "" {
				if c.first == "" {
					c.first = fmt.Sprintf("%s:%d: %s", name, number, what)
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
			c.add(&v)
			visits(&v)
		}
		if err == io.EOF {
			return nil
		}
	}
}

// add counts a record.
func (c *clickCounts) add(v *visit) {
	c.records++
	if v.clicked {
		c.clicks++
	}
}

// parseVisit parses a line into v and returns the id of the displayed article.
// If the line is no record it says what is wrong. Only
// the user and the displayed article are looked at: the rest of the pool does
// not matter.
func parseVisit(line []byte, v *visit) (id []byte, what string) {
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
		return nil, fmt.Sprintf("%d fields before the first |; want a time, "+
			"the displayed article, and 0 or 1", n)
	}
	id = fields[1]
	switch string(fields[2]) {
	case "0":
		v.clicked = false
	case "1":
		v.clicked = true
	default:
		return nil, fmt.Sprintf("click is %q; want 0 or 1", clipped(fields[2]))
	}
	block, rest, _ := bytes.Cut(rest, []byte("|"))
	side, block := cutField(block)
	if string(side) != "user" {
		return nil, fmt.Sprintf("the first block is %q; want user", clipped(side))
	}
	if what := parseFeatures(block, &v.user); what != "" {
		return nil, "user: " + what
	}
	for len(rest) > 0 {
		block, rest, _ = bytes.Cut(rest, []byte("|"))
		name, block := cutField(block)
		if !bytes.Equal(name, id) {
			continue
		}
		if what := parseFeatures(block, &v.article); what != "" {
			return nil, fmt.Sprintf("article %s: %s", clipped(id), what)
		}
		return id, ""
	}
	return nil, fmt.Sprintf("the displayed article %s is not in the pool", clipped(id))
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
