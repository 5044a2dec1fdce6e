package sweep

import (
	"io"

	"github.com/purexp/purexp/pkg/mc"
)

// The tests use these internals.

const Silence = silence

func OutlineOf(g *mc.Grid) (*Outline, error) { return outlineOf(g) }

func (o *Outline) Check(path string, s mc.Shard) (part, error) { return o.check(path, s) }

func (o *Outline) Merge(dst io.Writer, paths ...string) error { return o.merge(dst, paths...) }

func (o *Outline) Rows(s mc.Shard) int { return o.rows(s) }

func (s *Sweep) Script(p *Profile) string { return s.script(p) }
