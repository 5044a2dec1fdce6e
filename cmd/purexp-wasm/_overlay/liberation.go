// Package liberation is a variant of gonum's package without the twelve Liberation fonts, which
// take 4 MB. Figures of purexp use DejaVu Sans; here, DejaVu Sans also replaces the default font of
// gonum.org/v1/plot.
package liberation

import (
	"codeberg.org/go-fonts/dejavu/dejavusans"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
)

// Collection returns DejaVu Sans under the name of the default font of gonum/plot.
func Collection() font.Collection {
	face, err := opentype.Parse(dejavusans.TTF)
	if err != nil {
		panic("liberation: the embedded font does not parse: " + err.Error())
	}
	return font.Collection{{
		Font: font.Font{Typeface: "Liberation", Variant: "Serif"}, Face: face,
	}}
}
