package fig

import (
	"math"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/mc"
)

// synthetic returns rows with lognormal numbers of pulls: reps runs of each method on an instance with k arms.
func synthetic(instance, constants string, k, reps int, medians map[string]float64, order ...string) []mc.Row {
	rng := rand.New(rand.NewPCG(1, uint64(len(instance)+k)))
	var rows []mc.Row
	for _, m := range order {
		for rep := range reps {
			r := mc.Row{Study: "synthetic", Instance: instance, Method: m, Constants: constants, Delta: .1, Rep: rep,
				Status: "stopped", Correct: true}
			total := medians[m] * math.Exp(.35*rng.NormFloat64())
			weights, sum := make([]float64, k), 0.
			for a := range weights {
				weights[a] = math.Exp(math.Sin(float64(a*7))*1.5 + .2*rng.NormFloat64())
				if m == "Uniform" {
					weights[a] = 1
				}
				sum += weights[a]
			}
			for _, w := range weights {
				n := int(total * w / sum)
				r.ArmPulls = append(r.ArmPulls, n)
				r.Pulls += n
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// trials returns synthetic rows for the instances and methods of the clinical trials in the e-cAPE paper.
func trials(reps int) []mc.Row {
	four := []string{"e-cAPE", "MD-APT+APE", "Racing", "Uniform"}
	rows := synthetic("secukinumab", "paper", 5, reps,
		map[string]float64{"e-cAPE": 2800, "MD-APT+APE": 55000, "Racing": 3800, "Uniform": 30000}, four...)
	return append(rows, synthetic("covboost", "paper", 20, reps,
		map[string]float64{"e-cAPE": 900, "MD-APT+APE": 2500, "Racing": 4000}, four[:3]...)...)
}
