#!/usr/bin/env python3
"""Tests the commands that docker/gonb-go passes to the go command, which is a script that records its arguments."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

GONB_GO = Path(__file__).resolve().parent / "gonb-go"


class Kernel(unittest.TestCase):

    def setUp(self):
        self.top = Path(tempfile.mkdtemp(prefix="purexp gonb-go "))
        self.addCleanup(shutil.rmtree, self.top)
        (self.top / "checkout" / "notebooks").mkdir(parents=True)
        (self.top / "checkout" / "go.mod").write_text("module github.com/purexp/purexp\n")
        (self.top / "checkout" / "notebooks" / "go.mod").write_text("module github.com/purexp/purexp/notebooks\n")
        (self.top / "checkout" / "go.sum").write_text("sums\n")
        (self.top / "cells").mkdir()
        (self.top / "go").write_text('#!/bin/sh\n'
                                     f'echo "GOGC=${{GOGC-}} $*" >>"{self.top}/calls"\nexit "${{FAIL-0}}"\n')
        (self.top / "go").chmod(0o755)

    def calls(self, *arguments, code=0, **environment):
        """Runs gonb-go, and returns the recorded go commands."""
        (self.top / "calls").write_text("")
        variables = {"PUREXP_GO": str(self.top / "go"), "GONB_DIR": str(self.top / "checkout" / "notebooks"), "GOFLAGS": "-mod=mod", **environment}
        done = subprocess.run(["sh", GONB_GO, *arguments], cwd=self.top / "cells", env={**os.environ, "GOGC": "", **variables})
        self.assertEqual(done.returncode, code)
        return (self.top / "calls").read_text().splitlines()

    def test_module_uses_checkout(self):
        self.assertEqual(self.calls("mod", "init", "gonb_1"), [
            "GOGC= mod init gonb_1",
            "GOGC= mod edit -require=github.com/purexp/purexp@v0.0.0 "
            f"-replace=github.com/purexp/purexp={self.top}/checkout"])
        self.assertEqual((self.top / "cells" / "go.sum").read_text(), "sums\n")

    def test_module_elsewhere(self):
        (self.top / "checkout" / "go.mod").write_text("module example.com/purexp\n")
        self.assertEqual(self.calls("mod", "init", "gonb_1"), ["GOGC= mod init gonb_1"])
        self.assertFalse((self.top / "cells" / "go.sum").exists())

    def test_module_elsewhere_with_source(self):
        self.assertIn(f"-replace=github.com/purexp/purexp={self.top}/checkout", self.calls(
            "mod", "init", "gonb_1", GONB_DIR=str(self.top), PUREXP_SOURCE=str(self.top / "checkout"))[1])

    def test_get(self):
        self.assertEqual(self.calls("get"), [])
        self.assertEqual(self.calls("get", GOFLAGS="-v"), ["GOGC= get"])
        self.assertEqual(self.calls("get", "example.com/x"), ["GOGC= get example.com/x"])

    def test_build(self):
        self.assertEqual(self.calls("build", "-o", "a b"), ["GOGC=400 build -ldflags=-s -w -o a b"])
        self.assertEqual(self.calls("build", "-o", "a", FAIL="2", code=2), ["GOGC=400 build -ldflags=-s -w -o a"])

    def test_others(self):
        self.assertEqual(self.calls("version"), ["GOGC= version"])
        self.assertEqual(self.calls("mod", "tidy", FAIL="1", code=1), ["GOGC= mod tidy"])


if __name__ == "__main__":
    unittest.main()
