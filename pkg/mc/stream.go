package mc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/purexp/purexp/pkg/internal/filelock"
	"github.com/purexp/purexp/pkg/internal/jsonl"
)

// ErrGrid reports a file of rows that belongs to another grid.
var ErrGrid = errors.New("this file belongs to a different grid")

// ErrLocked reports that another process is writing the file of rows.
var ErrLocked = filelock.ErrHeld

// ErrRows reports a file of rows that was changed, or a file that contains no rows.
var ErrRows = errors.New("the file of rows is invalid")

const (
	resumeHint = "run the same study again with the same file to continue"
	repairHint = "restore the file, or truncate it before this line and run the study again; the new rows will be " +
		"the same"
)

// Stream simulates the grid and writes its rows to the file at path as they finish. Rows are JSON
// objects, one on each line, ordered by replicate and then by cell. The first line of the file is
// the [Header].
//
// If the file exists, Stream appends only missing replicates, for example after an increase of
// Reps. Rows of replicates beyond Reps remain in the file. If a kill left an unfinished last line,
// Stream simulates the row of that line again. Stream rejects files of another grid (ErrGrid) or of
// other code (ErrCode), files that were changed since they were written (ErrRows), and files that
// another process is writing (ErrLocked). Stream does not change a file that it rejects. For a
// rejected file, the error states the path and the line.
//
// After any error, the rows in the file are intact, and Stream can be called again. Stream returns
// an error if ctx is cancelled, if the disk is full, or if a policy or a sampler panics. Cancelling
// ctx ends runs between two rounds, and Stream wraps the error of ctx. An error of a policy is not
// an error of Stream; see [Row.Err].
func (g *Grid) Stream(ctx context.Context, path string) error {
	return g.stream(ctx, path, func(f *jsonl.File) appender { return f })
}

// appender contains the methods of *jsonl.File for writing rows; tests replace it to simulate
// failures.
type appender interface{ Append(v any) error }

func (g *Grid) stream(ctx context.Context, path string, wrap func(*jsonl.File) appender) (err error) {
	p, err := g.plan()
	if err != nil {
		return err
	}
	unlock, err := filelock.Lock(path)
	if err != nil {
		return fmt.Errorf("mc: %w", err)
	}
	defer unlock()
	f, err := p.resume(path)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); e != nil && err == nil {
			err = fmt.Errorf("mc: %s: the file could not be closed: %w; %s", path, e, resumeHint)
		}
	}()
	out := wrap(f)
	if f.Empty() {
		if err := out.Append(p.header); err != nil {
			return fmt.Errorf("mc: %w", err)
		}
	}
	written := 0
	err = p.simulate(ctx, func(r *Row) error {
		if err := out.Append(r); err != nil {
			return fmt.Errorf("mc: %w (%d rows are in the file; free some disk space, and %s)", err,
				p.done+written, resumeHint)
		}
		written++
		return nil
	})
	if h := (*halted)(nil); errors.As(err, &h) {
		return fmt.Errorf("mc: %s: stopped after %d of %d replicates, which are saved; %s: %w", path,
			h.done, h.total, resumeHint, h.cause)
	}
	return err
}

// resume opens the file at path, checks that its rows belong to p, and updates p.next and p.done
// for the existing rows. If resume returns an error, the file is unchanged.
func (p *plan) resume(path string) (*jsonl.File, error) {
	hint := "write to another path"
	var rows decoder
	known := newChecker(&p.header)
	f, err := jsonl.Open(path, p.begins, func(n int, line []byte) error {
		if n == 1 {
			var h Header
			if err := decodeHeader(line, &h); err != nil {
				return err
			}
			hint = repairHint
			return p.accept(&h)
		}
		var r Row
		if err := rows.row(line, &r); err != nil {
			return err
		}
		return p.count(known, &r)
	})
	if errors.Is(err, jsonl.ErrForeign) {
		return nil, fmt.Errorf("mc: %w: %w; %s", err, ErrRows, hint)
	}
	if err != nil {
		return nil, fmt.Errorf("mc: %w", err)
	}
	return f, nil
}

// begins returns the text with which line n of the grid's file must begin.
func (p *plan) begins(n int) ([]byte, error) {
	if n == 1 {
		return jsonl.Encode(p.header)
	}
	text, err := json.Marshal(struct {
		Study string `json:"study"`
		Seed  uint64 `json:"seed"`
	}{p.Study, p.Seed})
	return bytes.TrimSuffix(text, []byte("}")), err
}

func decodeHeader(line []byte, h *Header) error {
	if err := jsonl.Decode(line, h); err != nil {
		return fmt.Errorf("%w: the first line is not a header, or was changed (%w); restore "+
			"the file, or use another path", ErrRows, err)
	}
	if h.Format != Format {
		return fmt.Errorf("%w: the format is %q; expected %q; restore the file, or use "+
			"another path", ErrRows, h.Format, Format)
	}
	return nil
}

// accept returns an error unless h is compatible with the header of p.
func (p *plan) accept(h *Header) error {
	what := h.Differ(&p.header)
	if what == "" && h.Shard != p.header.Shard {
		what = fmt.Sprintf("the shard is %s; expected %s", shardName(h.Shard), shardName(p.header.Shard))
	}
	if what != "" {
		return fmt.Errorf("%w: %s; write to another path, or restore the grid", ErrGrid, what)
	}
	if h.Code != p.header.Code {
		return fmt.Errorf("%w: %s; this program has %s; continue with the version that wrote the file, or write to "+
			"another path", ErrCode, codeName(h.Code), codeName(p.header.Code))
	}
	return nil
}

func shardName(s string) string {
	if s == "" {
		return "the whole"
	}
	return s
}

// count returns an error unless r is the next row of its cell.
func (p *plan) count(known *checker, r *Row) error {
	i, err := known.check(r)
	if err != nil {
		return err
	}
	switch {
	case r.Rep < p.next[i] && p.Shard.has(r.Rep):
		return fmt.Errorf("%w: replicate %d of %v appears twice; %s", ErrRows, r.Rep, r.Key(), repairHint)
	case r.Rep != p.next[i]:
		return fmt.Errorf("%w: replicate %d of %v; expected replicate %d next; %s",
			ErrRows, r.Rep, r.Key(), p.next[i], repairHint)
	}
	p.next[i] += p.Shard.step()
	p.done++
	return nil
}
