package simulated_test

import (
	"bytes"
	"fmt"
	"log"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/simulated"
)

// parsed parses a problem with the candidates A and -B and the given objectives.
func parsed(t *testing.T, objectives string) *problem.Problem {
	t.Helper()
	p, err := problem.Parse("p.toml", []byte("question = { find = \"feasible\", delta = 0.1 }\n[candidates]\nfile = \"c.csv\"\n"+
		objectives), func(string) ([]byte, error) { return []byte("name;guess;rate\nA;60,0;0,3\n-B;70,5;0,6\n"), nil })
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const (
	yield  = "[[objective]]\nname = \"yield\"\nunit = \"%\"\nnoise = { sd = 0.5 }\nat_least = 40\nguess = \"guess\"\n"
	score  = "[[objective]]\nname = \"score\"\nnoise = { range = [0, 100] }\nat_least = 10\nguess_sd = 5\n"
	counts = "[[objective]]\nname = \"alive\"\namounts = \"rates\"\nnoise = { counts = 20, evaluable = \"of\" }\nat_least = 0.2\nguess = \"rate\"\n"
)

// worksheet returns the worksheet of n tickets, for A and -B in turn.
func worksheet(t *testing.T, p *problem.Problem, n int) []byte {
	t.Helper()
	var list []campaign.Ticket
	for i := range n {
		list = append(list, campaign.Ticket{Ticket: i + 1, Plate: 1, Arm: p.Candidates.Names[i%2]})
	}
	var b bytes.Buffer
	if err := campaign.WriteSheet(&b, p, list); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// FillIn keeps the semicolons and commas of a worksheet, and a campaign accepts the result. Failures and late
// results are about as frequent as declared. The worksheet of the remaining tickets gets the late results.
func TestFillIn(t *testing.T) {
	p := parsed(t, yield)
	truth, err := simulated.Guesses(p)
	if err != nil {
		t.Fatal(err)
	}
	lab := simulated.Laboratory{Truth: truth, Failures: .1, Late: .2, Seed: 1}
	sheet := worksheet(t, p, 400)
	var filled, again, rest bytes.Buffer
	if err := lab.FillIn(&filled, p, "plate.csv", sheet); err != nil {
		t.Fatal(err)
	}
	failed, late := strings.Count(filled.String(), ";failed;"), strings.Count(filled.String(), ";;")
	if failed < 15 || failed > 50 || late < 55 || late > 105 || !strings.Contains(filled.String(), ";'-B;7") {
		t.Errorf("%d failed, %d late of 400:\n%s", failed, late, &filled)
	}
	if thousands := regexp.MustCompile(`;\d+,\d{3};`).FindString(filled.String()); thousands != "" {
		t.Errorf("%s may be read as thousands", thousands)
	}
	c, err := campaign.Create(t.TempDir()+"/c.campaign", p, "Ada")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	left := "plate;ticket;candidate;yield;note\n"
	for line := range strings.Lines(filled.String()) {
		if strings.HasSuffix(line, ";;\n") {
			left += line
		}
	}
	if err := lab.FillIn(&rest, p, "plate.csv", []byte(left)); err != nil || strings.Contains(rest.String(), ";;") {
		t.Errorf("%v: some are still late in\n%s", err, &rest)
	}
	// Filled cells do not change: another laboratory fills in only the late results.
	lab.Seed, lab.Late, lab.Failures = 2, 0, 0
	if err := lab.FillIn(&again, p, "plate.csv", filled.Bytes()); err != nil {
		t.Fatal(err)
	}
	kept, were := strings.Split(again.String(), "\n"), strings.Split(filled.String(), "\n")
	for i := range were {
		if late := strings.HasSuffix(were[i], ";;"); (kept[i] != were[i]) != late {
			t.Errorf("line %d: %q became %q", i+1, were[i], kept[i])
		}
	}
	results, _, err := c.ReadBatch("", "", "plate.csv", again.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var sum, squares, n float64
	for _, r := range results {
		if r.Arm == "A" && !r.Failed {
			sum, squares, n = sum+r.Values[0], squares+r.Values[0]*r.Values[0], n+1
		}
	}
	if mean, sd := sum/n, math.Sqrt(squares/n-sum/n*sum/n); math.Abs(mean-60) > .15 || math.Abs(sd-.5) > .1 {
		t.Errorf("%v results of A: mean %v, standard deviation %v", n, mean, sd)
	}
}

// Each result contains its number of evaluable trials. The same ticket always has the same result.
func TestMissingTrials(t *testing.T) {
	p := parsed(t, counts)
	truth, err := simulated.ReadTruth(p, "truth.csv", []byte("name,alive\nA,0\n-B,1\n"))
	if err != nil {
		t.Fatal(err)
	}
	lab := simulated.Laboratory{Truth: truth, Missing: .25, Seed: 3}
	var tickets []campaign.Ticket
	for i := range 200 {
		tickets = append(tickets, campaign.Ticket{Ticket: i + 1, Plate: 1, Arm: []string{"A", "-B"}[i%2]})
	}
	results, err := lab.Results(p, tickets)
	if err != nil {
		t.Fatal(err)
	}
	trials := 0
	for i, r := range results {
		if want := float64(r.Of * (i % 2)); r.Of < 1 || r.Of > 20 || r.Values[0] != want {
			t.Errorf("%+v; want %v successes", r, want)
		}
		trials += r.Of
	}
	if share := float64(trials) / 4000; math.Abs(share-.75) > .03 {
		t.Errorf("%.3f of the trials are evaluable", share)
	}
	alone, err := lab.Results(p, tickets[7:8])
	if err != nil || fmt.Sprint(alone[0]) != fmt.Sprint(results[7]) {
		t.Errorf("%+v, %v; want %+v", alone, err, results[7])
	}
	lab.Missing = 1 - 1e-9 // at least one trial of each result is evaluable
	if results, err = lab.Results(p, tickets[:4]); err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		if r.Of != 1 || r.Values[0] != float64(i%2) {
			t.Errorf("%+v; want one trial", r)
		}
	}
}

// Values stay within the limits of the problem. Values of a range have the guessed standard deviation.
func TestLimits(t *testing.T) {
	p := parsed(t, strings.Replace(yield, "guess = \"guess\"", "values = [0, 60]", 1)+score)
	lab := simulated.Laboratory{Truth: simulated.Truth{"A": {60, 20}}, Seed: 1}
	var tickets []campaign.Ticket
	for i := range 400 {
		tickets = append(tickets, campaign.Ticket{Ticket: i + 1, Arm: "A"})
	}
	results, err := lab.Results(p, tickets)
	if err != nil {
		t.Fatal(err)
	}
	at, squares := 0, 0.
	for _, r := range results {
		if r.Values[0] == 60 {
			at++
		} else if r.Values[0] > 60 {
			t.Errorf("a yield of %v", r.Values[0])
		}
		squares += (r.Values[1] - 20) * (r.Values[1] - 20) / 400
	}
	lab.Truth = simulated.Truth{"A": {0, 20}}
	if results, err = lab.Results(p, tickets); err != nil {
		t.Fatal(err)
	}
	none := 0
	for _, r := range results {
		if r.Values[0] == 0 {
			none++
		}
		if r.Values[0] < 0 || math.Signbit(r.Values[0]) || r.Values[1] < 0 {
			t.Errorf("a yield of %v", r.Values[0])
		}
	}
	if none < 150 || none > 250 {
		t.Errorf("%d of 400 at the lower limit", none)
	}
	if at < 150 || at > 250 || math.Abs(math.Sqrt(squares)-5) > .6 {
		t.Errorf("%d of 400 at the limit, standard deviation of the score %v", at, math.Sqrt(squares))
	}
}

// Late results belong to the last plate, whatever the order of tickets. If every result would be late, all results are
// returned.
func TestLateOfTheLastPlate(t *testing.T) {
	p := parsed(t, yield)
	lab := simulated.Laboratory{Truth: simulated.Truth{"A": {60}}, Late: 1, Seed: 1}
	for _, x := range []struct {
		plates []int // plates of the tickets 1, 2, ...
		want   string
	}{{[]int{1, 1, 2, 2}, "1 2"}, {[]int{2, 1, 2, 1}, "2 4"}, {[]int{3, 3, 1, 2}, "3 4"}, {[]int{5, 5, 5}, "1 2 3"}, {nil, ""}} {
		var tickets []campaign.Ticket
		for i, plate := range x.plates {
			tickets = append(tickets, campaign.Ticket{Ticket: i + 1, Plate: plate, Arm: "A"})
		}
		results, err := lab.Results(p, tickets)
		var got []string
		for _, r := range results {
			got = append(got, fmt.Sprint(r.Ticket))
			if r.Plate != x.plates[r.Ticket-1] {
				t.Errorf("ticket %d is of plate %d; want %d", r.Ticket, r.Plate, x.plates[r.Ticket-1])
			}
		}
		if strings.Join(got, " ") != x.want || err != nil {
			t.Errorf("plates %v: results of tickets %v, %v; want %s", x.plates, got, err, x.want)
		}
	}
}

// Without a guess, the standard deviation of results in a range is a tenth of the width of the range.
func TestSpreadOfARange(t *testing.T) {
	p := parsed(t, yield+"[[objective]]\nname = \"angle\"\nnoise = { range = [-90, 110] }\nat_least = 10\n")
	lab := simulated.Laboratory{Truth: simulated.Truth{"A": {60, 30}}, Seed: 1}
	tickets := make([]campaign.Ticket, 400)
	for i := range tickets {
		tickets[i] = campaign.Ticket{Ticket: i + 1, Arm: "A"}
	}
	results, err := lab.Results(p, tickets)
	if err != nil {
		t.Fatal(err)
	}
	squares := 0.
	for _, r := range results {
		squares += (r.Values[1] - 30) * (r.Values[1] - 30) / 400
	}
	if sd := math.Sqrt(squares); !(math.Abs(sd-20) < 2.2) {
		t.Errorf("standard deviation %v; want 20", sd)
	}
}

// Errors name the file, the line and the column, and say what to do.
func TestErrors(t *testing.T) {
	p, trial := parsed(t, yield), parsed(t, counts)
	truth := func(p *problem.Problem, table string) error {
		_, err := simulated.ReadTruth(p, "t.csv", []byte(table))
		return err
	}
	fill := func(means simulated.Truth, sheet string) error {
		return (&simulated.Laboratory{Truth: means}).FillIn(new(bytes.Buffer), p, "w.csv", []byte(sheet))
	}
	_, unguessed := simulated.Guesses(parsed(t, score))
	vague := simulated.Laboratory{Truth: simulated.Truth{"A": {99.9}}}
	_, spread := vague.Results(parsed(t, score), []campaign.Ticket{{Ticket: 1, Arm: "A"}})
	_, noise := vague.Results(parsed(t, strings.Replace(yield, "{ sd = 0.5 }", "{ pilot = { rewards = 4, delta = 0.005 } }\nvalues = [0, 100]", 1)),
		[]campaign.Ticket{{Ticket: 1, Arm: "A"}})
	for want, err := range map[string]error{
		`no column "yield"`:                                     truth(p, "name,x\nA,1\n"),
		`t.csv:2: column "yield": "high" is not`:                truth(p, "name,yield\nA,high\n"),
		`t.csv:3: column "name": "A" appears twice`:             truth(p, "name,yield\nA,1\nA,2\n"),
		`t.csv: column "name": no row for "-B"`:                 truth(p, "name,yield\nA,1\n"),
		`t.csv:2: column "alive": 12 is a rate of 12`:           truth(trial, "name,alive\nA,12\n"),
		`t.csv: the file is a workbook`:                         truth(p, "PK\x03\x04"),
		`w.csv: no column "ticket"; the columns are ["a" "b"]`:  fill(nil, "a,b\n"),
		`w.csv:2: column "ticket": "one" is not a whole number`: fill(nil, "plate,ticket,candidate,yield\n1,one,A,\n"),
		`the truth has no row for "A"; add`:                     fill(nil, "plate,ticket,candidate,yield\n1,1,A,\n"),
		`w.csv: the table is empty`:                             fill(nil, ""),
		`the means of score are unknown; give`:                  unguessed,
		`cannot have a standard deviation of 5; give`:           spread,
		`the noise of yield is unknown; give`:                   noise,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

// A simulated laboratory fills in the worksheet of one plate.
func Example() {
	p, err := problem.Parse("coupling.toml", []byte(`[question]
find = "best"
delta = 0.05
[candidates]
names = ["A07", "B02"]
[[objective]]
name = "yield"
noise = { sd = 1 }
`), nil)
	if err != nil {
		log.Fatal(err)
	}
	truth, err := simulated.ReadTruth(p, "truth.csv", []byte("candidate,yield\nA07,62\nB02,71\n"))
	if err != nil {
		log.Fatal(err)
	}
	lab := simulated.Laboratory{Truth: truth, Seed: 1}
	if err := lab.FillIn(os.Stdout, p, "plate.csv", []byte("plate,ticket,candidate,yield,note\n1,1,A07,,\n1,2,B02,,\n")); err != nil {
		log.Fatal(err)
	}
	// Output:
	// plate,ticket,candidate,yield,note
	// 1,1,A07,61.87,
	// 1,2,B02,72.19,
}

// Draw a result with the guess as the true mean.
func ExampleLaboratory_Results() {
	p, err := problem.Parse("coupling.toml", []byte(`[question]
find = "best"
delta = 0.05
[candidates]
file = "coupling.csv"
[[objective]]
name = "yield"
noise = { sd = 1 }
guess = "expected"
`), func(string) ([]byte, error) { return []byte("candidate,expected\nA07,62\nB02,71\n"), nil })
	if err != nil {
		log.Fatal(err)
	}
	truth, err := simulated.Guesses(p)
	if err != nil {
		log.Fatal(err)
	}
	lab := simulated.Laboratory{Truth: truth, Seed: 1}
	results, err := lab.Results(p, []campaign.Ticket{{Ticket: 2, Plate: 1, Arm: "B02"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(results[0].Arm, results[0].Values)
	// Output: B02 [72.19]
}
