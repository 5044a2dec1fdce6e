package policy_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
)

// What policies say of themselves hangs on their settings: what they certify, what that rests on and
// which measurements it allows, what they use, and for which they are refused. Each setting by itself,
// and each form that is tested; those of which is said what is said of the defaults have no line.
func TestCardsStay(t *testing.T) {
	var lines []string
	usual := map[reflect.Type]string{}
	say := func(name string, p explore.Policy) {
		carded, ok := p.(explore.Carded)
		if !ok {
			return
		}
		c := carded.Card()
		text := fmt.Sprintf("%v, %v, %v; needs %s; uses %v; sums only %v; %s", c.Kind, c.Evidence,
			c.Guarantee(), c.Assumes(), c.Uses, c.Uses.Has(explore.UsesSums), c.Questions())
		typ := reflect.TypeOf(p)
		if usual[typ] == "" {
			usual[typ] = text
		} else if usual[typ] == text {
			return
		}
		lines = append(lines, name+": "+text)
	}
	for _, create := range policy.Catalogue() {
		typ := reflect.TypeOf(create()).Elem()
		say(typ.Name(), create())
		for _, f := range reflect.VisibleFields(typ) {
			if !f.IsExported() || len(f.Index) > 1 {
				continue
			}
			for _, v := range settings(f) {
				p := create()
				reflect.ValueOf(p).Elem().FieldByIndex(f.Index).Set(reflect.ValueOf(v))
				say(fmt.Sprintf("%s, %s %v", typ.Name(), f.Name, v), p)
			}
		}
	}
	for _, p := range featureForms() {
		say(p.name, p.new())
	}
	golden.Lines(t, "testdata/cards.txt", lines)
}
