package wire_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/wire"
)

// A method in Python takes part wherever a policy does.
func ExamplePool() {
	pool := wire.NewPool(wire.Options{Command: []string{"python3", "mine.py"}, Log: os.Stderr})
	defer pool.Close()
	var mine explore.Policy = pool.Guest(0.05)
	_ = mine // explore.Run(mine, problem, sampler, nil)
}

// A host in any language drives one of the policies here.
func ExampleServe() {
	host := `{"type":"init","protocol":1,"problem":{"arms":2,"objectives":1,"sigma":1,"question":{"find":"best"}},"delta":0.1}`
	policy, err := wire.Named("LinGapE", nil)
	if err != nil {
		log.Fatal(err)
	}
	var said strings.Builder
	if err := wire.Serve(strings.NewReader(host), &said, policy); err != nil {
		log.Fatal(err)
	}
	fmt.Print(said.String())
	// Output:
	// {"type":"ready","protocol":1,"name":"LinGapE (delta 0.1)","evidence":"any sampling"}
	// {"type":"ask","pulls":[[0,1],[1,1]]}
}
