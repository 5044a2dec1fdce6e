package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/purexp/purexp/internal/plaintext"
)

// process is a running guest program.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	replies chan reply
	timeout time.Duration
	last    *tail
	once    sync.Once
}

type reply struct {
	m   *Message
	err error
}

func start(o *Options, l *log) (*process, error) {
	if len(o.Command) == 0 {
		return nil, errors.New("wire: the command is empty; name a program")
	}
	x := &process{cmd: exec.Command(o.Command[0], o.Command[1:]...), timeout: o.Timeout,
		replies: make(chan reply, 1),
		last:    &tail{log: l}}
	own(x.cmd)
	x.cmd.Stderr = x.last
	in, err := x.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	x.in = in
	out, err := x.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := x.cmd.Start(); err != nil {
		return nil, fmt.Errorf("wire: %w", err)
	}
	go x.listen(bufio.NewReaderSize(out, 1<<16))
	return x, nil
}

// listen receives messages from the process until its output ends.
func (x *process) listen(r *bufio.Reader) {
	defer close(x.replies)
	for {
		m, err := read(r)
		if err == nil {
			x.replies <- reply{m, nil}
			continue
		}
		if !errors.Is(err, io.EOF) { // the process may still run after an error other than io.EOF
			x.end()
		}
		why := x.cmd.Wait()
		if errors.Is(err, io.EOF) {
			if err = errEnded; why != nil {
				err = fmt.Errorf("%w: %w", errEnded, why)
			}
		}
		if words := x.last.words(); words != "" {
			err = fmt.Errorf("%w: %s", err, words)
		}
		x.replies <- reply{nil, err}
		return
	}
}

var (
	errEnded = errors.New("the program ended")
	errLate  = errors.New("the program did not answer")
)

// pipeRoom is a number of bytes that an empty pipe accepts without blocking, on every system.
const pipeRoom = 4000

// send writes a message to the process; a process that does not read the message in time counts as
// a time-out.
func (x *process) send(m *Message) error {
	text, err := line(m)
	if err != nil {
		return err
	}
	timer := time.NewTimer(x.timeout)
	defer timer.Stop()
	done := make(chan error, 1)
	if len(text) <= pipeRoom { // the process has read all earlier messages
		_, err := x.in.Write(text)
		done <- err
	} else {
		go func() {
			_, err := x.in.Write(text)
			done <- err
		}()
	}
	select {
	case err := <-done:
		if err != nil { // the last output of the process explains the error
			if _, said := x.wait(timer); said != nil {
				return said
			}
		}
		return err
	case <-timer.C:
		return fmt.Errorf("%w in %v, and did not read its input", errLate, x.timeout)
	}
}

// receive waits for a message from the process.
func (x *process) receive() (*Message, error) {
	timer := time.NewTimer(x.timeout)
	defer timer.Stop()
	return x.wait(timer)
}

func (x *process) wait(timer *time.Timer) (*Message, error) {
	select {
	case r, ok := <-x.replies:
		if !ok {
			return nil, errEnded
		}
		return r.m, r.err
	case <-timer.C:
		return nil, fmt.Errorf("%w in %v", errLate, x.timeout)
	}
}

func (x *process) kill() {
	x.end()
	go func() { // receive the remaining messages, so that listen ends
		for range x.replies {
		}
	}()
}

func (x *process) end() {
	x.once.Do(func() {
		_ = x.in.Close()
		end(x.cmd)
	})
}

// tail keeps the end of a process's standard error, and also passes each line on.
type tail struct {
	mu   sync.Mutex
	text []byte
	log  *log
}

// mostWords is the largest length of the text from standard error that an error quotes.
const mostWords = 300

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if n := len(t.text); n > 8*mostWords {
		t.text = append([]byte(nil), t.text[n-4*mostWords:]...)
	}
	t.log.add(p)
	return len(p), nil
}

// words returns the last two meaningful lines of the guest's standard error. words skips lines that
// Node prints after an error message: the stack, the version and marks.
func (t *tail) words() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := strings.Split(strings.TrimSpace(string(t.text)), "\n")
	lines := slices.DeleteFunc(slices.Clone(all), func(line string) bool {
		line = strings.TrimSpace(line)
		return strings.Trim(line, " ^~") == "" || strings.HasPrefix(line, "at ") || strings.HasPrefix(line, "Node.js v")
	})
	if len(lines) == 0 {
		lines = all
	}
	text := plaintext.Shown(strings.TrimSpace(strings.Join(lines[max(0, len(lines)-2):], " / ")))
	if n := len(text); n > mostWords {
		text = "... " + text[n-mostWords:]
	}
	return text
}

// log passes on only the first lines of the guests' standard error, because a guest that crashes
// usually does so in each run.
type log struct {
	mu     sync.Mutex
	to     io.Writer // nil discards the lines
	prefix string
	part   []byte // an incomplete last line
	lines  int
}

// mostLines is the largest number of lines that log passes on.
const mostLines = 40

func (l *log) add(p []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.to == nil || l.lines > mostLines {
		return
	}
	l.part = append(l.part, p...)
	for {
		line, rest, ended := bytes.Cut(l.part, []byte("\n"))
		if !ended {
			return
		}
		l.part = rest
		if l.lines++; l.lines > mostLines {
			fmt.Fprintf(l.to, "%s: further lines are not shown\n", l.prefix)
			return
		}
		fmt.Fprintf(l.to, "%s: %s\n", l.prefix, plaintext.Shown(string(bytes.TrimRight(line, "\r"))))
	}
}
