package fig

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"github.com/purexp/purexp/pkg/fig/canvas"
)

// A view is a panel with what bounds the feasible region in it.
type view struct {
	x, y   int
	p      *plot.Plot
	covers []cover
}

// show draws objectives x and y, and keeps the view for legend and notes.
func (pl *plane) show(x, y int, labels []string) *plot.Plot {
	p := pl.panel(x, y, labels)
	pl.views = append(pl.views, view{x, y, p, pl.covers(x, y)})
	return p
}

// derived reports whether a view has an edge that is no constraint itself, so
// that what it shades is a shadow.
func (pl *plane) derived() bool {
	return slices.ContainsFunc(pl.views,
		func(v view) bool { return slices.ContainsFunc(v.covers, cover.derived) })
}

// regionName is what the shaded part of the panels is; empty if there is none.
func (pl *plane) regionName() string {
	switch {
	case pl.derived():
		return "shadow of the feasible region"
	case slices.ContainsFunc(pl.views, func(v view) bool { return len(v.covers) > 0 }):
		return "feasible region"
	}
	return ""
}

// unseen returns the names of the constraints that no view shows. One that is
// only in edges which several constraints make is shown if together is set.
func (pl *plane) unseen(together bool) []string {
	var names []string
	for k := range pl.region.Rows() {
		shown := slices.ContainsFunc(pl.views, func(v view) bool {
			return slices.ContainsFunc(v.covers, func(c cover) bool {
				return slices.Contains(c.from, k) && (together || !c.derived())
			})
		})
		if !shown &&
			slices.ContainsFunc(pl.region.Constraint(k).A, func(a float64) bool { return a != 0 }) {
			names = append(names, pl.constraint(k))
		}
	}
	return names
}

// shadowNotes say what the shaded parts leave open.
func (pl *plane) shadowNotes() []string {
	if pl.region == nil {
		return nil
	}
	var ns []string
	every, hidden := "the shadow", "Constraints on other objectives, not shown: "
	if len(pl.views) > 1 {
		every, hidden = "every shadow", "Constraints that no plane shows: "
	}
	if pl.derived() {
		ns = append(
			ns,
			"Shaded: points that some values of the other objectives make feasible. Dotted: "+
				"edges that several constraints make together.",
		)
		if pl.unseen(false) != nil {
			names := pl.deceptive()
			if len(names) == 0 {
				ns = append(ns, "An arm inside "+every+" may still be infeasible; here none is.")
			} else {
				ns = append(ns,
					"An arm inside "+every+" may still be infeasible: here "+listed(names)+".")
			}
		}
	}
	if names := pl.unseen(true); names != nil {
		ns = append(ns, hidden+strings.Join(names, ", ")+".")
	}
	return append(ns, pl.unshaded()...)
}

// deceptive returns the names of the items, with their numbers if they have any,
// whose responses are inside every shadow, but infeasible.
func (pl *plane) deceptive() []string {
	var names []string
	for i := range pl.m {
		z := pl.mu.RawRowView(i)
		inside := true
		for _, v := range pl.views {
			for _, k := range v.covers {
				inside = inside && k.Side(canvas.Point{X: z[v.x], Y: z[v.y]}) >= 0
			}
		}
		if inside && !pl.region.Contains(z) {
			name := pl.labels[i]
			if pl.numbered() && len(pl.views) > 1 {
				name += fmt.Sprintf(" (%d)", i)
			}
			names = append(names, name)
		}
	}
	return names
}

// unshaded says of the panels of a shadow that have no shade whether all or
// nothing of them is in it, and which shadows are not drawn in full.
func (pl *plane) unshaded() []string {
	var all, none, large []string
	for _, v := range pl.views {
		name := fmt.Sprintf("%s and %s", canvas.Pretty(pl.e.Objectives[v.x]),
			canvas.Pretty(pl.e.Objectives[v.y]))
		switch {
		case fills(v.p, v.covers):
			all = append(all, name)
		case slices.ContainsFunc(v.covers, cover.derived) &&
			len(canvas.Cut(whole(v.p), halfPlanes(v.covers)...)) == 0:
			none = append(none, name)
		}
		if _, ok := shadow(pl.region, v.x, v.y); !ok {
			large = append(large, name)
		}
	}
	var ns []string
	for _, n := range []struct {
		names []string
		say   string
	}{
		{all, "Without shade, as all of the panel is in the shadow: "},
		{none, "Without shade, as nothing of the panel is in the shadow: "},
		{large, "The region has too many faces for its shadow; " +
			"only constraints on the two objectives alone are shown: "},
	} {
		if n.names != nil {
			ns = append(ns, n.say+strings.Join(n.names, "; ")+".")
		}
	}
	return ns
}

// listed joins names, the first eight of many.
func listed(names []string) string {
	const most = 8
	if n := len(names); n > most+1 {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", n-most)
	}
	return strings.Join(names, ", ")
}
