//go:build !js

// Command purexp-wasm provides package live as WebAssembly for the pages of the book, built by
// docker/book.py with GOOS=js GOARCH=wasm. As a native program, purexp-wasm answers one request, so
// that tests can compare its answer with the answer in a browser:
//
//	go run ./cmd/purexp-wasm run < request.json
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/purexp/purexp/pkg/live"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintf(os.Stderr, "usage: purexp-wasm CALL < request.json\nThe calls are %s.\n",
			strings.Join(live.Names(), ", "))
		os.Exit(2)
	}
	request, err := io.ReadAll(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, "purexp-wasm:", err)
		os.Exit(1)
	}
	fmt.Printf("%s\n", live.Do(os.Args[1], request, nil))
}
