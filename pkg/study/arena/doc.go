// Package arena compares all policies on the same problems: named instances of four questions.
// Half of the instances were fixed before any method of this project was run on them.
//
//	tables, err := arena.PublishedTables(arena.BestItem) // as in docs/arena.md
//
// [Compare] puts a method of your own among the published ones.
package arena
