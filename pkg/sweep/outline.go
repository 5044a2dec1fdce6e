package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/purexp/purexp/pkg/internal/jsonl"
	"github.com/purexp/purexp/pkg/mc"
)

// Outline describes the rows of the complete file of a grid: the header, and the number of
// replicates of each cell.
type Outline struct {
	Header mc.Header `json:"header"`
	Reps   []int     `json:"reps"`

	// starts contains, for each cell, the beginning of its lines up to the field of the replicate.
	starts [][]byte
	// most is the largest number of replicates of a cell.
	most int
}

// outlineOf returns the outline of g, ignoring its shard.
func outlineOf(g *mc.Grid) (*Outline, error) {
	whole := *g
	whole.Shard = mc.Shard{}
	h, reps, err := whole.Describe()
	if err != nil {
		return nil, err
	}
	o := &Outline{Header: h}
	for i := range h.Cells {
		o.Reps = append(o.Reps, reps[h.Cells[i].Key()])
	}
	return o, o.prepare()
}

// prepare computes the unexported fields and checks the exported fields.
func (o *Outline) prepare() error {
	h := &o.Header
	if len(o.Reps) != len(h.Cells) || len(o.Reps) == 0 {
		return fmt.Errorf("sweep: outline: %d cells, but numbers of replicates for %d; give one number for each cell",
			len(h.Cells), len(o.Reps))
	}
	o.starts = make([][]byte, len(h.Cells))
	for i := range h.Cells {
		if o.Reps[i] < 1 {
			return fmt.Errorf("sweep: outline: %d replicates of %v; expected at least 1", o.Reps[i], h.Cells[i].Key())
		}
		o.most = max(o.most, o.Reps[i])
		c := &h.Cells[i]
		row, err := json.Marshal(mc.Row{
			Study: h.Study, Seed: h.Seed, Experiment: c.Experiment, Instance: c.Instance,
			Size: c.Size, Draw: c.Draw, Method: c.Method, Constants: c.Constants, Delta: c.Delta,
			Budget: c.Budget,
		})
		if err != nil {
			return fmt.Errorf("sweep: %w", err)
		}
		// The first occurrence of rep is the field of the replicate: earlier names cannot contain
		// rep, because their quotes are escaped.
		const rep = `"rep":`
		o.starts[i] = row[:bytes.Index(row, []byte(rep))+len(rep)]
	}
	return nil
}

// rows returns the number of rows of a shard; the zero Shard means the whole study.
func (o *Outline) rows(s mc.Shard) (n int) {
	first, step := replicates(s)
	for _, reps := range o.Reps {
		if first < reps {
			n += (reps-first-1)/step + 1
		}
	}
	return n
}

// replicates returns the first replicate of a shard, and the distance to the next replicate.
func replicates(s mc.Shard) (first, step int) { return max(s.I-1, 0), max(s.N, 1) }

// place is the position of a row; rows are ordered by replicate, then by cell.
type place struct{ rep, cell int }

// first returns the position of the first row of a shard; ok is false if the shard has no rows.
func (o *Outline) first(s mc.Shard) (p place, ok bool) {
	first, _ := replicates(s)
	return o.next(s, place{rep: first, cell: -1})
}

// next returns the position of the row after p in a shard; ok is false after the last row.
func (o *Outline) next(s mc.Shard, p place) (q place, ok bool) {
	_, step := replicates(s)
	for most := o.most; p.rep < most; p = (place{p.rep + step, -1}) {
		for p.cell++; p.cell < len(o.Reps); p.cell++ {
			if p.rep < o.Reps[p.cell] {
				return p, true
			}
		}
	}
	return place{}, false
}

// header returns the first line of the file of a shard.
func (o *Outline) header(s mc.Shard) ([]byte, error) {
	h := o.Header
	h.Shard = s.String()
	return jsonl.Encode(h)
}

// isAt reports whether line has the beginning of the row at position p.
func (o *Outline) isAt(line []byte, p place) bool {
	rest, ok := bytes.CutPrefix(line, o.starts[p.cell])
	if !ok {
		return false
	}
	var digits [20]byte
	rest, ok = bytes.CutPrefix(rest, strconv.AppendInt(digits[:0], int64(p.rep), 10))
	return ok && len(rest) > 0 && rest[0] == ','
}

// shardOf returns the shard to which a file with the given first line belongs. If the line differs
// from the header of shard want (or of any shard if want is nil), shardOf returns an error that
// describes the difference.
func (o *Outline) shardOf(line []byte, want *mc.Shard) (mc.Shard, error) {
	var h mc.Header
	if err := jsonl.Decode(line, &h); err != nil {
		return mc.Shard{}, fmt.Errorf("the first line is not a valid header (%w)", err)
	}
	s, err := mc.ParseShard(h.Shard)
	if err != nil {
		return s, err
	}
	own := &o.Header
	if want != nil && s != *want {
		return s, fmt.Errorf("the header belongs to %s; expected %s", shardName(s), shardName(*want))
	}
	if what := differ(&h, own); what != "" {
		return s, errors.New(what)
	}
	head, err := o.header(s)
	if err == nil && !bytes.Equal(line, head[:len(head)-1]) {
		err = errors.New("the header differs from the header that the sweep writes")
	}
	return s, err
}

func shardName(s mc.Shard) string {
	if s == (mc.Shard{}) {
		return "the whole study"
	}
	return "shard " + s.String()
}

// differ describes how the grid of header h differs from that of the sweep, or returns "" if they
// are the same.
func differ(h, own *mc.Header) string {
	what := h.Differ(own)
	if what == "" && h.Code != own.Code {
		what = fmt.Sprintf("the code is %q; expected %q, as in the sweep", h.Code, own.Code)
	}
	return what
}
