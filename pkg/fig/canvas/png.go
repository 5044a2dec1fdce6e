//go:build !js

package canvas

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"io"
)

// writePNG writes an opaque image as a PNG of 8 bits a channel, without alpha. Rows are stored as
// they are, and a row that repeats the one above as a difference of zeros: figures have large plain
// areas and thin lines, where the differences that image/png tries, row by row, take longer and give
// no smaller files.
func writePNG(w io.Writer, img *image.RGBA) error {
	size := img.Rect.Size()
	var data bytes.Buffer
	z, err := zlib.NewWriterLevel(&data, zlib.BestSpeed)
	if err != nil {
		return err
	}
	// Each row begins with its filter: 0 for none, 2 for the difference to the row above.
	row, repeated := make([]byte, 1+3*size.X), make([]byte, 1+3*size.X)
	repeated[0] = 2
	var above []byte
	for y := range size.Y {
		pixels := img.Pix[y*img.Stride:][:4*size.X]
		text := repeated
		if y == 0 || !bytes.Equal(pixels, above) {
			text = row
			for from, to := 0, 1; from < len(pixels); from, to = from+4, to+3 {
				copy(row[to:to+3], pixels[from:from+3])
			}
		}
		if _, err := z.Write(text); err != nil {
			return err
		}
		above = pixels
	}
	if err := z.Close(); err != nil {
		return err
	}
	out := []byte("\x89PNG\r\n\x1a\n")
	header := binary.BigEndian.AppendUint32(nil, uint32(size.X))
	header = binary.BigEndian.AppendUint32(header, uint32(size.Y))
	// 8 bits, red, green and blue, the only ways of compressing and filtering, rows in order.
	out = appendChunk(out, "IHDR", append(header, 8, 2, 0, 0, 0))
	out = appendChunk(out, "IDAT", data.Bytes())
	_, err = w.Write(appendChunk(out, "IEND", nil))
	return err
}

// appendChunk appends a part of a PNG: its length, name, data and checksum.
func appendChunk(out []byte, name string, data []byte) []byte {
	out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
	from := len(out)
	out = append(append(out, name...), data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[from:]))
}
