package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/ecape"
)

// purexp runs the command in dir and returns its output and exit code.
func purexp(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	t.Chdir(dir)
	var out, err bytes.Buffer
	code = run(context.Background(), args, &out, &err)
	return out.String(), err.String(), code
}

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		code int
		says string // on stdout if the code is 0, otherwise on stderr
	}{
		{nil, exitOK, "purexp list"},
		{[]string{"--help"}, exitOK, "Research:"},
		{[]string{"run", "--help"}, exitOK, "--shard i/n"},
		{[]string{"list"}, exitOK, "e-cAPE"},
		{[]string{"list"}, exitOK, "\n\nData sets\n"},
		{[]string{"list", "methods"}, exitOK, "own rounds"},
		{[]string{"list", "datasets"}, exitOK, "COV-BOOST"},
		{[]string{"list", "studies"}, exitOK, "ecape"},
		{[]string{"list", "studies"}, exitOK, "gege/snw-raw-budget"},
		{[]string{"run", "gege/nothing"}, exitUsage, "gege/noc-budget"},
		{[]string{"version"}, exitOK, version() + "\n"},
		{[]string{"--version"}, exitOK, version() + "\n"},
		{[]string{"lisst"}, exitUsage, `unknown command "lisst"`},
		{[]string{"list", "papers"}, exitUsage, `"papers"`},
		{[]string{"list", "methods", "lucb"}, exitOK, "Kalyanakrishnan"}, {[]string{"list", "methods", "MDAPT"}, exitOK, "MD-APT"},
		{[]string{"list", "methods", "none"}, exitUsage, `methods: unknown name "none"`},
		{[]string{"run"}, exitUsage, "accepts 1 arg"},
		{[]string{"run", "rage/nothing"}, exitUsage, "rage has:\n  rage/"},
		{[]string{"run", "ecape", "--reps", "1", "--output", "nowhere/rows.jsonl"}, exitFailure,
			"the folder nowhere does not exist; create it"},
		{[]string{"run", "gauge"}, exitUsage, `unknown study "gauge"; the studies are ecape, `},
		{[]string{"design"}, exitUsage, "accepts 1 arg"},
		{[]string{"design", "t.csv"}, exitUsage, "--features and --categories are missing"},
		{[]string{"design", "t.csv", "--features", "a", "--for", "fun"}, exitUsage,
			`--for is "fun"; expected differences or means`},
		{[]string{"design", "t.csv", "--features", "a", "--pulls", "0"}, exitUsage, "--pulls is 0"},
		{[]string{"design", "nothing.csv", "--features", "a"}, exitFailure, "nothing.csv"},
		{[]string{"run", "ecape", "--reps", "0"}, exitUsage, "--reps is 0; expected at least 1"},
		{[]string{"run", "ecape", "--reps", "-3"}, exitUsage, "--reps is -3"},
		{[]string{"run", "ecape", "--reps", "many"}, exitUsage, `"many"`},
		{[]string{"run", "ecape", "--seed", "0"}, exitUsage, "--seed is 0"},
		{[]string{"run", "ecape", "--workers", "-1"}, exitUsage, "--workers is -1"},
		{[]string{"run", "ecape", "--shard", "3/2"}, exitUsage, "3"},
		{[]string{"run", "ecape", "--shard", "nonsense"}, exitUsage, "nonsense"},
		{[]string{"run", "ecape", "--fast"}, exitUsage, "--fast"},
		{[]string{"report"}, exitUsage, "requires at least 1 arg"},
		{[]string{"report", "nothing.jsonl"}, exitFailure, "nothing.jsonl"},
		{[]string{"claims", "nothing.jsonl"}, exitFailure, "nothing.jsonl"},
		{[]string{"papers", "nobody"}, exitUsage, "the papers are ecape"},
		{[]string{"papers", "rage", "fig 99"}, exitUsage, "purexp papers rage"},
		{[]string{"claims", "nothing.jsonl", "--format", "pdf"}, exitUsage,
			"expected text, csv, json, markdown or html"},
	} {
		stdout, stderr, code := purexp(t, dir, c.args...)
		text := stderr
		if c.code == exitOK {
			text = stdout
		}
		if code != c.code || !strings.Contains(text, c.says) {
			t.Errorf("purexp %v: exit code %d; want %d\n%s%s", c.args, code, c.code, stdout, stderr)
		}
		if c.code == exitUsage && !strings.Contains(stderr, "--help") {
			t.Errorf("purexp %v: no pointer to help:\n%s", c.args, stderr)
		}
	}
}

// light replaces the studies by one study: the clinical trials of the e-cAPE paper, with printed constants only.
func light(t *testing.T) {
	all := studies
	t.Cleanup(func() { studies = all })
	e := ecape.ClinicalTrials
	e.Methods = slices.DeleteFunc(slices.Clone(e.Methods), func(m study.Method) bool {
		return m.Constants != ecape.Printed
	})
	p := ecape.Paper
	p.Experiments = []study.Experiment{e}
	s := p.Study()
	studies = []study.Study{s}
}

// TestStudy runs commands on a small study: run, resume, report, claims and shards.
func TestStudy(t *testing.T) {
	light(t)
	dir := t.TempDir()
	out, errs, code := purexp(t, dir, "run", "ecape", "--reps", "2")
	if code != exitOK || !strings.Contains(out, "wrote ecape.jsonl") || !strings.Contains(errs, "30 of 30 runs") {
		t.Fatalf("run: %d\n%s%s", code, out, errs)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "ecape.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if _, errs, code = purexp(t, dir, "run", "ecape", "--reps", "2"); code != exitUsage || !strings.Contains(errs, "--resume") {
		t.Errorf("run again: %d\n%s", code, errs)
	}
	// A file that ends in the middle of a row, as after a kill, can be read, with a warning.
	os.WriteFile("ecape.jsonl", whole[:len(whole)*2/3], 0o666)
	if _, errs, code = purexp(t, dir, "report", "ecape.jsonl", "--format", "csv"); code != exitOK ||
		!strings.Contains(errs, "purexp: warning: mc: ecape.jsonl: the last line is incomplete") {
		t.Errorf("report of half a file: %d\n%s", code, errs)
	}
	if _, errs, code = purexp(t, dir, "run", "ecape", "--reps", "2", "--resume", "--quiet"); code != exitOK || errs != "" {
		t.Fatalf("resume: %d\n%s", code, errs)
	}
	if again, _ := os.ReadFile("ecape.jsonl"); !bytes.Equal(again, whole) {
		t.Error("the resumed file differs from the uninterrupted one")
	}
	if _, errs, code = purexp(t, dir, "run", "ecape", "--reps", "2", "--resume", "--seed",
		"2"); code != exitFailure || !strings.Contains(errs, "seed") {
		t.Errorf("resume with another seed: %d\n%s", code, errs)
	}
	for _, shard := range []string{"1/2", "2/2"} {
		if _, errs, code = purexp(t, dir, "run", "ecape", "--reps", "2", "--shard", shard,
			"--output", "part-"+shard[:1]+".jsonl", "--quiet"); code != exitOK {
			t.Fatalf("shard %s: %d\n%s", shard, code, errs)
		}
	}
	report := func(files ...string) string {
		out, errs, code := purexp(t, dir, append([]string{"report", "--format", "markdown"}, files...)...)
		if code != exitOK {
			t.Fatalf("report: %d\n%s", code, errs)
		}
		return out
	}
	one, merged := report("ecape.jsonl"), report("part-1.jsonl", "part-2.jsonl")
	if one != merged {
		t.Error("the report of the shards differs from that of the whole")
	}
	for _, say := range []string{"150 mg", "Complexity of the instances", "Claims", "covboost"} {
		if !strings.Contains(one, say) {
			t.Errorf("the report does not mention %q", say)
		}
	}
	out, errs, code = purexp(t, dir, "report", "ecape.jsonl", "--output", "report")
	if code != exitOK {
		t.Fatalf("report --output: %d\n%s", code, errs)
	}
	for line := range strings.Lines(out) {
		if info, err := os.Stat(strings.TrimSpace(line)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", line, err)
		}
	}
	if !strings.Contains(out, ".png") || !strings.Contains(out, "claims.csv") {
		t.Errorf("report wrote\n%s", out)
	}
	if out, _, code = purexp(t, dir, "claims", "ecape.jsonl", "--format", "csv"); code != exitOK ||
		strings.Count(out, "\n") < 10 {
		t.Errorf("claims: %d\n%s", code, out)
	}
	head, _, _ := strings.Cut(string(whole), "\n")
	os.WriteFile("none.jsonl", []byte(head+"\n"), 0o666)
	if _, errs, code = purexp(t, dir, "report", "none.jsonl"); code != exitFailure || !strings.Contains(errs,
		"none.jsonl: no rows yet; continue with 'purexp run ecape --resume'") {
		t.Errorf("no rows: %d\n%s", code, errs)
	}
}

// The log has a line at the beginning of a study and one at its end. Lines between them are at least ten seconds apart.
func TestProgressLines(t *testing.T) {
	var b strings.Builder
	update := progress(&b, "own")
	for done, at := range []time.Duration{1: 1400 * time.Millisecond, 2: 2 * time.Second, 3: 3600 * time.Millisecond} {
		if done > 0 {
			update(done, 3, at)
		}
	}
	if want := "own: 1 of 3 runs, 1s\nown: 3 of 3 runs, 4s\n"; b.String() != want {
		t.Errorf("%q; want %q", b.String(), want)
	}
}

// A file hides a study of the same name. If another version of the code wrote the rows, the command prints a note. If
// a file is missing, the error names the file.
func TestReportOfFiles(t *testing.T) {
	light(t)
	dir := t.TempDir()
	if _, errs, code := purexp(t, dir, "run", "ecape", "--reps", "1", "--quiet", "--output", "ecape"); code != exitOK {
		t.Fatal(errs)
	}
	out, errs, code := purexp(t, dir, "claims", "ecape", "--format", "csv")
	if code != exitOK || errs != "" {
		t.Errorf("of a file: %d, %s", code, errs)
	}
	text, err := os.ReadFile("ecape")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(text), "\n")
	body, _, _ := strings.Cut(head, `,"crc":`)
	changed := regexp.MustCompile(`"code":"[^"]*"`).ReplaceAllString(body, `"code":"another"`)
	put(t, dir, "other.jsonl", fmt.Sprintf("%s,\"crc\":\"%08x\"}\n%s", changed, crc32.ChecksumIEEE([]byte(changed)), rest))
	again, errs, code := purexp(t, dir, "claims", "other.jsonl", "--format", "csv")
	if want := fmt.Sprintf("purexp: note: version \"another\" of the code wrote these rows; this program is version %q\n", mc.Code()); code != exitOK || errs != want || again != out {
		t.Errorf("of other code: %d, %q; want %q", code, errs, want)
	}
	for _, files := range [][]string{{"nothing.jsonl"}, {"ecape", "nothing.jsonl"}, {"nothing.jsonl", "ecape"}, {"ecape/clinical-trials", "ecape"}} {
		missing := files[0]
		if missing == "ecape" {
			missing = files[1]
		}
		if _, errs, code := purexp(t, dir, append([]string{"report"}, files...)...); code != exitFailure || !strings.Contains(errs, missing) ||
			code == exitFailure && missing == "nothing.jsonl" && !strings.Contains(errs, "no study has this name; see 'purexp list studies'") {
			t.Errorf("%q: %d, %s", files, code, errs)
		}
	}
}

// The name of a study selects its published rows.
func TestReportOfPublished(t *testing.T) {
	out, errs, code := purexp(t, t.TempDir(), "report", "linfact/glm", "--format", "csv")
	if code != exitOK || errs != "" || !strings.Contains(out, "LinFACT-G") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
}

// An interrupted command keeps the finished rows and prints how to resume.
func TestInterrupt(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	if code := run(ctx, []string{"run", "ecape", "--reps", "2", "--quiet"}, &out,
		&errs); code != exitInterrupted || !strings.Contains(errs.String(), "resume") {
		t.Errorf("exit code %d\n%s", code, &errs)
	}
}

// With --for means, the four combinations of two rings and two chains are measured equally often. The table, the
// rounding and the certificate are printed.
func TestDesign(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	arms := write("arms.csv", "compound,ring,chain,mass\na,phenyl,short,1\n"+
		"b,phenyl,long,2\nc,furyl,short,3O\nd,furyl,long,4\n")
	items := write("items.csv", "ring,chain\nphenyl,short\nfuryl,long\n")
	alien := write("alien.csv", "ring,chain\nphenyl,short\npyridyl,long\n")
	for _, c := range []struct {
		args []string
		code int
		says []string
	}{
		{[]string{"--arm", "compound", "--for", "means", "--pulls", "12"}, exitOK,
			[]string{"a", "25.00", "rank 3", "Largest variance: 3 sigma^2/N", "No design has a smaller value than 3."}},
		{[]string{"--pulls", "2"}, exitFailure, []string{"2"}},
		{[]string{"--items", items, "--format", "csv"}, exitOK, []string{"row 1,"}},
		{[]string{"--items", alien}, exitFailure, []string{"not identifiable"}},
		{[]string{"--arm", "name"}, exitFailure, []string{`no column "name"`}},
		{[]string{"--features", "mass"}, exitFailure,
			[]string{"arms.csv", `row 3, column "mass": "3O" is not a finite number`}},
	} {
		stdout, stderr, code := purexp(t, dir, append([]string{"design", arms, "--categories", "ring,chain"}, c.args...)...)
		if code != c.code {
			t.Errorf("%q: exit code %d, %s", c.args, code, stderr)
		}
		for _, s := range c.says {
			if !strings.Contains(stdout+stderr, s) {
				t.Errorf("%q does not say %q:\n%s%s", c.args, s, stdout, stderr)
			}
		}
	}
	plane := write("plane.csv", "u,v\n2,1\n4,2\n0,2\n6,0\n1,4\n") // row 1 has weight 0, but gets a measurement
	if stdout, _, _ := purexp(t, dir, "design", plane, "--features", "u,v", "--pulls", "4", "--format", "csv"); !strings.Contains(stdout, "row 1,0.00,1\n") {
		t.Error(stdout)
	}
}

// The error of an unknown experiment lists the experiments of its paper, one per line.
func TestUnknownExperiment(t *testing.T) {
	_, stderr, _ := purexp(t, t.TempDir(), "run", "rage/nothing")
	list, _, _ := strings.Cut(stderr, "\nTry ")
	lines := strings.Split(list, "\n")[1:]
	if len(lines) < 3 {
		t.Errorf("%d lines:\n%s", len(lines), stderr)
	}
	for _, l := range lines {
		if !strings.HasPrefix(l, "  rage/") || strings.Contains(l, ",") {
			t.Errorf("line %q", l)
		}
	}
}

// fullDisk is a writer that always fails.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// A hole is a writer whose first write fails, like a disk that is full for a moment.
type hole struct{ writes int }

func (h *hole) Write(p []byte) (int, error) {
	if h.writes++; h.writes == 1 {
		return fullDisk{}.Write(p)
	}
	return len(p), nil
}

// A command fails if its output cannot be printed, even if it prints line by line.
func TestFullDisk(t *testing.T) {
	path := coupling(t, "", "")
	var out strings.Builder
	file := filepath.Join(t.TempDir(), "full.campaign")
	if code := run(context.Background(), []string{"campaign", "new", path, "--file", file}, &out, &out); code != exitOK {
		t.Fatal(out.String())
	}
	for _, command := range []string{"version", "list methods", "problem check " + path,
		"campaign status --file " + file, "campaign history --file " + file,
		"campaign verify --file " + file, "campaign export --file " + file} {
		var errs strings.Builder
		if code := run(context.Background(), strings.Fields(command), fullDisk{}, &errs); code !=
			exitFailure || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%s: exit code %d, %s", command, code, &errs)
		}
	}
	// The error of a failed write is kept even if later writes succeed.
	w := &printed{w: new(hole)}
	for range 3 {
		w.Write([]byte("a line\n"))
	}
	if w.err == nil {
		t.Error("the error of a lost line is not kept")
	}
}

// Sweep commands keep their own exit codes as subcommands of purexp. The code is 3 while shards run elsewhere.
// Jobs of a sweep call the program that created the sweep.
func TestSweepCodes(t *testing.T) {
	light(t)
	dir := t.TempDir()
	t.Setenv("PATH", dir) // hide an installed Slurm
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"sweep new ecape", exitUsage, "purexp: accepts 2 arg(s), received 1; expected 'purexp sweep new STUDY DIR [flags]'\nTry 'purexp sweep new --help'.\n"},
		{"sweep new gauge big --shards 2", exitUsage, `unknown study "gauge"`},
		{"sweep new ecape big --shards 2 --reps 2 --seed 9", exitOK, "created big: 2 shards of about 15 rows"},
		{"sweep run big 1", exitOK, "18 of 18 runs"},
		{"sweep status big", exitFailure, "1 of 2 shards are missing or failed; 'sweep retry big' submits them again\n"},
		{"begin", 0, ""},
		{"sweep status big", 3, "try again later\n"},
	} {
		if c.args == "begin" {
			folder := filepath.Join(dir, "big", "attempts", "0002")
			if err := os.Mkdir(folder, 0o777); err != nil {
				t.Fatal(err)
			}
			put(t, folder, "a.alive", "{}")
			continue
		}
		if out, errs, code := purexp(t, dir, strings.Fields(c.args)...); code != c.code || !strings.Contains(out+errs, c.says) {
			t.Errorf("%s: %d\n%s%s; want %d, %s", c.args, code, out, errs, c.code, c.says)
		}
	}
}

// The message names each person once, and contains the command for the first ticket.
func TestWaitingFor(t *testing.T) {
	list := []campaign.Ticket{{Ticket: 17, Plate: 3, Who: "robot-2"}, {Ticket: 18, Plate: 3, Who: "ada"}, {Ticket: 19, Plate: 4, Who: "robot-2"}}
	for n, want := range map[int]string{1: "waiting for 1 measurement by robot-2:", 3: "waiting for 3 measurements by ada, robot-2:"} {
		got := waitingFor(list[:n])
		if !strings.HasPrefix(got, want) || !strings.Contains(got, "tell --ticket 17 --failed'") {
			t.Errorf("%q; want %q, and ticket 17", got, want)
		}
	}
}

// Control characters in a file written by an older version do not reach the terminal.
func TestShownPlainly(t *testing.T) {
	text, err := os.ReadFile("../../docs/example.certificate")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")[1:4]
	before := lines[2][strings.LastIndex(lines[2], `"hash":"`)+8 : len(lines[2])-2]
	body := `{"event":3,"why":"\u001b[2J\u0007\u009b\u202eslip"}`
	hash := fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s\n4\n2026-11-24T05:00:00Z\nAda\nundo\n%s", before, body)))
	dir := t.TempDir()
	record := fmt.Sprintf("{\"format\":\"purexp campaign\",\"version\":1,\"events\":4,\"hash\":%q}\n%s\n"+
		"{\"seq\":4,\"at\":\"2026-11-24T05:00:00Z\",\"who\":\"Ada\",\"what\":\"undo\",\"body\":%s,\"hash\":%q}\n", hash,
		strings.Join(lines, "\n"), body, hash)
	if err := os.WriteFile(filepath.Join(dir, "x.jsonl"), []byte(record), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := purexp(t, dir, "campaign", "import", "x.jsonl", "--file", "x.campaign"); code != 0 {
		t.Fatal(stderr)
	}
	stdout, stderr, code := purexp(t, dir, "campaign", "history", "--file", "x.campaign")
	if code != 0 || strings.ContainsAny(stdout+stderr, "\x1b\a\u009b\u202e") || !strings.Contains(stdout, `\u001b[2J\u0007\u009b\u202eslip`) {
		t.Errorf("exit code %d, %q %q", code, stdout, stderr)
	}
}

// An interrupted run prints how many measurements it made and how to continue, and has exit code 130. Each
// measurement is logged with the names of its values.
func TestCampaignRunInterrupted(t *testing.T) {
	dir := platesAt(t)
	if _, errs, code := purexp(t, dir, "campaign", "run", "--exec", "echo 60", "--limit", "2", "--as", "robot"); code != exitOK ||
		errs != "ticket 1: A07 yield=60\nticket 2: B02 yield=60\n" {
		t.Errorf("%d, %q", code, errs)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for _, how := range [][]string{{"--exec", "echo 60"}, {"--folder", "f"}} {
		var out, errs bytes.Buffer
		code := run(ctx, append([]string{"campaign", "run"}, how...), &out, &errs)
		if code != exitInterrupted || !strings.Contains(errs.String(), "interrupted after 0 measurements; repeat the command to continue\n") || out.String() != "" {
			t.Errorf("%q: %d, %q, %q", how, code, &out, &errs)
		}
	}
}

// A failed command is executed again up to --retries times; with 0, it is not executed again.
func TestCampaignRunRetries(t *testing.T) {
	for retries, want := range map[string]int{"0": 1, "2": 3} {
		dir := platesAt(t)
		put(t, dir, "fails", "echo . >> log\nexit 1\n")
		_, _, _ = purexp(t, dir, "campaign", "run", "--exec", "sh fails", "--limit", "1", "--retries", retries, "--as", "robot")
		if text, err := os.ReadFile("log"); err != nil || strings.Count(string(text), ".") != want {
			t.Errorf("--retries %s: %q, %v; want %d executions", retries, text, err, want)
		}
	}
}

// A starter notebook contains a query on the user's table.
func TestNotebook(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		table string
		args  []string
		want  string
	}{
		"means": {"laptop,battery (h),weight\nA,9,1.3\nB,12,1.8\n", []string{"--find", "best"},
			`nb.On(table, "laptop").Max("battery (h)", "sd=1").Best()`},
		"replicates": {"compound,activity,day\n001,4,1\n1E5,6,1\n001,5,2\n", nil,
			`nb.On(nb.Means(table, "compound"), "compound").Max("activity").Best()`},
		"said": {"name,x,y\nA,9,1\nB,12,2\n", []string{"--objective", "x,min,sd=2", "--objective", "y,max,known", "--find", "pareto"},
			`nb.On(table, "name").Min("x", "sd=2").Max("y", "known").Pareto()`},
	} {
		os.WriteFile(filepath.Join(dir, name+".csv"), []byte(c.table), 0o666)
		if out, errs, code := purexp(t, dir, append([]string{"notebook", name + ".csv"}, c.args...)...); code != exitOK {
			t.Fatalf("%s: %d, %s%s", name, code, out, errs)
		}
		text, _ := os.ReadFile(filepath.Join(dir, name+".ipynb"))
		var n struct{ Cells []struct{ Source []string } }
		if err := json.Unmarshal(text, &n); err != nil || n.Cells[1].Source[3] != "var q = "+c.want+"\n" {
			t.Errorf("%s: %v, %q", name, err, n.Cells[1].Source)
		}
	}
	if _, errs, code := purexp(t, dir, "notebook", "means.csv", "--find", "top"); code != exitUsage ||
		!strings.Contains(errs, `--find is "top"; expected best, pareto or feasible`) {
		t.Errorf("%d, %s", code, errs)
	}
	if _, errs, code := purexp(t, dir, "notebook", "means.csv"); code != exitUsage || !strings.Contains(errs, "means.ipynb") {
		t.Errorf("a notebook is written over: %d, %s", code, errs)
	}
}
