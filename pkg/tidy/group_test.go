package tidy

import "testing"

// Rows are compared in a dozen settings, and most of them agree.
func BenchmarkVaries(b *testing.B) {
	type row struct {
		name string
		_    [40]int
	}
	rows := make([]row, 10000)
	for i := range rows {
		rows[i].name = "all"
	}
	b.ReportAllocs()
	for b.Loop() {
		Varies(rows, Setting[row]{"name", func(r row) string { return r.name }})
	}
}
