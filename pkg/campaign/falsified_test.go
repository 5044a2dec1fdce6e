package campaign

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

var campaigns = flag.Int("campaigns", 2, "campaigns of each case of TestFalsified; docs/monitors.md has 200")

// TestFalsified counts the outcomes of campaigns with false declarations, and of campaigns with true declarations. The
// test compares the counts with the counts for 200 campaigns in docs/monitors.md, even if the test runs fewer
// campaigns.
func TestFalsified(t *testing.T) {
	page, err := os.ReadFile("../../docs/monitors.md")
	if err != nil {
		t.Fatal(err)
	}
	factors := screen(1)
	for _, x := range []struct {
		name, features string
		confirm        bool
		means          []float64 // if nil, each campaign draws new means, which deviate from the linear model with standard deviation off × sd
		off            float64
		sd             float64
		slip           bool
		// Per 200 campaigns: wrong answers, certified wrong answers, certified wrong answers without a warning, and
		// campaigns with a warning or without a certificate.
		want [4]int
	}{
		{"means are linear, sd 2 as declared", factors, true, bent(0, 1), 0, 2, false, [4]int{0, 0, 0, 9}},
		{"means are linear to within 0.1 sd, redrawn", factors, true, nil, .1, 2, false, [4]int{0, 0, 0, 9}},
		{"means are linear to within 0.2 sd, redrawn", factors, true, nil, .2, 2, false, [4]int{1, 1, 1, 7}},
		{"means are linear to within 0.3 sd, redrawn", factors, true, nil, .3, 2, false, [4]int{9, 8, 8, 15}},
		{"means are linear to within 0.5 sd, redrawn", factors, true, nil, .5, 2, false, [4]int{51, 31, 28, 53}},
		{"means are linear to within 1 sd", factors, true, bent(2, 1), 0, 2, false, [4]int{184, 0, 0, 200}},
		{"means are linear to within 2 sd", factors, true, bent(4, 1), 0, 2, false, [4]int{197, 0, 0, 200}},
		{"means are linear to within 2 sd, not confirmed", factors, false, bent(4, 1), 0, 2, false,
			[4]int{197, 0, 0, 200}},
		{"sd 20, 2 is declared", "", true, bent(0, 1), 0, 20, false, [4]int{200, 0, 0, 200}},
		{"the 20th result has its point in the wrong place", "", true, bent(0, 1), 0, 2, true, [4]int{200, 0, 0, 200}},
	} {
		p, err := problem.Parse("p.toml", []byte(`[question]
find = "best"
delta = 0.05
[candidates]
file = "screen.csv"
`+x.features+`
[[objective]]
name = "yield"
noise = { sd = 2 }
[method]
`+map[bool]string{true: "name = \"LinGapE\"\n"}[x.features != ""]+`confirm = `+fmt.Sprint(x.confirm)), func(string) ([]byte, error) { return []byte(screen(0)), nil })
		if err != nil {
			t.Fatal(err)
		}
		var got [4]int
		for seed := range uint64(*campaigns) {
			rnd := rand.New(rand.NewPCG(seed, 11))
			means := x.means
			if means == nil {
				means = bent(x.off*x.sd, seed+2)
			}
			best := slices.Index(means, slices.Max(means))
			c := beginWith(t, p)
			s := falsified(t, c, means, x.sd, x.slip, rnd)
			wrong := true
			for _, a := range s.Arms {
				if a.Chosen && a.Arm == p.Candidates.Names[best] {
					wrong = false
				}
			}
			for i, yes := range []bool{wrong, wrong && s.Done(), wrong && s.Done() && s.Warnings == nil, s.Warnings != nil} {
				if yes {
					got[i]++
				}
			}
			_ = c.Close()
		}
		line := fmt.Sprintf("| %s | %d | %d | %d | %d |", x.name, x.want[0], x.want[1], x.want[2], x.want[3])
		if !strings.Contains(string(page), line) {
			t.Errorf("docs/monitors.md has no line %s", line)
		}
		t.Logf("%s: %d of %d", x.name, got, *campaigns)
		for i, n := range got {
			// Each count is increased by 1/2, because rates of 0 and 1 would allow no random deviation.
			b := distuv.Binomial{N: float64(*campaigns), P: (float64(x.want[i]) + .5) / 201}
			if b.CDF(float64(n)) < 1e-4 || 1-b.CDF(float64(n)-1) < 1e-4 {
				t.Errorf("%s: count %d is %d of %d; docs say %d of 200", x.name, i, n, *campaigns, x.want[i])
			}
		}
	}
}

// screen returns the table of 24 candidates or, if line is 1, those lines of the problem that name the features.
func screen(line int) string {
	if line == 1 {
		return `categories = ["ligand", "solvent"]` + "\n" + `features = ["temperature"]`
	}
	var s strings.Builder
	s.WriteString("name,ligand,solvent,temperature\n")
	for i := range 24 {
		fmt.Fprintf(&s, "C%02d,L%d,S%d,%d\n", i+1, i/6, i/2%3, 40+40*(i%2))
	}
	return s.String()
}

// bent returns the means of the candidates of screen: linear means plus deviations with standard deviation off.
func bent(off float64, seed uint64) []float64 {
	means := make([]float64, 24)
	rnd := rand.New(rand.NewPCG(24, seed))
	for i := range means {
		means[i] = 60 + 3*float64(i/6) - 2*float64(i/2%3) + 1.5*float64(i%2) + off*rnd.NormFloat64()
	}
	return means
}

// falsified measures a campaign until it ends or its certificate is withdrawn.
func falsified(t *testing.T, c *Campaign, means []float64, sd float64, slip bool, rnd *rand.Rand) Status {
	p, err := c.Problem()
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	for range 400 {
		tickets := ask(t, c, 12)
		var results []Result
		for _, k := range tickets {
			y := means[p.Candidate(k.Arm)] + sd*rnd.NormFloat64()
			if made++; slip && made == 20 {
				y = math.Round(y*10) / 100
			}
			results = append(results, Result{Ticket: k.Ticket, Values: []float64{y}})
		}
		if len(results) == 0 {
			break
		}
		tell(t, c, results...)
		if s := status(t, c); s.Evidence.Withdrawn() {
			return s
		}
	}
	return status(t, c)
}
