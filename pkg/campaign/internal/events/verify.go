package events

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// Problems returns errors of the file other than errors of events: damaged pages, and missing,
// changed or additional triggers, tables and views. The expected views are those of a campaign with
// the given objectives.
func (s *Store) Problems(objectives []string) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []string
	list := func(query string, f func(text string)) error {
		rows, err := s.conn.QueryContext(context.Background(), query)
		if err != nil {
			return explain(s.path, err)
		}
		defer rows.Close()
		for rows.Next() {
			var text string
			if err := rows.Scan(&text); err != nil {
				return explain(s.path, err)
			}
			f(text)
		}
		return explain(s.path, rows.Err())
	}
	err := list("PRAGMA integrity_check", func(text string) {
		if text != "ok" {
			found = append(found, "SQLite: "+text)
		}
	})
	if err != nil {
		return found, err
	}
	want := append(slices.Clone(tables), columnViews(objectives)...)
	err = list("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL", func(text string) {
		if i := slices.Index(want, text); i >= 0 {
			want = slices.Delete(want, i, i+1)
			return
		}
		found = append(found, "not part of a campaign: "+firstLine(text))
	})
	for _, text := range want {
		found = append(found, "missing or changed: "+firstLine(text))
	}
	return found, err
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSuffix(line, " (")
}

// Intact returns the events before the first damage, and an error that describes the damage, or nil
// if the file is undamaged.
func Intact(path string) ([]*Event, error) {
	s, err := openToRead(path, "")
	if errors.Is(err, ErrFull) || errors.Is(err, ErrReadOnly) {
		s, err = openLook(path)
	}
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var good []*Event
	err = s.Read(func(tx *Tx) error {
		return tx.After(new(Chain), func(e *Event) error {
			good = append(good, e)
			return nil
		})
	})
	if err != nil && len(good) == 0 {
		return nil, err
	}
	return good, err
}
