package nb

import (
	"fmt"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/dataset/frame"
)

// Tables are the tables that a problem names, by the names that it has for them.
type Tables map[string]Frame

// Problem reads a problem in the form of problem files, see package campaign/problem. Tables that
// it names are frames:
//
//	var task = nb.Problem(text, nb.Tables{"designs.csv": designs})
func Problem(text string, tables Tables) *problem.Problem {
	return Must(problem.Parse("problem", []byte(text), func(name string) ([]byte, error) {
		df, ok := tables[name]
		if !ok {
			return nil, fmt.Errorf("nb: the problem names the table %q; give it in nb.Tables", name)
		}
		return frame.CSV(df)
	}))
}
