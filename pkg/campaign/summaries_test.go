package campaign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const normal = "[[objective]]\nname = \"y\"\nnoise = { sd = 2 }\n"

// summarised are problems whose summaries are equivalent to single results.
var summarised = map[string]certified{
	"e-cAPE": {"pareto", "e-cAPE", normal + "at_least = 3\n[[objective]]\nname = \"z\"\nnoise = { counts = 4 }\n[[objective]]\n" +
		"name = \"price\"\nknown = true\ngoal = \"minimise\"\n", "name,price\nA,1\nB,2\nC,3\n"},
	"APE":     {"best", "APE", strings.ReplaceAll(normal, "sd = 2", "range = [0, 32]"), "name\nA\nB\nC\n"},
	"UGapE":   {"best", "UGapE", "[[objective]]\nname = \"y\"\nnoise = { counts = 1 }\n", "name\nA\nB\nC\n"},
	"fitted":  {"best", "APE fitted", "[[objective]]\nname = \"y\"\nnoise = { counts = 16 }\n", "name\nA\nB\nC\n"},
	"LinGapE": {"best", "LinGapE", normal, "name,dose,ligand\nA,1,P\nB,2,P\nC,1,Q\n"},
	"betting": {"best", "Betting", normal, "name\nA\nB\nC\n"},
}

// A row that summarises n results is equivalent to n single results: sums, counts, intervals, verdicts and next
// requests are equal. The checker accepts the certificate, but rejects the certificate if n is changed.
func TestSummaries(t *testing.T) {
	needPython(t)
	for name, x := range summarised {
		t.Run(name, func(t *testing.T) {
			many, few := certify(t, x, 0), certify(t, x, 0)
			p, err := few.Problem()
			if err != nil {
				t.Fatal(err)
			}
			var single []Result
			names := strings.Join(measured(p), ",")
			table := "candidate,who,N," + names + "\n"
			for i, arm := range []string{"A", "B", "C"} {
				n, total := 8*(i+1), make([]float64, len(p.Measured()))
				for k := range n {
					r := Result{ID: fmt.Sprint(arm, k), Arm: arm}
					for j, c := range p.Measured() {
						v := float64(3*i + k%2 + j)
						if most := p.Objectives[c].Noise.Counts; most != nil {
							v = min(float64(6*i+k%2), float64(*most))
						}
						r.Values, total[j] = append(r.Values, v), total[j]+v
					}
					single = append(single, r)
				}
				row := fmt.Sprintf("%s,Ada,%d", arm, n)
				for j, c := range p.Measured() {
					if p.Objectives[c].Noise.Counts == nil {
						total[j] /= float64(n)
					}
					row += fmt.Sprintf(",%v", total[j])
				}
				table += row + "\n"
			}
			tell(t, many, single...)
			results, notes, err := few.ReadBatch("b", "n", "b.csv", []byte(table))
			if err != nil || len(notes) != 1 || !strings.HasSuffix(notes[0], `ignored: "who"`) {
				t.Fatal(notes, err)
			}
			if r := tell(t, few, results...); r.Used+r.Unused != 48 || r.Failed != 0 || r.Odd != nil {
				t.Errorf("%+v", r)
			}
			same := func() {
				t.Helper()
				var got, want Status = status(t, few), status(t, many)
				for _, pair := range [][2]any{{got.Arms, want.Arms}, {got.Headline, want.Headline}, {got.Unused, want.Unused}} {
					a, _ := json.Marshal(pair[0])
					if b, _ := json.Marshal(pair[1]); !bytes.Equal(a, b) {
						t.Errorf("%s\nwant %s", a, b)
					}
				}
				a, err1 := few.Rewards()
				b, err2 := many.Rewards()
				for i := range a {
					if a[i].Squares != nil {
						t.Errorf("squares of summaries: %v", a[i])
					}
					b[i].Squares = nil
				}
				if fmt.Sprint(a) != fmt.Sprint(b) || err1 != nil || err2 != nil {
					t.Errorf("%v, %v; want %v, %v", a, err1, b, err2)
				}
			}
			same()
			before := status(t, few)
			if text := fmt.Sprint(before.Guarantee); !strings.Contains(text, "3 results are summaries and count for 48 measurements.") ||
				before.Evidence.Results != map[bool]int{false: 3}[name == "UGapE" || name == "fitted"] { // the monitors do not test totals of counts
				t.Errorf("%s %+v", text, before.Evidence)
			}
			text := certificate(t, few)
			if says, code := checked(t, text); code != 0 || name == "fitted" && !strings.Contains(says, "the answer is C") {
				t.Errorf("%d: %s", code, says)
			}
			if says, code := checked(t, rehashed(strings.Split(strings.TrimSpace(strings.ReplaceAll(text, `"n":24`, `"n":23`)), "\n"))); code != 1 {
				t.Errorf("another n: %d: %s", code, says)
			}
			restored(t, few, before)
			for k := range 2 {
				if a, b := ask(t, few, 4), ask(t, many, 4); len(a) != len(b) || fmt.Sprint(arms(a)) != fmt.Sprint(arms(b)) {
					t.Errorf("request %d: %v; want %v", k, arms(a), arms(b))
				}
			}
			for _, c := range []*Campaign{many, few} {
				must(t, c.Undo(2, "another table", "Ada"))
			}
			same()
			verified(t, few)
		})
	}
}

// Any-sampling methods accept summaries with tickets, even during confirmation. These summaries are equivalent to
// unsolicited summaries. Betting rejects a summary with a ticket.
func TestTicketSummaries(t *testing.T) {
	needPython(t)
	tickets, ids := beginWith(t, lineOf(t, "")), beginWith(t, lineOf(t, ""))
	for range 40 {
		for _, k := range ask(t, tickets, 5) {
			r := Result{Ticket: k.Ticket, Values: []float64{map[string]float64{"a": 60, "b": 59, "c": 58, "d": 57}[k.Arm]}, N: 2 + int(k.Arm[0]-'a')}
			tell(t, tickets, r)
			r.Ticket, r.ID, r.Arm = 0, fmt.Sprint(k.Ticket), k.Arm
			tell(t, ids, r)
			now := status(t, tickets)
			i := slices.IndexFunc(now.Arms, func(x ArmStatus) bool { return x.Arm == k.Arm })
			got, want := now.Arms[i], status(t, ids).Arms[i]
			if now.Status == Running && now.Confirming == 0 && (got.Used != want.Used || got.Estimate[0] != want.Estimate[0]) {
				t.Fatalf("%+v; want %+v", got, want)
			}
		}
	}
	if s := status(t, tickets); !s.Done() || s.Evidence.E > 1 || s.Event < 20 {
		t.Errorf("%+v", s)
	}
	verified(t, tickets)
	c := certify(t, summarised["betting"], 0)
	_, err := c.Tell([]Result{{Ticket: ask(t, c, 1)[0].Ticket, Values: []float64{4}, N: 2}}, "Ada")
	const why = "a ticket of Betting is for one measurement"
	if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), why) {
		t.Error(err)
	}
	goOn(t, c, summarised["betting"], 1)
	forged := strings.Replace(certificate(t, c), `"values":[`, `"n":2,"values":[`, 1)
	if says, code := checked(t, rehashed(strings.Split(strings.TrimSpace(forged), "\n"))); code != 1 || !strings.Contains(says, why) {
		t.Errorf("a forged summary: %d: %s", code, says)
	}
}

// restored checks that an exported record and an exported table give the status of the campaign.
func restored(t *testing.T, c *Campaign, want Status) {
	t.Helper()
	var record, table bytes.Buffer
	must(t, errors.Join(c.Export(&record), c.ExportCSV(&table)))
	again, err := Import(filepath.Join(t.TempDir(), "again.campaign"), &record)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if s := status(t, again); s.Hash != want.Hash || s.Headline != want.Headline {
		t.Errorf("%+v; want %+v", s, want)
	}
	if r, err := again.TellSheet("export.csv", table.Bytes(), "Ada"); err != nil || r.Repeated != 3 || r.Event != 0 {
		t.Errorf("%+v, %v:\n%s", r, err, table.String())
	}
}

func arms(list []Ticket) (names []string) {
	for _, t := range list {
		names = append(names, t.Arm)
	}
	return names
}

// Invalid summaries are rejected, and the error says what is wrong.
func TestSummaryErrors(t *testing.T) {
	c := certify(t, summarised["e-cAPE"], 0)
	ask(t, c, 3)
	for row, want := range map[string]string{
		"A,0,1,1": "b.csv:2: n: 0 is less than 1", "A,-8,1,1": "n: -8 is less than 1", "A,1.5,1,1": `n: "1.5" is not a whole number`,
		"A,,1,1": "n: the cell is empty", "A,NaN,1,1": `n: "NaN" is not a finite number`, "A,1e9,1,1": "n: 1000000000; expected a whole number from 2 to 1000000",
		"A,1.000,1,1": "may mark thousands", "A,2,1,9": "z: 9 is outside 0 to 8", "A,2,1,0.5": "z: 0.5; expected a whole number of successes in 8 trials",
		"A,2,1,50%": `z: "50%"; expected a whole number of successes in 8 trials`, "A,2,1e7,1": "y: 1e+07 is more than", "A,2,,1": "y: the cell is empty",
	} {
		results, _, err := c.ReadBatch("b", "n", "b.csv", []byte("candidate,n,y,z\n"+row+"\n"))
		if err == nil {
			_, err = c.Tell(results, "Ada")
		}
		if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", row, err, want)
		}
	}
	for _, x := range []struct{ replicates, table, want string }{
		{"m", "candidate,n,y,z\nA,2,1,1\n", `no column "m" with the number of measurements`}, {"y", "candidate,n,y,z\nA,2,1,1\n", `no column "y" with`},
		{"", "candidate,n,y,z\nA,2,1,1\n", `ignored: "n"; each row counts as one measurement. If rows are means or totals of several measurements, use 'purexp campaign tell --replicates n'`},
	} {
		if _, notes, err := c.ReadBatch("b", x.replicates, "b.csv", []byte(x.table)); !strings.Contains(fmt.Sprint(notes, err), x.want) {
			t.Errorf("%s: %s %v", x.replicates, notes, err)
		}
	}
	if _, _, err := certify(t, summarised["APE"], 0).ReadBatch("b", "n", "b.csv", []byte("candidate,n,rep1,rep2\nA,2,1,1\n")); !errors.Is(err, ErrInput) {
		t.Error("replicates that are summaries:", err)
	}
	for _, r := range []Result{{Ticket: 1, N: 1e6 + 1}, {ID: "x", Arm: "A", N: -2}, {ID: "x", Arm: "A", N: 1e6 + 1}} {
		r.Values = []float64{4, 1}
		if _, err := c.Tell([]Result{r}, "Ada"); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), ": n: ") {
			t.Errorf("%+v: %v", r, err)
		}
	}
	tell(t, c, Result{ID: "x", Arm: "A", Values: []float64{4, 3}, N: 2})
	for n, want := range map[int]error{2: nil, 3: ErrConflict, 0: ErrConflict} {
		if _, err := c.Tell([]Result{{ID: "x", Arm: "A", Values: []float64{4, 3}, N: n}}, "Ada"); !errors.Is(err, want) {
			t.Errorf("told again with n = %d: %v", n, err)
		}
	}
	for what, more := range map[string]string{
		"the pilot estimates the noise":                   "name = \"y\"\nvalues = [0, 9]\nnoise = { pilot = { rewards = 5, delta = 0.01 } }\n",
		"the radius empirical Bernstein uses the scatter": "name = \"y\"\nnoise = { range = [0, 8] }\n",
		"some trials may not be evaluable":                "name = \"y\"\nnoise = { counts = 9, evaluable = \"n\" }\n",
		"":                                                "name = \"y\"\nnoise = { pilot = { sd = 2, df = 20, delta = 0.01 } }\n",
	} {
		c := certify(t, certified{"best", "APE" + strings.Repeat(" fitted", strings.Count(more, "[0, 8]")), "[[objective]]\n" + more, "name\nA\nB\n"}, 0)
		_, _, err1 := c.ReadBatch("b", "m", "b.csv", []byte("candidate,m,y\nA,2,1\n"))
		_, err2 := c.Tell([]Result{{ID: "x", Arm: "A", Values: []float64{4}, N: 2}}, "Ada")
		for _, err := range []error{err1, err2} {
			if (err == nil) != (what == "") || err != nil && (!errors.Is(err, ErrInput) || !strings.Contains(err.Error(), what)) {
				t.Errorf("%s: %v", more, err)
			}
		}
	}
	tell(t, c, Result{ID: "1", Arm: "A", Values: []float64{1, 1}}, Result{ID: "2", Arm: "A", Values: []float64{1, 1}})
	if r := tell(t, c, Result{ID: "3", Arm: "A", Values: []float64{90, 1}, N: 9}); r.Odd == nil || status(t, c).Evidence.Level != "withdrawn" {
		t.Errorf("an absurd mean: %+v", r)
	}
}
