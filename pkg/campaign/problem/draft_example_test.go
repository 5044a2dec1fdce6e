package problem_test

import (
	"fmt"
	"log"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Write a problem file for a table.
func ExampleDraft() {
	table := []byte("solvent;rate;cost\nwater;0.5;1\nacetone;0.7;3\n")
	columns, err := problem.Columns("conditions.csv", table)
	if err != nil {
		log.Fatal(err)
	}
	d := problem.Draft{Table: "conditions.csv", Column: columns[problem.NameColumn(columns)].Name}
	for _, text := range []string{"yield,max,sd=2,unit=%", "cost,min,known"} {
		o, err := problem.ParseDraftObjective(text)
		if err != nil {
			log.Fatal(err)
		}
		d.Objectives = append(d.Objectives, o)
	}
	p, err := problem.Parse("conditions.toml", []byte(d.TOML()), func(string) ([]byte, error) {
		return table, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Words())
	// Output:
	// Of 2 candidates, find those that no other candidate beats in yield (higher is better) and cost (lower is better). The answer is wrong with probability at most 0.05.
}

// Describe an objective whose name contains a comma.
func ExampleNewDraftObjective() {
	o, err := problem.NewDraftObjective("yield, corrected", "max", "sd=2")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(o.Name, o.Fields[0])
	_, err = problem.NewDraftObjective("yield, corrected", "max")
	fmt.Println(err != nil) // the noise is missing
	// Output:
	// yield, corrected goal = "maximise"
	// true
}

// Find a column whose name has a unit; the name without the unit is enough.
func ExampleFindColumn() {
	columns, err := problem.Columns("c.csv", []byte("solvent;cost (EUR)\nwater;1\nacetone;3\n"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(problem.FindColumn(columns, "Cost"))
	fmt.Println(problem.FindColumn(columns, "price"))
	// Output:
	// cost (EUR) <nil>
	//  no column "price"; the columns are "solvent", "cost (EUR)"
}

// Match an objective with known values to a column of the table.
func ExampleDraftObjective_Match() {
	columns, err := problem.Columns("c.csv", []byte("solvent;cost (EUR)\nwater;1\nacetone;3\n"))
	if err != nil {
		log.Fatal(err)
	}
	o, err := problem.ParseDraftObjective("cost,min,known")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(o.Match(columns), o.Fields[2:])
	fmt.Println(problem.Draft{Objectives: []problem.DraftObjective{o, {Name: "yield"}}}.Guessless())
	// Output: <nil> [column = "cost (EUR)" unit = "EUR"]
	// [yield]
}
