package mc

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/internal/jsonl"
)

// Read reads files written by Stream, such as the shards of a study, and returns their rows in the
// same order as Run. Read can also read files that are still being written, and files compressed by
// Pack, whose names end in ".zst".
//
// If the files belong to different grids, the error wraps ErrGrid. If a line was changed after it
// was written, or if two files have different rows for the same replicate, the error wraps ErrRows.
// Header.Warnings reports harmless irregularities: duplicate rows (kept once), an unfinished last
// line (omitted), missing shards, cells or replicates, and files written by different versions of
// the code. If a single file is read and it is one of several shards, the returned header has the
// Shard of the file; otherwise, this Shard is empty.
func Read(paths ...string) ([]Row, Header, error) {
	if len(paths) == 0 {
		return nil, Header{}, errors.New("mc: Read: no files are given; name at least one file of rows")
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
	rows := m.sorted()
	h := m.header
	h.Warnings = m.warnings
	if m.twice > 0 {
		h.Warnings = append(h.Warnings, fmt.Errorf("mc: %d rows occur twice; Read returns each row once", m.twice))
	}
	missing := missingShards(parts)
	if len(missing) > 0 {
		h.Warnings = append(h.Warnings, fmt.Errorf("mc: missing shards: %s; run them", strings.Join(missing, ", ")))
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
	return rows, h, nil
}

// merger merges the rows of several files.
type merger struct {
	header  Header
	first   string // path of the file whose header was read first
	known   *checker
	decoder decoder
	rows    []Row         // rows in the order of reading
	where   []spot        // cell and position in the file of each row
	seen    []map[int]int // for each cell, row numbers by replicate
	paths   []string
	// If disorder is true, the rows were not read in the order of replicates and then of cells.
	disorder bool
	twice    int
	warnings []error
}

// spot holds the cell of a row and the position of the row.
type spot struct {
	cell, path int32 // indices of the cell and of the file
	line       int
}

func (m *merger) read(path string) (Header, error) {
	fh, err := open(path)
	if err != nil {
		return Header{}, fmt.Errorf("mc: %w", err)
	}
	defer fh.Close()
	m.paths = append(m.paths, path)
	var h Header
	size, err := jsonl.Scan(fh, func(n int, text []byte) error {
		var err error
		if n == 1 {
			if err = decodeHeader(text, &h); err == nil {
				err = m.accept(&h, path)
			}
		} else {
			r := m.next()
			if err = m.decoder.row(text, r); err == nil {
				err = m.add(r, n)
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
			"mc: %s:1: %w: there is no complete line; run the study again, or name another file", path, ErrRows)
	}
	if fh.longer(size) {
		m.warnings = append(m.warnings, fmt.Errorf("mc: %s: the last line is incomplete and was "+
			"ignored; run the study again to complete the file", path))
	}
	return h, nil
}

// accept returns an error unless h is compatible with the headers of earlier files.
func (m *merger) accept(h *Header, path string) error {
	if m.known == nil {
		if h.Version != Version {
			return fmt.Errorf("%w: the version is %d; expected %d", ErrRows, h.Version, Version)
		}
		m.header, m.first = *h, path
		m.known, m.seen = newChecker(&m.header), make([]map[int]int, len(m.header.Cells))
		for c := range m.seen {
			m.seen[c] = map[int]int{}
		}
		return nil
	}
	if what := h.Differ(&m.header); what != "" {
		return fmt.Errorf("%w than %s: %s; read the files separately", ErrGrid, m.first, what)
	}
	if h.Code != m.header.Code {
		m.warnings = append(m.warnings, fmt.Errorf("mc: %s was written by %s, but %s by %s, so rows may differ; "+
			"write both files with the same version", path, codeName(h.Code), m.first,
			codeName(m.header.Code)))
	}
	return nil
}

func (m *merger) next() *Row {
	n := len(m.rows)
	m.rows = slices.Grow(m.rows, 1)
	return &m.rows[:n+1][n]
}

// add adds row r, which was read from the given line of the current file.
func (m *merger) add(r *Row, number int) error {
	cell, err := m.known.check(r)
	if err != nil {
		return err
	}
	if j, ok := m.seen[cell][r.Rep]; ok {
		if !reflect.DeepEqual(*r, m.rows[j]) {
			return fmt.Errorf("%w: replicate %d of %v differs from the row at %s:%d with the same seed; a row was "+
				"changed, or different versions of the code wrote the rows; run the study again with one version",
				ErrRows, r.Rep, r.Key(), m.paths[m.where[j].path], m.where[j].line)
		}
		m.twice++
		return nil
	}
	n := len(m.rows)
	m.rows = m.rows[:n+1]
	m.where = append(m.where, spot{int32(cell), int32(len(m.paths) - 1), number})
	m.seen[cell][r.Rep] = n
	m.disorder = m.disorder || n > 0 && m.compare(n-1, n) > 0
	return nil
}

// compare orders rows i and j by replicate and then by cell.
func (m *merger) compare(i, j int) int {
	return cmp.Or(cmp.Compare(m.rows[i].Rep, m.rows[j].Rep), cmp.Compare(m.where[i].cell, m.where[j].cell))
}

func (m *merger) sorted() []Row {
	if !m.disorder {
		return m.rows
	}
	order := make([]int, len(m.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, m.compare)
	rows := make([]Row, len(m.rows))
	for i, from := range order {
		rows[i] = m.rows[from]
	}
	return rows
}

// gaps returns a warning for each cell that has no replicates, or lacks replicates of the given
// shard before its last replicate.
func (m *merger) gaps(own Shard) []error {
	reps := make([][]int, len(m.header.Cells))
	for c := range reps {
		reps[c] = make([]int, 0, len(m.seen[c]))
	}
	for i := range m.rows {
		c := m.where[i].cell
		reps[c] = append(reps[c], m.rows[i].Rep)
	}
	if m.disorder {
		for _, have := range reps {
			slices.Sort(have)
		}
	}
	var warnings []error
	for c, have := range reps {
		k := m.header.Cells[c].Key()
		if len(have) == 0 {
			warnings = append(warnings, fmt.Errorf("mc: %v has no replicates; run the study again", k))
			continue
		}
		var lacks []string
		n, next := 0, own.first()
		for _, rep := range have { // replicates in ascending order
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
			warnings = append(warnings, fmt.Errorf("mc: %v lacks %d replicates before its last replicate: %s",
				k, n, strings.Join(lacks, ", ")))
		}
	}
	return warnings
}

// missingShards returns the shards that are missing in parts if all parts have the same number of
// shards N; otherwise, it returns nil.
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
