package runner_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/runner"
)

const threeText = `[question]
find = "best"
delta = 0.05
[candidates]
names = ["a", "b", "c"]
[[objective]]
name = "yield"
noise = { sd = 1 }
`

// three creates a campaign for the candidates a, b and c.
func three(t *testing.T) *campaign.Campaign {
	t.Helper()
	p, err := problem.Parse("p.toml", []byte(threeText), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := campaign.Create(filepath.Join(t.TempDir(), "p.campaign"), p, "Ada")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// fill is a sed script that fills in a worksheet with the yields 50, 60 and 90.
const fill = `s/,a,,/,a,50,/;s/,b,,/,b,60,/;s/,c,,/,c,90,/`

// A command measures plates through files. A command that writes no results ends the run, and so does a failing
// command. A later run with another command measures the same plate.
func TestFilesByCommand(t *testing.T) {
	c := three(t)
	dir := filepath.Join(t.TempDir(), "it's here")
	files := func(command string) runner.Files {
		x, err := runner.Parse(command)
		if err != nil {
			t.Fatal(err)
		}
		return runner.Files{Folder: dir, Command: runner.Command{Template: x}, Size: 4, As: "robot", Every: time.Millisecond}
	}
	for command, want := range map[string]string{
		"true":                           "without writing",
		"false":                          "runner: plate 1: false: exit status 1",
		"cp {sheet} {results}":           "no row has a result",
		"sed s/,,/,much,/ {sheet} {arm}": "{arm}",
	} {
		f := files(command)
		_ = os.Remove(filepath.Join(dir, "plate-1.results.csv"))
		if _, err := f.Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", command, err, want)
		}
	}
	f := files(`sh -c 'sed "` + fill + `" "$1" > "$2"' sh {sheet} {results}`)
	var said []string
	f.Report = func(s string) { said = append(said, s) }
	sum, err := f.Run(t.Context(), c)
	if err != nil || !sum.Finished || sum.Made < 4 {
		t.Fatalf("%+v, %v\n%s", sum, err, strings.Join(said, "\n"))
	}
	if info, err := os.Stat(filepath.Join(dir, "plate-1.csv")); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("the worksheet is not readable by others: %v, %v", info, err)
	}
	if arms, final, err := c.Answer(); err != nil || !final || len(arms) != 1 || arms[0] != "c" {
		t.Error(arms, final, err)
	}
	if sum, err := f.Run(t.Context(), c); err != nil || !sum.Finished || sum.Made > 0 {
		t.Errorf("after the end: %+v, %v", sum, err)
	}
}

// A command that leaves rows empty because their results are late is executed again for these rows. Such a run
// does not wait for files from other people, which would take hours here.
func TestFilesLate(t *testing.T) {
	c := three(t)
	x, err := runner.Parse(`sh -c 'sed "` + fill + `;3s/,[0-9]*,,\(c[^,]*\)$/,,,\1/" "$1" > "$2"' sh {sheet} {results}`)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	again := 0
	f := runner.Files{Folder: t.TempDir(), Command: runner.Command{Template: x}, Size: 2, As: "robot", Every: time.Hour,
		Report: func(s string) {
			if strings.HasSuffix(s, "1 used, 0 failed") {
				again++
			}
		}}
	if sum, err := f.Run(ctx, c); err != nil || !sum.Finished || again < 2 {
		t.Errorf("%+v, %v; a part of the plate %d times", sum, err, again)
	}
}

// Results that people put into the folder are reported. If a file has errors, a message states them, and the file may
// be corrected. A file with empty rows may be completed.
func TestFilesOfAFolder(t *testing.T) {
	c := three(t)
	dir := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	said := make(chan string, 1000)
	f := runner.Files{Folder: dir, Size: 3, As: "robot", Every: 5 * time.Millisecond, Report: func(s string) {
		if !strings.HasSuffix(s, "skipped: no value") {
			said <- s
		}
	}}
	ended := make(chan error, 1)
	var sum runner.Summary
	go func() {
		var err error
		sum, err = f.Run(ctx, c)
		ended <- err
	}()
	next := func() string {
		select {
		case s := <-said:
			return s
		case <-time.After(2 * time.Minute):
			t.Fatal("no message within two minutes")
			return ""
		}
	}
	put := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "plate-1.results.csv"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if s := next(); s != "plate 1: 3 measurements, "+filepath.Join(dir, "plate-1.csv") {
		t.Error(s)
	}
	put("ticket,yield\n1,much\n")
	if s := next(); !strings.Contains(s, "much") {
		t.Error(s)
	}
	put("ticket,yield\n1,50\n2,\n")
	if s := next(); s != "plate 1: 1 used, 0 failed" {
		t.Error(s)
	}
	put("ticket,yield\n1,50\n2,60\n3,failed\n")
	if s := next(); s != "plate 1: 1 used, 1 failed" {
		t.Error(s)
	}
	if s := next(); !strings.Contains(s, "plate 2: ") {
		t.Error(s)
	}
	path := filepath.Join(dir, "plate-2.results.csv")
	if err := os.WriteFile(path, []byte("ticket,yield\n4,failed\n5,failed\n6,\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s := next(); s != "plate 2: 0 used, 2 failed" {
		t.Error(s)
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) || sum.Made != 5 || sum.Failed != 3 {
		t.Errorf("%v, %+v; want five measurements, of which three failed", err, sum)
	}
}

// Each pending plate has a worksheet. If a plate is reported by other means, the run continues with the next plate.
func TestFilesOfPlatesBefore(t *testing.T) {
	c := three(t)
	var plates [2][]campaign.Ticket
	for i := range plates {
		tickets, err := c.Ask(3, "robot")
		if err != nil || len(tickets) != 3 {
			t.Fatal(tickets, err)
		}
		plates[i] = tickets
	}
	dir := t.TempDir()
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	f := runner.Files{Folder: dir, Size: 3, As: "robot", Every: 5 * time.Millisecond, Report: func(s string) {
		switch {
		case strings.HasPrefix(s, "plate 1: 3 measurements"):
			sheet, err := os.ReadFile(filepath.Join(dir, "plate-1.csv"))
			if err != nil || strings.Count(string(sheet), "\n") != 4 {
				t.Errorf("the worksheet of three measurements, %v:\n%s", err, sheet)
			}
			var results []campaign.Result
			for _, x := range plates[0] {
				results = append(results, campaign.Result{Ticket: x.Ticket, Values: []float64{50}})
			}
			if _, err := c.Tell(results, "somebody else"); err != nil {
				t.Error(err)
			}
		case strings.HasPrefix(s, "plate 2: 3 measurements"):
			stop()
		default:
			t.Error(s)
		}
	}}
	if _, err := f.Run(ctx, c); !errors.Is(err, context.Canceled) {
		t.Errorf("%v; want plate 2 after plate 1 was told", err)
	}
}

// A command that repeats reported results ends the run, because the run would otherwise repeat the command forever.
func TestFilesRepeated(t *testing.T) {
	c := three(t)
	x, err := runner.Parse(`sh -c '[ -f first ] || sed "` + fill + `" "$1" > first; cp first "$2"' sh {sheet} {results}`)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	f := runner.Files{Folder: t.TempDir(), Command: runner.Command{Template: x, Dir: t.TempDir()}, Size: 3, As: "robot"}
	if sum, err := f.Run(ctx, c); err == nil || !strings.Contains(err.Error(), "plate-2.results.csv has no new result") || sum.Made != 3 {
		t.Errorf("%+v, %v", sum, err)
	}
}

// A command receives its plate through placeholders and environment variables, with absolute paths. An empty file
// has no results.
func TestFilesHeard(t *testing.T) {
	c := three(t)
	t.Chdir(t.TempDir())
	x, err := runner.Parse(`sh -c 'echo "$*|$PUREXP_SHEET|$PUREXP_RESULTS|$PUREXP_PLATE" >> heard; sed "` + fill + `" "$1" > "$2"; [ $3 = 2 ] && : > "$2"; :' sh {sheet} {results} {plate}`)
	if err != nil {
		t.Fatal(err)
	}
	f := runner.Files{Folder: "plates", Command: runner.Command{Template: x, Dir: t.TempDir()}, Size: 3, As: "robot"}
	sum, err := f.Run(t.Context(), c)
	here, e := os.Getwd()
	if e != nil || err == nil || sum.Made != 3 || sum.Finished || err.Error() != "runner: the command ended without writing "+filepath.Join(here, "plates", "plate-2.results.csv")+"; correct the command" {
		t.Errorf("%+v, %v", sum, err)
	}
	want := ""
	for _, n := range []string{"1", "2"} {
		sheet, results := filepath.Join(here, "plates", "plate-"+n+".csv"), filepath.Join(here, "plates", "plate-"+n+".results.csv")
		want += strings.Join([]string{sheet, results, n}, " ") + "|" + strings.Join([]string{sheet, results, n}, "|") + "\n"
	}
	if text, err := os.ReadFile(filepath.Join(f.Command.Dir, "heard")); err != nil || string(text) != want {
		t.Errorf("it heard\n%s%v; want\n%s", text, err, want)
	}
	if left, err := filepath.Glob(filepath.Join(here, "plates", ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}
