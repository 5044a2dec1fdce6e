package web

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
)

// The page about the API has every operation that OpenAPI has, with what is sent, loads nothing
// from elsewhere, and is closed to strangers.
func TestManual(t *testing.T) {
	s, _ := served(t, Access{Loopback: true})
	var api struct {
		Paths map[string]map[string]struct{ Summary string }
	}
	if err := json.Unmarshal(asked(s, "GET", "/openapi.json", "").Body.Bytes(), &api); err != nil {
		t.Fatal(err)
	}
	w := asked(s, "GET", "/docs", "")
	page := w.Body.String()
	if len(api.Paths) < 10 || w.Code != 200 {
		t.Fatal(w.Code, len(api.Paths))
	}
	golden.Check(t, "manual.html", golden.Steady(page))
	for path, by := range api.Paths {
		for method, o := range by {
			if !strings.Contains(page, "<h2>"+strings.ToUpper(method)+" "+path+"</h2>\n<p>"+o.Summary+".") {
				t.Errorf("the page lacks %s %s", method, path)
			}
		}
	}
	for _, want := range []string{`<td class="name">unless_odd</td>`, `<a href="#type-Result">list of Result</a>`,
		`id="type-Result"`, "number or string", "required", "422"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if strings.Contains(page, "http://") || strings.Contains(page, "https://") || strings.Contains(page, "<script") {
		t.Error("the page loads something")
	}
	closed, _ := served(t, Access{Token: strings.Repeat("x", 40)})
	if w := asked(closed, "GET", "/docs", ""); w.Code != 401 {
		t.Errorf("a stranger got %d", w.Code)
	}
}
