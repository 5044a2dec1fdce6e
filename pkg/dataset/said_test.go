package dataset_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/question"
)

// summed writes what an instance is, with sums of its numbers.
func summed(inst *bandit.Instance, err error) string {
	if err != nil {
		return err.Error() + "\n"
	}
	p := inst.Problem
	mu := inst.Truth()
	m, _ := mu.Dims()
	text := fmt.Sprintf("%s: %d arms, %d objectives, sigma %.5g, norm %.5g, %T, %#v\n\tarms %.3q, objectives %q\n\tnotes %q\n\taxes %v\n", inst.Name, p.K(), p.D(),
		p.Sigma, p.NormSigma, inst.Law, p.Question, p.ArmNames[:min(3, len(p.ArmNames))], p.ObjectiveNames, inst.Notes, inst.Axes)
	for c := range p.D() {
		col := mat.Col(nil, c, mu)
		sum, mixed := 0., 0.
		for i, v := range col {
			sum += v
			mixed += v * float64(i%7-3)
		}
		text += fmt.Sprintf("\tmeans %.5g %.5g ... %.5g of %d: %.6g %.6g\n", col[0], col[1], col[m-1], m, sum, mixed)
	}
	if p.X != nil {
		k, h := p.X.Dims()
		sum, mixed := mat.Sum(p.X), 0.
		for i := range k {
			for j := range h {
				mixed += p.X.At(i, j) * float64((i*5+j*3)%11-5)
			}
		}
		text += fmt.Sprintf("\tfeatures %d x %d: %.6g %.6g\n", k, h, sum, mixed)
	}
	return text
}

// What data sets are, and what is told of tables that are not as they should be, is in testdata.
func TestSaid(t *testing.T) {
	var out strings.Builder
	for _, info := range dataset.All() {
		inst, err := info.Instance()
		fmt.Fprintf(&out, "== %s, %s, %s, %d, %q\n%s", info.Title, info.Source, info.Licence, info.Arms, info.Objective, summed(inst, err))
		if err == nil && (inst.Problem.K() != info.Arms || inst.Problem.D() != len(info.Objective)) {
			t.Errorf("%s has %d arms and %d objectives", info.Name, inst.Problem.K(), inst.Problem.D())
		}
	}
	read := func(text string) dataframe.DataFrame {
		df, _ := frame.ParseCSV(strings.NewReader(text), "t.csv")
		return df
	}
	usual := "n,a,b,kind\nx,1,2,red\ny,3,4.5,blue\nz,0.5,7,red\n"
	rates := "n,a,b\nx,0.1,0.2\ny,0.3,0.45\n"
	for _, x := range []struct {
		what, text string
		c          dataset.Columns
	}{
		{"usual", usual, dataset.Columns{Arm: "n", Objectives: []string{"a", "b"}}},
		{"minimised", usual, dataset.Columns{Arm: "n", Objectives: []string{"a", "b"}, Minimise: []string{"b"}}},
		{"without names", usual, dataset.Columns{Objectives: []string{"b"}}},
		{"marked", "\ufeffa,n\n1,x\n2,y\n", dataset.Columns{Arm: "n", Objectives: []string{"a"}}},
		{"no objectives", usual, dataset.Columns{Arm: "n"}},
		{"no such arm column", usual, dataset.Columns{Arm: "m", Objectives: []string{"a"}}},
		{"no such column", usual, dataset.Columns{Arm: "n", Objectives: []string{"c"}}},
		{"twice", usual, dataset.Columns{Arm: "n", Objectives: []string{"a", "a"}}},
		{"minimise another", usual, dataset.Columns{Arm: "n", Objectives: []string{"a"}, Minimise: []string{"b"}}},
		{"text", usual, dataset.Columns{Arm: "n", Objectives: []string{"kind"}}},
		{"missing", "n,a\nx,1\ny,\n", dataset.Columns{Arm: "n", Objectives: []string{"a"}}},
		{"no name", "n,a\nx,1\n,2\n", dataset.Columns{Arm: "n", Objectives: []string{"a"}}},
		{"a name twice", "n,a\nx,1\n x ,2\n", dataset.Columns{Arm: "n", Objectives: []string{"a"}}},
		{"true", "n,a\nx,true\ny,false\n", dataset.Columns{Arm: "n", Objectives: []string{"a"}}},
		{"no rows", "n,a\n", dataset.Columns{Arm: "n", Objectives: []string{"a"}}},
	} {
		df := read(x.text)
		cov := mat.NewSymDense(max(len(x.c.Objectives), 1), nil)
		for i := range len(x.c.Objectives) {
			for j := range i + 1 {
				cov.SetSym(i, j, 1/float64(1+i-j)+float64(i*j))
			}
		}
		inst, err := dataset.Gaussian("g", df, x.c, cov)
		fmt.Fprintf(&out, "-- %s\n%s", x.what, summed(inst, err))
		if err == nil {
			if asked, err := dataset.Ask(inst, question.Pareto{}); err != nil || asked.Problem.Question == nil || inst.Problem.Question != nil {
				t.Errorf("%s: asked: %v", x.what, err)
			}
		}
		inst, err = dataset.Bernoulli("b", read(rates), dataset.Columns{Arm: x.c.Arm, Objectives: x.c.Objectives, Minimise: x.c.Minimise})
		fmt.Fprintf(&out, "%s", summed(inst, err))
	}
	_, err := dataset.Gaussian("g", read(usual), dataset.Columns{Objectives: []string{"a"}}, mat.NewSymDense(2, []float64{1, 0, 0, 1}))
	fmt.Fprintf(&out, "two for one: %v\n", err)
	inst, err := dataset.Bernoulli("b", read(usual), dataset.Columns{Objectives: []string{"b"}})
	fmt.Fprintf(&out, "no rates: %s", summed(inst, err))
	for _, x := range [][2][]string{{{"a"}, {"kind"}}, {{"a", "b"}, nil}, {nil, {"kind", "n"}}, {{"kind"}, nil}, {{"a"}, {"a"}}, {{"c"}, nil}, {nil, nil}} {
		f, names, err := dataset.Features(read(usual), x[0], x[1])
		if err == nil {
			fmt.Fprintf(&out, "features %q: %q %v\n", x, names, f.RawMatrix().Data)
		} else {
			fmt.Fprintf(&out, "features %q: %v\n", x, err)
		}
		f, z, names, err := dataset.ItemFeatures(read(usual), read("kind,b,a,n\ngreen,1,9,q\nred,2,8,x\n"), x[0], x[1])
		if err == nil {
			fmt.Fprintf(&out, "items: %q %v %v\n", names, f.RawMatrix().Data, z.RawMatrix().Data)
		} else {
			fmt.Fprintf(&out, "items: %v\n", err)
		}
	}
	for _, text := range []string{"", "a\n", "a,b\n1\n", "a,a\n1,2\n", "a,\n1,2\n", "a;b\n1;2\n", "a\tb\n1\t2\n", "a,b\n1,\"2\n", "a,b\n1,\xff\n", "a,b\n1,2\n,x\n",
		"i,f,s,b,z,m\n1,1.5,x,true,007,NA\n2,2,1,false,1,3\n,NaN,y,true,2,4\n", "a\n'=1\n'-x\n", "a\n0x10\n1_000\n", "a\n99999999999999999999\n1\n", "a\n1.5e-3\n-2.25\n", "a,b\r\n1,\"x\r\ny\"\r\n",
		"\ufeff\ufeffa,b\n1,2\n"} {
		df, err := frame.ParseCSV(strings.NewReader(text), "t.csv", "a")
		if err != nil {
			fmt.Fprintf(&out, "%q: %v\n", text, err)
			continue
		}
		back, err := frame.CSV(df)
		fmt.Fprintf(&out, "%q: %v %q %v\n", text, df.Types(), back, err)
		again, err := frame.ParseCSV(strings.NewReader(string(back)), "t.csv")
		if err != nil || fmt.Sprint(again.Records()) != fmt.Sprint(df.Records()) {
			t.Errorf("%q: written and read it is %v, %v", text, again, err)
		}
	}
	path := filepath.Join(t.TempDir(), "f.csv")
	for _, text := range []string{"site,substituent,contribution\nbase,,1\nR1,H,0\nR2,H,0\nR1,Cl,2\nR2,Me,-0.5\n", "site,substituent,contribution\nR1,H,0\nR1,H,1\n",
		"site,substituent,contribution\nbase,,1\nbase,,2\n", "site,substituent,contribution\n,H,1\n", "site,substituent,contribution\nR1,,1\n",
		"site,substituent,contribution\nR1,H,x\n", "site,substituent,contribution\nbase,,1\n", "site,substituent\nR1,H\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := dataset.ReadFreeWilson(path)
		fmt.Fprintf(&out, "%q: %+v %s", text, f.Sites, strings.ReplaceAll(summed(instanceOf(f, err)), path, "f.csv"))
	}
	for _, f := range []dataset.FreeWilson{{Base: 3}, {Sites: []dataset.Site{}}, {Sites: []dataset.Site{{Name: "R", Substituents: []string{"H"}}}},
		{Sites: []dataset.Site{{Substituents: []string{"H"}, Contributions: []float64{1}}}},
		{Sites: []dataset.Site{{Name: "R", Substituents: []string{"H"}, Contributions: []float64{1}}, {Name: "R", Substituents: []string{"H"}, Contributions: []float64{1}}}},
		{Sites: []dataset.Site{{Name: "R", Substituents: []string{"H", "H"}, Contributions: []float64{1, 2}}}},
		{Base: 1, Epsilon: .2, Sigma: .5, Sites: []dataset.Site{{Name: "R", Substituents: []string{"H", "Cl"}, Contributions: []float64{1, 2}}}}} {
		fmt.Fprintf(&out, "synthetic %v: %s", f.Synthetic(), summed(f.Instance()))
	}
	golden.Parts(t, "said.txt", out.String(), `^== .*`)
}

func instanceOf(f dataset.FreeWilson, err error) (*bandit.Instance, error) {
	if err != nil {
		return nil, err
	}
	return f.Instance()
}
