package campaign

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// checker starts a process that runs docs/check_certificate.py; ask sends a path and returns the reply as JSON.
var checker = sync.OnceValues(func() (ask func(path string) ([]byte, error), err error) {
	cmd := exec.Command("python3", "-B", "-c", `import contextlib, io, json, sys, traceback
sys.path.insert(0, "../../docs")
code = compile(open("../../docs/check_certificate.py", encoding="utf-8").read(), "check_certificate.py", "exec")
for path in sys.stdin:
    sys.argv, out, end = ["", path.strip()], io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try: exec(code, {"__name__": "__main__"})
        except SystemExit as e: end = e.code or 0
        except BaseException: end = traceback.print_exc() or 1
    print(json.dumps({"Says": out.getvalue(), "Code": end}), flush=True)`)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	answers := bufio.NewReader(out)
	return func(path string) ([]byte, error) {
		fmt.Fprintln(in, path)
		return answers.ReadBytes('\n')
	}, cmd.Start()
})

var checking sync.Mutex

// checked returns the output and the exit code of docs/check_certificate.py for a certificate.
func checked(t testing.TB, text string) (says string, code int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.certificate")
	must(t, os.WriteFile(path, []byte(text), 0o666))
	checking.Lock()
	defer checking.Unlock()
	var answer struct {
		Says string
		Code int
	}
	ask, err := checker()
	if err != nil {
		t.Fatal(err)
	}
	if line, err := ask(path); err != nil {
		t.Fatal(err)
	} else if err := json.Unmarshal(line, &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Says, answer.Code
}

// needPython skips a test if Python is not installed, except in CI, where the test then fails.
func needPython(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil && os.Getenv("CI") == "" {
		t.Skip("there is no python3")
	}
}

func certificate(t testing.TB, c *Campaign) string {
	t.Helper()
	var b bytes.Buffer
	must(t, c.Certificate(&b))
	return b.String()
}

// A certified problem uses one of the methods and rules that the checker supports. The field more contains the
// objectives; table contains the features, the known values and the true means of the candidates.
type certified struct{ find, method, more, table string }

var certifieds = map[string]certified{
	"bounds": {"pareto", "e-cAPE", `[[objective]]
name = "y"
noise = { sd = 2 }
[[objective]]
name = "z"
goal = "minimise"
at_most = 5
noise = { sd = 1 }
[[constraint]]
terms = { y = 1, z = -1 }
at_least = 1
`, "name,y,z\nA,10,2\nB,6,1\nC,2,3\nD,12,8\nE,3,4\n"},
	"tolerances": {"pareto", "e-cAPE", `[[objective]]
name = "y"
tolerance = 1
noise = { sd = 2 }
[[objective]]
name = "z"
goal = "minimise"
at_most = 5
slack = 0.5
noise = { sd = 1 }
[[objective]]
name = "price"
known = true
goal = "minimise"
at_most = 5.3
`, "name,y,z,price\nA,10,2,3.1\nB,9.8,2.1,3.1\nC,13,3,5.3\nD,12,8,1.7\nE,3,1,2.9\nF,9,1,5.4\n"},
	"ranges": {"pareto", "e-cAPE fitted", `[[objective]]
name = "y"
noise = { range = [0, 20] }
[[objective]]
name = "z"
goal = "minimise"
at_most = 6
noise = { range = [0, 12] }
`, "name,y,z\nA,15,2\nB,5,4\nC,15,10\n"},
	"a range by a method without fitted radii": {"best", "UGapE fitted", `[[objective]]
name = "y"
noise = { range = [0, 20] }
`, "name,y\nA,15\nB,5\nC,10\n"},
	"counts": {"pareto", "e-cAPE fitted", `[[objective]]
name = "y"
noise = { counts = 40 }
[[objective]]
name = "z"
at_least = 15
noise = { counts = 30 }
`, "name,y,z\nA,35,24\nB,5,20\nC,30,5\n"},
	"rates": {"best", "e-cAPE fitted", `[[objective]]
name = "y"
noise = { counts = 12 }
[[objective]]
name = "z"
goal = "bounded"
at_most = 4
noise = { counts = 12 }
`, "name,y,z\nA,1,1\nB,8,2\nC,11,9\nD,2,0\n"},
	"amounts are rates": {"best", "e-cAPE fitted", `[[objective]]
name = "y"
amounts = "rates"
noise = { counts = 12 }
[[objective]]
name = "z"
goal = "bounded"
amounts = "rates"
at_most = 0.33
noise = { counts = 12 }
`, "name,y,z\nA,1,1\nB,8,2\nC,11,9\nD,2,0\n"},
	"evaluable trials": {"pareto", "e-cAPE fitted", `[[objective]]
name = "y"
amounts = "rates"
tolerance = 0.05
noise = { counts = 12, evaluable = "n" }
[[objective]]
name = "z"
at_least = 6
slack = 1
noise = { counts = 12, evaluable = "n" }
`, "name,y,z\nA,9,8\nB,3,7\nC,8,2\n"},
	"tolerated rates": {"pareto", "e-cAPE fitted", `[[objective]]
name = "y"
amounts = "rates"
tolerance = 0.05
noise = { counts = 40 }
[[objective]]
name = "z"
amounts = "rates"
at_least = 0.5
slack = 0.05
noise = { counts = 30 }
[[constraint]]
terms = { y = 1, z = 1 }
at_least = 0.9
`, "name,y,z\nA,35,24\nB,5,20\nC,30,5\n"},
	"best within": {"best", "e-cAPE theory", `[[objective]]
name = "y"
at_least = 2
at_most = 11
noise = { sd = 1.2 }
`, "name,y\nA,10\nB,6\nC,13\nD,9\n"},
	"top": {"top", "e-cAPE theory", `[[objective]]
name = "y"
at_most = 11
noise = { sd = 1.2 }
`, "name,y\nA,10\nB,6\nC,13\nD,9\n"},
	"nothing to measure": {"best", "e-cAPE", `[[objective]]
name = "y"
noise = { sd = 1 }
[[objective]]
name = "price"
goal = "bounded"
known = true
at_most = 2
`, "name,y,price\nA,10,3\nB,6,3.5\nC,13,4\n"},
	"front": {"pareto", "APE", `[[objective]]
name = "y"
noise = { sd = 2 }
[[objective]]
name = "z"
goal = "minimise"
noise = { sd = 1 }
`, "name,y,z\nA,10,2\nB,6,1\nC,4,3\nD,13,8\n"},
	"best": {"best", "APE", `[[objective]]
name = "y"
tolerance = 1
noise = { sd = 2 }
`, "name,y\nA,10\nB,9.8\nC,6\nD,3\n"},
	"linear": {"best", "LinGapE", `[[objective]]
name = "y"
goal = "minimise"
noise = { sd = 2 }
`, "name,dose,ligand,y\nA,1,P,3\nB,2,P,5\nC,3,P,7\nD,1,Q,5\nE,2,Q,7\nF,1,P,3\n"},
	"betting": {"best", "Betting", `[[objective]]
name = "y"
noise = { sd = 5 }
`, "name,dose,ligand,y\nA,1,P,3\nB,2,P,5\nC,3,P,7\nD,1,Q,5\nE,2,Q,7\nF,4,Q,11\n"},
	"betting on tolerances": {"best", "Betting", `[[objective]]
name = "y"
tolerance = 1
noise = { sd = 2 }
`, "name,y\nA,10\nB,9.9\nC,6\nD,3\n"},
	"betting on ties": {"best", "Betting", `[[objective]]
name = "y"
tolerance = 0.3
noise = { counts = 1 }
`, "name,y\nA,0.75\nB,0.75\nC,0.84\nD,0.53\nE,0.74\nF,0.5\n"},
}

// certify creates a campaign of a certified problem and measures it in plates.
func certify(t testing.TB, x certified, plates int) *Campaign {
	t.Helper()
	text := fmt.Sprintf("[question]\nfind = %q\ndelta = 0.1\n", x.find)
	if x.find == problem.FindTop {
		text += "count = 1\n"
	}
	method, radius, _ := strings.Cut(x.method, " ")
	text += fmt.Sprintf("[method]\nname = %q\nradius = %q\n[candidates]\nfile = \"table.csv\"\n",
		method, cmp.Or(radius, problem.RadiusMixture))
	if strings.Contains(x.table, "dose,ligand") {
		text += "features = [\"dose\"]\ncategories = [\"ligand\"]\n"
	}
	p, err := problem.Parse("p.toml", []byte(text+x.more), func(string) ([]byte, error) {
		return []byte(x.table), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c := beginWith(t, p)
	goOn(t, c, x, plates)
	return c
}

// goOn measures plates of 8 wells, in which some measurements fail, until no ticket is pending or the given number of
// plates is measured. The function drawn adds the noise.
func goOn(t testing.TB, c *Campaign, x certified, plates int) {
	t.Helper()
	p, err := c.Problem()
	if err != nil {
		t.Fatal(err)
	}
	means := map[string]map[string]float64{}
	rows := strings.Split(strings.TrimSpace(x.table), "\n")
	for _, row := range rows[1:] {
		cells := strings.Split(row, ",")
		means[cells[0]] = map[string]float64{}
		for i, name := range strings.Split(rows[0], ",") {
			means[cells[0]][name], _ = strconv.ParseFloat(cells[i], 64)
		}
	}
	rnd := rand.New(rand.NewPCG(7, 2))
	for range plates {
		var results []Result
		ask(t, c, 8)
		pending, err := c.Tickets(Pending)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range pending {
			r := Result{Ticket: k.Ticket, Failed: rnd.IntN(20) == 0}
			if p.Each() > 1 && !r.Failed {
				r.Of = p.Each() - rnd.IntN(4)
			}
			for _, i := range p.Measured() {
				if o := &p.Objectives[i]; !r.Failed {
					r.Values = append(r.Values, drawn(rnd, o, means[k.Arm][o.Name], r.Of))
				}
			}
			results = append(results, r)
		}
		if len(results) == 0 {
			return
		}
		tell(t, c, results...)
	}
}

// drawn returns a random measurement of an objective. For counts, the argument named of is the number of trials, or 0
// for the declared number.
func drawn(rnd *rand.Rand, o *problem.Objective, mean float64, of int) float64 {
	switch n := o.Noise; {
	case n.SD != nil:
		return mean + *n.SD*rnd.NormFloat64()
	case n.Range != nil:
		return mean + rnd.Float64() - .5
	}
	x := 0.
	for range cmp.Or(of, *o.Noise.Counts) {
		if rnd.Float64() < mean/float64(*o.Noise.Counts) {
			x++
		}
	}
	return x
}

// The checker accepts certificates of finished and of unfinished campaigns, with every confidence radius.
func TestCertificate(t *testing.T) {
	needPython(t)
	for name, x := range certifieds {
		t.Run(name, func(t *testing.T) {
			method, own, _ := strings.Cut(x.method, " ")
			p, err := certify(t, x, 0).Problem()
			must(t, err)
			for _, radius := range p.Radii() {
				x.method = method + " " + radius
				after := []int{0, 1, 6, 20, 2000}
				if testing.Short() && radius != cmp.Or(own, problem.RadiusMixture) {
					after = []int{6}
				} else if testing.Short() {
					after = []int{0, 1, 2000}
				}
				for _, plates := range after {
					c := certify(t, x, plates)
					says, code := checked(t, certificate(t, c))
					if radius == problem.RadiusFitted && method == "Betting" && code == 2 {
						continue // the checker does not support bets on bounded rewards
					}
					over := status(t, c).Status == Finished
					if over != strings.HasPrefix(says, "follows: the answer is ") || code != 0 || plates == 2000 && !over {
						t.Errorf("%s after %d measurements: exit code %d: %s", x.method, status(t, c).Used, code, says)
					}
				}
			}
		})
	}
}

// The checker ignores undone events and excludes dropped candidates; it states what it cannot check.
func TestCertificateOfChanges(t *testing.T) {
	needPython(t)
	x := certifieds["bounds"]
	c := certify(t, x, 3)
	if _, err := c.Tell([]Result{{ID: "<page> 1", Arm: "C", Values: []float64{5, 4}}}, "Ada & Bob"); err != nil {
		t.Fatal(err)
	}
	for _, event := range []int{8, 9} { // the second undo reverts the first
		must(t, c.Undo(event, "a slip", "Ada"))
	}
	must(t, c.Undo(7, "plates were swapped", "Ada"))
	must(t, c.Drop("B", "sold out", "Ada"))
	goOn(t, c, x, 2000)
	if says, code := checked(t, certificate(t, c)); code != 0 ||
		!strings.HasPrefix(says, "follows: the answer is A,") || !strings.Contains(says, "(2 events were undone)") {
		t.Errorf("exit code %d: %s", code, says)
	}
	must(t, c.Join(problem.Candidate{Name: "F"}, "Ada"))
	says, code := checked(t, certificate(t, c))
	if code != 2 || !strings.Contains(says, "cannot be checked by this program: event") {
		t.Errorf("exit code %d: %s", code, says)
	}
	evaluable := certify(t, certified{"best", "LinGapE", "[[objective]]\nname = \"y\"\nnoise = { counts = 12, evaluable = \"n\" }\n", "name,y\nA,9\nB,3\n"}, 1)
	for want, other := range map[string]*Campaign{"the method MD-APT": beginWith(t, many(t, 3, problem.FindFeasible, "MD-APT")), "LinGapE of evaluable trials": evaluable} {
		if says, code = checked(t, certificate(t, other)); code != 2 || !strings.Contains(says, want) {
			t.Errorf("exit code %d: %s", code, says)
		}
	}
	equal := certify(t, certifieds["ranges"], 0) // rounding must not make the variance of equal results negative
	for i := range 60 {
		tell(t, equal, Result{ID: fmt.Sprint(i), Arm: string(rune('A' + i%3)), Values: []float64{10.1 + float64(i%3)/10, .1}})
	}
	if says, code := checked(t, certificate(t, equal)); code != 0 {
		t.Errorf("equal results: exit code %d: %s", code, says)
	}
	for _, x := range []certified{certifieds["ranges"], {"best", "APE fitted", "[[objective]]\nname = \"y\"\nnoise = { range = [0, 20] }\n", "name,y\nA,15\nB,5\n"}} {
		text := strings.TrimSpace(certificate(t, certify(t, x, 6))) // certificates of older campaigns name no radius
		if says, code := checked(t, rehashed(strings.Split(strings.Replace(text, `"radius":"fitted"`, `"radius":""`, 1), "\n"))); code != 0 {
			t.Errorf("without a radius: exit code %d: %s", code, says)
		}
	}
	sealed := frozen(t)
	tell(t, sealed, Result{ID: "1", Arm: "A07", Values: []float64{80, 3}})
	if says, code := checked(t, certificate(t, sealed)); code != 0 {
		t.Errorf("with a seal: exit code %d: %s", code, says)
	}
}

// The checker accepts the example of docs/certificate.md, and rejects the page itself, which is not a certificate.
func TestCertificateExample(t *testing.T) {
	needPython(t)
	program := exec.Command("python3", "-B", "../../docs/check_certificate.py", "../../docs/certificate.md")
	if out, err := program.Output(); program.ProcessState.ExitCode() != 1 || !bytes.Contains(out, []byte("does not follow")) {
		t.Errorf("a text: %s, %v", out, err)
	}
	text, err := os.ReadFile("../../docs/example.certificate")
	if err != nil {
		t.Fatal(err)
	}
	if says, code := checked(t, string(text)); code != 0 || !strings.Contains(says,
		"the answer is Ni, by APE at delta 0.1, from 6 results") {
		t.Errorf("exit code %d: %s", code, says)
	}
}

// A claim names the rival or the bound even if the index of the rival or bound is 0. If a claim has no rival, its
// field By is empty.
func TestClaimsNameTheOther(t *testing.T) {
	c := beginWith(t, many(t, 3, problem.FindPareto, "e-cAPE"))
	var results []Result
	for i := range 60 {
		results = append(results, Result{ID: fmt.Sprint(i), Arm: fmt.Sprint("arm ", i%3), Values: [][]float64{{90, 1}, {50, 5}, {95, 20}}[i%3]})
	}
	tell(t, c, results...)
	var got []string
	for line := range strings.Lines(certificate(t, c)) {
		var x claim
		if err := json.Unmarshal([]byte(line), &x); err == nil && x.Part == "claim" {
			got = append(got, fmt.Sprintf("%s is %v by %q and %q, %v %v", x.Arm, x.Class, x.By, x.Bound, x.Margin != nil && x.Radius != nil, x.Slack != nil && x.SlackBy != nil))
		}
	}
	if want := []string{`arm 0 is optimal by "arm 1" and "y <= 9", true true`, `arm 1 is dominated by "arm 0" and "y <= 9", true true`,
		`arm 2 is infeasible by "" and "y <= 9", false true`}; !slices.Equal(got, want) {
		t.Errorf("%q; want %q", got, want)
	}
}

// There is no certificate if the results contradict the declarations, or if the method failed.
func TestNoCertificate(t *testing.T) {
	s := Status{Status: Broken}
	if err := s.Certifiable(); !errors.Is(err, ErrConflict) {
		t.Errorf("of a method that failed: %v", err)
	}
	c := beginWith(t, yieldsOf(t))
	for i, y := range []float64{78, 79, 7.8, 77, 300} {
		tell(t, c, Result{ID: fmt.Sprint(i), Arm: "a", Values: []float64{y}})
	}
	var b bytes.Buffer
	if err := c.Certificate(&b); !errors.Is(err, ErrConflict) || b.Len() > 0 {
		t.Errorf("withdrawn: %v, %q", err, b.String())
	}
}

// rehashed recomputes the hashes of a certificate as a forger would, as described in docs/certificate.md.
func rehashed(lines []string) string {
	before := strings.Repeat("0", 64)
	last := len(lines) - 1
	for i, line := range lines[:last] {
		at := strings.Index(line, `,"hash":"`)
		if !strings.HasPrefix(line, `{"seq":`) || at < 0 {
			continue
		}
		var e struct {
			Seq           int
			At, Who, What string
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			panic(err)
		}
		_, body, _ := strings.Cut(line[:at], `"body":`)
		before = fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s\n%d\n%s\n%s\n%s\n%s", before,
			e.Seq, e.At, e.Who, e.What, body)))
		lines[i] = line[:at] + `,"hash":"` + before + `"}`
	}
	at := strings.Index(lines[0], `"hash":"`)
	lines[0] = lines[0][:at] + `"hash":"` + before + `"}`
	text := strings.Join(lines[:last], "\n") + "\n"
	return text + fmt.Sprintf(`{"part":"end","hash":"%x"}`, sha256.Sum256([]byte(text))) + "\n"
}

// The checker rejects damaged or forged certificates and names the line or event.
func TestForgedCertificates(t *testing.T) {
	needPython(t)
	texts := map[string]string{}
	for _, name := range []string{"bounds", "best", "linear", "betting", "betting on tolerances"} {
		texts[name] = certificate(t, certify(t, certifieds[name], 2000))
		if says, code := checked(t, texts[name]); code != 0 {
			t.Fatal(name, says)
		}
	}
	value := regexp.MustCompile(`"values":\[[^,\]]*`)
	for _, x := range []struct {
		what, of string
		honest   bool   // whether the hashes are left unchanged
		at       string // prefix of the line to change; if several lines match, the first is changed
		old, new string // old is a regular expression for the text to replace with new; if old is "", the line is deleted
		says     string
	}{
		{"a result", "bounds", true, `{"seq":3`, value.String(), `"values":[9`, "line 4: event 3"},
		{"who told it", "bounds", true, `{"seq":3`, "robot-1", "Eve", "line 4: event 3"},
		{"a removed event", "bounds", true, `{"seq":3`, "", "", "line 4 is not event 3"},
		{"an answer", "bounds", true, `{"part":"statement"`, `\["A","B"\]`, `["A"]`,
			"the hash does not match the lines before"},
		{"no end", "bounds", true, `{"part":"end"`, "", "", "the end is missing"},
		{"another first line", "bounds", true, `{"format"`, "certificate", "campaign",
			"this is no certificate"},
		{"a result", "bounds", false, `{"seq":3`, value.String(), `"values":[9`,
			"does not hold|the claim about .*mean, low and high are"},
		{"a candidate", "bounds", false, `{"seq":3`, `"arm":"A"`, `"arm":"B"`,
			"rows.0..ticket: 1 was reported before, or is for another candidate"},
		{"an answer", "bounds", false, `{"part":"statement"`, `\["A","B"\]`, `["A"]`,
			"the answer is .'A', 'B'."},
		{"a verdict", "bounds", false, `{"part":"claim","arm":"E"`, `"dominated"`, `"optimal"`,
			"the claim about E: optimal contradicts"},
		{"infeasible", "bounds", false, `{"part":"claim","arm":"E"`, `"dominated"`, `"infeasible"`,
			"that it is infeasible is not certain"},
		{"an early end", "bounds", false, `{"part":"statement"`, `"ended":\d+`, `"ended":9`,
			"the rule of e-cAPE does not hold"},
		{"delta", "bounds", false, `{"seq":1,`, `"delta":0.1`, `"delta":0.01`, "the statement: delta is"},
		{"the other delta", "bounds", false, `{"part":"statement"`, `"delta":0.1`, `"delta":0.01`,
			"the statement: delta is"},
		{"sigma", "bounds", false, `{"seq":1,`, `"sd":2`, `"sd":1`, "mean, low and high are"},
		{"shares of delta", "bounds", false, `{"seq":1,`, `"shares":5`, `"shares":6`,
			"mean, low and high are"},
		{"a larger sigma", "bounds", false, `{"seq":1,`, `"sd":2`, `"sd":20`,
			"the rule of e-cAPE does not hold"},
		{"a radius", "bounds", false, `{"part":"statement"`, `"radius":"[^"]*"`,
			`"radius":"theory"`, `the radius is mixture .2 rewards., and not theory`},
		{"an interval", "bounds", false, `{"part":"claim","arm":"A"`, `"low":\[[^,]*`, `"low":[9.9`,
			"the claim about A: mean, low and high are"},
		{"a margin", "bounds", false, `{"part":"claim","arm":"E"`, `"margin_radius":[^,}]*`,
			`"margin_radius":0.01`, "the claim about E: the margin is"},
		{"a slack", "bounds", false, `{"part":"claim","arm":"D"`, `"slack_radius":[^,}]*`,
			`"slack_radius":0.01`, "the claim about D: the slack is"},
		{"a removed claim", "bounds", false, `{"part":"claim","arm":"E"`, "", "",
			"the claims are not about the candidates"},
		{"alarm", "bounds", false, `{"part":"monitors"`, `"e":[^,]*`, `"e":1000`, "withdrawn"},
		{"a tolerance", "best", false, `{"seq":1,`, `"tolerance":1`, `"tolerance":0.1`,
			"the rule of APE does not hold"},
		{"a start", "linear", false, `{"part":"statement"`, `"start":\["[A-Z]"`, `"start":["B"`,
			"the statement: the start contradicts"},
		{"a result far above", "best", false, `{"seq":3`, value.String(), `"values":[9e9`, "a million times"},
		{"a result far below", "best", false, `{"seq":3`, value.String(), `"values":[-9e9`, "a million times"},
		{"a short start", "linear", false, `{"part":"statement"`, `("start":\[[^\]]*),"[A-Z]"\]`, `$1]`, "the start does not span"},
		{"a capital of a tolerance", "betting on tolerances", false, `{"part":"claim","arm":"C"`, `"log_within":[^,}]*`, `"log_within":9`, "the claim about C: log_within is"},
		{"features", "linear", false, `{"seq":1,`, `\[1,3,1,0\]`, `[1,3.1,1,0]`, "does not follow"},
		{"a capital", "betting", false, `{"part":"claim","arm":"A"`, `"log_capital":[^,}]*`,
			`"log_capital":9`, "the claim about A: log_capital is"},
		{"rounds", "betting", false, `{"part":"statement"`, `"rounds":\[(\d+),(\d+)`,
			`"rounds":[$2,$1`, "tell all candidates apart|are due"},
	} {
		lines := strings.Split(strings.TrimSpace(texts[x.of]), "\n")
		i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, x.at) })
		was := lines[i]
		if x.old == "" {
			lines = slices.Delete(lines, i, i+1)
		} else if lines[i] = regexp.MustCompile(x.old).ReplaceAllString(was, x.new); lines[i] == was {
			t.Errorf("%s of %s: the pattern did not match %s", x.what, x.of, was)
		}
		text := strings.Join(lines, "\n") + "\n"
		if !x.honest {
			text = rehashed(lines)
		}
		says, code := checked(t, text)
		if ok, err := regexp.MatchString(x.says, says); code != 1 || !ok || err != nil {
			t.Errorf("%s of %s: exit code %d, %s; want %s", x.what, x.of, code, says, x.says)
		}
	}
	// Two lines are swapped.
	lines := strings.Split(texts["bounds"], "\n")
	lines[3], lines[5] = lines[5], lines[3]
	if says, code := checked(t, strings.Join(lines, "\n")); code != 1 || !strings.Contains(says, "line 4 is not event 3") {
		t.Errorf("reordered: exit code %d, %s", code, says)
	}
}

// Each restart of a method uses a part of the error probability, and an undo does not free this part. The checker
// computes the same part and the same wider intervals.
func TestCertificateOfBeginnings(t *testing.T) {
	needPython(t)
	x := certifieds["linear"]
	c := certify(t, x, 3)
	part := func() (part float64) {
		t.Helper()
		if err := c.read(func(m *snapshot) error {
			part = m.run.compiled.Delta / m.ledger.problem.Question.Delta
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if says, code := checked(t, certificate(t, c)); code != 0 {
			t.Errorf("part %v: exit code %d: %s", part, code, says)
		}
		return part
	}
	const last = "E"
	for i, want := range []float64{.95, .05 / 2, .95, .05 / 6} {
		switch i {
		case 1, 3:
			must(t, c.Drop(last, "sold out", "Ada"))
		case 2:
			must(t, c.Undo(status(t, c).Event, "found again", "Ada"))
		}
		if got := part(); !(math.Abs(got-want) < 1e-12) {
			t.Errorf("after change %d: %v of delta; want %v", i, got, want)
		}
	}
}
