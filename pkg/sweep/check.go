package sweep

import (
	"errors"
	"fmt"
	"os"

	"github.com/purexp/purexp/pkg/internal/jsonl"
	"github.com/purexp/purexp/pkg/mc"
)

// Errors that callers test for.
var (
	// ErrGrid says that a file, or a program, is of another grid, seed or code than the sweep.
	ErrGrid = errors.New("this does not belong to the sweep")
	// ErrRows says that a file of rows is not as it was written.
	ErrRows = errors.New("these rows are not what was written")
	// ErrGap says that rows are missing.
	ErrGap = errors.New("rows are missing")
	// ErrDisagree says that two files hold different rows for the same replicate.
	ErrDisagree = errors.New("two files disagree on the same row")
)

// A part is how much of a shard a file holds.
type part struct {
	// Rows is the number of rows from the first, without a gap, that are as they were written.
	Rows int
	// Size is the number of bytes of the header and these rows.
	Size int64
	// Complete reports whether these are all rows of the shard, and nothing else is in the file.
	Complete bool
	// Fault says what is wrong behind the rows, nil if nothing is: a file that was cut short, by a
	// kill, is right as far as it goes.
	Fault error
}

// check reads the file of a shard, a zero Shard being the whole. The error is that the file cannot
// be read; what is wrong with its content is Fault. Memory does not grow with the file.
func (o *Outline) check(path string, s mc.Shard) (part, error) {
	f, err := os.Open(path)
	if err != nil {
		return part{}, fmt.Errorf("sweep: %w", err)
	}
	defer f.Close()
	return o.scan(f, &s, func(place, []byte) bool { return true })
}

// errStop ends the reading of a file.
var errStop = errors.New("stop")

// scan hands each row of f that stands where it should to row, with its line, which is valid during
// the call, until row returns false. F is a file of shard want, of any if that is nil.
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
			return fault(n, fmt.Errorf("%w: a row behind the last of %s", ErrRows, shardName(s)))
		case !o.isAt(line, at):
			return fault(n, fmt.Errorf("%w: replicate %d of %v should stand here", ErrRows, at.rep,
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
