package bench

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kballard/go-shellquote"
)

// A Template is a command with placeholders in braces: "./bench --flags {arm}". It is split into
// words as a shell would, with quotes and backslashes, before placeholders are filled in, and no
// shell runs it: whatever an arm is called, it is one argument and nothing else.
type Template struct {
	words []string
}

// A Job is one measurement to make.
type Job struct {
	// Ticket is the number of the measurement in the campaign.
	Ticket int
	// Arm is the name of the arm.
	Arm string
	// Columns are further values of the arm, by the names of the columns of the candidates.
	Columns map[string]string
}

// Parse reads a command. Placeholders are {arm}, {ticket} and the names in columns; another one is
// an error that lists them. Braces that belong to the command are written twice: {{ and }}.
func Parse(command string, columns []string) (*Template, error) {
	words, err := shellquote.Split(command)
	if err != nil {
		return nil, fmt.Errorf("bench: command %q: %w", command, err)
	}
	if len(words) == 0 {
		return nil, fmt.Errorf("bench: the command is empty; want for example './bench {arm}'")
	}
	for _, w := range words {
		_, err := fill(w, func(name string) (string, error) {
			if name == "arm" || name == "ticket" || slices.Contains(columns, name) {
				return "", nil
			}
			known := []string{"{arm}", "{ticket}"}
			for _, c := range columns {
				known = append(known, "{"+c+"}")
			}
			return "", fmt.Errorf("no placeholder {%s}; there are %s (write {{ for a brace)", name,
				strings.Join(known, ", "))
		})
		if err != nil {
			return nil, fmt.Errorf("bench: command %q: %w", command, err)
		}
	}
	return &Template{words}, nil
}

// Words returns the command of a job: the program and its arguments.
func (t *Template) Words(j Job) ([]string, error) {
	out := make([]string, len(t.words))
	for i, w := range t.words {
		filled, err := fill(w, func(name string) (string, error) {
			switch name {
			case "arm":
				return j.Arm, nil
			case "ticket":
				return strconv.Itoa(j.Ticket), nil
			}
			if v, ok := j.Columns[name]; ok {
				return v, nil
			}
			return "", fmt.Errorf("arm %q has no column %q", j.Arm, name)
		})
		if err != nil {
			return nil, fmt.Errorf("bench: %w", err)
		}
		out[i] = filled
	}
	return out, nil
}

// fill replaces {name} in a word by value(name), {{ by { and }} by }.
func fill(word string, value func(name string) (string, error)) (string, error) {
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		rest := word[i:]
		switch {
		case strings.HasPrefix(rest, "{{") || strings.HasPrefix(rest, "}}"):
			b.WriteByte(word[i])
			i++
		case word[i] == '{':
			name, _, closed := strings.Cut(rest[1:], "}")
			if !closed {
				return "", fmt.Errorf("%q: the brace at character %d is not closed (write {{ for a "+
					"brace)", word, i+1)
			}
			v, err := value(name)
			if err != nil {
				return "", err
			}
			b.WriteString(v)
			i += len(name) + 1
		case word[i] == '}':
			return "", fmt.Errorf("%q: the brace at character %d was not opened (write }} for a "+
				"brace)", word, i+1)
		default:
			b.WriteByte(word[i])
		}
	}
	return b.String(), nil
}
