package mc

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math/rand/v2"
	"strings"
	"sync"

	sources "github.com/purexp/purexp/pkg"
	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/internal/digest"
)

// Fingerprint identifies all that decides about the rows of g, the numbers of replicates and the
// sources that were compiled included: grids with the same fingerprint have the same rows, on one
// machine. It is for programs that look at the same grid again and again, takes a tenth of the time
// of Describe, and checks nothing. As there, what functions of measures compute is not seen. It is
// empty if g lacks something that Describe would name.
func (g *Grid) Fingerprint() string {
	code, err := bytesOf()
	if err != nil {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %q %d %d %v %d %d", code, g.Study, g.Seed, g.Reps, g.Shard, g.MaxPulls,
		g.MaxRounds)
	known := make(map[*bandit.Instance]bool)
	add := func(c *Cell) bool {
		if in := c.Instance; in == nil || in.Problem == nil || in.Law == nil ||
			c.Method.New == nil {
			return false
		}
		if !known[c.Instance] {
			known[c.Instance] = true
			hashInstance(h, c.Instance)
		}
		policy := c.Method.New()
		if policy == nil {
			return false
		}
		m := &c.Method
		fmt.Fprintf(h, "%+v %d %d %d %d %q", c.Key(), c.Draw, m.Reps, m.MaxPulls, m.MaxRounds,
			explore.Name(policy))
		digest.Exact(h, policy)
		for _, measure := range c.Measures {
			fmt.Fprintf(h, "%q", measure.Names)
		}
		return true
	}
	for _, inst := range g.Instances {
		for _, m := range g.Methods {
			if !add(&Cell{Instance: inst, Method: m}) {
				return ""
			}
		}
	}
	for i := range g.Cells {
		if !add(&g.Cells[i]) {
			return ""
		}
	}
	return digest.Sum(h)
}

// bytesOf identifies the sources that were compiled in, with comments and all, and gonum: it is
// several times faster than Code.
var bytesOf = sync.OnceValues(func() (string, error) {
	h := sha256.New()
	err := hashBytes(h, sources.Sources)
	io.WriteString(h, numerics())
	return hex.EncodeToString(h.Sum(nil)), err
})

// hashBytes adds all files as they are, those of tests aside.
func hashBytes(h hash.Hash, all fs.FS) error {
	buf := make([]byte, 1<<15)
	return fs.WalkDir(all, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		f, err := all.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "\n%s %d\n", name, info.Size())
		_, err = io.CopyBuffer(h, f, buf)
		return err
	})
}

// hashInstance adds what decides about the rows of an instance.
func hashInstance(h hash.Hash, inst *bandit.Instance) {
	pr := inst.Problem
	fmt.Fprintf(h, "%q %q", inst.Name, questionName(pr.Question))
	digest.Exact(h, pr)
	digest.Exact(h, inst.Theta)
	digest.Exact(h, inst.Truth())
	if pr.Changing {
		return
	}
	// Laws with the same means differ in a reward of some arm, see lawDigest.
	k, d := inst.Law.Dims()
	rnd, rewards := rand.New(rand.NewPCG(0, 0)), make([]float64, k*d)
	for i := range k {
		inst.Law.Sum(rewards[i*d:(i+1)*d], i, 1, rnd)
	}
	digest.Exact(h, rewards)
}
