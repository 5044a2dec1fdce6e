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

// calls are the functions that a page can call, by name.
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

// Tell reports progress: done of a total in the same unit; of is zero if the total is unknown.
type Tell func(done, of float64)

// Number is a number that may be NaN or infinite, which is null in JSON.
type Number float64

// MarshalJSON encodes the number, or null.
func (n Number) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// numbers converts a slice of floats.
func numbers(v []float64) []Number {
	n := make([]Number, len(v))
	for i := range v {
		n[i] = Number(v[i])
	}
	return n
}

type call func(request []byte, tell Tell) (any, error)

// typed makes a call from a function whose request and answer are structs.
func typed[Q, A any](f func(*Q, Tell) (*A, error)) call {
	return func(request []byte, tell Tell) (any, error) {
		q := new(Q)
		if err := strictjson.Unmarshal(request, q, strictjson.Known); err != nil {
			return nil, fmt.Errorf("the request cannot be read: %w", err)
		}
		a, err := f(q, tell)
		if err != nil {
			return nil, err
		}
		return a, nil
	}
}

// Names returns the names of the calls in ascending order.
func Names() []string { return slices.Sorted(maps.Keys(calls)) }

// Do makes the named call. The answer is the JSON {"answer": ...} or {"error": "what went wrong"}.
// The function tell may be nil; Do calls it at most ten times a second.
func Do(name string, request []byte, tell Tell) (answer []byte) {
	fail := func(err error) []byte {
		text, _ := json.Marshal(map[string]string{"error": fmt.Sprintf("%s: %v", name, err)})
		return text
	}
	// A panic in one call must not end the worker, because later calls need the worker.
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

// throttled returns a Tell that passes on at most one call in 100 ms.
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
