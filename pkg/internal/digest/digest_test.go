package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"testing"
	"unsafe"

	"gonum.org/v1/gonum/mat"
)

// knob is a policy whose name does not contain its settings.
type knob struct {
	Level  float64
	Means  *mat.Dense
	Inner  struct{ N int }
	Levels []float64
	Rule   func()
	secret int
}

// Policies that differ in any setting have different digests, so that stored rows are not used for other settings.
func TestSettings(t *testing.T) {
	base := func() *knob {
		return &knob{Level: .5, Means: mat.NewDense(1, 2, []float64{1, 2}), Levels: []float64{1}}
	}
	same := base()
	same.secret = 7
	if Settings(base()) != Settings(same) {
		t.Error("an unexported field changes the digest")
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

// A policy that refers to itself has a digest.
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
		t.Error("digests do not distinguish rings")
	}
}

// The digest includes the type of settings.
func TestTypes(t *testing.T) {
	type low struct{ N int }
	type high struct{ N int }
	if Settings(low{1}) == Settings(high{1}) {
		t.Error("settings of two types have one digest")
	}
}

// A matrix is hashed by its shape and its numbers; 0 and -0 are equal.
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

// of returns the digest of a text.
func of(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:16]
}

// Rows are stored under the digests of settings. If the hashed text of the same settings changed, the stored rows
// would no longer be found.
func TestText(t *testing.T) {
	type inner struct {
		N     int
		Names []string
	}
	type outer struct {
		Level  float64
		On     bool
		Inner  inner
		Next   *inner
		Means  mat.Matrix
		Levels []float64
		Pairs  [2]int
		By     map[string]int
		Rule   func()
		Done   chan int
		At     unsafe.Pointer
		Any    any
		None   any
		hidden int
	}
	v := outer{Level: 1. / 3, Inner: inner{2, []string{"a", "b"}}, Means: mat.NewDense(2, 1, []float64{1, 2e-7}),
		Levels: []float64{1.5, 2}, Pairs: [2]int{3, 4}, By: map[string]int{"z": 1, "c": 2}, Done: make(chan int), Any: &inner{N: 3}, hidden: 5}
	want := "digest.outer{Level:0.3333333333 On:false Inner:digest.inner{N:2 Names:2[a b ]}Next:nil " +
		"Means:2x1 1 2e-07 Levels:2[1.5 2 ]Pairs:2[3 4 ]By:map[c:2 z:1] Rule:func Done:chan At:unsafe.Pointer " +
		"Any:digest.inner{N:3 Names:0[]}None:nil }"
	if got := Settings(v); got != of(want) || got != Settings(&v) {
		t.Errorf("settings have the digest %s; want that of %s", got, want)
	}
	v.Next = &inner{N: 7}
	if want = strings.Replace(want, "Next:nil ", "Next:digest.inner{N:7 Names:0[]}", 1); Settings(v) != of(want) {
		t.Errorf("settings do not have the digest of %s", want)
	}

	const long = 9000 // long enough to flush the buffer several times
	numbers, names := make([]float64, long), make([]string, long)
	var one, other, spaced strings.Builder
	for i := range numbers {
		numbers[i], names[i] = float64(i)+.25, fmt.Sprint(i)
		fmt.Fprintf(&one, "%.10g ", numbers[i])
		fmt.Fprintf(&other, "%d ", i)
		fmt.Fprintf(&spaced, " %.10g", numbers[i])
	}
	h := sha256.New()
	Floats(h, numbers)
	if Sum(h) != of(one.String()) {
		t.Error("many numbers have another digest than their text")
	}
	if Settings(numbers) != of(fmt.Sprintf("%d[%s]", long, &one)) {
		t.Error("a long setting has another digest than its text")
	}
	if Settings(names) != of(fmt.Sprintf("%d[%s]", long, &other)) {
		t.Error("a setting of many names has another digest than its text")
	}
	h = sha256.New()
	Matrix(h, mat.NewDense(long/3, 3, numbers))
	if Sum(h) != of(fmt.Sprintf("%dx3%s", long/3, &spaced)) {
		t.Error("a large matrix has another digest than its text")
	}
	h = sha256.New()
	Matrix(h, nil)
	if Sum(h) != of("nil") {
		t.Error("no matrix has another digest than nil")
	}
}
