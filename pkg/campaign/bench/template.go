package bench

import (
	"fmt"
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
}

// Parse reads a command. Placeholders are {arm} and {ticket}; another one is an error. Braces that
// belong to the command are written twice: {{ and }}.
func Parse(command string) (*Template, error) {
	words, err := shellquote.Split(command)
	if err != nil {
		return nil, fmt.Errorf("bench: command %q: %w", command, err)
	}
	if len(words) == 0 {
		return nil, fmt.Errorf("bench: the command is empty; want for example './bench {arm}'")
	}
	for _, w := range words {
		if _, err := fill(w, Job{}); err != nil {
			return nil, fmt.Errorf("bench: command %q: %w", command, err)
		}
	}
	return &Template{words}, nil
}

// Words returns the command of a job: the program and its arguments.
func (t *Template) Words(j Job) []string {
	out := make([]string, len(t.words))
	for i, w := range t.words {
		out[i], _ = fill(w, j) // Parse has found no error
	}
	return out
}

// fill replaces {arm} and {ticket} in a word, {{ by { and }} by }.
func fill(word string, j Job) (string, error) {
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		rest := word[i:]
		switch {
		case strings.HasPrefix(rest, "{{") || strings.HasPrefix(rest, "}}"):
			b.WriteByte(word[i])
			i++
		case word[i] == '{':
			name, _, closed := strings.Cut(rest[1:], "}")
			switch {
			case !closed:
				return "", fmt.Errorf("%q: the brace at character %d is not closed (write {{ for "+
					"a brace)", word, i+1)
			case name == "arm":
				b.WriteString(j.Arm)
			case name == "ticket":
				b.WriteString(strconv.Itoa(j.Ticket))
			default:
				return "", fmt.Errorf("no placeholder {%s}; there are {arm} and {ticket} (write "+
					"{{ for a brace)", name)
			}
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
