package rage

import (
	"sync"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
)

// clickLogs are read once each.
var clickLogs sync.Map // path -> func() (*dataset.Clicks, error)

// ClickThroughInstance returns the click-through example (paper, section 5), built from the click
// log in the file path; a synthetic log if path is empty. See dataset.ClickLog. A log is read once
// a process.
func ClickThroughInstance(path string, draw int) (*bandit.Instance, error) {
	log := dataset.ClickLog{Path: path}
	read, _ := clickLogs.LoadOrStore(path, sync.OnceValues(log.Read))
	clicks, err := read.(func() (*dataset.Clicks, error))()
	if err != nil {
		return nil, err
	}
	return log.Draw(clicks, draw)
}
