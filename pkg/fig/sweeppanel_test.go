package fig

import (
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/fig/canvas"
)

// many returns a panel with nine methods. The first method is grey, and two methods have equal points.
func many() SweepPanel {
	p := growing(strings.Split("abcdefghi", "")...)
	p.Series[0].Grey = true
	p.Series[2].Points = p.Series[1].Points
	return p
}

// At most seven lines have a colour and a name. The other lines are grey, and the note lists these lines.
func TestSweepColours(t *testing.T) {
	panels, palette := inColour([]SweepPanel{many(), growing("b", "x")}, Palette{"z"})
	for i, s := range panels[0].Series {
		if want := i == 0 || i > canvas.Hues; s.Grey != want {
			t.Errorf("%s is grey: %v", s.Name, s.Grey)
		}
	}
	if !slices.Equal(palette, Palette{"z", "b", "c", "d", "e", "f", "g", "h", "x"}) {
		t.Errorf("the palette is %q; want only what has a colour", palette)
	}
	f := must(Sweep([]SweepPanel{many()}, nil))
	notes := strings.Join(f.Notes, " ")
	for _, want := range []string{"Grey: a; i.", "On one line: b and c."} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes %q; want %q", notes, want)
		}
	}
	var named []string
	for _, n := range (endNames{SweepPanel: &panels[0], palette: palette}).names() {
		named = append(named, n.name)
	}
	if got := strings.Join(named, ","); got != "b,c,d,e,f,g,h,lower bound" {
		t.Errorf("names at the ends of lines: %s", got)
	}
	if many().Series[8].Grey {
		t.Error("the series of the caller are changed")
	}
}

// An axis includes the lowest end of a bar; a logarithmic axis ignores an end at 0.
func TestSweepLimits(t *testing.T) {
	p := SweepPanel{Series: []SweepSeries{{Points: []SweepPoint{{X: 1, Center: 8, Lo: 0, Hi: 9}, {X: 2, Center: 7, Lo: 5, Hi: 8}}}}, References: []SweepSeries{{Points: []SweepPoint{{X: 1, Center: 6}, {X: 2, Center: 12}, {X: 3, Center: 7}}}}}
	least, _ := p.limits(false)
	if lo, hi := p.limits(true); lo != 5 || hi != 12 || least != 0 {
		t.Errorf("from %v, or %v on a logarithmic axis, to %v; want 0, 5 and 12", least, lo, hi)
	}
}

// A line that another line covers is drawn wider, so it stays visible on both sides.
func TestSweepTogether(t *testing.T) {
	p := many()
	if got := []int{p.above(1), p.above(2), p.above(3)}; !slices.Equal(got, []int{0, 1, 0}) {
		t.Errorf("lines above the second, third, fourth: %v", got)
	}
	p.Series[2].Grey = true
	if p.above(2) != 0 || p.together() != nil {
		t.Error("a grey line counts")
	}
}
