package problem

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// sound checks invariants of an accepted problem.
func sound(t *testing.T, p *Problem) {
	t.Helper()
	text := p.Encode()
	again, err := Decode(text)
	if err != nil {
		t.Fatalf("not decoded: %v\n%s", err, text)
	}
	if !bytes.Equal(again.Encode(), text) {
		t.Fatalf("encoded again:\n%s\n%s", text, again.Encode())
	}
	canonical := p.Canonical()
	if q, err := Decode(canonical); err != nil || !bytes.Equal(q.Canonical(), canonical) {
		t.Fatalf("canonical: %v\n%s", err, canonical)
	}
	for i := range p.Objectives {
		s := p.Objectives[i].scale()
		if x := s.Out(s.In(s.Center)); x != s.Center {
			t.Fatalf("%s: the center %v comes back as %v", s.Name, s.Center, x)
		}
	}
	_ = p.Words()
}

// FuzzParse parses arbitrary problem files: each is accepted and sound, or rejected with errors that have a text and a
// one-line field.
func FuzzParse(f *testing.F) {
	f.Add([]byte(catalysts), catalystTable)
	f.Add([]byte("[question]\nfind='good'\ndelta=.1\n[candidates]\nnames=['A','B']\n"+
		"[[objective]]\nname='x'\nnoise={counts=50}\ntolerance=2\n"), "")
	f.Add([]byte("[question]\nfind='top'\ncount=1\ndelta=.1\n[candidates]\nfile='t'\n"+
		"features=['pH']\ncategories=['ligand']\n[[objective]]\nname='pH'\nknown=true\n"+
		"[[objective]]\nname='x'\nvalues=[0,9]\nnoise={pilot={rewards=3,delta=.01}}\n"+
		"[[constraint]]\nterms={x=1,pH=-2}\nat_most=3\nslack=1\n"), catalystTable)
	f.Fuzz(func(t *testing.T, text []byte, table string) {
		p, err := Parse("p.toml", text, func(string) ([]byte, error) { return []byte(table), nil })
		if err == nil {
			sound(t, p)
			return
		}
		var all Errors
		if !errors.As(err, &all) || len(all) == 0 {
			t.Fatalf("%T: %v", err, err)
		}
		for _, e := range all {
			if e.Text == "" || strings.ContainsRune(e.Field, '\n') {
				t.Fatalf("%+v", e)
			}
		}
	})
}

// FuzzDecode decodes arbitrary JSON: an accepted problem is sound.
func FuzzDecode(f *testing.F) {
	p, err := Parse("p.toml", []byte(catalysts), files(map[string]string{"catalysts.csv": catalystTable}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(p.Encode())
	f.Add(p.Canonical())
	f.Fuzz(func(t *testing.T, text []byte) {
		if p, err := Decode(text); err == nil {
			sound(t, p)
		}
	})
}

// FuzzCandidate adds arbitrary candidates: each is rejected, or the problem stays sound.
func FuzzCandidate(f *testing.F) {
	p, err := Parse("p.toml", []byte(dyes), files(map[string]string{"dyes.csv": dyeTable}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add("D", "6.5", "furyl", "5", "")
	f.Add(" E\u0301", "1e3", "pyridyl", "-0", "mass")
	f.Add("A", "7,5", "", "x", "price")
	f.Fuzz(func(t *testing.T, name, pH, ring, price, other string) {
		columns := map[string]string{"pH": pH, "ring": ring, "price": price}
		if other != "" {
			columns[other] = "1"
		}
		q, err := p.With(Candidate{name, columns})
		if err != nil {
			return
		}
		if q.K() != 4 || p.K() != 3 || len(q.Candidates.Features) != 4 || len(q.Objectives[1].Exact) != 4 {
			t.Fatalf("%+v", q.Candidates)
		}
		sound(t, q)
	})
}
