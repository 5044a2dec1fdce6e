package dataset_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// TestFreeWilson checks the statements of data/freewilson/README.md.
func TestFreeWilson(t *testing.T) {
	inst, err := dataset.FreeWilson{}.Instance()
	if err != nil {
		t.Fatal(err)
	}
	x, mu := inst.Problem.X, inst.Truth()
	k, h := x.Dims()
	if k != 960 || h != 21 || lsq.NewSpan(x).Rank() != 16 {
		t.Errorf("%d compounds, %d features of rank %d", k, h, lsq.NewSpan(x).Rank())
	}
	w := make([]float64, k)
	for i := range w {
		w[i] = 1. / 960
	}
	g, err := design.NewG(x)
	if err != nil {
		t.Fatal(err)
	}
	xy, err := design.NewPairs(x, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := g.Value(w), xy.Value(w); math.Abs(a-16) > 1e-9 || math.Abs(b-40) > 1e-9 {
		t.Errorf("uniform weights: G value %v, XY value %v; want 16 and 40", a, b)
	}
	d, err := xy.Solve(&design.Options{Tol: 1e-3})
	if err != nil || d.Lower > 40 || d.Lower < 40*(1-1e-3) {
		t.Errorf("the XY optimum is at least %v; want 40", d.Lower)
	}
	q := inst.Problem.Question.(question.AllEpsilonBest)
	if n := len(q.Right(mu)); q.Epsilon != 4.325 || n != 20 {
		t.Errorf("%d compounds within %v; want 20 within 4.325", n, q.Epsilon)
	}
	threshold := q.Threshold(mat.Max(mu))
	for i := range k {
		if math.Abs(mu.At(i, 0)-threshold) < .11 {
			t.Errorf("%s is at %v of the threshold", inst.Problem.Arm(i), mu.At(i, 0)-threshold)
		}
	}
	notes := strings.Join(inst.Notes, "\n")
	if !strings.Contains(inst.Name, "synthetic") || !strings.Contains(notes, "SYNTHETIC") ||
		!strings.Contains(inst.Problem.Objective(0), "synthetic") || !strings.Contains(notes, "rank 16") {
		t.Errorf("%s does not say that it is synthetic, or its rank: %s", inst.Name, notes)
	}
	// The best compound, found by hand, is a1 b2 c1 d1 e2.
	best := floats.MaxIdx(mat.Col(nil, 0, mu))
	if got := inst.Problem.Arm(best); got != "a1 b2 c1 d1 e2" || math.Abs(mu.At(best, 0)-26.82) > 1e-9 {
		t.Errorf("best is %s with %v", got, mu.At(best, 0))
	}
	gamma, err := complexity.NewGammaStar(inst.Problem, mat.Col(nil, 0, mu), 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("T* in [%v, %v] after %d", gamma.Lower, gamma.Upper, gamma.Iterations)
}

func TestReadFreeWilson(t *testing.T) {
	const header = "site,substituent,contribution\n"
	read := func(csv string) (dataset.FreeWilson, error) {
		path := filepath.Join(t.TempDir(), "mine.csv")
		if err := os.WriteFile(path, []byte(csv), 0o600); err != nil {
			t.Fatal(err)
		}
		return dataset.ReadFreeWilson(path)
	}
	f, err := read(header + "R1,H,0\nbase,,2.5\nR2,OH,1\nR1,Me,.5\nR2,H,0\nR2,Cl,-1\n")
	if err != nil {
		t.Fatal(err)
	}
	inst, err := f.Instance()
	if err != nil {
		t.Fatal(err)
	}
	if got := mat.Col(nil, 0, inst.Truth()); !floats.EqualApprox(got, []float64{3.5, 2.5, 1.5, 4, 3, 2}, 1e-12) {
		t.Errorf("means %v", got)
	}
	if inst.Problem.Arm(3) != "Me OH" || strings.Contains(fmt.Sprint(inst.Name, inst.Notes), "SYNTH") {
		t.Errorf("arm 3 is %s; %s, %v", inst.Problem.Arm(3), inst.Name, inst.Notes)
	}
	for _, c := range []struct{ csv, want string }{
		{"site,substituent\nA,a\n", "contribution"},
		{header + "A,a,1\nA,b,high\n", `row 2, column "contribution": "high"`},
		{header + "A,a,1\nNaN,b,2\n", `row 2, column "site": empty`}, {header + "A,a,1\nA,NaN,2\n", `row 2, column "substituent": empty`},
		{header + "A,a,1\nA,b,Inf\n", `row 2, column "contribution": "+Inf" is not a finite number`},
		{header + "A,a,1\nA,b,\n", `row 2, column "contribution"`},
		{header + "A,a,1\n,b,2\n", `row 2, column "site"`},
		{header + "A,a,1\nA,,2\n", `row 2, column "substituent"`},
		{header + "A,a,1\nA,a,2\n", `row 2, column "substituent": "a" occurs twice`},
		{header + "A,a,1\nA, a ,2\n", `row 2, column "substituent": "a" occurs twice`},
		{header + "A,a,1\n A ,a,2\n", `row 2, column "substituent": "a" occurs twice`},
		{header + "A,a,1\nA,\" \",2\n", `row 2, column "substituent": empty`},
		{header + "base,,1\nbase,,2\n", `row 2, column "site": base occurs twice`},
		{header + "base,none,1\n", "no site"},
	} {
		if _, err := read(c.csv); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), "mine.csv") {
			t.Errorf("%q: error %v; want the file and %q", c.csv, err, c.want)
		}
	}
}

func ExampleFreeWilson() {
	inst, err := dataset.FreeWilson{
		Base: 1, Epsilon: .5,
		Sites: []dataset.Site{
			{Name: "R1", Substituents: []string{"H", "Me"}, Contributions: []float64{0, .4}},
			{Name: "R2", Substituents: []string{"H", "OH", "Cl"}, Contributions: []float64{0, 1, .7}},
		},
	}.Instance()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, i := range inst.Problem.Question.(question.AllEpsilonBest).Right(inst.Truth()) {
		fmt.Println(inst.Problem.Arm(i))
	}
	// Output:
	// H OH
	// Me OH
	// Me Cl
}

// Features of any table are finite, or there is an error.
func FuzzFeatures(f *testing.F) {
	f.Add("mass,ring\n1,phenyl\n2,furyl\n")
	f.Add("mass,ring\n3O,1\n40%,2\n")
	f.Fuzz(func(t *testing.T, in string) {
		df, err := frame.ParseCSV(strings.NewReader(in), "fuzz")
		if err != nil {
			return
		}
		x, names, err := dataset.Features(df, df.Names()[:1], df.Names()[1:])
		if err != nil {
			return
		}
		r, c := x.Dims()
		if r != df.Nrow() || c != len(names) {
			t.Fatalf("%d x %d features of %d arms, %d names", r, c, df.Nrow(), len(names))
		}
		for i := range r {
			for j := range c {
				if v := x.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("feature %v", v)
				}
			}
		}
	})
}
