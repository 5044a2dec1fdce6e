package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// label is the name of a policy with its settings, for tables, files and saved campaigns: those
// that it always has in parentheses, then the others, unless they are usual.
//
//	GEGE (delta 0.1, theory), scale 2, design mirror descent
func label(name, always string, options ...string) string {
	return name + " (" + always + ")" + strings.Join(options, "")
}

// withDelta is for the parentheses of a label: the error probability and the choice of constants,
// if the policy has one.
func withDelta(delta float64, constants ...any) string {
	s := fmt.Sprintf("delta %.10g", cmp.Or(delta, DefaultDelta)) // not every digit of a difference
	for _, c := range constants {
		s += fmt.Sprintf(", %v", c)
	}
	return s
}

// withBudget is for the parentheses of a label.
func withBudget(budget int) string { return fmt.Sprintf("budget %d", budget) }

// setting is what a label says of a setting, in a format of its value or in plain words: nothing
// where it is zero or one of the usual values, which mean the same.
func setting[T comparable](format string, value T, usual ...T) string {
	var zero T
	switch {
	case value == zero || slices.Contains(usual, value):
		return ""
	case strings.Contains(format, "%"):
		return fmt.Sprintf(", "+format, value)
	}
	return ", " + format
}

// stopping is the setting of a threshold.
func stopping(t, usual Threshold) string { return setting("threshold %v", t, usual) }

// word returns the word for a value of an enumeration, that of the first for none of them.
func word(value int, words ...string) string {
	if value < 0 || value >= len(words) {
		value = 0
	}
	return words[value]
}
