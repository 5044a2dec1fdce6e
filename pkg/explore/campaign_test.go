package explore_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
)

// open opens the campaign at path with the script policy.
func open(t *testing.T, path string) (*explore.Campaign, *script, error) {
	t.Helper()
	p := newScript()
	c, err := explore.OpenCampaign(path, p, problem(), nil)
	if err == nil {
		t.Cleanup(func() { c.Close() })
	}
	return c, p, err
}

func TestCampaignResumes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trial.jsonl")
	c, _, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	round, pulls, err := c.Ask()
	if err != nil || round != 1 || len(pulls) != 2 {
		t.Fatal(round, pulls, err)
	}
	// In another order than asked for.
	if err := c.Tell(1, []explore.Batch{batch(2, 1, .1, 1e-300), batch(0, 2, 1, 2)}); err != nil {
		t.Fatal(err)
	}
	c.Close()

	c, p, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(p.told) != "[[{{0 2} [1 2] []} {{2 1} [0.1 1e-300] []}]]" {
		t.Errorf("replayed %v", p.told)
	}
	round, pulls, err = c.Ask()
	if err != nil || round != 2 || fmt.Sprint(pulls) != "[{1 5}]" {
		t.Fatal(round, pulls, err)
	}
	// Told twice, across a restart.
	err = c.Tell(1, []explore.Batch{batch(0, 2, 1, 2), batch(2, 1, .1, 1e-300)})
	if err != nil || len(p.told) != 1 || c.Result().Pulls != 3 {
		t.Errorf("the same batch told twice: %v, and the policy was told %v", err, p.told)
	}
	err = c.Tell(1, []explore.Batch{batch(0, 2, 1, 2), batch(2, 1, 9, 9)})
	if !errors.Is(err, explore.ErrTold) ||
		!strings.Contains(err.Error(), "with other measurements") {
		t.Errorf("another batch for the same round: %v", err)
	}
	if err := c.Tell(3, nil); !errors.Is(err, explore.ErrMismatch) {
		t.Errorf("a round of the future: %v", err)
	}
	if err := c.Tell(2, []explore.Batch{batch(8, 5, 5, 6)}); !errors.Is(err, explore.ErrMismatch) ||
		!strings.Contains(err.Error(), "unknown arm 8") {
		t.Errorf("an unknown arm: %v", err)
	}
	if err := c.Tell(2, []explore.Batch{batch(1, 5, 5, 6)}); err != nil {
		t.Fatal(err)
	}
	if _, pulls, _ := c.Ask(); len(pulls) > 0 || c.Result().Status != explore.Stopped {
		t.Error("the campaign has not ended")
	}
}

// started returns the path of a campaign with both rounds told, and its bytes.
func started(t *testing.T) (string, []byte) {
	path := filepath.Join(t.TempDir(), "trial.jsonl")
	c, _, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	for round, obs := range [][]explore.Batch{{batch(0, 2, 1, 2), batch(2, 1, 3, 4)},
		{batch(1, 5, 5, 6)}} {
		if _, _, err := c.Ask(); err != nil {
			t.Fatal(err)
		}
		if err := c.Tell(round+1, obs); err != nil {
			t.Fatal(err)
		}
	}
	c.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, whole
}

// A log cut at any byte resumes with what is complete.
func TestCampaignCut(t *testing.T) {
	path, whole := started(t)
	for cut := range len(whole) {
		os.WriteFile(path, whole[:cut], 0o666)
		c, p, err := open(t, path)
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		want := max(strings.Count(string(whole[:cut+1]), "\n")-1, 0)
		if len(p.told) != want {
			t.Fatalf("cut at %d: %d rounds; want %d", cut, len(p.told), want)
		}
		c.Close()
	}
}

func TestCampaignLogErrors(t *testing.T) {
	path, whole := started(t)
	lines := strings.SplitAfter(string(whole), "\n")
	for _, c := range []struct{ name, content, says string }{
		{"edited", strings.Replace(string(whole), `"sum":[1,2]`, `"sum":[1,3]`, 1),
			"trial.jsonl:2: this line was changed"},
		{"line missing", lines[0] + lines[2], "round 2, want round 1"},
		{"line repeated", lines[0] + lines[1] + lines[1], "round 1, want round 2"},
		{"header missing", lines[1] + lines[2], "trial.jsonl:1:"},
		{"another file", "arm,efficacy\nplacebo,1\n", "trial.jsonl:1:"},
	} {
		os.WriteFile(path, []byte(c.content), 0o666)
		_, _, err := open(t, path)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v; want %q", c.name, err, c.says)
		}
		if now, _ := os.ReadFile(path); string(now) != c.content {
			t.Errorf("%s: the file was changed", c.name)
		}
	}
}

// A campaign is not resumed with another problem or policy.
func TestCampaignMismatch(t *testing.T) {
	path, _ := started(t)
	other := problem()
	other.Sigma = 2
	if _, err := explore.OpenCampaign(path, newScript(), other, nil); !errors.Is(err,
		explore.ErrLog) || !strings.Contains(err.Error(), "sigma 1, not 2") {
		t.Errorf("other noise: %v", err)
	}
	other = problem()
	other.ArmNames = []string{"placebo", "25 mg", "150 mg"}
	if _, err := explore.OpenCampaign(path, newScript(), other, nil); !errors.Is(err,
		explore.ErrLog) || !strings.Contains(err.Error(), "75 mg") {
		t.Errorf("other arms: %v", err)
	}
	p := newScript()
	p.rounds[0][1].Arm = 1
	if _, err := explore.OpenCampaign(path, p, problem(), nil); !errors.Is(err, explore.ErrLog) ||
		!strings.Contains(err.Error(), "other settings") {
		t.Errorf("other policy: %v", err)
	}
	if _, err := explore.OpenCampaign(path, endless{}, problem(), nil); !errors.Is(err,
		explore.ErrLog) || !strings.Contains(err.Error(), "policy") {
		t.Errorf("other policy type: %v", err)
	}
}

func TestReadMeasurements(t *testing.T) {
	const good = "\ufeffpatient, arm, safety, efficacy\n1, placebo, 1, 0.5\n2, 75 mg, 0, 1\n3, " +
		"placebo, 1, 0.25\n"
	obs, err := explore.ReadMeasurements(strings.NewReader(good), problem())
	if err != nil || fmt.Sprint(obs) != "[{{0 2} [0.75 2] []} {{2 1} [1 0] []}]" {
		t.Errorf("got %v, %v", obs, err)
	}
	for _, c := range []struct{ in, says string }{
		{"", "no header"},
		{"dose,efficacy,safety\n", `no column "arm"`},
		{"arm,efficacy\n", `no column "safety"`},
		{"arm,efficacy,safety\nplacebo,1,2\n50 mg,1,2\n",
			`row 3, column "arm": explore: unknown arm "50 mg"`},
		{"arm,efficacy,safety\nplacebo,1,high\n", `row 2, column "safety": "high"`},
		{"arm,efficacy,safety\nplacebo,NaN,1\n", `row 2, column "efficacy"`},
		{"arm,efficacy,safety\nplacebo,,1\n", `row 2, column "efficacy": ""`},
		{"arm,efficacy,safety\nplacebo,1\n", "wrong number of fields"},
		{"arm,efficacy,safety,efficacy\nplacebo,1,2,3\n",
			`columns 2 and 4 are both called "efficacy"`},
		{"arm,efficacy,safety, arm\nplacebo,1,2,3\n", `columns 1 and 4 are both called "arm"`},
		{"arm,efficacy,safety\nplacebo,\"0,5\",1\n", `row 2, column "efficacy": "0,5"`},
	} {
		if _, err := explore.ReadMeasurements(strings.NewReader(c.in), problem()); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: error %v; want %q", c.in, err, c.says)
		}
	}
}

// Spreadsheets mark UTF-8, and quote the first name or not.
func TestReadMeasurementsMark(t *testing.T) {
	in := "\ufeff\"arm\",efficacy,safety,,\nplacebo,1,2,,\n"
	obs, err := explore.ReadMeasurements(strings.NewReader(in), problem())
	if err != nil || len(obs) != 1 {
		t.Errorf("got %v, %v", obs, err)
	}
}

// A row of each arm, 20 000 of 100 000.
func BenchmarkReadMeasurements(b *testing.B) {
	var table strings.Builder
	table.WriteString("arm,objective 0\n")
	for i := range 20_000 {
		fmt.Fprintf(&table, "arm %d,%d\n", 5*i, i)
	}
	p := &explore.Problem{Arms: 100_000, Sigma: 1, Question: anything{}}
	b.ReportAllocs()
	for b.Loop() {
		obs, err := explore.ReadMeasurements(strings.NewReader(table.String()), p)
		if err != nil || len(obs) != 20_000 {
			b.Fatal(len(obs), err)
		}
	}
}

func FuzzReadMeasurements(f *testing.F) {
	f.Add("arm,efficacy,safety\nplacebo,1,2\n")
	f.Fuzz(func(t *testing.T, in string) {
		obs, err := explore.ReadMeasurements(strings.NewReader(in), problem())
		if err != nil {
			return
		}
		for _, b := range obs {
			if b.N < 1 || b.Arm < 0 || b.Arm > 2 || len(b.Sum) != 2 {
				t.Fatalf("accepted %+v", b)
			}
		}
	})
}

func FuzzOpenCampaign(f *testing.F) {
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "trial.jsonl")
		os.WriteFile(path, content, 0o666)
		if c, err := explore.OpenCampaign(path, newScript(), problem(), nil); err == nil {
			c.Close()
		}
	})
}
