package report

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
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

// What is said of every method, for every question that it can answer.
func TestUncheckedOfAll(t *testing.T) {
	const second, bound = "[[objective]]\nname = \"purity\"\nnoise = { sd = 1 }\n", "at_least = 3\n"
	var lines []string
	for _, find := range []string{"best", "top", "good", "pareto", "feasible"} {
		for _, more := range []string{"", bound, second, second + bound} {
			for _, count := range []string{"", "count = 1\n", "count = 2\n"} {
				text := "[question]\nfind = \"" + find + "\"\ndelta = 0.1\n" + count + "[candidates]\nnames = [\"a\", \"b\", \"c\"]\n" +
					"[[objective]]\nname = \"yield\"\nnoise = { sd = 1 }\n" + more
				if find == "good" {
					text = strings.Replace(text, "sd = 1 }\n", "sd = 1 }\ntolerance = 2\n", 1)
				}
				p, err := problem.Parse("p.toml", []byte(text), nil)
				if err != nil {
					continue
				}
				for _, p.Method.Name = range p.Methods() {
					c, err := p.Compile()
					if err != nil {
						continue
					}
					says := "a program checks it"
					if why := unchecked(p, c); why != "" {
						says = why
					}
					lines = append(lines, strings.Join([]string{find, strings.ReplaceAll(count+more, "\n", " "), p.Method.Name, says}, ", "))
				}
			}
		}
	}
	golden.Digests(t, "unchecked.txt", lines, golden.Before(","))
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
