package problem

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/purexp/purexp/pkg/internal/csvtable"
	"github.com/purexp/purexp/pkg/internal/regular"
	"github.com/purexp/purexp/pkg/internal/strictjson"
)

// Read reads the problem file at path and the tables that the file names, in the same folder.
func Read(path string) (*Problem, error) {
	if ext := strings.ToLower(filepath.Ext(path)); ext == ".csv" || ext == ".tsv" {
		return nil, Errors{{File: path, Text: fmt.Sprintf("the file is a table, not a problem file; write a "+
			"problem file with 'purexp problem new %s'", path)}}
	}
	text, err := contents(path, LargestFile)
	if err != nil {
		return nil, err
	}
	return Parse(path, text, func(name string) ([]byte, error) {
		if strings.TrimSpace(name) != name || name == "" {
			return nil, fmt.Errorf("%q is not a file name; give a name without spaces around it", name)
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(path), name)
		}
		return contents(name, csvtable.Largest)
	})
}

// OpenFile opens a file for reading if it is a regular file. For pipes and devices, which may
// block, OpenFile returns an error.
func OpenFile(path string) (*os.File, error) { return regular.Open(path) }

// ReadFile returns the contents of a regular file. If the file is larger than a table may be,
// ReadFile returns one byte more than the limit, so that parsers of tables reject the contents.
func ReadFile(path string) ([]byte, error) { return contents(path, csvtable.Largest) }

// contents returns the contents of a file, or the first most + 1 bytes of a larger file.
func contents(path string, most int64) ([]byte, error) {
	f, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // an error of Close is harmless, because the file was only read
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}

// Encode returns p and the contents of its tables as one line of JSON, for [Decode]. Encode
// includes the name of the method, because the default may change between versions.
func (p *Problem) Encode() []byte {
	q := *p
	q.Method.Name = p.MethodName()
	text, err := json.Marshal(&q)
	if err != nil { // p is invalid: a number is not finite
		panic("problem: Encode: the problem is invalid: " + err.Error())
	}
	return text
}

// Begin sets the defaults of a new campaign: the radius, confirming measurements, a fixed budget,
// and the shares of the error probability. If p replaces the problem of an existing campaign, the
// caller passes the old problem, and Begin copies settings from it. For a new campaign, the
// argument is nil. An old problem may lack settings that were introduced later.
func (p *Problem) Begin(was *Problem) {
	if p.Method.Radius == "" {
		p.Method.Radius = p.narrowest()
	}
	if p.Method.Budget == 0 && p.FixedBudget() {
		p.Method.Budget = p.Laboratory.Measurements
	}
	if was != nil {
		p.Method.Name = cmp.Or(p.Method.Name, was.Method.Name)
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
		p.Candidates.Shares, p.Candidates.Later = p.K(), forDrops
		if p.Candidates.Join {
			p.Candidates.Shares, p.Candidates.Later = expected(p.K()), forLater
		}
	}
}

// Decode decodes a problem that Encode has encoded.
func Decode(text []byte) (*Problem, error) {
	p := new(Problem)
	if err := strictjson.Unmarshal(text, p, strictjson.Known, strictjson.NoNull); err != nil {
		return nil, fmt.Errorf("problem: the text is not a problem in canonical form: %w", err)
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return p, nil
}

// Canonical returns bytes that identify p, in a form that Decode also accepts. Canonical returns
// everything that affects the policy or the conversion of measurements. The bytes omit the title,
// guesses, laboratory, the column of candidates' names, and means of a pilot, which do not affect
// the guarantee.
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

//go:embed problem.schema.json
var schema []byte

// Schema returns the JSON schema of problem files for editors (problem.schema.json), which
// describes each field by its doc comment.
func Schema() []byte { return append([]byte(nil), schema...) }
