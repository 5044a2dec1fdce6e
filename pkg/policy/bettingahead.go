package policy

import (
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/betting"
)

// bets implements Ask, Tell and explore.Overlapping for betting methods.
type bets struct{ engine betting.Engine }

// Ask implements explore.Policy.
func (b *bets) Ask(dst []explore.Pull) ([]explore.Pull, error) { return b.engine.Ask(dst) }

// Tell implements explore.Policy.
func (b *bets) Tell(obs []explore.Batch) error { return b.engine.Tell(obs) }

// Imagine implements explore.Overlapping.
func (b *bets) Imagine(out []explore.Phase, unsolicited []explore.Batch, then func(enough int)) error {
	return b.engine.Imagine(out, unsolicited, then)
}

// Over implements explore.Overlapping.
func (b *bets) Over() bool { return b.engine.Over }
