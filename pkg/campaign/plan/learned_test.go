package plan

import (
	"fmt"
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

// For each objective, the plan learns from the results of this objective in its unit, in any order of objectives.
// Noise and means of measured candidates come from results. Means of other candidates come from guesses or from
// similar candidates. Known values do not change.
func TestLearnedOfEachObjective(t *testing.T) {
	objectives := map[string]string{
		"y":     "noise = { pilot = { rewards = 3, delta = 0.01 } }\nvalues = [0, 60]\n",
		"z":     "noise = { pilot = { rewards = 3, delta = 0.01 } }\nvalues = [100, 700]\ngoal = \"minimise\"\n",
		"g":     "noise = { sd = 5 }\nguess = \"g\"\n",
		"price": "known = true\n",
	}
	results := map[string][][2]float64{"y": {{10, 14}, {21, 19}}, "z": {{300, 320}, {400, 440}}, "g": {{1, 3}, {7, 9}}}
	sd := map[string]float64{"y": math.Sqrt(5), "z": math.Sqrt(500), "g": 5} // pooled over two pairs of results
	want := map[string][3]float64{"y": {12, 20, 16}, "z": {310, 420, 365}, "g": {2, 8, 70}, "price": {3, 4, 5}}
	se := map[string]float64{"y": 8 / math.Sqrt2, "z": 110 / math.Sqrt2} // the spread of two measured means, for the third candidate
	for _, order := range [][]string{{"y", "z", "g", "price"}, {"price", "g", "z", "y"}} {
		text := "question = { find = \"pareto\", delta = 0.1 }\ncandidates = { file = \"c.csv\" }\n"
		for _, name := range order {
			text += fmt.Sprintf("[[objective]]\nname = %q\n%s", name, objectives[name])
		}
		p, err := problem.Parse("p.toml", []byte(text), func(string) ([]byte, error) { return []byte("c,price,g\nA,3,50\nB,4,60\nC,5,70\n"), nil })
		if err != nil {
			t.Fatal(err)
		}
		c := compiled(t, p)
		var told []explore.Batch
		for arm := range 2 {
			for r := range 2 {
				var values []float64
				for _, i := range p.Measured() {
					values = append(values, results[p.Objectives[i].Name][arm][r])
				}
				b, err := c.Batch(arm, values)
				if err != nil {
					t.Fatal(err)
				}
				if r == 1 { // for a single reward, the square follows from the sum
					b.Squares = nil
				}
				told = append(told, b)
			}
		}
		b := learned(c, told)
		for j, name := range order {
			for arm, mean := range want[name] {
				error := sd[name] / math.Sqrt2
				if arm == 2 {
					error = se[name]
				}
				if got := b.mean.At(arm, j); !(math.Abs(got-mean) <= 1e-9) || !(math.Abs(b.se.At(arm, j)-error) <= 1e-9) {
					t.Errorf("%v: %s of candidate %d is %v ± %v; want %v ± %v", order, name, arm, got, b.se.At(arm, j), mean, error)
				}
			}
			if name != "price" && !(math.Abs(b.noise[j].sd-sd[name]) <= 1e-9) {
				t.Errorf("%v: the noise of %s is %v; want %v", order, name, b.noise[j].sd, sd[name])
			}
		}
	}
}

// For noise in a range, a guessed spread is used if there is one, and otherwise the largest possible noise.
func TestLearnedBoundedNoise(t *testing.T) {
	for more, want := range map[string]float64{"": 0, "guess_sd = 1.5": 1.5} {
		c := compiled(t, parsed(t, `find = "best"`, "", "noise = { range = [0, 10] }\n"+more, threeGuesses))
		var told []explore.Batch
		for _, v := range []float64{4, 5, 6} {
			b, err := c.Batch(0, []float64{v})
			if err != nil {
				t.Fatal(err)
			}
			told = append(told, b)
		}
		if b := learned(c, told); b.noise[0].sd != want {
			t.Errorf("%q: %+v", more, b.noise[0])
		}
	}
}

// Without measurements, each mean is the middle of the objective's range, with half the range as standard error.
// Without a guessed spread, the noise is that of the pilot.
func TestLearnedOfNothing(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(`question = { find = "pareto", delta = 0.1 }
candidates = { names = ["A", "B"] }
[[objective]]
name = "y"
noise = { range = [0, 10] }
[[objective]]
name = "z"
noise = { range = [100, 160] }
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Pilot = &problem.Pilot{SD: []float64{1.5, 7}, DF: []int{4, 5}}
	b := learned(compiled(t, p), nil)
	for j, want := range [][3]float64{{5, 5, 1.5}, {130, 30, 7}} {
		if m, se := b.mean.At(1, j), b.se.At(1, j); m != want[0] || se != want[1] || b.noise[j].sd != want[2] {
			t.Errorf("objective %d: %v ± %v with noise %v; want %v", j, m, se, b.noise[j].sd, want)
		}
	}
}
