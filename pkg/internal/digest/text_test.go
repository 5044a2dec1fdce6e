package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"gonum.org/v1/gonum/mat"
)

// of is the digest of a text.
func of(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:16]
}

// Rows are kept under the digests of settings: what is hashed is this text, however long it is, and
// another one would make all rows those of other settings.
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

	const long = 9000 // several times what is hashed at once
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
