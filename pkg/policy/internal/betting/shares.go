package betting

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Constants of shares.
const (
	fade  = .75 // of the capital of an account, what the next one has
	doubt = .02 // weight of what is not stated when an account opens, of all items together
)

// A Claim is one about an item: which of its claims, and beside which other item, or -1. Of the first one,
// whether it holds beside one item is a part of it; others are a claim for each item that they name.
type Claim struct {
	Item, Of, Beside int
	// Sure claims hold whatever is said of other items. The others hold together, once what is stated of each
	// item is proved.
	Sure bool
}

// Stated is the claim of an item that the estimates suggest, with the item that it names, or -1. The first
// claim of an item is that it is in the answer, which means that it is ahead of each rival.
type Stated struct {
	Of, Beside int
	Rival      bool
}

// shares say with how much capital an account bets on a claim. Whatever the means are, some claims
// are false, and one of them is if what is stated in the end is wrong. An account divides its capital among
// the false ones, in proportion to weights that it has since it opened: large ones of what was stated then.
// If the same is stated in the end, one wrong item has nearly all, and of several the best one does no worse
// than if it were alone. docs/betting.md has the proof.
type shares struct {
	claims int // of an item
	// beside is how many others an item may be wrongly said to be ahead of at once, where each of these has its own
	// part of the capital; then both claims of an item may be false. 0 is one of them.
	beside int
	part   []float64   // by account: the logarithm of its part of all capital
	weight [][]float64 // by account and claim: logarithms of weights
	lead   [][]float64 // by account and item: of factors of the weights of claims to be ahead of it
	named  [][]int     // by account and item: whom the claim that has weight names, or -1; nil of the first account
	most   []float64   // by account: of the most that weights of false claims sum to
	norm   []float64   // by account: of that sum for each wrong item, as stated now
	stated []Stated
}

// open opens an account. The first one knows nothing; the others weigh what is stated. What is decided has no
// weight: whoever claims the contrary was refuted before.
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
			of[k] = doubt / float64(n)
		}
		if lead[i] = 1; x.Of >= 0 {
			of[x.Of] = 1
		}
		if !x.Rival {
			lead[i] = doubt / float64(n)
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
	s.stated = s.stated[:0] // lean has to look at the account
}

// sum returns the most that weights of false claims sum to, whatever is true. Of two claims one is, unless they are
// beside several.
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
		return 1 // all is decided
	}
	return sum
}

// lean finds what weights sum to if what is stated is wrong, and reports whether it is something new, so that
// more may be proved, and whether a sum has grown: what was proved before has to be looked at again.
//
// Let A be the wrong items. The weights of false claims are at most those of what is not stated, and those
// of A. Of A, an item may be wrong because it is not ahead of one that is no rival; that one is in A,
// too, and what is proved of it counts, so that there are some that count, at most so many times the
// largest weight, and others with at most what an item of the answer has beside one that is no rival.
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
				case x.Beside >= 0: // true of the item that it names, it is false of others
					if s.named[a] != nil && s.named[a][i] == x.Beside {
						w = min(w, doubt/float64(len(stated)))
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

// start returns the logarithm of the capital with which account a bets on a claim.
func (s *shares) start(a int, c Claim) float64 {
	w := s.weight[a][c.Item*s.claims+c.Of]
	switch {
	case c.Beside < 0:
	case c.Of == 0:
		w += s.lead[a][c.Beside]
	case s.named[a] != nil && s.named[a][c.Item] != c.Beside:
		w = min(w, math.Log(doubt/float64(len(s.lead[a]))))
	}
	x := s.part[a] + w
	if c.Sure {
		return x - s.most[a]
	}
	return x - s.norm[a]
}
