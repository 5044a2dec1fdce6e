package fig

import (
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig/canvas"
)

// classes are in the order of legends.
var classes = []explore.Class{
	explore.Optimal, explore.Dominated, explore.Infeasible, explore.Undecided,
}

// Class returns the look of arms of a class.
func Class(c explore.Class) Look {
	switch c {
	case explore.Optimal:
		return Look{Color: canvas.Green, Marker: canvas.Circle}
	case explore.Dominated:
		return Look{Color: canvas.Blue, Marker: canvas.Square}
	case explore.Infeasible:
		return Look{Color: canvas.Vermilion, Marker: canvas.Cross}
	}
	return Look{Color: canvas.Grey, Marker: canvas.Ring}
}
