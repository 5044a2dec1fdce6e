package events

import (
	"fmt"
	"strings"
)

const (
	// application is the SQLite application id that marks campaign files ("pexp").
	application = 0x70657870
	// version is the version of the table schema, stored as SQLite's user_version.
	version = 1
)

// tables contains the SQL statements that create the tables of a new file. Triggers and the check
// of event numbers prevent accidental changes of events; hashes reveal deliberate changes.
var tables = []string{
	`CREATE TABLE event (
  seq  INTEGER PRIMARY KEY, -- 1, 2, ...: the order of events
  at   TEXT NOT NULL,       -- UTC, by the writer's clock
  who  TEXT NOT NULL,       -- person or machine
  what TEXT NOT NULL,       -- problem, ask, tell, drop, join, undo
  body TEXT NOT NULL,       -- JSON
  hash TEXT NOT NULL        -- SHA-256 of the hash before, seq, at, who, what and body
)`,
	`CREATE TRIGGER event_next BEFORE INSERT ON event
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM event)
BEGIN SELECT RAISE(ABORT, 'events are added at the end only'); END`,
	`CREATE TRIGGER event_update BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'events are never changed; undo adds one'); END`,
	`CREATE TRIGGER event_delete BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'events are never removed; undo adds one'); END`,

	// The following tables are derived from the events, for other programs that read the file.
	`CREATE TABLE undone (
  seq INTEGER PRIMARY KEY, -- the event that counts no more
  "by" INTEGER NOT NULL    -- the event that says so
)`,
	`CREATE TABLE state (
  id   INTEGER PRIMARY KEY CHECK (id = 1),
  seq  INTEGER NOT NULL, -- the last event that it knows
  hash TEXT NOT NULL,    -- of that event
  body TEXT NOT NULL,    -- JSON: status, arms, answer
  seal TEXT NOT NULL     -- SHA-256 of hash and body
)`,
	`CREATE VIEW history AS
SELECT e.seq AS event, e.at, e.who, e.what, u."by" AS undone_by, e.body, e.hash
FROM event e LEFT JOIN undone u ON u.seq = e.seq
ORDER BY e.seq`,
	`CREATE VIEW answer AS
SELECT json_extract(r.value, '$.arm') AS arm,
  json_extract(r.value, '$.chosen') AS chosen,
  json_extract(r.value, '$.verdict') AS verdict,
  json_extract(r.value, '$.why') AS why
FROM state s, json_each(s.body, '$.arms') r`,
	`CREATE VIEW status AS
SELECT json_extract(s.body, '$.status') AS status,
  json_extract(s.body, '$.used') AS used,
  json_extract(s.body, '$.pending') AS pending,
  json_extract(s.body, '$.headline') AS headline,
  s.seq AS event
FROM state s`,
}

// columnViews returns SQL views of the results, with one column for each objective.
func columnViews(objectives []string) []string {
	var m, a strings.Builder
	taken := map[string]bool{}
	for _, fixed := range strings.Fields("event row at who ticket plate id arm state note " +
		"measured pending available verdict") {
		taken[fixed] = true
	}
	name := func(want string) string {
		for taken[strings.ToLower(want)] {
			want += "_value"
		}
		taken[strings.ToLower(want)] = true
		return `"` + strings.ReplaceAll(want, `"`, `""`) + `"`
	}
	for c, o := range objectives {
		fmt.Fprintf(&m, ",\n  json_extract(r.value, '$.values[%d]') AS %s", c, name(o))
	}
	clear(taken)
	for _, fixed := range strings.Fields("arm available measured pending verdict") {
		taken[fixed] = true
	}
	for c, o := range objectives {
		for _, part := range []struct{ key, suffix string }{
			{"estimate", ""}, {"low", "_low"}, {"high", "_high"},
		} {
			fmt.Fprintf(&a, ",\n  json_extract(r.value, '$.%s[%d]') AS %s", part.key, c, name(o+part.suffix))
		}
	}
	return []string{`CREATE VIEW measurements AS
SELECT e.seq AS event, r.key + 1 AS row, e.at, e.who,
  json_extract(r.value, '$.ticket') AS ticket,
  json_extract(r.value, '$.id') AS id,
  json_extract(r.value, '$.arm') AS arm,
  CASE WHEN u.seq IS NOT NULL THEN 'undone'
       WHEN json_extract(r.value, '$.failed') THEN 'failed' ELSE 'told' END AS state,
  json_extract(r.value, '$.note') AS note` + m.String() + `
FROM event e JOIN json_each(e.body, '$.rows') r LEFT JOIN undone u ON u.seq = e.seq
WHERE e.what = 'tell'
ORDER BY e.seq, r.key`,
		`CREATE VIEW arms AS
SELECT json_extract(r.value, '$.arm') AS arm,
  json_extract(r.value, '$.available') AS available,
  json_extract(r.value, '$.used') AS measured,
  json_extract(r.value, '$.pending') AS pending,
  json_extract(r.value, '$.verdict') AS verdict` + a.String() + `
FROM state s, json_each(s.body, '$.arms') r`}
}
