//go:build !js

package canvas

import (
	"cmp"
	"image"
	"image/color"
	"maps"
	"slices"
)

// fewColours returns im with at most 256 colours if no pixel looks different; otherwise, it returns
// im unchanged. A PNG file with a palette is about a third as large. The most frequent colours of
// the image are kept. Every other colour is replaced by a kept colour within a threshold distance.
// fewColours uses the smallest threshold (in steps of 2) for which 256 colours suffice.
func fewColours(im image.Image) image.Image {
	rgba, ok := im.(*image.RGBA)
	if !ok || !rgba.Opaque() {
		return im
	}
	count := map[color.RGBA]int{}
	at := func(i int) color.RGBA { return color.RGBA{rgba.Pix[i], rgba.Pix[i+1], rgba.Pix[i+2], 255} }
	for i := 0; i < len(rgba.Pix); i += 4 {
		count[at(i)]++
	}
	order := func(c color.RGBA) int { return int(c.R)<<16 | int(c.G)<<8 | int(c.B) }
	all := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], order(a)-order(b))
	})
	const most, visible = 256, 16
	for near := 0; near <= visible; near += 2 {
		var kept []color.RGBA
		index := make(map[color.RGBA]uint8, len(all))
		for _, c := range all {
			k := slices.IndexFunc(kept, func(old color.RGBA) bool { return apart(c, old) <= near*near })
			if k < 0 {
				k, kept = len(kept), append(kept, c)
			}
			if index[c] = uint8(k); len(kept) > most {
				break
			}
		}
		if len(kept) <= most {
			out := image.NewPaletted(rgba.Rect, nil)
			for _, c := range kept {
				out.Palette = append(out.Palette, c)
			}
			for i := range out.Pix {
				out.Pix[i] = index[at(4*i)]
			}
			return out
		}
	}
	return im
}

// apart returns the squared distance between two colours in RGB space.
func apart(a, b color.RGBA) int {
	r, g, bl := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	return r*r + g*g + bl*bl
}
