package canvas

import (
	"image/color"
	"math"
)

// The colours of Okabe and Ito (Color Universal Design, 2008), which people with colour
// vision deficiencies tell apart, and grey. Their yellow is left out: it is hard to see on
// white.
var (
	Black     = color.NRGBA{A: 255}
	Orange    = color.NRGBA{R: 0xE6, G: 0x9F, A: 255}
	SkyBlue   = color.NRGBA{R: 0x56, G: 0xB4, B: 0xE9, A: 255}
	Green     = color.NRGBA{G: 0x9E, B: 0x73, A: 255}
	Blue      = color.NRGBA{G: 0x72, B: 0xB2, A: 255}
	Vermilion = color.NRGBA{R: 0xD5, G: 0x5E, A: 255}
	Purple    = color.NRGBA{R: 0xCC, G: 0x79, B: 0xA7, A: 255}
	Grey      = color.NRGBA{R: 0x80, G: 0x80, B: 0x80, A: 255}
)

// Colours of text, and of what stays behind the data.
var (
	Ink    = color.NRGBA{R: 0x20, G: 0x20, B: 0x20, A: 255}
	Faint  = color.NRGBA{R: 0xE4, G: 0xE4, B: 0xE4, A: 255}
	Muted  = color.NRGBA{R: 0x58, G: 0x58, B: 0x58, A: 255}
	Stripe = color.NRGBA{R: 0xF5, G: 0xF5, B: 0xF5, A: 255}
)

// Light returns c mixed with white; share is what stays of c.
func Light(c color.NRGBA, share float64) color.NRGBA {
	mix := func(x uint8) uint8 { return uint8(math.Round(255 - (255-float64(x))*share)) }
	return color.NRGBA{R: mix(c.R), G: mix(c.G), B: mix(c.B), A: c.A}
}
