package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/docker"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/study/published"
)

func newKernel() *cobra.Command {
	cmd := &cobra.Command{
		Use: "kernel", Short: "Install the Jupyter kernel of the notebooks", Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newKernelInstall())
	return cmd
}

func newKernelInstall() *cobra.Command {
	var jupyter, source string
	cmd := &cobra.Command{
		Use: "install", Short: "Install the kernel Go (gonb) into the Jupyter on the PATH",
		Long: `Install builds GoNB, goimports and gopls, in versions that are known to work together, and puts them
with the kernel "Go (gonb)" into the data folder of a Jupyter: that of an environment if jupyter lies in one,
and otherwise that of the user. It needs Go 1.26, Python 3.10 and a shell (on Windows: WSL). 'jupyter kernelspec remove
gonb' takes the kernel away.

Notebooks in a checkout of purexp use that checkout. Others use the one of --source, which $PUREXP_SOURCE
replaces at run time; without one, Go fetches the module github.com/purexp/purexp when a cell imports it.`,
		Example: `  pip install jupyterlab && purexp kernel install
  purexp kernel install --jupyter ~/venv/bin/jupyter --source ~/purexp`,
		Args: args(cobra.NoArgs),
	}
	root, err := published.Folder()
	if root = filepath.Dir(root); err != nil {
		root = ""
	}
	cmd.Flags().StringVar(&jupyter, "jupyter", "jupyter", "`program` of the Jupyter")
	cmd.Flags().StringVar(&source, "source", root, "`folder` of a checkout of purexp, for notebooks outside of it")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		data, err := jupyterData(jupyter)
		if err != nil {
			return err
		}
		dir, err := os.MkdirTemp("", "purexp")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if err := os.CopyFS(filepath.Join(dir, "docker"), docker.Files); err != nil {
			return err
		}
		if source != "" {
			if source, err = filepath.Abs(source); err != nil {
				return err
			}
			if _, err := os.Stat(filepath.Join(source, "pkg", "nb")); err != nil {
				return usage("--source %s is no checkout of purexp: %w", source, err)
			}
		}
		bin := filepath.Join(data, "kernels", "gonb", "bin")
		setup := func(in string, words ...string) error {
			c := exec.CommandContext(cmd.Context(), "sh", words...)
			c.Dir, c.Stdout, c.Stderr = in, cmd.OutOrStdout(), cmd.ErrOrStderr()
			c.Env = append(os.Environ(), "PUREXP_BIN="+bin, "PUREXP_JUPYTER="+data, "PUREXP_SOURCE="+source)
			return c.Run()
		}
		if err := setup(dir, "docker/setup", "tools", "kernel"); err != nil {
			return fmt.Errorf("kernel install: %w", err)
		}
		if source != "" {
			fmt.Fprintln(cmd.OutOrStdout(), "compiling what notebooks import, so that the first cell does not wait")
			if err := setup(source, filepath.Join(bin, "gonb-kernel"), "warm", "./pkg/nb/..."); err != nil {
				return fmt.Errorf("kernel install: %w", err)
			}
		}
		fmt.Fprintf(cmd.OutOrStdout(), "The kernel Go (gonb) is in %s. Begin: purexp notebook TABLE.csv\n",
			filepath.Dir(bin))
		return nil
	}
	return cmd
}

// jupyterData returns the data folder that a Jupyter looks for kernels in: that of its environment, or else of the user.
func jupyterData(jupyter string) (string, error) {
	path, err := exec.LookPath(jupyter)
	if err != nil {
		return "", fmt.Errorf("no program %s; activate the environment that has it, name it (--jupyter), or install it: "+
			"pip install jupyterlab", jupyter)
	}
	out, err := exec.Command(path, "--paths", "--json").Output()
	var paths struct{ Data []string }
	if err == nil {
		err = json.Unmarshal(out, &paths)
	}
	if err != nil || len(paths.Data) == 0 {
		return "", fmt.Errorf("%s --paths --json gave no folders: %w", path, cmp.Or(err, errors.New("none are listed")))
	}
	prefix, _ := filepath.Abs(filepath.Dir(filepath.Dir(path)))
	own := filepath.Join(prefix, "share", "jupyter")
	if _, err := os.Stat(filepath.Join(prefix, "pyvenv.cfg")); err == nil || os.Getenv("CONDA_PREFIX") == prefix {
		if slices.Contains(paths.Data, own) {
			return own, nil
		}
	}
	return paths.Data[0], nil
}

func newNotebook() *cobra.Command {
	var objectives []string
	var find, output string
	cmd := &cobra.Command{
		Use: "notebook TABLE.csv", Short: "Write a starter notebook for a table of candidates or of measurements",
		Long: `Notebook writes TABLE.ipynb beside the table: it loads the table, asks a question, simulates a run, and shows
reasons and a figure. Without --objective, which 'purexp problem new --help' explains, the first two columns of numbers
are objectives, and the noise is a guess that the notebook marks. Names in several rows are replicates: the first
column of numbers is then averaged, and says how large the noise is.

The notebook needs the kernel of 'purexp kernel install'.`,
		Example: `  purexp notebook laptops.csv --objective 'battery,max,sd=1.5' --objective 'weight,min,sd=0.05'`,
		Args:    args(cobra.ExactArgs(1)),
	}
	f := cmd.Flags()
	f.StringArrayVar(&objectives, "objective", nil, "an `objective`: name,max,sd=2; repeat for several")
	f.StringVar(&find, "find", "", "`question`: best, pareto or feasible (default: best, pareto with several objectives)")
	f.StringVarP(&output, "output", "o", "", "`file` to write (default: the table's name with .ipynb)")
	cmd.RunE = func(cmd *cobra.Command, a []string) error {
		table, err := problem.ReadFile(a[0])
		if err != nil {
			return err
		}
		if output == "" {
			output = strings.TrimSuffix(a[0], filepath.Ext(a[0])) + ".ipynb"
		}
		path, err := filepath.Rel(filepath.Dir(output), a[0])
		if err != nil {
			path = a[0]
		}
		query, guessed, err := queryOf(filepath.Base(a[0]), table, objectives, find)
		if err != nil {
			return err
		}
		if err := writeNew(output, starter(filepath.ToSlash(path), query, guessed)); err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "wrote %s. Open it: jupyter lab %[1]s\n", output)
		return nil
	}
	return cmd
}

// queryOf writes a query on a table in Go. Guessed says that the noise of objectives is a guess.
func queryOf(name string, table []byte, objectives []string, find string) (query string, guessed bool, err error) {
	columns, err := problem.Columns(name, table)
	if err != nil {
		return "", false, err
	}
	d := problem.Draft{}
	for _, text := range objectives {
		o, err := problem.ParseDraftObjective(text)
		if err != nil {
			return "", false, usage("--%v", err)
		}
		d.Objectives = append(d.Objectives, o)
	}
	at := problem.NameColumn(columns, d.Used(columns)...)
	if at < 0 {
		return "", false, usage("%s: no column has the names of the candidates; there are %s", name, names(columns))
	}
	names := columns[at].Name
	query = fmt.Sprintf("nb.On(table, %q)", names)
	replicates := !columns[at].Distinct
	if replicates {
		query = fmt.Sprintf("nb.On(nb.Means(table, %q), %[1]q)", names)
	}
	var aims []string
	for _, text := range objectives {
		name, settings, _ := strings.Cut(text, ",")
		goal, words := "Max", []string{strconv.Quote(strings.TrimSpace(name))}
		for _, s := range strings.Split(settings, ",") {
			switch s = strings.TrimSpace(s); s {
			case "max":
			case "min":
				goal = "Min"
			default:
				words = append(words, strconv.Quote(s))
			}
		}
		aims = append(aims, fmt.Sprintf(".%s(%s)", goal, strings.Join(words, ", ")))
	}
	for j, c := range columns {
		if len(objectives) > 0 || c.Text || j == at || len(aims) == 2 || replicates && len(aims) == 1 {
			continue
		}
		aim := fmt.Sprintf(".Max(%q", c.Name)
		if !replicates {
			guessed = true
			aim += ", nb.SD(1)"
		}
		aims = append(aims, aim+")")
	}
	if len(aims) == 0 {
		return "", false, usage("%s: no column has numbers; say what is measured: --objective 'yield,max,sd=2'", name)
	}
	if find == "" {
		find = problem.FindBest
		if len(aims) > 1 {
			find = problem.FindPareto
		}
	}
	if !slices.Contains([]string{problem.FindBest, problem.FindPareto, problem.FindFeasible}, find) {
		return "", false, usage("--find is %q; want best, pareto or feasible", find)
	}
	return query + strings.Join(aims, "") + "." + strings.ToUpper(find[:1]) + find[1:] + "()", guessed, nil
}

// starter returns a notebook.
func starter(path, query string, guessed bool) []byte {
	about := "Which way is better, and how far may one measurement be from the mean of its candidate?"
	if guessed {
		about += " **The numbers in `nb.SD(...)` are guesses: put yours.** Turn `Max` into `Min` where less is better."
	}
	type cell map[string]any
	text := func(s string) cell { return cell{"cell_type": "markdown", "metadata": cell{}, "source": s} }
	code := func(s string) cell {
		return cell{"cell_type": "code", "metadata": cell{}, "source": s, "outputs": []any{}, "execution_count": nil}
	}
	data, _ := json.MarshalIndent(cell{"nbformat": 4, "nbformat_minor": 4, // of strings: no error
		"metadata": cell{"kernelspec": cell{"display_name": "Go (gonb)", "language": "go", "name": "gonb"}},
		"cells": []cell{
			text("# " + path + "\n\nA cell is a small Go program. What stands above `%%` stays: imports, `var`, functions. What stands " +
				"below runs once; a variable there that nothing uses is an error. `nb.Show(table)` shows a table.\n\n" + about),
			code(fmt.Sprintf("import \"github.com/purexp/purexp/pkg/nb\"\n\nvar table = nb.Load(%q)\nvar q = %s\n\n%%%%\nnb.Show(table)\n"+
				"q.Plot()", path, query)),
			text("A simulated run: with the means of the table as the truth, what would be measured, and what be the answer?"),
			code("%%\nr := q.Run(1)\nr.Explain()\nr.Plot()"),
			text("Other questions end with `.Top(3)`, `.Within(0.5)` of the best, or have bounds, `.AtMost(\"column\", 2)`. " +
				"`q.Problem()` shows the question as a problem file. To measure for yourself, import " +
				"`github.com/purexp/purexp/pkg/nb/workbench`: `workbench.Open(\"my.campaign\", q)`."),
		}}, "", " ")
	return append(data, '\n')
}
