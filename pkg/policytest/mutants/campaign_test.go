package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A campaign on a small module tells the outcomes apart, leaves the tree as it is, and goes on
// where it was.
func TestCampaign(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs tests")
	}
	root := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const source = "package a\n\nfunc Sum(n int) (s int) {\n\tfor i := 1; i <= n; i++ {\n" +
		"\t\ts += i\n\t}\n\treturn s\n}\n\nfunc Other() int { return 1 }\n"
	write("go.mod", "module a\n\ngo 1.26\n")
	write("a/a.go", source)
	const test = "package a\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n" +
		"\tif Sum(3) != 6 {\n\t\tt.Error()\n\t}\n}\n"
	write("a/a_test.go", test)
	list := func(text string) []*fault {
		faults, err := parse("list", "in a/a.go\ntests ./a\n"+text)
		if err != nil {
			t.Fatal(err)
		}
		return faults
	}
	var progress, table bytes.Buffer
	out := filepath.Join(root, "out.jsonl")
	c := &campaign{planter{root, 10 * time.Minute}, 2, out, &progress, &table}
	run := func(faults []*fault, resume bool) error {
		progress.Reset()
		table.Reset()
		return c.run(context.Background(), faults, resume)
	}
	faults := list("fault one\n- i <= n\n+ i < n\nfault two\n- return 1\n+ return 2\n")
	err := run(faults, false)
	if err == nil || err.Error() != "1 faults survive" {
		t.Errorf("error %v", err)
	}
	for _, want := range []string{"| a | 2 | 1 | 1 | 0 |", "| all | 2 | 1 | 1 | 0 |",
		"survived: two (a/a.go)"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("no %q in\n%s", want, &table)
		}
	}
	if !strings.Contains(progress.String(), "a: one: TestSum\n") {
		t.Errorf("no test that failed in\n%s", &progress)
	}
	if b, err := os.ReadFile(filepath.Join(root, "a", "a.go")); err != nil || string(b) != source {
		t.Errorf("the tree was changed: %v\n%s", err, b)
	}

	// The next run plants what survived, with a test that finds it, and what was not there.
	write("a/b_test.go", "package a\n\nimport \"testing\"\n\nfunc TestOther(t *testing.T) {\n"+
		"\tif Other() != 1 {\n\t\tt.Error()\n\t}\n}\n")
	if err := run(faults, true); err != nil {
		t.Errorf("%v\n%s", err, &progress)
	}
	if err := run(faults, true); err != nil ||
		!strings.Contains(progress.String(), "2 died before") ||
		!strings.Contains(table.String(), "| all | 2 | 2 | 0 | 0 |") {
		t.Errorf("%v\n%s%s", err, &progress, &table)
	}

	// An endless fault is found by the limit.
	endless := list("fault three\n- i++\n+ i += 0\n")[0]
	brief := planter{root, time.Second}
	found, err := brief.plant(context.Background(), endless)
	if err != nil || found.outcome != timedOut {
		t.Errorf("%v, %v", found, err)
	}

	// What is no fault is an error: code that does not compile, tests that fail without it.
	if err := run(list("fault four\n- return 1\n+ return \"\"\n"), false); err == nil ||
		!strings.Contains(err.Error(), `list:3: fault "four": go test ./a: the tests did not run`) {
		t.Errorf("error %v", err)
	}
	write("a/b_test.go",
		"package a\n\nimport \"testing\"\n\nfunc TestBad(t *testing.T) { t.Error() }\n")
	if err := run(faults, false); err == nil ||
		!strings.Contains(err.Error(), "go test ./a: tests fail without a fault: TestBad") {
		t.Errorf("error %v", err)
	}

	// A suite that fails keeps its own faults from being planted, and no others.
	write("b/b.go", "package b\n\nfunc Odd(n int) bool { return n%2 == 1 }\n")
	write("b/b_test.go", "package b\n\nimport \"testing\"\n\nfunc TestOdd(t *testing.T) {\n"+
		"\tif !Odd(3) {\n\t\tt.Error()\n\t}\n}\n")
	other, err := parse("list", "in b/b.go\ntests ./b\nfault five\n- == 1\n+ == 0\n")
	if err != nil {
		t.Fatal(err)
	}
	if err := run(append(faults, other...), false); err == nil ||
		!strings.Contains(err.Error(), "tests fail without a fault: TestBad") ||
		!strings.Contains(table.String(), "| all | 1 | 1 | 0 | 0 |") {
		t.Errorf("error %v\n%s", err, &table)
	}
}
