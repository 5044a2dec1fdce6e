package fig

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig/canvas"
)

// legend explains the classes that occur, and the shading of the feasible region.
func (pl *plane) legend() []Entry {
	names := map[explore.Class]string{
		explore.Optimal: "feasible, Pareto-optimal", explore.Dominated: "feasible, dominated",
		explore.Infeasible: "infeasible", explore.Undecided: "undecided",
	}
	if pl.region == nil {
		names[explore.Optimal], names[explore.Dominated] = "Pareto-optimal", "dominated"
	}
	var es []Entry
	for _, k := range classes {
		if slices.Contains(pl.classes, k) {
			es = append(es, canvas.MarkerEntry(names[k], Class(k)))
		}
	}
	if pl.shaded {
		es = append(es, Entry{Name: "feasible region", Symbol: func(c draw.Canvas) {
			r := vg.Rectangle{
				Min: vg.Point{X: c.Min.X, Y: c.Min.Y + 1},
				Max: vg.Point{X: c.Max.X, Y: c.Max.Y - 1},
			}
			c.SetColor(feasible)
			c.Fill(r.Path())
			c.SetLineStyle(canvas.Line(canvas.Green, .9, []vg.Length{3, 2}))
			c.Stroke(r.Path())
		}})
	}
	if pl.o.Front && pl.d == 2 && slices.Contains(pl.classes, explore.Optimal) {
		es = append(es, canvas.LineEntry("Pareto front", canvas.Line(canvas.Ink, 1, nil)))
	}
	return es
}

// describe lists the items of each class in words.
func (pl *plane) describe(what string) string {
	var b strings.Builder
	b.WriteString(what)
	for _, k := range classes {
		var names []string
		for i, c := range pl.classes {
			if c == k {
				names = append(names, canvas.Pretty(pl.e.Items[i]))
			}
		}
		if len(names) > 0 {
			fmt.Fprintf(&b, " %s%s: %s.", strings.ToUpper(k.String()[:1]), k.String()[1:], strings.Join(names, ", "))
		}
	}
	return b.String()
}

// notes explains the intervals, and lists the constraints that no panel shows.
func (pl *plane) notes() []string {
	var ns []string
	if pl.e.Low != nil {
		ns = append(ns, "Boxes: confidence intervals.")
	}
	if len(pl.unseen) > 0 {
		ns = append(ns, "Constraints that are not shown (an arm inside the region may violate them): "+
			strings.Join(pl.unseen, ", ")+".")
	}
	return ns
}

// key returns a panel that lists the number and name of each item. The argument left is the length
// by which the list extends to the left of the data area.
func key(names []string, classes []explore.Class, left vg.Length) *plot.Plot {
	p := plot.New()
	p.HideAxes()
	p.BackgroundColor = nil
	p.Add(canvas.Paint(func(c draw.Canvas, _ *plot.Plot) {
		sty := canvas.Write(canvas.NoteSize, canvas.Ink)
		step := sty.Height("X") + 1
		rows := max(1, min(len(names), int((c.Max.Y-c.Min.Y)/step)))
		cols := (len(names) + rows - 1) / rows
		rows = (len(names) + cols - 1) / cols
		c.Min.X = max(c.Min.X-left, canvas.Edge) // there is no axis if the panel stands alone
		w := (c.Max.X - c.Min.X) / vg.Length(cols)
		for i, n := range names {
			pt := vg.Point{
				X: c.Min.X + w*vg.Length(i/rows),
				Y: c.Max.Y - step*vg.Length(i%rows+1),
			}
			look := Class(classes[i])
			c.DrawGlyphNoClip(look.Glyph(3.2), vg.Point{X: pt.X + 4, Y: pt.Y + step/2})
			num := canvas.Aligned(canvas.Strong(sty), draw.XRight, draw.YBottom)
			canvas.Put(c, num, vg.Point{X: pt.X + 22, Y: pt.Y}, fmt.Sprint(i))
			canvas.Put(c, sty, vg.Point{X: pt.X + 26, Y: pt.Y}, canvas.Clip(sty, n, w-28))
		}
	}))
	return p
}
