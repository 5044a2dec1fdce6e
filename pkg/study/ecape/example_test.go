package ecape_test

import (
	"context"
	"fmt"

	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/ecape"
)

// The experiments of the paper's appendix G.
func ExampleExperiments() {
	for _, e := range ecape.Experiments() {
		fmt.Printf("%s: %s (%s)\n", e.Name, e.Title, e.Paper)
	}
	// Output:
	// ecape-polyhedra: Polyhedra in three dimensions (Table 4 and Fig. 5)
	// ecape-runtime: Runtime (Table 5)
	// ecape-explainability: The cost of explanations (Fig. 6)
	// ecape-hard-for-racing: Instances hard for racing (Fig. 7 and 8)
}

// An instance made so that racing has to pull every arm until the optimal one is
// certainly feasible.
func ExampleExperiment_Means() {
	tables, err := ecape.HardForRacing().Means()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range tables[0].Rows {
		fmt.Printf("%s (%.2f, %.2f): %s, %.2f from the boundary\n", row[:5]...)
	}
	// Output:
	// A (0.55, 0.80): optimal, 0.05 from the boundary
	// B (0.15, 0.60): dominated, 0.45 from the boundary
	// C (0.23, 0.52): dominated, 0.37 from the boundary
	// D (0.32, 0.43): dominated, 0.28 from the boundary
	// E (0.40, 0.35): dominated, 0.20 from the boundary
}

// A few replicates of an experiment: racing needs more than e-cAPE.
func ExampleExperiment_Study() {
	s := ecape.HardForRacing().Study()
	grid, err := s.Grid(study.Options{Reps: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := grid.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range s.Claims()[:3] {
		fmt.Printf("%s: %v\n", c.Statement, c.Check(&study.Results{Rows: rows}).Outcome)
	}
	// Output:
	// racing needs more samples than e-cAPE, K = 5: agrees
	// racing is largely outperformed by e-cAPE, K = 10: agrees
	// even the two-stage method outperforms racing, K = 10: agrees
}

// How long runs take here, beside what the paper states.
func ExampleRuntimes() {
	table, err := ecape.Runtimes(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range table.Rows[:3] {
		fmt.Printf("%s on %s: %v ms in the paper\n", row[1], row[0], row[2])
	}
	// Output:
	// e-cAPE on secukinumab: 2759 ms in the paper
	// MD-APT+APE on secukinumab: 54890 ms in the paper
	// Uniform on secukinumab: 3787 ms in the paper
}

// The numbers of pulls beside the paper's, and what a run on the cube is judged by.
func ExampleTable4() {
	s := ecape.Polyhedra().Study()
	grid, err := s.Grid(study.Options{Reps: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := grid.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range ecape.Table4(rows).Rows {
		fmt.Println(row[0], row[1], row[2])
	}
	// Output:
	// simplex e-cAPE 2679
	// simplex MD-APT+APE 4886
	// simplex Racing <nil>
	// simplex Uniform 12156
	// cube e-cAPE 19034
	// cube MD-APT+APE 59841
	// cube Racing <nil>
	// cube Uniform 56184
	// ordered polyhedron e-cAPE 4313
	// ordered polyhedron MD-APT+APE 7183
	// ordered polyhedron Racing <nil>
	// ordered polyhedron Uniform 11895
}

// Errors shows both questions side by side.
func ExampleErrors() {
	table, err := ecape.Errors(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range table.Rows {
		fmt.Println(row[0], row[1])
	}
	// Output:
	// cheap reasons lower bound, set
	// cheap reasons lower bound, explained (delta to 0)
	// hard reasons lower bound, set
	// hard reasons lower bound, explained (delta to 0)
}

// Reasons cost nothing on one instance, and half as much again on the other.
func ExampleExperiment_Bounds() {
	table, err := ecape.Explainability().Bounds()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range table.Rows {
		fmt.Printf("%s: T* = %.0f pulls for the set, %.0f with reasons\n", row[0], row[5], row[6])
	}
	// Output:
	// cheap reasons: T* = 31 pulls for the set, 31 with reasons
	// hard reasons: T* = 409 pulls for the set, 622 with reasons
}

// Figures can be written to files, in the format that the name ends with.
func ExampleExperiment_Responses() {
	f, err := ecape.HardForRacing().Responses(ecape.Racing5)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Title)
	// Output:
	// Mean responses: racing K=5
}
