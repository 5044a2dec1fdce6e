package mc

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"hash"
	"io"
	"io/fs"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"

	sources "github.com/purexp/purexp/pkg"
	"github.com/purexp/purexp/pkg/internal/digest"
)

// ErrCode reports a file of rows that was written by another version of the code.
var ErrCode = errors.New("this file was written by another version of the code")

// codeName returns the name of a code version for error messages.
func codeName(code string) string {
	if code == "" {
		return "code of an unknown version"
	}
	return "code " + code
}

// Code returns an identifier of the code on which rows depend: a hash of the compiled-in sources
// and the version of gonum. The hash excludes the sources of figures, tables, notebooks and tests,
// and does not depend on comments or line breaks. A program and a notebook cell have the same
// Code, even if the sources are no longer on disk. Tests have a different Code, because test
// binaries contain no module versions. The hash does not cover code outside this module, such as a
// policy of your own.
func Code() string { return code() }

var code = sync.OnceValue(func() string {
	h := sha256.New()
	if err := hashSources(h, sources.Sources); err != nil {
		panic("mc: the embedded sources cannot be read: " + err.Error())
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		io.WriteString(h, numerics(info.Deps))
	}
	return digest.Sum(h)
})

// numerics returns the name and version of gonum among the compiled-in modules.
func numerics(modules []*debug.Module) string {
	for _, m := range modules {
		if m.Path != "gonum.org/v1/gonum" {
			continue
		}
		for m.Replace != nil {
			m = m.Replace
		}
		return m.Path + " " + m.Version
	}
	return ""
}

// hashSources adds the tokens of all Go files on which rows depend to the hash h.
func hashSources(h hash.Hash, all fs.FS) error {
	return fs.WalkDir(all, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (path.Base(name) == "studytest" || path.Base(name) == "published"):
			return fs.SkipDir
		case d.IsDir(), !strings.HasSuffix(name, ".go"), strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(all, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "\n%s\n", name)
		hashTokens(h, text)
		return nil
	})
}

// hashTokens adds the tokens of a Go file to the hash h, including directives but no other
// comments.
func hashTokens(h hash.Hash, text []byte) {
	var s scanner.Scanner
	files := token.NewFileSet()
	buf := make([]byte, 0, len(text))
	s.Init(files.AddFile("", files.Base(), len(text)), text, nil, scanner.ScanComments)
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			h.Write(buf)
			return
		case tok == token.SEMICOLON:
			lit = "" // treat a line break like an explicit semicolon
		case tok == token.COMMENT && !strings.HasPrefix(lit, "//go:"):
			continue
		}
		buf = append(strconv.AppendInt(buf, int64(tok), 10), ' ')
		buf = append(append(buf, lit...), ' ')
	}
}
