package mc

import "fmt"

// A Key identifies a cell: what runs that are compared or averaged have in common, whatever the
// replicate. Rows with equal keys differ in Rep only.
type Key struct {
	Experiment string
	Instance   string
	Size       int
	Method     string
	Constants  string
	Delta      float64
	Budget     int
}

// Key returns the cell that r belongs to. It is a key for tidy.GroupBy: mc.Row.Key.
func (r Row) Key() Key {
	return Key{r.Experiment, r.Instance, r.Size, r.Method, r.Constants, r.Delta, r.Budget}
}

// Key returns the cell that c describes.
func (c *CellInfo) Key() Key {
	return Key{c.Experiment, c.Instance, c.Size, c.Method, c.Constants, c.Delta, c.Budget}
}

// Key returns what identifies c in rows.
func (c *Cell) Key() Key {
	k := Key{
		Experiment: c.Experiment, Size: c.Size, Budget: c.Budget,
		Method: c.Method.Name, Constants: c.Method.Constants, Delta: c.Method.Delta,
	}
	if c.Instance != nil {
		k.Instance = c.Instance.Name
	}
	return k
}

// String names the cell in a message: the method, its settings and the instance.
func (k Key) String() string {
	s := k.Method
	if k.Constants != "" {
		s += " (" + k.Constants + ")"
	}
	if k.Delta != 0 {
		s += fmt.Sprintf(" at delta %v", k.Delta)
	}
	if k.Budget != 0 {
		s += fmt.Sprintf(" with budget %d", k.Budget)
	}
	s += " on " + k.Instance
	if k.Experiment != "" {
		s += " of " + k.Experiment
	}
	return s
}
