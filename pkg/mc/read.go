package mc

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/internal/jsonl"
)

// Read reads files that Stream has written, such as the shards of one study,
// and returns their rows together, in the order (replicate, cell), as Run would
// return them. Files that are still being written can be read.
//
// Files of different grids are refused (ErrGrid), and so is a line that was
// changed after it was written, and a replicate of which two files hold
// different rows (ErrRows). What is odd but harmless is told in
// Header.Warnings: a row that is there twice (it is kept once), an unfinished
// last line (it is left out), a shard, a cell or a replicate that is missing, files
// that other code has written than the first.
// If all shards are there, the Shard of the header is empty.
func Read(paths ...string) ([]Row, Header, error) {
	if len(paths) == 0 {
		return nil, Header{}, errors.New("mc: read: no files")
	}
	var (
		m     merger
		parts []Shard
	)
	for _, path := range paths {
		h, err := m.read(path)
		if err != nil {
			return nil, Header{}, err
		}
		part, err := ParseShard(h.Shard)
		if err != nil {
			return nil, Header{}, fmt.Errorf("mc: %s:1: %w", path, err)
		}
		parts = append(parts, part)
	}
	m.sort()
	h := m.header
	h.Warnings = m.warnings
	if m.twice > 0 {
		h.Warnings = append(h.Warnings, fmt.Errorf("mc: %d rows are there twice, and kept once",
			m.twice))
	}
	missing := missingShards(parts)
	if len(missing) > 0 {
		h.Warnings = append(h.Warnings,
			fmt.Errorf("mc: missing shards: %s", strings.Join(missing, ", ")))
	}
	h.Shard = ""
	if len(missing) > 0 && len(paths) == 1 {
		h.Shard = parts[0].String()
	}
	own := Shard{}
	if len(paths) == 1 {
		own = parts[0]
	}
	h.Warnings = append(h.Warnings, m.gaps(own)...)
	return m.rows, h, nil
}

// A merger collects rows of several files.
type merger struct {
	header   Header
	first    string // path of the file that header is from
	index    map[Key]int
	rows     []Row
	at       map[place]int // where in rows, and in where
	where    []string      // path:line of each row
	twice    int
	warnings []error
}

// A place is a replicate of a cell.
type place struct{ cell, rep int }

// read adds the rows of the file at path.
func (m *merger) read(path string) (Header, error) {
	fh, err := os.Open(path)
	if err != nil {
		return Header{}, fmt.Errorf("mc: %w", err)
	}
	defer fh.Close()
	var h Header
	size, err := jsonl.Scan(fh, func(n int, line []byte) error {
		var err error
		if n == 1 {
			if err = decodeHeader(line, &h); err == nil {
				err = m.accept(&h, path)
			}
		} else {
			var r Row
			if err = decodeRow(line, &r); err == nil {
				err = m.add(&r, fmt.Sprintf("%s:%d", path, n))
			}
		}
		if err != nil {
			return fmt.Errorf("mc: %s:%d: %w", path, n, err)
		}
		return nil
	})
	if err != nil {
		return Header{}, err
	}
	if h.Format == "" {
		return Header{}, fmt.Errorf(
			"mc: %s:1: %w: it has no complete line; not a file of rows, or killed at "+
				"its start", path, ErrRows)
	}
	if info, err := fh.Stat(); err == nil && info.Size() > size {
		m.warnings = append(m.warnings, fmt.Errorf("mc: %s: the last line is unfinished and left "+
			"out; run the study again to complete the file", path))
	}
	return h, nil
}

// accept checks that h belongs to the files before.
func (m *merger) accept(h *Header, path string) error {
	if m.index == nil {
		if h.Version != Version {
			return fmt.Errorf("%w: version is %d, this program reads %d", ErrRows, h.Version,
				Version)
		}
		m.header, m.first = *h, path
		m.index = make(map[Key]int, len(h.Cells))
		m.at = make(map[place]int)
		for i := range h.Cells {
			m.index[h.Cells[i].Key()] = i
		}
		return nil
	}
	if what := h.differ(&m.header); what != "" {
		return fmt.Errorf("%w than %s: its %s (the latter file being \"here\"); read them apart",
			ErrGrid, m.first, what)
	}
	if h.Code != m.header.Code {
		m.warnings = append(m.warnings, fmt.Errorf("mc: %s was written by %s, and %s by %s: rows "+
			"may differ for that; run both with one version", path, codeName(h.Code), m.first,
			codeName(m.header.Code)))
	}
	return nil
}

// add adds r, which stands at where.
func (m *merger) add(r *Row, where string) error {
	i, err := m.header.check(m.index, r)
	if err != nil {
		return err
	}
	at := place{i, r.Rep}
	if j, dup := m.at[at]; dup {
		if !reflect.DeepEqual(*r, m.rows[j]) {
			return fmt.Errorf("%w: replicate %d of %v differs from the one at %s, although the "+
				"seed is the same: the rows come from different code, or one was forged; run the "+
				"study again with one version",
				ErrRows, r.Rep, r.Key(), m.where[j])
		}
		m.twice++
		return nil
	}
	m.at[at] = len(m.rows)
	m.rows = append(m.rows, *r)
	m.where = append(m.where, where)
	return nil
}

// sort puts the rows into the order (replicate, cell). It ends the use of at
// and where.
func (m *merger) sort() {
	m.at, m.where = nil, nil
	slices.SortFunc(m.rows, func(a, b Row) int {
		if c := cmp.Compare(a.Rep, b.Rep); c != 0 {
			return c
		}
		return cmp.Compare(m.index[a.Key()], m.index[b.Key()])
	})
}

// gaps returns a warning for each cell that lacks replicates of shard own below
// the last one that it has.
func (m *merger) gaps(own Shard) []error {
	reps := make([][]int, len(m.header.Cells))
	for i := range m.rows {
		c := m.index[m.rows[i].Key()]
		reps[c] = append(reps[c], m.rows[i].Rep)
	}
	var warnings []error
	for c, have := range reps {
		k := m.header.Cells[c].Key()
		if len(have) == 0 {
			warnings = append(warnings, fmt.Errorf("mc: %v has no replicates", k))
			continue
		}
		var lacks []string
		n, next := 0, own.first()
		for _, rep := range have { // ascending
			for ; next < rep; next += own.step() {
				if n++; n <= 5 {
					lacks = append(lacks, fmt.Sprint(next))
				}
			}
			next = rep + own.step()
		}
		if n > 5 {
			lacks = append(lacks, "...")
		}
		if n > 0 {
			warnings = append(warnings, fmt.Errorf("mc: %v lacks %d replicates below its last: %s",
				k, n, strings.Join(lacks, ", ")))
		}
	}
	return warnings
}

// missingShards returns the shards that are needed besides parts, if all parts
// are of one division.
func missingShards(parts []Shard) []string {
	n := parts[0].N
	have := make(map[int]bool)
	for _, s := range parts {
		if s.N == 0 || s.N != n {
			return nil
		}
		have[s.I] = true
	}
	var missing []string
	for i := 1; i <= n; i++ {
		if !have[i] {
			missing = append(missing, Shard{i, n}.String())
		}
	}
	return missing
}
