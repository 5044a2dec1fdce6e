// Package note keeps rows for as long as a kernel lives, in a form that is read ten times as fast
// as a file of rows: every cell is a new process, and needs them again. Notes are for the machine
// and the code that wrote them.
package note

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"

	"github.com/purexp/purexp/pkg/mc"
)

// ErrDamaged says that a file is not a whole note.
var ErrDamaged = errors.New("note: damaged")

// Write writes rows to the file at path, with what head says about them, which is encoded as JSON.
// Whoever reads at the same time finds all of it or nothing.
func Write(path string, head any, rows []mc.Row) error {
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	w := writer{known: make(map[string]int)}
	w.text(string(text))
	w.int(len(rows))
	for i := range rows {
		w.row(&rows[i])
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(w.buf)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Read returns the rows of the file at path, and decodes what it says about them into head.
func Read(path string, head any) ([]mc.Row, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return decode(b, head)
}

// decode returns the rows of a note.
func decode(b []byte, head any) ([]mc.Row, error) {
	r := reader{buf: b}
	text := r.text()
	n := r.int()
	if r.damaged || n < 0 || n > len(r.buf) {
		return nil, ErrDamaged
	}
	if err := json.Unmarshal([]byte(text), head); err != nil {
		return nil, err
	}
	rows := make([]mc.Row, n)
	for i := range rows {
		r.row(&rows[i])
	}
	if r.damaged || len(r.buf) > 0 {
		return nil, ErrDamaged
	}
	return rows, nil
}

// A writer appends rows to buf. A text is written once, and is a number from then on.
type writer struct {
	buf   []byte
	known map[string]int
}

func (w *writer) row(r *mc.Row) {
	w.text(r.Study)
	w.buf = binary.LittleEndian.AppendUint64(w.buf, r.Seed)
	w.text(r.Experiment)
	w.text(r.Instance)
	w.int(r.Size)
	w.int(r.Draw)
	w.text(r.Method)
	w.text(r.Constants)
	w.float(r.Delta)
	w.int(r.Budget)
	w.int(r.Rep)
	w.int(r.Pulls)
	w.int(r.Rounds)
	w.text(r.Status)
	w.bool(r.Correct)
	w.ints(r.Items)
	w.text(r.Classes)
	w.ints(r.ArmPulls)
	w.length(len(r.Measures), r.Measures == nil)
	for _, m := range r.Measures {
		w.text(m.Name)
		w.float(m.Value)
	}
	w.length(len(r.Warnings), r.Warnings == nil)
	for _, s := range r.Warnings {
		w.text(s)
	}
	w.text(r.Err)
}

func (w *writer) int(n int) { w.buf = binary.AppendVarint(w.buf, int64(n)) }

func (w *writer) float(x float64) {
	w.buf = binary.LittleEndian.AppendUint64(w.buf, math.Float64bits(x))
}

func (w *writer) bool(b bool) {
	if b {
		w.buf = append(w.buf, 1)
		return
	}
	w.buf = append(w.buf, 0)
}

// text writes the number of s, from 1, or 0 and s if it is new.
func (w *writer) text(s string) {
	if n, ok := w.known[s]; ok {
		w.int(n)
		return
	}
	w.known[s] = len(w.known) + 1
	w.int(0)
	w.int(len(s))
	w.buf = append(w.buf, s...)
}

// length writes that of a list, or that there is none.
func (w *writer) length(n int, none bool) {
	if none {
		n = -1
	}
	w.int(n)
}

func (w *writer) ints(list []int) {
	w.length(len(list), list == nil)
	for _, n := range list {
		w.int(n)
	}
}

// A reader takes from buf what a writer has appended.
type reader struct {
	buf     []byte
	texts   []string
	room    []int // for lists: they are cut from long ones
	damaged bool
}

func (r *reader) row(row *mc.Row) {
	row.Study = r.text()
	row.Seed = r.uint64()
	row.Experiment = r.text()
	row.Instance = r.text()
	row.Size = r.int()
	row.Draw = r.int()
	row.Method = r.text()
	row.Constants = r.text()
	row.Delta = r.float()
	row.Budget = r.int()
	row.Rep = r.int()
	row.Pulls = r.int()
	row.Rounds = r.int()
	row.Status = r.text()
	row.Correct = r.bool()
	row.Items = r.ints()
	row.Classes = r.text()
	row.ArmPulls = r.ints()
	if n := r.length(); n >= 0 {
		row.Measures = make([]mc.Value, n)
		for i := range row.Measures {
			row.Measures[i] = mc.Value{Name: r.text(), Value: r.float()}
		}
	}
	if n := r.length(); n >= 0 {
		row.Warnings = make([]string, n)
		for i := range row.Warnings {
			row.Warnings[i] = r.text()
		}
	}
	row.Err = r.text()
}

func (r *reader) int() int {
	if len(r.buf) > 0 && r.buf[0] < 0x80 { // most are small
		u := r.buf[0]
		r.buf = r.buf[1:]
		return int(u>>1) ^ -int(u&1)
	}
	n, size := binary.Varint(r.buf)
	if size <= 0 {
		r.damaged, r.buf = true, nil
		return 0
	}
	r.buf = r.buf[size:]
	return int(n)
}

func (r *reader) uint64() uint64 {
	if len(r.buf) < 8 {
		r.damaged, r.buf = true, nil
		return 0
	}
	n := binary.LittleEndian.Uint64(r.buf)
	r.buf = r.buf[8:]
	return n
}

func (r *reader) float() float64 { return math.Float64frombits(r.uint64()) }

func (r *reader) bool() bool {
	if len(r.buf) == 0 {
		r.damaged = true
		return false
	}
	b := r.buf[0] == 1
	r.buf = r.buf[1:]
	return b
}

func (r *reader) text() string {
	n := r.int()
	if n != 0 {
		if n < 0 || n > len(r.texts) {
			r.damaged, r.buf = true, nil
			return ""
		}
		return r.texts[n-1]
	}
	size := r.int()
	if size < 0 || size > len(r.buf) {
		r.damaged, r.buf = true, nil
		return ""
	}
	s := string(r.buf[:size])
	r.texts, r.buf = append(r.texts, s), r.buf[size:]
	return s
}

// length returns that of a list, each element of which takes a byte at least, or -1 if there is
// none.
func (r *reader) length() int {
	n := r.int()
	if n > len(r.buf) {
		r.damaged, r.buf = true, nil
		return -1
	}
	return n
}

func (r *reader) ints() []int {
	n := r.length()
	if n < 0 {
		return nil
	}
	const slab = 1 << 14
	if r.room == nil || cap(r.room)-len(r.room) < n {
		r.room = make([]int, 0, max(slab, n))
	}
	start := len(r.room)
	for range n {
		r.room = append(r.room, r.int())
	}
	return r.room[start:len(r.room):len(r.room)]
}
