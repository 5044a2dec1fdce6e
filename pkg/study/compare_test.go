package study_test

import (
	"math"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// runs are 20 rows of the toy experiment with about as many pulls, wrong of them with a wrong answer.
func runs(size int, method, constants string, pulls float64, wrong int) (rows []mc.Row) {
	for rep := range 20 {
		rows = append(rows, mc.Row{Experiment: "toy/ladder", Size: size, Method: method, Constants: constants,
			Delta: .1, Rep: rep, Pulls: int(pulls * (1 + .002*(float64(rep)-9.5))), Status: explore.Stopped.String(),
			Correct: rep >= wrong})
	}
	return rows
}

// grown are runs whose pulls are a times a power of the size, for each of some sizes.
func grown(method, constants string, a, exponent float64, sizes ...int) (rows []mc.Row) {
	for _, size := range sizes {
		rows = append(rows, runs(size, method, constants, a*math.Pow(float64(size), exponent), 0)...)
	}
	return rows
}

// Checks of claims compare what they say they do: a method with the others, in that direction, at
// every size, with the first constants that are in figures.
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
	for i := range long { // two of twenty runs of one method take long: means are others, medians not
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

// Checks of errors count wrong answers of the methods and constants that they name, at each size.
func TestChecksOfErrors(t *testing.T) {
	e := confident() // sizes 2 and 4, delta .1
	const yes, no, open = study.Agrees, study.Differs, study.NotComparable
	few := study.Between("few", 0, .3, "at most 30 %")
	var rows []mc.Row
	for _, part := range [][]mc.Row{
		runs(2, "even", "many", 100, 0), runs(4, "even", "many", 100, 0),
		runs(2, "even", "few", 100, 1), runs(4, "even", "few", 100, 19),
		runs(2, "rare", "", 100, 0), runs(4, "rare", "", 100, 10),
	} {
		rows = append(rows, part...)
	}
	even, poor, rare := study.As("even", "many"), study.As("even", "few"), study.As("rare", "")
	about := func(x float64) study.Word { return study.Between("about", x-.45, x+.45, "about so") }
	for name, c := range map[string]struct {
		check study.Check
		want  study.Outcome
	}{
		"within delta":       {study.WithinDelta(study.Mistakes, "many", "even"), yes},
		"not within delta":   {study.WithinDelta(study.Mistakes, "few", "even"), no},
		"what is counted":    {study.WithinDelta(func([]mc.Row) int { return 20 }, "many", "even"), no},
		"nobody":             {study.WithinDelta(study.Mistakes, "many", "even", "rare"), open},
		"few wrong":          {study.Erring(few, "many", "even"), yes},
		"many wrong":         {study.Erring(few, "few", "even"), no},
		"of no constants":    {study.Erring(few, "none", "even"), open},
		"by method":          {study.ErringByMethod(study.Between("rare", 0, .1, "at most 10 %")), no},
		"by method, or less": {study.ErringByMethod(study.Between("some", 0, .4, "at most 40 %")), yes},
		"rising":             {study.Rising(about(.9), "rise", poor), yes},
		"not rising":         {study.Rising(study.MoreOften, "rise", even), open},
		"rising to the half": {study.Rising(study.MoreOften, "rise", rare), yes},
		"falling":            {study.Rising(study.LessOften, "rise", rare), no},
		"rising above":       {study.RisingAbove(study.MoreOften, "rise", poor, even), yes},
		"rising below":       {study.RisingAbove(study.LessOften, "rise", even, poor), yes},
	} {
		if v := c.check(e.Results(rows)); v.Outcome != c.want {
			t.Errorf("%s: %+v; want %v", name, v, c.want)
		}
	}
	// Runs that were given up are none of ErringByMethod, which says how many there are.
	pulls := 12346
	for i := range rows {
		if !rows[i].Correct {
			rows[i].Status, rows[i].Pulls = explore.PullLimit.String(), pulls
			pulls -= 7
		}
	}
	if v := study.ErringByMethod(few)(e.Results(rows)); v.Outcome != yes ||
		!strings.Contains(v.Measured, "30 runs were given up after 12 346 pulls") {
		t.Errorf("runs that were given up: %+v", v)
	}
}
