package problem

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// By the union bound, no interval of any candidate that ever was in fails but with probability delta,
// whoever comes and goes: summed over the unions that follow one another, the parts of all candidates
// until then are at most 1. No part grows, and without a share for newcomers all of delta is used.
func TestSharesOfAllThatEverWere(t *testing.T) {
	rnd := rand.New(rand.NewPCG(28, 6))
	for run := range 300 {
		k := 1 + rnd.IntN(20)
		c := Candidates{}
		for i := range k {
			c.Names = append(c.Names, fmt.Sprint(i))
		}
		if c.share() != 1 {
			t.Fatalf("%d candidates that none joins have %v of delta", k, c.share())
		}
		c.Shares = expected(k)
		ever, last, spent, here := k, 1., 0., 0.
		come := rnd.Float64() // how often one comes in place of one going
		for step := range 200 {
			part := c.share() / float64(len(c.Names))
			switch {
			case part > last*(1+1e-12):
				t.Fatalf("run %d, step %d: the part of a candidate grew from %v to %v", run, step, last, part)
			case part < last*(1-1e-12): // another union
				spent, last = spent+here, part
			}
			here = float64(ever) * part
			if spent+here > 1+1e-12 {
				t.Fatalf("run %d, step %d: %d candidates, %d ever, fail with %v delta", run, step, len(c.Names), ever,
					spent+here)
			}
			if rnd.Float64() < come || len(c.Names) == 1 {
				c.came()
				c.Names = append(c.Names, fmt.Sprint(ever))
				ever++
			} else {
				c.went()
				i := rnd.IntN(len(c.Names))
				c.Names = slices.Delete(c.Names, i, i+1)
			}
		}
		if here < .01 && ever < 100 {
			t.Errorf("run %d: %d candidates that ever were use %v of delta", run, ever, here)
		}
	}
}

// Newcomers that are paid for at the beginning are an eighth of the candidates, and at least one: a
// candidate of 16 has .9 delta/18 of which all 18 use .9 delta, and the nineteenth halves what is for later.
func TestSharesOfFirstNewcomers(t *testing.T) {
	for k, want := range map[int]int{1: 2, 7: 8, 8: 9, 15: 16, 16: 18, 100: 112} {
		if got := expected(k); got != want {
			t.Errorf("%d candidates: %d are expected; want %d", k, got, want)
		}
	}
	c := Candidates{Names: make([]string, 16), Shares: expected(16)}
	for ever, want := range map[int]float64{16: .9 / 18, 18: .9 / 18, 19: .05 / 36, 36: .05 / 36, 37: .025 / 72} {
		c.Ever = ever
		if got := c.share() / 16; math.Abs(got-want) > 1e-15 {
			t.Errorf("%d ever: a candidate has %v of delta; want %v", ever, got, want)
		}
	}
}

// A column that has two meanings, the cost of a measurement and a value that is known, is asked for once.
func TestNewcomerColumnsOnce(t *testing.T) {
	p, err := Parse("p.toml", []byte(`question = {find = "pareto", delta = 0.1}
candidates = {file = "c.csv", cost = "EUR"}
[[objective]]
name = "yield"
noise = {sd = 1}
[[objective]]
name = "price"
goal = "minimise"
known = true
column = "EUR"
`), files(map[string]string{"c.csv": "candidate,EUR\nA,1\nB,2\n"}))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.NewcomerColumns(); len(got) != 1 || got[0] != "EUR" {
		t.Errorf("%q; want EUR, once", got)
	}
}

// A problem without a candidate, or with one more, is another one: that which it was made of stays as it is, with its
// guesses, costs, values and pilots.
func TestWithoutChangesNothing(t *testing.T) {
	for name, b := range bases {
		p, err := Parse("p.toml", []byte(b.text), files(b.tables))
		if err != nil {
			t.Fatal(err)
		}
		before := string(p.Encode())
		for _, arm := range slices.Clone(p.Candidates.Names) {
			q, err := p.Without(arm)
			if err == nil {
				_, err = q.Without(q.Candidates.Names[0])
			}
			if after := string(p.Encode()); after != before {
				t.Fatalf("%s without %s (%v) is\n%s\nit was\n%s", name, arm, err, after, before)
			}
		}
	}
}
