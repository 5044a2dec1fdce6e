package tidy

import "math"

// LogContrast returns sum_k c_k log m_k, where m_k is either the median or the mean of the sample
// x_k. The interval is a bootstrap percentile interval from Resamples resamples, in which the
// samples are resampled independently. For example, LogContrast can estimate the logarithm of a
// ratio, or the slope of pulls on log-log axes. LogContrast panics if c and x differ in length. If
// a median or mean is not positive and finite, Center of the result is NaN and its interval is
// infinite, with a warning. The N of the result is the size of the smallest sample.
func LogContrast(c []float64, x [][]float64, medians bool, confidence float64) Summary {
	checkConfidence(confidence)
	if len(c) != len(x) {
		panic(panicPairs)
	}
	s := empty(confidence)
	n, together := math.MaxInt, [][]*resample{}
	for k := range x {
		y := present(x[k], &s)
		n = min(n, len(y))
		if len(y) == 0 {
			return s
		}
		together = append(together, []*resample{newResample(y, medians)})
	}
	value := func() (v float64) {
		for k, r := range together {
			v += c[k] * math.Log(r[0].value())
		}
		return v
	}
	s.N = n
	v := value()
	if math.IsNaN(v) || math.IsInf(v, 0) {
		s.warn("a contrast of logarithms needs positive, finite values")
		return s
	}
	s.Center = v
	s.percentiles(together, value)
	return s
}

// RateContrast returns sum_i c_i p_i, such as a difference of two rates, where p_i is the rate of
// k_i events in n_i trials. RateContrast's interval adds the squared half-widths of the rates'
// Clopper-Pearson intervals (MOVER; Zou and Donner, Statistics in Medicine 2008; Newcombe, ibid.
// 1998). RateContrast panics if c, k and n differ in length. The N of the result is the smallest
// number of trials.
func RateContrast(c []float64, k, n []int, confidence float64) Summary {
	checkConfidence(confidence)
	if len(c) != len(k) || len(c) != len(n) {
		panic(panicPairs)
	}
	s := Summary{Confidence: confidence, N: math.MaxInt}
	var down, up float64
	for i, w := range c {
		p := Rate(k[i], n[i], confidence)
		s.N = min(s.N, n[i])
		if n[i] == 0 {
			s := empty(confidence)
			s.warn("no values")
			return s
		}
		s.Center += w * p.Center
		below, above := w*(p.Center-p.Lo), w*(p.Hi-p.Center)
		if w < 0 {
			below, above = -above, -below
		}
		down += below * below
		up += above * above
	}
	s.Lo, s.Hi = s.Center-math.Sqrt(down), s.Center+math.Sqrt(up)
	return s
}
