package runner

import (
	"errors"
	"strings"
	"testing"
)

// Several failures in a row end a run; failures that are not in a row do not add up.
func TestRunFailuresApart(t *testing.T) {
	c := begunWith(t, strings.Replace(flags, "sd = 0.2", "sd = 1", 1))
	r := script(t, `[ $((PUREXP_TICKET % 3)) = 0 ] && exit 1; `+times)
	r.Retries = -1
	sum, err := Run(t.Context(), c, r, Settings{As: "node7", Failures: 2})
	if err != nil || !sum.Finished || sum.Failed < 2 {
		t.Errorf("every third fails: %+v, %v", sum, err)
	}
	// Two of three measurements fail, but never three in a row.
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
