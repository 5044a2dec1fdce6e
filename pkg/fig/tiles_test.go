package fig

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
