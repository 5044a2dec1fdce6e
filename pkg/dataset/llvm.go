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

// LLVM is the software instance SW-LLVM of the PFIwR paper (section 5.3) and of Auer et al. 2016
// (section 8). The instance has 1,023 compiler configurations in 16 groups; each group is an arm. A
// pull draws a random configuration of the group, and the reward consists of the configuration's
// standardised objectives. The source of the data is described in data/llvm/README.md. The table is
// not embedded; see [Folder].
//
// In the zero value, performance is maximised, memory footprint is minimised, and arms have no
// features.
type LLVM struct {
	// If PerObjective is true, each objective is drawn from a separate configuration, which makes
	// objectives independent within a group.
	PerObjective bool
	// If Flags is true, the features of an arm are the flags of the drawn configuration, divided by
	// the square root of 11. The flags change from round to round, and policies see the flags
	// before the pull. A linear model of the flags is misspecified: no linear function of the flags
	// equals the means exactly. Flags cannot be combined with PerObjective.
	Flags bool
}

const llvmArms = 16

// llvmFlags are the columns of flags; the last four flags determine the arm.
var llvmFlags = func() (names []string) {
	for i := range 11 {
		names = append(names, fmt.Sprintf("f%d", i+1))
	}
	return names
}()

var llvmObjectives = []string{"objective1", "objective2"}

// LLVMFrame returns the table, one configuration in each row.
func LLVMFrame() (dataframe.DataFrame, error) {
	return stored("llvm/llvm.csv", append(append([]string{}, llvmFlags...), llvmObjectives...)...)
}

// Instance builds the instance. If the table is not found, Instance returns an error.
func (l LLVM) Instance() (*bandit.Instance, error) {
	t, err := l.table()
	if err != nil {
		return nil, err
	}
	inst := &bandit.Instance{
		Name: l.name(), Notes: t.notes,
		Problem: &explore.Problem{
			Arms: llvmArms, ArmNames: llvmNames(), Objectives: 2,
			ObjectiveNames: []string{"performance (z)", "memory (z)"},
			// The papers assume sigma = 1, which is a valid scale, because half the range of the
			// rewards of an arm is at most 0.749.
			Sigma: 1, Question: question.Pareto{},
		},
	}
	if err := l.draw(inst, t); err != nil {
		return nil, err
	}
	inst.Problem.NormSigma = max(1, inst.Law.(interface{ NormSigma() float64 }).NormSigma())
	return inst, inst.Validate()
}

// draw adds to inst the reward distribution of t and, if Flags is true, the features.
func (l LLVM) draw(inst *bandit.Instance, t *llvmTable) (err error) {
	switch {
	case l.Flags && l.PerObjective:
		return errors.New("dataset: LLVM: Flags and PerObjective are mutually exclusive; set only one of them")
	case l.Flags:
		var law *bandit.ResampleContexts
		t.flags.Scale(1/math.Sqrt(float64(len(llvmFlags))), t.flags)
		if law, err = bandit.NewResampleContexts(t.rewards, t.flags, t.arms); err != nil {
			return err
		}
		inst.Law, inst.Problem.X, inst.Problem.Changing = law, law.Features(), true
		inst.Notes = append(inst.Notes, t.misfit(inst.Means())...)
	case l.PerObjective:
		inst.Law, err = bandit.NewResample(t.rewards, t.arms, bandit.Separately)
	default:
		inst.Law, err = bandit.NewResample(t.rewards, t.arms, bandit.Jointly)
	}
	return err
}

// name returns the instance name for tables and random streams.
func (l LLVM) name() string {
	switch {
	case l.PerObjective:
		return "llvm, per objective"
	case l.Flags:
		return "llvm, flags"
	}
	return "llvm"
}

// llvmTable is the table, converted for use in instances: standardised objectives, groups and
// flags.
type llvmTable struct {
	rewards *mat.Dense // standardised rewards, larger is better, one configuration in each row
	flags   *mat.Dense // flags as in the table
	arms    []int      // arm of each row
	notes   []string
}

// table reads the table without row 0, negates the minimised objective, and standardises both
// objectives.
func (l LLVM) table() (*llvmTable, error) {
	df, err := LLVMFrame()
	if err != nil {
		return nil, err
	}
	_, all, notes, err := Columns{Objectives: llvmObjectives, Minimise: llvmObjectives[1:]}.Means(df)
	if err != nil {
		return nil, err
	}
	n := df.Nrow() - 1
	if n < llvmArms {
		return nil, errors.New("dataset: llvm/llvm.csv has fewer rows than arms; restore the table from a clone of " +
			"purexp")
	}
	t := &llvmTable{
		rewards: mat.DenseCopyOf(all.Slice(1, n+1, 0, 2)),
		flags:   mat.NewDense(n, len(llvmFlags), nil), arms: make([]int, n),
		notes: append(notes, "the first row of the table is left out, as in the papers; "+
			"objectives are standardised to mean 0 and standard deviation 1"),
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
				return nil, fmt.Errorf("dataset: llvm/llvm.csv: row %d, column %q is %v; expected 0 or 1", r+2, name, v)
			}
			t.flags.Set(r, j, v)
			if j >= len(llvmFlags)-4 {
				t.arms[r] = 2*t.arms[r] + int(v)
			}
		}
	}
	return t, nil
}

// misfit returns a note for each objective, which states the largest deviation of an arm's mean
// from a linear model of the flags.
func (t *llvmTable) misfit(mu *mat.Dense) (notes []string) {
	for c, name := range llvmObjectives {
		off := mat.Col(nil, c, mu)
		n := make([]float64, llvmArms)
		for _, arm := range t.arms {
			n[arm]++
		}
		for r, v := range linearFit(t.flags, mat.Col(nil, c, t.rewards)) {
			off[t.arms[r]] -= v / n[t.arms[r]]
		}
		notes = append(notes, fmt.Sprintf("misspecified: the mean of %s deviates from a linear model of the "+
			"flags by up to %.3g", name, floats.Norm(off, math.Inf(1))))
	}
	return notes
}

// llvmNames names each arm by its flags f8 to f11.
func llvmNames() (names []string) {
	for i := range llvmArms {
		names = append(names, fmt.Sprintf("%04b", i))
	}
	return names
}
