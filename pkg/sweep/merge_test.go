package sweep_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/sweep"
)

func contains(text, part string) bool { return strings.Contains(text, part) }

func outline(t testing.TB, g *mc.Grid) *sweep.Outline {
	t.Helper()
	o, err := sweep.OutlineOf(g)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// merged returns the output of Merge for the files.
func merged(o *sweep.Outline, paths ...string) (string, error) {
	var b bytes.Buffer
	err := o.Merge(&b, paths...)
	return b.String(), err
}

// shards writes the files of all shards of g.
func shards(t testing.TB, g *mc.Grid, n int) (paths []string) {
	for i := 1; i <= n; i++ {
		paths = append(paths, stream(t, g, mc.Shard{I: i, N: n}))
	}
	return paths
}

// For any number of shards, merging all shards in any order gives the file of one process, even if shards of other
// divisions are added.
func TestMerge(t *testing.T) {
	g := toy(7)
	o := outline(t, g)
	whole := content(t, stream(t, g, mc.Shard{}))
	var all []string
	for n := 1; n <= 7; n++ {
		paths := shards(t, g, n)
		slices.Reverse(paths)
		got, err := merged(o, paths...)
		if err != nil || got != whole {
			t.Errorf("%d shards: error %v, %d bytes; want %d", n, err, len(got), len(whole))
		}
		all = append(all, paths...)
	}
	if got, err := merged(o, all...); err != nil || got != whole {
		t.Errorf("all divisions: error %v, %d bytes; want %d", err, len(got), len(whole))
	}
	// An incomplete file can be merged if other files contain the missing rows.
	half := stream(t, g, mc.Shard{})
	write(t, half, whole[:len(whole)/2])
	if got, err := merged(o, append(all[1:3:3], half)...); err != nil || got != whole {
		t.Errorf("with half a file: error %v, %d bytes; want %d", err, len(got), len(whole))
	}
	if n := strings.Count(whole, "\n") - 1; o.Rows(mc.Shard{}) != n || n != 4*7+2 {
		t.Errorf("%d rows are outlined; want %d", o.Rows(mc.Shard{}), n)
	}
}

// seal returns a changed line with a valid checksum.
func seal(line string) string {
	body := line[:strings.LastIndex(line, `,"crc":`)]
	return fmt.Sprintf(`%s,"crc":"%08x"}`, body, crc32.ChecksumIEEE([]byte(body)))
}

func TestMergeRefuses(t *testing.T) {
	g := toy(5)
	o := outline(t, g)
	paths := shards(t, g, 2)
	good := content(t, paths[1])
	lines := strings.Split(strings.TrimSuffix(good, "\n"), "\n")
	other := *g
	other.Seed = 2
	changed := func(n int, old, new string) string {
		l := slices.Clone(lines)
		if !contains(l[n], old) {
			t.Fatalf("line %d has no %s: %s", n+1, old, l[n])
		}
		l[n] = seal(strings.Replace(l[n], old, new, 1))
		return strings.Join(l, "\n") + "\n"
	}
	for _, c := range []struct {
		name, text string
		err        error
		says       []string
	}{
		{"a shard is missing", "", sweep.ErrGap, []string{"replicate 1 of once at delta 0.1 on easy"}},
		{"the last row is missing", strings.Join(lines[:len(lines)-1], "\n") + "\n", sweep.ErrGap,
			[]string{"replicate 3 of ten times at delta 0.1 on <hard>"}},
		{"the last line is cut", good[:len(good)-9], sweep.ErrGap, []string{"replicate 3"}},
		{"a row in the middle is missing", strings.Join(slices.Delete(slices.Clone(lines), 2, 3),
			"\n") + "\n", sweep.ErrRows, []string{":3:", "replicate 1 of ten times", "expected replicate"}},
		{"two rows changed places",
			strings.Join([]string{lines[0], lines[2], lines[1]}, "\n") + "\n", sweep.ErrRows,
			[]string{":2:"}},
		{"a digit was changed", strings.Replace(good, `"pulls":6`, `"pulls":5`, 1), sweep.ErrRows,
			[]string{":2:"}},
		{"a row of another replicate", changed(2, `"rep":1,`, `"rep":11,`), sweep.ErrRows, []string{":3:"}},
		{"a row too many", good + lines[len(lines)-1] + "\n", sweep.ErrRows,
			[]string{"after the last row of shard 2/2"}},
		{"another seed", content(t, stream(t, &other, mc.Shard{I: 2, N: 2})), sweep.ErrGrid,
			[]string{":1:", "seed is 2; expected 1"}},
		{"another code", changed(0, `"code":"`, `"code":"f`), sweep.ErrGrid, []string{":1:", "the code is"}},
		{"another study", changed(0, `"study":"toy`, `"study":"boy`), sweep.ErrGrid, []string{"study is"}},
		{"other settings", changed(0, `"digest":"`, `"digest":"f`), sweep.ErrGrid,
			[]string{"easy differs from the instance in this grid: means"}},
		{"no shard", changed(0, `"shard":"2/2"`, `"shard":"3/2"`), sweep.ErrGrid, []string{"3/2"}},
		{"another format", changed(0, `"purexp rows"`, `"purexp rose"`), sweep.ErrGrid,
			[]string{"purexp rose"}},
		{"another version", changed(0, `"version":2`, `"version":3`), sweep.ErrGrid, []string{"version"}},
		{"no rows file", "seed,pulls\n1,2\n", sweep.ErrGrid, []string{"not a valid header"}},
		{"an empty file", "-", sweep.ErrRows, []string{"no complete line"}},
	} {
		path := paths[1]
		files := paths
		switch c.text {
		case "":
			files = paths[:1]
		case "-":
			write(t, path, "")
		default:
			write(t, path, c.text)
		}
		_, err := merged(o, files...)
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		t.Run(c.name, func(t *testing.T) { wants(t, err, c.err, c.says...) })
	}
	// Two files contain the same row with different contents and valid checksums.
	write(t, paths[1], good)
	twin := stream(t, g, mc.Shard{I: 2, N: 2})
	write(t, twin, changed(3, `"pulls":4`, `"pulls":7`))
	_, err := merged(o, paths[0], paths[1], twin)
	wants(t, err, sweep.ErrDisagree, paths[1], twin, "replicate 1 of once at delta 0.1 on <hard>")
	// Remove the row that would be last in the merged file.
	first := content(t, paths[0])
	write(t, paths[0], first[:strings.LastIndex(first[:len(first)-1], "\n")+1])
	_, err = merged(o, paths...)
	wants(t, err, sweep.ErrGap, "replicate 4 of ten times at delta 0.1 on <hard>")
	write(t, paths[0], first)
	if _, err := merged(o, paths[0], t.TempDir()+"/nothing"); !os.IsNotExist(unwrapped(err)) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func unwrapped(err error) error {
	for {
		u, ok := err.(interface{ Unwrap() error })
		if !ok {
			return err
		}
		if _, isPath := err.(*os.PathError); isPath {
			return err
		}
		err = u.Unwrap()
	}
}

// A file cut at any byte is valid up to the cut, and complete only with its end.
func TestCheckCut(t *testing.T) {
	g := toy(1)
	o := outline(t, g)
	s := mc.Shard{I: 1, N: 1}
	path := stream(t, g, s)
	whole := content(t, path)
	for n := len(whole) % 3; n <= len(whole); n += 3 {
		write(t, path, whole[:n])
		p, err := o.Check(path, s)
		if err != nil || p.Fault != nil {
			t.Fatalf("%d of %d bytes: %v, %v", n, len(whole), err, p.Fault)
		}
		lines := strings.Count(whole[:n], "\n")
		if n+1 < len(whole) && whole[n] == '\n' {
			lines++ // the line lacks only its newline
		}
		if n == len(whole)-1 {
			continue // the last line lacks only its newline
		}
		if want := max(lines-1, 0); p.Rows != want || p.Complete != (n == len(whole)) {
			t.Fatalf("%d of %d bytes: %+v; want %d rows", n, len(whole), p, want)
		}
	}
	// The file belongs to another shard, or has additional text at the end.
	if p, err := o.Check(path, mc.Shard{I: 2, N: 2}); err != nil || p.Complete ||
		!contains(fmt.Sprint(p.Fault), "the header belongs to shard 1/1; expected shard 2/2") {
		t.Errorf("another shard: %+v, %v", p, err)
	}
	write(t, path, whole+"{")
	if p, err := o.Check(path, s); err != nil || p.Complete || p.Rows != o.Rows(s) {
		t.Errorf("with a torn line: %+v, %v", p, err)
	}
}
