package study

import "fmt"

// check reports the first setting of e with which its runs would have no meaning: an experiment is
// a value that readers copy and change.
func (e Experiment) check() error {
	switch {
	case e.Name == "":
		return fmt.Errorf("study: an experiment has no Name; give it one, such as \"mine/first\"")
	case len(e.Sizes) == 0:
		return e.wrong("Sizes is empty; want at least one")
	case e.Reps < 1:
		return e.wrong("Reps is %d; want at least 1", e.Reps)
	case e.Draws < 0:
		return e.wrong("Draws is %d; want the number of random instances of a size, or 0", e.Draws)
	case e.Instance == nil:
		return e.wrong("Instance is nil; want a function that returns the instance of a size")
	}
	for _, size := range e.Sizes {
		if err := e.checkSize(size); err != nil {
			return err
		}
	}
	for i, m := range e.Methods {
		switch {
		case m.Name == "":
			return e.wrong("Methods[%d] has no Name; give it one", i)
		case m.New == nil:
			return e.wrong("method %q has no New; want a function that returns its policy", m.Name)
		case m.Constants == bound:
			return e.wrong("method %q has the Constants %q, which mark rows of Bounds; "+
				"use another word", m.Name, bound)
		}
	}
	return nil
}

func (e Experiment) checkSize(size int) error {
	if e.Names != nil && e.Shared == "" && (size < 0 || size >= len(e.Names)) {
		return e.wrong("Sizes has %d, but sizes are places in Names, from 0 to %d: %q",
			size, len(e.Names)-1, e.Names)
	}
	if e.Budget != nil {
		if b := e.Budget(size); b < 1 {
			return e.wrong("the Budget of size %d is %d; want at least 1", size, b)
		}
		return nil
	}
	if d := e.DeltaAt(size); !(d > 0 && d < 1) {
		return e.wrong("Delta is %v at size %d; want an error probability between 0 and 1, "+
			"or a Budget", d, size)
	}
	return nil
}

func (e Experiment) wrong(format string, args ...any) error {
	return fmt.Errorf("study: %s: %s", e.Name, fmt.Sprintf(format, args...))
}
