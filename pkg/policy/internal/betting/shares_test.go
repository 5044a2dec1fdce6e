package betting

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// TestWrongAnswersArePaid checks Lemma 7 of docs/betting.md by brute force. If each stated claim has a capital
// of at least 1/delta, but the statement is wrong about some items, then the capital of the false claims is also
// at least 1/delta. The lemma holds for any statements at the times when accounts opened, and for any gains of
// the accounts. The initial capital of the false claims is at most 1.
func TestWrongAnswersArePaid(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 1))
	checked := 0
	for range 3000 {
		n, claims := 2+rnd.IntN(3), 2+rnd.IntN(2)
		none := func(int) bool { return false }
		var s shares
		s.claims = claims
		// With tolerances, dominated items are rivals, too.
		tolerant := claims == 3 && rnd.IntN(2) == 0
		state := func() []Stated {
			x := make([]Stated, n)
			for i := range x {
				x[i].Of = rnd.IntN(claims)
				x[i].Rival, x[i].Beside = x[i].Of == 0 || tolerant && x[i].Of == 1, -1
				if claims == 3 && x[i].Of == 1 {
					x[i].Beside = rnd.IntN(n)
				}
			}
			return x
		}
		accounts := 1 + rnd.IntN(4)
		s.open(make([]Stated, n), none)
		for range accounts - 1 {
			s.open(state(), none)
		}
		final := state()
		s.lean(final, none)

		// The values in made are the final capital of one unit in a claim. The values are random,
		// and scaled so that each stated claim ends with exactly 1/delta.
		const reciprocal = 20.
		made := make([][][]float64, n) // indexed by item, by other item (n if there is no other item), and by account
		for i := range made {
			made[i] = make([][]float64, n+1)
			for j := range made[i] {
				m := make([]float64, accounts)
				made[i][j] = m
				beside := -1
				if j < n {
					beside = j
				}
				if final[i].Of == 0 && (j == n || !final[j].Rival || i == j) || final[i].Of > 0 && j < n {
					continue // the claim is not stated, and has no capital
				}
				if final[i].Of > 0 {
					beside = final[i].Beside
				}
				sum := 0.
				for a := range m {
					m[a] = math.Exp(6 * rnd.NormFloat64())
					sum += m[a] * math.Exp(s.start(a, Claim{Item: i, Of: final[i].Of, Beside: beside}))
				}
				for a := range m {
					m[a] *= reciprocal / sum
				}
			}
		}
		// Draw which claims are false, so that at least one stated claim is among them. A false claim of the first
		// kind is false relative to one item, which is in the right answer. With three kinds, a claim of the
		// second kind names another item, and may be true for some items and false for other items.
		for range 30 {
			wrong := make([]bool, n*claims)
			behind := make([][]bool, n) // by item and other item: whether the second claim is true
			any := false
			for i := range n {
				behind[i] = make([]bool, n)
				named := false
				switch {
				case claims == 2:
					wrong[i*2+rnd.IntN(2)] = true
				default:
					for c := range claims {
						wrong[i*claims+c] = rnd.IntN(2) == 0
					}
					for j := range n {
						behind[i][j] = j != i && !wrong[i*3+1] && rnd.IntN(2) == 0
					}
					named = behind[i][max(final[i].Beside, 0)]
					wrong[i*3+1] = true // false at least for the item itself
				}
				any = any || wrong[i*claims+final[i].Of] && !(claims == 3 && final[i].Of == 1 && named)
			}
			beside, possible := make([]int, n), true
			for i := range n {
				var in []int
				for j := range n {
					// If item j is in the right answer, all other claims about j are false.
					truly := !wrong[j*claims]
					for c := 1; c < claims; c++ {
						truly = truly && wrong[j*claims+c] && !slices.Contains(behind[j], true)
					}
					if tolerant {
						truly = wrong[j*claims+2] // item j is inside
					}
					if truly && j != i {
						in = append(in, j)
					}
				}
				if wrong[i*claims] {
					if len(in) == 0 {
						possible = false
						break
					}
					beside[i] = in[rnd.IntN(len(in))]
				}
			}
			if !any || !possible {
				continue
			}
			checked++
			capital, first := 0., 0.
			for a := range accounts {
				sum, has := 0., 0.
				for i := range n {
					for c := range claims {
						if !wrong[i*claims+c] {
							continue
						}
						w, at, counts := math.Exp(s.weight[a][i*claims+c]), n, c == final[i].Of
						switch {
						case c == 0:
							at = beside[i]
							w *= math.Exp(s.lead[a][at])
						case claims == 3 && c == 1:
							if a > 0 && s.named[a][i] >= 0 && behind[i][s.named[a][i]] {
								w = unstatedWeight / float64(n) // the claim with the larger weight is true
							}
							counts = counts && !behind[i][final[i].Beside]
						}
						sum += w
						if counts {
							has += w * made[i][at][a]
						}
					}
				}
				capital += math.Exp(s.part[a]) * has / sum
				first += math.Exp(s.part[a])
			}
			if capital < reciprocal*(1-1e-9) {
				t.Fatalf("stated %v, false %v beside %v: the capital is %v; want %v", final, wrong, beside, capital, reciprocal)
			}
			if first > 1+1e-9 {
				t.Fatalf("accounts begin with %v", first)
			}
		}
	}
	if checked < 10000 {
		t.Errorf("%d truths", checked)
	}
}

// The initial capital of claims that hold independently of other items sums to at most 1 over the claims that
// can be false together.
func TestSureSharesSumToOne(t *testing.T) {
	for _, claims := range []int{2, 3} {
		var s shares
		s.claims = claims
		none := func(int) bool { return false }
		s.open(make([]Stated, 3), none)
		s.open([]Stated{{Beside: -1, Rival: true}, {Of: 1, Beside: -1}, {Of: claims - 1, Beside: -1}}, none)
		for a := range 2 {
			for truth := range 1 << (3 * claims) {
				sum := 0.
				for i := range 3 {
					of := truth >> (i * claims) & (1<<claims - 1)
					if claims == 2 && of != 1 && of != 2 {
						sum = math.Inf(-1) // impossible, because exactly one of two claims is false
					}
					for c := range claims {
						if of>>c&1 == 1 {
							sum += math.Exp(s.start(a, Claim{Item: i, Of: c, Beside: -1, Sure: true}) - s.part[a])
						}
					}
				}
				if sum > 1+1e-9 {
					t.Errorf("%d claims, account %d: false claims have %v", claims, a, sum)
				}
			}
		}
	}
}

// TestWrongRanksArePaid is TestWrongAnswersArePaid for the question of the best few items, for
// which a single item may be wrongly stated to be better than several other items. An item may be a
// class of several equal items of the problem, and the answer may contain only a part of its last
// class. The initial capital of the false claims is at most 1.
func TestWrongRanksArePaid(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 1))
	none := func(int) bool { return false }
	const reciprocal = 20.
	checked, divided := 0, 0
	for run := range 30000 {
		n := 2 + rnd.IntN(5)
		count := 1 + rnd.IntN(3)
		s := shares{claims: 2, beside: min(count, n)}
		size := make([]int, n)
		for i := range size {
			if size[i] = 1; run%2 == 1 {
				size[i] += rnd.IntN(3)
			}
		}
		var answer []int // by item: its number of copies in the last statement
		state := func() []Stated {
			x := make([]Stated, n)
			answer = make([]int, n)
			in, order := 0, rnd.Perm(n)
			for _, i := range order {
				if x[i] = (Stated{Of: notInside, Beside: -1}); in < count && rnd.IntN(4) > 0 {
					answer[i] = min(size[i], count-in)
					x[i].Of, x[i].Rival = accepted, answer[i] < size[i]
					in += answer[i]
				}
			}
			for i := range x { // other items can be beaten only if the answer is full
				if in == count && x[i].Of == notInside && rnd.IntN(3) > 0 {
					x[i] = Stated{Of: nothing, Beside: -1, Rival: true}
				}
			}
			return x
		}
		s.open(make([]Stated, n), none)
		for range rnd.IntN(3) {
			s.open(state(), none)
		}
		final := state()
		s.lean(final, none)
		accounts := len(s.part)
		// made holds the final capital of one unit, indexed by item, by other item (n if there is no other item), and
		// by account. Each stated claim ends with a capital of 1/delta.
		made := make([][][]float64, n)
		for i := range made {
			made[i] = make([][]float64, n+1)
			for k := range made[i] {
				m := make([]float64, accounts)
				made[i][k] = m
				c := Claim{Item: i, Of: final[i].Of, Beside: -1}
				if k < n {
					c.Beside = k
				}
				if c.Of == nothing || k < n && (c.Of == notInside || k == i || !final[k].Rival) {
					continue // the claim is not stated
				}
				sum := 0.
				for a := range m {
					m[a] = math.Exp(6 * rnd.NormFloat64())
					sum += m[a] * math.Exp(s.start(a, c))
				}
				for a := range m {
					m[a] *= reciprocal / sum
				}
			}
		}
		for range 8 {
			feasible, better := make([]bool, n), rnd.Perm(n) // the best item first
			var top []int
			left := count
			for _, i := range better {
				if feasible[i] = rnd.IntN(3) > 0; feasible[i] && left > 0 {
					top = append(top, i)
					left -= size[i]
				}
			}
			wrong, missing, room := false, false, count
			for _, i := range better { // wrong if a missing item is better than an item of the answer, or could be added
				wrong = wrong || answer[i] > 0 && (missing || !feasible[i])
				missing = missing || feasible[i] && answer[i] < size[i]
				room -= answer[i]
			}
			if wrong = wrong || missing && room > 0; !wrong {
				continue
			}
			checked++
			if left < 0 {
				divided++
			}
			capital := 0.
			for a := range accounts {
				var sum, has, sure float64
				take := func(c Claim) {
					w := math.Exp(s.weight[a][c.Item*2+c.Of])
					at := n
					if c.Beside >= 0 {
						at = c.Beside
						w *= math.Exp(s.lead[a][at])
					}
					sum += w
					if c.Of == final[c.Item].Of {
						has += w * made[c.Item][at][a]
					}
					c.Sure = true
					sure += math.Exp(s.start(a, c) - s.part[a])
				}
				for i := range n {
					switch {
					case !feasible[i]:
						take(inAnswer(i, -1))
						continue
					case !slices.Contains(top, i) || left < 0 && i == top[len(top)-1]:
						for _, k := range top {
							if k != i {
								take(inAnswer(i, k))
							}
						}
					}
					take(notFeasible(i))
				}
				if sure > 1+1e-9 {
					t.Fatalf("account %d: false claims have %v", a, sure)
				}
				capital += math.Exp(s.part[a]) * has / sum
			}
			if capital < reciprocal*(1-1e-9) {
				t.Fatalf("stated %v of %d, the best are %v of %v: the capital is %v; want %v", final, count, top, feasible,
					capital, reciprocal)
			}
		}
	}
	if checked < 10000 || divided < 2000 {
		t.Errorf("%d truths, %d in which a class is divided", checked, divided)
	}
}

// The question is about the best three of six items. When the last account opened, items 2, 3 and 4 were stated to be
// beaten. Now the answer contains items 3 and 4, and item 2 is stated to be outside. If item 2 is inside, only the
// statement about item 2 is false. The sum of the weights of all false claims must not exceed the number by which the
// account divides its capital.
func TestRankOfThree(t *testing.T) {
	s, none := shares{claims: 2, beside: 3}, func(int) bool { return false }
	in, out := Stated{Of: accepted, Beside: -1}, Stated{Of: notInside, Beside: -1}
	beaten := Stated{Of: nothing, Beside: -1, Rival: true}
	s.open(make([]Stated, 6), none)
	s.open([]Stated{in, in, beaten, beaten, beaten, in}, none)
	s.lean([]Stated{in, beaten, out, in, in, beaten}, none)
	sum := 0.
	for _, i := range []int{0, 1, 5} { // items 0, 1 and 5 are not better than the best items 2, 3 and 4
		for _, k := range []int{2, 3, 4} {
			sum += math.Exp(s.weight[1][i*2] + s.lead[1][k])
		}
	}
	for k := range 6 {
		sum += math.Exp(s.weight[1][k*2+notInside])
	}
	if most := math.Exp(s.norm[1]); !(sum <= most) || sum < 9 {
		t.Errorf("weights of %v; the sum is %v", most, sum)
	}
}

// For the best c of n items, the claim that item i is better than item j starts with the share 1/((1 + c) n) of
// the first account. Each item has two claims, and the first claim may be false with respect to c items.
func TestBestBegins(t *testing.T) {
	region, err := polyhedron.AtLeast([]float64{0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, count := range []int{1, 2} {
		q := &Best{Region: region, Weights: []float64{1}, Count: count}
		var e Engine
		if err := e.Init(&explore.Problem{Arms: 4, Sigma: 1}, q, .1, nil); err != nil {
			t.Fatal(err)
		}
		got := math.Exp(e.Accounts.Log(inAnswer(0, 1), Group{At: q.pair(0, 1), N: 1}))
		if want := .25 / float64(4*(1+count)); math.Abs(got-want) > 1e-12 {
			t.Errorf("%d of 4: %v; want %v", count, got, want)
		}
	}
}
