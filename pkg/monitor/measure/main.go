// Command measure simulates what docs/monitors.md says of monitors: false alarms, results until an
// alarm, and the wrong certificates that they prevent. It writes a CSV file, one number a row:
//
//	go run ./pkg/monitor/measure > results/monitors.csv
//	go run ./pkg/monitor/measure -show results/monitors.csv   # as the tables of the documents
//
// The same code writes the same file; -only runs one table, -campaigns fewer campaigns. All takes
// half an hour of one processor.
package main

import (
	"encoding/csv"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"

	"github.com/purexp/purexp/pkg/seed"
)

// A cell is a row of a table: numbers under the names of columns.
type cell struct {
	table, name string
	campaigns   int
	columns     []string
	numbers     []float64
}

// add notes a number.
func (c *cell) add(column string, number float64) {
	c.columns, c.numbers = append(c.columns, column), append(c.numbers, number)
}

// A measurement fills one cell by simulating campaigns.
type measurement struct {
	table, name string
	campaigns   int
	run         func(c *cell, root seed.Seed) error
}

func main() {
	only := flag.String("only", "", "the table to make; empty: all")
	campaigns := flag.Int("campaigns", 0, "campaigns a cell; 0: as many as the documents say")
	file := flag.String("show", "", "a CSV file of which to write the tables; nothing is simulated")
	flag.Parse()
	err := show(*file)
	if *file == "" {
		err = write(*only, *campaigns)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

// show writes the tables of a file.
func show(name string) error {
	if name == "" {
		return nil
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	tables, err := markdown(file)
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		fmt.Printf("%s\n\n%s\n", name, tables[name])
	}
	return err
}

// write writes the cells of a table, or of all.
func write(only string, campaigns int) error {
	out := csv.NewWriter(os.Stdout)
	if err := out.Write([]string{"table", "cell", "campaigns", "column", "number"}); err != nil {
		return err
	}
	for _, m := range measurements() {
		if only != "" && only != m.table {
			continue
		}
		c := cell{table: m.table, name: m.name, campaigns: m.campaigns}
		if campaigns > 0 {
			c.campaigns = campaigns
		}
		if err := m.run(&c, seed.New(1).Child(m.table, m.name)); err != nil {
			return fmt.Errorf("%s, %s: %w", m.table, m.name, err)
		}
		for i, column := range c.columns {
			if err := out.Write([]string{c.table, c.name, strconv.Itoa(c.campaigns), column,
				strconv.FormatFloat(c.numbers[i], 'g', 6, 64)}); err != nil {
				return err
			}
		}
		out.Flush()
	}
	return out.Error()
}
