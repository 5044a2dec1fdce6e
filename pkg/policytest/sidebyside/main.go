//go:build unix

// Command sidebyside runs published codes and the policies of this project on the same instances, in
// turn, and compares seconds of the processor: docs/side-by-side.md.
package main

import (
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study/rage"
)

// A race is a published method and the policy that does the same, on one instance.
type race struct {
	method, size string
	table        *mat.Dense // what the published code reads: means, or features
	last         float64    // delta or budget
	runs         int
	here         func() explore.Policy
	inst         *bandit.Instance
	perPull      bool // numbers of pulls differ with constants: what counts is the time of one
}

func main() {
	if err := compare(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "sidebyside:", err)
		os.Exit(1)
	}
}

func compare(ctx context.Context) error {
	compiled := flag.String("cpp", "", "`program` that side.cxx becomes, to compare with linear_psi")
	transductive := flag.String("rage", "", "`folder` of Transductive-Linear-Bandit-Code")
	good := flag.String("st2", "", "`folder` simulations of all_epsilon")
	python := flag.String("python", "python3", "`interpreter` with numpy")
	script := flag.String("script", "pkg/policytest/sidebyside/there/side.py", "`path` of side.py")
	repeats := flag.Int("repeats", 5, "how often each is timed, in turn")
	flag.Parse()
	dir, err := os.MkdirTemp("", "sidebyside")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Println("| method | instance | there | here | unit | times |")
	fmt.Println("|---|---|---:|---:|---|---:|")
	run := func(races []race, err error, command ...string) error {
		if err != nil {
			return err
		}
		for _, r := range races {
			if err := r.time(ctx, dir, *repeats, command); err != nil {
				return fmt.Errorf("%s, %s: %w", r.method, r.size, err)
			}
		}
		return nil
	}
	if *compiled != "" {
		if err := run(fronts(), nil, *compiled); err != nil {
			return err
		}
	}
	if *transductive != "" {
		races, err := benchmarks()
		if err := run(races, err, *python, *script, *transductive); err != nil {
			return err
		}
	}
	if *good != "" {
		return run(tolerances(), nil, *python, *script, *good)
	}
	return nil
}

// fronts are arms with two rates: of a hundred random tables the one whose least gap is largest, so
// that runs end.
func fronts() (races []race) {
	for _, k := range []int{5, 10, 20, 50} {
		rnd := rand.New(rand.NewPCG(1, uint64(k)))
		var mu *mat.Dense
		widest := 0.
		for range 100 {
			x := mat.NewDense(k, 2, nil)
			for i := range x.RawMatrix().Data {
				x.RawMatrix().Data[i] = .05 + .9*rnd.Float64()
			}
			if gap := slices.Min(pareto.Gaps(x)); gap > widest {
				mu, widest = x, gap
			}
		}
		law, err := bandit.NewBernoulli(mu)
		if err != nil {
			panic(err) // rates are between 0 and 1
		}
		prob := &explore.Problem{Arms: k, Objectives: 2, Sigma: .5, Question: question.Pareto{}}
		base := race{size: fmt.Sprintf("K = %d", k), table: mu, perPull: true,
			inst: &bandit.Instance{Name: "rates", Problem: prob, Law: law}}
		for _, x := range []struct {
			method string
			last   float64
			runs   int
			here   func() explore.Policy
		}{
			{"APE", .1, 1, func() explore.Policy { return &policy.APE{Delta: .1} }},
			{"Auer", .1, 1, func() explore.Policy { return &policy.AuerRacing{Delta: .1} }},
			{"EGE-SR", 5000, 50, func() explore.Policy { return &policy.EGESR{Budget: 5000} }},
			{"EGE-SH", 5000, 50, func() explore.Policy { return &policy.EGESH{Budget: 5000} }},
		} {
			r := base
			r.method, r.last, r.runs, r.here = x.method, x.last, x.runs, x.here
			races = append(races, r)
		}
	}
	return races
}

// benchmarks are those of RAGE's Fig. 1a with an angle of .1.
func benchmarks() (races []race, err error) {
	for _, d := range []int{5, 10} {
		inst, err := rage.BenchmarkInstance(d, .1)
		if err != nil {
			return nil, err
		}
		base := race{size: fmt.Sprintf("d = %d", d), table: inst.Problem.X, last: .05, runs: 1, inst: inst}
		for method, here := range map[string]func() explore.Policy{
			"RAGE":        func() explore.Policy { return policy.RAGEPrinted(.05) },
			"XY-static":   func() explore.Policy { return policy.XYStaticPrinted(.05) },
			"XY-adaptive": func() explore.Policy { return &policy.XYAdaptive{Delta: .05} },
		} {
			r := base
			r.method, r.here, r.perPull = method, here, method != "RAGE"
			races = append(races, r)
		}
	}
	slices.SortStableFunc(races, func(a, b race) int { return strings.Compare(a.method, b.method) })
	return races, nil
}

// tolerances ask for all good arms.
func tolerances() []race {
	const k = 10
	mu := mat.NewDense(k, 1, nil)
	for i := range k {
		mu.Set(i, 0, 1-.15*float64(i))
	}
	law, err := bandit.NewGaussian(mu, mat.NewDiagDense(1, []float64{1}))
	if err != nil {
		panic(err)
	}
	prob := &explore.Problem{Arms: k, Sigma: 1, Question: question.AllEpsilonBest{Epsilon: .1}}
	return []race{{method: "(ST)^2", size: "K = 10", table: mu, last: .1, runs: 1, perPull: true,
		here: func() explore.Policy { return &policy.ST2{Delta: .1} },
		inst: &bandit.Instance{Name: "good", Problem: prob, Law: law}}}
}

// time prints a row of medians.
func (r *race) time(ctx context.Context, dir string, repeats int, command []string) error {
	path := filepath.Join(dir, "table.csv")
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := csv.NewWriter(f)
	rows, _ := r.table.Dims()
	for i := range rows {
		var cells []string
		for _, v := range r.table.RawRowView(i) {
			cells = append(cells, strconv.FormatFloat(v, 'g', -1, 64))
		}
		if err := w.Write(cells); err != nil {
			return err
		}
	}
	w.Flush()
	if err := f.Close(); err != nil {
		return err
	}
	var there, here []float64
	for repeat := range repeats {
		args := append(slices.Clone(command[1:]), r.method, path, strconv.Itoa(r.runs),
			strconv.FormatFloat(r.last, 'g', -1, 64))
		out, err := exec.CommandContext(ctx, command[0], args...).Output()
		if err != nil {
			return err
		}
		var pulls, seconds float64
		if _, err := fmt.Sscan(string(out), &pulls, &seconds); err != nil {
			return fmt.Errorf("%q: %w", out, err)
		}
		there = append(there, r.unit(seconds, pulls))
		// The clock of the processor has steps: as many runs as take a tenth of a second.
		begun, n := processor(), 0
		pulls = 0
		for n == 0 || processor()-begun < .1 {
			res, err := explore.Run(r.here(), r.inst.Problem,
				r.inst.Sampler(seed.New(uint64(1+repeat)).Child("run", n)), nil)
			if err != nil {
				return err
			}
			pulls += float64(res.Pulls)
			n++
		}
		here = append(here, r.unit((processor()-begun)*float64(r.runs)/float64(n), pulls*float64(r.runs)/float64(n)))
	}
	a, b, unit := median(there), median(here), "ms a run"
	if r.perPull {
		unit = "ns a measurement"
	}
	fmt.Printf("| %s | %s | %.3g | %.3g | %s | %.1f |\n", r.method, r.size, a, b, unit, a/b)
	return nil
}

// unit returns nanoseconds a pull, or milliseconds a run.
func (r *race) unit(seconds, pulls float64) float64 {
	if r.perPull {
		return 1e9 * seconds / pulls
	}
	return 1e3 * seconds / float64(r.runs)
}

func median(x []float64) float64 {
	slices.Sort(x)
	if len(x)%2 == 1 {
		return x[len(x)/2]
	}
	return (x[len(x)/2-1] + x[len(x)/2]) / 2
}

// processor returns the seconds of it that this program has used; NaN if the system does not say.
func processor() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return math.NaN()
	}
	return float64(u.Utime.Sec) + float64(u.Stime.Sec) + 1e-6*float64(u.Utime.Usec+u.Stime.Usec)
}
