package sweep_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/sweep"
)

func TestProfile(t *testing.T) {
	p, err := sweep.ParseProfile([]byte(sweep.ProfileText))
	if err != nil || !reflect.DeepEqual(p, sweep.Profile{CPUs: 1}) {
		t.Errorf("the text to start from: %+v, %v", p, err)
	}
	for _, c := range []struct{ text, says string }{
		{"partitions = \"main\"", `line 1: there is no setting "partitions"`},
		{"cpus = \"two\"", "line 1, column 8: cpus is a TOML string; want a whole number"},
		{"cpus = 1.5", "cpus"},
		{`options = "--account=chem"`, "want a list such as"},
		{"cpus = ", "line 1"},
		{"cpus = -1", "cpus is -1"},
		{"at_once = -1", "at_once is -1"},
		{"notice = 65536", "notice is 65536; want seconds from 1 to 65535"},
		{"notice = -1", "notice is -1"},
		{`partition = "main\n#SBATCH --mem=1"`, "partition is"},
		{`time = "two hours"`, "time is \"two hours\"; want minutes, HH:MM:SS"},
		{`memory = "2 GB"`, "memory is \"2 GB\""},
		{`options = ["account=chem"]`, "want options of sbatch"},
		{`options = ["--array=1-2"]`, "for the sweep to set"},
		{`options = ["-o"]`, "for the sweep to set"},
		{`options = ["-a1-5"]`, "for the sweep to set"},
		{`options = ["--arr=1-2"]`, "for the sweep to set"},
		{`options = ["--job-name mine"]`, "for the sweep to set"},
		{`options = ["--account=a\nrm"]`, "want options of sbatch"},
		{`options = ["--account=a\rrm"]`, "want options of sbatch"},
		{`options = [""]`, "want options of sbatch"},
		{`setup = ["a\nb"]`, "want one line of shell each"},
		{`setup = ["a", "b\rc"]`, "want one line of shell each"},
		{`setup = ["a\u0000"]`, "want one line of shell each"},
	} {
		_, err := sweep.ParseProfile([]byte(c.text))
		if err == nil || !contains(err.Error(), c.says) {
			t.Errorf("%q: error %v; want it to say %q", c.text, err, c.says)
		}
	}
	// Options that the script gives to sbatch itself, in each way in which sbatch reads them.
	for _, own := range [][2]string{{"-a", "--array"}, {"-o", "--output"}, {"-J", "--job-name"}, {"-D", "--chdir"},
		{"-a", "--no-requeue"}, {"-a", "--signal"}} {
		for _, option := range []string{own[0], own[0] + "x", own[0] + " x", own[1], own[1] + "=x", own[1] + " x", own[1] + "\tx", own[1][:4], own[1][:5]} {
			_, err := sweep.ParseProfile([]byte(fmt.Sprintf("options = [%q]", option)))
			if err == nil || !contains(err.Error(), "for the sweep to set") {
				t.Errorf("the option %q: error %v", option, err)
			}
		}
	}
	for _, text := range []string{"options = [\"-p\", \"--exclusive\", \"-\", \"--\", \"--nice\", \"--open-mode=append\"]",
		"options = [\"--nodes=1\", \"--account=a\"]", "partition = \"a,b\"", "setup = [\"\", \"a\\tb\"]", "notice = 65535", "notice = 0",
		"at_once = 0", "cpus = 0"} {
		if _, err := sweep.ParseProfile([]byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	// Times and amounts as Slurm writes them, and as they do not.
	for setting, values := range map[string][2]string{
		"time":   {",1,90,1:30,01:00:00,1-0,1-00:00,1-00:00:00,UNLIMITED", "1-,-1,1:2:3:4,1:234,1h,:30,1:,unlimited,1-1-1,1.5, 90"},
		"memory": {",1,500M,2G,3K,1T", "M,2g,2GB,2Gi,1.5G,-1,2 G,1P"},
	} {
		for i, list := range values {
			for _, v := range strings.Split(list, ",") {
				text := fmt.Sprintf("%s = %q", setting, v)
				if _, err := sweep.ParseProfile([]byte(text)); (err == nil) != (i == 0) || err != nil && !contains(err.Error(), fmt.Sprintf(" is %q; want ", v)) {
					t.Errorf("%s: %v", text, err)
				}
			}
		}
	}
}

// The script of a job says what the profile says, in the order in which it counts: options, lines of shell, the program.
func TestJobScript(t *testing.T) {
	s := &sweep.Sweep{Dir: "/x/big sweep"}
	s.Command = []string{"sweep", "run"}
	golden.Check(t, "job.sh", s.Script(&sweep.Profile{})+"\n"+s.Script(&sweep.Profile{Partition: "main,long", Time: "1:30:00", Memory: "2G",
		CPUs: 4, AtOnce: 3, Notice: 60, Options: []string{"--account=chem", "-p x"}, Setup: []string{"module load gcc", "export A='b'"}}))
}

// A profile that is not there is asked for by its path.
func TestProfileIsMissing(t *testing.T) {
	s := create(t, 4, 2)
	if text := content(t, filepath.Join(s.Dir, "profile.toml")); text != sweep.ProfileText {
		t.Errorf("a sweep without a profile has\n%s", text)
	}
	write(t, filepath.Join(s.Dir, "profile.toml"), "cpus = -1\n")
	if _, err := s.Profile(); err == nil || err.Error() != "sweep: "+s.Dir+"/profile.toml: cpus is -1; want at least 1" {
		t.Errorf("-1 processors: %v", err)
	}
	if err := os.Remove(filepath.Join(s.Dir, "profile.toml")); err != nil {
		t.Fatal(err)
	}
	_, err := s.Profile()
	wants(t, err, fs.ErrNotExist, s.Dir+"/profile.toml is not there; 'sweep profile' prints one")
	_, err = s.Submit(t.Context())
	wants(t, err, fs.ErrNotExist, "profile.toml is not there")
}

func FuzzProfile(f *testing.F) {
	f.Add([]byte(sweep.ProfileText))
	f.Add([]byte("time = \"1-02:00:00\"\noptions = [\"--account=a\"]\nsetup = [\"x\"]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := sweep.ParseProfile(text)
		if err != nil {
			return
		}
		// What is taken keeps its place: a line of the script each, and options before commands.
		s := &sweep.Sweep{Dir: "/x"}
		script := s.Script(&p)
		lines := 0
		for _, b := range script {
			if b == '\n' {
				lines++
			}
		}
		want := 2 + 5 + len(p.Options) + len(p.Setup) + 1
		for _, v := range []string{p.Partition, p.Time, p.Memory} {
			if v != "" {
				want++
			}
		}
		if lines != want {
			t.Errorf("%d lines; want %d:\n%s", lines, want, script)
		}
	})
}
