package browser_test

import (
	"encoding/csv"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/web/internal/webtest"
)

// TestHostileNames: HTML and scripts in titles, units, names, notes and ids appear as text on the page, in its
// dialogs, in figures and in the report.
func TestHostileNames(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: a browser takes a while")
	}
	evil := []string{
		`<img src=x onerror="pwned=1">`, `"><script>pwned=1</script>`, `'-(pwned=1)-'`,
		`</title><svg onload=pwned=1>`, `javascript:pwned=1`, `<a href="//evil.example" autofocus onfocus=pwned=1>x</a>`,
		`{{constructor.constructor("pwned=1")()}}`, `]]><style>body{display:none}</style>`,
	}
	var table strings.Builder
	w := csv.NewWriter(&table)
	_ = w.Write([]string{"candidate"})
	for _, name := range evil {
		_ = w.Write([]string{name})
	}
	w.Flush()
	text := fmt.Sprintf(`title = %q
question = {find = "pareto", delta = 0.05}
candidates = {file = "c.csv"}
[[objective]]
name = %q
unit = %q
tolerance = 5
noise = {sd = 2}
[[objective]]
name = %q
goal = "minimise"
tolerance = 5
noise = {sd = 2}
`, evil[3], evil[0], evil[1], evil[2])
	p, err := problem.Parse("x.toml", []byte(text), func(string) ([]byte, error) {
		return []byte(table.String()), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := campaign.Create(filepath.Join(t.TempDir(), "x.campaign"), p, evil[0])
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var results []campaign.Result
	for i, name := range evil {
		for n := range 20 {
			results = append(results, campaign.Result{ID: fmt.Sprint(name, n), Arm: name,
				Values: []float64{float64(10 * i), float64(100 + 10*i)}, Note: evil[n%len(evil)]})
		}
	}
	if _, err := c.Tell(results, evil[1]); err != nil {
		t.Fatal(err)
	}
	if err := c.Drop(evil[7], evil[0], evil[5]); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Ask(3, evil[4]); err != nil {
		t.Fatal(err)
	}

	b := &page{t, browser(t)}
	url := webtest.Serve(t, c)
	b.do(chromedp.Navigate(url))
	b.until(`document.querySelector("#live.on") && document.getElementById("plane").alt !== ""`)
	clean := `typeof pwned === "undefined" && !document.querySelector("img[onerror], [onload], [onfocus], a[href*=evil]") &&
		getComputedStyle(document.body).display !== "none"`
	b.until(fmt.Sprintf(`[...document.querySelectorAll("#arms td.name")].some((e) => e.textContent.includes(%q))`, evil[0]))
	b.until(clean)
	b.do(click(`#extra-button`), chromedp.WaitVisible("#dialog"))
	b.until(fmt.Sprintf(`[...document.querySelectorAll("#dialog option")].some((e) => e.textContent.includes(%q))`, evil[1]))
	b.until(clean)
	b.shot("hostile")
	b.do(chromedp.Navigate(url + "/report"))
	b.until(fmt.Sprintf(`document.body.textContent.includes(%q)`, evil[0]))
	b.until(`[...document.images].every((i) => i.complete)`)
	b.until(clean + ` && !document.querySelector("script")`)
}
