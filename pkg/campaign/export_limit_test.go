package campaign

import (
	"errors"
	"path/filepath"
	"testing"
)

type zeros struct{ left int }

func (z *zeros) Read(p []byte) (int, error) {
	if z.left -= len(p); z.left < 0 {
		return 0, errors.New("read to the end")
	}
	clear(p)
	return len(p), nil
}

// A file without an end that is no export is refused by its beginning.
func TestEndlessImport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.campaign")
	if _, err := Import(path, &zeros{1 << 20}); !errors.Is(err, ErrForeign) {
		t.Errorf("%v; want ErrForeign", err)
	}
}
