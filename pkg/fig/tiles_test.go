package fig

import (
	"strings"
	"testing"
)

func tileMap() TileMap {
	return TileMap{
		Title: "Who is first", XLabel: "speed", YLabel: "weight", X: []string{"1", "2", "3"},
		Y:       []string{"a", "b"},
		Classes: []string{"ann", "bob"},
		Panels: []TilePanel{{
			Title: "by day", Text: [][]string{{"1.0", "2.0", "3"}, {"4", "5", "6"}},
			Class: [][]int{{0, 1, 1}, {0, 0, 0}},
		}, {
			Title: "by night", Text: [][]string{{"1", "2", "3"}, {"4", "5", "6"}},
			Class: [][]int{{1, 1, 1}, {1, 1, 1}},
		}},
	}
}

func TestTiles(t *testing.T) {
	f := must(Tiles(tileMap()))
	for _, want := range []string{"by day: ann: 4 tiles; bob: 2 tiles.",
		"by night: ann: 0 tiles; bob: 6 tiles."} {
		if !strings.Contains(f.Description, want) {
			t.Errorf("%q does not say %q", f.Description, want)
		}
	}
	if len(f.Panels) != 2 || len(f.Legend) != 2 {
		t.Errorf("%d panels, %d entries", len(f.Panels), len(f.Legend))
	}
	for want, spoil := range map[string]func(*TileMap){
		"row 1":                        func(m *TileMap) { m.Panels[0].Text[1] = m.Panels[0].Text[1][:2] },
		"1 of text":                    func(m *TileMap) { m.Panels[1].Text = m.Panels[1].Text[:1] },
		"row 0: 3 texts and 2 classes": func(m *TileMap) { m.Panels[0].Class[0] = m.Panels[0].Class[0][:2] },
		"2 of text and 1 of classes":   func(m *TileMap) { m.Panels[1].Class = m.Panels[1].Class[:1] },
		"class -1":                     func(m *TileMap) { m.Panels[0].Class[1][0] = -1 },
		"class 2":                      func(m *TileMap) { m.Panels[0].Class[0][2] = 2 },
		"at most 4":                    func(m *TileMap) { m.Classes = make([]string, 5) },
	} {
		m := tileMap()
		spoil(&m)
		if _, err := Tiles(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}
