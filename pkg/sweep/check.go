package sweep

import (
	"errors"
	"fmt"
	"os"

	"github.com/purexp/purexp/pkg/internal/jsonl"
	"github.com/purexp/purexp/pkg/mc"
)

// Callers can test for the following errors of sweeps.
var (
	// ErrGrid reports a file or program whose grid, seed or code differs from that of the sweep.
	ErrGrid = errors.New("the file or program does not belong to the sweep")
	// ErrRows reports a damaged file of rows.
	ErrRows = errors.New("the file of rows is damaged")
	// ErrGap reports that rows of the sweep are missing.
	ErrGap = errors.New("rows are missing")
	// ErrDisagree reports two files with different rows for the same replicate.
	ErrDisagree = errors.New("two files have different rows for the same replicate")
)

// part describes the intact rows of a shard that a file contains.
type part struct {
	// Rows is the number of intact rows from the beginning of the shard on, without a gap.
	Rows int
	// Size is the number of bytes in the header and the intact rows.
	Size int64
	// Complete reports whether the file has exactly the rows of the shard.
	Complete bool
	// Fault describes damage after the intact rows; it is nil if the file was only cut short by a
	// kill.
	Fault error
}

// check reads the file of a shard; the zero Shard means the whole study. Damage is reported in
// Fault; check returns an error only if the file cannot be read. The memory that check needs does
// not depend on the size of the file.
func (o *Outline) check(path string, s mc.Shard) (part, error) {
	f, err := os.Open(path)
	if err != nil {
		return part{}, fmt.Errorf("sweep: %w", err)
	}
	defer f.Close()
	return o.scan(f, &s, func(place, []byte) bool { return true })
}

// errStop is the error with which a callback stops the reading of a file.
var errStop = errors.New("stop")

// For each intact row of f, in order, scan passes the position and the line to the callback row,
// until the callback returns false. The argument line is valid only during the call of row. The
// file f must belong to the shard want; if want is nil, f may belong to any shard.
func (o *Outline) scan(f *os.File, want *mc.Shard, row func(place, []byte) bool) (part, error) {
	var (
		p    part
		s    mc.Shard
		at   place
		more bool
	)
	fault := func(n int, err error) error {
		p.Fault = fmt.Errorf("sweep: %s:%d: %w", f.Name(), n, err)
		return errStop
	}
	_, err := jsonl.Scan(f, func(n int, line []byte) (err error) {
		switch {
		case n == 1:
			if s, err = o.shardOf(line, want); err != nil {
				return fault(1, fmt.Errorf("%w: %w", ErrGrid, err))
			}
			at, more = o.first(s)
			p.Size = int64(len(line)) + 1
			return nil
		case jsonl.Decode(line, nil) != nil:
			return fault(n, ErrRows)
		case !more:
			return fault(n, fmt.Errorf("%w: there is a row after the last row of %s", ErrRows, shardName(s)))
		case !o.isAt(line, at):
			return fault(n, fmt.Errorf("%w: the row is wrong; expected replicate %d of %v", ErrRows, at.rep,
				o.Header.Cells[at.cell].Key()))
		case !row(at, line):
			return errStop
		}
		p.Rows++
		p.Size += int64(len(line)) + 1
		at, more = o.next(s, at)
		return nil
	})
	if err != nil && err != errStop {
		return p, fmt.Errorf("sweep: %s: %w", f.Name(), err)
	}
	info, err := f.Stat()
	if err != nil {
		return p, fmt.Errorf("sweep: %w", err)
	}
	p.Complete = p.Fault == nil && p.Size > 0 && !more && info.Size() == p.Size
	return p, nil
}
