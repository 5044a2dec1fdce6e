package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A command that fails is executed as often as it is to be, and no more.
func TestMeasureAttempts(t *testing.T) {
	for retries, want := range map[int]int{-1: 1, 0: 2, 3: 4} {
		r := script(t, `echo x >> attempts; exit 1`)
		r.Retries = retries
		if _, err := r.Measure(context.Background(), Job{Ticket: 1, Arm: "a"}); err == nil {
			t.Error("a command that fails has a value")
		}
		b, err := os.ReadFile(filepath.Join(r.Dir, "attempts"))
		if got := strings.Count(string(b), "x"); err != nil || got != want {
			t.Errorf("%d retries: %d attempts, %v; want %d", retries, got, err, want)
		}
	}
}

// A run is given up after failures in a row; those that are far apart do not add up.
func TestRunFailuresApart(t *testing.T) {
	c := begunWith(t, strings.Replace(flags, "sd = 0.2", "sd = 1", 1))
	r := script(t, `[ $((PUREXP_TICKET % 3)) = 0 ] && exit 1; `+times)
	r.Retries = -1
	sum, err := Run(t.Context(), c, r, Settings{As: "node7", Failures: 2})
	if err != nil || !sum.Finished || sum.Failed < 2 {
		t.Errorf("every third fails: %+v, %v", sum, err)
	}
	// Two of three fail, and never three in a row.
	c = begunWith(t, strings.Replace(flags, "sd = 0.2", "sd = 1", 1))
	r = script(t, `[ $((PUREXP_TICKET % 3)) != 0 ] && exit 1; `+times)
	r.Retries = -1
	if sum, err = Run(t.Context(), c, r, Settings{As: "node7", Failures: 3, Limit: 12}); err != nil || sum.Failed != 8 {
		t.Errorf("two of three fail: %+v, %v", sum, err)
	}
	c = begun(t)
	r = script(t, `[ $PUREXP_TICKET -ge 2 ] && exit 1; `+times)
	r.Retries = -1
	if sum, err := Run(t.Context(), c, r, Settings{As: "node7", Failures: 2}); !errors.Is(err,
		ErrFailures) || sum.Failed != 2 || sum.Made != 3 {
		t.Errorf("all but the first fail: %+v, %v", sum, err)
	}
}
