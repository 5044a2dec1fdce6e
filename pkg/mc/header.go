package mc

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/internal/digest"
	"github.com/purexp/purexp/pkg/seed"
)

// Format and Version are the values of the first two fields in a file of rows. Version must be
// increased when older code could misread newer files.
const (
	Format  = "purexp rows"
	Version = 2
)

// Header identifies the grid to which a file of rows belongs. A Header omits the number of
// replicates, because a file grows when Grid.Reps is increased.
type Header struct {
	Format    string         `json:"format"`
	Version   int            `json:"version"`
	Study     string         `json:"study"`
	Seed      uint64         `json:"seed"`
	Shard     string         `json:"shard,omitempty"` // such as "2/8"
	Instances []InstanceInfo `json:"instances"`
	Cells     []CellInfo     `json:"cells"`
	// Digest is a hash of all fields above except the field Shard.
	Digest string `json:"digest"`
	// Code identifies the code that wrote the rows (see [Code]); it is empty in files of version
	// 0.1.0.
	Code string `json:"code,omitempty"`

	// Warnings are the warnings of Read, and are not stored in files.
	Warnings []error `json:"-"`
}

// InstanceInfo describes an instance in a Header. Arms, Items and Objectives are the numbers of
// arms, items and objectives.
type InstanceInfo struct {
	Name       string   `json:"name"`
	Arms       int      `json:"arms"`
	Items      int      `json:"items"`
	Objectives int      `json:"objectives"`
	Question   string   `json:"question"`
	ArmNames   []string `json:"armNames,omitempty"`
	ItemNames  []string `json:"itemNames,omitempty"`
	// Digest is a hash of the link, and of the noise scales, costs, features, means and known
	// values, each rounded to 10 digits.
	Digest string `json:"digest"`
	// Law is a hash of the distribution of the rewards.
	Law string `json:"law,omitempty"`
}

// CellInfo describes a cell in a Header. A Key in a header has the same fields as in a row.
type CellInfo struct {
	Experiment string   `json:"experiment,omitempty"`
	Instance   string   `json:"instance"`
	Size       int      `json:"size,omitempty"`
	Draw       int      `json:"draw,omitempty"`
	Method     string   `json:"method"`
	Constants  string   `json:"constants"`
	Delta      float64  `json:"delta"`
	Budget     int      `json:"budget,omitempty"`
	Policy     string   `json:"policy"`   // explore.Name of the policy
	Settings   string   `json:"settings"` // a hash of the settings of the policy
	MaxPulls   int      `json:"maxPulls,omitempty"`
	MaxRounds  int      `json:"maxRounds,omitempty"`
	Measures   []string `json:"measures,omitempty"` // names of the measures
}

func (p *plan) describe() (Header, error) {
	h := Header{Format: Format, Version: Version, Study: p.Study, Seed: p.Seed}
	for _, inst := range p.insts {
		h.Instances = append(h.Instances, info(inst))
	}
	policies, settings := make([]string, p.policies), make([]string, p.policies)
	for i := range p.cells {
		c := &p.cells[i]
		if policies[c.polSlot] == "" {
			pol := c.Method.New()
			if pol == nil {
				return Header{}, fmt.Errorf("mc: grid: method %s: New returns nil; expected a policy", c.Method.Name)
			}
			policies[c.polSlot], settings[c.polSlot] = explore.Name(pol), digest.Settings(pol)
		}
		h.Cells = append(h.Cells, c.info(policies[c.polSlot], settings[c.polSlot]))
	}
	text, err := json.Marshal(h)
	if err != nil {
		return Header{}, fmt.Errorf("mc: grid: %w", err)
	}
	hash := sha256.New()
	hash.Write(text)
	h.Digest = digest.Sum(hash)
	h.Shard = p.Shard.String()
	h.Code = Code()
	return h, nil
}

// info describes cell c, whose policy has the given name and settings.
func (c *cell) info(policy, settings string) CellInfo {
	i := CellInfo{
		Experiment: c.Experiment, Instance: c.key.Instance, Size: c.Size, Draw: c.Draw,
		Budget: c.Budget,
		Method: c.Method.Name, Constants: c.Method.Constants, Delta: c.Method.Delta,
		Policy: policy, Settings: settings, MaxPulls: c.limits.MaxPulls,
		MaxRounds: c.limits.MaxRounds,
	}
	for _, m := range c.Measures {
		i.Measures = append(i.Measures, m.Names...)
	}
	return i
}

func info(inst *bandit.Instance) InstanceInfo {
	pr := inst.Problem
	hash := sha256.New()
	fmt.Fprintf(hash, "%.10g %.10g", pr.Sigma, pr.SigmaU())
	if pr.Link != explore.Identity {
		fmt.Fprintf(hash, " %v", pr.Link)
	}
	if pr.Costs != nil {
		fmt.Fprintf(hash, " costs %.10g", pr.Costs)
	}
	if pr.Sigmas != nil {
		fmt.Fprintf(hash, " sigmas %.10g", pr.Sigmas)
	}
	if pr.Known != nil {
		fmt.Fprint(hash, " known ")
		digest.Matrix(hash, pr.Known)
	}
	digest.Matrix(hash, pr.X)
	digest.Matrix(hash, pr.Z)
	digest.Matrix(hash, inst.Truth())
	return InstanceInfo{
		Name: inst.Name, Arms: pr.K(), Items: pr.M(), Objectives: pr.D(),
		Question: questionName(pr.Question),
		ArmNames: slices.Clone(pr.ArmNames), ItemNames: slices.Clone(pr.ItemNames),
		Digest: digest.Sum(hash), Law: lawDigest(inst),
	}
}

// questionName returns the GoString of q if q has this method, otherwise its String if q has this
// method, and otherwise its type. questionName does not print fields, because the text of a pointer
// would differ between runs.
func questionName(q explore.Question) string {
	switch q := q.(type) {
	case fmt.GoStringer:
		return q.GoString()
	case fmt.Stringer:
		return q.String()
	}
	return fmt.Sprintf("%T", q)
}

// differ describes the first field in which a differs from b, or returns "" if all fields agree.
func (a *InstanceInfo) differ(b *InstanceInfo) string {
	switch {
	case a.Arms != b.Arms:
		return fmt.Sprintf("arms: %d and %d", a.Arms, b.Arms)
	case a.Items != b.Items:
		return fmt.Sprintf("items: %d and %d", a.Items, b.Items)
	case a.Objectives != b.Objectives:
		return fmt.Sprintf("objectives: %d and %d", a.Objectives, b.Objectives)
	case a.Question != b.Question:
		return fmt.Sprintf("question: %s and %s", a.Question, b.Question)
	case !slices.Equal(a.ArmNames, b.ArmNames):
		return "names of the arms"
	case !slices.Equal(a.ItemNames, b.ItemNames):
		return "names of the items"
	case a.Digest != b.Digest:
		return "means, features or noise scales"
	case a.Law != b.Law:
		return "distribution of the rewards"
	}
	return ""
}

// Shared returns the cells that have equal descriptions in h and other, including seed and
// instance, or nil if there are none. For each shared cell, replicates with the same index have
// equal rows in both grids.
func (h *Header) Shared(other *Header) map[Key]bool {
	if h.Format != other.Format || h.Version != other.Version || h.Study != other.Study || h.Seed != other.Seed {
		return nil
	}
	instances := make(map[string]*InstanceInfo, len(other.Instances))
	for i := range other.Instances {
		instances[other.Instances[i].Name] = &other.Instances[i]
	}
	cells := make(map[Key]*CellInfo, len(other.Cells))
	for i := range other.Cells {
		cells[other.Cells[i].Key()] = &other.Cells[i]
	}
	same := make(map[string]bool, len(h.Instances))
	for i := range h.Instances {
		a := &h.Instances[i]
		b := instances[a.Name]
		same[a.Name] = b != nil && a.differ(b) == ""
	}
	shared := make(map[Key]bool)
	for i := range h.Cells {
		a := &h.Cells[i]
		b := cells[a.Key()]
		if same[a.Instance] && b != nil && a.differ(b) == "" {
			shared[a.Key()] = true
		}
	}
	return shared
}

// Differ describes the first field in which a header that was read from a file differs from
// want. Differ returns "" if rows of both headers may be in the same file; the shards may
// differ.
func (file *Header) Differ(want *Header) string {
	switch {
	case file.Format != want.Format:
		return fmt.Sprintf("the format is %q; expected %q", file.Format, want.Format)
	case file.Version != want.Version:
		return fmt.Sprintf("the version is %d; expected %d", file.Version, want.Version)
	case file.Study != want.Study:
		return fmt.Sprintf("the study is %q; expected %q", file.Study, want.Study)
	case file.Seed != want.Seed:
		return fmt.Sprintf("the seed is %d; expected %d", file.Seed, want.Seed)
	}
	known := make(map[Key]*CellInfo, len(want.Cells))
	for i := range want.Cells {
		known[want.Cells[i].Key()] = &want.Cells[i]
	}
	for i := range file.Cells {
		a := &file.Cells[i]
		b := known[a.Key()]
		if b == nil {
			return fmt.Sprintf("the file has the cell %s, which is not in this grid", a.Key())
		}
		delete(known, a.Key())
		if what := a.differ(b); what != "" {
			return what
		}
	}
	for i := range want.Cells { // compare in order, so that the message does not vary
		if k := want.Cells[i].Key(); known[k] != nil {
			return fmt.Sprintf("the file lacks the cell %s of this grid", k)
		}
	}
	for i := range file.Instances {
		a := &file.Instances[i]
		j := slices.IndexFunc(want.Instances, func(b InstanceInfo) bool { return a.Name == b.Name })
		if j < 0 {
			return fmt.Sprintf("the file has the instance %s, which is not in this grid", a.Name)
		}
		if what := a.differ(&want.Instances[j]); what != "" {
			return fmt.Sprintf("the instance %s differs from the instance in this grid: %s", a.Name, what)
		}
	}
	if file.Digest != want.Digest {
		return "the cells are in a different order"
	}
	return ""
}

// differ describes the first field in which a, read from a file, differs from b, or returns "" if
// all fields agree. The descriptions a and b have the same key.
func (a *CellInfo) differ(b *CellInfo) string {
	switch {
	case a.Draw != b.Draw:
		return fmt.Sprintf("the draw of %s is %d; expected %d", a.Key(), a.Draw, b.Draw)
	case !slices.Equal(a.Measures, b.Measures):
		return fmt.Sprintf("the measures of %s are %q; expected %q", a.Key(), a.Measures, b.Measures)
	case a.Policy != b.Policy:
		return fmt.Sprintf("the policy of %s is %s; expected %s", a.Key(), a.Policy, b.Policy)
	case a.Settings != b.Settings:
		return fmt.Sprintf("the settings of the policy of %s differ from those of this run", a.Key())
	case a.MaxPulls != b.MaxPulls:
		return fmt.Sprintf("the limit maxPulls of %s is %d; expected %d", a.Key(), a.MaxPulls, b.MaxPulls)
	case a.MaxRounds != b.MaxRounds:
		return fmt.Sprintf("the limit maxRounds of %s is %d; expected %d", a.Key(), a.MaxRounds, b.MaxRounds)
	}
	return ""
}

// lawDigest returns a hash of the distribution of rewards: it draws one reward of each arm from a
// fixed random stream and hashes 10 digits of each reward. Unlike a hash of means and scales, this
// hash distinguishes distributions with different shapes. For instances with changing features, the
// hash is empty, because a reward would need a draw of features first.
func lawDigest(inst *bandit.Instance) string {
	if inst.Problem.Changing {
		return ""
	}
	pulls := make([]explore.Pull, inst.Problem.K())
	for i := range pulls {
		pulls[i] = explore.Pull{Arm: i, N: 1}
	}
	obs, err := inst.Sampler(seed.New(0).Child("law")).Sample(nil, pulls)
	if err != nil {
		return ""
	}
	h := sha256.New()
	for _, b := range obs {
		digest.Floats(h, b.Sum)
	}
	return digest.Sum(h)
}
