package fig

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg/draw"

	"github.com/purexp/purexp/pkg/fig/canvas"
)

// legend explains what occurs.
func (fr *front) legend() []Entry {
	es := []Entry{
		{Name: "arm", Symbol: func(c draw.Canvas) {
			c.SetColor(cloudColor)
			c.Fill(canvas.Ellipse(c.Center(), cloudRadius+.3, cloudRadius+.3, 0))
		}},
		canvas.MarkerEntry("Pareto-optimal", trueLook),
	}
	if fr.d == 2 {
		es = append(es, canvas.LineEntry("Pareto front", canvas.Line(canvas.Ink, 1, nil)))
	}
	misses, mistakes := false, false
	for k := range fr.answers {
		a := &fr.answers[k]
		found, missed, wrong := fr.sides(a)
		misses, mistakes = misses || len(missed) > 0, mistakes || len(wrong) > 0
		if len(found) > 0 {
			es = append(es,
				canvas.MarkerEntry("found by "+canvas.Pretty(a.Name), fr.o.Palette.Look(a.Name)))
		}
	}
	if misses {
		es = append(es, canvas.MarkerEntry("missed", missedLook))
	}
	if mistakes {
		es = append(es, canvas.MarkerEntry("returned by mistake", wrongLook))
	}
	return es
}

// notes say what lines and boxes are, and what has no name.
func (fr *front) notes() []string {
	means, boxes := false, false
	for _, a := range fr.answers {
		means, boxes = means || a.Means != nil, boxes || a.Radius != nil
	}
	var s []string
	if _, ok := fr.enlarged(); ok {
		s = append(s, "The dashed frame is the part that the other panels show.")
		if len(fr.answers) == 0 {
			s[0] = "The dashed frame is the part that the other panel shows."
		}
	}
	if means {
		s = append(s, "Lines lead from true means to estimates.")
	}
	if boxes {
		s = append(s, "Boxes: confidence intervals.")
	}
	if n := len(fr.optimal); n > mostLabels {
		s = append(s, fmt.Sprintf("Of %d optimal arms, the two ends are named.", n))
	}
	if fr.d > 2 {
		s = append(
			s,
			fmt.Sprintf(
				"There are %d objectives: arms that look dominated here may be better in "+
					"another one.",
				fr.d),
		)
	}
	if len(s) == 0 {
		return nil
	}
	return []string{strings.Join(s, " ")}
}

// describe names what is optimal.
func (fr *front) describe() string {
	return fmt.Sprintf("%d arms in %s and %s. Pareto-optimal: %s.", fr.m, canvas.Pretty(fr.said(0)),
		canvas.Pretty(fr.said(1)), fr.list(fr.optimal))
}

// judge says how much of the front an answer has, and what it has missed and mistaken.
func (fr *front) judge(a *FrontAnswer) string {
	_, missed, wrong := fr.sides(a)
	s := fr.score(a)
	if len(missed) > 0 {
		s += "; missed " + fr.list(missed)
	}
	if len(wrong) > 0 {
		s += "; by mistake " + fr.list(wrong)
	}
	return s + "."
}

// list names items, at most a dozen.
func (fr *front) list(ids []int) string {
	const most = 12
	var names []string
	for k, i := range ids {
		if k == most {
			names = append(names, fmt.Sprintf("and %d more", len(ids)-most))
			break
		}
		names = append(names, fr.labels[i])
	}
	return strings.Join(names, ", ")
}
