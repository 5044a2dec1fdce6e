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

// Packed is the suffix of compressed files of rows. The compressed file contains exactly the bytes
// that Stream wrote; `zstd -d` restores the original file.
const Packed = ".zst"

// Pack compresses the file of rows with path from, and writes the result to the path to. Pack
// replaces an existing file only after compression has succeeded. The compressed bytes are the same
// on every machine.
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
	// Compression uses only one goroutine, because several goroutines would divide the data into
	// different blocks. The window size is the default for the compression level.
	z, err := zstd.NewWriter(out, zstd.WithEncoderLevel(zstd.SpeedBestCompression),
		zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(farthest))
	if err == nil {
		_, err = io.Copy(z, in)
		if end := z.Close(); err == nil { // if compression has failed, Close would report the same error again
			err = end
		}
	}
	if err = errors.Join(err, out.Chmod(0o644), out.Sync(), out.Close()); err != nil {
		return err
	}
	return os.Rename(out.Name(), to)
}

// farthest is the window size of compressed files in bytes, which limits the memory needed for
// reading.
const farthest = 8 << 20

// source is a compressed or uncompressed file of rows, opened for reading.
type source struct {
	file *os.File
	zstd *zstd.Decoder // decoder, or nil if the file is not compressed
}

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
		err = fmt.Errorf("mc: %s: %w: decompression failed (%w); restore the file", s.file.Name(), ErrRows, err)
	}
	return n, err
}

// longer reports whether an uncompressed file has more than size bytes. For a compressed file,
// longer returns false, because decompression of a truncated file fails.
func (s *source) longer(size int64) bool {
	if s.zstd != nil {
		return false
	}
	info, err := s.file.Stat()
	return err == nil && info.Size() > size
}

// Close closes the file and the decoder.
func (s *source) Close() error {
	if s.zstd != nil {
		s.zstd.Close()
	}
	return s.file.Close()
}
