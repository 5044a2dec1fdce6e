package betting

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// The following constants determine the shares of capital.
const (
	fade           = .75 // capital of an account relative to the previous account
	unstatedWeight = .02 // total weight of claims that are not stated when an account opens
)

// A Claim is the claim with number Of about an item; Beside is another item that the claim is
// about, or -1. The first claim, that Item is in the answer, has a part for each rival Beside: that
// Item is better than the rival. For any other number Of, each Beside gives a separate claim.
type Claim struct {
	Item, Of, Beside int
	// If Sure is true, the claim holds independently of other items. Claims that are not Sure hold
	// only together, when the stated claims of all items are proved.
	Sure bool
}

// Stated is the claim about an item that the estimates suggest, with the other item that the claim
// is about, or -1. The first claim states that the item is in the answer, and therefore better than
// each of its rivals.
type Stated struct {
	Of, Beside int
	Rival      bool
}

// shares computes how the capital of an account is divided among claims. Whatever the true means
// are, some claims are false. If the final statement is wrong, it contains a false claim. An
// account divides its capital among the false claims, in proportion to weights that were fixed when
// the account opened. The claims that were stated at that time get large weights. If the final
// statement consists of the stated claims, a single wrong claim has nearly all of the capital. If
// several stated claims are wrong, the false claims together have at least the average of the
// capitals of the wrong stated claims. The file docs/betting.md contains the proof.
type shares struct {
	claims int // number of claims about an item
	// beside is the largest number of other items with respect to which the first claim about an
	// item may be false. Each statement that one item is better than another has a separate part of
	// the capital. If beside is above 0, both claims about an item may be false. If beside is 0,
	// the first claim about an item is treated as false with respect to at most one item.
	beside int
	part   []float64   // by account: logarithm of the account's part of the total capital
	weight [][]float64 // by account and claim: logarithm of the weight
	lead   [][]float64 // by account and item: logarithm of the factor for claims that other items are better
	named  [][]int     // by account and item: the other item named by the stated claim, or -1; nil for account 0
	most   []float64   // by account: the largest possible sum of weights of false claims
	norm   []float64   // by account: the largest sum of weights per wrong item if the stated claims are wrong
	stated []Stated
}

// open opens an account and determines its weights. In the first account, weights are equal; later
// accounts give the stated claims more weight. Decided items have no weight, because their contrary
// claim has been refuted.
func (s *shares) open(stated []Stated, decided func(item int) bool) {
	a, n := len(s.part), len(stated)
	c := (1 - fade) * math.Pow(fade, float64(a))
	w, lead, named := make([]float64, n*s.claims), make([]float64, n), make([]int, n)
	for i, x := range stated {
		named[i] = x.Beside
		if decided(i) {
			continue
		}
		of := w[i*s.claims:][:s.claims]
		for k := range of {
			of[k] = unstatedWeight / float64(n)
		}
		if lead[i] = 1; x.Of >= 0 {
			of[x.Of] = 1
		}
		if !x.Rival {
			lead[i] = unstatedWeight / float64(n)
		}
		if a == 0 {
			lead[i] = 1
			for k := range of {
				of[k] = 1 / float64(s.claims)
			}
		}
	}
	most := s.sum(w)
	for _, x := range [][]float64{w, lead} {
		for i, v := range x {
			x[i] = math.Log(v)
		}
	}
	s.part, s.weight, s.lead = append(s.part, math.Log(c)), append(s.weight, w), append(s.lead, lead)
	if a == 0 {
		named = nil
	}
	s.named = append(s.named, named)
	s.most, s.norm = append(s.most, math.Log(most)), append(s.norm, math.Log(most))
	s.stated = s.stated[:0] // force lean to update the account
}

// sum returns the largest possible sum of the weights of false claims. Of two contrary claims about
// an item, exactly one is false, unless s.beside is above 0.
func (s *shares) sum(weights []float64) (sum float64) {
	for at := 0; at < len(weights); at += s.claims {
		switch w := weights[at:][:s.claims]; {
		case s.beside > 0:
			sum += floats.Sum(w) + float64(s.beside-1)*w[0]
		case s.claims == 2:
			sum += max(w[0], w[1])
		default:
			sum += floats.Sum(w)
		}
	}
	if sum == 0 {
		return 1 // all items are decided
	}
	return sum
}

// lean computes sums of the weights of false claims, for the case that some stated claims are
// wrong. The result news reports whether stated claims have changed, so that more claims may be
// provable. The result worse reports whether a sum has grown, so that earlier proofs must be
// checked again.
//
// Let A be the set of items whose stated claims are wrong. The sum of the weights of false claims
// is at most the total weight of the claims that are not stated plus the total weight of the claims
// about items of A. For some items of A, the stated claim is wrong because the item is not better
// than some non-rival. The proof in docs/betting.md averages the capitals of the other items of A.
// Each such non-rival is one of these other items, because its stated claim is also wrong. The
// items in the average contribute at most their number times the largest weight. Each remaining
// item of A contributes at most the weight of the claim that an item of the answer is better than a
// non-rival.
func (s *shares) lean(stated []Stated, decided func(item int) bool) (news, worse bool) {
	news = len(s.stated) == 0
	for i := range s.stated {
		news = news || s.stated[i] != stated[i]
	}
	if !news {
		return false, false
	}
	s.stated = append(s.stated[:0], stated...)
	for a, w := range s.weight {
		var others, largest, answer, lead, leads float64
		for i, x := range stated {
			for k, log := range w[i*s.claims:][:s.claims] {
				w := math.Exp(log)
				largest = max(largest, w)
				switch {
				case k == 0 && x.Of != 0:
					others += w * float64(max(s.beside, 1))
				case k != x.Of:
					others += w
				case k == 0:
					answer += w
				// The claim may be true for the item that it names, but is false for all other
				// items.
				case x.Beside >= 0:
					if s.named[a] != nil && s.named[a][i] == x.Beside {
						w = min(w, unstatedWeight/float64(len(stated)))
					}
					others += w
				}
			}
			if !x.Rival && !decided(i) {
				x := math.Exp(s.lead[a][i])
				lead, leads = max(lead, x), leads+x
			}
		}
		if x := others + answer*min(float64(max(s.beside, 1))*lead, leads) + largest; x > 0 {
			log := min(s.most[a], math.Log(x))
			worse = worse || log > s.norm[a]
			s.norm[a] = log
		}
	}
	return true, worse
}

// start returns the logarithm of the initial capital that account a has for a claim.
func (s *shares) start(a int, c Claim) float64 {
	w := s.weight[a][c.Item*s.claims+c.Of]
	switch {
	case c.Beside < 0:
	case c.Of == 0:
		w += s.lead[a][c.Beside]
	case s.named[a] != nil && s.named[a][c.Item] != c.Beside:
		w = min(w, math.Log(unstatedWeight/float64(len(s.lead[a]))))
	}
	x := s.part[a] + w
	if c.Sure {
		return x - s.most[a]
	}
	return x - s.norm[a]
}
