// Package dataset provides data frames and bandit instances of published measurements. Papers on
// pure exploration use these measurements as benchmarks. Package dataset also builds instances from
// your own data frames; the type [ClickLog] builds an instance from a click log of a news page.
//
//	inst, err := dataset.Secukinumab{}.Instance()
//
// [NoC], [Energy] and [SNW] are linear instances with two objectives; [LLVM] has groups of
// configurations. The tables of NoC, SNW and LLVM are not embedded; package dataset reads them from
// files, see [Folder].
//
// Larger is better in every objective of an instance. For objectives that are minimised, package
// dataset negates the values, and the notes of the instance say so.
package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/data"
	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/internal/csvtable"
)

// Info describes a data set of this package.
type Info struct {
	Name      string // name on the command line
	Title     string
	Source    string
	Licence   string
	Arms      int
	Objective []string
	// Instance returns the instance of the data set with default settings. If the data set is read
	// from a file that is not found, Instance and Frame return an error; see Folder.
	Instance func() (*bandit.Instance, error)
	// Frame returns the main table of the data set.
	Frame func() (dataframe.DataFrame, error)
}

// All lists the data sets of this package.
func All() []Info {
	return []Info{
		{
			Name:    "secukinumab",
			Title:   "Secukinumab in rheumatoid arthritis, phase II: five doses, efficacy and safety",
			Source:  "Genovese et al., Ann Rheum Dis 72:863 (2013), NCT00928512",
			Licence: "published trial figures",
			Arms:    5, Objective: []string{"efficacy", "safety"},
			Instance: func() (*bandit.Instance, error) { return Secukinumab{}.Instance() },
			Frame:    SecukinumabFrame,
		},
		{
			Name:    "covboost",
			Title:   "COV-BOOST: twenty strategies for a third dose of a COVID-19 vaccine, three immune responses",
			Source:  "Munro et al., Lancet 398:2258 (2021)",
			Licence: "CC BY 4.0 (article); trial summary figures",
			Arms:    20, Objective: []string{"ln IgG", "ln NT50", "ln cellular response"},
			Instance: func() (*bandit.Instance, error) { return CovBoost{}.Instance() },
			Frame:    CovBoostFrame,
		},
		{
			Name:    "noc",
			Title:   "NoC: 259 implementations of a network on chip, linear in four design parameters",
			Source:  "Almer, Topham and Franke, ARCS 2011, as distributed with epsilon-PAL",
			Licence: "measurements, from a package under the GPL (2 or later)",
			Arms:    259, Objective: []string{"log2 energy", "log2 inverse runtime"},
			Instance: func() (*bandit.Instance, error) { return NoC{}.Instance() },
			Frame:    NoCFrame,
		},
		{
			Name:    "energy",
			Title:   "Energy: heating and cooling loads of 768 buildings with eight features",
			Source:  "Tsanas and Xifara, Energy and Buildings 49:560 (2012), UCI data set 242",
			Licence: "CC BY 4.0",
			Arms:    768, Objective: []string{"heating load (kWh/m²)", "cooling load (kWh/m²)"},
			Instance: func() (*bandit.Instance, error) { return Energy{}.Instance() },
			Frame:    EnergyFrame,
		},
		{
			Name:    "snw",
			Title:   "SNW: 206 implementations of a sorting network with three design parameters",
			Source:  "Zuluaga, Milder and Püschel, DAC 2012, as distributed with epsilon-PAL",
			Licence: "measurements, from a package under the GPL (2 or later)",
			Arms:    206, Objective: []string{"log2 area", "log2 throughput"},
			Instance: func() (*bandit.Instance, error) { return SNW{}.Instance() },
			Frame:    SNWFrame,
		},
		{
			Name:    "llvm",
			Title:   "SW-LLVM: 1023 configurations of a compiler in 16 groups by four flags",
			Source:  "Siegmund et al., ICSE 2012, as distributed with epsilon-PAL",
			Licence: "measurements, from a package under the GPL (2 or later)",
			Arms:    16, Objective: []string{"performance (z)", "memory (z)"},
			Instance: func() (*bandit.Instance, error) { return LLVM{}.Instance() },
			Frame:    LLVMFrame,
		},
		{
			Name: surrogateName,
			Title: "Free-Wilson, SYNTHETIC: 960 compounds, all substituents at five sites, with randomly drawn " +
				"contributions",
			Source: "structure: Katz, Osborne and Ionescu (1977), as in the LinFACT paper; " +
				"contributions: drawn for this module, not measured",
			Licence: "that of this module",
			Arms:    960, Objective: []string{"efficacy (synthetic)"},
			Instance: func() (*bandit.Instance, error) { return FreeWilson{}.Instance() },
			Frame:    FreeWilsonFrame,
		},
	}
}

// Named returns the data set with the given name.
func Named(name string) (Info, error) {
	var names []string
	for _, i := range All() {
		if i.Name == name {
			return i, nil
		}
		names = append(names, i.Name)
	}
	return Info{}, fmt.Errorf("dataset: unknown data set %q; the data sets are %q", name, names)
}

func embedded(path string, columns ...string) (dataframe.DataFrame, error) {
	f, err := data.Files.Open(path)
	if err != nil {
		return dataframe.DataFrame{}, fmt.Errorf("dataset: %w", err)
	}
	defer f.Close()
	return frame.ParseCSV(f, path, columns...)
}

// Columns names the columns of a data frame that describe the arms.
type Columns struct {
	// Arm is the column with the names of the arms; if Arm is empty, the names are "arm 0", "arm
	// 1", and so on.
	Arm string
	// Objectives are the columns with the mean rewards, one column for each objective.
	Objectives []string
	// Minimise lists those columns of Objectives in which smaller values are better. For columns in
	// Minimise, rewards are the negated values; figures show the original values.
	Minimise []string
}

// Means returns the names and means (K x d) of the arms in df, one arm in each row, and notes about
// negated columns. An error about a cell names its row and column.
func (c Columns) Means(df dataframe.DataFrame) (names []string, mu *mat.Dense, notes []string, err error) {
	if df, err = checked(df); err != nil {
		return nil, nil, nil, err
	}
	if len(c.Objectives) == 0 {
		return nil, nil, nil, fmt.Errorf("dataset: Columns.Objectives is empty; "+
			"name the columns with the means; the columns are %q", df.Names())
	}
	has := func(column string) error {
		if slices.Contains(df.Names(), column) {
			return nil
		}
		return fmt.Errorf("dataset: no column %q; the columns are %q", column, df.Names())
	}
	if c.Arm != "" {
		if err := has(c.Arm); err != nil {
			return nil, nil, nil, err
		}
		if names, err = armNames(df.Col(c.Arm)); err != nil {
			return nil, nil, nil, err
		}
	}
	sign := make(map[string]float64, len(c.Objectives))
	for _, o := range c.Objectives {
		if sign[o] != 0 {
			return nil, nil, nil, fmt.Errorf("dataset: Columns.Objectives names %q twice; leave out one of them", o)
		}
		sign[o] = 1
	}
	for _, o := range c.Minimise {
		if sign[o] == 0 {
			return nil, nil, nil, fmt.Errorf("dataset: Columns.Minimise names %q; expected one of Objectives "+
				"%q", o, c.Objectives)
		}
		sign[o] = -1
		notes = append(notes, fmt.Sprintf("%s is minimised, so its values are negated", o))
	}
	mu = mat.NewDense(df.Nrow(), len(c.Objectives), nil)
	for j, o := range c.Objectives {
		if err := has(o); err != nil {
			return nil, nil, nil, err
		}
		col := df.Col(o)
		for i := range df.Nrow() {
			v, err := numberIn(col, i)
			if err != nil {
				return nil, nil, nil, fmt.Errorf("%w; correct the cell, or leave out its row", err)
			}
			mu.Set(i, j, sign[o]*v)
		}
	}
	return names, mu, notes, nil
}

// axes returns the display axes of objectives with the given labels, or nil if no objective is
// minimised.
func (c Columns) axes(labels []string) []bandit.Axis {
	if len(c.Minimise) == 0 {
		return nil
	}
	axes := make([]bandit.Axis, len(c.Objectives))
	for j, o := range c.Objectives {
		axes[j] = bandit.Axis{Label: labels[j], PerReward: 1}
		if slices.Contains(c.Minimise, o) {
			axes[j].PerReward = -1
		}
	}
	return axes
}

// checked returns df without a byte order mark in the name of the first column, or returns the
// error in df. Spreadsheets write a byte order mark, which gota leaves in the name of the first
// column.
func checked(df dataframe.DataFrame) (dataframe.DataFrame, error) {
	if df.Err != nil {
		return df, fmt.Errorf("dataset: %w", df.Err)
	}
	if df.Nrow() == 0 {
		return df, fmt.Errorf("dataset: the data frame has no rows; expected one row per arm")
	}
	if first := df.Names()[0]; strings.HasPrefix(first, csvtable.Mark) {
		df = df.Rename(strings.TrimPrefix(first, csvtable.Mark), first)
	}
	return df, nil
}

// armNames returns the names of the arms in col. Names that differ only in surrounding spaces are
// rejected as duplicates.
func armNames(col series.Series) ([]string, error) {
	names := col.Records()
	first := make(map[string]int, len(names))
	for i, name := range names {
		name = strings.TrimSpace(name)
		if name == "" || col.Elem(i).IsNA() {
			return nil, fmt.Errorf("dataset: row %d, column %q: the arm has no name; "+
				"give it one, or leave out its row", i+1, col.Name)
		}
		if j, ok := first[name]; ok {
			return nil, fmt.Errorf("dataset: column %q: %q names both row %d and row %d; give each arm a unique "+
				"name", col.Name, name, j+1, i+1)
		}
		first[name] = i
	}
	return names, nil
}

// Bernoulli builds an instance of Bernoulli arms with independent objectives from the rates in df.
// The instance has no question until [Ask] sets one.
func Bernoulli(name string, df dataframe.DataFrame, c Columns) (*bandit.Instance, error) {
	if len(c.Minimise) > 0 {
		return nil, fmt.Errorf("dataset: rates cannot be negated; "+
			"use the rate of the opposite event for %q", c.Minimise)
	}
	names, mu, notes, err := c.Means(df)
	if err != nil {
		return nil, err
	}
	law, err := bandit.NewBernoulli(mu)
	if err != nil {
		return nil, err
	}
	k, d := mu.Dims()
	return &bandit.Instance{
		Name: name, Law: law, Notes: append(notes, "objectives are simulated as independent"),
		Problem: &explore.Problem{
			Arms: k, Objectives: d, ArmNames: names, ObjectiveNames: c.Objectives,
			// A reward in [0, 1] is 1/2-sub-Gaussian, and a projection of independent rewards is
			// also 1/2-sub-Gaussian.
			Sigma: .5, NormSigma: .5,
		},
	}, nil
}

// Gaussian builds an instance of Gaussian arms with a common covariance (d x d) from the means in
// df. The instance has no question until [Ask] sets one.
func Gaussian(name string, df dataframe.DataFrame, c Columns, cov mat.Symmetric) (*bandit.Instance, error) {
	names, mu, notes, err := c.Means(df)
	if err != nil {
		return nil, err
	}
	if n := cov.SymmetricDim(); n != len(c.Objectives) {
		return nil, fmt.Errorf("dataset: the covariance is for %d objectives; expected %d", n, len(c.Objectives))
	}
	law, err := bandit.NewGaussian(mu, cov)
	if err != nil {
		return nil, err
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(cov, false) {
		return nil, fmt.Errorf("dataset: the eigenvalues of the covariance did not converge; rescale the objectives")
	}
	values := eigen.Values(nil)
	variance := 0.
	for i := range cov.SymmetricDim() {
		variance = math.Max(variance, cov.At(i, i))
	}
	k, d := mu.Dims()
	return &bandit.Instance{
		Name: name, Law: law, Notes: notes, Axes: c.axes(c.Objectives),
		Problem: &explore.Problem{
			Arms: k, Objectives: d, ArmNames: names, ObjectiveNames: c.Objectives,
			// Rounding must not make NormSigma smaller than Sigma.
			Sigma: math.Sqrt(variance), NormSigma: math.Sqrt(max(variance, values[len(values)-1])),
		},
	}, nil
}

// Ask returns a copy of inst with the question q.
func Ask(inst *bandit.Instance, q explore.Question) (*bandit.Instance, error) {
	p := *inst.Problem
	p.Question = q
	asked := *inst
	asked.Problem = &p
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &asked, nil
}
