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

// Experiment describes the runs behind a figure or a table: methods that are compared as a problem
// grows, or on a few instances. An Experiment is a plain value, so you can copy it, change Sizes,
// Delta, Methods or Reps, and run the copy.
type Experiment struct {
	// Name is the name of the paper, a slash, and the name of the experiment, such as
	// "rage/benchmark".
	Name  string
	Title string
	// Source is the place in the paper, such as "Fig. 1a"; if Source is empty, Beside states why
	// the experiment exists.
	Source string
	Beside string

	// Axis names the quantity that grows, and ends with its symbol, such as "dimension d". Sizes
	// are the values of the quantity that Axis names.
	Axis  string
	Sizes []int
	// If Names is not nil, it contains the names of the instances, and Sizes are indices into
	// Names.
	Names []string
	// If Shared is not empty, all sizes share one instance with this name, because only the budget
	// or a setting grows. With Shared, all sizes have the same noise.
	Shared string
	// Draws is the number of random instances of each size; 0 means a fixed instance.
	Draws int
	// If Fewer is not nil, it contains smaller numbers of random instances for sizes whose runs are
	// expensive.
	Fewer map[int]int
	// Reps is the number of runs of each method on each instance.
	Reps int
	// Delta is the error probability of the methods, or 0 with a budget.
	Delta float64
	// If Deltas is not nil, it returns the error probability for a size, and Delta is ignored.
	Deltas func(size int) float64
	// Budget returns the number of pulls for a size; nil means that runs last until the method
	// stops.
	Budget func(size int) int

	// Instance returns the instance of a size and, if instances are random, of a draw (from 0). The
	// name of the returned instance is not used; see Label.
	Instance func(size, draw int) (*bandit.Instance, error)
	// Methods are the methods in the order of tables and legends.
	Methods []Method
	// If InColour is not nil, it names at most seven methods that sweeps draw in colour; all other
	// methods are thin and grey. By default, sweeps draw the first seven methods in colour.
	InColour []string
	// If Means is true, the paper plots mean numbers of pulls with standard errors. Figures and
	// checks then use means instead of medians.
	Means bool
	// Measures are additional numbers for each run, apart from pulls and errors.
	Measures []mc.Measure
	// Bounds are theoretical numbers of pulls for comparison with the methods; see Bound. If the
	// features of the problem change during a run, bounds are not possible. Rewards are then drawn
	// one by one, which would take minutes for a bound.
	Bounds []Bound
	// Claims are the claims of the paper about the experiment. Basis is the default basis of the
	// claims.
	Claims []Claim
	Basis  ClaimBasis
	// Notes are printed below the tables of the experiment.
	Notes []string

	// If Tables is not nil, it returns tables that replace the table of bounds.
	Tables func(*Results) ([]*tidy.Table, error)
	// If Figures is not nil, it returns the figures of a report that replace the sweep.
	Figures func(*Results) ([]Figure, error)
}

// Method is a policy in an experiment.
type Method struct {
	// Name and Constants are labels as in mc.Method; Name selects the random stream of the method.
	Name, Constants string
	// New returns the policy for a task.
	New func(Task) explore.Policy
	// Largest is the largest size at which the method is run; 0 means all sizes.
	Largest int
	// If Reps is not 0, it is a smaller number of replicates, for an expensive method. If instances
	// are random, Reps is the number of instances.
	Reps int
	// If Each is not 0, it is a smaller number of runs on each random instance, for an expensive
	// method.
	Each int
	// If MaxPulls is not 0, it is the number of pulls at which a run is given up.
	MaxPulls int
	// If TableOnly is true, figures omit the method.
	TableOnly bool
}

// Task is the input of Method.New.
type Task struct {
	Instance *bandit.Instance // the instance, including the true means, which only oracles and bounds may use
	Size     int
	Delta    float64 // error probability; 0 if the budget is fixed
	Budget   int     // number of pulls; 0 if the confidence is fixed
}

// At returns the instance of a size and a draw, with the name that is used in rows and for random
// streams.
func (e Experiment) At(size, draw int) (*bandit.Instance, error) {
	inst, err := e.Instance(size, draw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Name, err)
	}
	inst.Name = e.Label(size, draw)
	return inst, nil
}

// Named returns the instance with the given name, which must be one of Names.
func (e Experiment) Named(name string) (*bandit.Instance, error) {
	i := slices.Index(e.Names, name)
	if i < 0 {
		return nil, fmt.Errorf("%s: no instance %q; the instances are %q", e.Name, name, e.Names)
	}
	return e.At(i, 0)
}

// Label returns the name of an instance, such as "benchmark d=5" or, for the fourth of several
// random instances, "sphere n=100 #3". For an experiment with Names or Shared, Label returns the
// corresponding name.
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

// Symbol returns the symbol of the quantity that grows, which is the last word of Axis.
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

// Where returns Source or, if Source is empty, a text that states that the experiment is not in the
// paper.
func (e Experiment) Where() string {
	if e.Source == "" {
		return "not in the paper"
	}
	return e.Source
}

// check returns an error for the first invalid setting of e. The check is necessary because users
// may copy and change experiments.
func (e Experiment) check() error {
	switch {
	case e.Name == "":
		return fmt.Errorf("study: an experiment has no Name; give it one, such as \"mine/first\"")
	case len(e.Sizes) == 0:
		return e.wrong("Sizes is empty; expected at least one size")
	case e.Reps < 1:
		return e.wrong("Reps is %d; expected at least 1", e.Reps)
	case e.Draws < 0:
		return e.wrong("Draws is %d; expected the number of random instances per size, or 0", e.Draws)
	case e.Instance == nil:
		return e.wrong("Instance is nil; expected a function that returns the instance for a size")
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
			return e.wrong("method %q: the Constants %q are reserved for Bounds; use another word", m.Name, bound)
		}
	}
	return nil
}

func (e Experiment) checkSize(size int) error {
	if e.Names != nil && e.Shared == "" && (size < 0 || size >= len(e.Names)) {
		return e.wrong("Sizes has %d; expected an index into Names, from 0 to %d: %q", size, len(e.Names)-1, e.Names)
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

// Only returns a copy of the experiment with only the named methods, each with all of its
// constants. If a method is unknown, Only panics.
//
//	e := gege.NoCBudget.Only(gege.GEGE, gege.EGESH)
func (e Experiment) Only(methods ...string) Experiment {
	have := e.MethodNames()
	for _, name := range methods {
		if !slices.Contains(have, name) {
			panic(fmt.Sprintf("study: %s has no method %q; the methods are %q", e.Name, name, have))
		}
	}
	e.Methods = slices.DeleteFunc(slices.Clone(e.Methods),
		func(m Method) bool { return !slices.Contains(methods, m.Name) })
	return e
}
