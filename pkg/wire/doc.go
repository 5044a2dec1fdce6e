// Package wire lets policies and hosts be written in any language: they talk in lines of JSON over
// standard input and output. docs/protocol.md describes the messages for those who write one.
//
// A [Guest] is a policy that is another program; it can be run wherever a policy can:
//
//	mine := wire.NewPool(wire.Options{Command: []string{"python3", "mine.py"}})
//	defer mine.Close()
//	res, err := explore.Run(mine.Guest(0.05), problem, sampler, nil)
//
// [Serve] is the other side: it lets a host in another language drive a policy of Go.
package wire
