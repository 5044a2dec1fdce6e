package study

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Records are the lines of a table of numbers, such as one that a paper prints.
type Records []Record

// A Record is a line of a table: what it is about, and its numbers.
type Record struct {
	Words   []string
	Numbers []float64
}

// ReadRecords reads comma-separated values: words, then numbers; lines that begin with # say where
// they are from. It panics if there is anything else: tables are compiled in.
func ReadRecords(table string) Records {
	r := csv.NewReader(strings.NewReader(table))
	r.Comment, r.FieldsPerRecord = '#', -1
	lines, err := r.ReadAll()
	if err != nil {
		panic(fmt.Sprintf("study: a table of numbers: %v", err))
	}
	all := make(Records, len(lines))
	for i, line := range lines {
		for _, cell := range line {
			v, err := strconv.ParseFloat(cell, 64)
			switch {
			case err == nil:
				all[i].Numbers = append(all[i].Numbers, v)
			case all[i].Numbers == nil:
				all[i].Words = append(all[i].Words, cell)
			default:
				panic(fmt.Sprintf("study: a table of numbers: line %q: %q after numbers", line,
					cell))
			}
		}
	}
	return all
}

// Of returns the numbers about some words; nil if there are none.
func (rs Records) Of(words ...string) []float64 {
	for _, r := range rs {
		if slices.Equal(r.Words, words) {
			return r.Numbers
		}
	}
	return nil
}
