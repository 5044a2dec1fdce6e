package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// CITATION.cff, the newest release in CHANGELOG.md and the tag of this commit, if any, name the same version.
func TestRelease(t *testing.T) {
	var text [2]string
	for i, name := range []string{"CITATION.cff", "CHANGELOG.md"} {
		b, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		text[i] = string(b)
	}
	// Without git, or in a copy without history, there is no tag to compare.
	tags, _ := exec.Command("git", "tag", "--points-at", "HEAD", "v*").Output()
	for _, p := range releaseProblems(text[0], text[1], strings.Fields(string(tags))) {
		t.Errorf("%s; see docs/release.md", p)
	}
}

// docs/release.md lists every direct dependency in go.mod.
func TestDependencies(t *testing.T) {
	mod, err1 := os.ReadFile("../../go.mod")
	page, err2 := os.ReadFile("../../docs/release.md")
	modules := regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(string(mod), -1)
	if err1 != nil || err2 != nil || len(modules) == 0 {
		t.Fatal(err1, err2, len(modules))
	}
	for _, m := range modules {
		if !strings.Contains(string(page), "`"+m[1]+"`") {
			t.Errorf("docs/release.md does not list %s", m[1])
		}
	}
}

var (
	citedVersion = regexp.MustCompile(`(?m)^version: (\S+)$`)
	citedDate    = regexp.MustCompile(`(?m)^date-released: (\S+)$`)
	released     = regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$`)
	section      = regexp.MustCompile(`(?m)^## .*$`)
)

// releaseProblems compares the versions in the files and tags.
func releaseProblems(citation, changelog string, tags []string) (problems []string) {
	first := func(re *regexp.Regexp, text string) []string {
		if m := re.FindStringSubmatch(text); m != nil {
			return m[1:]
		}
		return []string{"", ""}
	}
	newest := first(released, changelog)
	version, date := newest[0], newest[1]
	add := func(format string, args ...any) {
		problems = append(problems, fmt.Sprintf(format, args...))
	}
	if version == "" {
		add("CHANGELOG.md has no section like ## [1.2.3] - 2006-01-02")
	}
	if got := first(citedVersion, citation)[0]; got != version {
		add("CITATION.cff has version %q; the newest in CHANGELOG.md is %q", got, version)
	}
	if got := first(citedDate, citation)[0]; got != date {
		add("CITATION.cff was released on %q; %s in CHANGELOG.md on %q", got, version, date)
	}
	sections := section.FindAllStringIndex(changelog, 2)
	if len(sections) == 0 || changelog[sections[0][0]:sections[0][1]] != "## [Unreleased]" {
		add("CHANGELOG.md does not begin with ## [Unreleased]")
		return problems
	}
	for _, tag := range tags {
		if tag != "v"+version {
			add("this commit is tagged %s; CHANGELOG.md's newest version is %s", tag, version)
		}
		if len(sections) > 1 && strings.TrimSpace(changelog[sections[0][1]:sections[1][0]]) != "" {
			add("this commit is tagged %s, but CHANGELOG.md has changes under Unreleased", tag)
		}
	}
	return problems
}

func TestReleaseProblems(t *testing.T) {
	const (
		citation  = "title: x\nversion: 1.2.0\ndate-released: 2026-01-02\n"
		changelog = "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-01-02\n\n- New.\n\n## [1.1.0] - 2025-01-02\n"
	)
	changed := strings.Replace(changelog, "[Unreleased]\n", "[Unreleased]\n\n- Newer.\n", 1)
	for _, c := range []struct {
		name, citation, changelog string
		tags                      []string
		want                      string // the only problem; "" for none
	}{
		{"released", citation, changelog, []string{"v1.2.0"}, ""},
		{"untagged", citation, changed, nil, ""},
		{"another tag", citation, changelog, []string{"v1.3.0"}, "tagged v1.3.0"},
		{"unreleased changes", citation, changed, []string{"v1.2.0"}, "under Unreleased"},
		{"old citation", strings.Replace(citation, "1.2.0", "1.1.0", 1), changelog, nil, `"1.1.0"`},
		{"old date", strings.Replace(citation, "2026", "2025", 1), changelog, nil, `"2025-01-02"`},
		{"no section", citation, strings.Replace(changelog, "Unreleased", "1.3", 1), nil, "begin"},
	} {
		got := releaseProblems(c.citation, c.changelog, c.tags)
		text := strings.Join(got, "; ")
		if (len(got) == 0) != (c.want == "") || len(got) > 1 || !strings.Contains(text, c.want) {
			t.Errorf("%s: %q; want %q", c.name, got, c.want)
		}
	}
	if got := releaseProblems("", "", nil); len(got) != 2 {
		t.Errorf("nothing: %q", got)
	}
}
