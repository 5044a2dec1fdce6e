package linfact

import (
	"fmt"
	"strings"
	"time"

	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// timing contains the duration of a run of a method in seconds, by setting; index 0 is setting 1.
type timing struct {
	method, constants string
	seconds           [Settings]float64
}

// publishedSeconds contains the durations in Table 2 of the paper.
var publishedSeconds = []timing{
	{LinFACTG, Theory, [Settings]float64{.028, .030, .028, .078, .078, .076, .005, .007, .009}},
	{LinFACTXY, Theory, [Settings]float64{.037, .038, .038, .163, .155, .145, .015, .028, .049}},
	{BayesGap, "", [Settings]float64{.112, .110, .110, .306, .304, .307, .036, .071, .112}},
	{LinGIFA, Published, [Settings]float64{.313, .265, .236, 1.943, 1.484, 1.424, .160, .529,
		1.297}},
	{MLinGapE, Published, [Settings]float64{.195, .166, .157, 1.362, 1.053, .984, .116, .352,
		.932}},
	{LazyTTS, Published, [Settings]float64{.991, 3.904, 12.512, 24.583, 26.941, 25.622, .198, .871,
		2.164}},
	{KGCB, "", [Settings]float64{1.990, 1.936, 1.670, 6.245, 6.611, 6.082, .303, .745, 1.386}},
}

// Runtimes measures the duration of a run on this machine; the table also shows the durations in
// Table 2 of the paper. Durations are means over the given number of runs in each setting. Runtimes
// makes one run at a time, each on a different draw.
func Runtimes(runs int) (*tidy.Table, error) {
	t := &tidy.Table{
		Title:   "Milliseconds per run: here (paper, Table 2)",
		Columns: tidy.Columns("method"),
		Notes: []string{
			fmt.Sprintf("Means over %d draws of each setting, one run at a time, including the time to draw "+
				"rewards. Ratios to the paper's times compare machines as well as programs.", runs),
			"BayesGap and KGCB make 2000 pulls. At the time per pull of public code, the paper's times of LinFACT, " +
				"BayesGap and KGCB correspond to a few hundred pulls, not to the pulls of (21). Runs of Lazy TTS are " +
				"stopped after 50 000 pulls.",
		},
	}
	for setting := range Settings {
		t.Columns = append(t.Columns, tidy.Column{Name: fmt.Sprint("setting ", setting+1)})
	}
	for _, p := range publishedSeconds {
		row := []any{p.method}
		for setting := range Settings {
			ms, err := timed(p.method, p.constants, setting+1, runs)
			if err != nil {
				return nil, err
			}
			row = append(row, fmt.Sprintf("%.2g (%.0f)", ms, 1e3*p.seconds[setting]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// timed returns the mean duration of a run in milliseconds, over the first runs of the study with
// seed 1.
func timed(method, constants string, setting, runs int) (float64, error) {
	m, ok := Synthetic.Method(method, constants)
	if !ok {
		return 0, fmt.Errorf("linfact: no method %s", method)
	}
	took := time.Duration(0)
	for draw := range runs {
		in, err := Synthetic.At(setting, draw)
		if err != nil {
			return 0, err
		}
		start := time.Now()
		if _, err := Synthetic.Replay(m, in, setting, 0, nil); err != nil {
			return 0, err
		}
		took += time.Since(start)
	}
	return took.Seconds() * 1e3 / float64(runs), nil
}

// fasterByFive judges a claim of the paper by the paper's own table. The measured number is the
// smallest ratio, over settings, of a method's seconds to the seconds of a variant of LinFACT.
func fasterByFive(*study.Results) study.Verdict { return byFive(publishedSeconds) }

// byFive judges the claim of fasterByFive for a table whose first two rows are the variants of LinFACT.
func byFive(table []timing) study.Verdict {
	word := study.Between("at least five times faster", 5, 1e9, "the smallest ratio of times is at least 5")
	var cs []study.Condition
	for _, form := range table[:2] {
		for _, other := range table[2:] {
			least := other.seconds[0] / form.seconds[0]
			for s := range Settings {
				least = min(least, other.seconds[s]/form.seconds[s])
			}
			cs = append(cs, word.Of(study.Exact(strings.Join([]string{other.method, form.method}, " / "), least)))
		}
	}
	return study.All(cs...)
}
