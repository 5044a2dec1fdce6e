package live

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/purexp/purexp/pkg/internal/strictjson"
)

// calls maps names to the functions that a page can call.
var calls = map[string]call{
	"bound":          typed(bound),
	"design":         typed(designOf),
	"draft":          typed(draftOf),
	"plan":           typed(planOf),
	"problem-fields": typed(problemFields),
	"problem-text":   typed(problemText),
	"run":            typed(run),
	"table":          typed(tableOf),
}

// Tell reports progress: done is the finished part of the total amount of work, in the same unit.
// If the total is unknown, it is 0.
type Tell func(done, of float64)

// Number is a number that may be NaN or infinite; JSON encodes such values as null.
type Number float64

// MarshalJSON encodes finite numbers as numbers, and all other numbers as null.
func (n Number) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// numbers converts a slice of floats to a slice of Number.
func numbers(v []float64) []Number {
	n := make([]Number, len(v))
	for i := range v {
		n[i] = Number(v[i])
	}
	return n
}

type call func(request []byte, tell Tell) (any, error)

// typed converts a function with structs as request and answer to a call with JSON texts.
func typed[Q, A any](f func(*Q, Tell) (*A, error)) call {
	return func(request []byte, tell Tell) (any, error) {
		q := new(Q)
		if err := strictjson.Unmarshal(request, q, strictjson.Known); err != nil {
			return nil, fmt.Errorf("the request is invalid: %w", err)
		}
		a, err := f(q, tell)
		if err != nil {
			return nil, err
		}
		return a, nil
	}
}

// Names returns the names of all calls in ascending order.
func Names() []string { return slices.Sorted(maps.Keys(calls)) }

// Do executes the call with the given name. The answer is the JSON {"answer": ...} or {"error":
// "what went wrong"}. The function tell may be nil; otherwise, Do calls it at most ten times a
// second.
func Do(name string, request []byte, tell Tell) (answer []byte) {
	fail := func(err error) []byte {
		text, _ := json.Marshal(map[string]string{"error": fmt.Sprintf("%s: %v", name, err)})
		return text
	}
	// A panic in one call must not end the worker, which also serves later calls.
	defer func() {
		if r := recover(); r != nil {
			answer = fail(fmt.Errorf("this is a bug in purexp; please report it: %v", r))
		}
	}()
	f := calls[name]
	if f == nil {
		return fail(fmt.Errorf("unknown call; the calls are %s", strings.Join(Names(), ", ")))
	}
	result, err := f(request, throttled(tell))
	if err != nil {
		return fail(err)
	}
	text, err := json.Marshal(map[string]any{"answer": result})
	if err != nil {
		return fail(err)
	}
	return text
}

// throttled returns a Tell that forwards at most one report every 100 ms.
func throttled(tell Tell) Tell {
	if tell == nil {
		return func(float64, float64) {}
	}
	last := time.Now()
	return func(done, of float64) {
		if now := time.Now(); now.Sub(last) >= 100*time.Millisecond {
			last = now
			tell(done, of)
		}
	}
}
