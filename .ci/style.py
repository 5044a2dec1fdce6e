"""Lists unclear phrases in Go comments and messages, docs and notebooks, with replacements.

CONTRIBUTING.md describes the style of the project's texts.
"""

import json
import re
import subprocess

PHRASES = {
    r"\bthat there (is|are) (not|none)\b": "no X, unknown X",
    r"\b(which|where) there (is|are) none\b": "without X",
    r"\breckon": "count, estimate, use",
    r"\bof which nothing else\b": "name it",
    r"\bhangs? on\b": "depends on",
    r"\bnobody says\b": "unknown",
    r"\bwhoever\b": "say who",
    r"\bin the place of\b": "instead of",
    r"\ball that there (is|are)\b": "all X",
    r"\bthat (is|are) none\b": "no X",
    r"\bto be had\b": "available",
    r"; want ": "expected",
}

def text(path):
    """Returns the lines to check of a Markdown file, a notebook (only its Markdown cells) or a Go file."""
    with open(path, encoding="utf-8") as f:
        if path.endswith(".ipynb"):
            cells = json.load(f)["cells"]
            return [line for c in cells if c["cell_type"] == "markdown" for line in "".join(c["source"]).splitlines()]
        return f.read().splitlines()


names = subprocess.run(["git", "ls-files", "*.go", "*.md", "*.ipynb"], check=True, capture_output=True, text=True)
found = 0
for path in names.stdout.split():
    if path.endswith("_test.go"):
        continue
    for number, line in enumerate(text(path), 1):
        for phrase, better in PHRASES.items():
            if hit := re.search(phrase, line, re.IGNORECASE):
                found += 1
                print(f"{path}:{number}: {hit[0]!r}; write {better!r}")
if found:
    raise SystemExit(f"lint: found {found} unclear phrases; replace them as described in CONTRIBUTING.md")
