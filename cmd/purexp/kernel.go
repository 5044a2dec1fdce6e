package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/docker"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/dataset"
)

func newKernel() *cobra.Command {
	var jupyter, source string
	install := &cobra.Command{
		Use: "install", Short: "Install the Go kernel (gonb) into the Jupyter on the PATH",
		Long: `Install builds GoNB, goimports and gopls, in versions that are known to work together. Install puts these
programs and the kernel "Go (gonb)" into Jupyter's data folder: the folder of its virtual environment or,
without a virtual environment, the user's folder. It needs Go 1.26, Python 3.10 and a shell (on Windows: WSL).
To remove the kernel, run 'jupyter kernelspec remove gonb'.

Notebooks in a checkout of purexp use that checkout. Other notebooks use the checkout of --source. Without
--source, Go downloads the module github.com/purexp/purexp when a cell imports it. PUREXP_SOURCE in kernel.json
names the checkout.`,
		Example: `  pip install jupyterlab && purexp kernel install
  purexp kernel install --jupyter ~/venv/bin/jupyter --source ~/purexp`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if data, err := dataset.Folder(); err == nil && source == "" {
				source = filepath.Dir(data)
			}
			if _, err := os.Stat(filepath.Join(source, "pkg", "nb")); source != "" && err != nil {
				return usage("--source %s is not a checkout of purexp; name the folder of a checkout: %w", source, err)
			}
			if abs, err := filepath.Abs(source); source != "" && err == nil {
				source = abs
			}
			dir, err := os.MkdirTemp("", "purexp")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir)
			if err := os.CopyFS(filepath.Join(dir, "docker"), docker.Files); err != nil {
				return err
			}
			setup := exec.CommandContext(cmd.Context(), "sh", filepath.Join(dir, "docker", "setup"), "jupyter")
			setup.Env = append(os.Environ(), "PUREXP_JUPYTER="+jupyter, "PUREXP_SOURCE="+source)
			setup.Stdout, setup.Stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
			return setup.Run()
		},
	}
	install.Flags().StringVar(&jupyter, "jupyter", "jupyter", "`program` that starts Jupyter")
	install.Flags().StringVar(&source, "source", "",
		"`folder` of the checkout of purexp that notebooks outside a checkout use (default: the checkout that "+
			"contains this folder or program)")
	cmd := &cobra.Command{
		Use: "kernel", Short: "Install the Jupyter kernel of the notebooks", Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(install)
	return cmd
}

func newNotebook() *cobra.Command {
	var objectives []string
	var column, find, output string
	cmd := &cobra.Command{
		Use: "notebook TABLE.csv", Short: "Write a starter notebook for a table of candidates or of measurements",
		Long: `Notebook writes TABLE.ipynb beside the table. The notebook loads the table, asks a question, simulates a run, and
shows reasons and a figure. 'purexp problem new --help' explains --objective. Without it, the first column of numbers
is the objective, with a noise of 1, which you should replace. Rows with the same name are replicates: the notebook
averages them, and estimates the noise from them. The notebook needs the kernel of 'purexp kernel install'.`,
		Example: `  purexp notebook laptops.csv --objective 'battery,max,sd=1.5' --objective 'weight,min,sd=0.05' --find pareto`,
		Args:    args(cobra.ExactArgs(1)),
	}
	f := cmd.Flags()
	f.StringArrayVar(&objectives, "objective", nil, "an `objective`: name,max,sd=2; repeat for several")
	f.StringVar(&column, "names", "", "`column` with the names")
	f.StringVar(&find, "find", problem.FindBest, "`question`: best, pareto or feasible")
	f.StringVarP(&output, "output", "o", "", "`file` to write (default: the table's name with .ipynb)")
	cmd.RunE = func(cmd *cobra.Command, a []string) error {
		question, ok := map[string]string{"best": ".Best()", "pareto": ".Pareto()", "feasible": ".Feasible()"}[find]
		if !ok {
			return usage("--find is %q; expected best, pareto or feasible", find)
		}
		table, err := problem.ReadFile(a[0])
		if err != nil {
			return err
		}
		columns, err := problem.Columns(filepath.Base(a[0]), table)
		if err != nil {
			return err
		}
		query, err := queryOf(columns, column, objectives)
		if err != nil {
			return usage("%s: %w", a[0], err)
		}
		output = cmp.Or(output, strings.TrimSuffix(a[0], filepath.Ext(a[0]))+".ipynb")
		path, err := filepath.Rel(filepath.Dir(output), a[0])
		if err != nil {
			path = a[0]
		}
		text, err := fs.ReadFile(docker.Files, "starter.ipynb")
		if err != nil {
			return err
		}
		quoted := strconv.Quote(query + question)
		fill := strings.NewReplacer("QUERY", quoted[1:len(quoted)-1], "TABLE", filepath.ToSlash(path))
		if err := writeNew(output, []byte(fill.Replace(string(text)))); err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "wrote %s. To open it: jupyter lab %[1]s\n", output)
		return nil
	}
	return cmd
}

// queryOf formats a query on a table as a Go expression, without the question.
func queryOf(columns []problem.TableColumn, column string, objectives []string) (query string, err error) {
	at := problem.NameColumn(columns)
	if column != "" {
		column, err = problem.FindColumn(columns, column)
	} else if at >= 0 {
		column = columns[at].Name
	}
	if column == "" || err != nil {
		return "", fmt.Errorf("no column looks like names; choose a column with --names: %s", names(columns))
	}
	query, noise := fmt.Sprintf("nb.On(table, %q)", column), ",sd=1"
	for _, c := range columns {
		switch {
		case c.Name == column && !c.Distinct:
			query, noise = fmt.Sprintf("nb.On(nb.Means(table, %q), %[1]q)", column), ""
		case c.Name != column && !c.Text && len(objectives) == 0:
			objectives = []string{c.Name + noise}
		}
	}
	for _, text := range objectives {
		parts := strings.Split(text, ",")
		method, words := "Max", strconv.Quote(parts[0])
		for _, s := range parts[1:] {
			switch s = strings.TrimSpace(s); s {
			case "max":
			case "min":
				method = "Min"
			default:
				words += fmt.Sprintf(", %q", s)
			}
		}
		query += fmt.Sprintf(".%s(%s)", method, words)
	}
	return query, nil
}
