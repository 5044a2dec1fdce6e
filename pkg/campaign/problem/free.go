package problem

import (
	"errors"
	"fmt"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
)

// ErrFill says that plates are to be filled for a method whose guarantee is about the measurements
// that it asks for and no others.
var ErrFill = errors.New("plates cannot be filled")

// fillable returns an error that wraps ErrFill if plates are to be filled and c's policy has no use
// for more than it asks for.
func (c *Compiled) fillable() error {
	p := c.Source
	if !p.Laboratory.Fill || c.UsesAll() {
		return nil
	}
	instead := ""
	if usual := p.usual(); usual != "" {
		instead = fmt.Sprintf(", or take a method that learns from any measurement, such as %s", usual)
	}
	return fmt.Errorf("%w: %w", Errors{p.wrong("laboratory.fill", "the guarantee of %s is about the "+
		"measurements that it asks for and no others, so that it has no use for more; leave fill out%s",
		c.Card.Name, instead)}, ErrFill)
}

// Fill appends n pulls to plate, which is what the policy asks for next and not empty: replicates of
// the candidates that are open, as even in the plate as they can be. Open are those of plate, and
// those that a, the policy's answer so far, has not decided. It is what [Laboratory.Fill] asks for.
func (c *Compiled) Fill(plate []explore.Pull, n int, a explore.Answer) []explore.Pull {
	count := make([]int, c.Source.K()) // in the plate
	var open []int
	for i, r := range a.Reasons {
		if r.Class == explore.Undecided {
			open = append(open, i)
		}
	}
	for _, p := range plate {
		count[p.Arm] += p.N
		open = append(open, p.Arm)
	}
	slices.Sort(open)
	open = slices.Compact(open)
	for range n {
		next := slices.MinFunc(open, func(i, j int) int { return count[i] - count[j] })
		count[next]++
		plate = append(plate, explore.Pull{Arm: next, N: 1})
	}
	return plate
}
