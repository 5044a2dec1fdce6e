package policy_test

import (
	"fmt"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// BenchmarkMore fills a plate of 96 while another one is pending.
func BenchmarkMore(b *testing.B) {
	seen := map[string]bool{}
	for _, p := range openPlans() {
		typ := fmt.Sprintf("%T", p.new())
		if seen[typ] || len(p.cases) == 0 || p.cases[0].Problem.Changing {
			continue
		}
		seen[typ] = true
		b.Run(p.name, func(b *testing.B) {
			c, q := p.cases[0], p.new().(explore.Open)
			hard := *c.Problem
			hard.Sigma, hard.NormSigma = 1e3*hard.Sigma, 1e3*hard.NormSigma
			if err := q.Init(&hard, seed.New(1).Source()); err != nil {
				b.Fatal(err)
			}
			s := c.Sampler(seed.New(1))
			for range 20 {
				pulls, err := q.More(nil, 5, nil)
				if err != nil {
					b.Fatal(err)
				}
				obs, err := s.Sample(nil, pulls)
				if err != nil {
					b.Fatal(err)
				}
				if err := q.Learn(obs); err != nil {
					b.Fatal(err)
				}
			}
			pending, err := q.More(nil, 96, nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := q.More(nil, 96, pending); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
