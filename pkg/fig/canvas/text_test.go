package canvas

import (
	"testing"
)

func TestText(t *testing.T) {
	sty := Write(10, Ink)
	// A character without a glyph must not vanish.
	if sty.Width("日") <= 0 || len(regular().glyph('日').segments) == 0 {
		t.Error("a character that the font lacks is invisible")
	}
	for _, r := range "≥≤→⁻⁰¹²³⁴⁵⁶⁷⁸⁹·δ…ε" {
		if i, err := regular().font.GlyphIndex(nil, r); err != nil || i == 0 {
			t.Errorf("the font has no %c", r)
		}
	}
	if got := Wrap(sty, "aa bb cc", sty.Width("aa bb")); got != "aa bb\ncc" {
		t.Errorf("wrapped: %q", got)
	}
	if got := Wrap(sty, "pulls at x = 1", sty.Width("pulls at x =")); got != "pulls at\nx = 1" {
		t.Errorf("wrapped around a relation: %q", got)
	}
	for width, want := range map[string]string{"long n…2": "long n…2", "long…2": "long…2", "l": "l…", "": "l…", "long name 2": "long name 2"} { // at least one letter
		if got := Clip(sty, "long name 2", sty.Width(width)+.1); got != want {
			t.Errorf("clipped to the width of %q: %q; want %q", width, got, want)
		}
	}
	for _, r := range []string{"=", "≤", "≥", "<", ">"} { // sides of a relation stay together
		if got := Wrap(sty, "x "+r+" 1 a", 1); got != "x "+r+" 1\na" {
			t.Errorf("wrapped: %q", got)
		}
	}
	if got := Wrap(sty, "a\nb  c\n\nd\n", sty.Width("b c")); got != "a\nb c\n\nd\n" {
		t.Errorf("paragraphs: %q", got)
	}
	if got := Pretty("IgG >= 8 ->\nx"); got != "IgG ≥ 8 → x" {
		t.Errorf("pretty: %q", got)
	}
}

// Lacks finds names in scripts that the font of PNG figures lacks.
func TestLacks(t *testing.T) {
	for s, want := range map[string]bool{"α ≥ β, 5 µm²\n": false, "日本語": true, "\U0001F9EA": true} {
		if Lacks(s) != want {
			t.Errorf("%q: %v", s, !want)
		}
	}
}
