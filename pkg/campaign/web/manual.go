package web

import (
	"bytes"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// manualPage lists the operations of the API, for people. It is made of the same description as
// /openapi.json, and loads nothing from elsewhere.
var manualPage = template.Must(template.New("manual").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>purexp campaign: API</title><link rel="stylesheet" href="/assets/page.css"></head>
<body><header><h1>API</h1><p>{{.Description}}</p>
<p><a href="/">The campaign</a> · <a href="/openapi.json">OpenAPI description</a> for programs that
write clients</p></header><main>
{{range .Operations}}<section id="{{.ID}}"><h2>{{.Method}} {{.Path}}</h2>
<p>{{.Summary}}. {{.Description}}</p>
{{if .Parameters}}<h3>In the address</h3>{{template "fields" .Parameters}}{{end}}
{{with .Body}}<h3>What is sent: {{.Kind}}</h3>{{template "fields" .Fields}}{{end}}
{{with .Answer}}<h3>What comes back: {{.Kind}}</h3>{{template "fields" .Fields}}{{end}}
<p class="hint">Errors: {{.Errors}}</p></section>
{{end}}{{range .Types}}<section id="type-{{.Name}}"><h2>{{.Name}}</h2>{{template "fields" .Fields}}</section>
{{end}}</main></body></html>
{{define "fields"}}{{if .}}<div class="scroll"><table><tbody>{{range .}}<tr><td class="name">{{.Name}}</td>
<td>{{if .Type}}<a href="#type-{{.Type}}">{{.Kind}}</a>{{else}}{{.Kind}}{{end}}{{if .Required}}, required{{end}}</td><td>{{.Doc}}</td></tr>
{{end}}</tbody></table></div>{{end}}{{end}}`))

// What the page shows.
type (
	manualOperation struct {
		ID, Method, Path, Summary, Description, Errors string
		Parameters                                     []manualField
		Body, Answer                                   *manualType
	}
	manualType struct {
		Name, Kind string
		Fields     []manualField
	}
	manualField struct {
		Name, Kind, Doc string
		Type            string // its section, if it has one
		Required        bool
	}
)

// manual serves the page about an API.
func manual(api *huma.OpenAPI) http.HandlerFunc {
	data := struct {
		Description string
		Operations  []manualOperation
		Types       []manualType
	}{Description: api.Info.Description}
	schemas := api.Components.Schemas
	for _, path := range slices.Sorted(maps.Keys(api.Paths)) {
		item := api.Paths[path]
		for _, o := range []*huma.Operation{item.Get, item.Post} {
			if o != nil {
				data.Operations = append(data.Operations, describe(o, schemas))
			}
		}
	}
	all := schemas.Map()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		data.Types = append(data.Types, manualType{Name: name, Fields: fields(all[name])})
	}
	var b bytes.Buffer
	if err := manualPage.Execute(&b, data); err != nil {
		panic(err) // the description is that of this package
	}
	return static("docs.html", "text/html; charset=utf-8", b.Bytes())
}

// describe puts an operation into words.
func describe(o *huma.Operation, schemas huma.Registry) manualOperation {
	out := manualOperation{ID: o.OperationID, Method: o.Method, Path: o.Path, Summary: o.Summary,
		Description: o.Description}
	for _, p := range o.Parameters {
		out.Parameters = append(out.Parameters, manualField{Name: p.Name, Kind: kindOf(p.Schema),
			Doc: p.Description, Required: p.Required})
	}
	if o.RequestBody != nil {
		out.Body = content(o.RequestBody.Content, schemas)
	}
	var codes []string
	for _, code := range slices.Sorted(maps.Keys(o.Responses)) {
		if r := o.Responses[code]; strings.HasPrefix(code, "2") {
			out.Answer = content(r.Content, schemas)
		} else {
			codes = append(codes, strings.TrimSpace(code+" "+r.Description))
		}
	}
	out.Errors = strings.Join(codes, ", ")
	return out
}

// content describes a body: of several kinds, the first by name.
func content(by map[string]*huma.MediaType, schemas huma.Registry) *manualType {
	if len(by) == 0 {
		return nil
	}
	kind := slices.Min(slices.Collect(maps.Keys(by)))
	s := by[kind].Schema
	if s != nil && s.Ref != "" {
		s = schemas.SchemaFromRef(s.Ref)
	}
	return &manualType{Kind: kind, Fields: fields(s)}
}

// fields lists those of an object, in the order of their names.
func fields(s *huma.Schema) []manualField {
	if s == nil {
		return nil
	}
	var list []manualField
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		list = append(list, manualField{Name: name, Kind: kindOf(p), Doc: p.Description,
			Type: typeIn(p), Required: slices.Contains(s.Required, name)})
	}
	return list
}

// kindOf says what a value is.
func kindOf(s *huma.Schema) string {
	of, _ := s.AdditionalProperties.(*huma.Schema)
	switch {
	case s.Ref != "":
		return typeIn(s)
	case s.Items != nil:
		return "list of " + kindOf(s.Items)
	case len(s.OneOf) > 0:
		var list []string
		for _, one := range s.OneOf {
			list = append(list, kindOf(one))
		}
		return strings.Join(list, " or ")
	case len(s.Enum) > 0:
		return "one of " + strings.Trim(fmt.Sprint(s.Enum), "[]")
	case of != nil:
		return "by name: " + kindOf(of)
	}
	return s.Type
}

// typeIn returns the name of the type that a value, or what it lists, refers to; empty for none.
func typeIn(s *huma.Schema) string {
	of, _ := s.AdditionalProperties.(*huma.Schema)
	switch {
	case s.Ref != "":
		return s.Ref[strings.LastIndex(s.Ref, "/")+1:]
	case s.Items != nil:
		return typeIn(s.Items)
	case of != nil:
		return typeIn(of)
	}
	return ""
}
