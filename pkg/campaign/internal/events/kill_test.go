package events

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMain brings a file up to date, if the environment names one, and says when it begins and when
// it is done.
func TestMain(m *testing.M) {
	path := os.Getenv("PUREXP_MIGRATE")
	if path == "" {
		os.Exit(m.Run())
	}
	fmt.Println("ready")
	if err := upToDate(path); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("done")
	os.Exit(0)
}

// upToDate brings the file at path to a version that has a row in the table extra for each event.
func upToDate(path string) error {
	s, err := open(path, "")
	if err != nil {
		return err
	}
	err = s.migrateTo(version+1, []step{func(tx *Tx) error {
		if err := tx.exec("CREATE TABLE extra (seq)"); err != nil {
			return err
		}
		for n := range 400 { // one by one, so that there is time for a kill
			if err := tx.exec("INSERT INTO extra SELECT seq FROM event WHERE seq % 400 = ?",
				n); err != nil {
				return err
			}
		}
		return nil
	}})
	return errors.Join(err, s.Close())
}

// A process that is killed at any moment while it brings a file up to date leaves one that can be
// brought up to date again, with all events, and a copy of what it was.
func TestKillMigration(t *testing.T) {
	kills := 20
	if testing.Short() {
		kills = 4
	}
	const n = 2000
	s, err := Create(filepath.Join(t.TempDir(), "x"), nil, func(tx *Tx) error {
		for i := range n {
			if _, err := tx.Append("Ada", "tell", map[string]int{"n": i}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// The last event is in the WAL, and stays there.
	add(t, s, n)
	defer s.Close()
	old := map[string][]byte{}
	for _, suffix := range []string{"", "-wal"} {
		if old[suffix], err = os.ReadFile(s.Path() + suffix); err != nil {
			t.Fatal(err)
		}
	}
	copied := func(i int) string {
		path := filepath.Join(t.TempDir(), fmt.Sprint("x", i))
		for suffix, text := range old {
			write(t, path+suffix, string(text))
		}
		return path
	}
	begun := time.Now()
	if err := upToDate(copied(kills)); err != nil {
		t.Fatal(err)
	}
	takes := time.Since(begun)

	rnd := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	copies, done := 0, 0
	for i := range kills {
		path := copied(i)
		pause := time.Duration(.6 * rnd.Float64() * float64(takes)) // this was the first time
		if finished := killed(t, path, pause); finished {
			done++
		}
		if _, err := os.Lstat(path + ".v1"); err == nil {
			copies++
		}
		if err := upToDate(path); err != nil {
			t.Fatalf("after kill %d: %v", i+1, err)
		}
		for suffix, want := range map[string]int{"": version + 1, ".v1": version} {
			s, err := open(path+suffix, "")
			if err != nil {
				t.Fatal(err)
			}
			var is, extra int
			s.row("PRAGMA user_version", &is)
			if suffix == "" {
				s.row("SELECT count(DISTINCT seq) FROM extra", &extra)
			}
			if got := len(all(t, s)); is != want || got != n+1 || suffix == "" && extra != n+1 {
				t.Errorf("after kill %d: x%s is of version %d with %d events and %d rows", i+1,
					suffix, is, got, extra)
			}
			s.Close()
		}
	}
	t.Logf("%d kills within %v; %d left a copy, %d were too late", kills, takes, copies, done)
}

// killed begins to bring the file at path up to date, kills the process after a pause, and reports
// whether it was done before.
func killed(t *testing.T, path string, pause time.Duration) (finished bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PUREXP_MIGRATE="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(out)
	if line, err := in.ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("%q, %v", line, err)
	}
	time.Sleep(pause)
	_ = cmd.Process.Kill() // it may have ended
	rest, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil && !strings.Contains(err.Error(), "killed") {
		t.Fatal(err)
	}
	return string(rest) == "done\n"
}
