#!/usr/bin/env python3
"""Tests docker/notebooks.py: links to Binder, failed shell commands, and saving. Requires no network and no Jupyter."""

import argparse
import contextlib
import io
import json
import shutil
import sys
import tempfile
import unittest
import unittest.mock
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import notebooks  # noqa: E402


class Node(dict):
    """A part of a notebook, whose keys are also attributes, as in nbformat."""
    __getattr__, __setattr__ = dict.__getitem__, dict.__setitem__


class TestRun(unittest.TestCase):
    def test_shell(self):
        failed = "exit status 1\n"
        for source, name, text, error in (("!false", "stderr", failed, failed), ("%%\nx := 1\n!false", "stderr", failed, failed), ("!true", "stderr", "slow\n", ""),
                                          ("!echo exit status 1", "stdout", failed, ""), ("// why != because\npanic(1)", "stderr", failed, "")):
            cell = Node(source=source, outputs=[Node(output_type="stream", name=name, text=text)])
            self.assertEqual(notebooks.shell_error(cell), error, source)
        self.assertEqual(notebooks.shell_error(Node(source="!true")), "")

    def test_save(self):
        root = Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, root)
        source, executed = root / "notebooks/a.ipynb", root / "out/notebooks/a.ipynb"

        def notebook(code="x", metadata=None, **cell):
            return {"metadata": metadata or {}, "cells": [{"cell_type": "code", "source": code, "metadata": {}, "id": "old", "outputs": [], **cell}]}

        def put(path, content):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(content), encoding="utf-8")

        def read(path): return json.loads(path.read_text(encoding="utf-8"), object_hook=Node)
        put(source, notebook(metadata={"language_info": {"name": "go"}}))
        with unittest.mock.patch.multiple(notebooks, ROOT=root, SOURCES=source.parent, libraries=lambda: None, read=read,
                                          write=lambda content, path: put(path, content)), contextlib.redirect_stdout(io.StringIO()):
            save = argparse.Namespace(out=root / "out", notebooks=[source])
            with self.assertRaisesRegex(notebooks.Failure, "has not been executed"):
                notebooks.command_save(save)
            for wrong, said in ((notebook(metadata={"purexp": {"reps": 3}}), "PUREXP_REPS=3"), (notebook("y"), "edited after")):
                put(executed, wrong)
                with self.assertRaisesRegex(notebooks.Failure, said):
                    notebooks.command_save(save)
            shown = {"output_type": "display_data", "data": {"text/plain": "1"}}
            put(executed, notebook(metadata={"kernel": "7"}, id="new", outputs=[{**shown, "transient": {}}], execution_count=1))
            self.assertEqual(notebooks.command_save(save), 0)
        self.assertEqual(read(source), notebook(metadata={"language_info": {"name": "go", "pygments_lexer": "go"}}, outputs=[shown], execution_count=1))


class TestLinks(unittest.TestCase):
    def test_every_notebook(self):
        """Checks the parts of each link to mybinder.org: owner, repository, branch, and the file that JupyterLab opens."""
        text = (notebooks.SOURCES / "README.md").read_text(encoding="utf-8")
        opened = []
        for word in text.split("](")[1:]:
            url = urllib.parse.urlsplit(word.split(")")[0])
            if url.netloc != "mybinder.org" or not url.path:
                continue
            self.assertEqual((url.scheme, url.path, url.fragment), ("https", "/v2/gh/purexp/purexp/main", ""))
            query = urllib.parse.parse_qs(url.query, strict_parsing=True)
            self.assertEqual(list(query), ["urlpath"])
            lab, path = query["urlpath"][0].split("/notebooks/", 1)
            self.assertEqual(lab, "lab/tree")
            opened.append(path)
        there = [p.relative_to(notebooks.SOURCES).as_posix() for p in notebooks.SOURCES.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts]
        self.assertGreater(len(there), 30)
        self.assertEqual(sorted(opened), sorted(there))

    def test_mistakes(self):
        root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, root)
        sources = root / "notebooks"
        (sources / "rage").mkdir(parents=True)
        for name, title in (("a", "First | best"), ("rage/b c", "Second")):
            (sources / f"{name}.ipynb").write_text('{"cells": [{"cell_type": "markdown", "source": ["# %s"]}]}' % title, encoding="utf-8")
        with unittest.mock.patch.multiple(notebooks, ROOT=root, SOURCES=sources):
            readme, text = sources / "README.md", notebooks.listed()
            self.assertIn(r"[First \| best](a.ipynb)", text)
            self.assertIn("urlpath=lab/tree/notebooks/rage/b%20c.ipynb)", text)
            readme.write_text(text, encoding="utf-8")
            self.assertEqual(list(notebooks.check_links()), [])
            line = next(line for line in text.splitlines() if "b%20c" in line)
            for changed, said in (
                    (text.replace(line, ""), "exactly one link"),
                    (text.replace("/main?", "/HEAD?"), "expected https"),
                    (text.replace("lab/tree/notebooks/a.", "lab/tree/notebooks/c."), "does not exist"),
                    (text.replace("First", "Last"), "out of date")):
                readme.write_text(changed, encoding="utf-8")
                self.assertTrue(any(said in problem for problem in notebooks.check_links()), said)
            readme.unlink()
            self.assertTrue(list(notebooks.check_links()))
            readme.write_text(text, encoding="utf-8")
            (root / "README.md").write_text("[Binder](https://mybinder.org/v2/gh/purexp/purexp/main?labpath=notebooks/a.ipynb)", encoding="utf-8")
            self.assertEqual(len(list(notebooks.check_links())), 1)


if __name__ == "__main__":
    unittest.main()
