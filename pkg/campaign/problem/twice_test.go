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
