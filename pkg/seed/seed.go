// Package seed identifies random streams by names.
//
//	noise := seed.New(1).Child("covboost", 17).Child("noise") // a Seed, a plain value
//	rnd := rand.New(noise.Source())                          // its stream, from the start
//
// A stream is identified by a root seed and a path of names and numbers, such as (1, "covboost",
// 17, "noise"). Different paths give independent streams, and the same path always gives the same
// stream. Streams share no state. Therefore, the numbers of replicate 17 depend neither on the
// number of workers, nor on the order of replicates, nor on the other policies in a study.
package seed

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// A Seed is a node in the tree of random streams. The zero value is a valid seed, which differs
// from New(0).
type Seed struct{ hi, lo uint64 }

// New returns the root of a tree of streams.
func New(root uint64) Seed { return Seed{}.Child("root", root) }

// Child returns the seed at the end of path below s. The elements of path are strings or integers
// (int, int64, uint64); Child panics on any other type. Elements are delimited: the path ("ab",
// "c") differs from ("a", "bc"), and the string "1" differs from the number 1.
func (s Seed) Child(path ...any) Seed {
	buf := make([]byte, 16, 64)
	binary.LittleEndian.PutUint64(buf, s.hi)
	binary.LittleEndian.PutUint64(buf[8:], s.lo)
	for _, e := range path {
		switch e := e.(type) {
		case string:
			buf = append(buf, 's')
			buf = binary.LittleEndian.AppendUint64(buf, uint64(len(e)))
			buf = append(buf, e...)
		case int:
			buf = binary.LittleEndian.AppendUint64(append(buf, 'i'), uint64(e))
		case int64:
			buf = binary.LittleEndian.AppendUint64(append(buf, 'i'), uint64(e))
		case uint64:
			buf = binary.LittleEndian.AppendUint64(append(buf, 'i'), e)
		default:
			panic(fmt.Sprintf("seed: path element %v is a %[1]T; expected a string or an integer", e))
		}
	}
	h := sha256.Sum256(buf)
	return Seed{binary.LittleEndian.Uint64(h[:]), binary.LittleEndian.Uint64(h[8:])}
}

// PCG returns a new generator at the beginning of the stream of s.
func (s Seed) PCG() *rand.PCG { return rand.NewPCG(s.hi, s.lo) }

// Source returns the result of PCG as the interface type that policies and samplers use.
func (s Seed) Source() rand.Source { return s.PCG() }

// String returns the seed as 32 hexadecimal digits.
func (s Seed) String() string { return fmt.Sprintf("%016x%016x", s.hi, s.lo) }
