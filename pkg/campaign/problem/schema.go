package problem

import _ "embed"

//go:embed problem.schema.json
var schema []byte

// Schema returns the JSON schema of problem files, for editors: problem.schema.json, with each field of the types of this
// package and its doc comment.
func Schema() []byte { return append([]byte(nil), schema...) }
