package canvas

import (
	"bytes"
	"encoding/xml"
	"io"
	"testing"

	"gonum.org/v1/plot"
)

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
