package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

const solvents = "solvent;rate;cost\nwater;0.5;1\nacetone;0.7;3\nDMF;0.9;12\n"

// Two commands lead from a table to the first worksheet.
func TestProblemNew(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "conditions.csv"), []byte(solvents), 0o666); err != nil {
		t.Fatal(err)
	}
	out, errs, code := purexp(t, dir, "campaign", "new", "conditions.csv")
	if code == exitOK || !strings.Contains(errs, "'purexp problem new conditions.csv'") {
		t.Errorf("a table as a problem: code %d, %s%s", code, out, errs)
	}
	out, errs, code = purexp(t, dir, "problem", "new", "conditions.csv", "--objective",
		"yield,max,sd=2,unit=%,values=0..100,at_least=40", "--objective", "cost,min,known,unit=EUR",
		"--features", "rate", "--plate", "8")
	if code != exitOK || !strings.Contains(out, "wrote conditions.toml") {
		t.Fatalf("code %d, %s%s", code, out, errs)
	}
	p, err := problem.Read(filepath.Join(dir, "conditions.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if p.K() != 3 || p.Candidates.Names[2] != "DMF" || len(p.Objectives) != 2 ||
		p.Question.Find != problem.FindPareto || *p.Objectives[0].Noise.SD != 2 ||
		*p.Objectives[0].AtLeast != 40 || !p.Objectives[1].Known || p.Objectives[1].Unit != "EUR" ||
		len(p.Candidates.FeatureColumns) != 1 || p.Laboratory.Plate != 8 {
		t.Errorf("%+v", p)
	}
	for _, name := range []string{"plate-1.csv", "again.csv"} { // a repeated command writes the same worksheet
		out := works(t, dir, "new", "conditions.toml", "--worksheet", name)
		sheet, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.HasPrefix(string(sheet), "plate;ticket;candidate;rate;yield;note;campaign\n1;1;water;0.5;;;c") ||
			strings.Count(string(sheet), "\n") != 9 ||
			!strings.Contains(out, "fill it in, then run: purexp campaign tell "+name) {
			t.Errorf("%v: the first worksheet is %q\n%s", err, sheet, out)
		}
	}
	if _, errs, code := purexp(t, dir, "campaign", "new", "conditions.toml", "--worksheet", "again.csv"); code != exitUsage {
		t.Errorf("a worksheet that is there: code %d, %s", code, errs)
	}
	for want, args := range map[string][]string{
		"conditions.toml already exists":         {"conditions.csv", "--objective", "yield,max,sd=2"},
		"--objective is missing":                 {"conditions.csv", "--output", "b.toml"},
		"the noise is missing; add sd=2":         {"conditions.csv", "--objective", "yield,max"},
		"unknown setting noise":                  {"conditions.csv", "--objective", "yield,max,noise=2"},
		"expected max, min, bounded, known":      {"conditions.csv", "--objective", "yield,up,sd=2"},
		`sd is "2%"; expected a number`:          {"conditions.csv", "--objective", "yield,sd=2%"},
		`range is "0-100"; expected two numbers`: {"conditions.csv", "--objective", "yield,range=0-100"},
		"nothing was written": {"conditions.csv", "--objective", "yield,max,sd=2", "--features",
			"temperature", "--output", "b.toml"},
		"the table of candidates is missing":                                    {},
		"the comma is a decimal comma, write tolerance=1.5":                     {"conditions.csv", "--objective", "yield,max,sd=2,tolerance=1,5"},
		"no objective has a tolerance":                                          {"conditions.csv", "--find", "good", "--objective", "yield,max,sd=2"},
		"the goal is missing":                                                   {"conditions.csv", "--objective", "yield,sd=2,at_least=40"},
		"report the natural logarithm of time, with tolerance = 0.0198 for 2 %": {"conditions.csv", "--find", "good", "--objective", "time,min,sd=2,tolerance=2%"},
		`at_least is "75%"; expected a rate from 0 to 1, here 0.75`:             {"conditions.csv", "--objective", "yield,max,counts=12,at_least=75%"},
		`tolerance is "x%"; expected a number`:                                  {"conditions.csv", "--objective", "yield,max,sd=2,tolerance=x%"},
		`no column "price"; the columns are "solvent", "rate", "cost"`: {"conditions.csv", "--objective", "yield,sd=2",
			"--objective", "price,min,known"},
		"the examples are chemistry, compiler, trial": {"--example", "physics"},
	} {
		out, errs, code := purexp(t, dir, append([]string{"problem", "new"}, args...)...)
		if code == exitOK || !strings.Contains(errs, want) {
			t.Errorf("%q: code %d, %s%s; want %q", args, code, out, errs, want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "b.toml")); err == nil {
		t.Error("a file was written although the problem has mistakes")
	}
}

// Each example problem can be created, checked and planned.
func TestProblemExamples(t *testing.T) {
	for _, name := range exampleNames {
		dir := t.TempDir()
		for _, args := range [][]string{{"problem", "new", "--example", name},
			{"problem", "check", name + ".toml"},
			{"plan", name + ".toml", "--runs", "5", "--no-changes", "--quiet"}} {
			if out, errs, code := purexp(t, dir, args...); code != exitOK {
				t.Errorf("%q: code %d, %s%s", args, code, out, errs)
			}
		}
	}
}

// Without --names, the column of names is chosen from the columns that have no other use. The error for an invalid
// name gives the line or the column of the name.
func TestNamesOfCandidates(t *testing.T) {
	dir := t.TempDir()
	for _, x := range []struct{ table, args, want string }{
		{"name,yield\nA,3\nB,4\n", "", "name"},
		{"price,name,yield\n3,A,5\n4,B,6\n", "", "name"},
		{"sep=;\nligand;price\nA;3\nB;4\n", "", "ligand"},
		{"id,yield\n7,5\n8,6\n", "", "id"},
		{"Yield,id\n5,7\n6,8\n", "", "id"},
		{"yield [%],id\n5,7\n6,8\n", ",unit=%", "id"},
		{"kind,yield,name\nx,5,A\ny,6,B\n", "--categories=kind", "name"},
		{"at,yield,candidate\nx,5,1\ny,6,2\n", "", "candidate"},
		{"hope,id\n5,7\n6,8\n", ",guess=hope", "id"},
		{"yield\n5\n6\n", "", "!--names"},
		{"name,price\nA,3\n,4\nB,5\n", "", `!t.csv:3: column "name"`},
		{"name,price\nA,3\nB,4\nA,5\n", "", `!"A" 2 times, in lines 2 and 4`},
		{"yield,name\n3,A\n4,B\n5,A\n", "", `!"A" 2 times, in lines 2 and 4`},
		{"id,kind\n1,x\n2,x\n", "--names=id", "id"},
		{"no,kind,yield\nTYPE,DATA,DATA\n1,x,5\n2,y,6\n", "", "!t.csv:2: "},
	} {
		put(t, dir, "t.csv", x.table)
		objective := "yield,max,sd=2"
		args := []string{"problem", "new", "t.csv", "--output", "t.toml"}
		if strings.HasPrefix(x.args, ",") {
			objective += x.args
		} else if x.args != "" {
			args = append(args, x.args)
		}
		out, errs, code := purexp(t, dir, append(args, "--objective", objective)...)
		if want, wrong := strings.CutPrefix(x.want, "!"); wrong {
			if _, err := os.Stat(filepath.Join(dir, "t.toml")); code == exitOK || !strings.Contains(errs, want) || strings.Contains(errs, "t.toml") || err == nil {
				t.Errorf("%q: code %d, %s%s; want %q", x.table, code, out, errs, want)
			}
			continue
		}
		p, err := problem.Read(filepath.Join(dir, "t.toml"))
		if code != exitOK || err != nil || p.Candidates.Column != x.want {
			t.Fatalf("%q: code %d, %v, %s%s; want the column %s", x.table, code, err, out, errs, x.want)
		}
		if err := os.Remove(filepath.Join(dir, "t.toml")); err != nil {
			t.Fatal(err)
		}
	}
}

// A campaign can begin with a table of measurements, whose rows become results. The problem lists each candidate
// once, with its known values; an error names rows with contradictory known values.
func TestMeasured(t *testing.T) {
	dir := t.TempDir()
	const table = "catalyst;price;yield;kind\nP1;12,5;72,2;x\nP1;;91,3;x\nP2;8,25;60,5;y\nP1;12,5;80,5;x\nP2;8,25;;y\n"
	put(t, dir, "last year.csv", table)
	args := []string{"problem", "new", "last year.csv", "--measured", "--objective", "yield,max,sd=6", "--objective", "price,min,known"}
	out, errs, code := purexp(t, dir, args...)
	p, err := problem.Read(filepath.Join(dir, "last year.toml"))
	if code != exitOK || err != nil || !slices.Equal(p.Candidates.Names, []string{"P1", "P2"}) || !slices.Equal(p.Objectives[1].Exact, []float64{12.5, 8.25}) ||
		p.Title != "last year" {
		t.Fatalf("code %d, %v, %+v, %s%s", code, err, p, out, errs)
	}
	for range 2 { // the second import adds no rows
		out, errs, code := purexp(t, dir, "campaign", "new", "last year.toml", "--with", "last year.csv")
		if code != exitOK || !strings.Contains(errs, "1 row (line 6) skipped: no value") || !strings.Contains(out, "Running: 4 measurements") {
			t.Errorf("code %d, %s%s", code, out, errs)
		}
	}
	if out := works(t, dir, "export", "--format", "csv", "--file", "last year.campaign"); strings.Count(out, ",last year:") != 4 {
		t.Error(out)
	}
	// If rows are invalid, no campaign is created; if the table is invalid, no problem file is written.
	put(t, dir, "wrong.csv", "catalyst,yield\nP1,5\nP3,6\n")
	if _, errs, code := purexp(t, dir, "campaign", "new", "last year.toml", "--with", "wrong.csv", "--file", "w.campaign"); code != exitInput ||
		!strings.Contains(errs, "wrong.csv:3: ") {
		t.Errorf("code %d, %s", code, errs)
	}
	for text, want := range map[string]string{
		strings.Replace(table, "P2;8,25;;", "P2;9;;", 1):   `t.csv:6: column "price": "9", but "8.25" in line 4 for the same candidate, "P2"`,
		strings.Replace(table, "P2;8,25;;", ";8,25;;", 1):  `t.csv:6: column "catalyst": empty`,
		strings.Replace(table, "yield", "amount", 1):       `t.csv: no column "yield"`,
		strings.Replace(table, "P2;8,25;60", "P2;x;60", 1): `t.csv:4: column "price": "x" is not a finite number`,
		table + "P1_mean;;80,2;\n":                         `t.csv: column "catalyst": line 7 may summarise other rows`,
	} {
		put(t, dir, "t.csv", text)
		args[2] = "t.csv"
		if out, errs, code := purexp(t, dir, args...); code != exitInput || !strings.Contains(errs, want) {
			t.Errorf("%q: code %d, %s%s; want %s", text, code, out, errs, want)
		}
	}
	for _, name := range []string{"w.campaign", "t.toml", "t-candidates.csv"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	put(t, dir, "wide.csv", "catalyst,price,rep1,rep2\nP1,3,70,71\nP2,4,60,61\nP1,3,72,\n")
	args[2] = "wide.csv"
	purexp(t, dir, args...)
	if out, errs, _ := purexp(t, dir, "campaign", "new", "wide.toml", "--with", "wide.csv"); !strings.Contains(out, "results: 5 used") {
		t.Errorf("columns of replicates: %s%s", out, errs)
	}
	put(t, dir, "t.csv", "name,price\nA,3\nB,4\nTotal,7\n")
	if _, errs, code := purexp(t, dir, "problem", "new", "t.csv", "--objective", "yield,max,sd=2"); code != exitOK || !strings.Contains(errs, "line 4 may summarise") {
		t.Errorf("a row of totals: code %d, %s", code, errs)
	}
}
