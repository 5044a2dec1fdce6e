package digest

import (
	"crypto/sha256"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// knob is a policy whose name does not say its settings.
type knob struct {
	Level  float64
	Means  *mat.Dense
	Inner  struct{ N int }
	Levels []float64
	Rule   func()
	secret int
}

// Policies that differ in any setting have different digests, so that kept rows are not taken for
// those of other settings.
func TestSettings(t *testing.T) {
	base := func() *knob {
		return &knob{Level: .5, Means: mat.NewDense(1, 2, []float64{1, 2}), Levels: []float64{1}}
	}
	same := base()
	same.secret = 7
	if Settings(base()) != Settings(same) {
		t.Error("what is not exported changes the digest")
	}
	for name, change := range map[string]func(*knob){
		"a number":  func(k *knob) { k.Level = .6 },
		"a matrix":  func(k *knob) { k.Means = mat.NewDense(1, 2, []float64{1, 3}) },
		"no matrix": func(k *knob) { k.Means = nil },
		"a struct":  func(k *knob) { k.Inner.N = 1 },
		"a slice":   func(k *knob) { k.Levels = []float64{1, 2} },
	} {
		other := base()
		change(other)
		if Settings(base()) == Settings(other) {
			t.Errorf("%s: the digest is the same", name)
		}
	}
}

// A policy that holds itself has a digest.
func TestCycle(t *testing.T) {
	type ring struct {
		N    int
		Next *ring
	}
	of := func(n int) *ring {
		r := &ring{N: n}
		r.Next = r
		return r
	}
	one, same, other := Settings(of(1)), Settings(of(1)), Settings(of(2))
	if one != same || one == other {
		t.Error("digests do not tell rings apart")
	}
}

// The type of settings is a part of them.
func TestTypes(t *testing.T) {
	type low struct{ N int }
	type high struct{ N int }
	if Settings(low{1}) == Settings(high{1}) {
		t.Error("settings of two types have one digest")
	}
}

// A matrix is its shape and its numbers, of which 0 has two.
func TestMatrix(t *testing.T) {
	of := func(m *mat.Dense) string {
		h := sha256.New()
		Matrix(h, m)
		return Sum(h)
	}
	row := of(mat.NewDense(1, 2, []float64{0, 1}))
	if of(mat.NewDense(2, 1, []float64{0, 1})) == row || of(nil) == row {
		t.Error("matrices of two shapes have one digest")
	}
	if of(mat.NewDense(1, 2, []float64{math.Copysign(0, -1), 1 + 1e-15})) != row {
		t.Error("the sign of 0, or the last bits of a number, change the digest")
	}
	if of(mat.NewDense(1, 2, []float64{0, 1 + 1e-8})) == row {
		t.Error("other numbers have the same digest")
	}
}
