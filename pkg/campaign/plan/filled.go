package plan

import (
	"fmt"
	"math"
)

// filled says what plates that are filled take, and what those take that are not, if both were
// simulated with the usual method; "" otherwise.
func (s *study) filled() string {
	first := &s.cells[0]
	for i := range s.cells {
		with, without := first, &s.cells[i]
		if without.row.Change != (Change{Field: "fill"}).String() {
			with, without = without, with
		}
		if with.row.Change != "" && with.row.Change != (Change{Field: "fill", Value: 1}).String() ||
			!with.c.Source.Laboratory.Fill || without.c.Source.Laboratory.Fill ||
			with.row.Runs == 0 || without.row.Runs == 0 {
			continue
		}
		return fmt.Sprintf("With full plates (fill = true) half of the campaigns take at most %s, and "+
			"nine of ten at most %s; without, %s and %s.", with.row.takes(median), with.row.takes(most),
			without.row.takes(median), without.row.takes(most))
	}
	return ""
}

func median(s Spread) float64 { return s.Median.Value }
func most(s Spread) float64   { return s.Most.Value }

// takes writes what a row takes, at a point of its distribution, rounded up.
func (r *Row) takes(at func(Spread) float64) string {
	up := func(x float64) string { return number(math.Ceil(x - 1e-9)) }
	return fmt.Sprintf("%s plates (%s measurements)", up(at(r.Plates)), up(at(r.Measurements)))
}
