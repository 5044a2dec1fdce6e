package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/question"
)

// FreeWilson is an additive model of Free and Wilson for a family of compounds. A base molecule has
// several sites; a compound has one of several substituents at each site. The efficacy of a
// compound is the efficacy of the base molecule plus the contributions of the substituents. The
// arms are the compounds with all combinations of substituents. Features are a constant and an
// indicator for each substituent. For l_n substituents at site n, the rank of the features is 1 +
// sum (l_n - 1). The question asks for all compounds whose efficacy is within Epsilon of the best.
//
// The zero value has the size of section 7.2 of the LinFACT paper: 960 compounds at five sites. The
// zero value uses a SYNTHETIC surrogate of contributions; see data/freewilson/README.md. The real
// contributions (Katz, Osborne and Ionescu, 1977) are not distributed with this module. To use real
// contributions, read your own table with ReadFreeWilson.
type FreeWilson struct {
	// Name is the name of the instance; empty means "free-wilson". If Sites is nil, Name and Value
	// are ignored.
	Name string
	// Value is the name of the measured property; empty means "efficacy".
	Value string
	// Base is the efficacy of the base molecule.
	Base float64
	// Sites are the sites of the base molecule, in order; nil means the sites and the base of the
	// synthetic surrogate.
	Sites []Site
	// Epsilon is the largest accepted difference from the best efficacy; zero means 4.325, as in
	// the LinFACT paper.
	Epsilon float64
	// Within is the largest accepted difference as a fraction of the best efficacy: 0.1 asks for
	// all compounds within 10 %. If Within is not zero, Epsilon is ignored. Questions with Within
	// are answered by the policies BettingAllEpsilon and AllEpsilonGame, but not by LinFACT.
	Within float64
	// Sigma is the standard deviation of a measurement, in units of efficacy; zero means 1, which
	// this project assumes.
	Sigma float64
}

// Site is a site of the base molecule, with the contribution of each of its possible substituents.
type Site struct {
	Name          string
	Substituents  []string  // names of the substituents
	Contributions []float64 // contribution of each substituent to the efficacy
}

const (
	freeWilsonEpsilon = 4.325
	freeWilsonMost    = 100_000 // largest number of compounds
	surrogateName     = "free-wilson-synthetic"
)

var contributionColumns = []string{"site", "substituent", "contribution"}

// ReadFreeWilson reads contributions from a file of comma-separated values. The columns are site,
// substituent and contribution, with one substituent in each row. The rows of a site need not be
// adjacent. A row with the site "base", if present, states the efficacy of the base molecule.
// Errors of ReadFreeWilson name the file, the row and the column.
func ReadFreeWilson(path string) (FreeWilson, error) {
	df, err := frame.ReadCSV(path, contributionColumns...)
	if err != nil {
		return FreeWilson{}, err
	}
	return freeWilsonOf(df, path)
}

// freeWilsonOf reads contributions from df; error messages refer to df by the argument name.
func freeWilsonOf(df dataframe.DataFrame, name string) (FreeWilson, error) {
	var f FreeWilson
	sites, labels := df.Col("site").Records(), df.Col("substituent").Records()
	column := df.Col("contribution")
	bad := func(row int, column, format string, args ...any) (FreeWilson, error) {
		return FreeWilson{}, fmt.Errorf("dataset: %s: row %d, column %q: %s", name, row+1, column,
			fmt.Sprintf(format, args...))
	}
	base := false
	for i, s := range sites {
		if s = strings.TrimSpace(s); s == "" || df.Col("site").Elem(i).IsNA() {
			return bad(i, "site", "empty; expected the name of a site, or base")
		}
		v := column.Elem(i).Float()
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return bad(i, "contribution", "%q is not a finite number; correct the cell", column.Elem(i))
		}
		if s == "base" {
			if base {
				return bad(i, "site", "base occurs twice")
			}
			f.Base, base = v, true
			continue
		}
		label := strings.TrimSpace(labels[i])
		if label == "" || df.Col("substituent").Elem(i).IsNA() {
			return bad(i, "substituent", "empty; expected the name of a substituent")
		}
		at := slices.IndexFunc(f.Sites, func(t Site) bool { return t.Name == s })
		if at < 0 {
			at = len(f.Sites)
			f.Sites = append(f.Sites, Site{Name: s})
		}
		t := &f.Sites[at]
		if slices.Contains(t.Substituents, label) {
			return bad(i, "substituent", "%q occurs twice at site %q; leave out one", label, s)
		}
		t.Substituents = append(t.Substituents, label)
		t.Contributions = append(t.Contributions, v)
	}
	if f.Sites == nil {
		return FreeWilson{}, fmt.Errorf("dataset: %s: no sites; expected columns site, substituent, contribution", name)
	}
	return f, nil
}

// Synthetic reports whether f uses the surrogate contributions.
func (f FreeWilson) Synthetic() bool { return f.Sites == nil }

// Contributions returns the sites with their substituents' contributions; if Sites is nil, it
// returns the sites of the surrogate. If a site is invalid, Contributions returns an error that
// names the site.
func (f FreeWilson) Contributions() ([]Site, error) {
	f, err := f.resolve()
	return f.Sites, err
}

// resolve returns f with defaults filled in, or an error that names the invalid field.
func (f FreeWilson) resolve() (FreeWilson, error) {
	if f.Synthetic() {
		df, err := embedded("freewilson/surrogate.csv", contributionColumns...)
		if err != nil {
			return f, err
		}
		s, err := freeWilsonOf(df, "freewilson/surrogate.csv")
		if err != nil {
			return f, err
		}
		if f.Base != 0 {
			return f, fmt.Errorf(
				"dataset: FreeWilson.Base is %v, but Sites is nil, and the surrogate has its own base; set Sites "+
					"too", f.Base)
		}
		f.Base, f.Sites = s.Base, s.Sites
	}
	count := 1
	for n, s := range f.Sites {
		if len(s.Substituents) == 0 || len(s.Substituents) != len(s.Contributions) {
			return f, fmt.Errorf("dataset: FreeWilson.Sites[%d] (%q): %d substituents and %d "+
				"contributions; expected equal numbers, and at least one", n, s.Name,
				len(s.Substituents), len(s.Contributions))
		}
		same := func(t Site) bool { return t.Name == s.Name }
		if s.Name == "" || slices.ContainsFunc(f.Sites[:n], same) {
			return f, fmt.Errorf("dataset: FreeWilson.Sites[%d]: the name %q is empty or in use; rename the "+
				"site", n, s.Name)
		}
		for j, l := range s.Substituents {
			if l == "" || slices.Contains(s.Substituents[:j], l) {
				return f, fmt.Errorf(
					"dataset: FreeWilson.Sites[%d] (%q): substituent %d: the name %q is empty or in use; "+
						"rename it", n, s.Name, j, l)
			}
		}
		if count *= len(s.Substituents); count > freeWilsonMost {
			return f, fmt.Errorf(
				"dataset: FreeWilson.Sites: more than %d compounds; leave out substituents",
				freeWilsonMost)
		}
	}
	if len(f.Sites) == 0 {
		return f, fmt.Errorf("dataset: FreeWilson.Sites is empty; expected at least one site, or " +
			"nil for the synthetic surrogate")
	}
	f.Epsilon = cmp.Or(f.Epsilon, freeWilsonEpsilon)
	f.Sigma = cmp.Or(f.Sigma, 1)
	return f, nil
}

// Frame returns a data frame with one compound in each row. The data frame has a column of
// substituents for each site, and a column with the efficacy. Applied to the columns of the sites,
// the function [Features] returns the features of the instance. Features also returns the features
// for any other data frame of substituents.
func (f FreeWilson) Frame() (dataframe.DataFrame, error) {
	f, err := f.resolve()
	if err != nil {
		return dataframe.DataFrame{Err: err}, err
	}
	columns, efficacy := make([][]string, len(f.Sites)), []float64(nil)
	for at := make([]int, len(f.Sites)); ; {
		sum := f.Base
		for n, s := range f.Sites {
			columns[n] = append(columns[n], s.Substituents[at[n]])
			sum += s.Contributions[at[n]]
		}
		efficacy = append(efficacy, sum)
		n := len(at) - 1
		for ; n >= 0; n-- {
			if at[n]++; at[n] < len(f.Sites[n].Substituents) {
				break
			}
			at[n] = 0
		}
		if n < 0 {
			break
		}
	}
	all := make([]series.Series, 0, len(columns)+1)
	for n, c := range columns {
		all = append(all, series.New(c, series.String, f.Sites[n].Name))
	}
	df := dataframe.New(append(all, series.New(efficacy, series.Float, "efficacy"))...)
	return df, df.Err
}

// FreeWilsonFrame returns the data frame of the synthetic surrogate, with one compound in each row.
func FreeWilsonFrame() (dataframe.DataFrame, error) { return FreeWilson{}.Frame() }

// question returns the question that asks for all compounds within Epsilon, or the fraction Within,
// of the best.
func (f FreeWilson) question() question.AllEpsilonBest {
	if f.Within != 0 {
		return question.AllEpsilonBest{Epsilon: f.Within, Multiplicative: true}
	}
	return question.AllEpsilonBest{Epsilon: f.Epsilon}
}

// Instance builds the instance with Gaussian rewards and means that are linear in the features.
func (f FreeWilson) Instance() (*bandit.Instance, error) {
	synthetic, assumed := f.Synthetic(), f.Sigma == 0
	f, err := f.resolve()
	if err != nil {
		return nil, err
	}
	df, err := f.Frame()
	if err != nil {
		return nil, err
	}
	sites := make([]string, len(f.Sites))
	theta, rank := []float64{f.Base}, 1
	for n, s := range f.Sites {
		sites[n] = s.Name
		theta = append(theta, s.Contributions...)
		rank += len(s.Substituents) - 1
	}
	x, _, err := Features(df, nil, sites)
	if err != nil {
		return nil, err
	}
	names := make([]string, df.Nrow())
	for _, s := range sites {
		for i, l := range df.Col(s).Records() {
			names[i] = strings.TrimSpace(names[i] + " " + l)
		}
	}
	if f.Name == "" {
		f.Name = "free-wilson"
		if synthetic {
			f.Name = surrogateName
		}
	}
	inst, err := bandit.NewLinear(f.Name, &explore.Problem{
		X: x, ArmNames: names, ObjectiveNames: []string{cmp.Or(f.Value, "efficacy")}, Sigma: f.Sigma,
		Question: f.question(),
	}, mat.NewDense(len(theta), 1, theta))
	if err != nil {
		return nil, err
	}
	if synthetic {
		inst.Name = surrogateName
		inst.Problem.ObjectiveNames = []string{"efficacy (synthetic)"}
		inst.Notes = append(inst.Notes, "SYNTHETIC: substituent contributions are drawn at random, not measured; "+
			"only the numbers of sites, substituents and compounds within 4.325 of the best match the LinFACT paper")
	}
	if assumed {
		inst.Notes = append(inst.Notes, "the standard deviation of a measurement is assumed to be 1")
	}
	_, h := x.Dims()
	inst.Notes = append(inst.Notes, fmt.Sprintf("the %d features have rank %d, because the indicators of each site "+
		"sum to the constant feature", h, rank))
	return inst, nil
}

// FitFreeWilson fits the model to measured compounds by least squares. The frame df has one
// compound in each row, a column of substituents for each site, and the measurements in the column
// efficacy. The fitted instance contains every combination of substituents, measured or not.
//
// The first substituent of each site gets a contribution of 0, so Base is the efficacy of the
// compound with the first substituents. If df has more rows than there are contributions to fit,
// Sigma is the residual standard deviation. FitFreeWilson returns an error if the rows do not
// determine all contributions.
func FitFreeWilson(df dataframe.DataFrame, efficacy string, sites ...string) (FreeWilson, error) {
	bad := func(format string, args ...any) (FreeWilson, error) {
		return FreeWilson{}, fmt.Errorf("dataset: FitFreeWilson: "+format, args...)
	}
	if len(sites) == 0 {
		return bad("no sites; name the columns with the substituents")
	}
	if slices.Contains(sites, efficacy) {
		return bad("column %q is both the efficacy and a site; remove it from the sites", efficacy)
	}
	_, mu, _, err := Columns{Objectives: []string{efficacy}}.Means(df)
	if err != nil {
		return FreeWilson{}, err
	}
	all, _, err := Features(df, nil, sites)
	if err != nil {
		return FreeWilson{}, err
	}
	df, _ = checked(df) // no error is possible, because Features has checked df
	f := FreeWilson{Name: "free-wilson", Value: efficacy}
	columns, at := []int{0}, 1 // columns of the features, without the first substituent of each site
	for _, s := range sites {
		site := Site{Name: s}
		for _, l := range df.Col(s).Records() {
			if !slices.Contains(site.Substituents, l) {
				site.Substituents = append(site.Substituents, l)
			}
		}
		for j := range site.Substituents {
			if j > 0 {
				columns = append(columns, at+j)
			}
		}
		at += len(site.Substituents)
		f.Sites = append(f.Sites, site)
	}
	n, _ := all.Dims()
	x := mat.NewDense(n, len(columns), nil)
	for j, c := range columns {
		x.SetCol(j, mat.Col(nil, c, all))
	}
	if rank := lsq.NewSpan(x).Rank(); rank < len(columns) {
		return bad("%d rows determine only %d of %d contributions; measure compounds that differ in one site only, "+
			"or leave out substituents", n, rank, len(columns))
	}
	var theta, rest mat.Dense
	if err := theta.Solve(x, mu); err != nil {
		return bad("%w", err)
	}
	rest.Mul(x, &theta)
	rest.Sub(&rest, mu)
	if free := n - len(columns); free > 0 {
		f.Sigma = mat.Norm(&rest, 2) / math.Sqrt(float64(free))
	}
	if f.Sigma < 1e-12*mat.Norm(mu, math.Inf(1)) {
		f.Sigma = 0 // an exact fit gives no information about the noise
	}
	f.Base = theta.At(0, 0)
	k := 1
	for s := range f.Sites {
		site := &f.Sites[s]
		site.Contributions = make([]float64, len(site.Substituents))
		for j := range site.Contributions[1:] {
			site.Contributions[j+1] = theta.At(k, 0)
			k++
		}
	}
	return f, nil
}
