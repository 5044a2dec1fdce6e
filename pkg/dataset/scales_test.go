package dataset_test

import (
	"math"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/dataset"
)

// Sigma is the standard deviation of the noisiest objective. NormSigma is the standard deviation in the noisiest
// direction, the square root of the largest eigenvalue of the covariance.
func TestNoiseScales(t *testing.T) {
	df := dataframe.New(series.New([]float64{.2, .7}, series.Float, "a"), series.New([]float64{.5, .1}, series.Float, "b"))
	c := dataset.Columns{Objectives: []string{"a", "b"}}
	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s is %v, not %v", name, got, want)
		}
	}
	// With the variances 4 and 1 and the covariance 1, the eigenvalues are (5 + sqrt(13))/2 and (5 - sqrt(13))/2.
	in, err := dataset.Gaussian("g", df, c, mat.NewSymDense(2, []float64{4, 1, 1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	near("Sigma", in.Problem.Sigma, 2)
	near("NormSigma", in.Problem.NormSigma, math.Sqrt((5+math.Sqrt(13))/2))
	// The largest variance may be in any position.
	in, err = dataset.Gaussian("g", df, c, mat.NewDiagDense(2, []float64{1, 9}))
	if err != nil {
		t.Fatal(err)
	}
	near("Sigma", in.Problem.Sigma, 3)
	near("NormSigma", in.Problem.NormSigma, 3)
	// A reward in [0, 1] is 1/2-sub-Gaussian.
	in, err = dataset.Bernoulli("b", df, c)
	if err != nil {
		t.Fatal(err)
	}
	near("Sigma", in.Problem.Sigma, .5)
	near("NormSigma", in.Problem.NormSigma, .5)
}
