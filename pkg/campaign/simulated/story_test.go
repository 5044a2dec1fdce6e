package simulated_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/simulated"
)

// The filled-in worksheets of laboratories, and the errors, are in testdata.
func TestFilledIn(t *testing.T) {
	var out strings.Builder
	parse := func(objective, table string) *problem.Problem {
		p, err := problem.Parse("p.toml", []byte("question = {find = \"best\", delta = 0.1}\ncandidates = {file = \"c.csv\"}\n[[objective]]\nname = \"y\"\n"+objective),
			func(string) ([]byte, error) { return []byte(table), nil })
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	const table = "name,g,r\nA,40,0.2\nB,70,0.6\n"
	const second = "[[objective]]\nname = \"z\"\ngoal = \"bounded\"\nat_most = 90\nnoise = { sd = 30 }\nguess = \"r\"\n"
	sheet := func(rows ...string) string {
		return "plate,ticket,candidate,y,note\n" + strings.Join(rows, "\n") + "\n"
	}
	usual := sheet("1,1,A,,", "1,2,B,,", "2,3,A,41.5,told", "2,4,B,,", "2,5,A,,")
	for _, x := range []struct {
		what, objective string
		lab             simulated.Laboratory
		sheet           string
	}{
		{"usual", "noise = { sd = 2 }\nguess = \"g\"\n", simulated.Laboratory{Seed: 1}, usual},
		{"another seed", "noise = { sd = 2 }\nguess = \"g\"\n", simulated.Laboratory{Seed: 2}, usual},
		{"late and failed", "noise = { sd = 2 }\nguess = \"g\"\n", simulated.Laboratory{Seed: 1, Late: .6, Failures: .3}, usual},
		{"all late", "noise = { sd = 2 }\nguess = \"g\"\n", simulated.Laboratory{Seed: 1, Late: .99}, sheet("1,1,A,,", "1,2,B,,")},
		{"less noise", "noise = { sd = 2 }\nguess = \"g\"\n", simulated.Laboratory{Seed: 1, SD: map[string]float64{"y": .01}}, usual},
		{"no noise", "noise = { sd = 2 }\nguess = \"g\"\n", simulated.Laboratory{Seed: 1, SD: map[string]float64{"y": 0}}, usual},
		{"within values", "noise = { sd = 200 }\nvalues = [0, 100]\nguess = \"g\"\n", simulated.Laboratory{Seed: 1}, usual},
		{"a range", "noise = { range = [0, 100] }\nguess = \"g\"\n", simulated.Laboratory{Seed: 1}, usual},
		{"a range with a guess", "noise = { range = [20, 120] }\nguess_sd = 1\nguess = \"g\"\n", simulated.Laboratory{Seed: 1}, usual},
		{"a range with much noise", "noise = { range = [0, 100] }\nguess = \"g\"\n", simulated.Laboratory{Seed: 1, SD: map[string]float64{"y": 60}}, usual},
		{"a range, told", "noise = { range = [0, 100] }\nguess_sd = 1\nguess = \"g\"\n", simulated.Laboratory{Seed: 1, SD: map[string]float64{"y": 8}}, usual},
		{"counts", "noise = { counts = 12 }\namounts = \"rates\"\nguess = \"r\"\n", simulated.Laboratory{Seed: 1}, sheet("1,1,A,,", "1,2,B,,")},
		{"some evaluable", "noise = { counts = 12, evaluable = \"left\" }\namounts = \"rates\"\nguess = \"r\"\n", simulated.Laboratory{Seed: 1, Missing: .3},
			"plate,ticket,candidate,y,left,note\n1,1,A,,,\n1,2,B,,,\n1,3,A,,,\n"},
		{"no column of evaluable", "noise = { counts = 12, evaluable = \"left\" }\namounts = \"rates\"\nguess = \"r\"\n", simulated.Laboratory{Seed: 1, Missing: .3}, sheet("1,1,A,,")},
		{"a pilot", "noise = { pilot = { rewards = 3, delta = 0.01, sd = 2 } }\nvalues = [0, 100]\nguess = \"g\"\n", simulated.Laboratory{Seed: 1}, usual},
		{"a pilot of which nobody knows", "noise = { pilot = { rewards = 3, delta = 0.01 } }\nvalues = [0, 100]\nguess = \"g\"\n", simulated.Laboratory{Seed: 1}, usual},
		{"semicolons", "noise = { sd = 2 }\nguess = \"g\"\n", simulated.Laboratory{Seed: 1}, "plate;ticket;candidate;y;note\n1;1;A;;\n1;2;B;;\n1;3;A;40,125;\n"},
		{"tabs", "noise = { sd = 2 }\nguess = \"g\"\n", simulated.Laboratory{Seed: 1}, "ticket\tcandidate\ty\tplate\tnote\n1\tA\t\t1\tx\n2\tB\t40,5\t1\t\n"},
		{"two objectives, some rows begun", "noise = { sd = 2 }\nguess = \"g\"\n" + second, simulated.Laboratory{Seed: 1, SD: map[string]float64{"z": .3}},
			"plate,ticket,candidate,z,y,note\n1,1,A,,,\n1,2,B,7,,\n1,3,A,,7,\n1,4,B,,failed,spilled\n1,5,A,,,own\n"},
		{"two objectives, failed", "noise = { sd = 2 }\nguess = \"g\"\n" + second, simulated.Laboratory{Seed: 1, Failures: .9},
			"plate;ticket;candidate;y;z;note\n1;1;A;;;\n1;2;B;;;\n1;3;A;7,5;;\n1;7;B;;;\n"},
		{"a pilot, told", "noise = { pilot = { rewards = 3, delta = 0.01, sd = 2 } }\nvalues = [0, 100]\nguess = \"g\"\n",
			simulated.Laboratory{Seed: 1, SD: map[string]float64{"y": 20}}, usual},
		{"counts that may all be evaluated", "noise = { counts = 12 }\namounts = \"rates\"\nguess = \"r\"\n", simulated.Laboratory{Seed: 1, Missing: .5}, sheet("1,1,A,,", "1,2,B,,")},
		{"candidates of other letters and spaces", "noise = { sd = 2 }\nguess = \"g\"\n", simulated.Laboratory{Seed: 1}, "PLATE,Ticket,candidate,Y\n1,1, A ,\n1, 2 ,\"B\",\n"},
		{"an unknown candidate", "noise = { sd = 2 }\nguess = \"g\"\n", simulated.Laboratory{Seed: 1}, sheet("1,1,Z,,")},
		{"no ticket", "noise = { sd = 2 }\nguess = \"g\"\n", simulated.Laboratory{Seed: 1}, sheet("1,x,A,,")},
		{"no plate", "noise = { sd = 2 }\nguess = \"g\"\n", simulated.Laboratory{Seed: 1}, sheet(",1,A,,")},
		{"no worksheet", "noise = { sd = 2 }\nguess = \"g\"\n", simulated.Laboratory{Seed: 1}, "candidate,y\nA,\n"},
		{"no table", "noise = { sd = 2 }\nguess = \"g\"\n", simulated.Laboratory{Seed: 1}, ""},
		{"no guesses", "noise = { sd = 2 }\n", simulated.Laboratory{Seed: 1}, usual},
	} {
		p := parse(x.objective, table)
		var err error
		if x.lab.Truth, err = simulated.Guesses(p); err != nil {
			fmt.Fprintf(&out, "%s: %v\n", x.what, err)
			continue
		}
		var filled strings.Builder
		err = x.lab.FillIn(&filled, p, "w.csv", []byte(x.sheet))
		fmt.Fprintf(&out, "%s: %v\n%s", x.what, err, filled.String())
	}
	rates := parse("noise = { counts = 12 }\namounts = \"rates\"\n", table)
	for _, text := range []string{"name,y\nA,0.2\nB,0.6\n", "y,candidate\n0.2,B\n0.6,A\n", "name,y\nA,0.2\n", "name,y\nA,0.2\nA,0.6\n", "name,y\nA,0.2\nB,1.2\n", "name,y\nA,-0.2\nB,1\n",
		"name,y\nA,x\nB,1\n", "name,z\nA,1\nB,1\n", "", "name,y\nA,0.2\nB,0.6\ncontrol,0.1\n"} {
		truth, err := simulated.ReadTruth(rates, "truth.csv", []byte(text))
		fmt.Fprintf(&out, "%q: %v %v\n", text, truth, err)
	}
	// Names may begin with the apostrophe that marks text in spreadsheets. The names are in the column that the
	// problem declares.
	cold := parse("noise = { sd = 2 }\nguess = \"g\"\n", "flask,g\n-5 °C,40\n=x,70\n")
	cold.Candidates.Column = "flask"
	for _, text := range []string{"flask,y\n'-5 °C,1\n'=x,2\n", "y;flask;candidate\n1,5;-5 °C;=x\n2,5;=x;-5 °C\n", "candidate,y\n '-5 °C ,1\n=x,2\n", "y,Flask\n1,'=x\n"} {
		truth, err := simulated.ReadTruth(cold, "truth.csv", []byte(text))
		fmt.Fprintf(&out, "%q: %v %v\n", text, truth, err)
	}
	truth, err := simulated.Guesses(cold)
	fmt.Fprintf(&out, "guessed: %v %v\n", truth, err)
	golden.Parts(t, "filled.txt", out.String(), `^(usual|[a-z]+ [a-z ,]+):`)
}
