package campaign

import (
	"errors"
	"fmt"
	"strings"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
)

// Errors about the file of a campaign.
var (
	// ErrForeign reports a file that is no campaign.
	ErrForeign = events.ErrForeign
	// ErrNewer reports a file written by a later version of purexp.
	ErrNewer = events.ErrNewer
	// ErrDamaged reports a campaign that is incomplete or was edited.
	ErrDamaged = events.ErrDamaged
	// ErrFull reports a full or failing disk.
	ErrFull = events.ErrFull
	// ErrBusy reports that other programs locked the file for too long; nothing was written.
	ErrBusy = events.ErrBusy
	// ErrReadOnly reports that the file or its folder is read-only.
	ErrReadOnly = events.ErrReadOnly
	// ErrMoved reports that the file was removed or replaced.
	ErrMoved = events.ErrMoved
	// ErrForeignLog reports that the log beside the file belongs to another file; SQLite would
	// merge it.
	ErrForeignLog = events.ErrForeignLog
)

// Errors about requests and results. After them nothing has changed.
var (
	// ErrInput reports an invalid value, name or number. The error is, or wraps, InputErrors.
	ErrInput = errors.New("this cannot be")
	// ErrConflict reports a contradiction to the record, such as another value for a reported
	// ticket, or a plate that is not the ticket's. For results, the error is, or wraps,
	// InputErrors.
	ErrConflict = errors.New("this contradicts what is on record")
	// ErrOther reports a problem other than the campaign's.
	ErrOther = errors.New("the campaign was started with another problem")
)

// An InputError describes an error in one field of a result.
type InputError struct {
	// Where names the result: "results.csv:7" or "result 3".
	Where string `json:"where,omitempty"`
	// Row is the number of the result in the report, from 1.
	Row int `json:"row"`
	// Field is ticket, plate, arm, id, note, who or the name of an objective.
	Field string `json:"field,omitempty"`
	// Text says what is wrong and how to fix it.
	Text string `json:"text"`
	// Conflict says that it wraps ErrConflict instead of ErrInput.
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

// InputErrors are the errors of results, in order; at most twenty.
type InputErrors []*InputError

// mostErrors is the largest number of listed errors.
const mostErrors = 20

// Error returns one line for each error.
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

// input returns an error about a field that does not belong to a result.
func input(field, format string, args ...any) error {
	return InputErrors{{Field: field, Text: fmt.Sprintf(format, args...)}}
}

// conflict returns an error that wraps ErrConflict.
func conflict(format string, args ...any) error {
	return fmt.Errorf("campaign: %s: %w", fmt.Sprintf(format, args...), ErrConflict)
}
