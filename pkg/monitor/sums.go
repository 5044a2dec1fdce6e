package monitor

// armSums has the sufficient statistics of the results of an arm.
type armSums struct {
	k      int     // results
	n      float64 // measurements
	mean   float64
	ss     float64 // sum of squares about the mean, weighted by n
	origin float64 // the first result: sums of differences from it keep their digits
}

// add takes a result in, and returns by how much the sum of squares grew (Welford, 1962).
func (a *armSums) add(n, y float64) float64 {
	if a.k == 0 {
		a.origin = y
	}
	a.k++
	a.n += n
	d := y - a.mean
	a.mean += d * n / a.n
	grown := n * d * (y - a.mean)
	a.ss += grown
	return grown
}

// sums has those of all arms.
type sums struct {
	arm      []armSums
	k        int     // results
	n        float64 // measurements
	ss       float64 // sum of squares about the means of the arms
	measured []int   // arms with results, in order of the first
}

func (s *sums) add(r *result) {
	a := &s.arm[r.arm]
	if a.k == 0 {
		s.measured = append(s.measured, r.arm)
	}
	s.k++
	s.n += r.n
	s.ss += a.add(r.n, r.y)
}
