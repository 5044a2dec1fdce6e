// Package strictjson decodes JSON strictly, so that all programs that read a text find the same
// values.
//
// Package encoding/json matches names regardless of case and uses the last of several equal names.
// Other decoders may match names exactly, or use the first of several equal names. In this package,
// names match exactly, and a repeated name or a text that is not UTF-8 is an error:
//
//	err := strictjson.Unmarshal(text, &v, strictjson.Known)
//
// The implementation is the module github.com/go-json-experiment/json. Apart from the rules above,
// the defaults are those of encoding/json. From Go 1.27 on, encoding/json/v2 of the standard
// library can replace this module.
package strictjson

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	v1 "github.com/go-json-experiment/json/v1"
)

// An Option makes Unmarshal reject more inputs.
type Option = json.Options

var (
	// Known makes Unmarshal reject names that the Go type does not have; the error wraps
	// ErrUnknown.
	Known Option = json.RejectUnknownMembers(true)
	// NoNull makes Unmarshal reject null for numbers, strings and bools. In contrast, encoding/json
	// ignores null for numbers, strings and bools.
	NoNull Option = json.WithUnmarshalers(json.JoinUnmarshalers(noNull[float64](), noNull[int](), noNull[string](),
		noNull[bool]()))
)

func noNull[T any]() *json.Unmarshalers {
	return json.UnmarshalFromFunc(func(d *jsontext.Decoder, _ *T) error {
		if d.PeekKind() == 'n' {
			return fmt.Errorf("null; expected %s", Kind(reflect.TypeFor[T]()))
		}
		return errors.ErrUnsupported
	})
}

// The following errors are about fields of the decoded text.
var (
	ErrUnknown   = errors.New("unknown field")
	ErrDuplicate = errors.New("the field occurs twice")
)

// An Error is an error about a field, with the name of the field.
type Error struct {
	Field string // location of the field, for example rows[0].values; empty for the whole text
	Err   error
}

func (e *Error) Error() string {
	if e.Field == "" {
		return e.Err.Error()
	}
	return e.Field + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

var defaults = json.JoinOptions(v1.DefaultOptionsV1(), v1.ReportErrorsWithLegacySemantics(false),
	json.MatchCaseInsensitiveNames(false), jsontext.AllowDuplicateNames(false), jsontext.AllowInvalidUTF8(false))

// Unmarshal decodes the argument text, a single JSON value, into v. Errors of Unmarshal are of type
// *Error.
func Unmarshal(text []byte, v any, options ...Option) error {
	err := json.Unmarshal(text, v, append([]Option{defaults}, options...)...)
	var syntax *jsontext.SyntacticError
	var meaning *json.SemanticError
	var inner *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax) && errors.Is(syntax, jsontext.ErrDuplicateName):
		return &Error{field(syntax.JSONPointer), ErrDuplicate}
	case errors.As(err, &syntax):
		return &Error{field(syntax.JSONPointer), fmt.Errorf("byte %d: invalid JSON: %w", syntax.ByteOffset, syntax.Err)}
	case !errors.As(err, &meaning):
		return &Error{"", err}
	}
	e := &Error{Field: field(meaning.JSONPointer), Err: meaning.Err}
	switch {
	case errors.As(meaning.Err, &inner): // the error is from a method that decodes a part of the text
		e.Err = inner.Err
		if inner.Field != "" && !strings.HasPrefix(inner.Field, "[") && e.Field != "" {
			e.Field += "."
		}
		e.Field += inner.Field
	case meaning.Err == json.ErrUnknownName:
		e.Err = ErrUnknown
	case meaning.GoType != nil && (meaning.Err == nil || meaning.JSONValue != nil):
		e.Err = fmt.Errorf("%s; expected %s", value(meaning), Kind(meaning.GoType))
	case meaning.Err == nil:
		e.Err = err
	}
	return e
}

func value(e *json.SemanticError) string {
	switch e.JSONKind {
	case 'n':
		return "null"
	case 't', 'f':
		return "a bool"
	case '"':
		return "a string"
	case '0':
		return strings.TrimSpace("a number " + string(e.JSONValue))
	case '[':
		return "an array"
	case '{':
		return "an object"
	}
	return "another value"
}

// field converts a JSON pointer to the notation of error messages: /rows/0/values becomes
// rows[0].values.
func field(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		switch {
		case token != "" && strings.Trim(token, "0123456789") == "":
			b.WriteString("[" + token + "]")
		case b.Len() > 0:
			b.WriteString("." + token)
		default:
			b.WriteString(token)
		}
	}
	return b.String()
}

// Kind returns the name of a Go type in terms of JSON, such as "a number".
func Kind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return Kind(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "a whole number"
}
