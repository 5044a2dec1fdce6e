package monitor

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// effects is the e-process of the monitors Plates and Drift. Under the alternative, each result
// includes an effect of its plate, or a drift proportional to the number of results so far. Under
// the alternative, the means or parameters may also differ from those under the null hypothesis.
// The alternative therefore includes the null columns: the features, or the indicators of the arms.
// Without null columns, the means under the null hypothesis could absorb effects of plates or time.
type effects struct {
	drift bool
	line  *line         // features of the null columns, or nil for one column per arm
	of    [][]component // for each arm, the sum over its results of the amounts of each effect column
	sum   []float64     // by column, the sum of amount times (result minus the arm's origin)
	size  []float64     // by column, the sum of squared amounts
	plate []int         // plate of each column
	at    map[int]int   // column of each plate

	square [4][]float64 // scratch matrices with a row and a column for each effect
}

// zeros returns scratch matrix number i, filled with zeros.
func (p *effects) zeros(i int) []float64 {
	n := len(p.plate) * len(p.plate)
	if cap(p.square[i]) < n {
		p.square[i] = make([]float64, n)
	}
	t := p.square[i][:n]
	clear(t)
	return t
}

type component struct {
	column int
	amount float64
}

// mostPlates is the largest number of plates that are tested; testing more plates would take long,
// and few plates suffice to show plate effects.
const mostPlates = 64

// The following variables are the prior variances of the null columns, of the plate effects, and of
// the drift per 100 results.
var (
	nulls  = [...]float64{.05, .5}
	plates = [...]float64{.1, 1}
	drifts = [...]float64{1e-4, 1e-2, 1, 100}
)

func newEffects(k int, l *line, drift bool) *effects {
	return &effects{drift: drift, line: l, of: make([][]component, k), at: map[int]int{}}
}

func (p *effects) observe(s *sums, r *result) {
	plate, amount := r.plate, 1.
	if p.drift {
		plate, amount = 1, float64(s.k)/100
	}
	if plate == 0 {
		return // the result belongs to no plate
	}
	c, ok := p.at[plate]
	if !ok {
		if c = len(p.plate); c == mostPlates {
			return
		}
		p.at[plate] = c
		p.plate, p.sum, p.size = append(p.plate, plate), append(p.sum, 0), append(p.size, 0)
	}
	if a := &s.arm[r.arm]; a.k > 0 {
		p.sum[c] += r.n * amount * (r.y - a.origin)
	}
	p.size[c] += r.n * amount * amount
	own := p.of[r.arm]
	for i := range own {
		if own[i].column == c {
			own[i].amount += r.n * amount
			return
		}
	}
	p.of[r.arm] = append(own, component{c, r.n * amount})
}

// look computes log E for each variance u of the null columns and each variance v of the effects,
//
//	log E = -log det(I + u N)/2 - log det(I + v (B - T'(I/u + N)^-1 T))/2
//	        + W'(I/v + B - T'N^+ T + T'(N^+)^2 T/u)^-1 W/2
//
// For each result, x contains the null columns and b contains the effect columns. The sums over
// results are N = sum x x', T = sum x b', B = sum b b' and W = sum b r, where r is the residual of
// a least-squares fit to x.
func (p *effects) look(s *sums) Finding {
	f := none(Drift)
	variances := drifts[:]
	if !p.drift {
		f, variances = none(Plates), plates[:]
	}
	n := len(p.plate)
	if n == 0 {
		return f
	}
	var cross crossing
	f.LogE = math.Inf(-1)
	if p.line != nil {
		cross = p.features(s)
		if p.line.blurred {
			return f
		}
	} else {
		cross = p.arms(s)
	}
	w := slices.Clone(p.sum)
	for i := range p.of {
		a := &s.arm[i]
		fitted := a.mean
		if p.line != nil {
			fitted = p.line.mean(i)
		}
		for _, t := range p.of[i] {
			w[t.column] -= t.amount * (fitted - a.origin)
		}
	}
	var logs []float64
	var best []float64
	sum, effect := p.zeros(0), make([]float64, n)
	most := math.Inf(-1)
	for _, u := range nulls {
		logDet, shrunk := cross.shrunk(u)
		for _, v := range variances {
			// cholesky factors the matrix I/v + B - shrunk, where shrunk is the part of B that the
			// null columns explain. The term n/2 log(v) below accounts for factoring I/v instead of
			// I.
			for i := range sum {
				sum[i] = -shrunk[i]
			}
			half, ok := p.cholesky(sum, 1/v)
			log := -logDet/2 - half - float64(n)/2*math.Log(v)
			for i := range sum {
				sum[i] = cross.second[i]/u - cross.first[i]
			}
			_, regular := p.cholesky(sum, 1/v)
			if !ok || !regular {
				continue // the matrix is indefinite only because of rounding errors; E then counts as 0
			}
			copy(effect, w)
			x := blas64.Vector{N: n, Inc: 1, Data: effect}
			blas64.Trsv(blas.NoTrans, triangle(sum, n), x)
			log += floats.Dot(effect, effect) / 2
			if logs = append(logs, log); log > most {
				most = log
				blas64.Trsv(blas.Trans, triangle(sum, n), x)
				best = slices.Clone(effect)
			}
		}
	}
	if len(logs) > 0 {
		f.LogE = logMean(logs) + math.Log(float64(len(logs))/float64(len(nulls)*len(variances)))
		p.name(&f, best)
	}
	return f
}

// cholesky stores in a, an n x n matrix, the lower Cholesky factor of a + B + add I, and returns
// half the logarithm of the determinant.
func (p *effects) cholesky(a []float64, add float64) (half float64, ok bool) {
	n := len(p.size)
	for i, v := range p.size {
		a[i*n+i] += v + add
	}
	t := triangle(a, n)
	_, ok = lapack64.Potrf(blas64.Symmetric{N: n, Stride: n, Data: a, Uplo: t.Uplo})
	for i := range n {
		half += math.Log(a[i*n+i])
	}
	return half, ok
}

// triangle returns the lower triangle of a, an n x n matrix.
func triangle(a []float64, n int) blas64.Triangular {
	return blas64.Triangular{N: n, Stride: n, Data: a, Uplo: blas.Lower, Diag: blas.NonUnit}
}

// name stores in finding f the size of the largest effect and, if f is about plates, the plate.
func (p *effects) name(f *Finding, effect []float64) {
	worst := 0
	for c, v := range effect {
		if math.Abs(v) > math.Abs(effect[worst]) {
			worst = c
		}
	}
	if f.Size = math.Abs(effect[worst]); f.Kind == Plates {
		f.Plate = p.plate[worst]
	}
}

// crossing contains the matrices that combine null columns and effects: T'N^+ T, T'(N^+)^2 T and
// T'(I/u + N)^-1 T. The crossing also contains log det(I + u N). Each matrix has one row and column
// for each effect; only its lower triangle is used.
type crossing struct {
	first, second []float64
	shrunk        func(u float64) (logDet float64, t []float64)
}

// arms returns the crossing for arbitrary means, whose null columns are indicators of the arms. The
// method is fast if each arm has results on few plates.
func (p *effects) arms(s *sums) crossing {
	n := len(p.plate)
	sum := func(scratch int, weight func(a *armSums) float64) []float64 {
		t := p.zeros(scratch)
		for _, i := range s.measured {
			weight := weight(&s.arm[i])
			for j, x := range p.of[i] {
				w, row := weight*x.amount, t[x.column*n:][:n]
				for _, y := range p.of[i][:j+1] {
					if y.column <= x.column {
						row[y.column] += w * y.amount
					} else {
						t[y.column*n+x.column] += w * y.amount
					}
				}
			}
		}
		return t
	}
	return crossing{
		first:  sum(1, func(a *armSums) float64 { return 1 / a.n }),
		second: sum(2, func(a *armSums) float64 { return 1 / (a.n * a.n) }),
		shrunk: func(u float64) (logDet float64, t []float64) {
			for _, i := range s.measured {
				logDet += math.Log1p(u * s.arm[i].n)
			}
			return logDet, sum(3, func(a *armSums) float64 { return u / (1 + u*a.n) })
		},
	}
}

// features returns the crossing for linear means, whose null columns are the features, and also
// fits the linear model.
func (p *effects) features(s *sums) crossing {
	l, n := p.line, len(p.plate)
	l.fit(s, func(a *armSums) float64 { return a.n })
	t := mat.NewDense(l.m, n, nil)
	info := make([]float64, l.m*l.m)
	for _, i := range s.measured {
		l.outer(info, l.x[i], s.arm[i].n)
		for _, x := range p.of[i] {
			for j, v := range l.x[i] {
				t.Set(j, x.column, t.At(j, x.column)+x.amount*v)
			}
		}
	}
	inverse := mat.NewDense(l.m, n, nil) // N^+ T
	column, solution := make([]float64, l.m), make([]float64, l.m)
	for c := range n {
		mat.Col(column, c, t)
		l.metric.Solve(solution, column)
		inverse.SetCol(c, solution)
	}
	product := func(a, b *mat.Dense) []float64 {
		ab := mat.NewDense(n, n, nil)
		ab.Mul(a.T(), b)
		return ab.RawMatrix().Data
	}
	shrunk := func(u float64) (logDet float64, _ []float64) {
		sum := mat.NewSymDense(l.m, slices.Clone(info))
		for i := range l.m {
			sum.SetSym(i, i, sum.At(i, i)+1/u)
		}
		var chol mat.Cholesky
		var solved mat.Dense
		if !chol.Factorize(sum) || chol.SolveTo(&solved, t) != nil {
			// The factorization fails only because of rounding errors; a failure counts as no
			// evidence.
			return math.Inf(1), make([]float64, n*n)
		}
		return chol.LogDet() + float64(l.m)*math.Log(u), product(t, &solved)
	}
	return crossing{product(t, inverse), product(inverse, inverse), shrunk}
}

// line is the linear model: coordinates of the arms in the span of the features. The coordinates
// are scaled so that the sum of x x' over the K arms is K/m times the identity, where x contains
// the m coordinates of an arm. If the parameters are independent with unit variance, the means then
// have unit variance on average.
type line struct {
	m      int
	x      [][]float64 // coordinates by arm
	metric *lsq.Metric
	a, b   []float64
	theta  []float64
	// If blurred is true, the last fit lacks a direction in which the measured arms differ only
	// slightly, so the residuals are meaningless.
	blurred bool
}

func newLine(x *mat.Dense) *line {
	k, _ := x.Dims()
	span := lsq.NewSpan(x)
	m := span.Rank()
	if m == 0 {
		x, span, m = mat.NewDense(k, 1, nil), nil, 1
	} else {
		x = span.Coordinates(x)
	}
	l := &line{m: m, metric: lsq.NewMetric(m), a: make([]float64, m*m), b: make([]float64, m),
		theta: make([]float64, m)}
	for i := range k {
		l.outer(l.a, x.RawRowView(i), float64(m)/float64(k))
	}
	l.metric.Factorize(l.a)
	for i := range k {
		y := make([]float64, m)
		l.metric.Whiten(y, x.RawRowView(i))
		l.x = append(l.x, y)
	}
	return l
}

func (l *line) outer(a, x []float64, w float64) {
	for i, v := range x {
		floats.AddScaled(a[i*l.m:][:l.m], w*v, x)
	}
}

// fit sets theta to minimise the sum over measured arms of weight(arm) (mean - x'theta)^2. fit
// returns the minimum, or 0 if the fit is blurred. fit costs O(K m^2 + m^3).
func (l *line) fit(s *sums, weight func(a *armSums) float64) (least float64) {
	clear(l.a)
	for _, i := range s.measured {
		l.outer(l.a, l.x[i], weight(&s.arm[i]))
	}
	l.blurred = !l.metric.Factorize(l.a) && l.lacks(s, weight)
	clear(l.b)
	for _, i := range s.measured {
		a := &s.arm[i]
		floats.AddScaled(l.b, weight(a)*a.mean, l.x[i])
	}
	l.metric.Solve(l.theta, l.b)
	if l.blurred {
		return 0
	}
	for _, i := range s.measured {
		a := &s.arm[i]
		least += weight(a) * square(a.mean-l.mean(i))
	}
	return least
}

// lacks reports whether the fit uses fewer directions than the measured arms span.
func (l *line) lacks(s *sums, weight func(a *armSums) float64) bool {
	if len(s.measured) == 0 {
		return false
	}
	x := mat.NewDense(len(s.measured), l.m, nil)
	rank := 0. // trace of N^+ N, which is the rank of N
	for j, i := range s.measured {
		x.SetRow(j, l.x[i])
		rank += weight(&s.arm[i]) * l.metric.Squared(l.x[i])
	}
	return rank < float64(lsq.NewSpan(x).Rank())-.5
}

func (l *line) mean(i int) float64 { return floats.Dot(l.theta, l.x[i]) }

func square(x float64) float64 { return x * x }

// misfit is the e-process for findings of kind Misfit. Under the alternative, the means of all arms
// differ from a linear model by independent amounts of variance rho. The e-process is an average
// over several values of rho.
type misfit struct {
	line *line
	logs []float64
}

func (p *misfit) observe(*sums, *result) {}

func (p *misfit) look(s *sums) Finding {
	f := none(Misfit)
	p.logs = p.logs[:0]
	most := math.Inf(-1)
	for _, rho := range []float64{.05, .2, .8, 3.2} {
		weight := func(a *armSums) float64 { return a.n * a.n * rho / (1 + a.n*rho) }
		log := p.line.fit(s, weight) / 2
		for _, i := range s.measured {
			log -= math.Log1p(s.arm[i].n*rho) / 2
		}
		p.logs = append(p.logs, log)
		if log <= most {
			continue
		}
		most = log
		worst := -1.
		for _, i := range s.measured {
			a := &s.arm[i]
			r := a.mean - p.line.mean(i)
			if e := weight(a) * r * r; e > worst {
				worst, f.Arm, f.Size = e, i, math.Abs(r)
			}
		}
	}
	f.LogE = logMean(p.logs)
	return f
}

// scatter is the e-process for findings of kind Scatter. Under the alternative, the noise about
// linear means is larger than declared.
type scatter struct {
	line *line
	logs []float64
}

func (p *scatter) observe(*sums, *result) {}

func (p *scatter) look(s *sums) Finding {
	f := none(Scatter)
	ss := s.ss + p.line.fit(s, func(a *armSums) float64 { return a.n })
	p.logs = excess(p.logs[:0], s.k, ss)
	f.LogE = logMean(p.logs)
	f.Size = math.Sqrt(ss / float64(max(s.k-min(p.line.m, len(s.measured)), 1)))
	return f
}
