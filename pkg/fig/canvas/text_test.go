package canvas

import "testing"

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
	if got := Clip(sty, "long name", sty.Width("long…")+.1); got != "long…" {
		t.Errorf("clipped: %q", got)
	}
	if got := Pretty("IgG >= 8 ->\nx"); got != "IgG ≥ 8 → x" {
		t.Errorf("pretty: %q", got)
	}
}
