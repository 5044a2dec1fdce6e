// Package snapshot saves and restores the state of a value, so that a computation can be tried and
// undone.
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

// A Snapshot is a copy of all memory that can be reached from a pointer. A Snapshot copies structs,
// slices up to their length, and the targets of pointers and interfaces, in exported and unexported
// fields. Types need no methods to support snapshots. Cyclic pointers and shared memory are
// allowed.
//
// A Snapshot does not contain maps or variables captured by functions. Therefore, maps and captured
// variables of a policy may contain only constant data, such as cached designs for pairs of arms.
//
// Each call of Take reuses the memory of the previous call. The zero value of Snapshot is ready to
// use.
type Snapshot struct {
	// Except lists types of pointers that are not followed, because a trial does not change their
	// targets, or because changes of their targets need not be undone.
	Except []reflect.Type

	parts []part
	n     int                   // number of parts in use
	seen  map[pointer]bool      // pointers already followed
	plain map[reflect.Type]bool // by type: whether values of the type contain no pointers
}

// A pointer is an address with a type; the type distinguishes a struct from its first field.
type pointer struct {
	at  unsafe.Pointer
	typ reflect.Type
}

// A part of a Snapshot is a copy of n consecutive values of a type.
type part struct {
	at   unsafe.Pointer
	typ  reflect.Type
	n    int
	held reflect.Value // slice with copies of the values
}

// Take saves the memory reachable from the pointer p.
func (s *Snapshot) Take(p any) {
	if s.plain == nil {
		s.seen, s.plain = map[pointer]bool{}, map[reflect.Type]bool{}
	}
	clear(s.seen)
	s.n = 0
	s.follow(reflect.ValueOf(p))
}

// follow saves the memory reachable from v, but not v itself.
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

// elements saves the memory reachable from the elements of v.
func (s *Snapshot) elements(v reflect.Value) {
	if !s.isPlain(v.Type().Elem()) {
		for i := range v.Len() {
			s.follow(v.Index(i))
		}
	}
}

// isPlain reports whether values of a type contain no pointers.
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

// hold copies n values of type t at the address at.
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

// live returns the current values as bytes. If the values contain pointers, the caller must not
// write the returned bytes.
func (p *part) live() []byte { return unsafe.Slice((*byte)(p.at), p.n*int(p.typ.Size())) }

// copied returns the copied values as bytes. If the values contain pointers, the caller must not
// write the returned bytes.
func (p *part) copied() []byte {
	return unsafe.Slice((*byte)(p.held.UnsafePointer()), p.n*int(p.typ.Size()))
}

// Restore restores all memory that Take saved. Only changed parts are written, so that a Snapshot
// may contain memory that other goroutines read concurrently.
func (s *Snapshot) Restore() {
	for i := range s.parts[:s.n] {
		p := &s.parts[i]
		if !bytes.Equal(p.live(), p.copied()) {
			reflect.Copy(reflect.SliceAt(p.typ, p.at, p.n), p.held)
		}
	}
}
