package question_test

import (
	"fmt"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// Where several arms may be within a tolerance, none is called optimal.
func ExampleAllEpsilonBest_ClassName() {
	q := question.AllEpsilonBest{Epsilon: 0.1, Multiplicative: true}
	fmt.Println(explore.ClassName(q, explore.Optimal), "/", explore.ClassName(q, explore.Dominated))
	fmt.Println(explore.ClassName(question.Best{}, explore.Optimal))
	// Output:
	// within 10 % / not within 10 %
	// optimal
}
