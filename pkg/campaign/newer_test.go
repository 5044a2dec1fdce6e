package campaign

import (
	"bytes"
	"errors"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
)

// A field that this program does not know is of a later version, and no damage.
func TestNewerFields(t *testing.T) {
	text := bytes.Replace(coupling(t).Encode(), []byte("{"), []byte(`{"mood":"good",`), 1)
	body := problemBody{ID: "x", Program: program(), Problem: text}
	_, err := create(t.TempDir()+"/x", coupling(t), func(tx *events.Tx) error {
		_, err := tx.Append("Ada", KindProblem, body)
		return err
	})
	if !errors.Is(err, ErrNewer) || errors.Is(err, ErrDamaged) {
		t.Errorf("%v; want that a later version wrote it", err)
	}
}
