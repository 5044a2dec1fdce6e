package wire_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/wire"
)

// The last line of a conversation need not end, but one that a broken pipe cut is not taken for whole.
func TestTornLine(t *testing.T) {
	const init = `{"type":"init","protocol":1,"delta":0.1,"problem":{"arms":2,"objectives":1,"sigma":1,"question":{"find":"best"}}}`
	broken := errors.New("the pipe is broken")
	for _, c := range []struct {
		in   io.Reader
		want error
	}{{strings.NewReader(init), nil}, {io.MultiReader(strings.NewReader(init), iotest.ErrReader(broken)), broken}} {
		begun := false
		var out strings.Builder
		err := wire.Serve(c.in, &out, func(*wire.Message) (explore.Policy, error) {
			begun = true
			return &policy.LUCB{Delta: .1}, nil
		})
		if !errors.Is(err, c.want) || begun != (c.want == nil) {
			t.Errorf("begun %v, error %v; want %v\n%s", begun, err, c.want, &out)
		}
	}
}
