package csvtable

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Guard returns the text of a cell such that no spreadsheet takes it for a formula: with an
// apostrophe before it if one would, as spreadsheets write it.
func Guard(s string) string {
	if formula(s) {
		return "'" + s
	}
	return s
}

// Unguard is the inverse of Guard.
func Unguard(s string) string {
	if strings.HasPrefix(s, "'") && formula(s) {
		return s[1:]
	}
	return s
}

// formula reports whether a spreadsheet would take s for a formula: it begins with
// =, +, -, @, a tab or a line break, and is no number. Text with apostrophes before
// one counts too, so that taking one away is the inverse of putting one there.
func formula(s string) bool {
	s = strings.TrimLeft(s, "'")
	first, n := utf8.DecodeRuneInString(s)
	if len(s) == n || !strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return false // a sign alone, such as "-", is none
	}
	_, err := strconv.ParseFloat(s, 64)
	return err != nil && !errors.Is(err, strconv.ErrRange)
}
