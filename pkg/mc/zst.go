package mc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Packed is the suffix of compressed files of rows. They contain the bytes of the file that Stream
// wrote; `zstd -d` restores it.
const Packed = ".zst"

// Pack compresses the file of rows at from to the file at to, and replaces an existing file only at
// the end. The bytes depend only on those of the original, not on the machine.
func Pack(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("mc: %w", err)
	}
	defer in.Close()
	out, err := os.CreateTemp(filepath.Dir(to), filepath.Base(to)+".*.tmp")
	if err != nil {
		return fmt.Errorf("mc: %w", err)
	}
	defer func() {
		if err != nil {
			os.Remove(out.Name())
			err = fmt.Errorf("mc: %s: %w", to, err)
		}
	}()
	// Use one goroutine, because several would write other blocks. The window is that of the level.
	z, err := zstd.NewWriter(out, zstd.WithEncoderLevel(zstd.SpeedBestCompression),
		zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(farthest))
	if err == nil {
		_, err = io.Copy(z, in)
		if end := z.Close(); err == nil { // otherwise Close repeats the error
			err = end
		}
	}
	if err = errors.Join(err, out.Chmod(0o644), out.Sync(), out.Close()); err != nil {
		return err
	}
	return os.Rename(out.Name(), to)
}

// farthest is the window of compressed files in bytes, which limits the memory for reading them.
const farthest = 8 << 20

// A source is a file of rows for reading, compressed or not.
type source struct {
	file *os.File
	zstd *zstd.Decoder // nil if not compressed
}

// open opens the file of rows at path.
func open(path string) (*source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s := &source{file: f}
	if strings.HasSuffix(path, Packed) {
		if s.zstd, err = zstd.NewReader(f, zstd.WithDecoderMaxWindow(farthest)); err != nil {
			f.Close()
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return s, nil
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (n int, err error) {
	if s.zstd == nil {
		return s.file.Read(p)
	}
	n, err = s.zstd.Read(p)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("mc: %s: %w: it does not decompress (%w); restore the file", s.file.Name(), ErrRows, err)
	}
	return n, err
}

// longer reports whether more bytes follow the first size bytes of an uncompressed file. A
// truncated compressed file fails to decompress.
func (s *source) longer(size int64) bool {
	if s.zstd != nil {
		return false
	}
	info, err := s.file.Stat()
	return err == nil && info.Size() > size
}

// Close closes the file.
func (s *source) Close() error {
	if s.zstd != nil {
		s.zstd.Close()
	}
	return s.file.Close()
}
