package rage

import (
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
)

// clickLogs are read once each.
var clickLogs sync.Map // path -> func() (*dataset.Clicks, error)

// ClickThrough returns the click-through example with its parameter theta
// (paper, section 5), built from the click log in the file path; a synthetic
// log if path is empty. See dataset.ClickLog. A log is read once a process.
func ClickThrough(path string, draw int) (*bandit.Instance, []float64, error) {
	log := dataset.ClickLog{Path: path}
	read, _ := clickLogs.LoadOrStore(path, sync.OnceValues(log.Read))
	clicks, err := read.(func() (*dataset.Clicks, error))()
	if err != nil {
		return nil, nil, err
	}
	inst, err := log.Draw(clicks, draw)
	if err != nil {
		return nil, nil, err
	}
	return inst, mat.Col(nil, 0, inst.Theta), nil
}
