package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/monitor"
	"github.com/purexp/purexp/pkg/seed"
)

const measured = "../../../results/monitors.csv"

// The tables of the documents are those of the file.
func TestDocuments(t *testing.T) {
	file, err := os.Open(measured)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	tables, err := markdown(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../../docs/monitors.md")
	if err != nil {
		t.Fatal(err)
	}
	if len(tables) != 4 {
		t.Errorf("%d tables", len(tables))
	}
	for name, table := range tables {
		if !strings.Contains(string(text), table) {
			t.Errorf("docs/monitors.md lacks the table %q as it is measured:\n%s", name, table)
		}
	}
}

// Numbers in the text are those of the file.
func TestQuoted(t *testing.T) {
	rows, err := read(measured)
	if err != nil {
		t.Fatal(err)
	}
	number := map[string]string{}
	for _, r := range rows {
		number[r[1]+"/"+r[3]] = r[4]
	}
	text, err := os.ReadFile("../../../docs/monitors.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range []string{"misfit of 1 sd on 12 arms", "misfit of 2 sd on 12 arms",
		"misfit of 1 sd on all arms"} {
		for _, d := range []design{linGapE, betting} {
			columns := []string{""}
			if cell == "misfit of 1 sd on 12 arms" {
				columns = []string{"", " with 10 x 4", " with 40 others"}
			}
			for _, c := range columns {
				name := string(d) + ": " + cell + "/wrong"
				want := number[name+", withdrawn"+c] + " of " + number[name]
				if !strings.Contains(string(text), want) {
					t.Errorf("%s: docs/monitors.md does not say %q", name+c, want)
				}
			}
		}
	}
	for _, cell := range []string{"sd 10 times", "sd 10 times, effects 5 times"} {
		name := "LinGapE: " + cell + "/wrong"
		for _, c := range []string{"", " with 3 x 4"} {
			want := number[name+", withdrawn"+c] + " of " + number[name]
			if !strings.Contains(string(text), want) {
				t.Errorf("%s: docs/monitors.md does not say %q", name+c, want)
			}
		}
	}
}

// read returns the rows of a CSV file, without the first.
func read(name string) ([][]string, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	return rows[min(1, len(rows)):], err
}

// The file has the cells that the program makes, and no more false alarms than the theorem allows,
// by an exact limit that is exceeded once in a million.
func TestMeasured(t *testing.T) {
	rows, err := read(measured)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[[2]string]int{} // campaigns by cell
	for _, r := range rows {
		n, err := strconv.Atoi(r[2])
		if err != nil {
			t.Fatal(err)
		}
		x, err := strconv.ParseFloat(r[4], 64)
		if err != nil {
			t.Fatal(err)
		}
		seen[[2]string{r[0], r[1]}] = n
		chance := map[string]float64{"at 20": 1. / monitor.Warn, "at 100": 1. / monitor.Withdraw}[r[3]]
		if b := (distuv.Binomial{N: float64(n), P: chance}); chance > 0 && 1-b.CDF(x-1) < 1e-6 {
			t.Errorf("%s: %v alarms %s in %d campaigns", r[1], x, r[3], n)
		}
	}
	all := measurements()
	for _, m := range all {
		if n := seen[[2]string{m.table, m.name}]; n != m.campaigns {
			t.Errorf("%s, %s: %d campaigns in the file; want %d", m.table, m.name, n, m.campaigns)
		}
	}
	if len(seen) != len(all) {
		t.Errorf("%d cells in the file; the program makes %d", len(seen), len(all))
	}
}

// A few campaigns of each cell, as they were when the file was made.
func TestMeasurements(t *testing.T) {
	var lines []string
	for _, m := range measurements() {
		c := cell{campaigns: 4}
		if err := m.run(&c, seed.New(2)); err != nil {
			t.Errorf("%s, %s: %v", m.table, m.name, err)
		}
		for i, column := range c.columns {
			lines = append(lines, fmt.Sprintf("%s, %s, %s: %s", m.table, m.name, column, golden.Numbers(c.numbers[i])))
		}
	}
	golden.Digests(t, "few.txt", lines, func(line string) string { return line[:strings.LastIndex(line, ", ")] })
}
