package campaign

import (
	"errors"
	"strings"
	"testing"
)

// Wells of a reference that there is not, and as many as there cannot be, are no record.
func TestForgedReference(t *testing.T) {
	p := coupling(t)
	p.Laboratory.Plate, p.Laboratory.Reference = 4, "control"
	c := beginWith(t, p)
	tickets := ask(t, c, 4)
	tell(t, c, Result{Ticket: tickets[3].Ticket, Values: []float64{50, 2}})
	const was = `"reference":{"name":"control","wells":1}`
	for _, is := range []string{`"reference":{"name":"other","wells":1}`, `"reference":{"name":"control","wells":0}`, `"reference":{"name":"control","wells":10001}`} {
		if _, err := forged(t, c, was, is); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "which is none") {
			t.Errorf("%s: %v", is, err)
		}
	}
	if _, err := forged(t, c, `"values":[50,2]`, `"values":[50]`); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "references[0].values: 1; want 2") {
		t.Errorf("a value too few: %v", err)
	}
	if _, err := forged(t, c, `"ticket":4`, `"ticket":1`); !errors.Is(err, ErrDamaged) {
		t.Errorf("a ticket of a candidate: %v", err)
	}
}
