package monitor

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// effects is the e-process of Plates and of Drift: the alternative adds to each result the effect of
// its plate, or an amount that grows with the number of results; and to the means of arms, or to the
// parameters of linear means, something that the null allows as well. Without these null columns the
// null could follow any effects of plates, by means that no replicate supports.
type effects struct {
	drift bool
	line  *line         // null columns: the features; nil: the arms
	of    [][]component // by arm: how much of each column its results have
	sum   []float64     // by column: of amount times (result - origin of the arm)
	size  []float64     // by column: of squared amounts
	plate []int         // by column
	at    map[int]int   // column by plate
}

type component struct {
	column int
	amount float64
}

// mostPlates is how many plates are watched, the first. More would take long, and noise that plates
// add shows in few.
const mostPlates = 64

// Variances of the null columns, of the effects of plates, and of the drift by 100 results.
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
		return // no effect, and nothing is paid for it
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

// look computes, for each variance u of the null columns and v of the effects,
//
//	log E = -log det(I + u N)/2 - log det(I + v (B - T'(I/u + N)^-1 T))/2
//	        + W'(I/v + B - T'N^+ T + T'(N^+)^2 T/u)^-1 W/2
//
// where N = sum x x' over results, with null columns x, T = sum x b', B = sum b b' for the columns b
// of effects, and W are the sums of the residuals of least squares on x, by column.
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
	if p.line != nil {
		cross = p.features(s)
	} else {
		cross = p.arms(s)
	}
	w := mat.NewVecDense(n, nil)
	for i := range p.of {
		for _, t := range p.of[i] {
			a := &s.arm[i]
			fitted := a.mean
			if p.line != nil {
				fitted = p.line.mean(i)
			}
			w.SetVec(t.column, w.AtVec(t.column)+t.amount*(fitted-a.origin))
		}
	}
	for c, v := range p.sum {
		w.SetVec(c, v-w.AtVec(c))
	}
	var logs []float64
	var chol mat.Cholesky
	var effect, best mat.VecDense
	sum := mat.NewSymDense(n, nil)
	most := math.Inf(-1)
	for _, u := range nulls {
		logDet, shrunk := cross.shrunk(u)
		for _, v := range variances {
			// I + v (B - shrunk).
			fill(sum, p.size, 1/v, func(i, j int) float64 { return -shrunk.At(i, j) })
			if !chol.Factorize(sum) {
				continue // rounding: 0 in the average
			}
			log := -logDet/2 - chol.LogDet()/2 - float64(n)/2*math.Log(v)
			fill(sum, p.size, 1/v, func(i, j int) float64 {
				return cross.second.At(i, j)/u - cross.first.At(i, j)
			})
			if !chol.Factorize(sum) || chol.SolveVecTo(&effect, w) != nil {
				continue
			}
			log += mat.Dot(w, &effect) / 2
			logs = append(logs, log)
			if log > most {
				most = log
				best.CloneFromVec(&effect)
			}
		}
	}
	f.LogE = math.Inf(-1)
	if len(logs) > 0 {
		f.LogE = logMean(logs) + math.Log(float64(len(logs))/float64(len(nulls)*len(variances)))
		p.name(&f, &best)
	}
	return f
}

// fill sets sum to diag(size) + add I + more.
func fill(sum *mat.SymDense, size []float64, add float64, more func(i, j int) float64) {
	for i := range size {
		for j := i; j < len(size); j++ {
			v := more(i, j)
			if i == j {
				v += size[i] + add
			}
			sum.SetSym(i, j, v)
		}
	}
}

// name says which effect is the largest.
func (p *effects) name(f *Finding, effect *mat.VecDense) {
	worst := 0
	for c := range p.plate {
		if math.Abs(effect.AtVec(c)) > math.Abs(effect.AtVec(worst)) {
			worst = c
		}
	}
	if f.Size = math.Abs(effect.AtVec(worst)); f.Kind == Plates {
		f.Plate = p.plate[worst]
	}
}

// A crossing has T'N^+ T and T'(N^+)^2 T, and of a variance u of the null columns log det(I + u N)
// and T'(I/u + N)^-1 T.
type crossing struct {
	first, second *mat.SymDense
	shrunk        func(u float64) (logDet float64, t *mat.SymDense)
}

// arms returns the crossing with the arms, of which a result has one. Each has few columns.
func (p *effects) arms(s *sums) crossing {
	sum := func(weight func(a *armSums) float64) *mat.SymDense {
		t := mat.NewSymDense(len(p.plate), nil)
		for i, own := range p.of {
			for j, x := range own {
				w := weight(&s.arm[i]) * x.amount
				for _, y := range own[:j+1] {
					t.SetSym(x.column, y.column, t.At(x.column, y.column)+w*y.amount)
				}
			}
		}
		return t
	}
	return crossing{
		first:  sum(func(a *armSums) float64 { return 1 / a.n }),
		second: sum(func(a *armSums) float64 { return 1 / (a.n * a.n) }),
		shrunk: func(u float64) (logDet float64, t *mat.SymDense) {
			for _, i := range s.measured {
				logDet += math.Log1p(u * s.arm[i].n)
			}
			return logDet, sum(func(a *armSums) float64 { return u / (1 + u*a.n) })
		},
	}
}

// features returns the crossing with the features, and fits them.
func (p *effects) features(s *sums) crossing {
	l, n := p.line, len(p.plate)
	l.fit(s, func(a *armSums) float64 { return a.n })
	info := mat.NewSymDense(l.m, nil)
	t := mat.NewDense(l.m, n, nil)
	for i, own := range p.of {
		for _, x := range own {
			for j, v := range l.x[i] {
				t.Set(j, x.column, t.At(j, x.column)+x.amount*v)
			}
		}
	}
	for _, i := range s.measured {
		info.SymRankOne(info, s.arm[i].n, mat.NewVecDense(l.m, l.x[i]))
	}
	inverse := mat.NewDense(l.m, n, nil) // N^+ T
	column, solution := make([]float64, l.m), make([]float64, l.m)
	for c := range n {
		mat.Col(column, c, t)
		l.metric.Solve(solution, column)
		inverse.SetCol(c, solution)
	}
	product := func(a, b mat.Matrix) *mat.SymDense {
		var ab mat.Dense
		ab.Mul(a.T(), b)
		sym := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				sym.SetSym(i, j, ab.At(i, j))
			}
		}
		return sym
	}
	shrunk := func(u float64) (logDet float64, _ *mat.SymDense) {
		sum := mat.NewSymDense(l.m, nil)
		sum.CopySym(info)
		for i := range l.m {
			sum.SetSym(i, i, sum.At(i, i)+1/u)
		}
		var chol mat.Cholesky
		var solved mat.Dense
		if !chol.Factorize(sum) || chol.SolveTo(&solved, t) != nil {
			return math.Inf(1), mat.NewSymDense(n, nil) // rounding: 0 in the average
		}
		return chol.LogDet() + float64(l.m)*math.Log(u), product(t, &solved)
	}
	return crossing{product(t, inverse), product(inverse, inverse), shrunk}
}
