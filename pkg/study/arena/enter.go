package arena

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/study"
)

// Own returns a method for Compare, given a function that returns your policy for an error
// probability.
func Own[P explore.Policy](name string, new func(delta float64) P) study.Method {
	return study.Method{Name: name, Constants: Guaranteed,
		New: func(t study.Task) explore.Policy { return new(t.Delta) }}
}

// Enter writes the tables of Compare as text, with a row for the method m. The tables are for the
// given questions, or for all questions that m can answer. The command "purexp arena" calls Enter.
func Enter(ctx context.Context, w io.Writer, m study.Method, reps int, qs ...Question) error {
	all, found := len(qs) == 0, false
	if all {
		qs = Questions()
	}
	for _, q := range qs {
		ts, err := Compare(ctx, q, reps, m)
		if errors.Is(err, ErrUnsuited) && all {
			continue
		}
		if err != nil {
			return err
		}
		found = true
		if _, err := fmt.Fprintln(w, ts[0].Text()); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("%w: %q", ErrUnsuited, m.Name)
	}
	return nil
}
