package study

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// Experiment describes the runs of a figure or a table: methods that are compared as a problem
// grows, or on a few instances. An Experiment is a plain value: copy an experiment, change Sizes,
// Delta, Methods or Reps, and run it again.
type Experiment struct {
	// Name is the name of the paper, a slash, and the name of the experiment, such as
	// "rage/benchmark".
	Name  string
	Title string
	// Source is the place in the paper, such as "Fig. 1a"; if Source is empty, the field Beside
	// says why the experiment exists.
	Source string
	Beside string

	// Axis names the quantity that grows and ends with its symbol, such as "dimension d". Sizes are
	// the values of the quantity that Axis names.
	Axis  string
	Sizes []int
	// Names, if not nil, are the names of the instances; Sizes are then indices into Names.
	Names []string
	// Shared, if not empty, is the name of the single instance of all sizes, if only the budget or
	// a setting grows. With Shared, all sizes have the same noise.
	Shared string
	// Draws is the number of random instances of each size; 0 means one fixed instance.
	Draws int
	// Fewer, if not nil, has smaller numbers of random instances for sizes with expensive runs.
	Fewer map[int]int
	// Reps is the number of runs of each method on each instance.
	Reps int
	// Delta is the error probability of the methods, or 0 with a budget.
	Delta float64
	// Deltas, if not nil, returns the error probability for a size, for experiments in which the
	// error probability varies; Delta is then ignored.
	Deltas func(size int) float64
	// Budget returns the number of pulls for a size; nil means that runs last until the method
	// stops.
	Budget func(size int) int

	// Instance returns the instance of a size and, if instances are random, of a draw (from 0). The
	// name of the returned instance is ignored; see Label.
	Instance func(size, draw int) (*bandit.Instance, error)
	// Methods are the methods in the order of tables and legends.
	Methods []Method
	// InColour, if not nil, names at most seven methods that sweeps draw in colour; other methods
	// are thin and grey. By default, sweeps draw the first seven methods in colour.
	InColour []string
	// Means says that the paper plots mean numbers of pulls with standard errors. Reports then have
	// a figure of means before the figure of medians.
	Means bool
	// Measures are further numbers for each run, in addition to pulls and errors.
	Measures []mc.Measure
	// Bounds are theoretical numbers of pulls to compare with the methods; see Bound. Instances
	// with changing features cannot have bounds, because their rewards are drawn one by one, which
	// takes minutes for a bound.
	Bounds []Bound
	// Claims are the paper's claims about the experiment. Basis is the default basis of the claims.
	Claims []Claim
	Basis  ClaimBasis
	// Notes are printed below the tables of the experiment.
	Notes []string

	// Tables, if not nil, returns special tables that replace the table of bounds.
	Tables func(*Results) ([]*tidy.Table, error)
	// Figures, if not nil, returns the figures of a report that replace the sweep.
	Figures func(*Results) ([]Figure, error)
}

// Method is a policy in an experiment.
type Method struct {
	// Name and Constants name the method, as in mc.Method; Name determines the random stream of the
	// method.
	Name, Constants string
	// New returns the policy for a task.
	New func(Task) explore.Policy
	// Largest is the largest size at which the method is run; 0 means all sizes.
	Largest int
	// Reps, if not 0, is a smaller number of replicates for an expensive method. For random
	// instances, Reps is the number of instances.
	Reps int
	// Each, if not 0, is a smaller number of runs on each random instance for an expensive method.
	Each int
	// MaxPulls, if not 0, is the number of pulls at which a run is given up.
	MaxPulls int
	// TableOnly omits the method from figures.
	TableOnly bool
}

// Task is the input of Method.New.
type Task struct {
	Instance *bandit.Instance // the instance, including the true means, which only oracles and bounds may use
	Size     int
	Delta    float64 // error probability; 0 if the budget is fixed
	Budget   int     // number of pulls; 0 if the confidence is fixed
}

// At returns the instance of a size and a draw, with the name that rows and random streams use.
func (e Experiment) At(size, draw int) (*bandit.Instance, error) {
	inst, err := e.Instance(size, draw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	inst.Name = e.Label(size, draw)
	return inst, nil
}

// Named returns the instance with the given name, one of Names.
func (e Experiment) Named(name string) (*bandit.Instance, error) {
	i := slices.Index(e.Names, name)
	if i < 0 {
		return nil, fmt.Errorf("%s: no instance %q; the instances are %q", e.Name, name, e.Names)
	}
	return e.At(i, 0)
}

// Label returns the name of an instance, such as "benchmark d=5", or "sphere n=100 #3" for the
// fourth of several random instances. For experiments with Names or Shared, Label returns the name
// in Names or Shared.
func (e Experiment) Label(size, draw int) string {
	if e.Draws > 0 {
		return e.SizeLabel(size) + " #" + strconv.Itoa(draw)
	}
	return e.SizeLabel(size)
}

// SizeLabel returns the name of the instances of a size, without the draw.
func (e Experiment) SizeLabel(size int) string {
	switch {
	case e.Shared != "":
		return e.Shared
	case e.Names != nil:
		return e.Names[size]
	}
	return fmt.Sprintf("%s %s=%d", e.ShortName(), e.Symbol(), size)
}

// ShortName returns the name of the experiment without the name of the paper.
func (e Experiment) ShortName() string {
	_, after, ok := strings.Cut(e.Name, "/")
	if !ok {
		return e.Name
	}
	return after
}

// Symbol returns the symbol of the growing quantity, which is the last word of Axis.
func (e Experiment) Symbol() string { return e.Axis[strings.LastIndexByte(e.Axis, ' ')+1:] }

// DeltaAt returns the error probability of the methods at a size.
func (e Experiment) DeltaAt(size int) float64 {
	if e.Deltas != nil {
		return e.Deltas(size)
	}
	return e.Delta
}

// Task returns the task for an instance of a size.
func (e Experiment) Task(inst *bandit.Instance, size int) Task {
	t := Task{Instance: inst, Size: size, Delta: e.DeltaAt(size)}
	if e.Budget != nil {
		t.Delta, t.Budget = 0, e.Budget(size)
	}
	return t
}

// Method returns the method with the given name and constants.
func (e Experiment) Method(name, constants string) (Method, bool) {
	for _, m := range e.Methods {
		if m.Name == name && m.Constants == constants {
			return m, true
		}
	}
	return Method{}, false
}

// MethodNames returns the distinct names of the methods.
func (e Experiment) MethodNames() []string {
	var names []string
	seen := map[string]bool{}
	for _, m := range e.Methods {
		if !seen[m.Name] {
			names = append(names, m.Name)
		}
		seen[m.Name] = true
	}
	return names
}

// Where returns Source or, if Source is empty, a text that says that the experiment is not in the
// paper.
func (e Experiment) Where() string {
	if e.Source == "" {
		return "not in the paper"
	}
	return e.Source
}

// check returns an error for the first invalid setting of e, because users may copy and change
// experiments.
func (e Experiment) check() error {
	switch {
	case e.Name == "":
		return fmt.Errorf("study: an experiment has no Name; give it one, such as \"mine/first\"")
	case len(e.Sizes) == 0:
		return e.wrong("Sizes is empty; expected at least one")
	case e.Reps < 1:
		return e.wrong("Reps is %d; expected at least 1", e.Reps)
	case e.Draws < 0:
		return e.wrong("Draws is %d; expected the number of random instances of a size, or 0", e.Draws)
	case e.Instance == nil:
		return e.wrong("Instance is nil; expected a function that returns the instance of a size")
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
			return e.wrong("method %q has no New; expected a function that returns its policy", m.Name)
		case m.Constants == bound:
			return e.wrong("method %q has the Constants %q, which mark rows of Bounds; use another word", m.Name, bound)
		}
	}
	return nil
}

func (e Experiment) checkSize(size int) error {
	if e.Names != nil && e.Shared == "" && (size < 0 || size >= len(e.Names)) {
		return e.wrong("Sizes has %d, but sizes are places in Names, from 0 to %d: %q", size, len(e.Names)-1, e.Names)
	}
	if e.Budget != nil {
		if b := e.Budget(size); b < 1 {
			return e.wrong("the Budget of size %d is %d; expected at least 1", size, b)
		}
		return nil
	}
	if d := e.DeltaAt(size); !(d > 0 && d < 1) {
		return e.wrong("Delta is %v at size %d; expected an error probability between 0 and 1, or a Budget", d, size)
	}
	return nil
}

func (e Experiment) wrong(format string, args ...any) error {
	return fmt.Errorf("study: %s: %s", e.Name, fmt.Sprintf(format, args...))
}

// Only returns the experiment with only the named methods, each with all its constants. Only panics
// if a method is unknown.
//
//	e := gege.NoCBudget.Only(gege.GEGE, gege.EGESH)
func (e Experiment) Only(methods ...string) Experiment {
	have := e.MethodNames()
	for _, name := range methods {
		if !slices.Contains(have, name) {
			panic(fmt.Sprintf("study: %s has no method %q; it has %q", e.Name, name, have))
		}
	}
	e.Methods = slices.DeleteFunc(slices.Clone(e.Methods),
		func(m Method) bool { return !slices.Contains(methods, m.Name) })
	return e
}
