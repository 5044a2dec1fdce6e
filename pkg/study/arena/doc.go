// Package arena compares all policies on the same problems: named instances of four questions. A
// third of the instances is for tuning; the others were fixed before any method was run on them.
//
//	tables, err := arena.PublishedTables(arena.BestItem) // as in docs/arena.md
//
// [Compare] puts your own method among the published ones.
package arena
