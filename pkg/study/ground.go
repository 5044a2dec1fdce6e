package study

import (
	"fmt"
	"strings"
)

// A Ground is what a claim is judged on: how near that is to what the paper ran. Verdicts are
// counted by it; see docs/verdicts.md.
type Ground int

// What a claim is judged on. The zero value is none: a claim says its own, or has that of its
// experiment.
const (
	Unstated Ground = iota
	// PaperData is what the paper ran, as it states or publishes it in full; or the text of the
	// paper, for claims about its own numbers.
	PaperData
	// PaperLaw is instances of our own draws from the distribution that the paper states in full.
	PaperLaw
	// AnyInstance is an instance on which a theorem promises something: it speaks of all that meet
	// its assumptions, so that ours is as good as any.
	AnyInstance
	// Reading is one way to read what the paper describes but leaves open, where that matters.
	Reading
	// StandIn is an instance of our own in the place of the paper's, which is not published or is
	// another by the paper's own numbers.
	StandIn
	// Clock is the time that programs of our own take on this machine.
	Clock
)

// Grounds lists them, in the order of tables.
var Grounds = []Ground{PaperData, PaperLaw, AnyInstance, Reading, StandIn, Clock}

// String returns the ground in words.
func (b Ground) String() string {
	return [...]string{"-", "the paper's data", "the paper's distribution", "any instance",
		"a reading", "a stand-in", "this machine's clock"}[b]
}

// Theirs reports whether verdicts on this ground are about what the paper did or promises. Others
// never count as the paper's.
func (b Ground) Theirs() bool { return b >= PaperData && b <= AnyInstance }

// Ruled is an outcome in words: one that is not on what the paper ran says so.
func (b Ground) Ruled(o Outcome) string {
	if b.Theirs() || b == Unstated || o == NotComparable || o == NotJudged {
		return o.String()
	}
	return o.String() + " on " + b.String()
}

// A Score counts verdicts.
type Score struct{ Agree, Differ, NotComparable, NotJudged int }

// add counts an outcome.
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

// All is the number of claims.
func (s Score) All() int { return s.Agree + s.Differ + s.NotComparable + s.NotJudged }

// String is the score in a sentence: "11 agree, 3 differ, 7 not comparable, 1 not judged".
func (s Score) String() string {
	text := fmt.Sprintf("%d agree, %d differ, %d not comparable", s.Agree, s.Differ, s.NotComparable)
	if s.NotJudged > 0 {
		text += fmt.Sprintf(", %d not judged", s.NotJudged)
	}
	return text
}

// Scores count verdicts by kind of claim and by what they are judged on.
type Scores map[Kind]map[Ground]Score

// Add counts an outcome of a claim.
func (s Scores) Add(c Claim, o Outcome) {
	if s[c.Kind] == nil {
		s[c.Kind] = map[Ground]Score{}
	}
	one := s[c.Kind][c.Ground]
	one.add(o)
	s[c.Kind][c.Ground] = one
}

// notes are sentences of a table of claims: a line a kind, each ground by itself.
func (s Scores) notes() (lines []string) {
	for k := Result; k <= Addition; k++ {
		var parts []string
		if one := s[k][Unstated]; one.All() > 0 {
			parts = append(parts, one.String())
		}
		for _, b := range Grounds {
			if one := s[k][b]; one.All() > 0 {
				parts = append(parts, "on "+b.String()+" "+one.String())
			}
		}
		if parts != nil {
			lines = append(lines, [...]string{"Results that the paper states", "Its guarantees",
				"Additions, beside the paper"}[k]+": "+strings.Join(parts, "; ")+".")
		}
	}
	return lines
}

// On returns the claim with what it is judged on, where that is not what its experiment says.
func (c Claim) On(b Ground) Claim {
	c.Ground = b
	return c
}

// Unjudged returns the claim as one that has no verdict: no data that can be had here could change
// one. What was measured is shown all the same. why says what is lacking.
func (c Claim) Unjudged(why string) Claim {
	check := c.Check
	c.Moot = true
	c.Check = func(r *Results) Verdict {
		v := check(r)
		v.Outcome, v.Why, v.Words = NotJudged, why, nil
		return v
	}
	return c
}

// AnyReading judges a claim on each of several readings of what the paper leaves open, and gives the
// paper the benefit of the doubt: the claim agrees if it does on one reading, and differs if it does
// on all. It is the same for all claims, so that one that is judged on readings is not harder to
// meet than another.
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
			v.Outcome, v.Why, v.Words = r.Outcome, r.Why, r.Words
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

// OneSuffices begins the reason of a verdict by the rule of [AnyReading].
const OneSuffices = "one of the readings suffices: "

// eachWhy is why none of the readings agrees: all their reasons, where they begin in the same way,
// such as with what words mean, with that once.
func eachWhy(readings []Verdict) string {
	const no = ": not so "
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
