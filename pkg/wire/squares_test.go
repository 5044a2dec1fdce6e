package wire_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/wire"
)

// asking asks for two rewards of each of two arms once, and keeps what it is told.
type asking struct{ told []explore.Batch }

func (*asking) Init(*explore.Problem, rand.Source) error { return nil }

func (p *asking) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if p.told != nil {
		return dst, nil
	}
	return append(dst, explore.Pull{Arm: 0, N: 2}, explore.Pull{Arm: 1, N: 2}), nil
}

func (p *asking) Tell(obs []explore.Batch) error {
	for _, b := range obs {
		b.Sum, b.Squares = append([]float64(nil), b.Sum...), append([]float64(nil), b.Squares...)
		p.told = append(p.told, b)
	}
	return nil
}

func (*asking) Answer() explore.Answer { return explore.Answer{Items: []int{0}} }

// What a host says of squares comes to the policy, and so does that it says nothing of them.
func TestSquaresOfHosts(t *testing.T) {
	p := &asking{}
	lines := `{"type":"init","protocol":1,"delta":0.1,"problem":{"arms":2,"objectives":1,"sigma":1,"question":{"find":"best"}}}
{"type":"tell","results":[{"arm":0,"n":2,"sum":[3],"squares":[5]},{"arm":1,"n":2,"sum":[4]}]}
{"type":"answer"}
`
	var out strings.Builder
	if err := wire.Serve(strings.NewReader(lines), &out, func(*wire.Message) (explore.Policy, error) { return p, nil }); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	if len(p.told) != 2 || p.told[0].Sum[0] != 3 || len(p.told[0].Squares) != 1 || p.told[0].Squares[0] != 5 || p.told[1].Sum[0] != 4 || len(p.told[1].Squares) != 0 {
		t.Errorf("told %+v\n%s", p.told, &out)
	}
}
