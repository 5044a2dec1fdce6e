package campaign

import (
	"errors"
	"fmt"
	"strings"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
)

// The following errors are about a campaign file.
var (
	// ErrForeign reports a file that is not a campaign.
	ErrForeign = events.ErrForeign
	// ErrNewer reports a campaign file written by a later version of purexp.
	ErrNewer = events.ErrNewer
	// ErrDamaged reports a campaign file that is incomplete or was edited.
	ErrDamaged = events.ErrDamaged
	// ErrFull reports a full or failing disk.
	ErrFull = events.ErrFull
	// ErrBusy reports that other programs locked the file for too long; nothing was written.
	ErrBusy = events.ErrBusy
	// ErrReadOnly reports that the campaign file or its folder is read-only.
	ErrReadOnly = events.ErrReadOnly
	// ErrMoved reports that the campaign file was removed or replaced while it was open.
	ErrMoved = events.ErrMoved
	// ErrForeignLog reports that the SQLite log next to the file belongs to another file. If the
	// file were opened, SQLite would merge the data of the other file.
	ErrForeignLog = events.ErrForeignLog
)

// The following errors are about requests and results. When a method returns an error about a
// request or a result, the campaign is unchanged.
var (
	// ErrInput reports an invalid value, name or number. The returned error is, or wraps,
	// InputErrors.
	ErrInput = errors.New("the input is invalid")
	// ErrConflict reports a request that contradicts the record. Examples are two different values
	// for the same ticket, and a plate number that does not match the ticket. For conflicting
	// results, the returned error is, or wraps, InputErrors.
	ErrConflict = errors.New("this contradicts the record")
	// ErrOther reports a problem that differs from the problem of the campaign.
	ErrOther = errors.New("the campaign was started with a different problem")
)

// InputError describes an error in one field of a result or of another request.
type InputError struct {
	// Where locates the result, such as "results.csv:7" or "result 3".
	Where string `json:"where,omitempty"`
	// Row is the number of the result in the report, counted from 1, or 0 if the request is not a
	// result.
	Row int `json:"row"`
	// Field is the name of an objective, or a field such as "ticket", "plate", "arm" or "who".
	Field string `json:"field,omitempty"`
	// Text says what is wrong and how to fix it.
	Text string `json:"text"`
	// If Conflict is true, the error wraps ErrConflict; otherwise it wraps ErrInput.
	Conflict bool `json:"conflict,omitempty"`
}

// Error returns a text of the form "where: field: text".
func (e *InputError) Error() string {
	var parts []string
	for _, s := range []string{e.Where, e.Field, e.Text} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ": ")
}

// Unwrap returns ErrConflict if e.Conflict is true, and ErrInput otherwise.
func (e *InputError) Unwrap() error {
	if e.Conflict {
		return ErrConflict
	}
	return ErrInput
}

// InputErrors lists at most twenty errors in reported results, in order.
type InputErrors []*InputError

// mostErrors is the largest number of errors in an InputErrors.
const mostErrors = 20

// Error returns the texts of the errors in e, one per line.
func (e InputErrors) Error() string {
	return fmt.Sprint(errors.Join(e.Unwrap()...))
}

// Unwrap returns the errors in e, so that errors.Is and errors.As find them.
func (e InputErrors) Unwrap() []error {
	all := make([]error, len(e))
	for i := range e {
		all[i] = e[i]
	}
	return all
}

// input returns InputErrors with one error, about a field of a request that is not a result.
func input(field, format string, args ...any) error {
	return InputErrors{{Field: field, Text: fmt.Sprintf(format, args...)}}
}

// conflict returns an error that wraps ErrConflict, with a formatted message.
func conflict(format string, args ...any) error {
	return fmt.Errorf("campaign: %s: %w", fmt.Sprintf(format, args...), ErrConflict)
}
