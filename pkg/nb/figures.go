package nb

import (
	"bytes"
	"fmt"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
	"gonum.org/v1/plot/vg"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/fig/canvas"
)

// Draw shows a figure, or ends the cell with the message of err:
//
//	nb.Draw(ecape.Responses("covboost"))
//
// If the panels of a figure can be shown separately, Draw shows several pictures, which pages
// arrange side by side if there is enough space.
func Draw(f *fig.Figure, err error) {
	Fail(err)
	for _, part := range f.Parts() {
		picture(part)
	}
}

// picture shows a figure as a single picture.
func picture(f *fig.Figure) {
	var png bytes.Buffer
	Fail(f.PNG(&png))
	if !gonbui.IsNotebook {
		fmt.Println(f.Alt())
		return
	}
	css := vg.Inch / 96 // one pixel of a page
	if f.Width <= canvas.ColumnWidth {
		css /= 1.25 // makes the text in figures for phones as large as the text of the page
	}
	size := map[string]int{"width": int(f.Width / css), "height": int(f.Height / css)}
	data := map[protocol.MIMEType]any{protocol.MIMEImagePNG: png.Bytes(), protocol.MIMETextPlain: f.Alt()}
	var svg bytes.Buffer
	if Fail(f.SVG(&svg)); canvas.Lacks(svg.String()) { // the PNG lacks some characters; browsers have more fonts
		data[protocol.MIMEImageSVG] = svg.String()
	}
	gonbui.SendData(&protocol.DisplayData{
		Data: data,
		// JupyterLab reads the size from the metadata of the MIME type; other programs read the
		// size from the SVG itself.
		Metadata: map[string]any{"width": size["width"], "height": size["height"], string(protocol.MIMEImagePNG): size,
			"head": int(f.Head() / css), "alt": f.Alt()},
	})
	gonbui.Sync()
}

// Plot shows the mean responses of the arms of inst, and the feasible region. With two objectives,
// Plot draws their plane; with more objectives, it draws the planes of all pairs.
func Plot(inst *bandit.Instance) {
	Fail(asked("Plot", inst))
	Draw(fig.Responses(inst, &fig.PlaneOptions{Title: "Mean responses: " + inst.Name}))
}

// asked returns an error with advice if the instance or its question is missing; f is the name of
// the function that the user called.
func asked(f string, inst *bandit.Instance) error {
	switch {
	case inst == nil || inst.Problem == nil:
		return fmt.Errorf("nb: %s: the instance is nil; create one from a table with nb.On", f)
	case inst.Problem.Question == nil:
		return fmt.Errorf("nb: %s: the instance %q has no question; set one with nb.Pareto, nb.AtLeast or "+
			"nb.Weighted", f, inst.Name)
	}
	return nil
}

// ran returns an error with advice if the result is missing; f is the name of the function that the
// user called.
func ran(f string, r *explore.Result) error {
	if r == nil {
		return fmt.Errorf("nb: %s: the result is nil; create one with nb.Run", f)
	}
	return nil
}

// Trajectory simulates one run of p on inst, like Run, and shows its trajectory.
func Trajectory(inst *bandit.Instance, p explore.Policy, seed Seed) {
	Fail(asked("Trajectory", inst))
	var trace fig.Trace
	trace.End(simulate(inst, p, seed, &explore.Settings{Recorder: &trace}))
	Draw(fig.Trajectory(inst.Problem, &trace, &fig.TrajectoryOptions{Title: "One run of " + explore.Name(p)}))
}
