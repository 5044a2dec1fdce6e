package events

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// SQLite's result codes that have words of their own here (https://sqlite.org/rescode.html).
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

// What can be wrong with the file of a campaign.
var (
	// ErrForeign: it is no campaign.
	ErrForeign = errors.New("this is not the file of a campaign")
	// ErrNewer: a later version of purexp wrote it.
	ErrNewer = errors.New("a later version of purexp wrote this campaign")
	// ErrDamaged: it was a campaign, and is not whole or was edited.
	ErrDamaged = errors.New("the file of the campaign is damaged")
	// ErrFull: there is no room on the disk; nothing was written.
	ErrFull = errors.New("the disk is full")
	// ErrBusy: other processes kept it for too long; nothing was written.
	ErrBusy = errors.New("other programs kept the campaign busy for too long")
	// ErrReadOnly: it, or its folder, may not be written.
	ErrReadOnly = errors.New("the file of the campaign cannot be written")
	// ErrMoved: another file is where it was, or none.
	ErrMoved = errors.New("the file of the campaign was removed or replaced while it was open")
)

// A Damage says where a record no longer fits together. It wraps ErrDamaged.
type Damage struct {
	Path   string
	Intact int // events 1 to Intact are as they were written
	Why    error
}

func (d *Damage) Error() string {
	s := fmt.Sprintf("%s: %v: %v; ", d.Path, ErrDamaged, d.Why)
	if d.Intact == 0 {
		return s + "no event is intact; restore a copy of the file"
	}
	return s + fmt.Sprintf("events 1 to %d are intact: 'purexp campaign export --intact' writes "+
		"them, and 'purexp campaign import' makes a new file of them", d.Intact)
}

func (d *Damage) Unwrap() []error { return []error{ErrDamaged, d.Why} }

// explain says in words what SQLite's error is about.
func explain(path string, err error) error {
	code, ok := resultCode(err)
	if !ok {
		return err
	}
	return explained(path, code, err)
}

// explained is explain of an error with a code.
func explained(path string, code int, err error) error {
	say := func(kind error, advice string) error {
		return fmt.Errorf("%s: %w; %s (%w)", path, kind, advice, err)
	}
	switch code & 0xff {
	case codeFull:
		return say(ErrFull, "nothing was written: make room, and do it again")
	case codeIOErr:
		return say(ErrFull, "the disk is full or failing: make room or mend it, see by 'purexp "+
			"campaign status' what was taken, and do it again: told twice is harmless")
	case codeBusy, codeLocked:
		return say(ErrBusy, "nothing was written: do it again")
	case codeReadOnly, codePerm:
		return say(ErrReadOnly, "give yourself the right to write the file and its folder")
	case codeCorrupt:
		return &Damage{Path: path, Why: err}
	case codeNotADB:
		return fmt.Errorf("%s: %w, or its beginning was overwritten; give another file, or "+
			"restore a copy (%w)", path, ErrForeign, err)
	case codeCantOpen:
		if f, e := os.Open(path); e == nil { // it is what SQLite keeps beside it that cannot be made
			_ = f.Close()
			return say(ErrReadOnly, "give yourself the right to write the file and its folder")
		}
		return fmt.Errorf("%s: cannot be opened; is there such a file, may it be read, and may "+
			"its folder be written? %w", path, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// noFile says that there is no file.
func noFile(path string) error {
	return fmt.Errorf("%s: there is no such campaign; begin it by 'purexp campaign new', or give "+
		"another file: %w", path, fs.ErrNotExist)
}
