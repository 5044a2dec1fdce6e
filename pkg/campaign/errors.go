package campaign

import (
	"errors"
	"fmt"
	"strings"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
)

// What can be wrong with the file of a campaign.
var (
	// ErrForeign: it is no campaign.
	ErrForeign = events.ErrForeign
	// ErrNewer: a later version of purexp wrote it.
	ErrNewer = events.ErrNewer
	// ErrDamaged: it was a campaign, and is not whole or was edited.
	ErrDamaged = events.ErrDamaged
	// ErrFull: there is no room on the disk, or the disk fails.
	ErrFull = events.ErrFull
	// ErrBusy: other programs kept it for too long; nothing was written.
	ErrBusy = events.ErrBusy
	// ErrReadOnly: it, or its folder, may not be written.
	ErrReadOnly = events.ErrReadOnly
	// ErrMoved: another file is where it was, or none.
	ErrMoved = events.ErrMoved
	// ErrForeignLog: the log beside the file, which SQLite would put into it, is of another one.
	ErrForeignLog = events.ErrForeignLog
)

// What can be wrong with what is asked or told. Nothing is taken then.
var (
	// ErrInput: a value, a name or a number cannot be. The error is, or wraps, InputErrors.
	ErrInput = errors.New("this cannot be")
	// ErrConflict: it contradicts what is on record, such as another value for a ticket that was
	// told, or a plate that is not the one of the ticket. The error is, or wraps, InputErrors where
	// it is about a result.
	ErrConflict = errors.New("this contradicts what is on record")
	// ErrOther: the problem is not the one that the campaign was begun with.
	ErrOther = errors.New("the campaign was begun with another problem")
)

// An InputError says what is wrong with one field of a result.
type InputError struct {
	// Where names the result: "results.csv:7" or "result 3".
	Where string `json:"where,omitempty"`
	// Row is the number of the result among those that were told, from 1.
	Row int `json:"row"`
	// Field is ticket, plate, arm, id, note, who or the name of an objective.
	Field string `json:"field,omitempty"`
	// Text says what is wrong and what to do.
	Text string `json:"text"`
	// Conflict says that it wraps ErrConflict, and not ErrInput.
	Conflict bool `json:"conflict,omitempty"`
}

// Error returns "where: field: text".
func (e *InputError) Error() string {
	var parts []string
	for _, s := range []string{e.Where, e.Field, e.Text} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ": ")
}

// Unwrap returns ErrConflict or ErrInput.
func (e *InputError) Unwrap() error {
	if e.Conflict {
		return ErrConflict
	}
	return ErrInput
}

// InputErrors are all the things that are wrong with results, in their order; at most twenty.
type InputErrors []*InputError

// mostErrors is the largest number of errors that are listed.
const mostErrors = 20

// Error returns one line an error.
func (e InputErrors) Error() string {
	lines := make([]string, len(e))
	for i := range e {
		lines[i] = e[i].Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors.
func (e InputErrors) Unwrap() []error {
	all := make([]error, len(e))
	for i := range e {
		all[i] = e[i]
	}
	return all
}

// input returns an error about one field that is no result.
func input(field, format string, args ...any) error {
	return InputErrors{{Field: field, Text: fmt.Sprintf(format, args...)}}
}

// conflict returns an error that wraps ErrConflict.
func conflict(format string, args ...any) error {
	return fmt.Errorf("campaign: %s: %w", fmt.Sprintf(format, args...), ErrConflict)
}
