package sweep_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/sweep"
)

func TestProfile(t *testing.T) {
	p, err := sweep.ParseProfile([]byte(sweep.ProfileText))
	if err != nil || !reflect.DeepEqual(p, sweep.Profile{CPUs: 1}) {
		t.Errorf("the text to start from: %+v, %v", p, err)
	}
	for _, c := range []struct{ text, says string }{
		{"partitions = \"main\"", `line 1: unknown setting "partitions"`},
		{"cpus = \"two\"", "line 1, column 8: cpus is a TOML string; expected a whole number"},
		{"cpus = 1.5", "cpus"},
		{`options = "--account=chem"`, "expected a list such as"},
		{"cpus = ", "line 1"},
		{"cpus = -1", "cpus is -1"},
		{"at_once = -1", "at_once is -1"},
		{"notice = 65536", "notice is 65536; expected 1 to 65535 seconds"},
		{"notice = -1", "notice is -1"},
		{`partition = "main\n#SBATCH --mem=1"`, "partition is"},
		{`time = "two hours"`, "time is \"two hours\"; expected minutes, HH:MM:SS"},
		{`memory = "2 GB"`, "memory is \"2 GB\""},
		{`options = ["account=chem"]`, "expected options of sbatch"},
		{`options = ["--array=1-2"]`, "which the sweep sets"},
		{`options = ["-o"]`, "which the sweep sets"},
		{`options = ["-a1-5"]`, "which the sweep sets"},
		{`options = ["--arr=1-2"]`, "which the sweep sets"},
		{`options = ["--job-name mine"]`, "which the sweep sets"},
		{`options = ["--account=a\nrm"]`, "expected options of sbatch"},
		{`options = ["--account=a\rrm"]`, "expected options of sbatch"},
		{`options = [""]`, "expected options of sbatch"},
		{`setup = ["a\nb"]`, "expected one shell line per entry"},
		{`setup = ["a", "b\rc"]`, "expected one shell line per entry"},
		{`setup = ["a\u0000"]`, "expected one shell line per entry"},
	} {
		_, err := sweep.ParseProfile([]byte(c.text))
		if err == nil || !contains(err.Error(), c.says) {
			t.Errorf("%q: error %v; want it to say %q", c.text, err, c.says)
		}
	}
	// Options that the sweep sets itself are rejected, in each form that sbatch accepts.
	for _, own := range [][2]string{{"-a", "--array"}, {"-o", "--output"}, {"-J", "--job-name"}, {"-D", "--chdir"},
		{"-a", "--no-requeue"}, {"-a", "--signal"}} {
		for _, option := range []string{own[0], own[0] + "x", own[0] + " x", own[1], own[1] + "=x", own[1] + " x", own[1] + "\tx", own[1][:4], own[1][:5]} {
			_, err := sweep.ParseProfile([]byte(fmt.Sprintf("options = [%q]", option)))
			if err == nil || !contains(err.Error(), "which the sweep sets") {
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
	// Times and amounts are accepted in Slurm's format, and rejected in other formats.
	for setting, values := range map[string][2]string{
		"time":   {",1,90,1:30,01:00:00,1-0,1-00:00,1-00:00:00,UNLIMITED", "1-,-1,1:2:3:4,1:234,1h,:30,1:,unlimited,1-1-1,1.5, 90"},
		"memory": {",1,500M,2G,3K,1T", "M,2g,2GB,2Gi,1.5G,-1,2 G,1P"},
	} {
		for i, list := range values {
			for _, v := range strings.Split(list, ",") {
				text := fmt.Sprintf("%s = %q", setting, v)
				if _, err := sweep.ParseProfile([]byte(text)); (err == nil) != (i == 0) || err != nil && !contains(err.Error(), fmt.Sprintf(" is %q; expected ", v)) {
					t.Errorf("%s: %v", text, err)
				}
			}
		}
	}
}
