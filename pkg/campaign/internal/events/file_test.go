package events

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A new campaign file has the usual permissions, so other users of the machine can read it.
func TestMode(t *testing.T) {
	dir := t.TempDir()
	like := filepath.Join(dir, "like")
	must(t, os.WriteFile(like, nil, 0o644))
	want, err := os.Stat(like)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "x.campaign")
	s, err := Create(path, nil, func(tx *Tx) error {
		_, err := tx.Append("ada", "problem", map[string]string{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got, err := os.Stat(path); err != nil || got.Mode() != want.Mode() {
		t.Errorf("%v, %v; want %v", got.Mode(), err, want.Mode())
	}
}

// Objectives whose names equal other columns, or differ only in case or by a suffix, get columns of their own.
func TestColumnsOfViews(t *testing.T) {
	var names []string
	for _, view := range []string{"measurements", "arms"} {
		names = append(names, columnsOf(t, nil, view)...)
	}
	names = append(names, "Yield", "yield", "x", "x_low")
	for _, view := range []string{"measurements", "arms"} {
		seen := map[string]bool{}
		for _, c := range columnsOf(t, names, view) {
			if seen[strings.ToLower(c)] || strings.Contains(c, ":") {
				t.Errorf("%s has the column %s twice", view, c)
			}
			seen[strings.ToLower(c)] = true
		}
		for _, want := range map[string][]string{"measurements": {"state_value", "arm_value", "yield_value"},
			"arms": {"pending_value", "arm_value", "yield_value"}}[view] {
			if !seen[want] {
				t.Errorf("%s has no column %s", view, want)
			}
		}
	}
}

// columnsOf returns the columns of a view of a campaign with the given objectives.
func columnsOf(t *testing.T, objectives []string, view string) (list []string) {
	t.Helper()
	s, err := Create(filepath.Join(t.TempDir(), "x.campaign"), objectives, func(tx *Tx) error {
		_, err := tx.Append("ada", "problem", map[string]string{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	rows, err := s.conn.QueryContext(t.Context(), "SELECT name FROM pragma_table_info(?)", view)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		must(t, rows.Scan(&name))
		list = append(list, name)
	}
	if err := rows.Err(); err != nil || len(list) == 0 {
		t.Fatal(view, list, err)
	}
	return list
}
