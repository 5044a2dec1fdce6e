package events

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Event is one line of the record.
type Event struct {
	Seq  int             `json:"seq"`  // 1, 2, ...: the order of events
	At   string          `json:"at"`   // time by the writer's clock; see Stamp
	Who  string          `json:"who"`  // person or machine, one line
	What string          `json:"what"` // the kind of event
	Body json.RawMessage `json:"body"` // details, as JSON without spaces
	Hash string          `json:"hash"`
}

// stampLayout is the layout of event times: RFC 3339 in UTC, with microseconds.
const stampLayout = "2006-01-02T15:04:05.000000Z"

// Stamp formats a time in the form that events use.
func Stamp(t time.Time) string { return t.UTC().Format(stampLayout) }

// Time returns the time of e, or the zero time if At is invalid.
func (e *Event) Time() time.Time {
	t, err := time.Parse(time.RFC3339Nano, e.At)
	if err != nil {
		return time.Time{}
	}
	return t
}

// origin takes the place of the previous event's hash in the first event.
var origin = strings.Repeat("0", 2*sha256.Size)

// digest returns the hash of e; the argument before is the hash of the previous event.
func (e *Event) digest(before string) string {
	b := make([]byte, 0, 128+len(e.Who)+len(e.Body))
	b = append(append(b, before...), '\n')
	b = append(strconv.AppendInt(b, int64(e.Seq), 10), '\n')
	for _, s := range [...]string{e.At, e.Who, e.What} {
		b = append(append(b, s...), '\n')
	}
	sum := sha256.Sum256(append(b, e.Body...))
	return hex.EncodeToString(sum[:])
}

// Chain verifies that events follow each other without gaps or edits. The zero Chain is the state
// before the first event is checked.
type Chain struct {
	Seq  int    // number of the last event checked
	Hash string // hash of the last event checked
}

// Next checks that e is unchanged and is the next event, and advances the chain to e.
func (c *Chain) Next(e *Event) error {
	if e.Seq != c.Seq+1 {
		return fmt.Errorf("event %d follows event %d, so events are missing or were inserted", e.Seq, c.Seq)
	}
	if strings.Contains(e.At+e.Who+e.What, "\n") { // a newline would make the hash ambiguous
		return fmt.Errorf("event %d has a line break in the field at, who or what", e.Seq)
	}
	if want := e.digest(c.before()); e.Hash != want {
		return fmt.Errorf("event %d does not match its hash, so this event or the previous event was changed", e.Seq)
	}
	c.Seq, c.Hash = e.Seq, e.Hash
	return nil
}

func (c *Chain) before() string {
	if c.Seq == 0 {
		return origin
	}
	return c.Hash
}

// MostWho is the largest length of Who in bytes.
const MostWho = 200

// Name returns who without surrounding white space. Name returns an error if who is empty, too
// long, not UTF-8, or more than one line.
func Name(who string) (string, error) {
	who = strings.TrimSpace(who)
	switch {
	case who == "":
		return "", fmt.Errorf("the name of the author is missing; give the name with --as NAME or in the field who")
	case len(who) > MostWho:
		return "", fmt.Errorf("the name %.20q... has %d bytes; expected at most %d", who, len(who), MostWho)
	case !utf8.ValidString(who) || strings.ContainsFunc(who, unicode.IsControl):
		return "", fmt.Errorf("the name %q is not a line of text; remove control characters", who)
	}
	return who, nil
}

// Seal sets the hash of e, as the event that follows the events in list.
func (e *Event) Seal(list []*Event) {
	var c Chain
	if len(list) > 0 {
		last := list[len(list)-1]
		c = Chain{last.Seq, last.Hash}
	}
	e.Hash = e.digest(c.before())
}

// The following constants are the SQLite result codes that this package converts to specific errors
// (https://sqlite.org/rescode.html).
const (
	codePerm     = 3
	codeBusy     = 5
	codeLocked   = 6
	codeReadOnly = 8
	codeIOErr    = 10
	codeCorrupt  = 11
	codeFull     = 13
	codeCantOpen = 14
	codeNotADB   = 26
)

// The following errors are about a campaign file.
var (
	// ErrForeign reports a file that is not a campaign.
	ErrForeign = errors.New("this is not a campaign file")
	// ErrNewer reports a campaign file written by a later version of purexp.
	ErrNewer = errors.New("a later version of purexp wrote this campaign")
	// ErrDamaged reports a campaign file that is incomplete or was edited.
	ErrDamaged = errors.New("the campaign file is damaged")
	// ErrFull reports a full or failing disk.
	ErrFull = errors.New("the disk is full")
	// ErrBusy reports that other processes locked the file for too long; nothing was written.
	ErrBusy = errors.New("another program has locked the file of the campaign for too long")
	// ErrReadOnly reports that the campaign file or its folder is read-only.
	ErrReadOnly = errors.New("the campaign file cannot be written")
	// ErrMoved reports that the campaign file was removed or replaced while it was open.
	ErrMoved = errors.New("the campaign file was removed or replaced while it was open")
)

// Damage describes where a record is damaged; it wraps ErrDamaged.
type Damage struct {
	Path   string
	Intact int // events 1 to Intact are unchanged
	Why    error
}

func (d *Damage) Error() string {
	s := fmt.Sprintf("%s: %v: %v; ", d.Path, ErrDamaged, d.Why)
	if d.Intact == 0 {
		return s + "no event is intact; restore a copy of the file"
	}
	return s + fmt.Sprintf("events 1 to %d are intact: save these events with 'purexp campaign "+
		"export --intact', and create a new file with 'purexp campaign import'", d.Intact)
}

func (d *Damage) Unwrap() []error { return []error{ErrDamaged, d.Why} }

// explain converts an SQLite error to an error in plain words.
func explain(path string, err error) error {
	code, ok := resultCode(err)
	if !ok {
		return err
	}
	return explained(path, code, err)
}

// explained converts the SQLite error err with the given result code to an error in plain words.
func explained(path string, code int, err error) error {
	say := func(kind error, advice string) error {
		return fmt.Errorf("%s: %w; %s (%w)", path, kind, advice, err)
	}
	switch code & 0xff {
	case codeFull:
		return say(ErrFull, "nothing was written; free disk space and try again")
	case codeIOErr:
		return say(ErrFull, "free disk space or repair the disk, check with 'purexp campaign status' what was "+
			"recorded, and try again; results that are reported twice count once")
	case codeBusy, codeLocked:
		return say(ErrBusy, "nothing was written; try again")
	case codeReadOnly, codePerm:
		return say(ErrReadOnly, "get permission to write the file and its folder")
	case codeCorrupt:
		return &Damage{Path: path, Why: err}
	case codeNotADB:
		return fmt.Errorf("%s: %w, or its beginning was overwritten; give another file, or "+
			"restore a copy (%w)", path, ErrForeign, err)
	case codeCantOpen:
		if f, e := os.Open(path); e == nil { // the files that SQLite creates next to the database cannot be created
			_ = f.Close()
			return say(ErrReadOnly, "get permission to write the file and its folder")
		}
		return fmt.Errorf("%s: the file cannot be opened; check that the file is readable and its folder "+
			"writable: %w", path, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

func noFile(path string) error {
	return fmt.Errorf("%s: the file does not exist; start a campaign with 'purexp campaign new', or name another "+
		"file: %w", path, fs.ErrNotExist)
}
