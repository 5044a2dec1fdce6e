package linfact_test

import (
	"fmt"
	"log"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/study/linfact"
	"github.com/purexp/purexp/pkg/tidy"
)

// table prints the first columns of the first rows of a table.
func table(t *tidy.Table, err error, rows, columns int) {
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range t.Rows[:rows] {
		fmt.Println(row[:columns]...)
	}
}

// Print the numbers of arms and of good arms of an instance of Table 1.
func ExampleSetting() {
	in, err := linfact.Setting(2, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d arms, %d within %v of the best\n", in.Problem.K(), in.Good, .2)
	// Output:
	// 12 arms, 2 within 0.2 of the best
}

// If only the first arm is good, the G-optimal design needs fewer pulls; in all other regions, the XY-optimal design
// needs fewer pulls.
func ExampleEntering() {
	t, err := linfact.Entering()
	table(t, err, 2, 3)
	// Output:
	// M1 {1} 231 312
	// M2 {1, 3} 643 384
}

// Run drug discovery on your own table of contributions.
func ExampleFreeWilson() {
	own := dataset.FreeWilson{Epsilon: 1.5, Sites: []dataset.Site{
		{Name: "A", Substituents: []string{"H", "Me"}, Contributions: []float64{0, 1}},
		{Name: "B", Substituents: []string{"H", "Cl", "OH"}, Contributions: []float64{0, 2, 3}},
	}}
	e := linfact.FreeWilson("mine/drugs", "Six compounds", own)
	in, err := e.At(10, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(e.Title, "of", in.Problem.K(), "arms; delta", e.DeltaAt(10))
	fmt.Printf("of the paper: %q, %d claims\n", e.Source, len(e.Claims))
	// Output:
	// Six compounds of 6 arms; delta 0.1
	// of the paper: "", 0 claims
}
