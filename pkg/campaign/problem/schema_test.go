package problem

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// allowed checks v, a value from TOML or JSON, against the schema s. It supports only the JSON Schema keywords that
// Schema uses.
func allowed(v any, s map[string]any, at string) error {
	var kind string
	switch v := v.(type) {
	case map[string]any:
		kind = "object"
		properties, _ := s["properties"].(map[string]any)
		for key, value := range v {
			of, ok := properties[key].(map[string]any)
			if !ok {
				if of, ok = s["additionalProperties"].(map[string]any); !ok {
					return fmt.Errorf("%s.%s: no such field", at, key)
				}
			}
			if err := allowed(value, of, at+"."+key); err != nil {
				return err
			}
		}
		required, _ := s["required"].([]any)
		for _, key := range required {
			if _, ok := v[key.(string)]; !ok {
				return fmt.Errorf("%s.%s: missing", at, key)
			}
		}
	case []any:
		kind = "array"
		for _, value := range v {
			if err := allowed(value, s["items"].(map[string]any), at+"[]"); err != nil {
				return err
			}
		}
	case string:
		kind = "string"
	case bool:
		kind = "boolean"
	case int64:
		kind = "integer"
	case float64:
		kind = "number"
	}
	if want := s["type"]; kind != want && !(kind == "integer" && want == "number") {
		return fmt.Errorf("%s: %s; expected %s", at, kind, want)
	}
	if list, ok := s["enum"].([]any); ok && !slices.Contains(list, v) {
		return fmt.Errorf("%s: %v; expected one of %v", at, v, list)
	}
	return nil
}

// The schema accepts a problem that Parse accepts, and rejects unknown fields and wrong types, as Parse does.
func TestSchema(t *testing.T) {
	var s map[string]any
	if err := json.Unmarshal(Schema(), &s); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ old, new, want string }{
		{"", "", ""},
		{"plate = 8", "plate = 1.5", ".laboratory.plate: number; expected integer"},
		{"plate = 8", "plat = 8", ".laboratory.plat: no such field"},
		{"goal = \"minimise\"", "goal = \"less\"", ".objective[].goal: less; expected one of"},
		{"find = \"pareto\"", "", ".question.find: missing"},
		{"sd = 2.0", "sd = '2'", ".objective[].noise.sd: string; expected number"},
	} {
		var v map[string]any
		text := strings.Replace(catalysts, x.old, x.new, 1)
		if err := toml.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		err := allowed(v, s, "")
		_, parsed := Parse("c.toml", []byte(text), files(map[string]string{"catalysts.csv": catalystTable}))
		if (err == nil) != (x.want == "") || err != nil && !strings.HasPrefix(err.Error(), x.want) {
			t.Errorf("%s: %v; want %q", x.new, err, x.want)
		}
		if (err == nil) != (parsed == nil) {
			t.Errorf("%s: schema %v, Parse %v", x.new, err, parsed)
		}
	}
}

// The schema and the Go types of a problem have the same fields.
func TestSchemaFields(t *testing.T) {
	var s map[string]any
	if err := json.Unmarshal(Schema(), &s); err != nil {
		t.Fatal(err)
	}
	var compare func(s map[string]any, in reflect.Type)
	compare = func(s map[string]any, in reflect.Type) {
		properties, _ := s["properties"].(map[string]any)
		keys := keysOf(in)
		if len(keys) != len(properties) {
			t.Errorf("%v: %d fields, %d in the schema", in, len(keys), len(properties))
		}
		for _, key := range keys {
			of, ok := properties[key].(map[string]any)
			if !ok {
				t.Errorf("%v.%s is not in the schema", in, key)
				continue
			}
			f, _ := fieldOf(in, key)
			ft := f.Type
			for ft.Kind() == reflect.Pointer {
				ft = ft.Elem()
			}
			if ft.Kind() == reflect.Slice && ft.Elem().Kind() == reflect.Struct {
				ft, of = ft.Elem(), of["items"].(map[string]any)
			}
			if ft.Kind() == reflect.Struct {
				compare(of, ft)
			}
		}
	}
	compare(s, reflect.TypeFor[Problem]())
}
