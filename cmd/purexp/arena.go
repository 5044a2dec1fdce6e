package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/pkg/study/arena"
)

func newArena() *cobra.Command {
	var (
		e  entry
		g  guestFlag
		qs []string
	)
	cmd := &cobra.Command{
		Use: "arena --policy PACKAGE | --exec COMMAND", Short: "Compare a policy of your own with all others",
		Long: `Arena compiles a package of yours that has a policy, runs it on the instances of the
arena, and prints the arena's tables with its row among those that are published.
The package is a folder such as ./mine, or an import path, of the module that you are
in; it has a function

    func New(delta float64) *Mine

for a type *Mine with the methods of a policy (docs/write-a-policy.md). With --exec it is
a program in any language that speaks the protocol (docs/protocol.md).`,
		Example: `  purexp arena --policy ./mine
  purexp arena --policy ./mine --question "best item" --reps 200
  purexp arena --exec 'python3 mine.py' --name mine --question "best item" --reps 5`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if (e.Package == "") == (g.exec == "") {
				return usageError{errors.New("say either --policy, the folder of a Go package " +
					"with a function New(delta float64) that returns your policy, or --exec, a command")}
			}
			if e.Reps < 1 {
				return usageError{fmt.Errorf("--reps is %d; want at least 1", e.Reps)}
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
	f.StringVar(&e.Package, "policy", "", "the `package` that has the policy")
	f.StringVar(&e.Name, "name", "", "its name in tables (default: that of the package)")
	f.StringArrayVar(&qs, "question", nil,
		"a `question` of the arena (default: all that it answers)")
	f.IntVar(&e.Reps, "reps", 20, "runs on each instance, at each error probability")
	return cmd
}

// arenaQuestion returns the question of a name.
func arenaQuestion(name string) (arena.Question, error) {
	for _, q := range arena.Questions() {
		if strings.EqualFold(name, string(q)) || name == strings.TrimPrefix(q.Name(), "arena/") {
			return q, nil
		}
	}
	return "", usageError{fmt.Errorf("--question is %q; the questions are %q", name,
		arena.Questions())}
}

// An entry is a package with a policy, and what to do with it.
type entry struct {
	Package, Name string
	Questions     []arena.Question
	Reps          int
	Import        string // its import path
}

// program is what runs an entry.
var program = template.Must(template.New("").Parse(`package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/purexp/purexp/pkg/study/arena"

	mine "{{.Import}}"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := arena.Enter(ctx, os.Stdout, arena.Own({{printf "%q" .Name}}, mine.New), {{.Reps}}
		{{- range .Questions}}, {{printf "%q" .}}{{end}})
	if err != nil {
		fmt.Fprintln(os.Stderr, "purexp:", err)
		os.Exit(1)
	}
}
`))

// run builds the program of an entry in its module, without changing a file there, and runs it.
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
		return fmt.Errorf("--policy %s: want one package: %w", e.Package, err)
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
	// The program is a package of the module, in a folder that only the overlay knows.
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
	if work, err := goCommand(cmd, "", "env", "GOWORK"); err == nil &&
		len(bytes.TrimSpace(work)) == 0 {
		// The arena imports more than the policy does: what go.mod lacks goes to a copy.
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

// goCommand returns what the go command prints, in a folder; its messages are the error.
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
