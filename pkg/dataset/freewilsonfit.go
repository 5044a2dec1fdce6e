package dataset

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// FitFreeWilson returns the model that fits measured compounds best (least squares): df has a compound a
// row, a column of substituents for each of the sites, and the column efficacy with what was
// measured. Its instance has all combinations of the substituents, measured or not.
//
// The first substituent of a site that occurs contributes 0, Base is the compound of these. Sigma is
// the standard deviation of what the model leaves, if there are more rows than contributions. It is
// an error if the rows do not tell the contributions apart.
func FitFreeWilson(df dataframe.DataFrame, efficacy string, sites ...string) (FreeWilson, error) {
	bad := func(format string, args ...any) (FreeWilson, error) {
		return FreeWilson{}, fmt.Errorf("dataset: FitFreeWilson: "+format, args...)
	}
	if len(sites) == 0 {
		return bad("no sites; name the columns with the substituents")
	}
	if slices.Contains(sites, efficacy) {
		return bad("column %q is both the efficacy and a site", efficacy)
	}
	_, mu, _, err := Columns{Objectives: []string{efficacy}}.Means(df)
	if err != nil {
		return FreeWilson{}, err
	}
	all, _, err := Features(df, nil, sites)
	if err != nil {
		return FreeWilson{}, err
	}
	df, _ = checked(df) // by Features
	f := FreeWilson{Name: "free-wilson"}
	columns, at := []int{0}, 1 // of the features, without those of first substituents
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
		return bad("%d rows tell %d of %d contributions apart; measure compounds that differ in one site only, "+
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
		f.Sigma = 0 // an exact fit says nothing of the noise
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
