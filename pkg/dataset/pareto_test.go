package dataset_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question"
)

// linear checks the properties of all linear instances with a Pareto set, and returns the means.
func linear(t *testing.T, inst *bandit.Instance, err error, k, h, rank int, front ...int) *mat.Dense {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	p := inst.Problem
	if r, c := p.X.Dims(); r != k || c != h || p.D() != 2 || p.Question != (question.Pareto{}) {
		t.Errorf("%s: %d arms, %d features, %d objectives, %v", inst.Name, r, c, p.D(), p.Question)
	}
	if got := lsq.NewSpan(p.X).Rank(); got != rank {
		t.Errorf("%s: features of rank %d; want %d", inst.Name, got, rank)
	}
	for i := range k {
		if n := floats.Norm(p.X.RawRowView(i), 2); !close(n, 1, 1e-14) {
			t.Errorf("%s: features of %s have norm %v; want 1", inst.Name, p.Arm(i), n)
		}
	}
	mu := inst.Truth()
	if got := pareto.Set(mu); front != nil && !slices.Equal(got, front) {
		t.Errorf("%s: front %v; want %v", inst.Name, got, front)
	}
	if p.Sigma != .5 || p.NormSigma != .5 {
		t.Errorf("%s: Sigma %v, NormSigma %v", inst.Name, p.Sigma, p.NormSigma)
	}
	return mu
}

// noted checks that each text occurs in one of the notes of inst.
func noted(t *testing.T, inst *bandit.Instance, what ...string) {
	t.Helper()
	for _, w := range what {
		if !slices.ContainsFunc(inst.Notes, func(s string) bool { return strings.Contains(s, w) }) {
			t.Errorf("%s: no note says %q: %q", inst.Name, w, inst.Notes)
		}
	}
}

// TestNoC checks the statements of data/noc/README.md.
func TestNoC(t *testing.T) {
	inst, err := dataset.NoC{}.Instance()
	mu := linear(t, inst, err, 259, 4, 4, 0, 140, 164, 180)
	// The negated means are X × Theta up to rounding, for the Theta of data/noc/README.md.
	var neg, theta, fit mat.Dense
	neg.Scale(-1, mu)
	if err := theta.Solve(inst.Problem.X, &neg); err != nil {
		t.Fatal(err)
	}
	want := mat.NewDense(4, 2, []float64{3.086655, 3.354878, 3.660276, -0.193337, 2.689638, 1.397798, 7.906704, 4.443603})
	if !mat.EqualApprox(&theta, want, 5.1e-7) {
		t.Errorf("Theta is\n%.6f\nwant\n%.6f", mat.Formatted(&theta), mat.Formatted(want))
	}
	fit.Mul(inst.Problem.X, &theta)
	if !mat.EqualApprox(&fit, &neg, 1e-12) {
		t.Error("the means are not linear in the features")
	}
	gaps := pareto.Gaps(mu)
	slices.Sort(gaps)
	h1, lowest := 0., 0.
	for i, g := range gaps {
		if h1 += 1 / (g * g); i == 3 {
			lowest = h1
		}
	}
	if !close(gaps[0], .04296, 5e-6) || !close(h1, 3993.6, .05) || !close(lowest, 1973.8, .05) {
		t.Errorf("smallest gap %v, H1 %v, over the four smallest %v; want .04296, 3993.6, 1973.8", gaps[0], h1, lowest)
	}
	noted(t, inst, "log2_energy is minimised", "log2_inverse_runtime is minimised", "slow", "by up to 1.91")

	df, err := dataset.NoCFrame()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range df.Records()[1:] {
		seen[strings.Join(r, ",")] = true
	}
	if len(seen) != 259 {
		t.Errorf("%d distinct rows; want 259", len(seen))
	}
	raw, err := dataset.NoC{Raw: true}.Instance()
	mu = linear(t, raw, err, 259, 4, 4)
	if n := len(pareto.Set(mu)); n != 14 || raw.Name == inst.Name {
		t.Errorf("%s: %d optimal arms; want 14", raw.Name, n)
	}
	e, r := df.Col("log2_energy").Float(), df.Col("log2_inverse_runtime").Float()
	for i := range e {
		if mu.At(i, 0) != -e[i] || mu.At(i, 1) != r[i] {
			t.Errorf("row %d: means %v; want %v and %v", i, mu.RawRowView(i), -e[i], r[i])
		}
	}
	noted(t, raw, "log2_energy is minimised", "least squares by up to 1.91", "gaps are 0")
	if slices.ContainsFunc(raw.Notes, func(s string) bool { return strings.Contains(s, "log2_inverse_runtime is minimised") }) {
		t.Error("raw: inverse runtime is said to be minimised")
	}
}

// TestEnergy checks the statements of data/energy/README.md.
func TestEnergy(t *testing.T) {
	inst, err := dataset.Energy{}.Instance()
	mu := linear(t, inst, err, 768, 8, 7, 24, 26)
	noted(t, inst, "heating_load is minimised", "cooling_load is minimised", "assumed to be 0.5", "by up to 11.3")
	most, err := dataset.Energy{Maximise: true}.Instance()
	up := linear(t, most, err, 768, 8, 7, 593, 595, 691)
	noted(t, most, "maximised")
	var sum mat.Dense
	if sum.Add(mu, up); mat.Norm(&sum, 1) != 0 {
		t.Error("maximised loads are not those that are minimised")
	}
	for _, sign := range []float64{1, -1} { // one load is minimised, and the other load is maximised
		mixed := mat.DenseCopyOf(up)
		for i := range 768 {
			mixed.Set(i, 0, -sign*up.At(i, 0))
			mixed.Set(i, 1, sign*up.At(i, 1))
		}
		if len(pareto.Set(mixed)) == 3 {
			t.Error("minimising one load gives a front of 3 too; the README says that only maximising both does")
		}
	}
	fit, err := dataset.Energy{Linear: true}.Instance()
	linear(t, fit, err, 768, 8, 7, 24, 25, 26, 27)
	noted(t, fit, "the table deviates from the model by up to 11.3")
	fit, err = dataset.Energy{Linear: true, Maximise: true}.Instance()
	linear(t, fit, err, 768, 8, 7, 740, 741, 742, 743)

	df, err := dataset.EnergyFrame()
	if err != nil {
		t.Fatal(err)
	}
	s := df.Col("surface_area").Float()
	w, r := df.Col("wall_area").Float(), df.Col("roof_area").Float()
	for i := range s {
		if s[i] != w[i]+2*r[i] {
			t.Errorf("row %d: surface %v, wall %v, roof %v", i, s[i], w[i], r[i])
		}
	}
	if a := inst.Problem.Arm(593); a != "c0.79 o3 g0.40 d2" {
		t.Errorf("arm 593 is %s", a)
	}
}

// TestSNW checks the statements of data/snw/README.md.
func TestSNW(t *testing.T) {
	inst, err := dataset.SNW{}.Instance()
	mu := linear(t, inst, err, 206, 3, 3)
	if n := len(pareto.Set(mu)); n != 26 {
		t.Errorf("%d optimal arms; want 26", n)
	}
	if mu.At(0, 0) != -10.659104 || mu.At(0, 1) != 8.834195 {
		t.Errorf("means of the first arm: %v; want area negated, throughput as it is", mu.RawRowView(0))
	}
	noted(t, inst, "log2_area is minimised", "assumed to be 0.5", "by up to 4.69")
}

// Folder finds the data folder from within the source tree, from elsewhere, and by the environment variable. If there
// is no folder, the error says what to do.
func TestFolder(t *testing.T) {
	t.Setenv(dataset.FolderVariable, "")
	here, err := dataset.Folder()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(here, "noc", "noc.csv")); err != nil {
		t.Error(err)
	}
	empty := t.TempDir()
	t.Chdir(empty) // Folder finds the sources from which the test was built
	if away, err := dataset.Folder(); err != nil || away != here {
		t.Errorf("from elsewhere: %q, %v; want %q", away, err, here)
	}
	// Sources around the working directory take precedence, unless they belong to another module.
	os.MkdirAll(filepath.Join(empty, "a", "b"), 0o777)
	os.WriteFile(filepath.Join(empty, "go.mod"), []byte("// copy\nmodule github.com/purexp/purexp\n"), 0o666)
	os.WriteFile(filepath.Join(empty, "a", "go.mod"), []byte("module example.org/mine\n"), 0o666)
	t.Chdir(filepath.Join(empty, "a", "b"))
	if got, err := dataset.Folder(); err != nil || filepath.Base(got) != "data" || got == here {
		t.Errorf("in a copy: %q, %v", got, err)
	}
	for _, c := range []struct{ value, want string }{
		{filepath.Join(empty, "nowhere"), "the folder does not exist; set the variable"},
		{filepath.Join(empty, "go.mod"), "is not a folder"},
		{filepath.Join(empty, "a"), "noc/noc.csv is not in"},
	} {
		t.Setenv(dataset.FolderVariable, c.value)
		if _, err := dataset.NoCFrame(); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), dataset.FolderVariable) {
			t.Errorf("%s=%s: error %v; want %q", dataset.FolderVariable, c.value, err, c.want)
		}
		if _, err := (dataset.SNW{}).Instance(); err == nil {
			t.Errorf("%s=%s: no error", dataset.FolderVariable, c.value)
		}
	}
	// Embedded tables need no folder, and All needs no table.
	if _, err := (dataset.Energy{}).Instance(); err != nil {
		t.Error(err)
	}
	for _, info := range dataset.All() {
		if info.Arms == 0 || len(info.Objective) == 0 || info.Title == "" || info.Licence == "" {
			t.Errorf("%s: %+v", info.Name, info)
		}
	}
	t.Setenv(dataset.FolderVariable, here)
	if _, err := dataset.SNWFrame(); err != nil {
		t.Error(err)
	}
}
