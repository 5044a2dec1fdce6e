package problem

import (
	"encoding/json"
	"fmt"

	"github.com/purexp/purexp/pkg/internal/strictjson"
)

// Encode returns p with its tables as one line of JSON, which [Decode] reads. The method is named
// in it: what is recommended may change with the version of this program, and a campaign must not.
func (p *Problem) Encode() []byte {
	q := *p
	q.Method.Name = p.MethodName()
	text, err := json.Marshal(&q)
	if err != nil { // a number that is not finite, in a problem that Validate refuses
		panic("problem: Encode of a problem that is not valid: " + err.Error())
	}
	return text
}

// Begin fills in what campaigns do unless the problem says otherwise: the radius, confirming
// measurements, a budget that is fixed, and an error probability that is shared with candidates to come. If was is not nil it
// does as the campaign of that problem: those that were begun before there was such a thing go on
// without.
func (p *Problem) Begin(was *Problem) {
	if p.Method.Radius == "" {
		p.Method.Radius = p.narrowest()
	}
	if p.Method.Budget == 0 && p.FixedBudget() {
		p.Method.Budget = p.Laboratory.Measurements
	}
	if was != nil {
		p.Candidates.Shares, p.Candidates.Later = was.Candidates.Shares, was.Candidates.Later
		if was.Method.Radius == "" {
			p.Method.Radius = ""
		}
		if was.Method.Confirm == nil {
			p.Method.Confirm = nil
			return
		}
	}
	if yes := true; p.Method.Confirm == nil {
		p.Method.Confirm = &yes
	}
	if was == nil && p.Candidates.Shares == 0 {
		p.Candidates.Shares, p.Candidates.Later = expected(p.K()), forLater
	}
}

// Decode reads what Encode wrote. Anything else is an error.
func Decode(text []byte) (*Problem, error) {
	p := new(Problem)
	if err := strictjson.Unmarshal(text, p, strictjson.Known, strictjson.NoNull); err != nil {
		return nil, fmt.Errorf("problem: not a problem as this program writes it: %w", err)
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return p, nil
}

// Canonical returns the bytes that identify p: everything that its policy is given and everything
// by which measurements are translated, in a form that Decode reads. Title, guesses and what is
// said of the laboratory are left out, and how tables call the names: they can change without changing the guarantee. So are the
// means of a pilot, which serve for planning.
func (p *Problem) Canonical() []byte {
	q := *p
	q.Method.Name = p.MethodName()
	q.Title, q.Laboratory, q.Pilot, q.Candidates.Column = "", Laboratory{}, nil, ""
	q.Objectives = append([]Objective(nil), p.Objectives...)
	for c := range q.Objectives {
		q.Objectives[c].Guesses, q.Objectives[c].GuessSD = nil, 0
	}
	return q.Encode()
}
