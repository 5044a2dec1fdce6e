package main

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"text/template"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study/arena"
	"github.com/purexp/purexp/pkg/wire"
)

func newArena() *cobra.Command {
	var (
		e  entry
		g  guestFlag
		qs []string
	)
	cmd := &cobra.Command{
		Use: "arena --policy PACKAGE | --exec COMMAND", Short: "Compare your policy with the published methods",
		Long: `Arena runs your policy on the instances of the arena, and adds a row for your policy to the
published tables. --policy names a package of the current module, as a folder such as ./mine or
an import path. The package needs a function
    func New(delta float64) *Mine
for a type *Mine with the methods of a policy (docs/write-a-policy.md). --exec runs a
program in any language that speaks the protocol (docs/protocol.md).`,
		Example: `  purexp arena --policy ./mine
  purexp arena --policy ./mine --question "best item" --reps 200
  purexp arena --exec 'python3 mine.py' --name mine --question "best item" --reps 5`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if (e.Package == "") == (g.exec == "") {
				return usage("--policy and --exec: give exactly one; --policy names the folder of a Go package with " +
					"a function New(delta float64) that returns your policy, and --exec gives a command")
			}
			if e.Reps < 1 {
				return usage("--reps is %d; expected at least 1", e.Reps)
			}
			for _, name := range qs {
				q, err := arenaQuestion(name)
				if err != nil {
					return err
				}
				e.Questions = append(e.Questions, q)
			}
			if g.exec == "" {
				return e.run(cmd)
			}
			pool, err := g.pool(cmd)
			if err != nil {
				return err
			}
			defer pool.Close()
			return arena.Enter(cmd.Context(), cmd.OutOrStdout(), g.method(pool, e.Name), e.Reps, e.Questions...)
		},
	}
	g.add(cmd)
	f := cmd.Flags()
	f.StringVar(&e.Package, "policy", "", "the `package` that contains the policy")
	f.StringVar(&e.Name, "name", "", "name in tables (default: the name of the package, or the command)")
	f.StringArrayVar(&qs, "question", nil,
		"a `question` of the arena (default: all that the policy can answer)")
	f.IntVar(&e.Reps, "reps", 20, "runs on each instance, at each error probability")
	return cmd
}

// arenaQuestion returns the arena question with the given name, or a usage error.
func arenaQuestion(name string) (arena.Question, error) {
	for _, q := range arena.Questions() {
		if strings.EqualFold(name, string(q)) || name == strings.TrimPrefix(q.Name(), "arena/") {
			return q, nil
		}
	}
	return "", usage("--question is %q; expected one of %q", name, arena.Questions())
}

// entry is a package that contains a policy, with the runs in which the arena tests the policy.
type entry struct {
	Package, Name string
	Questions     []arena.Question
	Reps          int
	Import        string // import path of Package
}

//go:embed arena.tmpl
var programText string

// program is the template for the source of a main package that runs an entry.
var program = template.Must(template.New("").Parse(programText))

// run builds the program of an entry within the entry's module, without changing a file of the
// module, and runs the program.
func (e *entry) run(cmd *cobra.Command) error {
	var pkg struct {
		ImportPath, Name string
		Module           struct{ Dir, GoMod string }
	}
	text, err := goCommand(cmd, "", "list", "-json=ImportPath,Name,Module", e.Package)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &pkg); err != nil {
		return fmt.Errorf("--policy %s: 'go list' found several packages; name one of them: %w", e.Package, err)
	}
	if pkg.Name == "main" {
		return fmt.Errorf("--policy %s: a main package cannot be imported; put the policy into a "+
			"package of its own", e.Package)
	}
	if e.Import = pkg.ImportPath; e.Name == "" {
		e.Name = pkg.Name
	}
	tmp, err := os.MkdirTemp("", "purexp-arena-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	source, bin := filepath.Join(tmp, "main.go"), filepath.Join(tmp, "entry")
	var main bytes.Buffer
	if err := program.Execute(&main, e); err != nil {
		return err
	}
	if err := os.WriteFile(source, main.Bytes(), 0o600); err != nil {
		return err
	}
	// The program is a package of the entry's module, in a folder that exists only in the build
	// overlay.
	const folder = "purexp_arena_entry"
	overlay, err := json.Marshal(map[string]map[string]string{
		"Replace": {filepath.Join(pkg.Module.Dir, folder, "main.go"): source}})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(tmp, "overlay.json"), overlay, 0o600); err != nil {
		return err
	}
	build := []string{"build", "-o", bin, "-overlay", filepath.Join(tmp, "overlay.json")}
	if work, err := goCommand(cmd, "", "env", "GOWORK"); err == nil && len(bytes.TrimSpace(work)) == 0 {
		// The arena imports packages that the policy does not import, so the go command adds the
		// missing requirements to a copy of go.mod.
		for _, name := range []string{"go.mod", "go.sum"} {
			have, err := os.ReadFile(filepath.Join(filepath.Dir(pkg.Module.GoMod), name))
			if err != nil && !os.IsNotExist(err) {
				return err
			}
			if err := os.WriteFile(filepath.Join(tmp, name), have, 0o600); err != nil {
				return err
			}
		}
		build = append(build, "-mod=mod", "-modfile", filepath.Join(tmp, "go.mod"))
	}
	if _, err := goCommand(cmd, pkg.Module.Dir, append(build, "./"+folder)...); err != nil {
		return err
	}
	c := exec.CommandContext(cmd.Context(), bin)
	c.Stdout, c.Stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
	return c.Run()
}

// goCommand runs the go command in a folder and returns its standard output; if the command fails,
// the returned error includes its messages.
func goCommand(cmd *cobra.Command, dir string, args ...string) ([]byte, error) {
	c := exec.CommandContext(cmd.Context(), "go", args...)
	var out, messages bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = dir, &out, &messages
	if err := c.Run(); err != nil {
		if messages.Len() > 0 {
			return nil, fmt.Errorf("go %s: %s", args[0], bytes.TrimSpace(messages.Bytes()))
		}
		return nil, fmt.Errorf("go %s: %w", args[0], err)
	}
	return out.Bytes(), nil
}

// instancesVersion must be increased when a field of an exported file changes its meaning, or when
// the numbers of an instance change.
const instancesVersion = 1

func newInstances() *cobra.Command {
	cmd := &cobra.Command{Use: "instances", Short: "Write the instances of the arena as files",
		Args: args(cobra.NoArgs), RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	export := &cobra.Command{
		Use: "export FOLDER", Short: "Write the instances as JSON and CSV, with T* and the right answers",
		Long: `Export writes each instance of the arena as a JSON file: the problem in the format of the
protocol (docs/protocol.md), the true means, the right answer, and T*. T* gives a lower bound on
the number of measurements that any method needs. instances.csv has a row for each instance.
With these files, you can compare other programs on the same problems.`,
		Example: `  purexp instances export instances`,
		Args:    args(cobra.ExactArgs(1)),
		RunE:    func(cmd *cobra.Command, a []string) error { return exportInstances(cmd, a[0]) },
	}
	cmd.AddCommand(export)
	return cmd
}

// exported is the content of the JSON file of one instance.
type exported struct {
	Version  int           `json:"version"`
	Name     string        `json:"name"`
	Question string        `json:"question"`
	Set      string        `json:"set"` // purpose of the instance: "tuning", "looked at" or "held back"
	Why      string        `json:"why"`
	Problem  *wire.Problem `json:"problem"`
	// Means are the true means of the items. Law is the name of the distribution of rewards around
	// the means of the arms.
	Means [][]float64 `json:"means"`
	Law   string      `json:"law"`
	// Covariance is the covariance matrix of a reward, if rewards are Gaussian with the same
	// covariance for all arms.
	Covariance [][]float64 `json:"covariance,omitempty"`
	// TStar is the characteristic time T*. Every method with an error probability of at most delta
	// on all instances needs at least TStar log(1/(2.4 delta)) rewards on average. If the arms have
	// costs, the bound applies to the total cost instead of the number of rewards.
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
	err = list.Write([]string{"file", "name", "question", "set", "arms", "items", "objectives", "features", "t_star",
		"right"})
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
	fmt.Fprintf(cmd.OutOrStdout(), "%s: wrote %d instances and instances.csv\n", folder, n)
	return nil
}

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

// covarianceOf returns the covariance of Gaussian rewards, or nil for any other distribution.
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
