package main

import (
	"bufio"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed faults/*.txt
var lists embed.FS

// A fault is a wrong piece of code in place of a right one, and the tests that are to notice.
type fault struct {
	name     string
	file     string // of the module, with slashes
	old, new string // fragments of Go
	tests    []suite
	source   string // where the fault is written down
}

// pkg is the package that the fault is in.
func (f *fault) pkg() string { return path.Dir(f.file) }

// A suite are arguments of go test: packages, and flags that choose tests. The suites of a fault
// run one after the other until one fails: the cheapest first.
type suite []string

func (s suite) String() string { return strings.Join(s, " ") }

// packages are those of the suite.
func (s suite) packages() (dirs []string) {
	for _, arg := range s {
		if strings.HasPrefix(arg, "./") {
			dirs = append(dirs, arg)
		}
	}
	return dirs
}

// read returns the faults of all lists, in the order of their names.
func read(lists fs.FS) (faults []*fault, err error) {
	names, err := fs.Glob(lists, "faults/*.txt")
	if err != nil {
		return nil, err
	}
	seen := map[string]string{}
	for _, name := range names {
		b, err := fs.ReadFile(lists, name)
		if err != nil {
			return nil, err
		}
		list, err := parse(name, string(b))
		if err != nil {
			return nil, err
		}
		for _, f := range list {
			if at, ok := seen[f.name]; ok {
				return nil, fmt.Errorf("%s: fault %q is also in %s", f.source, f.name, at)
			}
			seen[f.name] = f.source
		}
		faults = append(faults, list...)
	}
	return faults, nil
}

// parse reads a list of faults. Each line says by its first word what it is:
//
//	# a comment
//	in pkg/radius/radius.go          the file of the faults that follow
//	tests ./pkg/radius -run Theory   a suite of the faults that follow; several lines are several
//	fault radius 10 times too small  a fault, with its name
//	- return b.sigma / n             what its file says, without regard to spaces and new lines
//	+ return 0.1 * b.sigma / n       what it says with the fault; none: nothing
//
// A fault starts from the file and the tests above it; in and tests below it are for the next one.
func parse(name, text string) (faults []*fault, err error) {
	var in string
	var tests []suite
	var last *fault
	inTests := false // the line before said tests
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		word, rest, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		rest = strings.TrimSpace(rest)
		where := fmt.Sprintf("%s:%d", name, n)
		switch {
		case word == "" || strings.HasPrefix(word, "#"):
		case word == "in" && rest != "":
			in, last = rest, nil
		case word == "tests" && rest != "":
			if !inTests {
				tests = nil
			}
			tests, last = append(slices.Clip(tests), strings.Fields(rest)), nil
		case word == "fault" && rest != "":
			if in == "" || tests == nil {
				return nil, fmt.Errorf(
					"%s: a fault before the lines `in` and `tests` that say where it is", where)
			}
			last = &fault{name: rest, file: in, tests: tests, source: where}
			faults = append(faults, last)
		case word == "-" && last != nil && last.new == "":
			last.old += rest + "\n"
		case word == "+" && last != nil && last.old != "":
			last.new += rest + "\n"
		default:
			return nil, fmt.Errorf(
				"%s: %q; write `in FILE`, `tests ARGUMENTS`, `fault NAME` and after it "+
					"lines that start with - and then those with +", where, lines.Text())
		}
		inTests = word == "tests"
	}
	for _, f := range faults {
		if f.old == "" {
			return nil, fmt.Errorf("%s: fault %q does not say what it replaces", f.source, f.name)
		}
	}
	return faults, lines.Err()
}
