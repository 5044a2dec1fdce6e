package csvtable

import (
	"slices"
	"strings"
	"testing"
)

func TestMark(t *testing.T) {
	for _, text := range []string{"arm,x\n", Mark + "arm,x\n", Mark + "\"arm\",x\n"} {
		rec, err := NewReader(strings.NewReader(text)).Read()
		if err != nil || !slices.Equal(rec, []string{"arm", "x"}) {
			t.Errorf("%q: %q, %v", text, rec, err)
		}
	}
	if rec, err := NewReader(strings.NewReader("a")).Read(); err != nil || rec[0] != "a" {
		t.Errorf("a short table: %q, %v", rec, err)
	}
}

func TestHeader(t *testing.T) {
	names := []string{" a", "b ", "", ""}
	if err := Header(names); err != nil || !slices.Equal(names, []string{"a", "b", "", ""}) {
		t.Errorf("%q, %v", names, err)
	}
	err := Header([]string{"a", "b", "a "})
	want := `columns 1 and 3 are both called "a"`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v; want %q", err, want)
	}
}
