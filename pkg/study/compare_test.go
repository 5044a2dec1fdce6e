package study_test

import (
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// runs returns 20 rows of the toy experiment with about the given number of pulls. The argument wrong is the number of
// wrong answers.
func runs(size int, method, constants string, pulls float64, wrong int) (rows []mc.Row) {
	for rep := range 20 {
		rows = append(rows, mc.Row{Experiment: "toy/ladder", Size: size, Method: method, Constants: constants,
			Delta: .1, Rep: rep, Pulls: int(pulls * (1 + .002*(float64(rep)-9.5))), Status: explore.Stopped.String(),
			Correct: rep >= wrong})
	}
	return rows
}

// grown returns runs at several sizes, with about a * size^exponent pulls.
func grown(method, constants string, a, exponent float64, sizes ...int) (rows []mc.Row) {
	for _, size := range sizes {
		rows = append(rows, runs(size, method, constants, a*math.Pow(float64(size), exponent), 0)...)
	}
	return rows
}

// The checks of claims compare a method with the other methods, in the stated direction, at every
// size, and with the first constants that figures show.
func TestChecksOfPulls(t *testing.T) {
	e := confident()
	e.Sizes = []int{2, 4, 8}
	const yes, no, open = study.Agrees, study.Differs, study.NotComparable
	var rows []mc.Row
	for _, part := range [][]mc.Row{
		grown("even", "many", 1000, 1, 2, 4, 8), grown("even", "few", 1000, 0, 2, 4, 8),
		grown("rare", "", 1500, 1.5, 2, 4, 8),
	} {
		rows = append(rows, part...)
	}
	lower := append(runs(8, "rare", "", 100, 0), grown("rare", "", 1500, 1.5, 2, 4)...)
	lower = append(lower, grown("even", "many", 1000, 1, 2, 4, 8)...)
	skewed := e
	skewed.Means = true
	long := append([]mc.Row(nil), rows...)
	for i := range long { // two of twenty runs need 1,000 times as many pulls: the mean changes, but the median does not
		if long[i].Method == "even" && long[i].Rep >= 18 {
			long[i].Pulls *= 1000
		}
	}
	for name, c := range map[string]struct {
		e     study.Experiment
		rows  []mc.Row
		check study.Check
		want  study.Outcome
	}{
		"fewer":                    {e, rows, study.Compared(study.Fewer, "even", "rare"), yes},
		"the other way":            {e, rows, study.Compared(study.Fewer, "rare", "even"), no},
		"more":                     {e, rows, study.Compared(study.More, "rare", "even"), yes},
		"not at one size":          {e, lower, study.Compared(study.Fewer, "even", "rare"), no},
		"not at sizes left out":    {e, lower, study.Compared(study.More, "rare", "even"), no},
		"from the size":            {e, lower, study.From(8, study.Compared(study.Fewer, "rare", "even")), yes},
		"from a size below":        {e, lower, study.From(4, study.Compared(study.Fewer, "rare", "even")), no},
		"nobody":                   {e, rows, study.Compared(study.Fewer, "even", "rare", "nobody"), open},
		"medians":                  {e, long, study.Compared(study.Fewer, "even", "rare"), yes},
		"means":                    {skewed, long, study.Compared(study.Fewer, "even", "rare"), open},
		"growing":                  {e, rows, study.Growing(study.Between("linear", .9, 1.1, "linear"), "even"), yes},
		"growing more":             {e, rows, study.Growing(study.Between("more", 1.4, 1.6, "more"), "rare"), yes},
		"growing with a constant":  {e, rows, study.Growing(study.BarelyGrows, "even", "few"), yes},
		"growing with the first":   {e, rows, study.Growing(study.BarelyGrows, "even"), no},
		"growing with the named":   {e, rows, study.Growing(study.BarelyGrows, "even", "many"), no},
		"growing above":            {e, rows, study.GrowingAbove(study.Between("by .5", .4, .6, "by .5"), "even", "rare"), yes},
		"growing below":            {e, rows, study.GrowingAbove(study.Between("by .5", .4, .6, "by .5"), "rare", "even"), no},
		"growing at a single size": {e, runs(2, "even", "many", 9, 0), study.Growing(study.Grows, "even"), open},
	} {
		if v := c.check(c.e.Results(c.rows)); v.Outcome != c.want {
			t.Errorf("%s: %+v; want %v", name, v, c.want)
		}
	}
}
