package ecape

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// An Experiment is one of the additional experiments of the paper (appendix G):
// instances, the methods that are compared on them, and what the paper claims.
type Experiment struct {
	Name  string // as on the command line
	Title string
	Paper string // "Table 4 and Fig. 5"
	Delta float64
	Reps  int // replicates of most runs: the paper's number

	instances func() ([]*bandit.Instance, error)
	runs      []run
	tables    func(Experiment, []mc.Row) ([]*tidy.Table, error)
	claims    func(Experiment) []study.Claim
}

// A run is a method with its constants, on all instances of an experiment.
type run struct {
	method, constants string
	reps              int
	policy            func(delta float64) explore.Policy
}

// Experiments returns the experiments of appendix G, in the paper's order.
func Experiments() []Experiment {
	return []Experiment{Polyhedra(), Runtime(), Explainability(), HardForRacing()}
}

// byRadius returns runs of methods that differ in their radius only.
func byRadius(constants string, reps int, methods ...string) []run {
	r := map[string]radius.Radius{Paper: radius.Paper{}, Calibrated: radius.KaufmannKoolen{}, Theory: radius.Theory{}}[constants]
	var rs []run
	for _, m := range methods {
		rs = append(rs, run{m, constants, reps, func(delta float64) explore.Policy { return newAt(delta, m, r) }})
	}
	return rs
}

// Study returns the experiment as a study of its own.
func (e Experiment) Study() study.Study {
	return study.Study{
		Name:    e.Name,
		Title:   e.Title,
		Paper:   "Kone, Kaufmann and Richert, \"Constrained Pareto Set Identification with Bandit Feedback\", " + e.Paper,
		Reps:    e.Reps,
		Grid:    e.grid,
		Tables:  e.Tables,
		Figures: e.Figures,
		Claims:  func() []study.Claim { return e.claims(e) },
	}
}

// grid returns the runs.
func (e Experiment) grid(o study.Options) (*mc.Grid, error) {
	instances, err := e.instances()
	if err != nil {
		return nil, err
	}
	g := &mc.Grid{Study: e.Name, Seed: o.Root(), Reps: o.Scaled(e.Reps, e.Reps), Workers: o.Workers, Shard: o.Shard}
	for _, inst := range instances {
		g.Instances = append(g.Instances, inst)
	}
	for _, r := range e.runs {
		g.Methods = append(g.Methods, mc.Method{
			Name: r.method, Constants: r.constants, Delta: e.Delta, Reps: o.Scaled(r.reps, e.Reps),
			New: func() explore.Policy { return r.policy(e.Delta) },
		})
	}
	return g, nil
}

// Instances returns the instances of the experiment.
func (e Experiment) Instances() ([]*bandit.Instance, error) { return e.instances() }

// Instance returns the instance with the given name.
func (e Experiment) Instance(name string) (*bandit.Instance, error) {
	all, err := e.instances()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, inst := range all {
		if inst.Name == name {
			return inst, nil
		}
		names = append(names, strconv.Quote(inst.Name))
	}
	return nil, fmt.Errorf("ecape: %s has no instance %q; it has %s", e.Name, name, strings.Join(names, ", "))
}

// of returns the rows of the instances and methods of the experiment.
func (e Experiment) of(rows []mc.Row) []mc.Row {
	var own []mc.Row
	for _, r := range rows {
		if r.Study == e.Name {
			own = append(own, r)
		}
	}
	return own
}

// methods lists the methods that are run with the given constants, all if none
// are given, in the order of tables.
func (e Experiment) methods(constants ...string) []string {
	var ms []string
	for _, r := range e.runs {
		if (len(constants) == 0 || slices.Contains(constants, r.constants)) && !slices.Contains(ms, r.method) {
			ms = append(ms, r.method)
		}
	}
	return ms
}

// Tables returns the tables of a report.
func (e Experiment) Tables(rows []mc.Row) ([]*tidy.Table, error) {
	own := e.of(rows)
	if len(own) == 0 {
		return nil, nil
	}
	ts := []*tidy.Table{e.Complexities(own)}
	if e.tables != nil {
		more, err := e.tables(e, own)
		if err != nil {
			return ts, err
		}
		ts = append(ts, more...)
	}
	bounds, err := e.Bounds()
	if err != nil {
		return ts, err
	}
	means, err := e.Means()
	return append(append(ts, bounds), means...), err
}

// Complexities returns the numbers of pulls and of wrong answers, with intervals.
func (e Experiment) Complexities(rows []mc.Row) *tidy.Table {
	t := tidy.ComplexityTable(tidy.SampleComplexity(e.of(rows), confidence))
	t.Title = e.Title + " (" + e.Paper + ")"
	return t
}

// Figures returns the figures of a report.
func (e Experiment) Figures(rows []mc.Row) ([]study.Figure, error) {
	own := e.of(rows)
	if len(own) == 0 {
		return nil, nil
	}
	instances, err := e.instances()
	if err != nil {
		return nil, err
	}
	var fs []study.Figure
	add := func(name, caption string, f *fig.Figure, err error) error {
		if err != nil {
			return fmt.Errorf("ecape: figure %s: %w", name, err)
		}
		fs = append(fs, study.Figure{Name: name, Caption: caption, Drawing: f})
		return nil
	}
	for _, inst := range instances {
		f, err := e.Responses(inst.Name)
		if err := add(e.Name+"-responses-"+fileName.Replace(inst.Name), "Mean responses and the feasible region: "+inst.Name+".", f, err); err != nil {
			return fs, err
		}
	}
	f, err := e.SampleComplexity(own)
	if err := add(e.Name+"-sample-complexity", e.Title+" (paper: "+e.Paper+").", f, err); err != nil {
		return fs, err
	}
	f, err = e.ArmPulls(own)
	err = add(e.Name+"-arm-pulls", "Mean pulls of each arm: "+e.Title+".", f, err)
	return fs, err
}

// fileName turns the name of an instance into a part of the name of a file.
var fileName = strings.NewReplacer(" ", "-", "=", "")

// Responses shows the mean responses of an instance with the feasible region.
func (e Experiment) Responses(instance string) (*fig.Figure, error) {
	inst, err := e.Instance(instance)
	if err != nil {
		return nil, err
	}
	o := &fig.PlaneOptions{Title: "Mean responses: " + inst.Name}
	if inst.Problem.D() == 2 {
		o.Front = true
		return fig.ResponsePlane(inst, o)
	}
	return fig.ResponsePlanes(inst, o)
}

// SampleComplexity shows the distributions of the numbers of pulls, of all
// methods with the given constants, or with all constants if none are given. The
// lower bounds at the experiment's delta are dashed lines.
func (e Experiment) SampleComplexity(rows []mc.Row, constants ...string) (*fig.Figure, error) {
	own := e.of(rows)
	if len(constants) > 0 {
		own = with(own, constants...)
	}
	bounds, err := e.bounds()
	if err != nil {
		return nil, err
	}
	o := &fig.RowOptions{Title: fmt.Sprintf("%s: sample complexity at delta = %v", e.Title, e.Delta), Methods: e.methods(constants...), Palette: Methods}
	for _, b := range bounds {
		o.References = append(o.References, fig.Reference{Instance: b.inst.Name, Name: boundSet, Pulls: b.setOnly.LowerBound(e.Delta)})
		if b.setOnly.Lower < .95*b.explained.Lower { // else the lines would lie on each other
			o.References = append(o.References, fig.Reference{Instance: b.inst.Name, Name: boundExplained, Pulls: b.explained.LowerBound(e.Delta)})
		}
	}
	if e.varies(own) {
		// A column for each choice of constants would hold one method each.
		own, o.Methods = slices.Clone(own), nil
		for i := range own {
			own[i].Method, own[i].Constants = label(own[i].Method, own[i].Constants), ""
		}
	}
	return fig.SampleComplexity(own, o)
}

// varies reports whether methods have constants that others do not have.
func (e Experiment) varies(rows []mc.Row) bool {
	has := map[string]map[string]bool{}
	all := map[string]bool{}
	for _, r := range rows {
		if has[r.Method] == nil {
			has[r.Method] = map[string]bool{}
		}
		has[r.Method][r.Constants], all[r.Constants] = true, true
	}
	for _, cs := range has {
		if len(cs) < len(all) {
			return true
		}
	}
	return false
}

// label names a method with its constants.
func label(method, constants string) string { return method + " (" + constants + ")" }

// ArmPulls shows the mean pulls of each arm by the methods with the given
// constants, those that come first if none are given.
func (e Experiment) ArmPulls(rows []mc.Row, constants ...string) (*fig.Figure, error) {
	instances, err := e.instances()
	if err != nil {
		return nil, err
	}
	if len(constants) == 0 {
		constants = []string{e.runs[0].constants}
	}
	o := &fig.RowOptions{Title: fmt.Sprintf("%s: pulls of each arm at delta = %v", e.Title, e.Delta), Methods: e.methods(constants...), Palette: Methods, ArmNames: map[string][]string{}}
	for _, inst := range instances {
		o.ArmNames[inst.Name] = inst.Problem.ArmNames
	}
	own := with(e.of(rows), constants...)
	if e.varies(own) {
		own, o.Methods = slices.Clone(own), nil
		for i := range own {
			own[i].Method, own[i].Constants = label(own[i].Method, own[i].Constants), ""
		}
	}
	return fig.ArmPulls(own, o)
}

// Means returns a table of the means of each instance, with what is true of each
// arm.
func (e Experiment) Means() ([]*tidy.Table, error) {
	instances, err := e.instances()
	if err != nil {
		return nil, err
	}
	var ts []*tidy.Table
	for _, inst := range instances {
		ts = append(ts, meansTable(inst))
	}
	return ts, nil
}

func meansTable(inst *bandit.Instance) *tidy.Table {
	p, mu := inst.Problem, inst.Truth()
	q := p.Question.(question.FeasiblePareto)
	t := q.Truth(mu)
	table := &tidy.Table{Title: "Means: " + inst.Name, Columns: []tidy.Column{{Name: "arm"}}}
	for _, o := range p.ObjectiveNames {
		table.Columns = append(table.Columns, tidy.Column{Name: o})
	}
	table.Columns = append(table.Columns, []tidy.Column{{Name: "status"}, {Name: "distance to the boundary"}, {Name: "dominated by"}, {Name: "at least by"}}...)
	for i := range p.K() {
		row := []any{p.Arm(i)}
		for _, v := range mu.RawRowView(i) {
			row = append(row, v)
		}
		row = append(row, statusOf(t, i), t.Eta[i])
		if t.SubOpt[i] {
			row = append(row, p.Arm(t.By[i]), t.D[i])
		} else {
			row = append(row, "-", nil)
		}
		table.Rows = append(table.Rows, row)
	}
	table.Notes = append([]string{fmt.Sprintf("Feasible: %v. Sigma of a reward: %v.", q.Region, p.Sigma)}, inst.Notes...)
	return table
}

// statusOf says in words what is true of an arm.
func statusOf(t question.Truth, i int) string {
	switch {
	case t.Optimal[i]:
		return "optimal"
	case t.Feasible[i]:
		return "dominated"
	case t.SubOpt[i]:
		return "dominated and infeasible"
	}
	return "infeasible"
}

// constrained returns an instance with arms A, B, ... that asks for the Pareto set
// of the arms in region, with reasons. Objectives are independent, with standard deviation
// sigma; sigma 0 means Bernoulli rewards, whose sub-Gaussian scale is taken as
// 1/2, as for any reward in [0, 1].
func constrained(name string, means [][]float64, sigma float64, region *polyhedron.Polyhedron, notes ...string) (*bandit.Instance, error) {
	k, d := len(means), len(means[0])
	mu := mat.NewDense(k, d, slices.Concat(means...))
	p := &explore.Problem{Arms: k, Objectives: d, Sigma: sigma, NormSigma: sigma, Question: question.FeasiblePareto{Region: region}}
	for i := range k {
		p.ArmNames = append(p.ArmNames, string(rune('A'+i)))
	}
	p.ObjectiveNames = objectives(d)
	var law bandit.Law
	var err error
	if sigma == 0 {
		p.Sigma, p.NormSigma = .5, .5
		law, err = bandit.NewBernoulli(mu)
	} else {
		law, err = bandit.NewGaussian(mu, covariance(d, sigma))
	}
	if err != nil {
		return nil, fmt.Errorf("ecape: %s: %w", name, err)
	}
	inst := &bandit.Instance{Name: name, Problem: p, Law: law, Notes: notes}
	return inst, inst.Validate()
}

// objectives names d objectives.
func objectives(d int) []string {
	var names []string
	for c := range d {
		names = append(names, "objective "+strconv.Itoa(c+1))
	}
	return names
}

// covariance returns sigma^2 times the identity.
func covariance(d int, sigma float64) *mat.SymDense {
	cov := mat.NewSymDense(d, nil)
	for c := range d {
		cov.SetSym(c, c, sigma*sigma)
	}
	return cov
}
