package canvas

import (
	"bytes"
	"encoding/xml"
	"io"
	"math"
	"strconv"
	"testing"

	"gonum.org/v1/plot"
)

// In an SVG, text is in text elements, which state the lengths that the layout computed.
func TestSVGText(t *testing.T) {
	f := &Figure{Title: "a < b & c", Notes: []string{"  first line\nsecond line"}, Panels: []*plot.Plot{Panel("size", "")}}
	f.Fit(100)
	var b bytes.Buffer
	if err := f.SVG(&b); err != nil {
		t.Fatal(err)
	}
	lengths := map[string]float64{}
	for d := xml.NewDecoder(&b); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local != "text" {
			continue
		}
		var said string
		if err := d.DecodeElement(&said, &e); err != nil {
			t.Fatal(err)
		}
		for _, a := range e.Attr {
			if a.Name.Local == "textLength" {
				lengths[said], _ = strconv.ParseFloat(a.Value, 64)
			}
		}
	}
	for said, want := range map[string]float64{
		"a < b & c":   bold().width("a < b & c") * titleSize,
		"first line":  regular().width("first line") * NoteSize,
		"second line": regular().width("second line") * NoteSize,
		"size":        regular().width("size") * labelSize,
	} {
		if got, ok := lengths[said]; !ok || math.Abs(got-want) > .01*want {
			t.Errorf("%q is %.4g points long, there: %v; want %.4g", said, got, ok, want)
		}
	}
}
