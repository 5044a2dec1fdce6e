package ledger_test

import (
	"fmt"

	"github.com/purexp/purexp/pkg/study/ledger"
)

func ExampleFind() {
	for _, e := range ledger.Find("fig 2a") {
		if e.Paper == "rage" {
			fmt.Println(e.Number, "is", e.Where)
		}
	}
	// Output:
	// Fig. 2a is notebooks/rage/multivariate.ipynb#Sample complexity
}

func ExampleJudge() {
	l, err := ledger.Judge()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(l.Table("rage")) // the parts of the paper, and the verdicts on its claims
}
