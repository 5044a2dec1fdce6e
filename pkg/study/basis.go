package study

import (
	"fmt"
	"strings"
)

// ClaimBasis describes how closely the experiment behind a verdict matches the paper's experiment.
// Verdicts are counted by basis; see docs/verdicts.md.
type ClaimBasis int

// The following constants are the values of ClaimBasis. The zero value means the basis of the
// experiment to which the claim belongs.
const (
	Unstated ClaimBasis = iota
	// PaperData means the paper's own data, stated or published in full. For claims about numbers
	// in the paper, PaperData means the text of the paper.
	PaperData
	// PaperLaw means data that this project draws from a distribution that the paper states in
	// full.
	PaperLaw
	// AnyInstance means an instance that satisfies the assumptions of a theorem, for claims about
	// all such instances.
	AnyInstance
	// Reading means one possible reading of an experiment that the paper describes incompletely;
	// the choice of the reading may affect the verdict.
	Reading
	// StandIn means that an instance of this project replaces the paper's instance, because the
	// latter is unpublished or contradicts numbers in the paper.
	StandIn
	// Clock is the basis of claims about run times, as measured with this project's programs on one
	// machine.
	Clock
)

// Bases lists all values of ClaimBasis, in the order of tables.
var Bases = []ClaimBasis{PaperData, PaperLaw, AnyInstance, Reading, StandIn, Clock}

// String returns the basis in words.
func (b ClaimBasis) String() string {
	return [...]string{"-", "the paper's data", "the paper's distribution", "any instance",
		"a reading", "a stand-in", "this machine's clock"}[b]
}

// Theirs reports whether verdicts on the basis b count as verdicts on the paper.
func (b ClaimBasis) Theirs() bool { return b >= PaperData && b <= AnyInstance }

// Ruled returns the outcome o in words. If verdicts on the basis do not count as verdicts on the
// paper, the words include the basis.
func (b ClaimBasis) Ruled(o Outcome) string {
	if b.Theirs() || b == Unstated || o == NotComparable || o == NotJudged {
		return o.String()
	}
	return o.String() + " on " + b.String()
}

// Score counts verdicts by outcome.
type Score struct{ Agree, Differ, NotComparable, NotJudged int }

// add adds one verdict with the given outcome.
func (s *Score) add(o Outcome) {
	switch o {
	case Agrees:
		s.Agree++
	case Differs:
		s.Differ++
	case NotComparable:
		s.NotComparable++
	case NotJudged:
		s.NotJudged++
	}
}

// All returns the total number of claims in the score.
func (s Score) All() int { return s.Agree + s.Differ + s.NotComparable + s.NotJudged }

// String formats the score, for example as "11 agree, 3 differ, 7 not comparable, 1 not judged".
func (s Score) String() string {
	text := fmt.Sprintf("%d agree, %d differ, %d not comparable", s.Agree, s.Differ, s.NotComparable)
	if s.NotJudged > 0 {
		text += fmt.Sprintf(", %d not judged", s.NotJudged)
	}
	return text
}

// Scores count verdicts by kind of claim and by basis.
type Scores map[Kind]map[ClaimBasis]Score

// Add counts an outcome of claim c.
func (s Scores) Add(c Claim, o Outcome) {
	if s[c.Kind] == nil {
		s[c.Kind] = map[ClaimBasis]Score{}
	}
	one := s[c.Kind][c.Basis]
	one.add(o)
	s[c.Kind][c.Basis] = one
}

// notes returns a sentence for each kind of claim, with counts by basis, as notes for a table of
// claims.
func (s Scores) notes() (lines []string) {
	for k := Result; k <= Addition; k++ {
		var parts []string
		if one := s[k][Unstated]; one.All() > 0 {
			parts = append(parts, one.String())
		}
		for _, b := range Bases {
			if one := s[k][b]; one.All() > 0 {
				parts = append(parts, "on "+b.String()+" "+one.String())
			}
		}
		if parts != nil {
			lines = append(lines, [...]string{"Results stated by the paper", "Guarantees stated by the paper",
				"Additions of this project"}[k]+": "+strings.Join(parts, "; ")+".")
		}
	}
	return lines
}

// On returns a copy of the claim with basis b instead of the basis of its experiment.
func (c Claim) On(b ClaimBasis) Claim {
	c.Basis = b
	return c
}

// Unjudged returns a copy of the claim without a verdict, for claims that no available data could
// decide. The table of claims still shows what was measured. The argument why states which data are
// missing.
func (c Claim) Unjudged(why string) Claim {
	check := c.Check
	c.Moot = true
	c.Check = func(r *Results) Verdict {
		v := check(r)
		v.Outcome, v.Why, v.Phrases = NotJudged, why, nil
		return v
	}
	return c
}

// AnyReading judges a claim that has several readings, in favour of the paper. The claim agrees if
// it agrees on at least one reading, and differs if it differs on all readings. All claims with
// several readings follow the same rule.
func AnyReading(readings ...Verdict) Verdict {
	if len(readings) == 0 {
		return Missing("any reading")
	}
	v := readings[0]
	for _, r := range readings[1:] {
		measured := v.Measured + "; " + r.Measured
		switch {
		case v.Outcome == Agrees:
		case r.Outcome == Agrees, v.Outcome == Differs:
			v.Outcome, v.Why, v.Phrases = r.Outcome, r.Why, r.Phrases
		}
		v.Measured = measured
	}
	if len(readings) > 1 && v.Outcome == Differs {
		v.Why = eachWhy(readings)
	}
	if len(readings) > 1 && v.Outcome != NotJudged {
		v.Why = OneSuffices + v.Why
	}
	return v
}

// OneSuffices is the text with which the reason for a verdict of [AnyReading] begins.
const OneSuffices = "one of the readings suffices; "

// eachWhy joins the reasons for the readings, and states their common beginning only once.
func eachWhy(readings []Verdict) string {
	const no = "; the claim fails for "
	text := readings[0].Why
	begin, _, ok := strings.Cut(text, no)
	for _, r := range readings[1:] {
		if rest, same := strings.CutPrefix(r.Why, begin+no); ok && same {
			text += "; " + rest
		} else if !strings.HasSuffix(text, r.Why) {
			text += "; " + r.Why
		}
	}
	return text
}
