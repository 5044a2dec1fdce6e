package arena_test

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study/arena"
)

func TestZ(t *testing.T) {
	reps, _ := strconv.Atoi(os.Getenv("REPS"))
	held := os.Getenv("HELD") != ""
	pols := strings.Split(os.Getenv("POLS"), ",")
	for _, delta := range []float64{.05, 1e-10} {
		if os.Getenv("DELTA") != "" {
			d, _ := strconv.ParseFloat(os.Getenv("DELTA"), 64)
			if d != delta {
				continue
			}
		}
		logs := map[string]float64{}
		n := 0
		for _, i := range arena.At(arena.BestItem) {
			if i.Tuning == held {
				continue
			}
			inst, _ := i.Load()
			h, _ := arena.Hardness(inst)
			line := fmt.Sprintf("%-18s d=%-6v", i.Name, delta)
			n++
			for _, name := range pols {
				mk := map[string]func() explore.Policy{
					"bet":  func() explore.Policy { return &policy.BettingElimination{Delta: delta} },
					"bet5": func() explore.Policy { return &policy.BettingElimination{Delta: delta, Growth: 1.05} },
					"bet1": func() explore.Policy { return &policy.BettingElimination{Delta: delta, Growth: 1.1} },
					"betT": func() explore.Policy { return &policy.BettingElimination{Delta: delta, Tol: .03} },
					"s4": func() explore.Policy { return &policy.BettingElimination{Delta: delta, Start: 4} },
					"rage": func() explore.Policy { return &policy.RAGE{Delta: delta} },
					"gape": func() explore.Policy { return &policy.LinGapE{Delta: delta} },
				}[name]
				sum, wrong := 0., 0
				rounds := 0
				start := time.Now()
				p := mk()
				for r := range reps {
					res, err := explore.Run(p, inst.Problem, inst.Sampler(seed.New(7).Child(i.Name, r)), &explore.Settings{Src: seed.New(8).Child(r).Source()})
					if err != nil {
						t.Fatal(err)
					}
					sum += float64(res.Pulls)
					rounds += res.Rounds
					if !inst.Problem.Question.Correct(inst.Truth(), res.Answer) {
						wrong++
					}
				}
				mean := sum / float64(reps)
				ratio := mean / (h / 2 * math.Log(1/delta))
				logs[name] += math.Log(ratio)
				line += fmt.Sprintf(" | %s %7.0f r=%.2f w=%d %3d rds %.1fms", name, mean, ratio, wrong, rounds/reps, time.Since(start).Seconds()*1e3/float64(reps))
			}
			fmt.Println(line)
		}
		for k, v := range logs {
			fmt.Printf("delta %v %s geometric mean ratio %.3f\n", delta, k, math.Exp(v/float64(n)))
		}
	}
}
