package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study/arena"
	"github.com/purexp/purexp/pkg/wire"
)

// instancesVersion grows when an exported file changes its meaning, or an instance its numbers.
const instancesVersion = 1

func newInstances() *cobra.Command {
	cmd := &cobra.Command{Use: "instances", Short: "Write the instances of the arena as files",
		Args: args(cobra.NoArgs), RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	export := &cobra.Command{
		Use: "export FOLDER", Short: "Write them as JSON and CSV, with T* and the right answers",
		Long: `Export writes each instance of the arena as a JSON file: the problem as in the protocol
(docs/protocol.md), the true means, the right answer, and T*, which bounds what
any method needs from below; and instances.csv with a row for each. So others can
compare on the same problems without this program.`,
		Example: `  purexp instances export instances`,
		Args:    args(cobra.ExactArgs(1)),
		RunE:    func(cmd *cobra.Command, a []string) error { return exportInstances(cmd, a[0]) },
	}
	cmd.AddCommand(export)
	return cmd
}

// An exported instance is a file.
type exported struct {
	Version  int           `json:"version"`
	Name     string        `json:"name"`
	Question string        `json:"question"`
	Set      string        `json:"set"` // tuning, looked at, or held back
	Why      string        `json:"why"`
	Problem  *wire.Problem `json:"problem"`
	// Means are the true means of the items, Law how rewards scatter around those of the arms.
	Means [][]float64 `json:"means"`
	Law   string      `json:"law"`
	// Covariance is that of a reward, where it is the same for all arms.
	Covariance [][]float64 `json:"covariance,omitempty"`
	// TStar: a method that is right with probability 1 - delta everywhere needs at least
	// TStar log(1/(2.4 delta)) rewards on average, or that cost, if arms have costs.
	TStar float64       `json:"t_star"`
	Right *wire.Verdict `json:"right"`
}

var notPlain = regexp.MustCompile(`[^a-z0-9]+`)

func exportInstances(cmd *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(folder, "instances.csv"))
	if err != nil {
		return err
	}
	list := csv.NewWriter(f)
	err = list.Write([]string{"file", "name", "question", "set", "arms", "items", "objectives", "features", "t_star", "right"})
	n := 0
	for _, i := range arena.Instances() {
		inst, err := i.Load()
		if err != nil {
			return err
		}
		h, err := arena.Hardness(inst)
		if err != nil {
			return err
		}
		x := exported{Version: instancesVersion, Name: i.Name, Question: string(i.Question), Set: string(i.Set),
			Why: i.Why, TStar: h, Law: lawOf(inst.Law),
			Right: wire.NewVerdict(question.Right(inst.Problem.Question, inst.Truth()))}
		if x.Problem, err = wire.NewProblem(inst.Problem); err != nil {
			return err
		}
		mu := inst.Truth()
		items, _ := mu.Dims()
		for r := range items {
			x.Means = append(x.Means, append([]float64(nil), mu.RawRowView(r)...))
		}
		x.Covariance = covarianceOf(inst.Law)
		text, err := json.MarshalIndent(x, "", " ")
		if err != nil {
			return err
		}
		name := strings.Trim(notPlain.ReplaceAllString(strings.ToLower(i.Name), "-"), "-") + ".json"
		if err := os.WriteFile(filepath.Join(folder, name), append(text, '\n'), 0o666); err != nil {
			return err
		}
		var right []string
		for _, k := range x.Right.Chosen {
			right = append(right, strconv.Itoa(k))
		}
		if err := list.Write([]string{name, i.Name, string(i.Question), string(i.Set), strconv.Itoa(inst.Problem.K()),
			strconv.Itoa(items), strconv.Itoa(inst.Problem.D()), strconv.Itoa(inst.Problem.H()),
			strconv.FormatFloat(h, 'g', 8, 64), strings.Join(right, " ")}); err != nil {
			return err
		}
		n++
	}
	list.Flush()
	if err := errors.Join(err, list.Error(), f.Close()); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %d instances, and instances.csv\n", folder, n)
	return nil
}

// lawOf says how rewards scatter.
func lawOf(l bandit.Law) string {
	switch l.(type) {
	case *bandit.Gaussian:
		return "Gaussian"
	case *bandit.Bernoulli:
		return "Bernoulli"
	case *bandit.Resample:
		return "rows of a table, drawn with replacement for each arm"
	}
	return fmt.Sprintf("%T", l)
}

// covarianceOf returns the covariance of Gaussian rewards, nil for others.
func covarianceOf(l bandit.Law) (rows [][]float64) {
	g, ok := l.(*bandit.Gaussian)
	if !ok {
		return nil
	}
	cov := g.Covariance()
	for i := range cov.SymmetricDim() {
		rows = append(rows, mat.Row(nil, i, cov))
	}
	return rows
}
