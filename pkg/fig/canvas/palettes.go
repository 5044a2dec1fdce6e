//go:build !js

package canvas

import (
	"image"
	"image/color"
	"math"
	"slices"
)

// fewColours returns im with 256 colours, which takes a third of the bytes of a PNG, if no pixel
// looks different then, and im itself otherwise. A figure has few colours, and mixtures of two along
// edges: those that are there most often are kept, and besides, one by one, those that are farthest
// from all that are kept.
func fewColours(im image.Image) image.Image {
	rgba, ok := im.(*image.RGBA)
	if !ok || !rgba.Opaque() {
		return im
	}
	const often, most, visible = 96, 256, 16
	count := map[color.RGBA]int{}
	pixels := rgba.Pix
	at := func(i int) color.RGBA { return color.RGBA{pixels[i], pixels[i+1], pixels[i+2], 255} }
	for i := 0; i < len(pixels); i += 4 {
		count[at(i)]++
	}
	var all []color.RGBA
	for c := range count {
		all = append(all, c)
	}
	order := func(c color.RGBA) int { return int(c.R)<<16 | int(c.G)<<8 | int(c.B) }
	slices.SortFunc(all, func(a, b color.RGBA) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return order(a) - order(b)
	})
	var kept color.Palette
	distance, nearest := make([]int, len(all)), make([]uint8, len(all))
	for i := range distance {
		distance[i] = math.MaxInt
	}
	keep := func(k int) {
		for i, c := range all {
			if d := apart(c, all[k]); d < distance[i] {
				distance[i], nearest[i] = d, uint8(len(kept))
			}
		}
		kept = append(kept, all[k])
	}
	for k := range min(often, len(all)) {
		keep(k)
	}
	for len(kept) < min(most, len(all)) {
		far := 0
		for i := range distance {
			if distance[i] > distance[far] {
				far = i
			}
		}
		keep(far)
	}
	if slices.Max(distance) > visible*visible {
		return im
	}
	index := make(map[color.RGBA]uint8, len(all))
	for i, c := range all {
		index[c] = nearest[i]
	}
	out := image.NewPaletted(rgba.Rect, kept)
	for i := range out.Pix {
		out.Pix[i] = index[at(4*i)]
	}
	return out
}

// apart is the squared distance of two colours.
func apart(a, b color.RGBA) int {
	r, g, bl := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	return r*r + g*g + bl*bl
}
