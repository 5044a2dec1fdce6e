package sweep_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/sweep"
)

var update = flag.Bool("update", false, "write testdata anew")

func TestProfile(t *testing.T) {
	p, err := sweep.ParseProfile([]byte(sweep.ProfileText))
	if err != nil || !reflect.DeepEqual(p, sweep.Profile{CPUs: 1}) {
		t.Errorf("the text to start from: %+v, %v", p, err)
	}
	for _, c := range []struct{ text, says string }{
		{"partitions = \"main\"", `line 1: there is no setting "partitions"`},
		{"\n[kubernetes]\nimages = \"x\"", `line 3: there is no setting "kubernetes.images"`},
		{"cpus = \"two\"", "line 1, column 8: cpus is a TOML string; want a whole number"},
		{"cpus = 1.5", "cpus"},
		{`options = "--account=chem"`, "want a list such as"},
		{"kubernetes = 1", "kubernetes"},
		{"cpus = ", "line 1"},
		{"cpus = -1", "cpus is -1"},
		{"at_once = -1", "at_once is -1"},
		{"notice = 70000", "notice is 70000"},
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
		{`setup = ["a\nb"]`, "want one line of shell each"},
		{"[kubernetes]\nimage = \"a b\"", "not a plain name"},
		{"[kubernetes]\nmemory = \"1 Gi\"", "kubernetes.memory"},
	} {
		_, err := sweep.ParseProfile([]byte(c.text))
		if err == nil || !contains(err.Error(), c.says) {
			t.Errorf("%q: error %v; want it to say %q", c.text, err, c.says)
		}
	}
	// Options that the script gives to sbatch itself, in each way in which sbatch reads them.
	for _, own := range [][2]string{{"-a", "--array"}, {"-o", "--output"}, {"-J", "--job-name"}, {"-D", "--chdir"}} {
		for _, option := range []string{own[0], own[0] + "x", own[0] + " x", own[1], own[1] + "=x", own[1] + " x"} {
			_, err := sweep.ParseProfile([]byte(fmt.Sprintf("options = [%q]", option)))
			if err == nil || !contains(err.Error(), "for the sweep to set") {
				t.Errorf("the option %q: error %v", option, err)
			}
		}
	}
	for _, text := range []string{"time = \"90\"", "time = \"1-00:00:00\"", "time = \"UNLIMITED\"",
		"memory = \"500M\"", "options = [\"-p\", \"--exclusive\"]",
		"options = [\"--nodes=1\", \"--account=a\"]", "partition = \"a,b\""} {
		if _, err := sweep.ParseProfile([]byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The template is checked against the API of Kubernetes by .github/tools, which reads this file.
func TestKubernetes(t *testing.T) {
	s := create(t, 6, 4)
	s.ID = "abcdefgh"
	p, err := sweep.ParseProfile([]byte("cpus = 2\nat_once = 3\n[kubernetes]\nclaim = \"data\"\n" +
		"folder = \"runs/big\"\nnamespace = \"chem\"\nimage = \"ghcr.io/me/toy:1.2\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Kubernetes(&p)
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "job.yaml")
	if *update {
		write(t, golden, got)
	}
	if want := content(t, golden); got != want {
		t.Errorf("the job is\n%s\nwant\n%s", got, want)
	}
	// Names of Kubernetes are short and plain.
	s.Study.Name = "A_very/long study, with a name of more than sixty-three letters in it"
	text, err := s.Kubernetes(&sweep.Profile{})
	name := "\n  name: purexp-a-very-long-study--with-a-name-of-mo-abcdefgh\n"
	if err != nil || !contains(text, name) ||
		!contains(text, "parallelism: 4\n") || !contains(text, "- /sweeps/big\n") {
		t.Errorf("%v\n%s", err, text)
	}
	// The pods of a job of 52 letters have 63 at most, with their numbers; one letter more is cut.
	for study, want := range map[string]string{strings.Repeat("s", 36): strings.Repeat("s", 36), strings.Repeat("s", 37): strings.Repeat("s", 36)} {
		s.Study.Name = study
		text, err := s.Kubernetes(&sweep.Profile{})
		if err != nil || !contains(text, "\n  name: purexp-"+want+"-abcdefgh\n") {
			t.Errorf("a study with %d letters: %v\n%s", len(study), err, text)
		}
	}
	if _, err := s.Kubernetes(&sweep.Profile{CPUs: -1}); err == nil {
		t.Error("a profile with -1 processors is taken")
	}
	s.Dir += " of mine"
	_, err = s.Kubernetes(&sweep.Profile{})
	if err == nil || !contains(err.Error(), "set folder") {
		t.Errorf("a folder with spaces: %v", err)
	}
}

func FuzzProfile(f *testing.F) {
	f.Add([]byte(sweep.ProfileText))
	f.Add([]byte("time = \"1-02:00:00\"\noptions = [\"--account=a\"]\nsetup = [\"x\"]\n" +
		"[kubernetes]\nclaim = \"c\""))
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
