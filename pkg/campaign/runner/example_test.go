package runner_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/runner"
)

// Run a campaign whose laboratory is a command.
func ExampleRun() {
	p, err := problem.Parse("flags.toml", []byte(`[question]
find = "best"
delta = 0.05
[candidates]
names = ["3", "5", "9"]
[[objective]]
name = "time"
goal = "minimise"
noise = { sd = 0.1 }
`), nil)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	c, err := campaign.Create(filepath.Join(dir, "flags.campaign"), p, "Ada")
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	command, err := runner.Parse("echo time={arm}")
	if err != nil {
		log.Fatal(err)
	}
	sum, err := runner.Run(context.Background(), c, &runner.Command{Template: command,
		Objectives: []string{"time"}}, runner.Settings{As: "node7", Jobs: 2})
	if err != nil {
		log.Fatal(err)
	}
	best, _, err := c.Answer()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sum.Finished, sum.Failed, best)
	// Output: true 0 [3]
}

// A command is split into words as in a shell, but no shell runs.
func ExampleParse() {
	t, err := runner.Parse(`./bench --flags {arm} -o "run {ticket}.txt"`)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q\n", t.Words(runner.Job{Ticket: 7, Arm: "-O3 -flto"}))
	// Output: ["./bench" "--flags" "-O3 -flto" "-o" "run 7.txt"]
}

// A placeholder may be a column of a table; Check finds unknown placeholders.
func ExampleTemplate_Check() {
	t, err := runner.Parse("cc {flags} {arm}.c")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Check([]string{"flags"}), t.Check(nil) != nil)
	// Output: <nil> true
}

// A command prints the values on its last line.
func ExampleValues() {
	for _, out := range []string{"warming up\n12.5 310\n", "size=310 runtime=12.5", `{"runtime": 12.5}`} {
		v, err := runner.Values([]byte(out), []string{"runtime", "size"})
		fmt.Println(v, err)
	}
	// Output:
	// [12.5 310] <nil>
	// [12.5 310] <nil>
	// [] the last line "{\"runtime\": 12.5}" has no "size"; expected runtime=0.5 size=1.5
}

// Make one measurement, with a retry.
func ExampleCommand_Measure() {
	command, err := runner.Parse("echo 12.5")
	if err != nil {
		log.Fatal(err)
	}
	r := runner.Command{Template: command, Objectives: []string{"runtime"}}
	v, err := r.Measure(context.Background(), runner.Job{Ticket: 1, Arm: "O3"})
	fmt.Println(v, err)
	// Output: [12.5] <nil>
}
