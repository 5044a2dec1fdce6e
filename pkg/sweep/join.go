package sweep

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Merge writes the rows of all shards to the file at path, which must not exist: the bytes that one
// process would have written. More are files, or folders of sweeps of the same study, whose rows
// belong to it too: a row that is in two of them must be the same. A shard that is neither here nor
// there is refused (ErrGap), with the number of all such shards.
func (s *Sweep) Merge(ctx context.Context, path string, more ...string) error {
	if _, err := os.Stat(path); err == nil {
		return fmt.Errorf("sweep: %s exists; remove it, or choose another file", path)
	}
	var files []string
	var missing []int
	for i := 1; i <= s.Shards; i++ {
		if odd := s.attempts(i, disagreeEnd); len(odd) > 0 {
			return fmt.Errorf("sweep: shard %d: %w: %s and %s; see which is right and remove the "+
				"other", i, ErrDisagree, s.Final(i), odd[0])
		}
		if _, err := os.Stat(s.Final(i)); err == nil {
			files = append(files, s.Final(i))
		} else {
			missing = append(missing, i)
		}
	}
	if len(missing) > 0 && len(more) == 0 {
		return fmt.Errorf("sweep: merge: %w: shards %s are not finished; see 'sweep status'",
			ErrGap, ranges(missing))
	}
	for _, m := range more {
		if info, err := os.Stat(m); err == nil && info.IsDir() {
			own, err := filepath.Glob(filepath.Join(m, shardsDir, "*-of-*.jsonl"))
			if err != nil {
				return fmt.Errorf("sweep: %w", err)
			}
			files = append(files, own...)
			continue
		}
		files = append(files, m)
	}
	return replace(path, 0o666, func(w io.Writer) error {
		return s.Outline.merge(cancellable{ctx, w}, files...)
	})
}

// cancellable is a writer that fails when its context ends.
type cancellable struct {
	context.Context
	io.Writer
}

func (c cancellable) Write(p []byte) (int, error) {
	if err := c.Err(); err != nil {
		return 0, err
	}
	return c.Writer.Write(p)
}
