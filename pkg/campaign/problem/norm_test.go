package problem

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
)

// A norm of 30 in the unit of the yield becomes (30 + 50 × sqrt(2))/2 in rewards for the means of two candidates, and
// (30 + 50)/2 for the coefficients of a constant and a feature. A reward of 0 is a yield of 50, and a reward of 1 is a
// yield of 52.
func TestNorm(t *testing.T) {
	const text = `[question]
find = "pareto"
delta = 0.1
[candidates]
names = ["A", "B"]
[[objective]]
name = "yield"
values = [0, 100]
noise = { sd = 2 }
norm = 30
[method]
name = "PFIwR"
`
	features := strings.Replace(text, `names = ["A", "B"]`, "file = 't.csv'\nfeatures = ['x']", 1)
	for _, x := range []struct {
		text string
		want float64
	}{{text, (30 + 50*math.Sqrt2) / 2}, {features, 40}} {
		c := compile(t, read(t, x.text, "name,x\nA,1\nB,2\n"))
		if got := c.Policy().(*policy.PFIwR).Norm; math.Abs(got-x.want) > 1e-12 {
			t.Errorf("norm %v; want %v", got, x.want)
		}
	}
	for _, norm := range []string{"", "norm = 0"} {
		p := read(t, strings.Replace(text, "norm = 30", norm, 1), "")
		if _, err := p.Compile(); !errors.Is(err, ErrUntrusted) ||
			!strings.Contains(err.Error(), ": objective[1].norm: the guarantee of PFIwR requires that "+
				"the norm of the list of all means has a known bound") {
			t.Errorf("%q: %v", norm, err)
		}
		if slices.Contains(p.Methods(), "PFIwR") {
			t.Errorf("%q: PFIwR is offered", norm)
		}
	}
	begins := strings.Replace(text, "{ sd = 2 }", "{ pilot = { rewards = 3, delta = 0.01 } }", 1)
	if _, err := read(t, begins, "").Compile(); !errors.Is(err, ErrUntrusted) ||
		!strings.Contains(err.Error(), "in units of the noise") {
		t.Errorf("a norm in units of unknown noise: %v", err)
	}
	for _, norm := range []string{"-1", "nan", "1e300"} {
		_, err := Parse("p.toml", []byte(strings.Replace(text, "= 30", "= "+norm, 1)), nil)
		if err == nil || !strings.Contains(err.Error(), "objective[1].norm: ") {
			t.Errorf("norm %s: %v", norm, err)
		}
	}
}

// Methods without a fixed-confidence guarantee for a set of candidates are rejected and not offered.
func TestUncertified(t *testing.T) {
	const text = "[question]\nfind = \"pareto\"\ndelta = 0.1\n[candidates]\nnames = [\"A\", \"B\"]\n" +
		"[[objective]]\nname = \"yield\"\nnoise = { sd = 2 }\n"
	p := read(t, text, "")
	names, refused := p.Methods(), 0
	for _, make := range policy.Catalogue() {
		card := make().Card()
		if card.Kind == explore.FixedConfidence && card.Certifies >= explore.CertifiesSet {
			continue
		}
		refused++
		if _, err := p.CompileFor(card.Name); err == nil || slices.Contains(names, card.Name) {
			t.Errorf("%s has no certificate: error %v, offered %v", card.Name, err, slices.Contains(names, card.Name))
		}
	}
	if _, err := p.CompileFor("PSIPS"); refused < 8 || !errors.Is(err, ErrUntrusted) {
		t.Errorf("%d methods are rejected, PSIPS with %v", refused, err)
	}
}
