package events

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// shown returns the rows of a view as text, without hashes.
func shown(t *testing.T, s *Store, view string) (list []string) {
	t.Helper()
	rows, err := s.conn.QueryContext(t.Context(), "SELECT * FROM "+view)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	list = append(list, strings.Join(names, " | "))
	for rows.Next() {
		cells, dst := make([]sql.NullString, len(names)), make([]any, len(names))
		for i := range cells {
			dst[i] = &cells[i]
		}
		must(t, rows.Scan(dst...))
		var words []string
		for i, c := range cells {
			switch {
			case !c.Valid:
				c.String = "-"
			case names[i] == "hash":
				c.String = fmt.Sprint(len(c.String))
			}
			words = append(words, c.String)
		}
		list = append(list, strings.Join(words, " | "))
	}
	must(t, rows.Err())
	return list
}

// SQL views show the record, each result with its state in a row, and the current status. Values are in the column of
// their objective, even if the objective has the name of another column.
func TestViews(t *testing.T) {
	s, err := Create(filepath.Join(t.TempDir(), "v.campaign"), []string{"yield", "state"}, func(tx *Tx) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	raw := func(text string) any { return jsonText(text) }
	if err := s.Write(func(tx *Tx) error {
		for _, e := range []struct {
			who, what, body string
		}{
			{"Ada", "problem", `{"title":"x"}`},
			{" Eve\t", "tell", `{"rows":[{"ticket":7,"arm":"A","values":[1.5,-2]},{"id":"book 3","arm":"B","values":[4,5],"note":"cloudy"}]}`},
			{"Bob", "tell", `{"rows":[{"ticket":8,"arm":"B","failed":true,"note":"spilled"}]}`},
			{"Bob", "tell", `{"rows":[{"ticket":9,"arm":"A","values":[9,9]},{"ticket":10,"arm":"A","failed":true}]}`},
			{"Ada", "undo", `{"event":4}`},
			{"Ada", "ask", `{"rows":[{"ticket":11,"arm":"A","values":[7,7]}]}`},
		} {
			if _, err := tx.Append(e.who, e.what, raw(e.body)); err != nil {
				return err
			}
		}
		if err := errors.Join(tx.SetUndone(3, 6), tx.SetUndone(4, 2), tx.SetUndone(4, 5), tx.SetUndone(3, 0), tx.SetUndone(2, 0)); err != nil {
			return err
		}
		if undone, err := tx.Undone(); err != nil || fmt.Sprint(undone) != "map[4:5]" {
			t.Errorf("undone are %v, %v", undone, err)
		}
		return tx.SetState(raw(`{"status":"running","used":3,"pending":2,"headline":"Running","arms":[` +
			`{"arm":"A","chosen":true,"verdict":"optimal","why":"best","available":true,"used":2,"pending":0,"estimate":[1,2],"low":[0.5,1.5],"high":[1.5,2.5]},` +
			`{"arm":"B","chosen":false,"verdict":"undecided","available":false,"used":1,"pending":4,"estimate":[null,3],"low":[null,null],"high":[null,null]}]}`))
	}); err != nil {
		t.Fatal(err)
	}
	const at = "2026-01-02T03:04:05.000000Z"
	for view, want := range map[string][]string{
		"history": {"event | at | who | what | undone_by | body | hash", "1 | " + at + " | Ada | problem | - | {\"title\":\"x\"} | 64"},
		"measurements": {"event | row | at | who | ticket | id | arm | state | note | yield | state_value",
			"2 | 1 | " + at + " | Eve | 7 | - | A | told | - | 1.5 | -2", "2 | 2 | " + at + " | Eve | - | book 3 | B | told | cloudy | 4 | 5",
			"3 | 1 | " + at + " | Bob | 8 | - | B | failed | spilled | - | -",
			"4 | 1 | " + at + " | Bob | 9 | - | A | undone | - | 9 | 9", "4 | 2 | " + at + " | Bob | 10 | - | A | undone | - | - | -"},
		"arms": {"arm | available | measured | pending | verdict | yield | yield_low | yield_high | state | state_low | state_high",
			"A | 1 | 2 | 0 | optimal | 1 | 0.5 | 1.5 | 2 | 1.5 | 2.5", "B | 0 | 1 | 4 | undecided | - | - | - | 3 | - | -"},
		"answer": {"arm | chosen | verdict | why", "A | 1 | optimal | best", "B | 0 | undecided | -"},
		"status": {"status | used | pending | headline | event", "running | 3 | 2 | Running | 6"},
	} {
		got := shown(t, s, view)
		if view == "history" {
			for i, row := range got[1:] {
				if undone := i == 3; strings.Contains(row, " | tell | 5 | ") != undone {
					t.Errorf("%s", row)
				}
			}
			got = got[:2]
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", view, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// jsonText is JSON text that is written unchanged.
type jsonText string

func (j jsonText) MarshalJSON() ([]byte, error) { return []byte(j), nil }

// Events are not written if they cannot be encoded as JSON, lack a name, or do not follow the last event. Other
// events keep their number, time and hash.
func TestRestore(t *testing.T) {
	a, b := made(t, 3), made(t, 0)
	var list []*Event
	if err := a.Read(func(tx *Tx) error {
		return tx.After(new(Chain), func(e *Event) error { list = append(list, e); return nil })
	}); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func(*Tx) error{
		"no JSON":  func(tx *Tx) error { _, err := tx.Append("Ada", "tell", make(chan int)); return err },
		"nobody":   func(tx *Tx) error { _, err := tx.Append(" ", "tell", 1); return err },
		"no state": func(tx *Tx) error { return tx.SetState(make(chan int)) },
		"a gap":    func(tx *Tx) error { return errors.Join(tx.Restore(list[0]), tx.Restore(list[2])) },
		"twice":    func(tx *Tx) error { return errors.Join(tx.Restore(list[0]), tx.Restore(list[0])) },
		"a gap that fits": func(tx *Tx) error {
			e := *list[2]
			e.Seal(list[:1])
			return errors.Join(tx.Restore(list[0]), tx.Restore(&e))
		},
		"an edit": func(tx *Tx) error {
			e := *list[0]
			e.Who = "Eve"
			return tx.Restore(&e)
		},
	} {
		err := b.Write(f)
		if damaged := !strings.HasPrefix(name, "no"); err == nil || errors.Is(err, ErrDamaged) != damaged {
			t.Errorf("%s: %v", name, err)
		}
	}
	var sealed []*Event
	if err := b.Write(func(tx *Tx) error {
		for _, e := range list {
			x := *e
			if x.Seal(sealed); x.Hash != e.Hash {
				t.Errorf("%v is sealed with %s; want %s", e, x.Hash, e.Hash)
			}
			if sealed = append(sealed, e); tx.Restore(e) != nil {
				return errors.New("not restored")
			}
			if c, err := tx.Last(); err != nil || c != (Chain{e.Seq, e.Hash}) {
				t.Errorf("%+v, %v", c, err)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if got, want := shown(t, b, "event"), shown(t, a, "event"); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q; want %q", got, want)
	}
	for i := range 4 { // After returns the events after event i
		c, seen := Chain{}, 0
		if i > 0 {
			c = Chain{list[i-1].Seq, list[i-1].Hash}
		}
		if err := b.Read(func(tx *Tx) error { return tx.After(&c, func(*Event) error { seen++; return nil }) }); err != nil || seen != 3-i {
			t.Errorf("after event %d are %d, %v", i, seen, err)
		}
	}
}

// Only changes by other connections count as changes. A symbolic link counts as the file that it points to.
func TestChangesAndLinks(t *testing.T) {
	s := made(t, 1)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(s.Path(), link); err != nil {
		t.Skip("skipped: no symbolic links here")
	}
	other, err := Open(link)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if other.Path() != link {
		t.Errorf("the path is %s; want %s", other.Path(), link)
	}
	changed := func() int {
		n, err := s.Changes()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	was := changed()
	add(t, s, 2)
	if n := changed(); n != was {
		t.Error("events of this store count as changes")
	}
	add(t, other, 3)
	now := changed()
	if now == was || changed() != now {
		t.Error("events of another store do not count as changes, or count twice")
	}
	if got := all(t, s); len(got) != 3 || got[2] != `{"n":3}` {
		t.Errorf("events %v", got)
	}
	must(t, os.Remove(link))
	must(t, os.Symlink(made(t, 1).Path(), link))
	if err := other.Write(func(*Tx) error { return nil }); !errors.Is(err, ErrMoved) {
		t.Errorf("a link that points at another file: %v", err)
	}
}

// A file that was opened for reading only can be
// read. The first write upgrades the connection.
func TestOpenAlone(t *testing.T) {
	s := made(t, 2)
	path := s.Path()
	must(t, s.Close())
	alone, err := openLook(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = alone.Close() }()
	if got := all(t, alone); len(got) != 2 || !alone.alone {
		t.Errorf("events %v", got)
	}
	for n := 3; n <= 4; n++ {
		add(t, alone, n)
	}
	other, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	add(t, other, 5)
	add(t, alone, 6)
	if got := all(t, other); len(got) != 6 || got[5] != `{"n":6}` || alone.alone {
		t.Errorf("events %v", got)
	}
}
