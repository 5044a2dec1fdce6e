#!/usr/bin/env python3
"""Runs the notebooks headless, and keeps them tidy. docker/book.py makes pages of them.

    notebooks.py run [NOTEBOOK...]   executes notebooks into build/notebooks
    notebooks.py save [NOTEBOOK...]  copies executed notebooks over their sources in notebooks/
    notebooks.py list                writes notebooks/README.md: all notebooks, with their pages and links to Binder
    notebooks.py check               looks for mistakes that need no execution (used by `make lint`)

`run` and `save` need the environment that docker/setup makes (`make setup`); `list` and `check` only need Python.
"""

import argparse
import asyncio
import atexit
import concurrent.futures
import json
import multiprocessing
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
import urllib.parse
from pathlib import Path

from book import BINDER, PAPERS, SITE

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "notebooks"
KERNEL = "gonb"

class Failure(Exception):
    """Something to tell the user, without a Python traceback."""


def main():
    parser = argparse.ArgumentParser(prog="notebooks.py", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)

    run = commands.add_parser("run", help="execute notebooks")
    run.add_argument("--out", type=Path, default=ROOT / "build", help="folder of the results (default: build)")
    run.add_argument("--timeout", type=float, metavar="SECONDS", help="longest time of one cell"
                     " (default: $PUREXP_CELL_TIMEOUT, or 3600)")
    run.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), metavar="N",
                     help="notebooks at the same time (default: two, if there are two processors)")
    run.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK", help="default: all below notebooks/")

    save = commands.add_parser("save", help="copy executed notebooks over their sources")
    save.add_argument("--out", type=Path, default=ROOT / "build", help="folder of the results (default: build)")
    save.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK", help="default: all below notebooks/")

    commands.add_parser("list", help="write notebooks/README.md")
    commands.add_parser("check", help="look for mistakes without executing anything")

    args = parser.parse_args()
    try:
        return {"run": command_run, "save": command_save, "list": command_list, "check": command_check}[args.command](args)
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
    if not todo:
        print(f"notebooks: there are none in {SOURCES}")
    start, jobs = time.monotonic(), max(1, min(args.jobs, len(todo)))
    # Those that measure time have the machine for themselves.
    alone = [path for path in todo if jobs == 1 or path.stem == "runtime"]
    # The longest first, so that no processor waits for the last one. Most cells take as long as their linker.
    together = sorted((path for path in todo if path not in alone), key=lambda path: -code_cells(SOURCES / path))
    numbered = {path: f"[{i}/{len(todo)}] {path}" for i, path in enumerate(together + alone, 1)}
    failed = run_together([(path, numbered[path], out, timeout, reps) for path in together], jobs)
    failed += [path for path in alone if not run_one(path, numbered[path], out, timeout, reps, jobs == 1)]
    print(f"notebooks: {len(todo) - len(failed)} of {len(todo)} done in {duration(time.monotonic() - start)}")
    if failed:
        print("notebooks: failed: " + ", ".join(map(str, failed)), file=sys.stderr)
        return 1
    return 0


def code_cells(path):
    try:
        return sum(cell["cell_type"] == "code" for cell in json.loads(path.read_text(encoding="utf-8"))["cells"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0  # running it says what is wrong


def run_together(todo, jobs):
    """Runs notebooks in several processes, and returns those that failed."""
    if not todo:
        return []
    # Libraries are imported already, where processes can be copied.
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in methods and sys.platform != "darwin" else "spawn")
    with concurrent.futures.ProcessPoolExecutor(jobs, mp_context=context, initializer=libraries) as pool:
        waiting = {pool.submit(run_one, *arguments, False): arguments[0] for arguments in todo}
        try:
            done = {waiting[future]: future.result() for future in concurrent.futures.as_completed(waiting)}
        except BaseException:  # an interrupt reaches the processes too, and each ends its kernel
            pool.shutdown(cancel_futures=True)
            raise
    return [path for path in waiting.values() if not done[path]]


def run_one(path, name, out, timeout, reps, live):
    """Runs one notebook, and reports whether it went well."""
    executed, log = out / "notebooks" / path, out / "logs" / path.with_suffix(".log")
    executed.unlink(missing_ok=True)
    log.parent.mkdir(parents=True, exist_ok=True)
    progress = Progress(name, live)
    try:
        notebook = read(SOURCES / path)
        if reps:
            notebook.metadata["purexp"] = {"reps": int(reps)}  # tells `save` that this is not the real thing
        execute(notebook, SOURCES / path, timeout, log, progress)
        write(notebook, executed)
    except Failure as failure:
        executed.unlink(missing_ok=True)
        progress.end(f"FAILED after {duration(time.monotonic() - progress.start)}\n{failure}")
        return False
    progress.end(f"{progress.cells} code cells, {duration(time.monotonic() - progress.start)}")
    return True


def libraries():
    """Imports what is not in the standard library, once it is known to be wanted."""
    global nbformat, nbclient, jupyter_client
    # This project's kernel and no other; connection files go to a temporary folder, see execute.
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
    # jsonschema would compile 38 grammars of addresses that no notebook is checked for, which takes a second.
    sys.modules.setdefault("rfc3987_syntax", None)
    try:
        import jupyter_client.manager
        import jupyter_client.kernelspec
        import nbclient.exceptions
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

    def __init__(self, name, live):
        self.name, self.cells, self.number = name, 0, 0
        self.start = self.cell_start = time.monotonic()
        self.live = live and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"

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
    if "language_info" in new.metadata:
        new.metadata["language_info"]["pygments_lexer"] = "go"  # GoNB leaves it empty, and exported pages without colours
    for cell, before in zip(new.cells, old.cells):
        cell.metadata = before.metadata  # time stamps of the execution
        cell.id = before.id
        for output in cell.get("outputs", []):
            output.pop("transient", None)
    return new


# --- list -----------------------------------------------------------------------------------------------------------

LIST = """\
# Notebooks

<!-- written by docker/notebooks.py list -->

*Read* opens the page of a notebook in [the book]({site}), with its output. *Run* opens the notebook on [Binder](https://mybinder.org), in JupyterLab,
where you can change and run cells without installing anything. Binder has one processor and 2 GB, and ends ten minutes after your last action.
Download what you want to keep. `make lab` opens the notebooks on your own machine.
"""


def command_list(_):
    (SOURCES / "README.md").write_text(listed(), encoding="utf-8")
    print(f"notebooks: wrote {shown(SOURCES / 'README.md')}")
    return 0


def listed():
    """The text of notebooks/README.md."""
    text, folder = LIST.format(site=SITE), None
    papers = list(PAPERS)
    for path in sorted(sources(), key=lambda p: ([".", *papers].index(str(p.parent)) if str(p.parent) in [".", *papers] else 99, str(p))):
        if path.parent != folder:
            folder = path.parent
            title = PAPERS.get(str(folder), (str(folder).capitalize(), ""))[0] if str(folder) != "." else ""
            text += (f"\n## {title}\n" if title else "") + "\n| notebook | | |\n|---|---|---|\n"
        page = SITE + "notebooks/" + urllib.parse.quote(path.with_suffix(".html").as_posix())
        text += f"| [{heading(path)}]({urllib.parse.quote(path.as_posix())}) | [Read]({page}) | [Run]({binder(path)}) |\n"
    return text


def binder(path):
    return BINDER + "notebooks/" + urllib.parse.quote(path.as_posix())


def heading(path):
    for cell in json.loads((SOURCES / path).read_text(encoding="utf-8"))["cells"]:
        found = re.search(r"^# (\S.*)", "".join(cell["source"]), re.MULTILINE) if cell["cell_type"] == "markdown" else None
        if found:
            return found[1].strip().replace("|", "\\|")
    return path.stem


# --- check ----------------------------------------------------------------------------------------------------------


def command_check(_):
    problems = [*check_links()]
    for path in sources():
        name = f"notebooks/{path}"
        try:
            notebook = json.loads((SOURCES / path).read_text(encoding="utf-8"))
            cells = notebook["cells"]
            if notebook["nbformat"] != 4:
                problems.append(f"{name}: notebook format {notebook['nbformat']}, not 4")
            if notebook["metadata"].get("kernelspec", {}).get("name") != KERNEL:
                problems.append(f"{name}: its kernel is not {KERNEL!r}")
            if not any(c["cell_type"] == "markdown" and re.search(r"^# \S", "".join(c["source"]), re.MULTILINE) for c in cells):
                problems.append(f"{name}: no heading, which the list of notebooks shows")
            for i, cell in enumerate(cells, 1):
                if any(o["output_type"] == "error" for o in cell.get("outputs", [])):
                    problems.append(f"{name}: cell {i} was saved with an error")
        except (OSError, ValueError, KeyError, TypeError) as err:
            problems.append(f"{name}: not a readable notebook: {err!r}")
    for problem in problems:
        print(f"notebooks: {problem}", file=sys.stderr)
    return 1 if problems else 0


def check_links():
    """Whether a reader of a public copy can open every notebook on Binder: notebooks/README.md has one link for each of
    them and no other, and links elsewhere open notebooks that there are."""
    try:
        have, want = (SOURCES / "README.md").read_text(encoding="utf-8"), listed()
    except (OSError, ValueError, KeyError, TypeError) as err:
        yield f"notebooks/README.md could not be compared: {err!r}"
        return
    if have != want:
        yield "notebooks/README.md is old: run docker/notebooks.py list"
    form = re.compile(r"https://mybinder\.org/v2/gh/purexp/purexp/main\?urlpath=lab/tree/(notebooks(?:/[\w.~%-]+)+\.ipynb)")
    files = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("pkg/study/*/README.md"), *ROOT.glob("data/*/README.md"), *SOURCES.rglob("*.ipynb")]
    for path in [SOURCES / "README.md", *files]:
        opened = []
        for url in re.findall(r"https?://mybinder\.org/[^\s)\"'<>\\]+", path.read_text(encoding="utf-8")):
            found = form.fullmatch(url)
            if not found:
                yield f"{path.relative_to(ROOT)}: {url} is not {BINDER}notebooks/NAME.ipynb"
            elif not (ROOT / urllib.parse.unquote(found[1])).is_file():
                yield f"{path.relative_to(ROOT)}: {url} opens a notebook that is not there"
            else:
                opened.append(found[1])
        if path == SOURCES / "README.md" and sorted(opened) != sorted(f"notebooks/{urllib.parse.quote(p.as_posix())}" for p in sources()):
            yield "notebooks/README.md has not one link to Binder for each notebook"


if __name__ == "__main__":
    sys.exit(main())
