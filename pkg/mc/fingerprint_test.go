package mc_test

import (
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
)

// Whatever decides about rows changes the fingerprint, and nothing else does.
func TestFingerprint(t *testing.T) {
	of := func(change func(*mc.Grid)) string {
		g := toy()
		change(g)
		return g.Fingerprint()
	}
	same := of(func(*mc.Grid) {})
	if same == "" || of(func(g *mc.Grid) { g.Workers = 7 }) != same {
		t.Errorf("the same grid: %q", same)
	}
	for what, change := range map[string]func(*mc.Grid){
		"seed":       func(g *mc.Grid) { g.Seed++ },
		"study":      func(g *mc.Grid) { g.Study += "2" },
		"replicates": func(g *mc.Grid) { g.Reps++ },
		"shard":      func(g *mc.Grid) { g.Shard = mc.Shard{I: 1, N: 2} },
		"limit":      func(g *mc.Grid) { g.MaxPulls = 10 },
		"own limit":  func(g *mc.Grid) { g.Methods[0].MaxPulls = 10 },
		"delta":      func(g *mc.Grid) { g.Methods[0].Delta = .2 },
		"settings": func(g *mc.Grid) {
			g.Methods[0].New = func() explore.Policy { return &race{Batch: 3, Width: .51} }
		},
		"a mean":    func(g *mc.Grid) { g.Instances[0] = instance("easy", 0, 1, 2.0000000001) },
		"a name":    func(g *mc.Grid) { g.Instances[0].Name = "other" },
		"noise":     func(g *mc.Grid) { g.Instances[0].Problem.Sigma = 2 },
		"a measure": func(g *mc.Grid) { g.Cells[0].Measures = []mc.Measure{{Names: []string{"one"}}} },
		"order":     func(g *mc.Grid) { slices.Reverse(g.Methods) },
	} {
		if now := of(change); now == same || now == "" {
			t.Errorf("%s: %q, as before", what, now)
		}
	}
	for what, change := range map[string]func(*mc.Grid){
		"no instance": func(g *mc.Grid) { g.Instances[0] = nil },
		"no problem":  func(g *mc.Grid) { g.Instances[0] = &bandit.Instance{Name: "easy"} },
		"no policy":   func(g *mc.Grid) { g.Cells[0].Method.New = nil },
	} {
		if now := of(change); now != "" {
			t.Errorf("%s: %q; want none", what, now)
		}
	}
}

// A cell of a notebook asks for the fingerprint, where the first one asked for the description.
func BenchmarkFingerprint(b *testing.B) {
	g := toy()
	g.Instances[0] = instance("many", make([]float64, 10000)...)
	b.ReportAllocs()
	for b.Loop() {
		g.Fingerprint()
	}
}
