package fig

import (
	"fmt"
)

func ExampleDesignWeights() {
	f, err := DesignWeights([]string{"placebo", "75 mg", "150 mg"}, []WeightSeries{
		{"G-allocation", []float64{0.5, 0, 0.5}}, {"XY-static", []float64{0.3, 0.2, 0.5}},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Alt())
	// Output:
	// Weights of designs. G-allocation: placebo 50 %, 150 mg 50 %. XY-static: 150 mg 50 %, placebo 30 %, 75 mg 20 %.
}
