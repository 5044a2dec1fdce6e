package policy

import (
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/betting"
)

// bets are the rounds of a betting method.
type bets struct{ engine betting.Engine }

// Ask implements explore.Policy.
func (b *bets) Ask(dst []explore.Pull) ([]explore.Pull, error) { return b.engine.Ask(dst) }

// Tell implements explore.Policy.
func (b *bets) Tell(obs []explore.Batch) error { return b.engine.Tell(obs) }

// Ahead implements explore.Overlapping.
func (b *bets) Ahead(dst []explore.Pull, out []explore.Phase, besides []explore.Batch) ([]explore.Pull, error) {
	return b.engine.Ahead(dst, out, besides)
}

// Enough implements explore.Overlapping.
func (b *bets) Enough(out []explore.Phase) int { return b.engine.Enough(out) }

// Over implements explore.Overlapping.
func (b *bets) Over() bool { return b.engine.Over }
