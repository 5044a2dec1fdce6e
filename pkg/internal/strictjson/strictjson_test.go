package strictjson_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/internal/strictjson"
)

type record struct {
	Rows []struct {
		Arm    string    `json:"arm"`
		Values []float64 `json:"values"`
	} `json:"rows"`
	Most *float64        `json:"most"`
	Raw  json.RawMessage `json:"raw"`
}

// A text that two readers may decode differently is an error that names the field.
func TestUnmarshal(t *testing.T) {
	for _, c := range []struct {
		text    string
		options []strictjson.Option
		field   string // "" if the text is valid
		kind    error
	}{
		{`{"rows":[{"arm":"a","values":[1,-2.5e3]}],"most":null,"raw":{"x":[null]}}`, []strictjson.Option{strictjson.Known, strictjson.NoNull}, "", nil},
		{`{"Rows":[{}],"later":1}`, nil, "", nil},
		{`{"Rows":[{}]}`, []strictjson.Option{strictjson.Known}, "Rows", strictjson.ErrUnknown},
		{`{"rows":[{"arm":"a"},{"arm":"a","Arm":"b"}]}`, []strictjson.Option{strictjson.Known}, "rows[1].Arm", strictjson.ErrUnknown},
		{`{"rows":[],"rows":[{}]}`, nil, "rows", strictjson.ErrDuplicate},
		{`{"raw":{"x":1,"x":2}}`, nil, "raw.x", strictjson.ErrDuplicate},
		{`{"later":[{"x":1,"x":2}]}`, nil, "later[0].x", strictjson.ErrDuplicate},
		{`{"rows":[{"values":[1,null]}]}`, []strictjson.Option{strictjson.NoNull}, "rows[0].values[1]", nil},
		{`{"rows":[{"values":[1,1e999]}]}`, nil, "rows[0].values[1]", nil},
		{`{"rows":[{"values":[true]}]}`, nil, "rows[0].values[0]", nil},
		{`{"rows":[{"arm":"` + "\xff" + `"}]}`, nil, "rows[0].arm", nil},
		{`{"rows":[{"arm":"\ud800"}]}`, nil, "rows[0].arm", nil},
	} {
		var v record
		err := strictjson.Unmarshal([]byte(c.text), &v, c.options...)
		var e *strictjson.Error
		switch {
		case c.field == "":
			if err != nil || strings.Contains(c.text, "Rows") && v.Rows != nil {
				t.Errorf("%s: %v, %+v", c.text, err, v)
			}
		case !errors.As(err, &e) || e.Field != c.field || c.kind != nil && !errors.Is(err, c.kind):
			t.Errorf("%s: %v; want the field %s", c.text, err, c.field)
		}
	}
	for _, text := range []string{"", "{}1", "{} {}", "[", `{"most":NaN}`} {
		if err := strictjson.Unmarshal([]byte(text), &record{}); err == nil {
			t.Errorf("%q is no JSON value", text)
		}
	}
}
