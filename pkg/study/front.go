package study

import (
	"errors"
	"fmt"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
)

// Front shows the arms of an instance in the plane of their objectives, the true Pareto set, and
// what one run of each method, or of those with some names, returned: replicate 0 of the study at
// seed 1, with the first of the method's constants. Methods whose budget is too small are left out.
func (e Experiment) Front(size int, methods ...string) (*fig.Figure, error) {
	inst, err := e.At(size, 0)
	if err != nil {
		return nil, err
	}
	if methods == nil {
		methods = e.MethodNames()
	}
	var answers []fig.FrontAnswer
	for _, name := range methods {
		m, err := e.first(name)
		if err != nil {
			return nil, err
		}
		r, err := e.Replay(m, inst, size, 0, nil)
		if errors.Is(err, explore.ErrBudget) {
			continue
		}
		if err != nil {
			return nil, err
		}
		answers = append(answers, fig.FrontAnswer{Name: name, Items: r.Answer.Items})
	}
	title := e.Title + ": one run"
	if e.Axis != "" {
		title += fmt.Sprintf(", %s = %d", e.Axis, size)
	}
	return fig.Front(inst, answers, &fig.FrontOptions{Title: title, Negated: e.Negated, Palette: Looks})
}
