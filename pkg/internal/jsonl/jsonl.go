// Package jsonl stores records in files of JSON lines. The files remain readable if the process is
// killed or the disk is full, and the package detects changes made in an editor.
//
//	f, err := jsonl.Open("rows.jsonl", begins, func(n int, line []byte) error { ... })
//	err = f.Append(record)
//
// Every line ends with a checksum of the text before it:
//
//	{"round":1,"n":3,"crc":"5f3a0c2e"}
//
// If the process was killed while it wrote a line, the incomplete last line was never acknowledged,
// so it is dropped. If any other line does not match its checksum, the error states the line
// number.
package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"

	"github.com/purexp/purexp/pkg/internal/strictjson"
)

// The following errors are wrapped by the errors of this package.
var (
	// ErrEdited means that a line in the file differs from the line that was written.
	ErrEdited = errors.New("this line was changed or damaged after it was written")
	// ErrWrite means that a record could not be written; the file has not changed.
	ErrWrite = errors.New("the record could not be written")
	// ErrForeign means that the end of a file is not the beginning of a record, so the file is
	// probably of another kind.
	ErrForeign = errors.New("this is not the beginning of a record")
)

const crcLen = len(`,"crc":"00000000"}`)

// Encode returns the line for v, including the newline. The value v must encode to a JSON object
// with at least one field.
func Encode(v any) ([]byte, error) {
	line, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("jsonl: %w", err)
	}
	if len(line) < 3 || line[0] != '{' {
		return nil, fmt.Errorf("jsonl: %T encodes to %.20s; expected a JSON object with at least one field", v, line)
	}
	body := line[:len(line)-1]
	return append(appendCRC(body, body), '\n'), nil
}

// appendCRC appends the end of a line to dst: the checksum of body.
func appendCRC(dst, body []byte) []byte {
	sum := crc32.ChecksumIEEE(body)
	dst = append(dst, `,"crc":"`...)
	for shift := 28; shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789abcdef"[sum>>shift&15])
	}
	return append(dst, `"}`...)
}

// Decode verifies the checksum of line (without its newline) and decodes the line into v, unless v
// is nil.
func Decode(line []byte, v any) error {
	if len(line) <= crcLen {
		return ErrEdited
	}
	body, end := line[:len(line)-crcLen], line[len(line)-crcLen:]
	var want [crcLen]byte
	if !bytes.Equal(end, appendCRC(want[:0], body)) {
		return ErrEdited
	}
	if v == nil {
		return nil
	}
	return strictjson.Unmarshal(line, v)
}

// LongestLine is the largest allowed length of a line in bytes. Without this limit, a compressed
// file of one megabyte could decompress to a line that fills the memory.
const LongestLine = 64 << 20

// Scan calls f with each complete line of r and the line's number, counted from 1, and returns the
// number of bytes in complete lines. The slice line is valid only during the call of f. A last line
// without a newline counts as complete if its checksum is right. Scan does not check the checksums
// of other lines, so f must call Decode.
func Scan(r io.Reader, f func(n int, line []byte) error) (size int64, err error) {
	b := bufio.NewReaderSize(r, 1<<16)
	var long []byte // collects a line that is longer than the buffer
	for n := 1; ; n++ {
		line, err := b.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long = long[:0]
			for err == bufio.ErrBufferFull {
				long = append(long, line...)
				if len(long) > LongestLine {
					return size, fmt.Errorf("line %d is longer than %d bytes: %w", n, LongestLine, ErrEdited)
				}
				line, err = b.ReadSlice('\n')
			}
			long = append(long, line...)
			line = long
		}
		if err != nil && err != io.EOF {
			return size, err
		}
		if err == io.EOF && Decode(line, nil) != nil {
			return size, nil // the last line was cut short and never acknowledged
		}
		if err := f(n, bytes.TrimSuffix(line, []byte("\n"))); err != nil {
			return size, err
		}
		size += int64(len(line))
	}
}

// A File is a file of JSON lines to which records can be appended.
type File struct {
	f    file
	name string
	size int64 // number of acknowledged bytes
	// If torn is true, unacknowledged bytes may follow the first size bytes.
	torn bool
}

// file contains the methods of *os.File that a File needs. Tests use an implementation of file
// whose operations fail.
type file interface {
	io.ReadWriteCloser
	io.WriterAt
	Stat() (os.FileInfo, error)
	Truncate(size int64) error
	Sync() error
}

// Open opens or creates the file at path, and calls f with every complete line and its number,
// counted from 1. If f returns an error, Open leaves the file unchanged and returns the error with
// the path and line number.
//
// An incomplete last line is removed if a killed process may have left it. Such a line n is a
// prefix of begins(n), or begins with begins(n). For any other incomplete last line, Open leaves
// the file unchanged and returns an error that wraps ErrForeign.
func Open(path string, begins func(n int) ([]byte, error), f func(n int, line []byte) error) (*File, error) {
	fh, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	lines := 0
	size, err := Scan(fh, func(n int, line []byte) error {
		lines = n
		if err := f(n, line); err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
		return nil
	})
	if err == nil {
		err = checkTail(fh, size, lines+1, begins)
	}
	if err == nil {
		err = fh.Truncate(size)
	}
	if last := make([]byte, 1); err == nil && size > 0 {
		// An editor may have removed the last newline.
		if _, err = fh.ReadAt(last, size-1); err == nil && last[0] != '\n' {
			_, err = fh.WriteAt([]byte{'\n'}, size)
			size++
		}
	}
	if err != nil {
		fh.Close()
		return nil, err
	}
	return &File{f: fh, name: path, size: size}, nil
}

// checkTail returns an error if the bytes after the first size bytes of fh cannot be an incomplete
// line n, left by a killed process.
func checkTail(fh *os.File, size int64, n int, begins func(n int) ([]byte, error)) error {
	want, err := begins(n)
	if err != nil {
		return err
	}
	r := bufio.NewReader(io.NewSectionReader(fh, size, math.MaxInt64-size))
	head := make([]byte, len(want))
	got, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return fmt.Errorf("%s: %w", fh.Name(), err)
	}
	// A power cut may leave zeros instead of data at the end of the file.
	head = bytes.TrimRight(head[:got], "\x00")
	foreign := !bytes.HasPrefix(want, head)
	for !foreign && len(head) < len(want) {
		b, err := r.ReadByte()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", fh.Name(), err)
		}
		foreign = b != 0
	}
	if foreign {
		return fmt.Errorf("%s:%d: %w", fh.Name(), n, ErrForeign)
	}
	return nil
}

// Append appends a line for v. After an error that wraps ErrWrite, such as a full disk, the file
// has its previous content, and Append may be called again.
func (f *File) Append(v any) error {
	line, err := Encode(v)
	if err != nil {
		return err
	}
	if f.torn {
		if err := f.f.Truncate(f.size); err != nil {
			return fmt.Errorf("%s: %w; earlier records are intact: %w", f.name, ErrWrite, err)
		}
		f.torn = false
	}
	if _, err := f.f.WriteAt(line, f.size); err != nil {
		// Even if Truncate fails, the next Open drops the bytes after size, because they contain no
		// newline.
		f.torn = f.f.Truncate(f.size) != nil
		return fmt.Errorf("%s: %w; earlier records are intact: %w", f.name, ErrWrite, err)
	}
	f.size += int64(len(line))
	return nil
}

// Empty reports whether the file contains no lines.
func (f *File) Empty() bool { return f.size == 0 }

// Sync ensures that appended lines survive a power cut.
func (f *File) Sync() error { return f.f.Sync() }

// Close syncs and closes the file.
func (f *File) Close() error {
	return errors.Join(f.f.Sync(), f.f.Close())
}
