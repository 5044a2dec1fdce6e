package campaign

import (
	"bytes"
	"errors"
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
	"ticket;plate;yield;impurity\n1e9;1,0;50;2\n1000000001;1;50;2\n\n2;1,0,0;50;2\n3;0,5;50;2\n+4;;50;2\n5;NA;50;2\n",
	"ticket,yield,impurity\n1,na,2\n2,nan,2\n3,NA,NA\n4,NaN,failed\n5,failed,60\n6, 50 , 2\n",
	"id,arm,ticket,yield,impurity\nmine,A07,,50,2\n,B02,,50,2\n,,3,50,2\nyours,,4,50,2\n",
	"Candidate,TICKET,Yield,impurity []\nA07,1,50,2\n",
}

// The file in testdata contains the expected results and errors of sheets, for a problem with numbers and for a
// problem with counts.
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
		batch := "b"
		if strings.Contains(strings.ToLower(text), "ticket") {
			batch = "" // the rows of a batch have no tickets
		}
		results, notes, err := readSheet(batch, "", "t.csv", []byte(text), p, "")
		if err != nil && results != nil {
			t.Errorf("%q: results with an error", text)
		}
		var all InputErrors
		errors.As(err, &all)
		for _, e := range all {
			fmt.Fprintf(&out, "\trow %d: %s\n", e.Row, e)
		}
		for _, r := range results {
			fmt.Fprintf(&out, "\t%+v\n", r)
		}
		for _, note := range notes {
			fmt.Fprintf(&out, "\t%s\n", note)
		}
	}
	for _, row := range []string{"1,x,2\n", "1,x,y\n", "z,x,y\n"} { // rows with one, two and three errors
		_, _, err := readSheet("", "", "t.csv", []byte("ticket,yield,impurity\n"+strings.Repeat(row, 500)), coupling(t), "")
		fmt.Fprintf(&out, "many errors: %d lines\n", strings.Count(err.Error(), "\n")+1)
	}
	golden.Check(t, "sheets.txt", out.String())
}

// In worksheets, names of objectives and candidates that a spreadsheet would interpret as formulas are escaped.
// Reading a worksheet restores the names.
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
	must(t, WriteSheet(&sheet, p, ask(t, c, 2)))
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

// A worksheet shows the settings of each candidate in its row, but none for dropped candidates or a reference. Columns
// whose names could be mistaken for an objective with its unit or for a fixed column are left out. If there are more
// than twenty columns, the worksheet shows no settings. Cells are separated as in the table of candidates.
func TestSettingsOfTickets(t *testing.T) {
	for n, separator := range map[int]string{3: "\t", 20: ";", 21: ","} {
		shown := n <= 20
		columns, cells := []string{"Yield [%]", "NOTE", "g"}, []string{"1", "2", "3"}
		for i := len(columns); i < n; i++ {
			columns, cells = append(columns, fmt.Sprint("g", i)), append(cells, "3")
		}
		table := "name,kind"
		for _, c := range columns[:n-1] {
			table += "," + c
		}
		var rows strings.Builder
		for i, name := range []string{"A", "B", "C"} {
			fmt.Fprintf(&rows, "%s,k%d", name, i)
			for _, x := range cells[:n-1] {
				fmt.Fprintf(&rows, ",%s%d", x, i)
			}
			rows.WriteString("\n")
		}
		p, err := problem.Parse("p.toml", fmt.Appendf(nil, `question = { find = "best", delta = 0.05 }
candidates = { file = "c.csv", features = ["%s"], categories = ["kind"] }
laboratory = { plate = 4, reference = "blank" }
[[objective]]
name = "yield"
unit = "%%"
noise = { sd = 1 }
`, strings.Join(columns[:n-1], `", "`)), func(string) ([]byte, error) {
			return []byte(strings.ReplaceAll(table+"\n"+rows.String(), ",", separator)), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		c := beginWith(t, p)
		arms := map[string]bool{}
		for range 20 { // request everything that the method requests
			for _, x := range ask(t, c, 4) {
				arms[x.Arm] = true
			}
		}
		must(t, c.Drop("B", "gone", "Ada"))
		if p, err = c.Problem(); err != nil {
			t.Fatal(err)
		}
		list := []Ticket{{Ticket: 1, Plate: 1, Arm: "A"}, {Ticket: 2, Plate: 1, Arm: "B"}, {Ticket: 3, Plate: 1, Arm: "C"},
			{Ticket: 4, Plate: 1, Arm: "blank", Reference: true}, {Ticket: 5, Plate: 2, Arm: "A"}}
		var sheet bytes.Buffer
		must(t, WriteSheet(&sheet, p, list))
		lines := strings.Split(strings.TrimSpace(strings.NewReplacer(separator, ",", ",", "!").Replace(sheet.String())), "\n")
		head, want := "plate,ticket,candidate,", map[string]string{}
		for _, a := range []string{"A0", "B-", "C2", "blank-"} {
			name, i := a[:len(a)-1], a[len(a)-1:]
			for j, c := range append(columns[:n-1:n-1], "kind") {
				if c == "Yield [%]" || c == "NOTE" || !shown {
					continue
				}
				cell := "k" + i
				if c != "kind" {
					cell = cells[j] + i
				}
				if i == "-" {
					cell = ""
				}
				want[name] += cell + ","
				if name == "A" {
					head += c + ","
				}
			}
		}
		if lines[0] != head+"yield,note" {
			t.Errorf("%d settings: %s; want %s", n, lines[0], head)
		}
		for i, x := range list {
			note := map[bool]string{true: "reference"}[x.Reference]
			if w := fmt.Sprintf("%d,%d,%s,%s,%s", x.Plate, x.Ticket, x.Arm, want[x.Arm], note); lines[i+1] != w {
				t.Errorf("%d settings: %s; want %s", n, lines[i+1], w)
			}
		}
		tickets, err := c.Tickets()
		if err != nil || len(arms) < 2 {
			t.Fatal(arms, err)
		}
		for _, x := range tickets {
			i := map[string]string{"A": "0", "C": "2"}[x.Arm]
			if has := i != "" && shown; len(x.Settings) != map[bool]int{true: n}[has] || has && (x.Settings["kind"] != "k"+i || x.Settings["NOTE"] != "2"+i) ||
				!has && x.Settings != nil {
				t.Errorf("%d settings: %+v", n, x)
			}
		}
	}
}
