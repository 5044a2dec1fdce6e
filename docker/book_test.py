#!/usr/bin/env python3
"""Tests docker/book.py, book/ and docker/check_pages.py on a small book. First run `docker/setup python book`."""

import base64
import contextlib
import io
import json
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import book  # noqa: E402
import check_pages  # noqa: E402

REPOSITORY = book.ROOT


def png():
    """Returns a PNG image of one pixel, in base64."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
                            + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")).decode()


def notebook(alt="Arms in the plane", link="../docs/guide.md", count=1):
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "gonb", "language": "go", "display_name": "Go"},
                                                           "language_info": {"name": "go", "pygments_lexer": ""}}, "cells": [
        {"cell_type": "markdown", "id": "a", "metadata": {}, "source": f"# First\n\nSee [the guide]({link}), $x^2$.\n\n## Run it\n\nText."},
        {"cell_type": "code", "id": "b", "metadata": {}, "execution_count": count, "source": "%noautoget\n!true\nfmt.Println(`ok`)", "outputs": [
            {"output_type": "display_data", "data": {"image/png": png(), "text/plain": ""}, "metadata": {"alt": alt, "width": 900} if alt else {}}]}]}


class Book(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="purexp-book-test-")
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        shutil.copytree(REPOSITORY / "book", self.root / "book", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("README.md", "REFERENCES.bib", "CONTRIBUTING.md", "CHANGELOG.md"):
            self.write(name, "# " + name + "\n\n## Methods\n\nNone.\n\n## How it is built\n")
        self.write("REFERENCES.bib", (REPOSITORY / "REFERENCES.bib").read_text(encoding="utf-8"))
        self.write("docs/architecture.md", "# Architecture\n\n[code](../pkg/a/a.go#L1), [the notebook](../notebooks/00-start-here.ipynb).\n")
        self.write("docs/install.md", "# Install\n")
        self.write("docs/guide.md", "# Guide\n\n```{panel} sum\n:button: Add\nOne and one is two.\n```\n")
        (self.root / "docs" / "secukinumab.png").write_bytes(base64.b64decode(png()))
        self.write("pkg/a/a.go", "// Package a adds. It does no more.\npackage a\n")
        self.write("book/_static/panels/sum.js", 'purexp.panel("sum", e => { e.textContent = String(1 + 1); });')
        self.write("notebooks/00-start-here.ipynb", json.dumps(notebook()))
        book.ROOT = self.root
        self.addCleanup(setattr, book, "ROOT", REPOSITORY)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def build(self):
        """Builds the book, and returns the exit code and the output."""
        said = io.StringIO()
        run = subprocess.run
        def heard(*arguments, **options):
            done = run(*arguments, **options, capture_output=True, text=True)
            said.write(done.stdout + done.stderr)
            return done
        before, sys.argv = sys.argv, ["book.py", "build", "--strict", "--notebooks", str(self.root / "notebooks"), "--out", str(self.root / "build")]
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), unittest.mock.patch("subprocess.run", heard):
                return book.main(), said.getvalue()
        finally:
            sys.argv = before

    def page(self, name):
        return (self.root / "build" / "html" / name).read_text(encoding="utf-8")

    def test_pages(self):
        self.write("book/panels.json", json.dumps({"notebooks/00-start-here": [{"panel": "sum", "after": "Run it", "text": "A figure."}]}))
        code, said = self.build()
        self.assertEqual(code, 0, said)
        first = self.page("notebooks/00-start-here.html")
        self.assertIn('alt="Arms in the plane"', first)
        self.assertIn('<meta name="description" content="', first)
        self.assertIn("icons.css", first)
        self.assertNotIn("fontawesome", first)
        index = self.page("index.html")
        self.assertIn('<img src="_static/gallery/00-start-here.png" alt="" role="presentation"', index)
        self.assertTrue((self.root / "build/html/_static/gallery/00-start-here.png").is_file())
        self.assertIn("purexpPages", (self.root / "build/html/_static/language_data.js").read_text(encoding="utf-8"))
        self.assertIn("width: 900px", first)
        self.assertIn('href="../docs/guide.html"', first)
        if shutil.which("node"):
            self.assertIn("formulas.css", first)
            self.assertIn("<mjx-container", first)
            self.assertNotIn("tex-svg.js", first)
        else:
            self.assertIn("mathjax/tex-svg.js", first)
        self.assertIn("https://mybinder.org/v2/gh/purexp/purexp/main?urlpath=lab/tree/notebooks/00-start-here.ipynb", first)
        self.assertIn('data-script="../_static/panels/sum.js"', first)
        self.assertNotIn('src="../_static/panels', first)  # the script is loaded only when the button is pressed
        architecture = self.page("docs/architecture.html")
        self.assertIn('href="https://github.com/purexp/purexp/blob/main/pkg/a/a.go#L1"', architecture)
        self.assertNotIn("mathjax", architecture)
        self.assertIn("https://pkg.go.dev/github.com/purexp/purexp/pkg/a", self.page("api.html"))
        self.assertIn("Adds", self.page("api.html"))
        html = self.root / "build" / "html"
        pages = {p: check_pages.Page(p) for p in html.rglob("*.html") if "_static" not in p.parts}
        self.assertEqual([x for p in pages for x in check_pages.check_file(p, pages, html)], [])
        self.press(html / "docs" / "guide.html")

        # The file checks detect planted faults.
        guide = html / "docs" / "guide.html"
        guide.write_text('<html lang="en"><h1 id="x">A</h1><img src="https://example.org/a.png" alt="a"><img src="no.png">'
                         '<a href="#y">y</a><a href="../index.html#x">x</a><a href="#x">x</a></html>', encoding="utf-8")
        pages[guide] = check_pages.Page(guide)
        found = list(check_pages.check_file(guide, pages, html))
        self.assertEqual(len(found), 5, found)
        pages[guide].title = pages[html / "index.html"].title
        self.assertIn("has the title of", next(check_pages.check_titles(pages, html)))
        for part in ("from a network", "no alternative text", "no.png does not exist", "link #y has no such anchor", "index.html#x has no"):
            self.assertTrue(any(part in f for f in found), (part, found))

    def test_single(self):
        """A single page contains highlighted Go code and the alternative texts of figures."""
        out = self.root / "single"
        with unittest.mock.patch("sys.argv", ["book.py", "page", "--out", str(out), str(self.root / "notebooks/00-start-here.ipynb")]), \
                contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(book.main(), 0)
        text = (out / "00-start-here.html").read_text(encoding="utf-8")
        self.assertIn('alt="Arms in the plane"', text)
        self.assertIn("hl-go", text)

    def press(self, page):
        """Checks in Chromium that a page opened from disk loads a panel's script when its button is pressed."""
        chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        if chromium is None:
            print("book_test: Chromium is missing, so the panels were not tested (Debian: apt install chromium)", file=sys.stderr)
            return
        try:
            opened = check_pages.Browser(chromium).__enter__()
        except SystemExit as err:  # for example, Chromium has no sandbox for this user
            print(f"book_test: the panels were not tested: {err}", file=sys.stderr)
            return
        with contextlib.closing(opened) as browser:
            browser.open(page.as_uri(), *check_pages.VIEWS["light"])
            self.assertFalse(browser.evaluate("[...document.scripts].some(s => s.src.includes('panels'))"))
            browser.evaluate("document.querySelector('.purexp-run').click()")
            self.assertEqual(browser.evaluate(
                "new Promise(done => setTimeout(() => done(document.querySelector('.purexp-panel-body').textContent), 1000))"), "2")
            self.assertEqual(list(browser.faults()), [])
            # Browser.faults detects planted faults.
            browser.evaluate("setTimeout(() => { throw new Error('planted') }); fetch('https://example.org/').catch(() => 0); console.error('planted too')")
            browser.evaluate("new Promise(done => setTimeout(done, 500))")
            found = "\n".join(browser.faults())
            for part in ("throws Error: planted", "requests https://example.org/ from a network", "planted too"):
                self.assertIn(part, found)
            browser.evaluate("document.querySelector('article h1').style.color = '#ccc'; document.querySelector('article').insertAdjacentHTML('beforeend', '<p style=\"width: 3000px\">wide</p>')")
            found = "\n".join(browser.evaluate(check_pages.LOOK))
            self.assertIn("has text with a contrast of", found)

    def test_refused(self):
        for text, words in ((json.dumps(notebook(count=None)), "never executed"), ("{", "not a readable notebook")):
            self.write("notebooks/00-start-here.ipynb", text)
            code, said = self.build()
            self.assertEqual(code, 1)
            self.assertIn(words, said)

        self.write("notebooks/00-start-here.ipynb", json.dumps(notebook(alt="", link="../docs/gone.md")))
        self.write("docs/guide.md", "# Guide\n\n```{panel} gone\nText.\n```\n")
        self.write("book/panels.json", json.dumps({"docs/architecture": [{"panel": "sum", "after": "Nowhere"}]}))
        code, said = self.build()
        self.assertEqual(code, 1)
        for words in ("the figure has no alternative text", "gone.md", "book/_static/panels/gone.js does not exist", "the page has no section 'Nowhere'"):
            self.assertIn(words, said)


if __name__ == "__main__":
    unittest.main()
