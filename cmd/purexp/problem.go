package main

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

func newProblem() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "problem",
		Short: "Write or check a problem file, or print the JSON schema for editors",
		Args:  args(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newProblemNew(), newProblemCheck(), newProblemSchema())
	return cmd
}

// checked is what 'purexp problem check' prints.
type checked struct {
	Question   string   `json:"question"`
	Candidates []string `json:"candidates"`
	Objectives []string `json:"objectives"`
	Method     string   `json:"method"`
	Policy     string   `json:"policy"`
	Methods    []string `json:"methods"`            // that can answer the question
	Budgeted   []string `json:"budgeted,omitempty"` // that spend what can be afforded, and certify nothing
	Unused     string   `json:"unused,omitempty"`   // part of the problem
}

func newProblemCheck() *cobra.Command {
	b := new(shared)
	cmd := &cobra.Command{
		Use: "check PROBLEM.toml", Short: "Say what a problem file asks, or what is wrong with it",
		Long: `Check reads a problem file and its tables, and says in words what it asks and which
methods can answer. Everything that is wrong is named with file, line and field. See
docs/your-problem.md.`,
		Example: "  purexp problem check coupling.toml\n" +
			"  purexp problem check coupling.toml --json",
		Args: args(cobra.ExactArgs(1)),
	}
	cmd.Flags().BoolVar(&b.json, "json", false, "print JSON")
	cmd.RunE = b.run(func(cmd *cobra.Command, a []string) (any, error) {
		p, err := problem.Read(a[0])
		if err != nil {
			return nil, err
		}
		c, err := p.Compile()
		if err != nil {
			return nil, err
		}
		r := checked{p.Words(), p.Candidates.Names, nil, c.Card.Name, explore.Name(c.Policy()),
			p.Methods(), p.Budgeted(), c.Unused()}
		for i := range p.Objectives {
			r.Objectives = append(r.Objectives, p.Objectives[i].Label())
		}
		w := cmd.OutOrStdout()
		b.say(w, "%s", r.Question)
		b.say(w, "Objectives: %s", strings.Join(r.Objectives, ", "))
		b.say(w, "Method: %s", long.ReplaceAllStringFunc(r.Policy, short))
		if rest := p.Question.Delta - c.Delta; rest > 0 {
			b.say(w, "The rest of delta, %.2g, pays for candidates that may join or leave and for pilots.", rest)
		}
		b.say(w, "Methods that can answer: %s", strings.Join(r.Methods, ", "))
		if r.Budgeted != nil {
			b.say(w, "Methods for a budget of %d measurements, whose answer is a best guess: %s", p.Budget(),
				strings.Join(r.Budgeted, "; "))
		}
		if r.Unused != "" {
			b.say(w, "%s", r.Unused)
		}
		return r, nil
	})
	return cmd
}

// long are numbers with more digits than anybody reads.
var long = regexp.MustCompile(`[0-9]+\.[0-9]{5,}`)

// short writes a number to three digits.
func short(number string) string {
	x, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return number
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

func newProblemSchema() *cobra.Command {
	return &cobra.Command{
		Use: "schema", Short: "Print the JSON schema of problem files",
		Long: `Schema prints the JSON schema with which editors complete and check problem files. Save
it beside the file, whose first line then is

  #:schema ./problem.schema.json`,
		Example: "  purexp problem schema > problem.schema.json",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(problem.Schema())
			return err
		},
	}
}
