package main

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	const text = `# Faults of a package.
in pkg/a/a.go
tests ./pkg/a -run One|Two
tests ./pkg/b

fault the first
- a +
- b
+ a -
+ b
fault the second
- c

in pkg/a/b.go
fault the third
- d
+ e

tests ./pkg/c
fault the fourth
- f
+ g
`
	faults, err := parse("list", text)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct{ name, file, old, new, tests string }{
		{"the first", "pkg/a/a.go", "a +\nb\n", "a -\nb\n", "./pkg/a -run One|Two; ./pkg/b; "},
		{"the second", "pkg/a/a.go", "c\n", "", "./pkg/a -run One|Two; ./pkg/b; "},
		{"the third", "pkg/a/b.go", "d\n", "e\n", "./pkg/a -run One|Two; ./pkg/b; "},
		{"the fourth", "pkg/a/b.go", "f\n", "g\n", "./pkg/c; "},
	}
	if len(faults) != len(want) {
		t.Fatalf("%d faults, not %d", len(faults), len(want))
	}
	for i, f := range faults {
		var tests strings.Builder
		for _, s := range f.tests {
			tests.WriteString(s.String() + "; ")
		}
		w := want[i]
		if f.name != w.name || f.file != w.file || f.old != w.old || f.new != w.new ||
			tests.String() != w.tests {
			t.Errorf("%q %q %q %q %q, not %q", f.name, f.file, f.old, f.new, tests.String(), w)
		}
	}
}

// What is wrong with a list is said with the line where it is.
func TestParseErrors(t *testing.T) {
	const head = "in a.go\ntests ./a\n"
	for text, where := range map[string]string{
		"fault x\n- a\n":                        "list:1: a fault before",
		"in a.go\nfault x\n- a\n":               "list:2: a fault before",
		head + "- a\n":                          `list:3: "- a"`,
		head + "fault x\n+ a\n":                 `list:4: "+ a"`,
		head + "fault x\n- a\n+ b\n- c\n":       `list:6: "- c"`,
		head + "fault x\n- a\nin b.go\n+ b\n":   `list:6: "+ b"`,
		head + "fault x\n- a\nmutant y\n":       `list:5: "mutant y"`,
		head + "fault x\nfault y\n- a\n":        `list:3: fault "x" does not say`,
		head + "fault\n":                        `list:3: "fault"`,
		head + "fault x\n- a\ntests ./b\n- b\n": `list:6: "- b"`,
	} {
		if _, err := parse("list", text); err == nil || !strings.HasPrefix(err.Error(), where) {
			t.Errorf("%q: %v, not an error that starts with %q", text, err, where)
		}
	}
}
