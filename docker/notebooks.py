#!/usr/bin/env python3
"""Runs the notebooks headless, turns them into HTML pages, and keeps them tidy.

    notebooks.py run [NOTEBOOK...]   executes notebooks into build/notebooks, and writes build/html
    notebooks.py save [NOTEBOOK...]  copies executed notebooks over their sources in notebooks/
    notebooks.py pages               writes pages of the notebooks with the outputs that are kept in notebooks/
    notebooks.py check               looks for mistakes that need no execution (used by `make lint`)

`run`, `save` and `pages` need the environment that docker/setup makes (`make setup`); `check` only needs Python.
"""

import argparse
import asyncio
import atexit
import html
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "notebooks"
KERNEL = "gonb"

class Failure(Exception):
    """Something to tell the user, without a Python traceback."""


def main():
    parser = argparse.ArgumentParser(prog="notebooks.py", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)

    run = commands.add_parser("run", help="execute notebooks and write their pages")
    run.add_argument("--out", type=Path, default=ROOT / "build", help="folder of the results (default: build)")
    run.add_argument("--timeout", type=float, metavar="SECONDS", help="longest time of one cell"
                     " (default: $PUREXP_CELL_TIMEOUT, or 3600)")
    run.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK", help="default: all below notebooks/")

    save = commands.add_parser("save", help="copy executed notebooks over their sources")
    save.add_argument("--out", type=Path, default=ROOT / "build", help="folder of the results (default: build)")
    save.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK", help="default: all below notebooks/")

    pages = commands.add_parser("pages", help="write the pages of the notebooks with the outputs that are kept")
    pages.add_argument("--out", type=Path, default=ROOT / "build" / "pages", help="folder of the results (default: build/pages)")

    commands.add_parser("check", help="look for mistakes without executing anything")

    args = parser.parse_args()
    try:
        return {"run": command_run, "save": command_save, "pages": command_pages, "check": command_check}[args.command](args)
    except Failure as failure:
        print(f"notebooks: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nnotebooks: interrupted; what was finished is in place", file=sys.stderr)
        return 130


def sources(chosen=()):
    """The notebooks asked for, or all of them, as paths below notebooks/, in the order of their names."""
    if not chosen:
        found = [p for p in SOURCES.rglob("*.ipynb") if not any(d.startswith(".") for d in p.relative_to(ROOT).parts)]
        # A notebook comes before the folders beside it: 00-start-here.ipynb is first.
        return sorted((p.relative_to(SOURCES) for p in found), key=lambda p: (str(p.parent), p.name))
    result = []
    for path in chosen:
        path = path.resolve()
        if not path.is_file():
            raise Failure(f"{path}: no such notebook")
        if SOURCES not in path.parents or path.suffix != ".ipynb":
            raise Failure(f"{path}: not a notebook below {SOURCES}")
        result.append(path.relative_to(SOURCES))
    return result


# --- run ------------------------------------------------------------------------------------------------------------


def command_run(args):
    libraries()
    timeout = args.timeout
    if timeout is None:
        text = os.environ.get("PUREXP_CELL_TIMEOUT", "") or "3600"
        try:
            timeout = float(text)
        except ValueError:
            raise Failure(f"PUREXP_CELL_TIMEOUT={text!r} is not a number of seconds") from None
    if timeout <= 0:
        raise Failure(f"a cell needs a positive time, not {timeout:g} s")
    reps = os.environ.get("PUREXP_REPS", "")
    if reps and not (reps.isdigit() and int(reps) > 0):
        raise Failure(f"PUREXP_REPS={reps!r} is not a positive whole number")

    todo = sources(args.notebooks)
    out = args.out.resolve()
    (out / "html").mkdir(parents=True, exist_ok=True)
    if not todo:
        print(f"notebooks: there are none in {SOURCES}")
    start, failed = time.monotonic(), []
    for i, path in enumerate(todo, 1):
        executed, page, log = out / "notebooks" / path, out / "html" / path.with_suffix(".html"), out / "logs" / path.with_suffix(".log")
        for old in (executed, page):
            old.unlink(missing_ok=True)
            old.parent.mkdir(parents=True, exist_ok=True)
        log.parent.mkdir(parents=True, exist_ok=True)
        progress = Progress(f"[{i}/{len(todo)}] {path}")
        try:
            notebook = read(SOURCES / path)
            if reps:
                notebook.metadata["purexp"] = {"reps": int(reps)}  # tells `save` that this is not the real thing
            execute(notebook, SOURCES / path, timeout, log, progress)
            write(notebook, executed)
            page.write_text(to_html(notebook, path, reps), encoding="utf-8")
            if page.stat().st_size == 0:
                raise Failure(f"{page} is empty")
        except Failure as failure:
            for half in (executed, page):
                half.unlink(missing_ok=True)
            failed.append(path)
            progress.end(f"FAILED after {duration(time.monotonic() - progress.start)}")
            print(failure, file=sys.stderr)
            continue
        progress.end(f"{progress.cells} code cells, {duration(time.monotonic() - progress.start)}")
    write_index(out, reps)
    print(f"notebooks: {len(todo) - len(failed)} of {len(todo)} done in {duration(time.monotonic() - start)}; "
          f"open {shown(out / 'html' / 'index.html')}")
    if failed:
        print("notebooks: failed: " + ", ".join(map(str, failed)), file=sys.stderr)
        return 1
    return 0


def libraries():
    """Imports what is not in the standard library, once it is known to be wanted."""
    global nbformat, nbclient, nbconvert, jupyter_client
    # This project's kernel and no other; connection files go to a temporary folder, see execute.
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
    try:
        import jupyter_client.manager
        import jupyter_client.kernelspec
        import nbclient.exceptions
        import nbconvert
        import nbformat
    except ImportError as err:
        raise Failure(f"{err} in {sys.executable}: run `make setup`, then use its Python (`make notebooks` does)") from None


def read(path):
    try:
        return nbformat.read(path, as_version=4)
    except (OSError, ValueError, nbformat.validator.NotebookValidationError) as err:
        raise Failure(f"{shown(path)}: not a readable notebook: {err}") from None


def write(notebook, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


def execute(notebook, path, timeout, log, progress):
    """Runs all cells of notebook, in place. path is where it came from: its folder is the working directory."""
    cells = [i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code" and cell.source.strip()]
    progress.cells = len(cells)
    current = None  # index of the cell that runs

    def started(cell, cell_index):
        nonlocal current
        current = cell_index
        progress.cell(cells.index(cell_index) + 1)

    def done(cell, cell_index, execute_reply):
        progress.cell_done()

    # Connection file, Go's and GoNB's temporary files: gone at the end, whatever happened.
    scratch = tempfile.mkdtemp(prefix="purexp-")
    specs = jupyter_client.kernelspec.KernelSpecManager(
        kernel_dirs=[os.path.join(sys.prefix, "share", "jupyter", "kernels")], ensure_native_kernel=False)
    try:
        specs.get_kernel_spec(KERNEL)
    except jupyter_client.kernelspec.NoSuchKernel:
        raise Failure(f"the kernel {KERNEL!r} is not installed in {sys.prefix}: run `make setup`") from None
    manager = jupyter_client.manager.AsyncKernelManager(
        kernel_name=KERNEL, kernel_spec_manager=specs, connection_file=os.path.join(scratch, f"kernel-{uuid.uuid4()}.json"))
    client = nbclient.NotebookClient(
        notebook, km=manager, kernel_name=KERNEL, timeout=timeout, startup_timeout=120,
        on_cell_execute=started, on_cell_executed=done, resources={"metadata": {"path": str(path.parent)}})
    environment = dict(os.environ, PUREXP_RAW_ERRORS="1", TMPDIR=scratch)
    group = None  # the kernel's process, which leads a session
    try:
        with open(log, "wb") as stderr:
            def note_group(**_):  # while it is known
                nonlocal group
                group = getattr(manager.provisioner, "pgid", None)
            client.on_notebook_start = client.on_cell_start = note_group
            in_thread(client.async_execute, progress, cleanup_kc=True, stdout=stderr, stderr=stderr,
                      env=environment, cwd=str(path.parent))
    except nbclient.exceptions.CellExecutionError:
        raise Failure(describe(notebook, path, current, cell_error(notebook.cells[current]))) from None
    except nbclient.exceptions.CellTimeoutError:
        raise Failure(describe(notebook, path, current, f"took longer than {timeout:g} s "
                               "(PUREXP_CELL_TIMEOUT allows more)")) from None
    except (nbclient.exceptions.DeadKernelError, RuntimeError, OSError) as err:
        tail = log.read_text(errors="replace").splitlines()[-20:]
        raise Failure(describe(notebook, path, current, "\n".join(
            [f"the kernel stopped: {err}", f"the end of {shown(log)}:", *tail]))) from None
    finally:
        atexit.unregister(client._cleanup_kernel)  # left behind when a kernel does not start
        end_session(group)
        remove(scratch)
    # GoNB reports the failure of a `!command` on the cell's error stream and goes on.
    for i in cells:
        if re.search(r"^!", notebook.cells[i].source, re.MULTILINE):
            text = stream(notebook.cells[i], "stderr")
            if "exit status" in text:
                raise Failure(describe(notebook, path, i, "a shell command failed:\n" + text))


def in_thread(function, progress, **arguments):
    """Runs an asynchronous function to its end in a thread, showing progress.

    nbclient takes signals for itself when it runs in the main thread, and then an interrupt looks like a dead kernel.
    Here an interrupt, or a request to terminate, cancels the function, which stops its kernel, and then ends us.
    """
    loop, result = asyncio.new_event_loop(), {}

    def work():
        asyncio.set_event_loop(loop)
        try:
            result["task"] = task = loop.create_task(function(**arguments))
            loop.run_until_complete(task)
        except BaseException as err:  # handed to the main thread
            result["error"] = err
        finally:
            rest = asyncio.all_tasks(loop)
            for task in rest:
                task.cancel()
            loop.run_until_complete(asyncio.gather(*rest, return_exceptions=True))
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()

    def terminate(*_):
        raise KeyboardInterrupt

    thread = threading.Thread(target=work, daemon=True)
    before = signal.signal(signal.SIGTERM, terminate)
    try:
        thread.start()
        while thread.is_alive():
            thread.join(1)
            progress.show()
    except KeyboardInterrupt:
        if "task" in result and thread.is_alive():
            loop.call_soon_threadsafe(result["task"].cancel)
            thread.join(30)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)
    if "error" in result:
        raise result["error"]


def end_session(leader):
    """Ends what outlives a kernel that was killed: the program of a cell, and gopls, which has a group of its own."""
    if not leader:
        return
    if os.path.isdir("/proc/self"):
        names = [name for name in os.listdir("/proc") if name.isdigit()]
    else:
        names = subprocess.run(["ps", "-A", "-o", "pid="], capture_output=True, text=True).stdout.split()
    for pid in map(int, names):
        try:
            if os.getsid(pid) == leader:
                os.kill(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


def remove(folder):
    # Files of Go's module cache are read-only; ours should not be there, but a cell can set GOPATH.
    def unlock(function, name, _):
        os.chmod(os.path.dirname(name), 0o700)
        os.chmod(name, 0o700)
        function(name)
    try:
        shutil.rmtree(folder, onerror=unlock)
    except OSError as err:
        print(f"notebooks: {folder} could not be removed: {err}", file=sys.stderr)


def describe(notebook, path, index, error):
    """What a person needs who sees only the log: which notebook, which cell, its source, its error."""
    lines = [f"notebooks: {shown(path)} failed"]
    if index is not None:
        lines[0] += f" in cell {index + 1} of {len(notebook.cells)}:"
        lines += ["    | " + line for line in notebook.cells[index].source.splitlines()]
    return "\n".join(lines + [error.rstrip()])


def cell_error(cell):
    """The error of a failed cell: what it wrote to its error stream, then what the kernel said."""
    parts = [stream(cell, "stderr")]
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            parts.append("\n".join(output.get("traceback", [])) or f"{output.ename}: {output.evalue}")
    return plain("\n".join(p for p in parts if p.strip())) or "no message"


def stream(cell, name):
    return "".join(o.text for o in cell.get("outputs", []) if o.output_type == "stream" and o.name == name)


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)


def shown(path):
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def duration(seconds):
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {seconds:02d} s"


class Progress:
    """One line that changes on a terminal; elsewhere a line per notebook, and one per slow cell."""

    SLOW = 10  # seconds

    def __init__(self, name):
        self.name, self.cells, self.number = name, 0, 0
        self.start = self.cell_start = time.monotonic()
        self.live = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"

    def show(self):
        if self.live:
            text = f"{self.name}: cell {self.number} of {self.cells}, {duration(time.monotonic() - self.start)}"
            width = shutil.get_terminal_size().columns - 1
            print(f"\r\x1b[K{text[:width]}", end="", flush=True)

    def cell(self, number):
        self.number, self.cell_start = number, time.monotonic()
        self.show()

    def cell_done(self):
        elapsed = time.monotonic() - self.cell_start
        if not self.live and elapsed >= self.SLOW:
            print(f"{self.name}: cell {self.number} of {self.cells} took {duration(elapsed)}", flush=True)

    def end(self, text):
        print(("\r\x1b[K" if self.live else "") + f"{self.name}: {text}", flush=True)


# --- pages ----------------------------------------------------------------------------------------------------------


def to_html(notebook, path, reps):
    """The page of an executed notebook. It needs no network, and no file beside it."""
    notebook = nbformat.from_dict(notebook)
    notebook.metadata["title"] = f"{summary(notebook)[0] or path.stem} · purexp"
    notebook.metadata["language_info"] = {"name": "go", "pygments_lexer": "go"}  # GoNB leaves the lexer empty
    exporter = nbconvert.HTMLExporter(
        template_name="purexp", extra_template_basedirs=[str(ROOT / "docker" / "template")], language_code="en")
    resources = {"metadata": {"name": path.stem}, "purexp": {
        "index": "../" * (len(path.parts) - 1) + "index.html",
        "source": "notebooks/" + path.as_posix(),
        "reps": reps,
        # 2.1 MB, hence only in pages that need it.
        "mathjax": mathjax() if uses_math(notebook) else "",
    }}
    body, _ = exporter.from_notebook_node(notebook, resources=resources)
    # Links between notebooks are links between their pages.
    body = re.sub(r'(<a\b[^>]*\bhref=")(?![a-z]+:)([^"#?]+)\.ipynb(["#])', r"\1\2.html\3", body)
    own = body.replace(resources["purexp"]["mathjax"] or "\0", "")
    if fetched := re.search(r"""<(?:script|img|link|iframe|source|video|audio)\b[^>]*?\s(?:src|href)\s*=\s*["']?((?:https?:)?//[^"'\s>]*)""", own):
        raise Failure(f"notebooks: {shown(SOURCES / path)}: its page would fetch {fetched[1]}, "
                      "but pages must open without a network: show the picture or the table itself")
    return body


def mathjax():
    """MathJax 3.2.2 with SVG output in one script."""
    import importlib.util

    # The package is a folder of files; importing it would want Sphinx.
    spec = importlib.util.find_spec("sphinx-mathjax-offline")
    if spec is None or spec.origin is None:
        raise Failure(f"sphinx-mathjax-offline is missing in {sys.prefix}: run `make setup`")
    script = (Path(spec.origin).parent / "static" / "mathjax" / "tex-svg.js").read_text(encoding="utf-8")
    return script.replace("</script", "<\\/script")


MATH = re.compile(r"(?<!\\)\$[^$]+\$|\\\(|\\\[|\\begin\{")


def uses_math(notebook):
    """Whether MathJax has something to do in the page of notebook; when in doubt, it has."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            text = re.sub(r"```.*?```|`[^`\n]*`", "", cell.source, flags=re.DOTALL)
            if MATH.search(text):
                return True
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "text/latex" in data:
                return True
            text = "".join(data.get("text/markdown", "")) + "".join(data.get("text/html", ""))
            if MATH.search(re.sub(r"<(script|style|pre|code)\b.*?</\1>", "", text, flags=re.DOTALL)):
                return True
    return False


def summary(notebook):
    """The first heading and the first paragraph of a notebook, as plain text; either can be empty."""
    title, paragraph, fenced = "", "", False
    for cell in notebook["cells"]:
        if cell["cell_type"] != "markdown":
            continue
        for block in re.split(r"\n\s*\n|\n(?=#)|(?<=\n)(?=#)", "".join(cell["source"])):
            heading, lines = None, []
            for line in block.strip().splitlines():
                if line.startswith("```"):
                    fenced = not fenced
                elif not fenced and re.match(r"#{1,6}\s", line) and not lines and heading is None:
                    heading = line.lstrip("#").strip()
                elif not fenced:
                    lines.append(line.strip())
            if heading and not title:
                title = unmarked(heading)
            text = " ".join(lines)
            # A paragraph is prose: not a list, a table, a picture, a formula or a raw tag.
            if title and text and not re.match(r"([-*+>|]|\d+\.)\s|\||!\[|<|\$\$", text):
                return title, unmarked(text)
    return title, paragraph


def unmarked(text):
    """Markdown to plain text, for a title or a sentence or two."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(\*\*|__)(.+?)\1", r"\2", text)
    text = re.sub(r"(?<![\w*])[*_](.+?)[*_](?![\w*])", r"\1", text)
    text = re.sub(r"`([^`]*)`", r"\1", text)
    text = re.sub(r"(?<!\\)\$([^$]+)\$", lambda m: formula(m[1]), text)
    return re.sub(r"\\([$*_`#\[\]])", r"\1", text)


SYMBOLS = {
    "varepsilon": "ε", "epsilon": "ε", "delta": "δ", "Delta": "Δ", "theta": "θ", "mu": "μ", "sigma": "σ", "lambda": "λ",
    "alpha": "α", "beta": "β", "gamma": "γ", "eta": "η", "rho": "ρ", "pi": "π", "le": "≤", "leq": "≤", "ge": "≥",
    "geq": "≥", "times": "×", "cdot": "·", "in": "∈", "ldots": "…", "dots": "…", "infty": "∞", "approx": "≈", "ell": "ℓ",
}


def formula(tex):
    """A short formula in plain text: good enough for a list of contents."""
    tex = re.sub(r"\\([A-Za-z]+)", lambda m: SYMBOLS.get(m[1], "" if m[1] in ("mathbb", "mathcal", "mathrm", "text") else m[1]), tex)
    return re.sub(r"[{}]|\\[,;! ]", "", tex)


INDEX_CSS = """
:root { color-scheme: light dark; --text: #1b1f24; --soft: #57606a; --line: #d8dee4; --back: #ffffff; --link: #0b57a4; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e8ea; --soft: #a0a8b0; --line: #343b42; --back: #15181b; --link: #7cb7f2; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.05rem; margin: 2.5rem 0 .5rem; padding-bottom: .35rem; border-bottom: 1px solid var(--line); }
p { margin: .25rem 0; }
p.soft, footer { color: var(--soft); }
p.note { border-left: 4px solid #d4820f; padding: .25rem .75rem; margin: 1rem 0; }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 0 2rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); }
li { padding: .75rem 0; }
li a { font-weight: 600; overflow-wrap: anywhere; }
a { color: var(--link); }
a:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
code { font-size: .9em; color: var(--soft); overflow-wrap: anywhere; }
footer { margin-top: 3rem; font-size: .9rem; }
"""


def write_index(out, reps):
    """The page that lists all pages, grouped by folder."""
    folders = {}
    for path in sources():
        page, executed = out / "html" / path.with_suffix(".html"), out / "notebooks" / path
        if page.is_file() and page.stat().st_size > 0 and executed.is_file():
            title, text = summary(json.loads(executed.read_text(encoding="utf-8")))
            folders.setdefault(path.parent.as_posix(), []).append((path, title or path.stem, text))
    lines = []
    for folder, entries in folders.items():
        lines.append(f"<section>\n<h2>{'Overview' if folder == '.' else '<code>' + html.escape(folder) + '</code>'}</h2>\n<ul>")
        for path, title, text in entries:
            href = html.escape(path.with_suffix(".html").as_posix(), quote=True)
            lines.append(f'<li><a href="{href}">{html.escape(title)}</a>\n<p class="soft">{html.escape(shortened(text))}</p>\n'
                         f"<code>notebooks/{html.escape(path.as_posix())}</code></li>")
        lines.append("</ul>\n</section>")
    note = ""
    if reps:
        note = f'<p class="note">Quick run: at most {html.escape(reps)} replicates each. Numbers and figures are not those of the full run.</p>\n'
    if not folders:
        lines = ['<p class="soft">No notebook has been executed yet.</p>']
    (out / "html" / "index.html").write_text(
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Notebooks · purexp</title>\n'
        f"<style>{INDEX_CSS}</style>\n</head>\n<body>\n<main>\n<h1>Notebooks</h1>\n"
        '<p class="soft">purexp: pure exploration with as few noisy measurements as possible. '
        "Each page is one executed notebook.</p>\n" + note + "\n".join(lines)
        + f"\n<footer>Written on {time.strftime('%Y-%m-%d')} by <code>make notebooks</code>.</footer>\n"
        "</main>\n</body>\n</html>\n", encoding="utf-8")


def shortened(text, limit=320):
    if len(text) <= limit:
        return text
    return text[:limit].rsplit(" ", 1)[0].rstrip(",;:") + " …"


# --- save -----------------------------------------------------------------------------------------------------------


def command_save(args):
    libraries()
    out = args.out.resolve()
    todo = sources(args.notebooks)
    ready = []
    for path in todo:
        executed = out / "notebooks" / path
        if not executed.is_file():
            if args.notebooks:
                raise Failure(f"{path} has not been executed: run `make notebooks` first")
            print(f"notebooks: {path} has not been executed, left as it is")
            continue
        new, old = read(executed), read(SOURCES / path)
        if "purexp" in new.metadata:
            raise Failure(f"{path} was executed with PUREXP_REPS={new.metadata.purexp.get('reps')}; "
                          "run `make notebooks` without PUREXP_REPS before saving")
        if [(c.cell_type, c.source) for c in new.cells] != [(c.cell_type, c.source) for c in old.cells]:
            raise Failure(f"{path} was edited after it was executed: run `make notebooks` again")
        ready.append((path, tidied(new, old)))
    for path, notebook in ready:
        write(notebook, SOURCES / path)
    print(f"notebooks: saved {len(ready)}")
    return 0


def tidied(new, old):
    """The executed notebook without what differs from one execution to the next though nothing changed."""
    new.metadata = old.metadata  # the kernel adds its version
    for cell, before in zip(new.cells, old.cells):
        cell.metadata = before.metadata  # time stamps of the execution
        cell.id = before.id
        for output in cell.get("outputs", []):
            output.pop("transient", None)
    return new


# --- pages ----------------------------------------------------------------------------------------------------------


def command_pages(args):
    """Pages of the last full run, for which nothing is executed."""
    libraries()
    out = args.out.resolve()
    todo = sources()
    for path in todo:
        notebook = read(SOURCES / path)
        if any(c.cell_type == "code" and c.execution_count is None for c in notebook.cells):
            raise Failure(f"{shown(SOURCES / path)} has cells that were never executed: "
                          "run `make notebooks notebooks-save` before its page can be published")
        write(notebook, out / "notebooks" / path)
        page = out / "html" / path.with_suffix(".html")
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(to_html(notebook, path, ""), encoding="utf-8")
    write_index(out, "")
    print(f"notebooks: {len(todo)} pages; open {shown(out / 'html' / 'index.html')}")
    return 0


# --- check ----------------------------------------------------------------------------------------------------------


def command_check(_):
    problems = []
    for path in sources():
        name = f"notebooks/{path}"
        try:
            notebook = json.loads((SOURCES / path).read_text(encoding="utf-8"))
            cells = notebook["cells"]
            if notebook["nbformat"] != 4:
                problems.append(f"{name}: notebook format {notebook['nbformat']}, not 4")
            if notebook["metadata"].get("kernelspec", {}).get("name") != KERNEL:
                problems.append(f"{name}: its kernel is not {KERNEL!r}")
            if not summary(notebook)[0]:
                problems.append(f"{name}: no heading, which the list of notebooks shows")
            for i, cell in enumerate(cells, 1):
                if any(o["output_type"] == "error" for o in cell.get("outputs", [])):
                    problems.append(f"{name}: cell {i} was saved with an error")
        except (OSError, ValueError, KeyError, TypeError) as err:
            problems.append(f"{name}: not a readable notebook: {err!r}")
    for problem in problems:
        print(f"notebooks: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
