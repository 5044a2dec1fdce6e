package campaign

import (
	"errors"
	"strings"
	"testing"
)

// If a table of unsolicited results is reported again under the same name, possibly with added rows, each row is
// recorded once. Equal rows are two measurements, and a changed row is rejected.
func TestTellBatch(t *testing.T) {
	p := coupling(t)
	p.Method.Name = "e-cAPE"
	c := beginWith(t, p)
	const table = "candidate,yield,impurity\nA07,70,1\nA07,70,1\n,,\nB02,60,2\n"
	if _, err := c.TellSheet("old.csv", []byte(table), "Ada"); !errors.Is(err, ErrInput) ||
		!strings.Contains(err.Error(), "old.csv:2: id: ") || !strings.Contains(err.Error(), "--batch NAME") {
		t.Errorf("without a name: %v", err)
	}
	told := func(batch, text string, used, repeated int) {
		t.Helper()
		r, err := c.TellBatch(batch, "old.csv", []byte(text), "Ada")
		if err != nil || r.Used != used || r.Repeated != repeated {
			t.Errorf("%+v, %v; want %d used, %d repeated", r, err, used, repeated)
		}
	}
	told("2025", table, 3, 0)
	told("2025", table, 0, 3)
	told("2025", table+"C11,50,3\n", 1, 3)
	told("2024", table, 3, 0)
	told("  2024 ", table, 0, 3) // blanks around a name are ignored
	if s := status(t, c); s.Used != 7 {
		t.Errorf("%d measurements; want 7", s.Used)
	}
	for what, text := range map[string]string{
		"a value that changed": strings.Replace(table, "60,2", "61,2", 1),
		"a row put in":         strings.Replace(table, "A07", "C11,50,3\nA07", 1),
	} {
		_, err := c.TellBatch("2025", "old.csv", []byte(text), "Ada")
		if !errors.Is(err, ErrConflict) {
			t.Errorf("%s: %v", what, err)
		}
	}
	// Line numbers in ids are those of old.csv and include empty rows.
	must(t, c.Undo(status(t, c).Event, "a slip", "Ada"))
	if r := c.now.ledger.ids["2025:5"]; r == nil || r.Arm != "B02" {
		t.Errorf("2025:5 is %+v; want B02", r)
	}
	// An explicit id in the column id is kept.
	if _, err := c.TellBatch("2023", "ids.csv", []byte("candidate,yield,impurity,id\nA07,70,1,mine\nB02,60,2,\n"), "Ada"); err != nil ||
		c.now.ledger.ids["mine"] == nil || c.now.ledger.ids["2023:3"] == nil || c.now.ledger.ids["2023:2"] != nil {
		t.Errorf("a row with an id of its own: %v", err)
	}
	if _, err := c.TellBatch("a\nb", "old.csv", []byte(table), "Ada"); !errors.Is(err, ErrInput) {
		t.Errorf("a name of two lines: %v", err)
	}
	verified(t, c)
}
