package problem

import (
	"errors"
	"strings"
	"testing"
)

// A reference has wells in each plate, and leaves some.
func TestReference(t *testing.T) {
	for _, x := range []struct {
		lab  string
		free int
		want string // of the error
	}{
		{`reference = "DMSO"`, 7, ""},
		{"reference = \" DMSO \"\nreference_wells = 2", 6, ""},
		{`reference = "B02"`, 7, ""},
		{"reference_wells = 2", 0, "c.toml:29: laboratory.reference_wells: 2, but there is no reference"},
		{"reference = \"DMSO\"\nreference_wells = 8", 0, "c.toml:30: laboratory.reference_wells: 8 of a plate of 8"},
		{"reference = \"DMSO\"\nreference_wells = -1", 0, "c.toml:30: laboratory.reference_wells: -1"},
		{`reference = "a\u0007b"`, 0, "c.toml:29: laboratory.reference: "},
	} {
		p, err := Parse("c.toml", []byte(strings.Replace(catalysts, "plate = 8", "plate = 8\n"+x.lab, 1)),
			files(map[string]string{"catalysts.csv": catalystTable}))
		var wrong Errors
		switch {
		case x.want != "":
			if !errors.As(err, &wrong) || len(wrong) != 1 || !strings.HasPrefix(err.Error(), x.want) {
				t.Errorf("%s: %v; want %s", x.lab, err, x.want)
			}
		case err != nil:
			t.Error(err)
		case p.Laboratory.Free() != x.free || p.Laboratory.References(1) != 0:
			t.Errorf("%s: %d wells are free; want %d", x.lab, p.Laboratory.Free(), x.free)
		}
	}
}
