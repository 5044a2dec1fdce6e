// Package arena compares all policies on the same named instances of four questions. A third of the
// instances are for tuning; the other instances were selected before any method was run on them.
//
//	tables, err := arena.PublishedTables(arena.BestItem) // as in docs/arena.md
//
// [Compare] adds your own policies to the published tables.
package arena
