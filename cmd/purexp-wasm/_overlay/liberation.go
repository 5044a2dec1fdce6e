// Package liberation, without its twelve fonts (4 MB): figures of purexp have their text in DejaVu
// Sans, which stands in where gonum.org/v1/plot wants a font to begin with.
package liberation

import (
	"codeberg.org/go-fonts/dejavu/dejavusans"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
)

// Collection returns the one font, under the name that plots begin with.
func Collection() font.Collection {
	face, err := opentype.Parse(dejavusans.TTF)
	if err != nil {
		panic("liberation: the embedded font does not parse: " + err.Error())
	}
	return font.Collection{{
		Font: font.Font{Typeface: "Liberation", Variant: "Serif"}, Face: face,
	}}
}
