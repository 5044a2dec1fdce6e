package sweep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Merge writes the rows of all shards to the file at path, which must not exist. The file has the
// bytes that a single process would have written. The argument more contains additional files, or
// folders of sweeps of the same study; rows that occur twice must be equal. If rows are missing,
// the error wraps ErrGap.
func (s *Sweep) Merge(ctx context.Context, path string, more ...string) error {
	if _, err := os.Stat(path); err == nil {
		return fmt.Errorf("sweep: %s already exists; remove it, or choose another file", path)
	}
	var files []string
	var missing []int
	for i := 1; i <= s.Shards; i++ {
		if odd := s.attempts(i, disagreeEnd); len(odd) > 0 {
			return fmt.Errorf("sweep: shard %d: %w: %s and %s; check which file is right, and remove "+
				"the other file", i, ErrDisagree, s.Final(i), odd[0])
		}
		if _, err := os.Stat(s.Final(i)); err == nil {
			files = append(files, s.Final(i))
		} else {
			missing = append(missing, i)
		}
	}
	if len(missing) > 0 && len(more) == 0 {
		return fmt.Errorf("sweep: merge: %w: shards %s are not finished; run 'sweep retry'", ErrGap, ranges(missing))
	}
	for _, m := range more {
		if info, err := os.Stat(m); err == nil && info.IsDir() {
			other, err := Open(m)
			if err != nil {
				return err
			}
			for i := 1; i <= other.Shards; i++ {
				if _, err := os.Stat(other.Final(i)); err == nil {
					files = append(files, other.Final(i))
				}
			}
			continue
		}
		files = append(files, m)
	}
	err := written(path, 0o666, renameNew, func(w io.Writer) error {
		return s.Outline.merge(target{ctx, w, path}, files...)
	})
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("sweep: another process wrote %s at the same time; check this file, or choose another "+
			"file", path)
	case errors.Is(err, ErrRows), errors.Is(err, ErrGrid), errors.Is(err, ErrGap):
		return fmt.Errorf("%w; 'sweep status' names the shards with damaged files, and 'sweep "+
			"retry' or 'sweep run' simulates these shards again", err)
	}
	return err
}

// renameNew renames a temporary file to a new name, unless a file with this name exists.
func renameNew(temp, path string) error {
	err := os.Link(temp, path)
	if err == nil {
		os.Remove(temp)
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	return os.Rename(temp, path) // fall back to renaming, because the file system has no hard links
}

// target is an io.Writer that fails when its context ends; its errors name the destination file.
type target struct {
	context.Context
	io.Writer
	path string
}

func (t target) Write(p []byte) (n int, err error) {
	if err = t.Err(); err == nil {
		n, err = t.Writer.Write(p)
	}
	if err != nil {
		err = fmt.Errorf("%s could not be written, and the incomplete file was removed: %w", t.path, cause(err))
	}
	return n, err
}
