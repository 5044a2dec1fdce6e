// Package plaintext decides which names and notes are allowed, which names look alike, and how to
// show text from older files or other programs on a terminal.
//
//	err := plaintext.Name("Ada")     // an error for invisible or confusable characters
//	plaintext.Skeleton("А") == "A"   // Cyrillic and Latin
//	fmt.Println(plaintext.Shown(s))  // ESC is written \u001b
package plaintext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// control reports whether a rune controls a terminal or changes the writing direction of a line.
func control(r rune) bool {
	return unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' ||
		r == '\u2028' || r == '\u2029'
}

func invisible(r rune) bool {
	return control(r) || unicode.In(r, unicode.Cf, unicode.Co, unicode.Other_Default_Ignorable_Code_Point,
		unicode.Variation_Selector)
}

// Name returns an error unless text is a single line of visible letters that cannot be confused
// with other letters.
func Name(text string) error {
	for i, r := range text {
		if r == utf8.RuneError {
			return fmt.Errorf("%+q is not valid UTF-8 text; encode it as UTF-8", text)
		}
		if invisible(r) {
			return fmt.Errorf("%+q contains the invisible character %U at byte %d; remove it", text, r, i)
		}
	}
	apart := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }
	for word := range strings.FieldsFuncSeq(text, apart) {
		latin := strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
		if i := strings.IndexFunc(word, func(r rune) bool { return alike[r] != 0 }); latin && i >= 0 {
			r, _ := utf8.DecodeRuneInString(word[i:])
			return fmt.Errorf("%+q contains %U, which looks like %c, among Latin letters; write %[3]c", text, r,
				alike[r])
		}
	}
	return nil
}

// Note returns an error if text has a control character other than a line end or a tab.
func Note(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%+q is not valid UTF-8 text; encode it as UTF-8", text)
	}
	for i, r := range text {
		if control(r) && r != '\n' && r != '\t' {
			return fmt.Errorf("%+q contains the control character %U at byte %d; remove it", text, r, i)
		}
	}
	return nil
}

// Shown returns text with control characters written as escapes, such as \u001b for ESC.
func Shown(text string) string {
	if Note(text) == nil {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if control(r) && r != '\n' && r != '\t' {
			fmt.Fprintf(&b, "\\u%04x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Skeleton returns the same text for names that look the same. In the result, letters, digits,
// spaces and punctuation have their plain form (NFKC), and Latin letters replace similar-looking
// letters of other scripts.
func Skeleton(name string) string {
	var b strings.Builder
	for _, r := range norm.NFC.String(name) {
		switch {
		case invisible(r):
		case alike[r] != 0:
			b.WriteRune(alike[r])
		case r >= 0x80 && unicode.In(r, unicode.L, unicode.Nd, unicode.Zs, unicode.P):
			b.WriteString(norm.NFKC.String(string(r)))
		default:
			b.WriteRune(r)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// alike maps letters of other scripts to Latin letters that look the same. Greek lower-case letters
// other than omicron are not included, because laboratories use Greek letters within Latin text.
var alike = func() map[rune]rune {
	m := map[rune]rune{}
	for _, pair := range [][2]string{
		{"АВЕЅІЈКМНОРСТУХаеѕіјорсухԁԛԝһӀ", "ABESIJKMHOPCTYXaesijopcyxdqwhI"}, // Cyrillic letters
		{"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo"},                               // Greek letters
	} {
		latin := []rune(pair[1])
		for i, r := range []rune(pair[0]) {
			m[r] = latin[i]
		}
	}
	return m
}()
