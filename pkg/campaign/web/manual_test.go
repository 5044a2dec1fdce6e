package web

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// The page about the API has every operation that OpenAPI has, with what is sent, loads nothing
// from elsewhere, and is closed to strangers.
func TestManual(t *testing.T) {
	s, _ := served(t, Access{Loopback: true})
	var api struct {
		Paths      map[string]map[string]struct{ Summary string }
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(asked(s, "GET", "/openapi.json", "").Body.Bytes(), &api); err != nil {
		t.Fatal(err)
	}
	w := asked(s, "GET", "/docs", "")
	page := w.Body.String()
	if len(api.Paths) < 10 || w.Code != 200 {
		t.Fatal(w.Code, len(api.Paths))
	}
	for path, by := range api.Paths {
		for method, o := range by {
			if n := strings.Count(page, "<h2>"+strings.ToUpper(method)+" "+path+"</h2>\n<p>"+o.Summary+"."); n != 1 {
				t.Errorf("the page has %s %s %d times", method, path, n)
			}
		}
	}
	for _, link := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if n := strings.Count(page, `id="`+link[1]+`"`); n != 1 {
			t.Errorf("the page has %s %d times", link[1], n)
		}
	}
	for name := range api.Components.Schemas {
		if n := strings.Count(page, `id="type-`+name+`"`); n > 1 {
			t.Errorf("the page has the type %s %d times", name, n)
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
