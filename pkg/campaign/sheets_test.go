package campaign

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// sheets are tables of results as people save them.
var sheets = []string{
	"ticket,yield,impurity\n1,50,2\n2,,\n3,NA,NaN\n4,60,\n5,failed,\n6,,FAILED\n",
	"ticket,yield,impurity,note\n1,,,failed\n2,,,\"failed: empty well\"\n3,,,failed to note it\n4,,,Failed.\n5,50,2,failed\n6,,,unfailed\n",
	"ticket;yield;impurity\n1;50,5;2,25\n2;51.5;1,5\n3;52,5;1\n",
	"ticket;yield;impurity\n1;50,5;2,25\n2;51,5;1,5\n3;1.000,5;1\n",
	"ticket\tyield [%]\timpurity\n1,0\t50 %\t2\n2.0\t60%\t1e-1\n",
	"ticket,yield [%],impurity\n1.5,50,2\n0,50,2\n-1,50,2\n1e10,50,2\nx,50,2\n,50,2\n",
	"plate,ticket,arm,ID,Note,yield,impurity\n1,1,A07,p1,ok,50,2\nx,2,,,,50,2\n,,B02,p2,,50,2\n",
	"candidate,arm,yield,impurity\nA07,B02,50,2\n",
	"yield,impurity\n50,2\n",
	"ticket,yield\n1,50\n",
	"ticket,yield,yield [%],impurity\n1,50,60,2\n",
	"ticket,yield,impurity\n1,fifty,2\n2,5O,2\n3,\"50,5\",2\n4,50 mg,2\n5,--,2\n6,50,-\n",
	"'ticket,'yield,impurity\n'1,'50,'-2\n",
	"", "ticket,yield,impurity\n", "ticket,yield,impurity\n1,50\n", "ticket,ticket,yield,impurity\n1,1,50,2\n", "ticket,yield,impurity\n1,\"50,2\n",
	"ticket,yield,impurity\r\n1,50,2\r\n\r\n2,51,2\r\n",
	"ticket,response,left\n1,3,\n2,3,11\n3,0,0\n4,50%,12\n5,3,x\n6,3,NA\n7,2.5,3\n8,failed,3\n",
	"ticket,response\n1,3\n2,13\n",
}

// What tables of results say, and what is wrong with them, is in testdata, for a problem of numbers and one of counts.
func TestSheets(t *testing.T) {
	counts := &problem.Problem{Question: problem.Question{Find: problem.FindBest, Delta: .1}, Candidates: problem.Candidates{Names: []string{"low", "high"}},
		Objectives: []problem.Objective{{Name: "response", Goal: problem.Maximise, Noise: problem.Noise{Counts: ptr(12), Evaluable: "left", Of: "patients"}}}}
	var out strings.Builder
	for _, text := range sheets {
		p := coupling(t)
		if strings.Contains(text, "response") {
			p = counts
		}
		fmt.Fprintf(&out, "%q\n", text)
		results, err := readSheet("b", "t.csv", []byte(text), p)
		if err != nil && results != nil {
			t.Errorf("%q: results with an error", text)
		}
		if err != nil {
			fmt.Fprintf(&out, "\t%s\n", strings.ReplaceAll(err.Error(), "\n", "\n\t"))
		}
		for _, r := range results {
			fmt.Fprintf(&out, "\t%+v\n", r)
		}
	}
	many := "ticket,yield,impurity\n" + strings.Repeat("1,x,2\n", 500)
	_, err := readSheet("", "t.csv", []byte(many), coupling(t))
	fmt.Fprintf(&out, "many errors: %d lines\n", strings.Count(err.Error(), "\n")+1)
	golden.Check(t, "sheets.txt", out.String())
}

// Names that a spreadsheet would take for formulas are guarded in worksheets, of objectives as of candidates, and read back.
func TestSheetOfFormulas(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(`question = {find = "best", delta = 0.1}
candidates = {names = ["=A1", "+B"]}
[[objective]]
name = "-dG"
noise = { sd = 1.0 }
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := beginWith(t, p)
	var sheet bytes.Buffer
	if err := WriteSheet(&sheet, p, ask(t, c, 2)); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(sheet.String()), "\n")
	for _, line := range lines {
		for _, cell := range strings.Split(line, ",") {
			if strings.HasPrefix(cell, "=") || strings.HasPrefix(cell, "+") || strings.HasPrefix(cell, "-") {
				t.Errorf("%q is a formula", cell)
			}
		}
	}
	at := slices.IndexFunc(strings.Split(lines[0], ","), func(s string) bool { return strings.Contains(s, "-dG") })
	for i, line := range lines[1:] {
		cells := strings.Split(line, ",")
		cells[at] = fmt.Sprint(i + 3)
		lines[i+1] = strings.Join(cells, ",")
	}
	if r, err := c.TellSheet("plate.csv", []byte(strings.Join(lines, "\n")), "Ada"); err != nil || r.Used != 2 {
		t.Errorf("%+v, %v\n%s", r, err, strings.Join(lines, "\n"))
	}
}
