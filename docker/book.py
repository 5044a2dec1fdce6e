#!/usr/bin/env python3
"""Builds the book with Sphinx from the executed notebooks and docs/. Executes no notebook.

    book.py build [--notebooks DIR] [--out DIR]   build the book from the notebooks in DIR and their saved outputs
    book.py page [--out DIR] NOTEBOOK...          convert each notebook to one self-contained HTML file
    book.py program                               compile the WebAssembly program of the live panels, for `build`

The book has the layout of the repository, so links between files become links between pages. The folder book/ contains
the settings, texts and styles; this file assigns the pages to chapters. First run `docker/setup python book`.
"""

import argparse
import base64
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULE = "github.com/purexp/purexp"
SITE = "https://purexp.github.io/purexp/"
# The address has the form that sphinx-book-theme uses: https://mybinder.org/v2/gh/OWNER/REPOSITORY/BRANCH?urlpath=lab/tree/FILE
BINDER = "https://mybinder.org/v2/gh/purexp/purexp/main?urlpath=lab/tree/"

# Chapters with pages of docs/, in reading order. Pages missing here are appended to the first chapter.
GUIDES = {
    "Your own measurements": [
        "install", "quick-start", "your-problem", "plan", "planner", "designs", "good-enough", "run-a-campaign", "serve", "plates", "monitors", "certificate",
        "contextual-campaigns", "stories"],
    "Methods and studies": ["methods", "write-a-policy", "protocol", "python", "related-software", "reproduced", "verdicts", "betting", "sweeps", "scale", "side-by-side"],
    "Project": ["architecture", "release"],
}

# Folders of notebooks/, with the title of the chapter and the paper. For other folders, the title is the folder's name.
PAPERS = {
    "ecape": ("e-cAPE: constrained Pareto sets", "kone2025constrained"),
    "rage": ("RAGE: transductive linear bandits", "fiez2019sequential"),
    "gege": ("GEGE: Pareto sets in linear models", "kone2025linear"),
    "linfact": ("LinFACT: all ε-best arms", "li2025identifying"),
    "pfiwr": ("PFIwR: Pareto fronts with low regret", "kim2023pareto"),
}


class Failure(Exception):
    """An error that is reported to the user without a traceback."""


def main():
    parser = argparse.ArgumentParser(prog="book.py", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build", help="write the book")
    build.add_argument("--notebooks", type=Path, default=ROOT / "notebooks", metavar="DIR",
                       help="folder of executed notebooks (default: notebooks/, with the outputs stored there)")
    build.add_argument("--out", type=Path, default=ROOT / "build" / "pages", metavar="DIR",
                       help="output folder; the book is in its subfolder html (default: build/pages)")
    build.add_argument("--reps", default=os.environ.get("PUREXP_REPS", ""), metavar="N",
                       help="replicates of a quick run; every page then shows a note (default: $PUREXP_REPS)")
    build.add_argument("--strict", action="store_true", help="fail on any warning, such as a broken link")
    page = commands.add_parser("page", help="convert notebooks to self-contained HTML files")
    page.add_argument("--out", type=Path, default=ROOT / "build" / "single", metavar="DIR", help="default: build/single")
    page.add_argument("notebooks", nargs="+", type=Path, metavar="NOTEBOOK")
    commands.add_parser("program", help="compile the program of the live panels into build/wasm")
    args = parser.parse_args()
    try:
        {"build": command_build, "page": command_page, "program": lambda _: module()}[args.command](args)
    except Failure as failure:
        print(f"book: {failure}", file=sys.stderr)
        return 1
    return 0


# --- build ----------------------------------------------------------------------------------------------------------


def command_build(args):
    start = time.monotonic()
    out, given = args.out.resolve(), args.notebooks.resolve()
    notebooks = [p for p in given.rglob("*.ipynb") if not any(d.startswith(".") for d in p.relative_to(given).parts)]
    if not notebooks:
        raise Failure(f"{shown(given)}: the folder contains no notebooks; run `make notebooks` first")
    for path in notebooks:
        if not executed(path):
            raise Failure(f"{shown(path)}: some cells were never executed; "
                          "run `make notebooks notebooks-save`, then build the book again")
    work = out / "book"
    shutil.rmtree(work, ignore_errors=True)
    source = work / "source"
    stage(source, given, notebooks)
    sphinx(source, work / "html", work / "doctrees", args.reps, args.strict)
    # The previous book is replaced only after the new book is complete.
    html = out / "html"
    shutil.rmtree(html, ignore_errors=True)
    (work / "html").rename(html)
    shutil.rmtree(work)
    print(f"book: {len(notebooks)} notebooks in {time.monotonic() - start:.0f} s; open {shown(html / 'index.html')}")


def executed(path):
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        return all(c["cell_type"] != "code" or not "".join(c["source"]).strip() or c["execution_count"] for c in cells)
    except (OSError, ValueError, KeyError, TypeError) as err:
        raise Failure(f"{shown(path)}: not a readable notebook: {err!r}") from None


def stage(source, given, notebooks):
    """Copies the input files of Sphinx to the folder source, with the same paths as in the repository."""
    shutil.copytree(ROOT / "book", source, ignore=shutil.ignore_patterns("*.j2", "__pycache__", "single"))
    put(mathjax(), source / "_static" / "mathjax" / "tex-svg.js")
    if program := module():
        put(program, source / "_static" / "live" / "module.js")
    for path in notebooks:
        put(path, source / "notebooks" / path.relative_to(given))
    files = [*ROOT.glob("docs/*"), *ROOT.glob("data/*/README.md"), *ROOT.glob("pkg/study/*/README.md"),
             *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "REFERENCES.bib"))]
    for path in files:
        if path.is_file():
            put(path, source / path.relative_to(ROOT))
    import jinja2

    templates = jinja2.Environment(loader=jinja2.FileSystemLoader(ROOT / "book"), undefined=jinja2.StrictUndefined)
    about = json.loads((ROOT / "book" / "pages.json").read_text(encoding="utf-8"))
    descriptions = {name: page["say"] for name, page in about.items()}
    scorer = (ROOT / "book" / "scorer.js").read_text(encoding="utf-8")
    (source / "scorer.js").write_text(f"const purexpPages = {json.dumps(descriptions, ensure_ascii=False)};\n{scorer}", encoding="utf-8")
    for name, values in (("index.md", {"parts": gallery(source, parts(source), about)}), ("api.md", {"packages": packages(), "module": MODULE})):
        (source / name).write_text(templates.get_template(name + ".j2").render(values), encoding="utf-8")


def put(path, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)


def parts(source):
    """Returns the chapters, each with a title, a text and page names without suffix. Every page is in a chapter."""
    def names(pattern):
        # Notebooks precede the folders beside them, so 00-start-here.ipynb is first.
        return sorted(p.relative_to(source).with_suffix("").as_posix() for p in source.glob(pattern))

    docs = names("docs/*.md")
    named = {f"docs/{name}" for pages in GUIDES.values() for name in pages}
    guides = {title: [f"docs/{name}" for name in pages if f"docs/{name}" in docs] for title, pages in GUIDES.items()}
    next(iter(guides.values())).extend(name for name in docs if name not in named)

    result = [{"title": "Notebooks", "text": "", "pages": names("notebooks/*.ipynb")}]
    own, methods, project = guides.items()
    result.append({"title": own[0], "text": "", "pages": own[1]})
    result.append({"title": methods[0], "text": "", "pages": methods[1]})
    folders = sorted({p.parent.name for p in source.glob("notebooks/*/*.ipynb")} | {p.parent.name for p in source.glob("pkg/study/*/README.md")},
                     key=lambda f: (list(PAPERS).index(f) if f in PAPERS else len(PAPERS), f))
    for folder in folders:
        title, key = PAPERS.get(folder, (folder.replace("-", " ").capitalize(), ""))
        text = "The paper is {cite:t}`" + key + "`. The last page of this chapter lists what the paper leaves open, and our choices." if key else ""
        result.append({"title": title, "text": text,
                       "pages": names(f"notebooks/{folder}/*.ipynb") + names(f"pkg/study/{folder}/README.md")})
    result.append({"title": "Data", "text": "", "pages": names("data/*/README.md")})
    result.append({"title": project[0], "text": "", "pages": [*project[1], "CONTRIBUTING", "CHANGELOG", "api", "references"]})
    return [part for part in result if part["pages"]]


TITLES = {"api": "Packages", "references": "References"}


def gallery(source, chapters, about):
    """Adds to each chapter the cards of the front page: the title, description and picture of each page."""
    for chapter in chapters:
        chapter["cards"] = []
        for name in chapter["pages"]:
            known = about.get(name, {})
            card = {"link": name + ".html", "title": TITLES.get(name, ""), "of": known.get("of", ""), "say": known.get("say", ""), "picture": "",
                    "notebook": name.startswith("notebooks/")}
            path = source / name
            if card["notebook"]:
                cells = json.loads(path.with_suffix(".ipynb").read_text(encoding="utf-8"))["cells"]
                text = "".join(next((c["source"] for c in cells if c["cell_type"] == "markdown"), ""))
                card["picture"] = thumbnail(cells, source / "_static" / "gallery", name.removeprefix("notebooks/").replace("/", "-"))
            elif not card["title"]:
                text = path.with_suffix(".md").read_text(encoding="utf-8")
                still = re.search(r"^!\[[^\]]*\]\(([\w-]+\.svg)\)$", text, re.MULTILINE)
                if still:  # a static figure of a page with a live panel
                    put(path.parent / still[1], source / "_static" / "gallery" / still[1])
                    card["picture"] = f"_static/gallery/{still[1]}"
            if not card["title"]:
                card["title"] = (re.findall(r"^# (.*)$", text, re.MULTILINE) or [name])[0].replace("`", "")
            card["tile"] = bool(card["notebook"] or card["picture"])
            chapter["cards"].append(card)
    return chapters


def thumbnail(cells, folder, name):
    """Writes a thumbnail of the first figure of a notebook. Returns its path in the book, or "" without a figure."""
    figures = (output for cell in cells for output in cell.get("outputs", []) if output.get("data", {}).get("image/png"))
    first = next(figures, None)
    if first is None:
        return ""
    import io

    from PIL import Image

    image = Image.open(io.BytesIO(base64.b64decode("".join(first["data"]["image/png"])))).convert("RGB")
    width, height = image.size
    shown = max(1, min(height, width * 2 // 3))
    about = first.get("metadata", {})  # tall figures are cropped below the title and the legend
    top = min(height - shown, about.get("head", 0) * width // about.get("width", width))
    image = image.crop((0, top, width, top + shown))
    image.thumbnail((480, 320), Image.Resampling.LANCZOS)
    folder.mkdir(parents=True, exist_ok=True)
    image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(folder / f"{name}.png", optimize=True)
    return f"_static/gallery/{name}.png"


def packages():
    """Returns the public packages, each with the first sentence of its documentation."""
    found = {}
    for path in sorted([*ROOT.glob("pkg/**/*.go"), *ROOT.glob("cmd/**/*.go"), *ROOT.glob("data/*.go")]):
        folder = path.parent.relative_to(ROOT)
        if path.name.endswith("_test.go") or {"internal", "testdata"} & set(folder.parts) or folder in found:
            continue
        comment = re.search(r"^((?://.*\n)+)package \w+$", path.read_text(encoding="utf-8"), re.MULTILINE)
        if comment:
            text = " ".join(line.removeprefix("//").strip() for line in comment[1].splitlines() if not line.startswith("//go:"))
            sentence = re.split(r"(?<=[.:])\s", text.strip(), maxsplit=1)[0]
            sentence = re.sub(r"^(Package|Command) \w+ (is )?", "", sentence).rstrip(".:")
            sentence = re.sub(r"\[([A-Za-z.]+)\]", r"`\1`", sentence).replace("|", "\\|")
            found[folder] = sentence[:1].upper() + sentence[1:]
    return [{"path": folder.as_posix(), "about": about} for folder, about in sorted(found.items())]


def module():
    """Compiles cmd/purexp-wasm to WebAssembly and stores it as text in a script for book/_static/live/live.js.

    Returns the path of the script in build/wasm. Without Go, the function returns None. The panels then show their
    figures and texts, and report the missing program when their button is pressed.
    """
    go = shutil.which("go", path=os.environ.get("PATH", "") + ":/usr/local/go/bin")
    if go is None or not (ROOT / "cmd" / "purexp-wasm").is_dir():
        print("book: Go is missing, so the live panels will not run; install Go from https://go.dev/dl/", file=sys.stderr)
        return None
    def run(*arguments, **environment):
        done = subprocess.run([go, *arguments], cwd=ROOT, env=dict(os.environ, **environment), capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failure(f"go {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout.strip()
    # gonum/plot embeds 6 MB of fonts and formats that no page uses; a modified copy omits them. Because the build cache
    # identifies files by content, Go does not recompile unchanged packages.
    work = ROOT / "build" / "wasm"
    plot = Path(run("list", "-m", "-f", "{{.Dir}}", "gonum.org/v1/plot"))
    copy = work / "plot"
    shutil.rmtree(copy, ignore_errors=True)
    for path in [plot / "go.mod", *plot.rglob("*.go")]:
        if not path.name.endswith("_test.go") and "testdata" not in path.parts:
            put(path, copy / path.relative_to(plot))
    overlay = ROOT / "cmd" / "purexp-wasm" / "_overlay"
    put(overlay / "vgall.go", copy / "vgall.go")
    put(overlay / "liberation.go", copy / "font" / "liberation" / "liberation.go")
    put(overlay / "latex.go", copy / "text" / "latex.go")
    put(ROOT / "go.mod", work / "go.mod")
    put(ROOT / "go.sum", work / "go.sum")
    run("mod", "edit", f"-replace=gonum.org/v1/plot={copy}", str(work / "go.mod"))
    wasm = work / "purexp.wasm"
    # Disabling inlining in packages that are not time-critical saves 190 kB of the compressed program.
    calm = ("fmt", "time", "encoding/...", "regexp/...", "github.com/pelletier/...", "golang.org/x/image/...", "gonum.org/v1/plot/...",
            *(f"{MODULE}/pkg/{name}" for name in ("fig/...", "tidy", "campaign/problem", "live", "question", "explore", "policy")))
    run("build", f"-modfile={work / 'go.mod'}", "-trimpath", "-ldflags=-s -w", "-gcflags=all=-dwarf=false",
        *(f"-gcflags={path}=-l -dwarf=false" for path in calm), "-o", str(wasm), "./cmd/purexp-wasm", GOOS="js", GOARCH="wasm", GOWORK="off")
    start = Path(run("env", "GOROOT"), "lib", "wasm", "wasm_exec.js").read_text(encoding="utf-8")
    program = wasm.read_bytes()
    # Compression takes longer than an incremental build, so an unchanged program is not compressed again.
    script, key = work / "module.js", work / "module.key"
    digest = hashlib.sha256(start.encode() + program).hexdigest()
    if script.is_file() and key.is_file() and key.read_text() == digest:
        return script
    key.unlink(missing_ok=True)
    packed = gzip.compress(program, 9, mtime=0)
    if len(packed) > 6_000_000:
        raise Failure(f"cmd/purexp-wasm: the compressed program has {len(packed)} bytes; expected at most 6 000 000")
    parts = {"exec": start, "wasm": base64.b64encode(packed).decode()}
    script.write_text(f"purexp.module = {json.dumps(parts)};\n", encoding="utf-8")
    key.write_text(digest)
    print(f"book: the program of the live panels has {len(program) / 1e6:.1f} MB, {len(packed) / 1e6:.1f} MB compressed")
    return script


def sphinx(source, html, doctrees, reps, strict):
    # One process only distributes work to the others.
    processes = 1 + (os.cpu_count() or 1)
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-j", str(processes), "-d", str(doctrees)]
    if strict:
        command += ["-W", "--keep-going"]
    environment = dict(os.environ, PUREXP_BOOK_REPS=reps, PUREXP_BOOK_REPOSITORY=str(ROOT), PUREXP_BOOK_MATHJAX=str(mathjax().parent))
    try:
        code = subprocess.run([*command, str(source), str(html)], env=environment, check=False).returncode
    except OSError as err:
        raise Failure(err) from None
    if code:
        raise Failure("Sphinx failed (see above); if Sphinx is missing, run `docker/setup python book` or `make pages`")


def mathjax():
    """Returns the path of MathJax 3.2.2 with SVG output."""
    import importlib.util

    # Only the files of the package are needed; importing the package would require Sphinx.
    spec = importlib.util.find_spec("sphinx-mathjax-offline")
    if spec is None or spec.origin is None:
        raise Failure(f"sphinx-mathjax-offline is missing in {sys.prefix}; run `make setup`, then `make pages`, which uses the right Python")
    return Path(spec.origin).parent / "static" / "mathjax" / "tex-svg.js"


# --- page -----------------------------------------------------------------------------------------------------------


def command_page(args):
    try:
        import nbconvert
        import nbformat
    except ImportError as err:
        raise Failure(f"{err} in {sys.executable}; run `make setup`, then `make page`, which uses the right Python") from None
    args.out.mkdir(parents=True, exist_ok=True)
    exporter = nbconvert.HTMLExporter(
        template_name="single", extra_template_basedirs=[str(ROOT / "book")], language_code="en", embed_images=True)
    script = mathjax().read_text(encoding="utf-8").replace("</script", "<\\/script")
    for path in args.notebooks:
        try:
            notebook = nbformat.read(path, as_version=4)
        except (OSError, ValueError, nbformat.validator.NotebookValidationError) as err:
            raise Failure(f"{shown(path)}: not a readable notebook: {err}") from None
        notebook.metadata["language_info"] = {"name": "go", "pygments_lexer": "go"}  # GoNB leaves the lexer empty
        body, _ = exporter.from_notebook_node(notebook, resources={"metadata": {"name": path.stem}, "mathjax": script})
        if ROOT / "notebooks" in path.resolve().parents:  # links to other notebooks become links to pages of the published book
            base = SITE + path.resolve().parent.relative_to(ROOT).as_posix() + "/"
            body = re.sub(r'(<a\b[^>]*\bhref=")(?![a-z]+:)([^"#?]+)\.ipynb(["#])', rf"\1{base}\2.html\3", body)
        target = args.out / path.with_suffix(".html").name
        target.write_text(body, encoding="utf-8")
        print(f"book: wrote {shown(target)}")


def shown(path):
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return str(path)


if __name__ == "__main__":
    sys.exit(main())
