package sweep

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/purexp/purexp/pkg/internal/strictjson"
)

// State is the state of a shard.
type State int

const (
	// Missing means that the shard was never started and is not queued.
	Missing State = iota
	// Failed means that the shard was started, but no attempt continues it.
	Failed
	// Running means that the shard is queued or running.
	Running
	// Finished means that all rows of the shard exist under the final name of its file.
	Finished
)

var stateNames = [...]string{"missing", "failed", "running", "finished"}

// String returns the name of the state in lower case.
func (s State) String() string { return stateNames[s] }

// MarshalText returns the name of the state.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ShardStatus describes one shard.
type ShardStatus struct {
	Shard int   `json:"shard"` // from 1
	State State `json:"state"`
	// Rows is the number of rows in the longest attempt, and Want is the number of rows in the
	// complete shard.
	Rows int `json:"rows"`
	Want int `json:"want"`
	// Why describes the running attempt, or the reason of a failure.
	Why string `json:"why,omitempty"`
	// Disagrees reports whether two attempts have contradictory values for the same row. A retry
	// does not resolve the contradiction.
	Disagrees bool `json:"disagrees,omitempty"`
}

// Status describes all shards of a sweep.
type Status struct {
	Study  string        `json:"study"`
	Shards []ShardStatus `json:"shards"`
	// If Slurm is installed but the state of the queue is unknown, QueueErr is the reason.
	QueueErr error `json:"-"`
}

// Status reads the files of all shards and, if Slurm is installed, the queue of Slurm. Status reads
// final files completely, so a shard whose file was changed or cut does not count as finished.
func (s *Sweep) Status(ctx context.Context) (*Status, error) {
	st := &Status{Study: s.Study.Name, Shards: make([]ShardStatus, s.Shards)}
	known := make(map[int]task)
	queued, err := s.Slurm.queue(ctx, s.jobName())
	if err != nil && !errors.Is(err, ErrNoSlurm) {
		st.QueueErr = err
	}
	if err == nil {
		// Accounting records exist only on some clusters, and are used only for the reasons of
		// failures. Slurm interprets times without a zone as local times.
		past, _ := s.Slurm.history(ctx, s.jobName(), s.Created.Local().Format("2006-01-02T15:04:05"))
		for _, t := range past {
			if t.over() {
				known[t.Shard] = t
			}
		}
		for _, t := range queued { // tasks in the queue take precedence over tasks that ended
			if old, ok := known[t.Shard]; !ok || old.over() {
				known[t.Shard] = t
			}
		}
	}
	now := s.now()
	var (
		group sync.WaitGroup
		slots = make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))
		errs  = make([]error, s.Shards)
	)
	for i := 1; i <= s.Shards; i++ {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if errs[i-1] = ctx.Err(); errs[i-1] == nil {
				st.Shards[i-1], errs[i-1] = s.status(i, known[i], now)
			}
		})
	}
	group.Wait()
	return st, errors.Join(errs...)
}

// now returns the time of the file server, which also dates heartbeats. If now cannot write a file
// there, it returns the time of this machine.
func (s *Sweep) now() time.Time {
	now := time.Now()
	if f, err := os.CreateTemp(s.path(attemptsDir), ".now-*"); err == nil {
		if info, err := f.Stat(); err == nil {
			now = info.ModTime()
		}
		f.Close()
		os.Remove(f.Name())
	}
	return now
}

// status describes one shard. The argument task is the state of the shard in Slurm, or zero if
// unknown.
func (s *Sweep) status(i int, task task, now time.Time) (ShardStatus, error) {
	is := ShardStatus{Shard: i, Want: s.Outline.rows(s.shard(i))}
	final, err := s.Outline.check(s.Final(i), s.shard(i))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return is, err
	}
	if odd := s.attempts(i, disagreeEnd); len(odd) > 0 {
		is.State, is.Rows, is.Disagrees = Failed, final.Rows, true
		is.Why = fmt.Sprintf("%v: %s and %s; check which file is right, and remove "+
			"the other file", ErrDisagree, s.Final(i), odd[0])
		return is, nil
	}
	if final.Complete {
		is.State, is.Rows = Finished, is.Want
		return is, nil
	}
	var reasons []string
	if err == nil {
		is.State = Failed
		reasons = append(reasons, fmt.Sprintf("%s is damaged after %d rows: %v", s.Final(i),
			final.Rows, faultOf(final)))
	}
	for _, path := range s.attempts(i, rowsEnd) {
		is.State = Failed
		// If the file was removed in the meantime, it has no rows.
		if p, err := s.Outline.check(path, s.shard(i)); err == nil {
			is.Rows = max(is.Rows, p.Rows)
		}
	}
	lives, signs := s.signs(i, now)
	if len(signs) > 0 || len(s.attempts(i, damagedEnd)) > 0 {
		is.State = Failed
	}
	switch {
	case task.State != "" && !task.over():
		is.State, is.Why = Running, "job "+task.Element+" is "+task.State
		return is, nil
	case lives != "":
		is.State, is.Why = Running, lives
		return is, nil
	case task.State != "":
		is.State = Failed
		reasons = append(reasons, "job "+task.Element+" ended as "+task.State)
	}
	is.Why = strings.Join(append(reasons, signs...), "; ")
	return is, nil
}

func faultOf(p part) error {
	if p.Fault != nil {
		return p.Fault
	}
	return errors.New("the file is incomplete")
}

// signs reads the heartbeat files and the failure records of attempts at a shard. signs returns the
// running attempt, and the reasons for which attempts failed, starting with the last.
func (s *Sweep) signs(i int, now time.Time) (lives string, dead []string) {
	type note struct {
		text string
		at   time.Time
	}
	var notes []note
	for _, path := range s.attempts(i, "") {
		info, err := os.Stat(path)
		text, err2 := os.ReadFile(path)
		if err != nil || err2 != nil {
			continue // the file was removed in the meantime
		}
		switch filepath.Ext(path) {
		case signEnd:
			var w who
			if strictjson.Unmarshal(text, &w) != nil {
				w.Host = "unknown host"
			}
			if now.Sub(info.ModTime()) < silence && !w.gone() {
				lives = w.String()
				continue
			}
			notes = append(notes, note{fmt.Sprintf("%v ended without a message; its last heartbeat was at %s UTC", w,
				info.ModTime().UTC().Format("2006-01-02 15:04:05")), info.ModTime()})
		case reasonEnd:
			var f failure
			if strictjson.Unmarshal(text, &f) == nil {
				notes = append(notes, note{f.Reason, info.ModTime()})
			}
		}
	}
	slices.SortStableFunc(notes, func(a, b note) int { return b.at.Compare(a.at) })
	for n, note := range notes {
		if n == 2 {
			dead = append(dead, fmt.Sprintf("%d attempts before", len(notes)-n))
			break
		}
		dead = append(dead, note.text)
	}
	return lives, dead
}

// Which returns the numbers of the shards, counted from 1, in the given states.
func (st *Status) Which(states ...State) (list []int) {
	for i := range st.Shards {
		if slices.Contains(states, st.Shards[i].State) {
			list = append(list, st.Shards[i].Shard)
		}
	}
	return list
}

// Summary states in words how many shards are in each state.
func (st *Status) Summary() string {
	parts := []string{}
	for _, state := range []State{Finished, Running, Failed, Missing} {
		if n := len(st.Which(state)); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %v", n, state))
		}
	}
	return fmt.Sprintf("%s: of %d shards, %s", st.Study, len(st.Shards), strings.Join(parts, ", "))
}
