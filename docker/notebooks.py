#!/usr/bin/env python3
"""Executes, saves, lists and checks the notebooks. docker/book.py converts the notebooks to pages.

    notebooks.py run [NOTEBOOK...]   execute notebooks, and write the results to build/notebooks
    notebooks.py save [NOTEBOOK...]  replace the notebooks in notebooks/ by the executed ones
    notebooks.py list                write notebooks/README.md: all notebooks, with links to their pages and to Binder
    notebooks.py check               check the notebooks without executing them (used by `make lint`)

`run` and `save` require the environment created by docker/setup (`make setup`); `list` and `check` require only Python.
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
    """An error that is reported to the user without a traceback."""


def main():
    parser = argparse.ArgumentParser(prog="notebooks.py", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)

    run = commands.add_parser("run", help="execute notebooks")
    run.add_argument("--out", type=Path, default=ROOT / "build", help="output folder (default: build)")
    run.add_argument("--timeout", type=float, metavar="SECONDS", help="time limit of a cell"
                     " (default: $PUREXP_CELL_TIMEOUT, or 3600)")
    run.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), metavar="N",
                     help="number of notebooks to run at the same time (default: 2, or 1 on a single processor)")
    run.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK", help="default: all below notebooks/")

    save = commands.add_parser("save", help="replace the notebooks in notebooks/ by the executed ones")
    save.add_argument("--out", type=Path, default=ROOT / "build", help="output folder of the run (default: build)")
    save.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK", help="default: all below notebooks/")

    commands.add_parser("list", help="write notebooks/README.md")
    commands.add_parser("check", help="check the notebooks without executing them")

    args = parser.parse_args()
    try:
        return {"run": command_run, "save": command_save, "list": command_list, "check": command_check}[args.command](args)
    except Failure as failure:
        print(f"notebooks: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nnotebooks: interrupted; completed notebooks were written", file=sys.stderr)
        return 130


def sources(chosen=()):
    """Returns the chosen notebooks, or all notebooks sorted by name, as paths relative to notebooks/."""
    if not chosen:
        found = [p for p in SOURCES.rglob("*.ipynb") if not any(d.startswith(".") for d in p.relative_to(ROOT).parts)]
        # Notebooks precede the folders beside them, so 00-start-here.ipynb is first.
        return sorted((p.relative_to(SOURCES) for p in found), key=lambda p: (str(p.parent), p.name))
    result = []
    for path in chosen:
        path = path.resolve()
        if not path.is_file():
            raise Failure(f"{path}: the file does not exist; expected a notebook in {SOURCES}")
        if SOURCES not in path.parents or path.suffix != ".ipynb":
            raise Failure(f"{path}: not a notebook in {SOURCES}")
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
            raise Failure(f"PUREXP_CELL_TIMEOUT: {text!r} is not a number; expected a time in seconds, e.g. 3600") from None
    if timeout <= 0:
        raise Failure(f"timeout: {timeout:g} s; expected a positive number of seconds")
    reps = os.environ.get("PUREXP_REPS", "")
    if reps and not (reps.isdigit() and int(reps) > 0):
        raise Failure(f"PUREXP_REPS: {reps!r}; expected a positive whole number")

    todo = sources(args.notebooks)
    out = args.out.resolve()
    if not todo:
        print(f"notebooks: {SOURCES} contains no notebooks")
    start, jobs = time.monotonic(), max(1, min(args.jobs, len(todo)))
    # Notebooks that measure run times run alone.
    alone = [path for path in todo if jobs == 1 or path.stem == "runtime"]
    # Notebooks with the most cells start first, which balances the processes. Linking takes most of the time of a cell.
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
        return 0  # run_one reports the fault


def run_together(todo, jobs):
    """Runs notebooks in several processes, and returns the notebooks that failed."""
    if not todo:
        return []
    # A forked process inherits the imported libraries.
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in methods and sys.platform != "darwin" else "spawn")
    with concurrent.futures.ProcessPoolExecutor(jobs, mp_context=context, initializer=libraries) as pool:
        waiting = {pool.submit(run_one, *arguments, False): arguments[0] for arguments in todo}
        try:
            done = {waiting[future]: future.result() for future in concurrent.futures.as_completed(waiting)}
        except BaseException:  # an interrupt also reaches the worker processes, which stop their kernels
            pool.shutdown(cancel_futures=True)
            raise
    return [path for path in waiting.values() if not done[path]]


def run_one(path, name, out, timeout, reps, live):
    """Runs a notebook, and returns whether it succeeded."""
    executed, log = out / "notebooks" / path, out / "logs" / path.with_suffix(".log")
    executed.unlink(missing_ok=True)
    log.parent.mkdir(parents=True, exist_ok=True)
    progress = Progress(name, live)
    try:
        notebook = read(SOURCES / path)
        if reps:
            notebook.metadata["purexp"] = {"reps": int(reps)}  # marks a quick run, which `save` rejects
        execute(notebook, SOURCES / path, timeout, log, progress)
        write(notebook, executed)
    except Failure as failure:
        executed.unlink(missing_ok=True)
        progress.end(f"FAILED after {duration(time.monotonic() - progress.start)}\n{failure}")
        return False
    progress.end(f"{progress.cells} code cells, {duration(time.monotonic() - progress.start)}")
    return True


def libraries():
    """Imports the third-party libraries, which only `run` and `save` need."""
    global nbformat, nbclient, jupyter_client
    # Use only the kernel of this environment. The function execute puts connection files in a temporary folder.
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
    # Without this line, jsonschema spends a second on compiling 38 grammars of addresses that notebooks do not use.
    sys.modules.setdefault("rfc3987_syntax", None)
    try:
        import jupyter_client.manager
        import jupyter_client.kernelspec
        import nbclient.exceptions
        import nbformat
    except ImportError as err:
        raise Failure(f"{err} in {sys.executable}; run `make setup`, then `make notebooks`, which uses the right Python") from None


def read(path):
    try:
        return nbformat.read(path, as_version=4)
    except (OSError, ValueError, nbformat.validator.NotebookValidationError) as err:
        raise Failure(f"{shown(path)}: not a readable notebook: {err}") from None


def write(notebook, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


def execute(notebook, path, timeout, log, progress):
    """Executes all cells of notebook in place. The working directory is the folder of path, the source file."""
    cells = [i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code" and cell.source.strip()]
    progress.cells = len(cells)
    current = None  # index of the running cell

    def started(cell, cell_index):
        nonlocal current
        current = cell_index
        progress.cell(cells.index(cell_index) + 1)

    def done(cell, cell_index, execute_reply):
        progress.cell_done()

    # The folder of the connection file and the temporary files of Go and GoNB; always removed at the end.
    scratch = tempfile.mkdtemp(prefix="purexp-")
    specs = jupyter_client.kernelspec.KernelSpecManager(
        kernel_dirs=[os.path.join(sys.prefix, "share", "jupyter", "kernels")], ensure_native_kernel=False)
    try:
        specs.get_kernel_spec(KERNEL)
    except jupyter_client.kernelspec.NoSuchKernel:
        raise Failure(f"the kernel {KERNEL!r} is not installed in {sys.prefix}; run `make setup`") from None
    manager = jupyter_client.manager.AsyncKernelManager(
        kernel_name=KERNEL, kernel_spec_manager=specs, connection_file=os.path.join(scratch, f"kernel-{uuid.uuid4()}.json"))
    client = nbclient.NotebookClient(
        notebook, km=manager, kernel_name=KERNEL, timeout=timeout, startup_timeout=120,
        on_cell_execute=started, on_cell_executed=done, resources={"metadata": {"path": str(path.parent)}})
    environment = dict(os.environ, PUREXP_RAW_ERRORS="1", TMPDIR=scratch)
    group = None  # the process of the kernel, which is a session leader
    try:
        with open(log, "wb") as stderr:
            def note_group(**_):  # nbclient forgets the process group when the kernel ends
                nonlocal group
                group = getattr(manager.provisioner, "pgid", None)
            client.on_notebook_start = client.on_cell_start = note_group
            in_thread(client.async_execute, progress, cleanup_kc=True, stdout=stderr, stderr=stderr,
                      env=environment, cwd=str(path.parent))
    except nbclient.exceptions.CellExecutionError:
        raise Failure(describe(notebook, path, current, cell_error(notebook.cells[current]))) from None
    except nbclient.exceptions.CellTimeoutError:
        raise Failure(describe(notebook, path, current, f"took longer than {timeout:g} s "
                               "(set PUREXP_CELL_TIMEOUT to a longer time)")) from None
    except (nbclient.exceptions.DeadKernelError, RuntimeError, OSError) as err:
        tail = log.read_text(errors="replace").splitlines()[-20:]
        raise Failure(describe(notebook, path, current, "\n".join(
            [f"the kernel stopped: {err}", f"last lines of {shown(log)}:", *tail]))) from None
    finally:
        atexit.unregister(client._cleanup_kernel)  # nbclient does not unregister it if the kernel fails to start
        end_session(group)
        remove(scratch)
    for i in cells:
        if text := shell_error(notebook.cells[i]):
            raise Failure(describe(notebook, path, i, "a shell command failed:\n" + text))


def shell_error(cell):
    """Returns the error stream of a cell in which a `!command` failed, or "". GoNB reports the failure nowhere else."""
    text = stream(cell, "stderr")
    return text if re.search(r"^!", cell.source, re.MULTILINE) and "exit status" in text else ""


def in_thread(function, progress, **arguments):
    """Runs an asynchronous function in a thread until it returns, and shows the progress.

    In the main thread, nbclient would install signal handlers, and report an interrupt as a dead kernel. Here, SIGINT
    and SIGTERM cancel the function, which stops its kernel. Then KeyboardInterrupt is raised.
    """
    loop, result = asyncio.new_event_loop(), {}

    def work():
        asyncio.set_event_loop(loop)
        try:
            result["task"] = task = loop.create_task(function(**arguments))
            loop.run_until_complete(task)
        except BaseException as err:  # raised again in the main thread
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
    """Kills the processes that survive a killed kernel: the program of a cell, and gopls with its own process group."""
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
    # Files of Go's module cache are read-only. The cache is in this folder only if a cell sets GOPATH.
    def unlock(function, name, _):
        os.chmod(os.path.dirname(name), 0o700)
        os.chmod(name, 0o700)
        function(name)
    try:
        shutil.rmtree(folder, onerror=unlock)
    except OSError as err:
        print(f"notebooks: {folder} could not be removed: {err}", file=sys.stderr)


def describe(notebook, path, index, error):
    """Returns an error message for the log: the notebook, the cell with its source, and the error."""
    lines = [f"notebooks: {shown(path)} failed"]
    if index is not None:
        lines[0] += f" in cell {index + 1} of {len(notebook.cells)}:"
        lines += ["    | " + line for line in notebook.cells[index].source.splitlines()]
    return "\n".join(lines + [error.rstrip()])


def cell_error(cell):
    """Returns the error of a failed cell: its error stream, followed by the errors reported by the kernel."""
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
    """Shows the progress of a notebook: a status line on a terminal, else a line per notebook and per slow cell."""

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
                raise Failure(f"{path} has not been executed; run `make notebooks` first")
            print(f"notebooks: {path} has not been executed, so it was not changed")
            continue
        new, old = read(executed), read(SOURCES / path)
        if "purexp" in new.metadata:
            raise Failure(f"{path} was executed with PUREXP_REPS={new.metadata.purexp.get('reps')}; "
                          "run `make notebooks` without PUREXP_REPS, then save again")
        if [(c.cell_type, c.source) for c in new.cells] != [(c.cell_type, c.source) for c in old.cells]:
            raise Failure(f"{path} was edited after it was executed; run `make notebooks` again")
        ready.append((path, tidied(new, old)))
    for path, notebook in ready:
        write(notebook, SOURCES / path)
    print(f"notebooks: saved {len(ready)}")
    return 0


def tidied(new, old):
    """Returns the executed notebook without the metadata that change with every execution."""
    new.metadata = old.metadata  # omits the kernel's version
    if "language_info" in new.metadata:
        new.metadata["language_info"]["pygments_lexer"] = "go"  # GoNB sets no lexer, without which pages lack syntax colours
    for cell, before in zip(new.cells, old.cells):
        cell.metadata = before.metadata  # omits the time stamps of the execution
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
    """Returns the text of notebooks/README.md."""
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
                problems.append(f"{name}: the notebook format is {notebook['nbformat']}; expected 4")
            if notebook["metadata"].get("kernelspec", {}).get("name") != KERNEL:
                problems.append(f"{name}: the kernel is not {KERNEL!r}; change the kernel in JupyterLab")
            if not any(c["cell_type"] == "markdown" and re.search(r"^# \S", "".join(c["source"]), re.MULTILINE) for c in cells):
                problems.append(f"{name}: the notebook has no heading; add a Markdown cell with '# TITLE'")
            for i, cell in enumerate(cells, 1):
                if any(o["output_type"] == "error" for o in cell.get("outputs", [])):
                    problems.append(f"{name}: cell {i} was saved with an error; execute the notebook again")
        except (OSError, ValueError, KeyError, TypeError) as err:
            problems.append(f"{name}: not a readable notebook: {err!r}")
    for problem in problems:
        print(f"notebooks: {problem}", file=sys.stderr)
    return 1 if problems else 0


def check_links():
    """Yields the faults of the links to Binder.

    notebooks/README.md must have exactly one link to each notebook. All links in other files must open existing notebooks.
    """
    try:
        have, want = (SOURCES / "README.md").read_text(encoding="utf-8"), listed()
    except (OSError, ValueError, KeyError, TypeError) as err:
        yield f"notebooks/README.md: the file could not be compared with the notebooks: {err!r}"
        return
    if have != want:
        yield "notebooks/README.md: the list is out of date; run docker/notebooks.py list"
    form = re.compile(r"https://mybinder\.org/v2/gh/purexp/purexp/main\?urlpath=lab/tree/(notebooks(?:/[\w.~%-]+)+\.ipynb)")
    files = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("pkg/study/*/README.md"), *ROOT.glob("data/*/README.md"), *SOURCES.rglob("*.ipynb")]
    for path in [SOURCES / "README.md", *files]:
        opened = []
        for url in re.findall(r"https?://mybinder\.org/[^\s)\"'<>\\]+", path.read_text(encoding="utf-8")):
            found = form.fullmatch(url)
            if not found:
                yield f"{path.relative_to(ROOT)}: {url} is an invalid link; expected {BINDER}notebooks/NAME.ipynb"
            elif not (ROOT / urllib.parse.unquote(found[1])).is_file():
                yield f"{path.relative_to(ROOT)}: {url} opens a notebook that does not exist"
            else:
                opened.append(found[1])
        if path == SOURCES / "README.md" and sorted(opened) != sorted(f"notebooks/{urllib.parse.quote(p.as_posix())}" for p in sources()):
            yield "notebooks/README.md: expected exactly one link to Binder for each notebook; run docker/notebooks.py list"


if __name__ == "__main__":
    sys.exit(main())
