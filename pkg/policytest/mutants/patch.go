package main

import (
	"fmt"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// A piece is a token of Go with the bytes that it takes.
type piece struct {
	text       string
	start, end int
}

// pieces splits a fragment of Go into tokens, without what depends on how it is laid out: spaces,
// comments, the semicolons of new lines and commas before what closes.
func pieces(src string) ([]piece, error) {
	var s scanner.Scanner
	var errs scanner.ErrorList
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, []byte(src), errs.Add, 0)
	var ps []piece
	for {
		pos, tok, lit := s.Scan()
		text := tok.String()
		if tok.IsLiteral() || tok == token.IDENT {
			text = lit
		}
		if n := len(ps); n > 0 && ps[n-1].text == "," && slices.Contains([]string{")", "]", "}"},
			text) {
			ps = ps[:n-1]
		}
		switch {
		case tok == token.EOF:
			return ps, errs.Err()
		case tok == token.SEMICOLON && lit == "\n":
		default:
			at := file.Offset(pos)
			ps = append(ps, piece{text, at, at + len(text)})
		}
	}
}

// replace returns src with new in place of the fragment old, which it must have exactly once.
func replace(src, old, new string) (string, error) {
	// the file's may be the last one
	if a, ok := strings.CutSuffix(strings.TrimSpace(old), ","); ok {
		if b, ok := strings.CutSuffix(strings.TrimSpace(new), ","); ok {
			old, new = a, b
		}
	}
	all, err := pieces(src)
	if err != nil {
		return "", err
	}
	part, err := pieces(old)
	if err != nil {
		return "", err
	}
	if len(part) == 0 {
		return "", fmt.Errorf("nothing to replace")
	}
	at := -1
	for i := range len(all) - len(part) + 1 {
		if !equal(all[i:i+len(part)], part) {
			continue
		}
		if at >= 0 {
			return "", fmt.Errorf("has more than one %q: give more of what is around it",
				strings.TrimSpace(old))
		}
		at = i
	}
	if at < 0 {
		return "", fmt.Errorf("has no %q", strings.TrimSpace(old))
	}
	if wrong, err := pieces(new); err != nil {
		return "", err
	} else if equal(wrong, part) {
		return "", fmt.Errorf("%q stays as it is", strings.TrimSpace(old))
	}
	return src[:all[at].start] + strings.TrimSpace(new) + src[all[at+len(part)-1].end:], nil
}

func equal(a, b []piece) bool {
	return slices.EqualFunc(a, b, func(x, y piece) bool { return x.text == y.text })
}
