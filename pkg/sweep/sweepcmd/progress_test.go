package sweepcmd

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/sweep"
)

// The log of a shard has a line at its beginning and at its end, with the time, the number of the shard and how far it
// is; those in between are a minute apart.
func TestProgress(t *testing.T) {
	var b strings.Builder
	tell := progress(&b, 7)
	tell(1, 10, time.Second)
	tell(2, 10, 2*time.Second)
	tell(10, 10, 3*time.Second)
	want := `^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d shard 7: 1 of 10 runs\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d shard 7: 10 of 10 runs\n$`
	if !regexp.MustCompile(want).MatchString(b.String()) {
		t.Errorf("%q; want %s", b.String(), want)
	}
}

// Paths are shown as they are typed in a shell.
func TestWord(t *testing.T) {
	for _, path := range []string{"big", "/a/b-c_d.e,f:g@h+i=j", "ä"} {
		if got := word(path); got != path {
			t.Errorf("%s: %s", path, got)
		}
	}
	for _, c := range " \t$&;|<>()*?[]{}#~!`" {
		if path := "a" + string(c) + "b"; word(path) != `"`+path+`"` {
			t.Errorf("%q: %s", path, word(path))
		}
	}
}

// A shard that is not finished has a line, and what there is to say of it stands below if it has several.
func TestShow(t *testing.T) {
	var b strings.Builder
	show(&b, &sweep.Status{Study: "own", Shards: []sweep.ShardStatus{
		{Shard: 1, State: sweep.Finished, Rows: 7, Want: 7}, {Shard: 2, State: sweep.Running, Rows: 3, Want: 7, Why: "process 1 on n7"},
		{Shard: 12, State: sweep.Failed, Rows: 7, Want: 7, Why: "one\ntwo"}, {Shard: 1234, State: sweep.Missing, Want: 6}}})
	if want := "own: of 4 shards 1 finished, 1 running, 1 failed, 1 missing\n" +
		"     2  running  3 of 7 rows  process 1 on n7\n    12  failed   7 of 7 rows  one\n        two\n  1234  missing  0 of 6 rows\n"; b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}
