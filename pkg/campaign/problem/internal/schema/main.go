// Command schema writes problem.schema.json, the JSON schema of problem files for editors, from the
// types of package problem: names from their tags, descriptions from their comments.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"reflect"
	"strings"
)

func main() {
	log.SetFlags(0)
	text, err := generate("problem.go")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("problem.schema.json", text, 0o666); err != nil {
		log.Fatal(err)
	}
}

// generate returns the schema of the type Problem in a file of Go.
func generate(path string) ([]byte, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	g := generator{types: map[string]*ast.TypeSpec{}, docs: map[string]string{}}
	for _, d := range file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range decl.Specs {
			if t, ok := s.(*ast.TypeSpec); ok {
				g.types[t.Name.Name], g.docs[t.Name.Name] = t, words(decl.Doc)
			}
		}
	}
	root, err := g.object("Problem")
	if err != nil {
		return nil, err
	}
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "A problem file of purexp"
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	err = enc.Encode(root)
	return out.Bytes(), err
}

type generator struct {
	types map[string]*ast.TypeSpec
	docs  map[string]string
}

// choices are the words that fields take, and required what each table needs.
var (
	choices = map[string][]string{
		"Problem.protocol":  {"frozen"},
		"Question.find":     {"best", "top", "good", "pareto", "feasible"},
		"Objective.goal":    {"maximise", "maximize", "minimise", "minimize", "bounded"},
		"Laboratory.extras": {"accept", "refuse"},
	}
	required = map[string][]string{
		"Problem": {"question", "candidates", "objective"}, "Question": {"find", "delta"},
		"Objective": {"name"}, "NoisePilot": {"delta"}, "Constraint": {"terms"},
		"Pilot": {"file"},
	}
)

// object returns the schema of a struct.
func (g *generator) object(name string) (map[string]any, error) {
	spec, ok := g.types[name].Type.(*ast.StructType)
	if !ok {
		return nil, fmt.Errorf("%s is no struct", name)
	}
	properties := map[string]any{}
	for _, f := range spec.Fields.List {
		if f.Tag == nil {
			continue
		}
		key := reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("toml")
		if key == "" || key == "-" {
			continue
		}
		of, err := g.of(f.Type)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", name, key, err)
		}
		if list := choices[name+"."+key]; list != nil {
			of["enum"] = list
		}
		if doc := words(f.Doc); doc != "" {
			of["description"] = doc
		}
		properties[key] = of
	}
	s := map[string]any{"type": "object", "additionalProperties": false,
		"properties": properties, "description": g.docs[name]}
	if list := required[name]; list != nil {
		s["required"] = list
	}
	if name == "Noise" {
		s["minProperties"], s["maxProperties"] = 1, 1
	}
	return s, nil
}

// of returns the schema of a type.
func (g *generator) of(t ast.Expr) (map[string]any, error) {
	switch t := t.(type) {
	case *ast.StarExpr:
		return g.of(t.X)
	case *ast.ArrayType:
		items, err := g.of(t.Elt)
		return map[string]any{"type": "array", "items": items}, err
	case *ast.MapType:
		values, err := g.of(t.Value)
		return map[string]any{"type": "object", "additionalProperties": values}, err
	case *ast.Ident:
		switch t.Name {
		case "string":
			return map[string]any{"type": "string"}, nil
		case "bool":
			return map[string]any{"type": "boolean"}, nil
		case "int":
			return map[string]any{"type": "integer"}, nil
		case "uint64":
			return map[string]any{"type": "integer", "minimum": 0}, nil
		case "float64":
			return map[string]any{"type": "number"}, nil
		}
		if g.types[t.Name] != nil {
			return g.object(t.Name)
		}
	}
	return nil, fmt.Errorf("no schema for the type %v", t)
}

// words returns a comment as one line.
func words(doc *ast.CommentGroup) string { return strings.Join(strings.Fields(doc.Text()), " ") }
