package campaign

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// reader reads by quick alone.
func reader(text []byte) quick {
	return quick{text: text, name: func(s []byte) string { return string(s) }}
}

// agree fails if quick reads a text that strict does not, or reads something else in it.
func agree(t *testing.T, text []byte) (asked, told bool) {
	t.Helper()
	var a, b askBody
	q := reader(text)
	if asked = q.ask(&a); asked {
		if err := strict(text, &b); err != nil || !reflect.DeepEqual(a, b) {
			t.Fatalf("%s: %+v; want %+v, %v", text, a, b, err)
		}
	}
	var c, d tellBody
	q = reader(text)
	if told = q.tell(&c); told {
		if err := strict(text, &d); err != nil || !reflect.DeepEqual(c, d) {
			t.Fatalf("%s: %+v; want %+v, %v", text, c, d, err)
		}
	}
	return asked, told
}

// bodies of all forms that are read quickly.
var (
	quickAsks = []askBody{
		{Plate: 3, First: 17, Room: 96, Arms: []string{"Pd", "Ni"}},
		{Plate: 1, First: 1, Room: 1, Arms: []string{"größe 5 µm"}, Key: "a-7", Filled: 1},
	}
	quickTells = []tellBody{
		{Rows: []rowBody{{Ticket: 5, Arm: "Pd", Values: []float64{-1.5, 2e-9}},
			{ID: "x 1", Arm: "}{,", Values: []float64{1e100}, Of: 11},
			{Ticket: 6, Arm: "Ni", Failed: true, Note: "spilled"}}},
	}
)

func TestQuick(t *testing.T) {
	// Numbers at the edge of what JSON has.
	for _, v := range []string{"0", "-0", "01", "-01", "00", "-00.5", "1.", ".5", "-", "1e5", "1e", "1E+05", "-7.25e-3"} {
		agree(t, fmt.Appendf(nil, `{"rows":[{"id":"x","arm":"Pd","values":[%s]}]}`, v))
	}
	for _, b := range quickAsks {
		text, _ := json.Marshal(b)
		if asked, told := agree(t, text); !asked || told {
			t.Errorf("%s: read as an ask: %v, as results: %v", text, asked, told)
		}
	}
	for _, b := range quickTells {
		text, _ := json.Marshal(b)
		if asked, told := agree(t, text); asked || !told {
			t.Errorf("%s: read as an ask: %v, as results: %v", text, asked, told)
		}
	}
	for _, text := range []string{
		``, `{}`, `{"rows":[]}`, `{"rows":[{"arm":"a"}]} `, `{"rows":[{"arm":"a"}],"more":1}`,
		`{"rows":[{"arm":"a\u0062"}]}`, `{"rows":[{"arm":"` + "\xff" + `"}]}`, `{"rows":[{"arm":"a"},]}`,
		`{"rows":[{"ticket":1.5,"arm":"a"}]}`, `{"rows":[{"ticket":99999999999999999999,"arm":"a"}]}`,
		`{"rows":[{"arm":"a","values":[01]}]}`, `{"rows":[{"arm":"a","values":[1e999]}]}`,
		`{"rows":[{"arm":"a","values":[0x1p4]}]}`, `{"rows":[{"arm":"a","values":[1_0]}]}`,
		`{"rows":[{"arm":"a","values":[NaN]}]}`, `{"rows":[{"arm":"a","values":[.5]}]}`,
		`{"rows":[{"arm":"a","values":[5.]}]}`, `{"rows":[{"arm":"a","values":[+5]}]}`,
		`{"rows":[{"arm":"a","values":[-]}]}`, `{"rows":[{"arm":"a","values":[1e]}]}`,
		`{"rows":[{"arm":"a","arm":"b"}]}`, `{"rows":[{"ticket":1,"ticket":2,"arm":"b"}]}`,
		`{"rows":[{"arm":"a","failed":false}]}`, `{"rows":[{"arm":"a"}]`, `{"rows":[{"arm":"a`,
	} {
		if asked, told := agree(t, []byte(text)); asked || told {
			t.Errorf("%s: read as an ask: %v, as results: %v; want neither", text, asked, told)
		}
	}
}

// Whatever becomes of a body, quick reads what strict reads, or leaves it to that.
func TestQuickAgreesWithStrict(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var texts [][]byte
	for _, b := range quickAsks {
		text, _ := json.Marshal(b)
		texts = append(texts, text)
	}
	for _, b := range quickTells {
		text, _ := json.Marshal(b)
		texts = append(texts, text)
	}
	const signs = `{}[]",:0123456789-+.eE \atrufls` + "\x00\xc3\xff"
	for range 200_000 {
		text := []byte(string(texts[rnd.IntN(len(texts))]))
		for range 1 + rnd.IntN(3) {
			i, j := rnd.IntN(len(text)), rnd.IntN(len(text))
			switch rnd.IntN(4) {
			case 0:
				text[i] = signs[rnd.IntN(len(signs))]
			case 1:
				text[i] = text[j]
			case 2:
				text = append(text[:i], text[i+1:]...)
			case 3:
				text = append(text, text[min(i, j):max(i, j)]...)
			}
		}
		agree(t, text)
	}
}
