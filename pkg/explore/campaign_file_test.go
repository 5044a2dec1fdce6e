package explore_test

import (
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// Two writers of one campaign would each overwrite what was acknowledged to the other.
func TestCampaignLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trial.jsonl")
	first, _, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = open(t, path)
	who := fmt.Sprintf("process %d on ", os.Getpid())
	if !errors.Is(err, explore.ErrLocked) || !strings.Contains(err.Error(), who) {
		t.Errorf("a second campaign: error %v; want %q", err, who)
	}
	if _, _, err := first.Ask(); err != nil {
		t.Fatal(err)
	}
	if err := first.Tell(1, []explore.Batch{batch(0, 2, 1, 2), batch(2, 1, 3, 4)}); err != nil {
		t.Fatal(err)
	}
	first.Close()
	second, p, err := open(t, path)
	if err != nil || len(p.told) != 1 {
		t.Fatalf("after the first was closed: %v, told %v", err, p.told)
	}
	first.Close() // again, which must not free the lock of the second
	if _, _, err := open(t, path); !errors.Is(err, explore.ErrLocked) {
		t.Errorf("a third campaign: error %v", err)
	}
	second.Close()
	if _, err := os.Stat(path + ".lock"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock is left behind: %v", err)
	}
}

// An error that opens nothing holds no lock.
func TestCampaignLockIsFreed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trial.jsonl")
	if err := os.WriteFile(path, []byte("precious"), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, _, err := open(t, path); !errors.Is(err, explore.ErrLog) {
			t.Fatalf("error %v", err)
		}
	}
}

// A file that is no campaign is left as it is, one without a line break too.
func TestCampaignForeignFile(t *testing.T) {
	path, whole := started(t)
	for name, content := range map[string]string{
		"one line of JSON":   `{"experiment": "the only copy"}`,
		"a table":            "arm,efficacy\nplacebo,1\n",
		"a long line":        strings.Repeat("precious ", 1<<15),
		"zeros, then data":   strings.Repeat("\x00", 1<<12) + "precious",
		"a note at the end":  string(whole) + "25 mg failed",
		"rows of a study":    `{"format":"purexp rows","version":2`,
		"a header of others": strings.Replace(string(whole[:200]), "placebo", "Placebo", 1),
	} {
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := open(t, path); !errors.Is(err, explore.ErrLog) ||
			!strings.Contains(err.Error(), "trial.jsonl:") {
			t.Errorf("%s: error %v", name, err)
		}
		if now, _ := os.ReadFile(path); string(now) != content {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

// What is told while the log is not there would be lost.
func TestCampaignRemoved(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"removed": os.Remove,
		"replaced by another": func(path string) error {
			return errors.Join(os.Remove(path), os.WriteFile(path, []byte("{}\n"), 0o666))
		},
		"written by another": func(path string) error {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString("{}\n")
			return errors.Join(err, f.Close())
		},
	} {
		path := filepath.Join(t.TempDir(), "trial.jsonl")
		c, p, err := open(t, path)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := c.Ask(); err != nil {
			t.Fatal(err)
		}
		if err := change(path); err != nil {
			t.Fatal(err)
		}
		err = c.Tell(1, []explore.Batch{batch(0, 2, 1, 2), batch(2, 1, 3, 4)})
		if !errors.Is(err, explore.ErrLog) ||
			!strings.Contains(err.Error(), "round 1 was not taken") {
			t.Errorf("%s: error %v", name, err)
		}
		if len(p.told) > 0 || c.Result().Rounds > 0 {
			t.Errorf("%s: the policy learned what is in no log", name)
		}
	}
}

// steered is a policy with settings that its name does not say.
type steered struct {
	endless
	Level float64
	Prior *mat.Dense
}

func (*steered) String() string { return "steered" }

// bounded is a question with settings.
type bounded struct {
	anything
	Bound float64
}

// A campaign is resumed with what the policy was given and nothing else.
func TestCampaignHeader(t *testing.T) {
	policy := func() *steered {
		return &steered{Level: .5, Prior: mat.NewDense(1, 2, []float64{1, 2})}
	}
	given := func() *explore.Problem {
		return &explore.Problem{
			X:         mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1}),
			Z:         mat.NewDense(2, 2, []float64{2, 0, 0, 2}),
			ItemNames: []string{"alpha", "beta"}, ObjectiveNames: []string{"yield"},
			Sigma: 1, Question: bounded{Bound: 1},
		}
	}
	settings := func(seed uint64) *explore.Settings {
		return &explore.Settings{Src: rand.NewPCG(seed, 0)}
	}
	path := filepath.Join(t.TempDir(), "trial.jsonl")
	c, err := explore.OpenCampaign(path, policy(), given(), settings(1))
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	limited := settings(1)
	limited.MaxPulls = 9
	if c, err := explore.OpenCampaign(path, policy(), given(), limited); err != nil {
		t.Errorf("another limit: %v", err)
	} else {
		c.Close()
	}
	for says, change := range map[string]func(pol *steered, p *explore.Problem,
		s *explore.Settings){
		"features of the arms": func(_ *steered, p *explore.Problem, _ *explore.Settings) {
			p.X.Set(2, 1, 1.0001)
		},
		"features of the items": func(_ *steered, p *explore.Problem, _ *explore.Settings) {
			p.Z.Set(0, 0, 2.0001)
		},
		"items": func(_ *steered, p *explore.Problem, _ *explore.Settings) {
			p.ItemNames[1] = "gamma"
		},
		"objectives": func(_ *steered, p *explore.Problem, _ *explore.Settings) {
			p.ObjectiveNames[0] = "loss"
		},
		"arms": func(_ *steered, p *explore.Problem, _ *explore.Settings) {
			p.ArmNames = []string{"a", "b", "c"}
		},
		"norm sigma": func(_ *steered, p *explore.Problem, _ *explore.Settings) {
			p.NormSigma = 2
		},
		"question": func(_ *steered, p *explore.Problem, _ *explore.Settings) {
			p.Question = bounded{Bound: 2}
		},
		"changing features": func(_ *steered, p *explore.Problem, _ *explore.Settings) {
			p.Changing = true
		},
		"settings of the policy": func(s *steered, _ *explore.Problem, _ *explore.Settings) {
			s.Level = .6
		},
		"settings of the policy, ": func(s *steered, _ *explore.Problem, _ *explore.Settings) {
			s.Prior.Set(0, 1, 3)
		},
		"random source": func(_ *steered, _ *explore.Problem, s *explore.Settings) {
			s.Src = rand.NewPCG(2, 0)
		},
	} {
		pol, p, s := policy(), given(), settings(1)
		change(pol, p, s)
		_, err := explore.OpenCampaign(path, pol, p, s)
		if !errors.Is(err, explore.ErrLog) || !strings.Contains(err.Error(), "started with "+says) {
			t.Errorf("error %v; want %q", err, says)
		}
	}
}

// The constraints of a question are part of it.
func TestCampaignRegion(t *testing.T) {
	asked := func(bound float64) *explore.Problem {
		region, err := polyhedron.AtLeast([]float64{bound, 0}, []string{"efficacy", "safety"})
		if err != nil {
			t.Fatal(err)
		}
		p := problem()
		p.Question = question.FeasiblePareto{Region: region}
		return p
	}
	path := filepath.Join(t.TempDir(), "trial.jsonl")
	for range 2 {
		c, err := explore.OpenCampaign(path, newScript(), asked(.4), nil)
		if err != nil {
			t.Fatal(err)
		}
		c.Close()
	}
	if _, err := explore.OpenCampaign(path, newScript(), asked(.5), nil); !errors.Is(err,
		explore.ErrLog) {
		t.Errorf("another bound: error %v", err)
	}
}

// A log of a version that does not know all of this says so.
func TestCampaignVersion(t *testing.T) {
	path, whole := started(t)
	old := strings.Replace(string(whole), `"version":2`, `"version":1`, 1)
	line, _, _ := strings.Cut(old, "\n")
	resealed := reseal(t, line)
	if err := os.WriteFile(path, []byte(resealed), 0o666); err != nil {
		t.Fatal(err)
	}
	_, _, err := open(t, path)
	if !errors.Is(err, explore.ErrLog) || !strings.Contains(err.Error(), "is of version 1") {
		t.Errorf("error %v", err)
	}
}

// reseal returns line with the checksum of what stands in it now.
func reseal(t *testing.T, line string) string {
	t.Helper()
	body := line[:strings.LastIndex(line, `,"crc":`)]
	return fmt.Sprintf("%s,\"crc\":\"%08x\"}\n", body, crc32.ChecksumIEEE([]byte(body)))
}
