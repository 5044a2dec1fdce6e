package problem_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

const dyes = `[question]
find = "best"
delta = 0.05
[candidates]
file = "dyes.csv"
[[objective]]
name = "fading"
unit = "%"
goal = "minimise"
values = [0, 100]
noise = { sd = 2 }
[[objective]]
name = "price"
unit = "EUR"
known = true
at_most = 30
goal = "bounded"
`

// parsed parses the problem of the dyes, with a table from a string.
func parsed() *problem.Problem {
	p, err := problem.Parse("dyes.toml", []byte(dyes), func(name string) ([]byte, error) {
		return []byte("dye,price\nD1,20\nD2,28\nD3,35\n"), nil
	})
	if err != nil {
		log.Fatal(err)
	}
	return p
}

// Parse a problem from any source; errors name file, line and field.
func ExampleParse() {
	fmt.Println(parsed().Words())
	wrong := strings.Replace(dyes, "delta = 0.05", "delta = 5", 1)
	_, err := problem.Parse("dyes.toml", []byte(wrong), func(string) ([]byte, error) {
		return []byte("dye,price\nD1,20\nD2,28\nD3,35\n"), nil
	})
	var all problem.Errors
	if errors.As(err, &all) {
		fmt.Println(all[0].File, all[0].Line, all[0].Field)
	}
	// Output:
	// Of 3 candidates, find the best by fading (lower is better) with price <= 30 EUR. The answer is wrong with probability at most 0.05.
	// dyes.toml 3 question.delta
}

// List the methods that can answer a question; the recommended method is the first.
func ExampleProblem_Methods() {
	p := parsed()
	fmt.Println(p.Methods()[0] == p.MethodName())
	_, err := p.CompileFor("RAGE")
	fmt.Println(errors.Is(err, problem.ErrMethod))
	// Output:
	// true
	// true
}

// Let candidates join and leave.
func ExampleProblem_With() {
	p, err := parsed().Without("D3")
	if err != nil {
		log.Fatal(err)
	}
	p, err = p.With(problem.Candidate{Name: "D4", Columns: map[string]string{"price": "25"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Candidates.Names, p.Objectives[1].Exact)
	_, err = p.With(problem.Candidate{Name: "D5"})
	fmt.Println(err)
	// Output:
	// [D1 D2 D4] [20 28 25]
	// problem: candidate "D5", column "price": missing; give a value
}

// The method requests two measurements. The four free wells
// of a plate hold replicates of undecided candidates.
func ExampleCompiled_Fill() {
	c, err := parsed().Compile()
	if err != nil {
		log.Fatal(err)
	}
	answer := explore.Answer{Reasons: []explore.Reason{{Class: explore.Undecided},
		{Class: explore.Undecided}, {Class: explore.Infeasible}}}
	plate := c.Fill([]explore.Pull{{Arm: 0, N: 2}}, 4, answer)
	fmt.Println(plate)
	// Output: [{0 2} {1 1} {1 1} {0 1} {1 1}]
}

// Encode a problem as a line of JSON for programs; Canonical returns the bytes that identify the problem, without its
// title.
func ExampleDecode() {
	p := parsed()
	again, err := problem.Decode(p.Encode())
	if err != nil {
		log.Fatal(err)
	}
	again.Title = "Dyes that fade less"
	fmt.Println(bytes.Equal(p.Encode(), again.Encode()), bytes.Equal(p.Canonical(), again.Canonical()))
	// Output: false true
}

// Convert a measurement to a reward: larger rewards are better, and the noise has scale 1.
func ExampleCompiled_In() {
	c, err := parsed().Compile()
	if err != nil {
		log.Fatal(err)
	}
	reward, err := c.In(nil, 0, []float64{44})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reward[0], c.Scales[0].Out(reward[0]))
	_, err = c.In(nil, 0, []float64{144})
	fmt.Println(err)
	// Output:
	// 3 44
	// fading: 144 % is outside 0 to 100; correct the value, or widen the limits of the problem
}

// Print the decisions of a policy in the units of the problem.
func ExampleCompiled_Explain() {
	c, err := parsed().Compile()
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range c.Explain(explore.Answer{Items: []int{1}}, nil) {
		fmt.Println(v.Candidate, v.Status)
	}
	// Output:
	// D1 not in the answer
	// D2 in the answer
	// D3 not in the answer
}

// Bound the standard deviation estimated by a pilot with ten degrees of freedom. The bound is wrong with
// probability at most 0.05.
func ExampleNoisePilot_Bound() {
	pilot := problem.NoisePilot{SD: 2, DF: 10, Delta: 0.05}
	fmt.Printf("%.2f\n", pilot.Bound())
	// Output: 3.19
}

// Compare names as people see them, with composed letters and without surrounding spaces.
func ExampleNormal() {
	fmt.Println(problem.Normal(" Me\u0301thode 1 ") == "M\u00e9thode 1")
	// Output: true
}

// Editors can complete and check problem files with this JSON schema.
func ExampleSchema() {
	fmt.Println(bytes.Contains(problem.Schema(), []byte(`"at_least"`)))
	// Output: true
}
