package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Each failing command has the documented exit code, names the place of the error, and records nothing.
func TestCampaignErrors(t *testing.T) {
	dir := platesAt(t)
	put(t, dir, "other.toml", strings.Replace(plates, "delta = 0.1", "delta = 0.2", 1))
	put(t, dir, "wrong.toml", strings.Replace(plates, "delta = 0.1", "delta = 2", 1))
	put(t, dir, "plate.csv", filled(t, works(t, dir, "ask", "--as", "robot-1")))
	works(t, dir, "tell", "plate.csv")
	works(t, dir, "drop", "C11")
	works(t, dir, "ask", "--plate", "2")
	works(t, dir, "join", "E20", "price=50")
	works(t, dir, "drop", "E20")
	put(t, dir, "comma.csv", "ticket,yield\n4,\"71,2\"\n5,171\n")
	put(t, dir, "mixed.csv", "ticket,candidate,yield\n4,B99,70\n5,,60\n")
	put(t, dir, "changed.csv", "plate,ticket,yield\n1,1,1.5\n")
	put(t, dir, "plain.csv", "ticket,price\n4,70\n")
	put(t, dir, "empty.csv", "ticket,yield\n4,\n")
	put(t, dir, "folder.campaign.txt", "no campaign\n")
	before := works(t, dir, "history")
	for _, x := range []struct {
		args string
		code int
		says string
	}{
		{"new wrong.toml", exitInput, "wrong.toml:4: question.delta: 2; expected the error probability"},
		{"new missing.toml", exitFailure, "missing.toml"},
		{"new other.toml --file plates.campaign", exitConflict, "the file differs in question"},
		{"new", exitUsage, "accepts 1 arg"},
		{"ask --plate 0", exitUsage, "--plate is 0; expected at least 1"},
		{"ask --plate 10001", exitInput, "10001 measurements; expected 1 to 10000"},
		{"ask --as a\tb", exitInput, "is not a line of text"},
		{"ask -o plate.csv", exitUsage, "plate.csv already exists"},
		{"tell", exitUsage, "0 files are named; name one, or report one result with --ticket or --candidate"},
		{"tell a.csv b.csv", exitUsage, "2 files"},
		{"tell missing.csv", exitFailure, "missing.csv"},
		{"tell comma.csv", exitInput, `comma.csv:2: yield: "71,2" is not a finite number; if the ` +
			`comma is a decimal comma, write 71.2`},
		{"tell mixed.csv", exitConflict, "mixed.csv:2: arm: ticket 4 is for "},
		{"tell changed.csv", exitConflict, "changed.csv:2: ticket: ticket 1 ("},
		{"tell plain.csv", exitInput, `plain.csv: no column "yield"`},
		{"tell empty.csv", exitInput, "empty.csv: no row has a result yet"},
		{"tell --ticket 4 yield", exitUsage, `"yield"; expected NAME=VALUE`},
		{"tell --ticket 4 yield=high", exitInput, `yield: "high" is not a finite number`},
		{"tell --ticket 4 yield=-70", exitInput, "-70 % is outside 0 to 100; is the sign wrong?"},
		{"tell --ticket 4 yield=70 price=3", exitInput, "price: not a measured objective"},
		{"tell --ticket 4 --failed yield=70", exitInput, "the result is marked as failed, but has values"},
		{"tell --ticket 99 yield=70", exitInput, "ticket: unknown ticket 99"},
		{"tell --candidate A07 yield=70", exitInput, "id: a result without a ticket needs a unique id"},
		{"tell --candidate Z9 --id p yield=70", exitInput, `arm: unknown candidate "Z9"`},
		{"drop", exitUsage, "accepts 1 arg"},
		{"drop Z9", exitInput, `unknown candidate "Z9"; the candidates are A07, B02`},
		{"drop C11", exitConflict, "C11 was dropped already"},
		{"join D19", exitInput, `candidate "D19", column "price": missing; give a value`},
		{"join D19 price", exitUsage, `"price"; expected COLUMN=VALUE`},
		{"join D19 price=dear", exitInput, `candidate "D19", column "price": "dear" is not`},
		{"join D19 price=4 colour=red", exitInput, `does not use a column "colour"`},
		{"join C11 price=30", exitConflict, "C11 was a candidate before"},
		{"join A07 price=30", exitInput, `"A07" is already a candidate`},
		{"undo soon", exitUsage, `"soon" is not the number of an event`},
		{"undo 99", exitInput, "unknown event 99; the record has events 1 to "},
		{"undo 1", exitConflict, "event 1 is the problem and cannot be undone"},
		{"undo 6", exitConflict, "event 6 cannot be undone, because later events depend on it"},
		{"status --format xml", exitUsage, `--format is "xml"`},
		{"history --format xml", exitUsage, `--format is "xml"`},
		{"export --format xml", exitUsage, `--format is "xml"; expected jsonl or csv`},
		{"export --intact --format csv", exitUsage, "--intact writes only jsonl"},
		{"export -o plate.csv", exitUsage, "plate.csv already exists"},
		{"import plate.csv", exitUsage, "--file is missing"},
		{"import missing.jsonl --file x", exitFailure, "missing.jsonl"},
		{"plan --runs 0", exitUsage, "--runs is 0"},
		{"run", exitUsage, "--exec"},
		{"report -o plate.csv", exitUsage, "plate.csv already exists"},
		{"certificate -o plate.csv", exitUsage, "plate.csv already exists"},
		{"certificate a b", exitUsage, "accepts at most 1 arg"},
		{"status --file folder.campaign.txt", exitFile, "folder.campaign.txt"},
		{"status --file missing.campaign", exitFailure, "the file does not exist"},
		{"verify --file plate.csv", exitFile, "plate.csv"},
	} {
		args := strings.Split(x.args, " ")
		_, errs, code := purexp(t, dir, append([]string{"campaign"}, args...)...)
		if code != x.code || !strings.Contains(errs, x.says) {
			t.Errorf("campaign %s: exit code %d, %s; want %d, %s", x.args, code, errs, x.code, x.says)
		}
		out, errs, code := purexp(t, dir, append([]string{"campaign", "--json"}, args...)...)
		if strings.HasPrefix(x.args, "export") || code == exitUsage && out == "" {
			continue // cobra's own errors are not printed as JSON
		}
		var said struct{ Error, Kind string }
		if err := json.Unmarshal([]byte(out), &said); err != nil || code != x.code ||
			!strings.Contains(said.Error, x.says) || (said.Kind == "") != (code < exitInput) {
			t.Errorf("campaign --json %s: exit code %d, %v\n%s%s", x.args, code, err, out, errs)
		}
	}
	if after := works(t, dir, "history"); after != before {
		t.Errorf("a failed command changed the history:\n%s\nwant\n%s", after, before)
	}

	// With --json, the command lists the invalid rows and their errors.
	out, _, _ := purexp(t, dir, "campaign", "tell", "comma.csv", "--json")
	var said struct{ Results campaign.InputErrors }
	if err := json.Unmarshal([]byte(out), &said); err != nil || len(said.Results) != 1 ||
		said.Results[0].Row != 1 || said.Results[0].Field != "yield" ||
		said.Results[0].Where != "comma.csv:2" {
		t.Errorf("%v: %s", err, out)
	}

	put(t, dir, "second.campaign", "")
	if _, errs, code := purexp(t, dir, "campaign", "status"); code != exitUsage ||
		!strings.Contains(errs, "several campaigns (plates.campaign, second.campaign)") {
		t.Errorf("two files: %d %s", code, errs)
	}
	t.Setenv("PUREXP_CAMPAIGN", "plates.campaign")
	works(t, dir, "status")
	t.Setenv("PUREXP_CAMPAIGN", "")
	if _, errs, code := purexp(t, t.TempDir(), "campaign", "status"); code != exitFailure ||
		!strings.Contains(errs, "this folder has no file *.campaign") {
		t.Errorf("no file: %d %s", code, errs)
	}
}

// A method with rounds of its own issues no further tickets until its round is complete; ask then has exit code 11.
func TestCampaignWait(t *testing.T) {
	dir := t.TempDir()
	text := strings.Replace(duel, "[candidates]", "[method]\nname = \"LinFACT\"\n[candidates]", 1)
	put(t, dir, "duel.toml", strings.Replace(text, `find = "best"`, `find = "good"`, 1)+"tolerance = 0.01\n")
	works(t, dir, "new", "duel.toml")
	var plate asked
	for range 100 {
		out, errs, code := purexp(t, dir, "campaign", "ask", "--plate", "10000", "--json")
		var said struct{ Error, Kind string }
		if err := json.Unmarshal([]byte(out), &said); err != nil {
			t.Fatalf("%v: %s%s", err, out, errs)
		}
		if code == exitWait {
			if said.Kind != "wait" || len(plate.Tickets) == 0 {
				t.Errorf("%+v after %d tickets", said, len(plate.Tickets))
			}
			return
		}
		if err := json.Unmarshal([]byte(out), &plate); err != nil || code != exitOK {
			t.Fatalf("exit code %d, %v: %s%s", code, err, out, errs)
		}
	}
	t.Error("ask never waits for results")
}

// The code, JSON output, help and docs list the same exit codes.
func TestCampaignCodes(t *testing.T) {
	page, err := os.ReadFile("../../docs/run-a-campaign.md")
	if err != nil {
		t.Fatal(err)
	}
	help := newCampaign().Long
	listed := map[int]bool{exitInput: true}
	for _, c := range campaignCodes {
		listed[c.code] = true
		code, kind := campaignCode(fmt.Errorf("somewhere: %w", c.is))
		if code != c.code || kind != c.kind || kind == "" {
			t.Errorf("%v: %d %q; want %d %q", c.is, code, kind, c.code, c.kind)
		}
	}
	if code, kind := campaignCode(os.ErrNotExist); code != 0 || kind != "" {
		t.Errorf("of a file that is missing: %d %q", code, kind)
	}
	for _, code := range slices.Sorted(maps.Keys(listed)) {
		if !strings.Contains(help, fmt.Sprintf("\n%4d  ", code)) {
			t.Errorf("the help does not say what exit code %d means", code)
		}
		if !strings.Contains(string(page), fmt.Sprintf("\n| %d | ", code)) {
			t.Errorf("docs/run-a-campaign.md does not say what exit code %d means", code)
		}
	}
}

// 'problem check --json' prints the question of a problem file, or its errors.
func TestProblemCheckJSON(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "plates.toml", plates)
	put(t, dir, "plates.csv", plateTable)
	out, errs, code := purexp(t, dir, "problem", "check", "plates.toml", "--json")
	var c checked
	if err := json.Unmarshal([]byte(out), &c); err != nil || code != exitOK ||
		!slices.Equal(c.Candidates, []string{"A07", "B02", "C11"}) || c.Method != "e-cAPE" ||
		!slices.Equal(c.Objectives, []string{"yield [%]", "price"}) ||
		!slices.Contains(c.Methods, c.Method) {
		t.Errorf("%d %v %+v\n%s", code, err, c, errs)
	}
	put(t, dir, "plates.csv", "candidate,price\nA07,10\nB02,\nA07,30\n")
	put(t, dir, "wrong.toml", strings.Replace(plates, "plate = 3", "plate = 0.5\nplat = 3", 1))
	for file, want := range map[string]string{"plates.toml": "plates.csv", "wrong.toml": "wrong.toml:18"} {
		out, errs, code := purexp(t, dir, "problem", "check", file, "--json")
		var said struct {
			Error, Kind string
			Problem     problem.Errors
		}
		if err := json.Unmarshal([]byte(out), &said); err != nil || code != exitInput ||
			said.Kind != "problem" || len(said.Problem) == 0 ||
			!strings.Contains(said.Error, want) || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %v\n%s%s", file, code, err, out, errs)
		}
	}
}
