// Package liberation omits its twelve fonts, which take 4 MB. Figures of purexp use DejaVu Sans,
// which here also replaces the default font of gonum.org/v1/plot.
package liberation

import (
	"codeberg.org/go-fonts/dejavu/dejavusans"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
)

// Collection returns the single font, under the name of gonum/plot's default font.
func Collection() font.Collection {
	face, err := opentype.Parse(dejavusans.TTF)
	if err != nil {
		panic("liberation: the embedded font does not parse: " + err.Error())
	}
	return font.Collection{{
		Font: font.Font{Typeface: "Liberation", Variant: "Serif"}, Face: face,
	}}
}
