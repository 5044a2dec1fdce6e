//go:build unix

package main

import (
	"testing"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

func BenchmarkZ(b *testing.B) {
	for _, r := range fronts() {
		b.Run(r.method+r.size, func(b *testing.B) {
			pulls := 0
			n := 0
			for b.Loop() {
				res, err := explore.Run(r.here(), r.inst.Problem, r.inst.Sampler(seed.New(1).Child("run", n)), nil)
				if err != nil {
					b.Fatal(err)
				}
				n++
				pulls += res.Pulls
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(pulls), "ns/pull")
		})
	}
}
