package plaintext

import "testing"

func TestNames(t *testing.T) {
	for _, good := range []string{"Ada", "Ада", "β-lactam", "ΔT 5 µm", "λmax", "Ångström", "名前 3", "σ²", "а-b"} {
		if err := Name(good); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"A\u200bda", "Ada\u200d", "\u202eadA", "A\x1b[2Jda", "A\x07", "A\r", "A\u0085", "\u00adAda", "A\u3164", "A\ufe0f", "A\u2028",
		"Аda", "Αda", "pН7", "\xff"} { // letters that look Latin are Cyrillic or Greek
		if Name(bad) == nil {
			t.Errorf("%+q is a name", bad)
		}
	}
	for a, b := range map[string]string{"А": "A", "ＡＢ": "AB", "A\u00a01": "A  1", "𝐀1": "A1", "Ada\u200b": "Ada", "ΑΒ": "AB", "СО": "CO"} {
		if Skeleton(a) != Skeleton(b) {
			t.Errorf("%+q and %+q look alike", a, b)
		}
	}
	for a, b := range map[string]string{"x²": "x2", "a": "A", "ν": "v", "å": "a"} {
		if Skeleton(a) == Skeleton(b) {
			t.Errorf("%q and %q do not look alike", a, b)
		}
	}
}

func TestNotes(t *testing.T) {
	for text, shown := range map[string]string{"two\nlines,\ta tab, 👩‍🔬": "two\nlines,\ta tab, 👩‍🔬", "\x1b[31mred\a\r\u009b": `\u001b[31mred\u0007\u000d\u009b`,
		"\u202etxt": `\u202etxt`} {
		if got := Shown(text); got != shown {
			t.Errorf("%q is shown as %q", text, got)
		}
		if err := Note(text); (err == nil) != (text == shown) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
