package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
)

// scripts are lists of commands, each run in a folder of its own. "cat" prints a file; "edit" replaces its first text
// argument with the second in a file.
var scripts = map[string]string{
	"chemist": `
problem new --example chemistry
problem new --example chemistry
problem new --example history
problem check chemistry.toml
problem check chemistry.toml --json
problem check nothing.toml
edit chemistry.toml 'delta = 0.05' 'delta = 5'
problem check chemistry.toml
problem check chemistry.toml --json
edit chemistry.toml 'delta = 5' 'delta = 0.05'
plan chemistry.toml --runs 3 --quiet --no-changes --methods e-cAPE
plan chemistry.toml --runs 3 --quiet --methods e-cAPE --change yield.tolerance=2 --change plate=4 --late 0.1 --late-by 2 --failures 0.1 --format csv
plan chemistry.toml --runs 0
plan chemistry.toml --limit -1
plan chemistry.toml --no-changes --change plate=4
plan chemistry.toml --runs 3 --quiet --change yield.colour=4
plan chemistry.toml --runs 3 --quiet --change plate=4.5
plan chemistry.toml --runs 3 --methods nobody --quiet
plan chemistry.toml --late 2
campaign status
campaign new chemistry.toml --worksheet plate-1.csv --as Ada
campaign new chemistry.toml --worksheet plate-1.csv --as Ada
simulate chemistry.toml plate-1.csv --seed 2
simulate chemistry.toml plate-1.csv --seed 2 --failures 0.5 --late 0.4 -o results.csv
simulate chemistry.toml plate-1.csv --failures 1
simulate chemistry.toml nothing.csv
simulate chemistry.toml plate-1.csv --truth nothing.csv
simulate --example chemist
simulate --example chemist
simulate --example poet
campaign tell results.csv --as Eve
campaign tell results.csv --as Eve
campaign tell results.csv --as Eve --json
campaign ask --pending
campaign ask --pending --json
campaign ask --plate 2 --key monday --as robot
campaign ask --plate 5 --key monday --as robot
campaign ask --plate 2 --json --as robot
campaign tell --ticket 9 yield=61.5 impurity=2.25 --note 'by hand'
campaign tell --ticket 9 yield=61.5 impurity=2.25
campaign tell --ticket 9 yield=60 impurity=2
campaign tell --ticket 9 yield=60 impurity=2 --json
campaign tell --ticket 10 --failed --note broken
campaign tell --ticket 11 yield=160 impurity=2
campaign tell --candidate A01 --id p12 yield=38 impurity=1
campaign tell --candidate A01 yield=38 impurity=1
campaign tell --candidate Z9 --id p13 yield=38 impurity=1
campaign tell
campaign drop A02 --why 'sold out'
campaign drop A02
campaign join A02 price=3
campaign join Z9
campaign join Z9 price=x
campaign join Z9 price=4 colour=red
campaign join Z9 price=4 price=5
campaign join Z9 price
campaign join Z9 price=4
campaign undo 3 --why 'a slip'
campaign undo 1
campaign undo 99
campaign undo x
campaign sign --name Bob --role chemist --as Ada
campaign sign --name Bob --role chemist --as Ada
campaign sign --name Bob --role chemist --as Ada --json
campaign sign
campaign status
campaign status --format markdown
campaign status --format csv
campaign status --format pdf
campaign status --json
campaign history
campaign history --format csv
campaign history --json
campaign export --format csv
campaign export --format csv -o results-out.csv
campaign export --format xml
campaign export -o record.jsonl
campaign export -o record.jsonl
campaign verify
campaign verify --json
campaign certificate
campaign certificate --html -o page.html
campaign report -o report.html
campaign report -o report.html
campaign import record.jsonl --file again.campaign
campaign import record.jsonl --file again.campaign
campaign import plate-1.csv --file third.campaign
campaign verify --file again.campaign
campaign status --file nothing.campaign
campaign status
`,
	"statistician": `
problem new --example trial
problem check trial.toml
edit trial.toml 'title = "Five doses"' 'protocol = "frozen"'
campaign new trial.toml --worksheet w.csv --as Ada
cat w.csv
simulate trial.toml w.csv --seed 5 -o r.csv
cat r.csv
campaign tell r.csv --as Eve
campaign tell r.csv --batch b1 --as Eve
campaign undo 3 --as Ada
campaign undo 3 --reason 'typed twice' --as Ada
campaign undo 3 --reason 'typed twice' --by ada --as Ada
campaign undo 3 --reason 'typed twice' --by Bob --as Ada
campaign history
campaign drop nothing --why x
campaign tell --ticket 1 responses=13 toxicity=1
campaign tell --ticket 1 responses=1.5 toxicity=1
campaign tell --ticket 1 responses=0.5 toxicity=1
campaign tell --ticket 1 responses=50% toxicity=1
campaign tell --ticket 1 responses=5
campaign tell --ticket 1 responses=5 toxicity=1 toxicity=2
campaign status
`,
	"engineer": `
problem new --example compiler
problem check compiler.toml
campaign new compiler.toml --json --as Ada
campaign run --exec 'false' --retries 0 --limit 1 --as robot
campaign run --exec 'echo {' --limit 1
campaign run --exec '' --limit 1
campaign run --exec 'nothing-at-all' --limit 1 --retries 0
campaign run
campaign run --folder plates --limit 1
campaign run --folder plates --jobs 2
campaign run --folder plates --retries 2
campaign run --folder plates --table t.csv
campaign run --folder plates --plate -1
campaign run --folder plates --timeout 0s
campaign run --exec 'echo 1' --jobs 0
campaign run --exec 'echo 1' --limit -1
campaign run --exec 'echo 1' --timeout 0s
campaign run --exec 'echo 1' --retries -1
campaign run --exec 'echo 1' --limit 1 --table nothing.csv
campaign run --exec 'echo 1' --limit 1 --table compiler.toml
campaign run --exec 'echo {candidate}' --limit 1 --retries 0 --timeout 5s --as robot
campaign run --exec 'echo 1.5' --limit 2 --retries 0 --as robot
campaign run --exec 'echo 1.5' --limit 2 --retries 0 --as robot --json
campaign status
`,
	"tables": `
problem new t.csv
problem new nothing.csv --objective y,max,sd=2
problem new t.csv --objective y,max,sd=2 --names nobody
problem new t.csv --objective y,max,sd=2 --features colour
problem new t.csv --objective y,max,sd=2 --features size --cost price --plate 4 --delta 0.1 --find best
problem new t.csv --objective y,max,sd=2
problem new t.csv --objective y,max,sd=2 --output sub/p.toml
problem new t.csv --objective y,max,sd=2 --output q.toml --find good
problem new t.csv --objective y,max,sd=2,tolerance=5% --output q.toml --find good --json
problem new t.csv --objective y,max,sd=2 --output r.toml --delta 2
problem new t.csv --objective y,max,sd=2 --output r.toml --plate -1
cat t.toml
problem check t.toml
design t.csv --features size --pulls 12
design t.csv --features size,price --categories colour --for means --format csv
design t.csv --features size --items t.csv
design t.csv --features size --items i.csv --pulls 12
design t.csv --features size --items i.csv --pulls 12 --for means
design t.csv --features size --arm name --pulls 7 --format markdown
design t.csv --features name
design t.csv --features nothing
design empty.csv --features size
list datasets
papers nobody --format csv
policy nobody
policytest --exec 'cat' --runs 0
policytest --exec '' --runs 5
policytest --exec 'false' --runs 5
policytest --exec 'sleep 60' --timeout 200ms --runs 5
arena --reps 1
arena --policy x --exec y
arena --exec cat --reps 0
arena --exec cat --question nothing
instances
verify nothing
verify --share 200%
verify --all --share 1%
reproduce nothing
serve nothing.campaign
`,
	"plans": `
problem new --example trial
plan trial.toml --scenarios s.csv --runs 20 --limit 60 --quiet
plan trial.toml --scenarios s.csv --runs 20 --format csv --quiet
plan trial.toml --scenarios s.csv --runs 20 --methods e-cAPE --json --quiet
plan trial.toml --scenarios s.csv --runs 20 --change delta=0.2 --quiet
plan trial.toml --scenarios t.csv --quiet
plan trial.toml --scenarios nothing.csv --quiet
plan trial.toml --runs 20 --limit 200 --quiet
plan trial.toml --runs 20 --quiet --no-changes --output trial --format markdown
cat trial/plan.csv
problem new --example compiler
plan compiler.toml --runs 20 --quiet
plan compiler.toml --runs 20 --quiet --failures 0.2 --seed 2 --no-changes --json
problem new --example chemistry
plan chemistry.toml --runs 10 --quiet --late 0.2 --late-by 2 --limit 500
campaign new chemistry.toml --worksheet plate-1.csv --as Ada
campaign plan --runs 10 --quiet
simulate chemistry.toml plate-1.csv --seed 4 --truth truth.csv
simulate chemistry.toml plate-1.csv --seed 4 -o results.csv
campaign tell results.csv --as Eve
campaign plan --runs 10 --quiet
campaign plan --runs 10 --quiet --json
`,
	"kinds": `
problem new --example compiler --json
problem new d.csv --objective 'size,max,sd=1,guess=expected' --cost price --output costs.toml
plan costs.toml --runs 20 --quiet --no-changes
problem new d.csv --objective 'size,max,sd=1,guess=expected,tolerance=2%' --find good --plate 4 --output good.toml
plan good.toml --runs 20 --quiet --no-changes
problem new d.csv --objective 'size,max,range=0..20,guess=expected' --find best --delta 0.1 --output bounded.toml
plan bounded.toml --runs 20 --quiet --no-changes
problem new d.csv --objective 'size,max,sd=1,guess=expected' --features depth --categories colour --output linear.toml
plan linear.toml --runs 20 --quiet --no-changes
problem new d.csv --objective 'size,max,sd=1,guess=expected,slack=0.5,at_least=4' --objective 'price,min,known' --find pareto --output front.toml
plan front.toml --runs 20 --quiet --no-changes
problem new d.csv --objective 'size,bounded,sd=1,guess=expected,at_least=4.4' --objective 'price,bounded,known,at_most=7' --find feasible --output within.toml
plan within.toml --runs 20 --quiet --no-changes
problem new d.csv --objective 'size,max,sd=1,guess=expected' --find top --output top.toml
problem new d.csv --objective 'size,max,sd=1,guess=expected' --output top.toml
edit top.toml 'find = "best"' 'count = 2\nfind = "top"'
problem check top.toml
plan top.toml --runs 20 --quiet --no-changes
problem new d.csv --objective 'born,max,counts=12,guess=share,of=eggs' --objective 'price,min,known' --output counts.toml
plan counts.toml --runs 20 --quiet --no-changes
campaign new linear.toml --worksheet l.csv --as Ada --file linear.campaign
simulate linear.toml l.csv --seed 7 -o lr.csv
campaign tell lr.csv --file linear.campaign
campaign status --file linear.campaign
campaign new good.toml --worksheet g.csv --as Ada --file good.campaign
simulate good.toml g.csv --seed 7 -o gr.csv
campaign tell gr.csv --file good.campaign
campaign status --file good.campaign
campaign new within.toml --worksheet w.csv --as Ada --file within.campaign
simulate within.toml w.csv --seed 7 -o wr.csv
campaign tell wr.csv --file within.campaign
campaign status --file within.campaign
campaign history --file within.campaign
`,
	"runs": `
run gege/synthetic-budget --reps 1 --quiet --output r.jsonl
run gege/synthetic-budget --reps 1 --quiet --output r.jsonl
run gege/synthetic-budget --reps 1 --quiet --output r.jsonl --resume
run gege/synthetic-budget --reps 1 --quiet --output part.jsonl --shard 2/3
run gege/synthetic-budget --reps 1 --quiet --output part.jsonl --shard 4/3
run gege/synthetic-budget --reps 1 --quiet --output r.jsonl --resume --seed 2
run gege/synthetic-budget --reps 1 --quiet --output x.jsonl --seed 0
run gege/synthetic-budget --reps -1 --quiet --output x.jsonl
report r.jsonl
report r.jsonl --format csv
report r.jsonl part.jsonl --format markdown
report part.jsonl
report t.csv
claims r.jsonl
claims part.jsonl
sweep new gege/synthetic-budget swept --reps 3 --shards 3
sweep new gege/synthetic-budget swept --reps 3 --shards 3
sweep new gege/synthetic-budget none --reps 1 --shards 0
sweep new gege/synthetic-budget none --reps 1 --shards 3
sweep new nothing none --reps 1
sweep status swept
sweep run swept 2
sweep status swept
sweep merge swept --output m.jsonl
sweep run swept 1
sweep run swept 3
sweep run swept 3
sweep run swept 4
sweep status swept
sweep merge swept --output m.jsonl
sweep merge swept --output m.jsonl
sweep retry swept
sweep status r.jsonl
report m.jsonl
`,
	"papers": `
papers
papers rage 'fig 2a'
papers rage --format nothing
`,
}

// doses lists two scenarios for planning a trial. In the second scenario, the most effective dose is toxic.
const doses = `scenario,dose,responses,toxicity
mild,10 mg,0.15,0.05
mild,25 mg,0.3,0.1
mild,50 mg,0.5,0.1
mild,100 mg,0.7,0.1
mild,200 mg,0.72,0.15
toxic,10 mg,0.15,0.1
toxic,25 mg,0.3,0.1
toxic,50 mg,0.5,0.2
toxic,100 mg,0.7,0.6
toxic,200 mg,0.72,0.9
`

// dyes is a table with columns for problems of all kinds.
const dyes = `dye,expected,share,depth,price,colour
A,3,0.1,1,3,red
B,6,0.5,2,4,blue
C,9,0.55,3,5,red
D,5,0.9,1,7,blue
E,4,0.2,2,9,blue
`

var words = regexp.MustCompile(`'[^']*'|\S+`)

// The exit codes of commands and the places of their errors equal those in testdata. For the chemist's commands,
// testdata contains the full output.
func TestScripts(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: commands and errors of files are others there")
	}
	home, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for name, script := range scripts {
		t.Run(name, func(t *testing.T) {
			if name == "papers" && testing.Short() {
				t.Skip("skipped: all published rows are read")
			}
			dir := t.TempDir()
			put(t, dir, "t.csv", "name,size,price,colour\nA,1,3,red\nB,2,4,blue\nC,3,5,red\nD,5,7,blue\n")
			put(t, dir, "empty.csv", "name,size\n")
			put(t, dir, "i.csv", "name,size\nhuge,50\nlarge,20\n")
			put(t, dir, "s.csv", doses)
			put(t, dir, "d.csv", dyes)
			put(t, dir, "truth.csv", "candidate,yield\nA01,60\n")
			var all strings.Builder
			for line := range strings.Lines(strings.TrimSpace(script)) {
				args := words.FindAllString(line, -1)
				for i := range args {
					args[i] = strings.Trim(args[i], "'")
				}
				switch args[0] {
				case "cat", "edit":
					path := filepath.Join(dir, args[1])
					text, err := os.ReadFile(path)
					if err != nil {
						t.Fatal(err)
					}
					if args[0] == "cat" {
						fmt.Fprintf(&all, "$ %s%s", line, text)
						continue
					}
					changed := strings.Replace(strings.ReplaceAll(string(text), "  ", " "), args[2], strings.ReplaceAll(args[3], `\n`, "\n"), 1)
					if changed == string(text) {
						t.Errorf("%s has no %q", args[1], args[2])
					}
					if err := os.WriteFile(path, []byte(changed), 0o666); err != nil {
						t.Fatal(err)
					}
					continue
				}
				if args[0] == "campaign" && !slices.Contains(args, "--as") {
					args = append(args, "--as", "Kim")
				}
				out, errs, code := purexp(t, dir, args...)
				if len(out) > 20000 {
					out = out[:20000] + "...\n"
				}
				fmt.Fprintf(&all, "$ %s", strings.TrimSpace(line))
				if code != 0 {
					fmt.Fprintf(&all, " => exit code %d", code)
				}
				fmt.Fprintf(&all, "\n%s", out)
				for text := range strings.Lines(errs) {
					fmt.Fprintf(&all, "error: %s", text)
				}
			}
			text := strings.ReplaceAll(all.String(), dir, "DIR")
			t.Chdir(home)
			if name == "chemist" {
				golden.Check(t, name+".txt", golden.Steady(text))
			} else {
				golden.Check(t, name+".txt", places(text))
			}
		})
	}
}

// places returns the commands of a script with their exit codes and the places of errors: a file, line and column,
// or a flag.
func places(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if says, is := strings.CutPrefix(line, "error: "); is {
			parts := strings.SplitN(strings.TrimSpace(strings.TrimPrefix(says, "purexp: ")), ": ", 3)
			if n := len(parts); n > 1 && parts[0] != "warning" && !strings.Contains(parts[0], " ") {
				fmt.Fprintf(&out, "error: %s\n", strings.Join(parts[:min(n-1, 2)], ": "))
			}
		} else if strings.HasPrefix(line, "$ ") {
			out.WriteString(line)
		}
	}
	return out.String()
}
