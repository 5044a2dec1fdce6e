package published

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/purexp/purexp/pkg/internal/jsonl"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// ErrStale reports that published rows differ from the rows that this code computes.
var ErrStale = errors.New("the published rows differ from the rows that this code computes")

// Sample selects the published rows that Verify simulates again.
type Sample struct {
	// Share is the fraction of the rows of each method that are drawn at random; at least one row
	// of each method is drawn. A row that takes 100 times as long as another is drawn a tenth as
	// often. Therefore, the drawn rows take at most the fraction Share of the total time. If Share
	// is 1, all rows are drawn.
	Share float64
	// Seed is the seed of the random draw.
	Seed uint64
	// If Progress is not nil, it is called after each row, with the same arguments as
	// mc.Grid.Progress.
	Progress func(done, total int, elapsed time.Duration)
}

// Verify simulates a sample of the published rows of an experiment again, and compares the rows
// byte for byte. Verify also checks that the file matches the current definition of the experiment,
// with all replicates. Verify returns the number of compared rows and the number of all rows. If
// there is a difference, the error wraps ErrStale and lists the differences.
func Verify(ctx context.Context, s study.Study, o Sample) (compared, all int, err error) {
	rows, g, err := current(s)
	if err != nil {
		return 0, len(rows), err
	}
	g.Progress = o.Progress
	sample := o.draw(rows)
	compared, err = compare(ctx, g, sample)
	return compared, len(rows), err
}

// Current returns an error if the published rows of an experiment do not match its definition:
// settings, instances and numbers of replicates. Unlike Verify, Current does not simulate runs.
func Current(s study.Study) error {
	_, _, err := current(s)
	return err
}

// current returns the published rows of a study with their grid. If the rows are not those of the
// complete grid, current returns an error.
func current(s study.Study) (rows []mc.Row, g *mc.Grid, err error) {
	rows, h, err := Read(s)
	if err != nil {
		return nil, nil, err
	}
	if g, err = s.Grid(study.Options{Seed: h.Seed}); err != nil {
		return rows, nil, err
	}
	want, reps, err := g.Describe()
	if err != nil {
		return rows, nil, err
	}
	stale := func(format string, a ...any) ([]mc.Row, *mc.Grid, error) {
		return rows, nil, fmt.Errorf("published: %s: %w: %s; simulate them again with 'purexp reproduce %s'",
			s.Name, ErrStale, fmt.Sprintf(format, a...), s.Name)
	}
	if what := h.Differ(&want); what != "" {
		return stale("%s", what)
	}
	have := make(map[mc.Key]int, len(reps))
	for i := range rows {
		have[rows[i].Key()]++
	}
	for i := range want.Cells {
		if k := want.Cells[i].Key(); have[k] != reps[k] {
			return stale("%d replicates of %v; the experiment has %d", have[k], k, reps[k])
		}
	}
	return rows, g, nil
}

// draw returns a random sample of rows, in their original order.
func (o Sample) draw(rows []mc.Row) []mc.Row {
	if o.Share >= 1 {
		return rows
	}
	type method struct{ name, constants string }
	of := map[method][]int{}
	var methods []method
	for i := range rows {
		m := method{rows[i].Method, rows[i].Constants}
		if of[m] == nil {
			methods = append(methods, m)
		}
		of[m] = append(of[m], i)
	}
	rnd := rand.New(rand.NewPCG(o.Seed, 0))
	var picked []int
	for _, m := range methods {
		own := of[m]
		n := max(1, int(math.Round(o.Share*float64(len(own)))))
		picked = append(picked, weighted(rnd, own, rows)[:min(n, len(own))]...)
	}
	slices.Sort(picked)
	sample := make([]mc.Row, len(picked))
	for i, at := range picked {
		sample[i] = rows[at]
	}
	return sample
}

// weighted sorts own, a list of row indices, into the order of a random draw without replacement.
// The probability of a row is proportional to 1/sqrt(cost). If each row is equally likely to be
// wrong, probabilities proportional to 1/sqrt(cost) minimise the expected time until wrong rows are
// found. Sorting by exponential waiting times is equivalent to a weighted draw without replacement.
func weighted(rnd *rand.Rand, own []int, rows []mc.Row) []int {
	wait := make(map[int]float64, len(own))
	for _, i := range own {
		wait[i] = rnd.ExpFloat64() * math.Sqrt(float64(cost(&rows[i])))
	}
	slices.SortFunc(own, func(i, j int) int { return cmp.Compare(wait[i], wait[j]) })
	return own
}

// compare simulates rows of g again, and compares the results. Rows that were not simulated before
// ctx was cancelled are omitted.
func compare(ctx context.Context, g *mc.Grid, rows []mc.Row) (compared int, err error) {
	places := make([]mc.Place, len(rows))
	for i := range rows {
		places[i] = mc.Place{Key: rows[i].Key(), Rep: rows[i].Rep}
	}
	again, err := g.Replicate(ctx, places...)
	const most = 5 // largest number of differences to list
	var errs []error
	differ := 0
	for i := range again {
		what, e := difference(&rows[i], &again[i])
		if e != nil {
			return i, e
		}
		if what == "" {
			continue
		}
		if differ++; differ <= most {
			errs = append(errs, fmt.Errorf("published: %w: replicate %d of %v: %s", ErrStale,
				rows[i].Rep, rows[i].Key(), what))
		}
	}
	if differ > most {
		errs = append(errs, fmt.Errorf("published: %d more of %d rows differ", differ-most, len(again)))
	}
	return len(again), errors.Join(append(errs, err)...)
}

// difference describes how a published row differs from the new row, or returns "" if both encode
// to the same bytes.
func difference(was, now *mc.Row) (string, error) {
	a, err := jsonl.Encode(was)
	if err != nil {
		return "", err
	}
	b, err := jsonl.Encode(now)
	if err != nil {
		return "", err
	}
	if string(a) == string(b) {
		return "", nil
	}
	return fmt.Sprintf("published %s now %s", short(a), short(b)), nil
}

// short returns an encoded row without the fields that identify the run.
func short(line []byte) string {
	const long = 300
	_, text, _ := strings.Cut(strings.TrimSpace(string(line)), `"pulls":`)
	if len(text) > long {
		text = text[:long] + " ..."
	}
	return `{"pulls":` + text
}

// Spot simulates the shortest published run of each method again, one after the other until ctx is
// cancelled, and returns the number of compared runs. If a run differs, the error wraps ErrStale.
// In a short time, Spot detects most changes of the code that affect rows. Verify detects the other
// changes too. Only Verify detects changes of bounds, because bounds can take seconds to compute.
func (p *Part) Spot(ctx context.Context) (compared int, err error) {
	type method struct{ name, constants string }
	shortest := map[method]mc.Row{}
	for _, r := range p.Rows {
		if study.IsBound(r) {
			continue
		}
		m := method{r.Method, r.Constants}
		if was, ok := shortest[m]; !ok || cost(&r) < cost(&was) {
			shortest[m] = r
		}
	}
	rows := slices.Collect(maps.Values(shortest))
	slices.SortFunc(rows, func(a, b mc.Row) int {
		if c := cost(&a) - cost(&b); c != 0 {
			return c
		}
		return strings.Compare(a.Key().String(), b.Key().String())
	})
	g := *p.grid
	g.Progress = nil
	compared, err = compare(ctx, &g, rows)
	if ctx.Err() != nil && !errors.Is(err, ErrStale) {
		err = nil // the context ended, but the runs that were compared agree
	}
	return compared, err
}

// cost estimates how long a run takes relative to other runs of the method: rounds times arms.
func cost(r *mc.Row) int { return max(1, r.Rounds) * max(1, len(r.ArmPulls)) }
