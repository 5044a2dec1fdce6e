package dataset

import (
	"errors"
	"fmt"
	"math"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// LLVM is the software instance SW-LLVM of the PFIwR paper (section 5.3) and of
// Auer et al. 2016 (section 8): 1023 configurations of a compiler in 16 groups,
// the arms. A pull draws a configuration of the group at random; objectives are
// standardised. See data/llvm/README.md. The table is not compiled in, see
// [Folder].
//
// In the zero value the first objective (performance) is maximised, the second
// (memory footprint) minimised, and arms have no features.
type LLVM struct {
	// PerObjective draws each objective from a configuration of its own, which
	// makes them independent within a group.
	PerObjective bool
	// MinimiseFirst and MaximiseSecond turn the objectives round.
	MinimiseFirst, MaximiseSecond bool
	// Sigma is the scale of the noise that policies are told. Zero means 1, as
	// the papers assume; half the range of the rewards of an arm is at most 0.749.
	Sigma float64
}

const llvmArms = 16

// llvmFlags are the columns of flags; the last four name the arm.
var llvmFlags = func() (names []string) {
	for i := range 11 {
		names = append(names, fmt.Sprintf("f%d", i+1))
	}
	return names
}()

var llvmObjectives = []string{"objective1", "objective2"}

// LLVMFrame returns the table, one row a configuration.
func LLVMFrame() (dataframe.DataFrame, error) {
	return stored("llvm/llvm.csv", append(append([]string{}, llvmFlags...), llvmObjectives...)...)
}

// Instance builds the instance. It is an error if the table is not found.
func (l LLVM) Instance() (*bandit.Instance, error) {
	if !(l.Sigma >= 0) || math.IsInf(l.Sigma, 1) {
		return nil, fmt.Errorf("dataset: llvm: Sigma is %v; want a noise scale above 0, or 0 for 1", l.Sigma)
	}
	t, err := l.table()
	if err != nil {
		return nil, err
	}
	how := bandit.Jointly
	if l.PerObjective {
		how = bandit.Separately
	}
	law, err := bandit.NewResample(t.rewards, t.arms, how)
	if err != nil {
		return nil, err
	}
	sigma := l.Sigma
	if sigma == 0 {
		sigma = 1
	}
	inst := &bandit.Instance{
		Name: l.name(), Law: law, Notes: t.notes,
		Problem: &explore.Problem{
			Arms: llvmArms, ArmNames: llvmNames(), Objectives: 2, ObjectiveNames: []string{"performance (z)", "memory (z)"},
			Sigma: sigma, NormSigma: max(sigma, law.NormSigma()), Question: question.Pareto{},
		},
	}
	return inst, inst.Validate()
}

// name distinguishes the instances in tables and random streams.
func (l LLVM) name() string {
	name := "llvm"
	for _, o := range []struct {
		on   bool
		name string
	}{{l.PerObjective, "per objective"}, {l.MinimiseFirst, "first minimised"}, {l.MaximiseSecond, "second maximised"}} {
		if o.on {
			name += ", " + o.name
		}
	}
	return name
}

// llvmTable is the table as the instances use it.
type llvmTable struct {
	rewards *mat.Dense // standardised, larger is better, one row a configuration
	flags   *mat.Dense // as in the table
	arms    []int      // by row
	notes   []string
}

// table reads the table without row 0, turns its objectives round and
// standardises them.
func (l LLVM) table() (*llvmTable, error) {
	df, err := LLVMFrame()
	if err != nil {
		return nil, err
	}
	columns := Columns{Objectives: llvmObjectives}
	if l.MinimiseFirst {
		columns.Minimise = append(columns.Minimise, llvmObjectives[0])
	}
	if !l.MaximiseSecond {
		columns.Minimise = append(columns.Minimise, llvmObjectives[1])
	}
	_, all, notes, err := columns.Means(df)
	if err != nil {
		return nil, err
	}
	n := df.Nrow() - 1
	if n < llvmArms {
		return nil, errors.New("dataset: llvm/llvm.csv has fewer rows than there are arms; it is not the table of the sources")
	}
	t := &llvmTable{
		rewards: mat.DenseCopyOf(all.Slice(1, n+1, 0, 2)), flags: mat.NewDense(n, len(llvmFlags), nil), arms: make([]int, n),
		notes: append(notes, "the first row of the table is left out, as in the papers; objectives are standardised to mean 0 and standard deviation 1"),
	}
	for c := range llvmObjectives {
		col := mat.Col(nil, c, t.rewards)
		mean, sd := stat.PopMeanStdDev(col, nil)
		floats.AddConst(-mean, col)
		floats.Scale(1/sd, col)
		t.rewards.SetCol(c, col)
	}
	for j, name := range llvmFlags {
		for r, v := range df.Col(name).Float()[1:] {
			if v != 0 && v != 1 {
				return nil, fmt.Errorf("dataset: llvm/llvm.csv: row %d, column %q is %v; want 0 or 1", r+2, name, v)
			}
			t.flags.Set(r, j, v)
			if j >= len(llvmFlags)-4 {
				t.arms[r] = 2*t.arms[r] + int(v)
			}
		}
	}
	return t, nil
}

// llvmNames are the flags f8 to f11 of each arm.
func llvmNames() (names []string) {
	for i := range llvmArms {
		names = append(names, fmt.Sprintf("%04b", i))
	}
	return names
}
