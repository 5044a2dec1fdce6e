package campaign

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/internal/csvtable"
)

// exportFormat is the format name in the first line of an export.
const exportFormat = "purexp campaign"

// exportHead is the first line of an export, with the format, the number of events and the hash of
// the last event.
type exportHead struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Events  int    `json:"events"`
	Hash    string `json:"hash"` // hash of the last event
}

// Export writes the record as JSON lines: a header, and then each event with its hash. To restore
// the campaign from an export, use [Import].
func (c *Campaign) Export(w io.Writer) error {
	list, err := c.events()
	if err != nil {
		return err
	}
	return export(w, exportFormat, list)
}

// ExportIntact exports the n events that precede the damaged part of a file, and returns the damage
// as an error. If no event is intact, ExportIntact writes nothing and returns the damage as err.
func ExportIntact(path string, w io.Writer) (n int, damage error, err error) {
	list, damage := events.Intact(path)
	if len(list) == 0 {
		return 0, nil, damage
	}
	return len(list), damage, export(w, exportFormat, list)
}

func export(w io.Writer, format string, list []*events.Event) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	head := exportHead{Format: format, Version: 1, Events: len(list)}
	if len(list) > 0 {
		head.Hash = list[len(list)-1].Hash
	}
	if err := enc.Encode(head); err != nil {
		return err
	}
	for _, e := range list {
		if err := enc.Encode(e); err != nil {
			return err
		}
	}
	return out.Flush()
}

// exportBegin is the text with which every export begins; Import recognises exports by this text.
const exportBegin = `{"format":"` + exportFormat + `"`

var errNoExport = fmt.Errorf("campaign: import: the file was not written by 'purexp campaign export': %w", ErrForeign)

// mostExport is the largest size in bytes of an export: 1 GiB.
const mostExport = 1 << 30

// Import creates a campaign in a new file from the output of Export. If events are missing or
// changed, Import creates no file and returns an error that wraps ErrDamaged and names the line.
func Import(path string, r io.Reader) (*Campaign, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	if head, err := b.Peek(len(exportBegin)); err != nil && err != io.EOF {
		return nil, err
	} else if string(head) != exportBegin {
		return nil, errNoExport // if the first bytes are wrong, the rest of the input is not read
	}
	text, err := io.ReadAll(io.LimitReader(b, mostExport+1))
	if err != nil {
		return nil, err
	}
	list, err := parseExport(text)
	if err != nil {
		return nil, err
	}
	l, _, err := replay(list)
	if err != nil {
		return nil, fmt.Errorf("campaign: import: %w", err)
	}
	return create(path, l.problem, func(tx *events.Tx) error {
		for _, e := range list {
			if err := tx.Restore(e); err != nil {
				return err
			}
		}
		return nil
	})
}

func parseExport(text []byte) ([]*events.Event, error) {
	bad := func(line int, err error) error {
		return fmt.Errorf("campaign: import: line %d: %w: %w", line, err, ErrDamaged)
	}
	if len(text) > mostExport {
		return nil, fmt.Errorf("campaign: import: the file has more than %d bytes, and cannot be an export", mostExport)
	}
	var head exportHead
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	if err := strict(bytes.TrimSpace(first), &head); err != nil || head.Format != exportFormat {
		return nil, errNoExport
	}
	if head.Version != 1 {
		return nil, fmt.Errorf("campaign: import: the format has version %d; expected 1: %w", head.Version, ErrNewer)
	}
	var chain events.Chain
	var list []*events.Event
	line := 1
	for part := range bytes.Lines(rest) {
		line++
		part = bytes.TrimSpace(part)
		if len(part) == 0 {
			continue
		}
		e := new(events.Event)
		if err := strict(part, e); err != nil {
			return nil, bad(line, err)
		}
		if _, err := events.Name(e.Who); err != nil {
			return nil, bad(line, err)
		}
		e.Body = slices.Clone(e.Body)
		if err := chain.Next(e); err != nil {
			return nil, bad(line, err)
		}
		// Exports and certificates contain the body of each event byte for byte, because the hash
		// covers these bytes.
		if own, err := json.Marshal(e.Body); err != nil || !bytes.Equal(own, e.Body) || own[0] != '{' {
			return nil, bad(line, fmt.Errorf("event %d: body: the JSON is not in canonical form; expected "+
				"no blanks, and <, > and & as \\u003c, \\u003e and \\u0026", e.Seq))
		}
		list = append(list, e)
	}
	if chain.Seq != head.Events || chain.Hash != head.Hash {
		return nil, bad(line, fmt.Errorf("the file has %d events; expected %d, as stated in the first line; copy "+
			"the file again", chain.Seq, head.Events))
	}
	if len(list) == 0 {
		return nil, bad(1, errors.New("the export has no events"))
	}
	return list, nil
}

// ExportCSV writes the results as a table, including rows for failed and undone measurements. Wells
// of the reference have the state "reference", even if they failed, unless they are undone.
func (c *Campaign) ExportCSV(w io.Writer) error {
	list, err := c.events()
	if err != nil {
		return err
	}
	l, undone, err := replay(list)
	if err != nil {
		return err
	}
	names, filled := measured(l.problem), filledIn(l.problem)
	more := filled[len(names):]
	if l.summed {
		more = append(more, columnSummed)
	}
	out := csv.NewWriter(w)
	head := slices.Concat([]string{columnEvent, "at", "who", columnPlate, columnTicket, columnID,
		columnArm, columnState}, names, more, []string{columnNote})
	if l.shortID() != "" {
		head = append(head, columnCampaign)
	}
	for i, name := range head {
		head[i] = csvtable.Guard(name)
	}
	_ = out.Write(head) // out.Error returns the first error
	for _, e := range list {
		if e.What != KindTell {
			continue
		}
		b, err := bodyOf[tellBody](e)
		if err != nil {
			return err
		}
		for i, r := range slices.Concat(b.Rows, b.References) {
			rec := []string{strconv.Itoa(e.Seq), e.At, e.Who, "", "", r.ID, r.Arm, "told"}
			if r.Ticket > 0 {
				rec[3] = strconv.Itoa(l.tickets[r.Ticket-1].Plate)
				rec[4] = strconv.Itoa(r.Ticket)
			}
			if r.Failed {
				rec[7] = "failed"
			}
			if i >= len(b.Rows) { // rows after b.Rows are results of reference wells, even if they failed
				rec[7] = "reference"
			}
			if undone[e.Seq] > 0 {
				rec[7] = "undone"
			}
			for c := range names {
				cell := ""
				if c < len(r.Values) {
					cell = strconv.FormatFloat(r.Values[c], 'g', -1, 64)
				}
				rec = append(rec, cell)
			}
			for _, column := range more {
				n := cmp.Or(r.Of, l.problem.Each())
				if column == columnSummed {
					n = max(r.N, 1)
				}
				rec = append(rec, map[bool]string{true: "", false: strconv.Itoa(n)}[r.Failed])
			}
			rec = append(rec, r.Note, l.shortID())[:len(head)]
			for at, cell := range rec {
				rec[at] = csvtable.Guard(cell)
			}
			_ = out.Write(rec)
		}
	}
	out.Flush()
	return out.Error()
}
