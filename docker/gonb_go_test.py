#!/usr/bin/env python3
"""Tests of docker/gonb-go: cells of a checkout of two packages, built as GoNB builds them. Needs Go."""

import os
import shutil
import subprocess
import tempfile
import time
import unittest
import zipfile
from pathlib import Path

GONB_GO = Path(__file__).resolve().parent / "gonb-go"
GO = shutil.which("go")


class Kernel(unittest.TestCase):

    def setUp(self):
        self.top = Path(tempfile.mkdtemp(prefix="purexp-gonb-go-"))
        self.addCleanup(shutil.rmtree, self.top)
        self.checkout, self.cells, self.tools = (self.top / d for d in ("checkout", "cells", "tools"))
        self.put("checkout/go.mod", "module github.com/purexp/purexp\n\ngo 1.26\n")
        self.put("checkout/go.sum", "")
        self.put("checkout/data/data.go", "package data\n\nconst X = 1\n")
        self.put("checkout/pkg/one/one.go", 'package one\n\nfunc Say() string { return "one" }\n')
        self.put("checkout/pkg/internal/three/three.go", "package three\n\nfunc Say() {}\n")
        self.put("checkout/pkg/two/two.go", 'package two\n\nimport "fmt"\n\nfunc Say() string { return fmt.Sprint("two") }\n')
        # The real go, which leaves a trace.
        self.put("tools/go", f'#!/bin/sh\necho "$1" >>"{self.top}/calls"\nexec "{GO}" "$@"\n').chmod(0o755)
        self.environment = dict(os.environ, PUREXP_GO=str(self.tools / "go"), GONB_DIR=str(self.checkout),
                                GOFLAGS="-buildvcs=false -mod=mod", GOWORK="off", GOTOOLCHAIN="local", GOPROXY="off")
        self.cells.mkdir()
        self.assertEqual(self.go("mod", "init", "gonb_1").returncode, 0)
        subprocess.run([GO, "build", "./..."], cwd=self.checkout, env=self.environment, check=True)  # as docker/setup does

    def put(self, name, text):
        path = self.top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def go(self, *arguments, **environment):
        (self.top / "calls").write_text("")
        return subprocess.run(["sh", GONB_GO, *arguments], cwd=self.cells, env={**self.environment, **environment},
                              capture_output=True, text=True)

    def calls(self):
        return (self.top / "calls").read_text().split()

    def cell(self, body, *packages, **environment):
        """Builds and runs a cell, and returns what it prints."""
        imports = "".join(f'\t"github.com/purexp/purexp/pkg/{p}"\n' for p in packages)
        self.put("cells/main.go", f'package main\n\nimport (\n\t"fmt"\n{imports})\n\nfunc main() {{\n{body}\n}}\n')
        built = self.go("build", "-o", str(self.cells / "gonb_1"), **environment)
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
        self.assertEqual(built.stdout + built.stderr, "")
        return subprocess.run([self.cells / "gonb_1"], capture_output=True, text=True).stdout.strip()

    def test_cells(self):
        self.assertEqual(self.cell("fmt.Println(one.Say())", "one"), "one")
        self.assertEqual(self.calls(), ["build"])
        self.assertEqual(self.cell("fmt.Println(one.Say(), 2)", "one"), "one 2")
        self.assertEqual(self.calls(), [], "go build, though nothing has changed")
        self.assertEqual(self.cell("fmt.Println(one.Say(), two.Say())", "one", "two"), "one two")
        self.assertEqual(self.calls(), ["build"], "a package that no cell has imported before")
        self.assertEqual(self.cell("fmt.Println(two.Say())", "two"), "two")
        self.assertEqual(self.calls(), [], "go build, though nothing has changed")

    def test_sources_that_change(self):
        self.assertEqual(self.cell("fmt.Println(one.Say())", "one"), "one")
        time.sleep(0.02)  # file systems have clocks that tick
        self.put("checkout/pkg/one/one.go", 'package one\n\nfunc Say() string { return "other" }\n')
        self.assertEqual(self.cell("fmt.Println(one.Say())", "one"), "other")
        time.sleep(0.02)
        self.put("new.go", 'package one\n\nfunc init() { say = "moved" }\n\nvar say string\n\nfunc Say() string { return say }\n')
        os.utime(self.top / "new.go", (1e9, 1e9))
        (self.top / "new.go").rename(self.checkout / "pkg/one/one.go")  # an old file in its place
        self.assertEqual(self.cell("fmt.Println(one.Say())", "one"), "moved")

    def test_sources_that_become_older(self):
        """Files that are put in the place of others with their old times, as `cp -p` does."""
        one = self.checkout / "pkg/one/one.go"
        for shared in False, True:
            if shared:
                self.warm()
            self.assertEqual(self.cell("fmt.Println(one.Say())", "one"), one.read_text().split('"')[1])
            one.write_text(f'package one\n\nfunc Say() string {{ return "old {shared}" }}\n')
            os.utime(one, (1e9, 1e9))
            self.assertEqual(self.cell("fmt.Println(one.Say())", "one"), f"old {shared}")
            self.assertEqual(self.cell("fmt.Println(one.Say(), 2)", "one"), f"old {shared} 2")

    def test_checkouts_with_odd_names(self):
        """What stands otherwise in go.mod, or is gone, is looked through or not noted."""
        for name in "a b", "it's", "$HOME `x` b", 'say "b"':
            with self.subTest(name):
                moved = self.top / name
                self.checkout.rename(moved)
                self.checkout = moved
                self.environment["GONB_DIR"] = str(moved)
                (self.cells / "go.mod").unlink()
                if self.go("mod", "init", "gonb_1").returncode != 0:
                    continue  # go.mod cannot say that name
                for say in "one", "two":
                    (moved / "pkg/one/one.go").write_text(f'package one\n\nfunc Say() string {{ return "{say}" }}\n')
                    for again in "", ", 2", ", 3":
                        self.assertEqual(self.cell(f"fmt.Println(one.Say(){again})", "one"), say + again[1:])
                    time.sleep(0.02)

    def test_a_checkout_in_brackets(self):
        text = (self.cells / "go.mod").read_text()
        at = text.index("replace ")
        self.put("cells/go.mod", text[:at] + text[at:].replace("replace ", "replace (\n\t", 1).rstrip() + "\n)\n")
        for say in "one", "two", "three":
            self.put("checkout/pkg/one/one.go", f'package one\n\nfunc Say() string {{ return "{say}" }}\n')
            self.assertEqual(self.cell("fmt.Println(one.Say())", "one"), say)

    def gonbui(self):
        """A module that is called as gonbui's, and a package nb that says how it is built."""
        proxy, version = self.top / "proxy/github.com/janpfeifer/gonb/@v", "v0.0.1"
        self.environment.update(GOPROXY=f"file://{self.top}/proxy", GOSUMDB="off", GOMODCACHE=str(self.top / "modules"),
                                GOFLAGS="-buildvcs=false -mod=mod -modcacherw")
        text = "module github.com/janpfeifer/gonb\n\ngo 1.26\n"
        self.put(proxy / "list", version + "\n")
        self.put(proxy / f"{version}.info", f'{{"Version": "{version}"}}')
        self.put(proxy / f"{version}.mod", text)
        with zipfile.ZipFile(proxy / f"{version}.zip", "w") as file:
            file.writestr(f"github.com/janpfeifer/gonb@{version}/go.mod", text)
            file.writestr(f"github.com/janpfeifer/gonb@{version}/gonbui/gonbui.go", "package gonbui\n\nconst Name = `gonbui`\n")
        self.put("checkout/go.mod", f"module github.com/purexp/purexp\n\ngo 1.26\n\nrequire github.com/janpfeifer/gonb {version}\n")
        self.put("checkout/pkg/nb/nb.go", 'package nb\n\nimport "github.com/purexp/purexp/pkg/nb/internal/display"\n\nconst Size = display.Size\n')
        self.put("checkout/pkg/nb/internal/display/small.go", '//go:build smallcell\n\npackage display\n\nconst Size = "small"\n')
        self.put("checkout/pkg/nb/internal/display/large.go", '//go:build !smallcell\n\npackage display\n\nconst Size = "large"\n')
        subprocess.run([GO, "get", "./...", "github.com/janpfeifer/gonb/gonbui"], cwd=self.checkout, env=self.environment, check=True,
                       capture_output=True)
        shutil.rmtree(self.cells)
        self.cells.mkdir()
        self.assertEqual(self.go("mod", "init", "gonb_2").returncode, 0)

    def test_cells_that_import_gonbui(self):
        self.gonbui()
        text = 'package main\n\nimport (\n\t"fmt"\n\t"github.com/janpfeifer/gonb/gonbui"\n%s)\n\nfunc main() { fmt.Println(gonbui.Name, %s) }\n'
        nb = '\t"github.com/purexp/purexp/pkg/nb"\n'
        both, one, none = ["build", "build"], ["build"], []
        for shared, said in (False, 1), (True, 2):
            if shared:
                self.warm()
            self.assertEqual(self.cell("fmt.Println(nb.Size)", "nb"), "small")
            self.assertEqual(self.calls(), none if shared else one)
            # A build that compiles gonbui is not noted.
            for calls in (both, none) if shared else (both, both, none):
                said += 2
                self.put("cells/main.go", text % (nb, f"nb.Size, {said}"))
                self.assertEqual(self.go("build", "-o", "gonb_2").returncode, 0)
                self.assertEqual(self.calls(), calls)
                self.assertEqual(subprocess.run([self.cells / "gonb_2"], capture_output=True, text=True).stdout, f"gonbui large {said}\n")
            # Those that follow use the same note.
            self.assertEqual(self.cell(f"fmt.Println(nb.Size, {said})", "nb"), f"large {said}")
            self.assertEqual(self.calls(), none)
        shutil.rmtree(self.cells / ".again")
        for calls in one, none:  # one writer, though built with the tag
            said += 2
            self.put("cells/main.go", text % ("", said))
            self.assertEqual(self.go("build", "-o", "gonb_2").returncode, 0)
            self.assertEqual(self.calls(), calls)
            self.assertEqual(subprocess.run([self.cells / "gonb_2"], capture_output=True, text=True).stdout, f"gonbui {said}\n")

    def test_packages_that_import_gonbui(self):
        self.gonbui()
        self.put("checkout/pkg/two/two.go", 'package two\n\nimport (\n\t"fmt"\n\t"github.com/janpfeifer/gonb/gonbui"\n)\n\n'
                 "func Say() string { return fmt.Sprint(gonbui.Name) }\n")
        self.assertEqual(self.cell("fmt.Println(nb.Size)", "nb"), "small")
        self.assertEqual(self.cell("fmt.Println(nb.Size, two.Say())", "nb", "two"), "large gonbui")
        self.assertEqual(self.calls(), ["build", "build"])
        self.warm()  # one note for all of them
        self.assertEqual(self.cell("fmt.Println(nb.Size)", "nb"), "large")
        self.assertEqual(self.cell("fmt.Println(nb.Size, two.Say())", "nb", "two"), "large gonbui")
        self.assertEqual(self.calls(), [])

    def test_tags_of_the_user(self):
        """Ours would replace them."""
        self.gonbui()
        tagged = self.environment["GOFLAGS"] + " -tags=tagged"
        self.assertEqual(self.cell("fmt.Println(nb.Size)", "nb", GOFLAGS=tagged), "large")
        self.assertEqual(self.cell("fmt.Println(nb.Size)", "nb"), "small")

    def test_settings_that_change(self):
        self.put("checkout/pkg/one/tagged.go", "//go:build tagged\n\npackage one\n\nfunc init() { Tag = true }\n")
        self.put("checkout/pkg/one/tag.go", "package one\n\nvar Tag bool\n")
        self.assertEqual(self.cell("fmt.Println(one.Tag)", "one"), "false")
        tagged = self.environment["GOFLAGS"] + " -tags=tagged"
        self.assertEqual(self.cell("fmt.Println(one.Tag)", "one", GOFLAGS=tagged), "true")
        self.assertEqual(self.cell("fmt.Println(one.Tag)", "one"), "false")

    def test_a_folder_that_is_tracked(self):
        """What `%track` adds may change, too, and is not looked through."""
        self.put("mine/go.mod", "module example.com/mine\n\ngo 1.26\n")
        self.put("mine/mine.go", "package mine\n\nconst Answer = 41\n")
        self.go("mod", "edit", "-require=example.com/mine@v0.0.0", f"-replace=example.com/mine={self.top}/mine")
        text = 'package main\n\nimport (\n\t"fmt"\n\t"example.com/mine"\n)\n\nfunc main() { fmt.Println(mine.Answer) }\n'
        for answer in ("41", "42"):
            self.put("cells/main.go", text)
            self.put("mine/mine.go", f"package mine\n\nconst Answer = {answer}\n")
            self.assertEqual(self.go("build", "-o", "gonb_1").returncode, 0)
            self.assertEqual(subprocess.run([self.cells / "gonb_1"], capture_output=True, text=True).stdout.strip(), answer)

    def test_mistakes(self):
        """They are told as go build tells them."""
        for wrong, said in ("fmt.Println(one.Sya())", "main.go:9:17: undefined: one.Sya"), ("fmt.Println(", "main.go:10:1: syntax error"):
            self.assertEqual(self.cell("fmt.Println(one.Say())", "one"), "one")
            main = (self.cells / "main.go").read_text()
            self.put("cells/main.go", main.replace("fmt.Println(one.Say())", wrong))
            built = self.go("build", "-o", "gonb_1")
            self.assertNotEqual(built.returncode, 0)
            self.assertIn(said, built.stdout + built.stderr)
            self.assertNotIn("importcfg", built.stdout + built.stderr)

    def warm(self):
        """Makes the note that notebooks share, and a new module as the kernel of a notebook does."""
        self.environment["PUREXP_CELLS"] = str(self.top / "shared")
        (self.top / "calls").write_text("")
        done = subprocess.run(["sh", GONB_GO, "warm"], cwd=self.checkout, env=self.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        calls = self.calls()
        shutil.rmtree(self.cells)
        self.cells.mkdir()
        self.assertEqual(self.go("mod", "init", "gonb_2").returncode, 0)
        return calls

    def test_a_note_that_notebooks_share(self):
        self.assertEqual(self.warm(), ["build", "build", "list", "mod", "mod", "build"])
        self.assertEqual(self.calls(), ["env"])
        self.assertEqual((self.cells / "go.mod").read_text().splitlines()[0], "module gonb_2")
        self.assertEqual(self.cell("fmt.Println(one.Say())", "one"), "one")
        self.assertEqual(self.calls(), [], "go build, though all is noted")
        self.assertEqual(self.cell("fmt.Println(one.Say(), two.Say())", "one", "two"), "one two")
        self.assertEqual(self.calls(), [])
        self.assertEqual(self.warm(), [], "nothing has changed")
        # What nothing imports: a note of this module's own.
        for text, calls in ("fmt.Println(maphash.Comparable(s, 1) == maphash.Comparable(s, 1))", ["build"]), ("fmt.Println(s == s)", []):
            self.put("cells/main.go", 'package main\n\nimport (\n\t"fmt"\n\t"hash/maphash"\n)\n\nvar s = maphash.MakeSeed()\n\n'
                     "func main() { " + text + " }\n")
            self.assertEqual(self.go("build", "-o", "gonb_2").returncode, 0)
            self.assertEqual(self.calls(), calls)
            self.assertEqual(subprocess.run([self.cells / "gonb_2"], capture_output=True, text=True).stdout, "true\n")
        # What only the checkout may import is not in the note.
        self.put("cells/main.go", 'package main\n\nimport "github.com/purexp/purexp/pkg/internal/three"\n\nfunc main() { three.Say() }\n')
        built = self.go("build", "-o", "gonb_2")
        self.assertIn("use of internal package", built.stdout + built.stderr)

    def test_a_shared_note_that_is_old(self):
        self.warm()
        time.sleep(0.02)
        self.put("checkout/pkg/one/one.go", 'package one\n\nfunc Say() string { return "other" }\n')
        self.assertEqual(self.cell("fmt.Println(one.Say())", "one"), "other")
        self.assertEqual(self.calls(), ["build"])
        for say, calls in ("2", ["build"]), ("3", []):  # one that compiled packages besides was not noted
            self.assertEqual(self.cell(f"fmt.Println(one.Say(), {say})", "one"), "other " + say)
            self.assertEqual(self.calls(), calls, "the note of this notebook")
        self.assertEqual(self.warm(), ["build", "build", "list", "mod", "mod", "build"])
        self.assertEqual(self.cell("fmt.Println(one.Say())", "one"), "other")
        self.assertEqual(self.calls(), [])
        # Another checkout has nothing of it.
        self.checkout.rename(self.top / "moved")
        self.environment["GONB_DIR"] = str(self.top / "moved")
        (self.cells / "go.mod").unlink()
        self.assertEqual(self.go("mod", "init", "gonb_3").returncode, 0)
        self.assertEqual(self.calls(), ["env", "mod", "mod"])
        self.assertEqual(self.cell("fmt.Println(one.Say(), 3)", "one"), "other 3")
        self.assertEqual(self.calls(), ["build"])

    def test_a_cache_that_forgets(self):
        self.warm()
        for name in "importcfg", "importcfg.link":
            path = self.top / "shared" / name
            path.write_text(path.read_text().replace("-d\n", "-gone\n"))
        self.assertEqual(self.cell("fmt.Println(one.Say())", "one"), "one")
        self.assertEqual(self.calls(), ["build"])
        self.assertEqual(self.cell("fmt.Println(one.Say(), 2)", "one"), "one 2")
        self.assertEqual(self.calls(), [])
        self.assertEqual(self.warm(), ["build", "build", "list", "mod", "mod", "build"])
        self.assertEqual(self.warm(), [])

    def test_other_commands(self):
        self.assertEqual(self.go("get").returncode, 0)
        self.assertEqual(self.calls(), [])
        self.go("get", GOFLAGS="")
        self.assertEqual(self.calls(), ["get"])
        self.assertEqual(self.go("env", "GOMOD").stdout.strip(), str((self.cells / "go.mod").resolve()))
        self.put("cells/main.go", "package main\n\nfunc main() {}\n")
        for _ in range(2):  # with flags of the user, `%goflags`
            self.go("build", "-o", "gonb_1", "-v")
            self.assertEqual(self.calls(), ["build"])


if __name__ == "__main__":
    unittest.main()
