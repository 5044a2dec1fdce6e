package report

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

// The methods of which a page says that a program without purexp checks them are those that the program
// knows.
func TestChecked(t *testing.T) {
	var known []string
	for _, path := range []string{"../../../docs/check_certificate.py", "../../../docs/check_linear.py"} {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		rules := regexp.MustCompile(`(?m)^RULES = \{(.*)\}`).FindStringSubmatch(string(b))
		if rules == nil {
			t.Fatalf("%s has no line of RULES", path)
		}
		for _, name := range regexp.MustCompile(`"([^"]+)":`).FindAllStringSubmatch(rules[1], -1) {
			known = append(known, name[1])
		}
	}
	want := slices.Sorted(slices.Values(checked))
	if slices.Sort(known); !slices.Equal(known, want) {
		t.Errorf("the program knows %q, the page speaks of %q", known, want)
	}
}

// A norm is declared, however small; on a page without room what is not decided stands before what is not in the answer.
func TestDeclaredNormAndRanks(t *testing.T) {
	for _, norm := range []string{"0.5", "12"} {
		p, err := problem.Parse("p.toml", []byte("question = { find = \"best\", delta = 0.05 }\n[candidates]\nfile = \"c.csv\"\nfeatures = [\"x\"]\n"+
			"[[objective]]\nname = \"y\"\nnoise = { sd = 1 }\nnorm = "+norm+"\n"),
			func(string) ([]byte, error) { return []byte("name,x\na,1\nb,2\nc,3\n"), nil })
		if err != nil {
			t.Fatal(err)
		}
		c, err := p.Compile()
		if err != nil {
			t.Fatal(err)
		}
		if got := declared(p, c, &campaign.Status{}); !slices.Contains(got, Declaration{"norm of y", "at most " + norm}) {
			t.Errorf("norm %s: %v", norm, got)
		}
	}
	list := []campaign.ArmStatus{{Arm: "out", Class: explore.Dominated}, {Arm: "open", Class: explore.Undecided}, {Arm: "in", Chosen: true}}
	slices.SortFunc(list, func(a, b campaign.ArmStatus) int { return rank(&a) - rank(&b) })
	if list[0].Arm != "in" || list[1].Arm != "open" {
		t.Errorf("%+v", list)
	}
}
