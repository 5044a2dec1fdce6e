package problem

import (
	"errors"
	"testing"
)

// TOML is read in letters of any case; a field that is given twice, in other letters, has no value.
func TestFieldTwice(t *testing.T) {
	_, err := Parse("p.toml", []byte("question = { find = \"best\", delta = 0.1 }\ncandidates = { names = [\"a\", \"b\"] }\n"+
		"[[objective]]\nname = \"y\"\nnoise = { sd = 1 }\nGoal = \"maximise\"\ngoal = \"minimise\"\n"), nil)
	var errs Errors
	if !errors.As(err, &errs) || len(errs) != 1 || errs[0].Line != 7 || errs[0].Field != "objective[1].goal" {
		t.Errorf("%v", err)
	}
}

// Candidates, objectives and titles that are not what they look like are errors of a new problem; in the record
// of an older campaign they are read.
func TestDisguised(t *testing.T) {
	for names, field := range map[string]string{
		"\"A\", \"\u0410\"": "candidates.names[2]", "\"A\", \"\uff21\"": "candidates.names[2]", "\"Ni\u200b\", \"Pd\"": "candidates.names[1]",
		"\"A\", \"p\u041d7\"": "candidates.names[2]", "\"x\", \"y\"]\n[[objective]]\nname = \"\u0443\"\nnoise = { sd = 1 }\n#": "objective[2].name",
	} {
		text := "question = { find = \"pareto\", delta = 0.1 }\n[[objective]]\nname = \"y\"\nnoise = { sd = 1 }\n[candidates]\nnames = [" + names + "]\n"
		_, err := Parse("p.toml", []byte(text), nil)
		var errs Errors
		if !errors.As(err, &errs) || len(errs) != 1 || errs[0].Field != field {
			t.Errorf("%+q: %v; want an error about %s", names, err, field)
		}
	}
	p, err := Parse("p.toml", []byte("title = \"β-lactams\"\nquestion = { find = \"best\", delta = 0.1 }\n[[objective]]\nname = \"ΔT\"\nunit = \"µK\"\n"+
		"noise = { sd = 1 }\n[candidates]\nnames = [\"β-1\", \"α-1\"]\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Candidates.Names[1] = "\u03b2-1\u200b"
	if _, err := Decode(p.Encode()); err != nil {
		t.Errorf("of an older campaign: %v", err)
	}
}
