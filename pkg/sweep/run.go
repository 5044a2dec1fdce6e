package sweep

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/purexp/purexp/pkg/mc"
)

// ErrTimeLimit reports that an attempt stopped because its time limit was near.
var ErrTimeLimit = errors.New("the attempt stopped because its time limit was near")

// beat is the interval between two heartbeats of an attempt. An attempt without a heartbeat for the
// duration silence counts as dead.
const (
	beat    = 15 * time.Second
	silence = 4 * beat
)

// Settings are the settings of Run; the zero value selects the defaults.
type Settings struct {
	// Workers and Progress have the same meaning as in mc.Grid.
	Workers  int
	Progress func(done, total int, elapsed time.Duration)
	// If Limit is not nil, it receives a signal when the time limit is near. The attempt then stops
	// and, if Requeue is not nil, calls Requeue to requeue the shard. If the attempt has not
	// finished any run, it does not call Requeue, because the next attempt would not finish a run
	// either.
	Limit   <-chan os.Signal
	Requeue func() error
}

// Run simulates shard i, counted from 1; when its file of rows is complete, Run gives the file its
// final name. If the shard is already finished, Run does nothing. Run copies rows of earlier
// attempts without changing their files, because those attempts may still be running. When the
// shard is finished, Run removes the files of all attempts, except files to inspect (see clean).
//
// The argument g is the grid of the sweep's study; for another grid or program, the error wraps
// ErrGrid. After any other error, Run may be called again. If ctx was cancelled, the error wraps
// that of ctx. After a signal on Settings.Limit, Run returns an error that wraps ErrTimeLimit.
func (s *Sweep) Run(ctx context.Context, g *mc.Grid, i int, set Settings) (err error) {
	if i < 1 || i > s.Shards {
		return fmt.Errorf("sweep: shard %d; expected 1 to %d", i, s.Shards)
	}
	if set.Workers < 0 {
		return fmt.Errorf("sweep: %d workers; expected at least 1, or 0 for one per processor", set.Workers)
	}
	if err := s.checkProgram(); err != nil {
		return err
	}
	if err := s.checkGrid(g); err != nil {
		return err
	}
	if done, err := s.finished(i); done || err != nil {
		if done {
			s.clean(i) // an attempt may have been killed before it removed its files
		}
		return err
	}
	a, err := s.begin(i)
	if err != nil {
		return err
	}
	defer func() { a.end(err) }()
	before, err := a.takeOver()
	if err != nil {
		if done, e := a.finished(i); done && e == nil {
			return nil // another attempt has finished the shard and removed the file of this attempt
		}
		return err
	}
	run := *g
	run.Shard, run.Workers, run.Progress = s.shard(i), set.Workers, set.Progress
	ctx, cancel := context.WithCancelCause(ctx)
	var watch sync.WaitGroup
	watch.Go(func() { a.live(ctx, cancel, set.Limit) })
	defer watch.Wait()
	defer cancel(nil)
	err = run.Stream(ctx, a.rows)
	switch cause := context.Cause(ctx); {
	case err == nil:
		return a.publish()
	case cause == errSuperseded:
		return nil
	case cause == ErrTimeLimit:
		return a.requeue(before, set.Requeue)
	}
	if errors.Is(err, context.Canceled) {
		return a.interrupted(err)
	}
	return fmt.Errorf("sweep: shard %d: %w", i, err)
}

// interrupted describes how many rows are safe after the error err stopped the attempt.
func (a *attempt) interrupted(err error) error {
	part, e := a.Outline.check(a.rows, a.shard(a.i))
	if e != nil {
		return fmt.Errorf("sweep: shard %d: %w", a.i, err)
	}
	return fmt.Errorf("sweep: shard %d: interrupted, with %d of %d rows saved; 'sweep run' and 'sweep retry' "+
		"continue from these rows: %w", a.i, part.Rows, a.Outline.rows(a.shard(a.i)), context.Canceled)
}

// checkGrid returns an error if g differs from the grid of the sweep.
func (s *Sweep) checkGrid(g *mc.Grid) error {
	o, err := outlineOf(g)
	if err != nil {
		return err
	}
	what := differ(&o.Header, &s.Outline.Header)
	for c := 0; what == "" && c < len(o.Reps); c++ {
		if o.Reps[c] != s.Outline.Reps[c] {
			what = fmt.Sprintf("%d replicates of %v; expected %d", o.Reps[c],
				o.Header.Cells[c].Key(), s.Outline.Reps[c])
		}
	}
	if what != "" {
		return fmt.Errorf("sweep: %s: %w: %s; run the program that created the sweep (%s)",
			s.Study.Name, ErrGrid, what, s.path(programName))
	}
	return nil
}

// finished reports whether the final file of shard i is complete; if this file is damaged, finished
// renames it.
func (s *Sweep) finished(i int) (bool, error) {
	path := s.Final(i)
	part, err := s.Outline.check(path, s.shard(i))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || part.Complete {
		return part.Complete, err
	}
	aside, err := s.newName(i)
	if err == nil {
		err = os.Rename(path, aside+damagedEnd)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // another attempt may have renamed the damaged file before
		return false, fmt.Errorf("sweep: shard %d: the damaged file could not be renamed: %w", i, err)
	}
	return false, nil
}

// attempt is a process that simulates a shard.
type attempt struct {
	*Sweep
	i    int
	name string // path of the attempt's files without extension
	rows string // path of the attempt's file of rows
	sign *os.File
	who  who
}

// who identifies the process that made an attempt.
type who struct {
	Host    string    `json:"host"`
	Process int       `json:"process"`
	Job     string    `json:"job,omitempty"` // element of the Slurm job, such as "12_3"
	Began   time.Time `json:"began"`
}

func (w who) String() string {
	t := fmt.Sprintf("process %d on %s", w.Process, w.Host)
	if w.Job != "" {
		t = "job " + w.Job + ", " + t
	}
	return t
}

// gone reports whether the attempt ran on this machine and its process no longer exists, for
// example because of a kill.
func (w who) gone() bool {
	if host, err := os.Hostname(); err != nil || host != w.Host || w.Process < 1 {
		return false
	}
	p, err := os.FindProcess(w.Process) // FindProcess never fails on Unix
	return err == nil && errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// The following constants are extensions of the files that attempts at a shard write.
const (
	rowsEnd     = ".jsonl"     // rows that an attempt has written
	signEnd     = ".alive"     // heartbeat file of a running attempt
	reasonEnd   = ".failed"    // reason why the attempt failed
	damagedEnd  = ".damaged"   // a final file that was damaged
	disagreeEnd = ".disagrees" // complete rows that differ from the rows of the final file
)

// attemptsAt returns the path of the folder of attempts at shard i.
func (s *Sweep) attemptsAt(i int) string { return s.path(attemptsDir, fmt.Sprintf("%04d", i)) }

// attempts returns the paths of the files with the given ending that attempts at shard i have left.
func (s *Sweep) attempts(i int, ending string) (paths []string) {
	entries, _ := os.ReadDir(s.attemptsAt(i)) // the folder does not exist before the first attempt
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ending) && !strings.HasPrefix(e.Name(), ".") {
			paths = append(paths, filepath.Join(s.attemptsAt(i), e.Name()))
		}
	}
	return paths
}

// newName returns the path, without extension, of the files of a new attempt at shard i.
func (s *Sweep) newName(i int) (string, error) {
	err := os.MkdirAll(s.attemptsAt(i), 0o777)
	return filepath.Join(s.attemptsAt(i), strings.ToLower(rand.Text()[:12])), err
}

func (s *Sweep) begin(i int) (*attempt, error) {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	name, err := s.newName(i)
	if err != nil {
		return nil, fmt.Errorf("sweep: shard %d: %w", i, err)
	}
	a := &attempt{Sweep: s, i: i, name: name, rows: name + rowsEnd,
		who: who{host, os.Getpid(), slurmElement(), time.Now().UTC().Truncate(time.Second)}}
	if a.sign, err = os.OpenFile(name+signEnd, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666); err != nil {
		return nil, fmt.Errorf("sweep: shard %d: %w", i, err)
	}
	a.alive()
	return a, nil
}

// alive updates the modification time of the attempt's heartbeat file, by the clock of the file
// server.
func (a *attempt) alive() {
	if text, err := json.Marshal(a.who); err == nil {
		_, _ = a.sign.WriteAt(text, 0) // errors are ignored, because rows may still be written on a full disk
	}
}

// errSuperseded ends an attempt because another attempt has finished the shard.
var errSuperseded = errors.New("another attempt finished the shard")

// live regularly updates the heartbeat file, and cancels the attempt when the attempt should stop.
func (a *attempt) live(ctx context.Context, cancel context.CancelCauseFunc, limit <-chan os.Signal) {
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-limit:
			cancel(ErrTimeLimit)
			return
		case <-tick.C:
			a.alive()
			if _, err := os.Stat(a.Final(a.i)); err == nil {
				if done, err := a.finished(a.i); done && err == nil {
					cancel(errSuperseded)
					return
				}
			}
		}
	}
}

// takeOver copies the rows of the longest earlier attempt, and returns the number of rows.
func (a *attempt) takeOver() (int, error) {
	best, path := part{}, ""
	for _, other := range a.attempts(a.i, rowsEnd) {
		// If files were removed or are unreadable, their rows are simulated again.
		if p, err := a.Outline.check(other, a.shard(a.i)); err == nil && p.Rows > best.Rows {
			best, path = p, other
		}
	}
	if path == "" {
		return 0, nil
	}
	from, err := os.Open(path)
	if err != nil {
		return 0, nil
	}
	defer from.Close()
	err = replace(a.rows, 0o666, func(w io.Writer) error {
		_, err := io.CopyN(w, from, best.Size)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("sweep: shard %d: %d rows of another attempt could not be copied: %w", a.i, best.Rows, err)
	}
	return best.Rows, nil
}

// publish gives the attempt's file of rows its final name.
func (a *attempt) publish() error {
	part, err := a.Outline.check(a.rows, a.shard(a.i))
	if errors.Is(err, fs.ErrNotExist) {
		// Another attempt may have finished the shard and removed the files of this attempt.
		if done, e := a.finished(a.i); done && e == nil {
			return nil
		}
	}
	if err != nil {
		return err
	}
	if !part.Complete {
		return fmt.Errorf("sweep: %s: %w: only %d of %d written rows are in the file; check the disk: %w",
			a.rows, ErrRows, part.Rows, a.Outline.rows(a.shard(a.i)), errors.Join(part.Fault))
	}
	final := a.Final(a.i)
	err = os.Link(a.rows, final)
	switch {
	case errors.Is(err, fs.ErrExist):
		if err := a.agree(final); err != nil {
			return err
		}
	case err != nil: // fall back to renaming, because the file system has no hard links
		if err := os.Rename(a.rows, final); err != nil {
			return fmt.Errorf("sweep: shard %d: %w", a.i, err)
		}
	}
	syncDir(filepath.Dir(final))
	a.clean(a.i)
	return nil
}

// agree compares the rows of this attempt with those of an attempt that finished earlier.
func (a *attempt) agree(final string) error {
	same, err := sameContent(a.rows, final)
	if err != nil || same {
		return err
	}
	if done, err := a.finished(a.i); err != nil {
		return err
	} else if !done { // the final file was damaged, so the file of this attempt replaces it
		return os.Rename(a.rows, final)
	}
	aside := a.name + disagreeEnd
	if err := os.Rename(a.rows, aside); err != nil {
		return fmt.Errorf("sweep: shard %d: %w", a.i, err)
	}
	return fmt.Errorf("sweep: shard %d: %w: %s and %s; perhaps a policy uses another source of random numbers, or "+
		"the processors compute different results; check which file is right, and remove the other "+
		"file", a.i, ErrDisagree, final, aside)
}

func sameContent(a, b string) (bool, error) {
	x, err := os.ReadFile(a)
	if err != nil {
		return false, fmt.Errorf("sweep: %w", err)
	}
	y, err := os.ReadFile(b)
	if err != nil {
		return false, fmt.Errorf("sweep: %w", err)
	}
	return bytes.Equal(x, y), nil
}

// clean removes the files of attempts at a finished shard, except files that a person should
// inspect. If another attempt is still running, it continues with an unlinked file until it notices
// that the shard is finished.
func (s *Sweep) clean(i int) {
	entries, _ := os.ReadDir(s.attemptsAt(i)) // the folder does not exist before the first attempt
	for _, e := range entries {
		if end := filepath.Ext(e.Name()); end != damagedEnd && end != disagreeEnd {
			os.Remove(filepath.Join(s.attemptsAt(i), e.Name()))
		}
	}
}

// requeue requeues the shard if another attempt can make progress.
func (a *attempt) requeue(before int, again func() error) error {
	part, err := a.Outline.check(a.rows, a.shard(a.i))
	if err != nil {
		return err
	}
	switch {
	case part.Rows <= before:
		return fmt.Errorf("sweep: shard %d: %w, and no further run was finished; give shards more time in %s, and "+
			"retry", a.i, ErrTimeLimit, a.path(profileName))
	case again == nil:
		return fmt.Errorf("sweep: shard %d: %w; %d rows are saved, and 'sweep retry' continues from them", a.i,
			ErrTimeLimit, part.Rows)
	}
	if err := again(); err != nil {
		return fmt.Errorf("sweep: shard %d: %w, and Slurm did not requeue the shard (%w); %d rows are saved, and "+
			"'sweep retry' continues from them", a.i, ErrTimeLimit, err, part.Rows)
	}
	return fmt.Errorf("sweep: shard %d: %w; the shard is in the queue again, and %d rows "+
		"are saved", a.i, ErrTimeLimit, part.Rows)
}

// end removes the heartbeat file of the attempt; after a failure, it records the reason.
func (a *attempt) end(err error) {
	if err != nil {
		text, _ := json.Marshal(failure{a.who, err.Error()})
		_ = writeFile(a.name+reasonEnd, text) // errors are ignored, because the disk may be full
	}
	a.sign.Close()
	os.Remove(a.name + signEnd)
}

// failure is the record of a failed attempt.
type failure struct {
	who
	Reason string `json:"reason"`
}

// slurmElement returns the element of the array job in which this process runs, such as "12_3", or
// "" outside Slurm.
func slurmElement() string {
	job, task := os.Getenv("SLURM_ARRAY_JOB_ID"), os.Getenv("SLURM_ARRAY_TASK_ID")
	if job == "" || task == "" {
		return ""
	}
	return job + "_" + task
}

// Requeue returns a function for Settings.Requeue that requeues the element of Slurm's array job in
// which this process runs. Outside Slurm, Requeue returns nil.
func (s *Sweep) Requeue(ctx context.Context) func() error {
	element := slurmElement()
	if element == "" {
		return nil
	}
	return func() error { return s.Slurm.requeue(context.WithoutCancel(ctx), element) }
}
