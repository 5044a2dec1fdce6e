package policy_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
)

// The table of methods in docs/methods.md agrees with the cards of the catalogue, and each card
// cites a paper of REFERENCES.bib by its authors and year. PATHS=write writes the table.
func TestTables(t *testing.T) {
	bib, err := os.ReadFile("../../REFERENCES.bib")
	if err != nil {
		t.Fatal(err)
	}
	const file, begin, end = "../../docs/methods.md",
		"<!-- methods: written by PATHS=write go test -run TestTables ./pkg/policy -->\n", "<!-- end of methods -->\n"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	now := head + begin + markdown(t, references(string(bib))) + end + tail
	if !ok || !ok2 {
		t.Errorf("%s: no table between %q and %q", file, begin, end)
	} else if os.Getenv("PATHS") == "write" {
		err = os.WriteFile(file, []byte(now), 0o666)
	} else if now != string(text) {
		t.Errorf("%s differs from policy.Catalogue: PATHS=write go test -run TestTables ./pkg/policy", file)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// markdown returns the tables of docs/methods.md, one for each question. A method is listed under
// its first question.
func markdown(t *testing.T, refs map[string]reference) string {
	tables, order := map[string]string{}, []string(nil)
	escape := strings.NewReplacer("*", `\*`, "|", `\|`)
	for _, entry := range policy.Catalogue() {
		m, name := entry().Card(), explore.TypeName(entry())
		ref := refs[m.Key]
		if cites := strings.Join(ref.authors, ", ") + " " + ref.year; ref.title == "" || !strings.Contains(m.Source, cites) {
			t.Errorf("%s: the source is %q; %q in REFERENCES.bib has the title %q and is %q", name, m.Source, m.Key,
				ref.title, cites)
		}
		first, _, _ := strings.Cut(m.Questions(), "; ")
		if tables[first] == "" {
			order = append(order, first)
			tables[first] = "\n### " + strings.ToUpper(first[:1]) + first[1:] + "\n\n" +
				"| method | kind | evidence | guarantee | rests on | source |\n" +
				"|---|---|---|---|---|---|\n"
		}
		tables[first] += fmt.Sprintf("| `%s` | %v | %v | %s | %s | %s |\n", name, m.Kind, m.Evidence,
			escape.Replace(m.Guarantee()), m.Assumes(), escape.Replace(m.Source))
	}
	var b strings.Builder
	for _, question := range order {
		b.WriteString(tables[question])
	}
	return b.String() + "\n"
}

// A reference is an entry of REFERENCES.bib.
type reference struct {
	authors     []string // surnames
	title, year string
}

var (
	entry = regexp.MustCompile(`(?m)^@\w+\{(\w+),`)
	field = regexp.MustCompile(`(?ms)^\s*(author|title|year)\s*=\s*\{(.*?)\},$`)
	latex = strings.NewReplacer(`{\'e}`, "é", `{\"u}`, "ü", `{\"o}`, "ö",
		`$\varepsilon$`, "ε", `$\epsilon$`, "ε", `\&`, "&", "{", "", "}", "")
)

// references parses a bibliography and returns its entries by key. An author is "Surname, First".
func references(bib string) map[string]reference {
	refs := map[string]reference{}
	starts := entry.FindAllStringSubmatchIndex(bib, -1)
	for i, s := range starts {
		end := len(bib)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		var r reference
		for _, f := range field.FindAllStringSubmatch(bib[s[0]:end], -1) {
			switch text := strings.Join(strings.Fields(latex.Replace(f[2])), " "); f[1] {
			case "author":
				for _, name := range strings.Split(text, " and ") {
					surname, _, _ := strings.Cut(name, ",")
					r.authors = append(r.authors, surname)
				}
			case "title":
				r.title = text
			case "year":
				r.year = text
			}
		}
		refs[bib[s[2]:s[3]]] = r
	}
	return refs
}
