package explore

import (
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/internal/filelock"
	"github.com/purexp/purexp/pkg/internal/jsonl"
)

// A Campaign is a session with a log: real measurements, taken over days by
// people who make mistakes, on machines that are switched off.
//
// Every accepted round is on disk before the policy learns of it. Opening the
// log again replays it, so that the campaign goes on where it was; nothing else
// is saved. The log is a file of JSON lines that people can read; each line
// carries a checksum.
//
//	c, err := explore.OpenCampaign("trial.jsonl", &policy.ECAPE{Delta: 0.05}, prob, nil)
//	round, pulls, err := c.Ask()     // measure these ...
//	err = c.Tell(round, obs)         // ... and report them
type Campaign struct {
	ses  *Session
	prob *Problem
	file logFile
	arms armIndex
	told [][]Batch    // by round, to recognise a batch that is told again
	seen []*mat.Dense // by round, the contexts, if they are read

	unlock func()
}

// logFile is the part of a *jsonl.File that a Campaign needs; tests give one that fails.
type logFile interface {
	AppendSync(v any) error
	Check() error
	Close() error
}

// ErrLog says that the log of a campaign does not fit: another problem, policy
// or seed, or a damaged file. The log is left as it is.
var ErrLog = errors.New("the log does not fit this campaign")

// ErrLocked says that another process has the campaign open.
var ErrLocked = filelock.ErrHeld

// entry is a line of a log: one round. Its contexts, if any, have the line before.
type entry struct {
	Round int     `json:"round"`
	Obs   []taken `json:"obs"`
}

// taken is a batch in a log.
type taken struct {
	Arm string    `json:"arm"`
	N   int       `json:"n"`
	Sum []float64 `json:"sum"`
}

// OpenCampaign starts the campaign that is logged at path, or resumes it if the
// file exists. Problem, policy and settings must be the same each time: what the
// policy is given, features, names, question and random source included, but for
// the limits of the settings. Otherwise, and where the file is not the log of a
// campaign, the error wraps ErrLog, and the file is as it was.
//
// While a campaign is open no other can be opened at its path, in this process or
// another: the error wraps ErrLocked and says who has it. The lock, on path.lock,
// ends with Close or with the process, however it ends.
func OpenCampaign(path string, p Policy, prob *Problem, set *Settings) (_ *Campaign, err error) {
	given := describe(p, set) // before Init, which may use up the random source
	ses, err := NewSession(p, prob, set)
	if err != nil {
		return nil, err
	}
	given.problem(prob)
	unlock, err := filelock.Lock(path)
	if err != nil {
		return nil, fmt.Errorf("explore: %w", err)
	}
	defer func() {
		if err != nil {
			unlock()
		}
	}()
	c := &Campaign{ses: ses, prob: prob, arms: prob.armIndex(), unlock: unlock}
	file, err := jsonl.Open(path, given.begins, func(n int, line []byte) error {
		if n == 1 {
			return given.check(line)
		}
		return c.replay(line)
	})
	if errors.Is(err, jsonl.ErrForeign) {
		return nil, fmt.Errorf("explore: %w: not the log of a campaign, or its end was changed; "+
			"give another path, or restore the file: %w", err, ErrLog)
	}
	if err != nil {
		return nil, err
	}
	if file.Empty() {
		if err := file.AppendSync(given); err != nil {
			return nil, errors.Join(err, file.Close())
		}
	}
	c.file = file
	return c, nil
}

// replay takes a line of the log in.
func (c *Campaign) replay(line []byte) error {
	var e struct {
		entry
		Contexts []armContext `json:"contexts"`
	}
	if err := jsonl.Decode(line, &e); err != nil {
		return err
	}
	if e.Contexts != nil {
		return c.replayContexts(contextEntry{e.Round, e.Contexts})
	}
	pulls, err := c.ses.Ask()
	if errors.Is(err, ErrContext) {
		return fmt.Errorf("the contexts of round %d are missing: %w", c.ses.Round(), ErrLog)
	}
	if err != nil {
		return err
	}
	if e.Round != c.ses.Round() {
		return fmt.Errorf("round %d, want round %d: lines are missing or repeated: %w", e.Round,
			c.ses.Round(), ErrLog)
	}
	obs := make([]Batch, len(e.Obs))
	for i, t := range e.Obs {
		arm, err := c.arms.find(t.Arm)
		if err != nil {
			return err
		}
		obs[i] = Batch{Pull: Pull{arm, t.N}, Sum: t.Sum}
	}
	if err := c.ses.check(obs); err != nil {
		return fmt.Errorf("%w: the policy now asks for %v: it has other settings, another seed "+
			"or another version than when the log was written: %w", err, pulls, ErrLog)
	}
	c.told = append(c.told, obs)
	return c.ses.take(obs)
}

// ArmIndex returns the arm with the given name.
func (p *Problem) ArmIndex(name string) (int, error) {
	for i := range p.K() {
		if p.Arm(i) == name {
			return i, nil
		}
	}
	return 0, p.unknownArm(name)
}

// unknownArm says that no arm has a name, and which the first ones have.
func (p *Problem) unknownArm(name string) error {
	var names []string
	for i := range min(p.K(), 12) {
		names = append(names, p.Arm(i))
	}
	if p.K() > len(names) {
		names = append(names, fmt.Sprintf("... (%d in all)", p.K()))
	}
	return fmt.Errorf("explore: unknown arm %q; the arms are %v", name, names)
}

// Ask returns the number of the round and what to measure in it; no pulls mean
// that the campaign has ended, see Result. Asking again returns the same.
func (c *Campaign) Ask() (round int, pulls []Pull, err error) {
	pulls, err = c.ses.Ask()
	return c.ses.Round(), slices.Clone(pulls), err
}

// Tell reports the measurements of a round, in any order of the arms. After an
// error nothing has changed: correct what it says and tell again. Telling the same
// measurements of a round again does nothing, so that whoever does not know whether
// a Tell arrived can repeat it; others for a round that was told are an error that
// wraps ErrTold. If the log was removed or replaced, Tell returns an error.
func (c *Campaign) Tell(round int, obs []Batch) error {
	if err := c.file.Check(); err != nil {
		return c.refuse(fmt.Sprintf("round %d was", round), err)
	}
	if round < 1 || round > c.ses.Round() {
		return fmt.Errorf("explore: round %d was not asked for; the current one is %d: %w", round,
			c.ses.Round(), ErrMismatch)
	}
	if round < c.ses.Round() {
		if sameBatches(obs, c.told[round-1]) {
			return nil
		}
		return fmt.Errorf("explore: round %d was told before, with other measurements; what was "+
			"told first stands: %w", round, ErrTold)
	}
	obs = c.inOrder(obs)
	if err := c.ses.check(obs); err != nil {
		return err
	}
	e := entry{Round: round}
	for _, b := range obs {
		e.Obs = append(e.Obs, taken{c.prob.Arm(b.Arm), b.N, b.Sum})
	}
	// First the disk, then the policy: what the policy knows is never lost.
	if err := c.file.AppendSync(e); err != nil {
		return c.refuse(fmt.Sprintf("round %d was", round), err)
	}
	kept := make([]Batch, len(obs))
	for i, b := range obs {
		kept[i] = Batch{Pull: b.Pull, Sum: slices.Clone(b.Sum)}
	}
	c.told = append(c.told, kept)
	return c.ses.take(kept)
}

// refuse says that something could not be written, and what to do.
func (c *Campaign) refuse(what string, err error) error {
	if errors.Is(err, jsonl.ErrMoved) {
		return fmt.Errorf("explore: %s not taken; put the log back as it was, and open the "+
			"campaign again: %w: %w", what, err, ErrLog)
	}
	return fmt.Errorf("explore: %s not taken; repair the disk or make room, and tell it again: %w",
		what, err)
}

// inOrder returns obs in the order in which the arms were asked for; obs itself
// if they do not match.
func (c *Campaign) inOrder(obs []Batch) []Batch {
	rest := slices.Clone(obs)
	var sorted []Batch
	for _, p := range c.ses.pulls {
		i := slices.IndexFunc(rest, func(b Batch) bool { return b.Pull == p })
		if i < 0 {
			return obs
		}
		sorted = append(sorted, rest[i])
		rest = slices.Delete(rest, i, i+1)
	}
	return append(sorted, rest...)
}

// sameBatches compares measurements in any order.
func sameBatches(a, b []Batch) bool {
	key := func(x []Batch) []string {
		var s []string
		for _, b := range x {
			s = append(s, fmt.Sprint(b))
		}
		slices.Sort(s)
		return s
	}
	return slices.Equal(key(a), key(b))
}

// Result returns the state of the campaign: the best guess until it has ended.
func (c *Campaign) Result() *Result { return c.ses.Result() }

// Close closes the log, for others to open.
func (c *Campaign) Close() error {
	defer c.unlock()
	return c.file.Close()
}
