package lsq_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// Three catalysts, described by a number and by two columns of names.
func ExampleFeatures() {
	x, names := lsq.Features(3, []lsq.Numbers{{Name: "pH", Values: []float64{6, 7, 7.5}}},
		[]lsq.Category{
			{Name: "ligand", Values: []string{"PPh3", "XPhos", "PPh3"}},
			{Name: "base", Values: []string{"K", "K", "Cs"}},
		})
	fmt.Println(names)
	fmt.Println(mat.Formatted(x))
	// Output:
	// [1 pH ligand = PPh3 ligand = XPhos base = K base = Cs]
	// ⎡  1    6    1    0    1    0⎤
	// ⎢  1    7    0    1    1    0⎥
	// ⎣  1  7.5    1    0    0    1⎦
}
