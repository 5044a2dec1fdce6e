package sweep

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/purexp/purexp/pkg/mc"
)

// merge writes the rows of the files at paths to dst, with the same bytes that a single process
// would have written. The files must be shards of one grid, and may come from different divisions
// of the grid. Rows that occur twice must be equal (otherwise ErrDisagree), and every row of the
// outline must occur (otherwise ErrGap). All files are open at the same time, each with one line
// and one buffer in memory.
func (o *Outline) merge(dst io.Writer, paths ...string) error {
	out := bufio.NewWriterSize(dst, 1<<20)
	head, err := o.header(mc.Shard{})
	if err != nil {
		return err
	}
	if _, err := out.Write(head); err != nil {
		return fmt.Errorf("sweep: merge: %w", err)
	}
	var ahead []*source
	for _, path := range paths {
		s, err := o.open(path)
		if err != nil {
			return err
		}
		defer s.close()
		if err := s.next(); err != nil {
			return err
		}
		ahead = append(ahead, s)
	}
	var row []byte
	for want, more := o.first(mc.Shard{}); more; want, more = o.next(mc.Shard{}, want) {
		from := ""
		for _, s := range ahead {
			switch {
			case s.ended || s.at != want:
				continue
			case from == "":
				from, row = s.path, append(row[:0], s.line...)
			case !bytes.Equal(s.line, row):
				return fmt.Errorf("sweep: %s and %s: replicate %d of %v: %w, although the seed is the same; a row "+
					"was edited, or another version of the code or another processor wrote it; remove the wrong "+
					"file, and retry its shard", from, s.path, want.rep,
					o.Header.Cells[want.cell].Key(), ErrDisagree)
			}
			if err := s.next(); err != nil {
				return err
			}
		}
		if from == "" {
			return fmt.Errorf("sweep: merge: %w: no file has replicate %d of %v", ErrGap, want.rep,
				o.Header.Cells[want.cell].Key())
		}
		if _, err := out.Write(append(row, '\n')); err != nil {
			return fmt.Errorf("sweep: merge: %w", err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("sweep: merge: %w", err)
	}
	return nil
}

// source is a file of rows that is read row by row.
type source struct {
	path string
	file *os.File
	pull func() (place, []byte, bool)
	stop func()
	err  error // error while reading, or description of damage in the file

	at    place
	line  []byte // current line without the newline
	ended bool
}

func (o *Outline) open(path string) (*source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("sweep: %w", err)
	}
	s := &source{path: path, file: f}
	s.pull, s.stop = iter.Pull2(func(yield func(place, []byte) bool) {
		part, err := o.scan(f, nil, yield)
		if s.err = err; err == nil {
			s.err = part.Fault
		}
		if s.err == nil && part.Size == 0 {
			s.err = fmt.Errorf("sweep: %s:1: %w: the file has no complete line", path, ErrRows)
		}
	})
	return s, nil
}

// next reads the next row; at the end of the file, it sets ended.
func (s *source) next() error {
	var ok bool
	s.at, s.line, ok = s.pull()
	s.ended = !ok
	if s.ended {
		return s.err
	}
	return nil
}

func (s *source) close() {
	s.stop()
	s.file.Close()
}
