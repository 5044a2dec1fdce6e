package sweep_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/internal/jsonl"
	"github.com/purexp/purexp/pkg/mc"
)

// BenchmarkMerge merges 16 shards of rows such as a study of 20 arms has: 200 thousand, or
// PUREXP_MERGE_ROWS. It reports how much memory the process took at most, where /proc says so.
func BenchmarkMerge(b *testing.B) {
	rows := 200_000
	if n, err := strconv.Atoi(os.Getenv("PUREXP_MERGE_ROWS")); err == nil {
		rows = n
	}
	const cells, parts = 5, 16
	g := toy(rows / cells)
	g.Cells[0].Method.Reps = 0
	o := outline(b, g)
	var paths []string
	for i := 1; i <= parts; i++ {
		part := *g
		part.Shard = mc.Shard{I: i, N: parts}
		h, err := part.Header()
		if err != nil {
			b.Fatal(err)
		}
		path := filepath.Join(b.TempDir(), strconv.Itoa(i))
		synthetic(b, path, h, i-1, rows/cells, parts)
		paths = append(paths, path)
	}
	out, err := os.Create(filepath.Join(b.TempDir(), "all"))
	if err != nil {
		b.Fatal(err)
	}
	defer out.Close()
	b.ReportAllocs()
	start := time.Now()
	for b.Loop() {
		if _, err := out.Seek(0, io.SeekStart); err != nil {
			b.Fatal(err)
		}
		if err := o.Merge(out, paths...); err != nil {
			b.Fatal(err)
		}
	}
	size, err := out.Seek(0, io.SeekCurrent)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(rows*b.N)/time.Since(start).Seconds(), "rows/s")
	b.ReportMetric(float64(size)/1e6, "MB")
	if peak := peakMemory(); peak > 0 {
		b.ReportMetric(peak, "peak-MB")
	}
}

// synthetic writes a file of rows that nobody simulated.
func synthetic(b *testing.B, path string, h mc.Header, first, reps, step int) {
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	put := func(v any) {
		line, err := jsonl.Encode(v)
		if err == nil {
			_, err = w.Write(line)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	put(h)
	pulls := make([]int, 20)
	for rep := first; rep < reps; rep += step {
		for i := range h.Cells {
			c := &h.Cells[i]
			for k := range pulls {
				pulls[k] = 100 + (rep*7+k*13)%900
			}
			put(mc.Row{Study: h.Study, Seed: h.Seed, Instance: c.Instance, Method: c.Method,
				Constants: c.Constants, Delta: c.Delta, Rep: rep, Pulls: 10000, Rounds: 17,
				Status: "stopped", Correct: true, Items: []int{3, 4},
				Classes: "OODDDDDDDDDDDDDDDDDD", ArmPulls: pulls})
		}
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
}

// peakMemory returns the largest resident memory of this process so far, in megabytes.
func peakMemory() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	var kb float64
	_, _ = fmt.Sscan(rest, &kb)
	return kb / 1000
}
