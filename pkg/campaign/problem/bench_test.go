package problem

import "testing"

func BenchmarkParse(b *testing.B) {
	open := files(map[string]string{"catalysts.csv": catalystTable})
	for b.Loop() {
		if _, err := Parse("c.toml", []byte(catalysts), open); err != nil {
			b.Fatal(err)
		}
	}
}
