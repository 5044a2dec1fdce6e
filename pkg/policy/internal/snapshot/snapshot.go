// Package snapshot lets a computation go on for a while, as a trial, and then be where it was.
//
//	var s snapshot.Snapshot
//	s.Take(p) // p is a pointer
//	p.TryThings()
//	s.Restore() // p, and all that it points to, is as it was
package snapshot

import (
	"bytes"
	"reflect"
	"slices"
	"unsafe"
)

// A Snapshot remembers the memory that a pointer leads to: its struct, slices up to their length,
// and whatever pointers and interfaces in them lead to, exported or not. It needs no knowledge of
// the types, and that pointers lead back into the struct, or slices share memory, does not matter.
//
// It does not remember maps, and what functions have closed over: a policy may keep in those only
// what depends on nothing that changes, such as designs by pair of arms.
//
// The memory of a Snapshot is used again the next time. The zero value is ready for use.
type Snapshot struct {
	// Except are types of pointers that lead to what a trial does not change, or may.
	Except []reflect.Type

	parts []part
	n     int                   // parts in use
	seen  map[pointer]bool      // pointers that were followed
	plain map[reflect.Type]bool // whether values of a type are without pointers
}

// A pointer is told apart from one to the first field of what it points to.
type pointer struct {
	at  unsafe.Pointer
	typ reflect.Type
}

// A part is n values of a type, one after the other.
type part struct {
	at   unsafe.Pointer
	typ  reflect.Type
	n    int
	held reflect.Value // a slice with a copy of them
}

// Take remembers all that the pointer p leads to.
func (s *Snapshot) Take(p any) {
	if s.plain == nil {
		s.seen, s.plain = map[pointer]bool{}, map[reflect.Type]bool{}
	}
	clear(s.seen)
	s.n = 0
	s.follow(reflect.ValueOf(p))
}

// follow remembers what v leads to, but not v itself.
func (s *Snapshot) follow(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		s.follow(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			s.follow(v.Field(i))
		}
	case reflect.Array:
		s.elements(v)
	case reflect.Slice:
		s.hold(v.UnsafePointer(), v.Type().Elem(), v.Len())
		s.elements(v)
	case reflect.Pointer:
		p := pointer{v.UnsafePointer(), v.Type()}
		if p.at == nil || s.seen[p] || slices.Contains(s.Except, p.typ) {
			return
		}
		s.seen[p] = true
		s.hold(p.at, p.typ.Elem(), 1)
		s.follow(v.Elem())
	}
}

// elements remembers what the elements of v lead to.
func (s *Snapshot) elements(v reflect.Value) {
	if !s.isPlain(v.Type().Elem()) {
		for i := range v.Len() {
			s.follow(v.Index(i))
		}
	}
}

// isPlain reports whether values of a type are without pointers.
func (s *Snapshot) isPlain(t reflect.Type) bool {
	plain, known := s.plain[t]
	if known {
		return plain
	}
	switch t.Kind() {
	case reflect.Array:
		plain = s.isPlain(t.Elem())
	case reflect.Struct:
		plain = true
		for i := range t.NumField() {
			plain = plain && s.isPlain(t.Field(i).Type)
		}
	default:
		plain = t.Kind() <= reflect.Complex128
	}
	s.plain[t] = plain
	return plain
}

// hold copies n values of a type at an address.
func (s *Snapshot) hold(at unsafe.Pointer, t reflect.Type, n int) {
	if n == 0 || t.Size() == 0 {
		return
	}
	if s.n == len(s.parts) {
		s.parts = append(s.parts, part{})
	}
	p := &s.parts[s.n]
	s.n++
	if p.typ != t || p.held.Cap() < n {
		p.held = reflect.MakeSlice(reflect.SliceOf(t), n, n)
	}
	p.at, p.typ, p.n = at, t, n
	if s.isPlain(t) {
		copy(p.copied(), p.live())
		return
	}
	reflect.Copy(p.held, reflect.SliceAt(t, at, n))
}

// live returns the bytes of the values, which must not be written if there are pointers in them.
func (p *part) live() []byte { return unsafe.Slice((*byte)(p.at), p.n*int(p.typ.Size())) }

// copied returns the bytes of the copy, likewise.
func (p *part) copied() []byte {
	return unsafe.Slice((*byte)(p.held.UnsafePointer()), p.n*int(p.typ.Size()))
}

// Restore puts everything back. It writes only what has changed: what is shared with other
// goroutines, which all only read it, can be part of a Snapshot.
func (s *Snapshot) Restore() {
	for i := range s.parts[:s.n] {
		p := &s.parts[i]
		if !bytes.Equal(p.live(), p.copied()) {
			reflect.Copy(reflect.SliceAt(p.typ, p.at, p.n), p.held)
		}
	}
}
