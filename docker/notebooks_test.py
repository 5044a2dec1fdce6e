#!/usr/bin/env python3
"""Tests the list of notebooks: it opens every notebook on Binder, and faulty links are detected. Requires no network."""

import shutil
import sys
import tempfile
import unittest
import unittest.mock
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import notebooks  # noqa: E402


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
