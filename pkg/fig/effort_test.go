package fig

import (
	"fmt"
	"strings"
	"testing"
)

func spent() []ArmEffort {
	return []ArmEffort{{"A01", 12, 2, 0}, {"A02", 40, 0, 3}, {"A03", 0, 0, 0}, {"A04", 7, 8, 1}}
}

func TestEffort(t *testing.T) {
	f := must(Effort(spent(), nil))
	want := "Measurements of 4 arms: 59 used, 10 pending, 4 failed or not used. Most on A02 (43), A04 (16), A01 (14)."
	if f.Description != want {
		t.Errorf("got  %s\nwant %s", f.Description, want)
	}
	if len(f.Legend) != 3 || len(f.Notes) != 0 {
		t.Errorf("%d entries, notes %q", len(f.Legend), f.Notes)
	}
	// Without pending and lost measurements, the legend has no entries for them.
	if f := must(Effort([]ArmEffort{{Name: "a"}}, nil)); len(f.Legend) != 1 {
		t.Errorf("%d entries for an arm that was not measured", len(f.Legend))
	}
	many := make([]ArmEffort, 35)
	for i := range many {
		many[i] = ArmEffort{Name: fmt.Sprint(i), Used: i}
	}
	f = must(Effort(many, nil))
	// The five arms with 0 to 4 measurements are left out.
	if full := must(Effort(many[5:], nil)); len(full.Notes) != 0 || !strings.Contains(full.Description, "Most on 34 (34), 33 (33), 32 (32), 31 (31), 30 (30).") {
		t.Errorf("thirty arms: notes %q, %s", full.Notes, full.Description)
	}
	if f := must(Effort(many[:2], nil)); !strings.HasSuffix(f.Description, "Most on 1 (1).") {
		t.Errorf("an arm without measurements is among those with the most: %s", f.Description)
	}
	if want := "The 30 arms with the most of 35; the others have 10 together."; len(f.Notes) != 1 ||
		f.Notes[0] != want {
		t.Errorf("notes %q; want %q", f.Notes, want)
	}
}
