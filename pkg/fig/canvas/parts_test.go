package canvas

import (
	"bytes"
	"encoding/xml"
	"io"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// Each panel of a loose figure is a part with its share of the height. A panel of weight 3 is three times as high
// as a panel of weight 1. The title and the legend appear only on the first part,
// and the notes only on the last.
func TestParts(t *testing.T) {
	f := &Figure{
		Title: "Three", Legend: []Entry{{Name: "point"}}, Notes: []string{"A note."}, Width: ColumnWidth,
		Panels:     []*plot.Plot{Panel("a", "b"), Panel("c", "d"), Panel("e", "f")},
		RowWeights: []float64{1, 3, 1}, Description: "All.", Loose: []string{"First.", "Second.", "Third."},
	}
	f.Fit(500)
	parts := f.Parts()
	if len(parts) != 3 {
		t.Fatalf("%d parts", len(parts))
	}
	for r, want := range []vg.Length{100, 300, 100} {
		p := parts[r]
		if got := p.Height - p.Extra(); got != want {
			t.Errorf("the panel of part %d is %v high; want %v", r, got, want)
		}
		if p.Alt() != f.Loose[r] || p.Width != f.Width || p.Panels[0] != f.Panels[r] {
			t.Errorf("part %d: %+v", r, p)
		}
		if (p.Title != "") != (r == 0) || (p.Legend != nil) != (r == 0) || (p.Notes != nil) != (r == 2) {
			t.Errorf("part %d: title %q, legend %v, notes %q", r, p.Title, p.Legend, p.Notes)
		}
	}
	f.Loose = f.Loose[:2] // fewer descriptions than panels
	if parts := f.Parts(); len(parts) != 1 || parts[0] != f {
		t.Errorf("two descriptions of three rows: %d parts", len(parts))
	}
	f.Loose = nil
	if parts := f.Parts(); len(parts) != 1 || parts[0] != f {
		t.Errorf("rows that belong together: %v", parts)
	}
}

// An SVG is valid XML for names with any bytes.
func TestSVGNames(t *testing.T) {
	for _, name := range []string{"nul \x00", "not UTF-8 \xff\xfe", "escape \x1b[2J",
		"no character \uffff",
		`<script>alert("1")</script> & ]]>`} {
		f := &Figure{Title: name, Panels: []*plot.Plot{Panel(name, "pulls")}}
		f.Fit(100)
		var b bytes.Buffer
		if err := f.SVG(&b); err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(&b)
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Errorf("%q: %v", name, err)
				break
			}
			if e, ok := token.(xml.StartElement); ok && e.Name.Local == "script" {
				t.Errorf("%q: an element of a name", name)
			}
		}
	}
}
