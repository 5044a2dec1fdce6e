package problem

import _ "embed"

//go:generate go run ./internal/schema

//go:embed problem.schema.json
var schema []byte

// Schema returns the JSON schema of problem files, for editors. It is made from the types of this
// package.
func Schema() []byte { return append([]byte(nil), schema...) }
