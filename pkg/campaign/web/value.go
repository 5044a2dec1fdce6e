package web

import (
	"bytes"
	"errors"
	"math"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/purexp/purexp/pkg/internal/strictjson"
)

// A Value is the text of one measured number. In JSON it is a number or a string, so that a form
// can pass on what a person typed, and hear what is wrong with it.
type Value string

// Schema says that a value is a number or a string.
func (Value) Schema(huma.Registry) *huma.Schema {
	most := 100
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeNumber},
		{Type: huma.TypeString, MaxLength: &most}}}
}

// UnmarshalJSON reads a number as it was written, or a string.
func (v *Value) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte{'"'}) {
		var s string
		if err := strictjson.Unmarshal(b, &s); err != nil {
			return err
		}
		*v = Value(s)
		return nil
	}
	x, err := strconv.ParseFloat(string(b), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return errors.New("want a finite number, or a text")
	}
	*v = Value(b)
	return nil
}
