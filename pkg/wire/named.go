package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/internal/strictjson"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
)

// radii are the names of radii in settings.
var radii = map[string]radius.Radius{
	"theory": radius.Theory{}, "Kaufmann-Koolen": radius.KaufmannKoolen{}, "mixture": radius.Mixture{},
	"bernoulli": radius.Bernoulli{}, "empirical Bernstein": radius.EmpiricalBernstein{}, "paper": radius.Paper{},
}

// Named returns what makes the policy of the catalogue with a name, such as "LinGapE" or "e-cAPE" in
// letters of any case, for an init message. Settings are those of its Go type as a JSON object, such as
// {"Epsilon": 0.1, "Radius": "mixture"}; empty for the defaults. Delta, Budget and Plate are those of
// the message. With the name "recommended" it is the one that policy.For recommends.
func Named(name string, settings []byte) (func(init *Message) (explore.Policy, error), error) {
	if strings.EqualFold(name, "recommended") {
		return recommended, nil
	}
	var names []string
	for _, new := range policy.Catalogue() {
		p := new()
		if n := p.Card().Name; !strings.EqualFold(n, name) && !strings.EqualFold(explore.TypeName(p), name) {
			names = append(names, n)
			continue
		}
		if err := set(p, settings); err != nil {
			return nil, err
		}
		given := map[string]bool{}
		var fields map[string]any
		_ = strictjson.Unmarshal(settings, &fields)
		for field := range fields {
			given[field] = true
		}
		return func(m *Message) (explore.Policy, error) {
			p := new()
			_ = set(p, settings) // they were good before
			v := reflect.ValueOf(p).Elem()
			has := func(field string, x any) bool { // LinFACT's Budget is of another kind
				f := v.FieldByName(field)
				return f.IsValid() && f.CanSet() && reflect.TypeOf(x).AssignableTo(f.Type())
			}
			if has("Delta", m.Delta) && m.Delta == 0 && !given["Delta"] && (m.Budget == 0 || !has("Budget", m.Budget)) {
				return nil, errNoDelta
			}
			for field, x := range map[string]any{"Delta": m.Delta, "Budget": m.Budget, "Plate": m.Plate} {
				if has(field, x) && !reflect.ValueOf(x).IsZero() {
					v.FieldByName(field).Set(reflect.ValueOf(x))
				}
			}
			return p, nil
		}, nil
	}
	return nil, fmt.Errorf("wire: there is no policy %q; there are %s; and recommended", name, strings.Join(names, "; "))
}

// errNoDelta says that nobody chose an error probability: a default would be a promise that nobody asked for.
var errNoDelta = errors.New("wire: delta: it is missing; want an error probability, or for a policy with a fixed budget a budget")

// recommended returns what policy.For does.
func recommended(m *Message) (explore.Policy, error) {
	if m.Delta == 0 && m.Budget == 0 {
		return nil, errNoDelta
	}
	p, err := m.Problem.Explore()
	if err != nil {
		return nil, err
	}
	r, err := policy.For(p, policy.Circumstances{Delta: m.Delta, Budget: m.Budget, Plate: m.Plate})
	if err != nil {
		return nil, err
	}
	return r.Make(), nil
}

// set sets fields of a policy by name.
func set(p explore.Policy, settings []byte) error {
	if len(bytes.TrimSpace(settings)) == 0 {
		return nil
	}
	var fields map[string]json.RawMessage
	if err := strictjson.Unmarshal(settings, &fields); err != nil {
		return fmt.Errorf("wire: settings: want a JSON object: %w", err)
	}
	v := reflect.ValueOf(p).Elem()
	var names []string
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() {
			names = append(names, f.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		f := v.FieldByName(name)
		if !slices.Contains(names, name) {
			return fmt.Errorf("wire: settings: %s has no field %s; it has %s", explore.TypeName(p), name, strings.Join(names, ", "))
		}
		if f.Type() == reflect.TypeFor[radius.Radius]() {
			var text string
			if err := strictjson.Unmarshal(fields[name], &text); err != nil || radii[text] == nil {
				return fmt.Errorf("wire: settings: %s: %s; want one of %q", name, fields[name],
					slices.Sorted(maps.Keys(radii)))
			}
			f.Set(reflect.ValueOf(radii[text]))
			continue
		}
		if err := strictjson.Unmarshal(fields[name], f.Addr().Interface()); err != nil {
			return fmt.Errorf("wire: settings: %s: %w", name, err)
		}
	}
	return nil
}
