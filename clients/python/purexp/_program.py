"""Find and run the program purexp."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Sequence


class PurexpError(Exception):
    """An error reported by the program. ``code`` is the exit code of the program, or 0 if it is still running.

    ``results`` lists the errors in reported results, as mappings with "row", "field" and "text".
    """

    def __init__(self, message: str, code: int = 0, results: Sequence[dict[str, Any]] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.results = list(results)


def word(field: str, value: Any) -> str:
    """Return the value as a positional argument. Raise PurexpError if it is empty or looks like a flag."""
    text = os.fspath(value)
    if not text or text.startswith("-"):
        raise PurexpError(f"{field}: {text!r} is empty or begins with \"-\"; give a name, or a path such as './-x'")
    return text


def quoted(value: str) -> str:
    """Return the value as a cell of a list that the program splits at commas."""
    return '"' + value.replace('"', '""') + '"'


def program() -> str:
    """Return the path of the program: the environment variable PUREXP, the program in the wheel, or purexp on PATH."""
    named = os.environ.get("PUREXP")
    if named:
        return named
    own = Path(__file__).with_name("bin") / ("purexp.exe" if sys.platform == "win32" else "purexp")
    if own.exists():
        if not os.access(own, os.X_OK):
            own.chmod(0o755)
        return str(own)
    found = shutil.which("purexp")
    if found:
        return found
    raise PurexpError("the program purexp is missing; install a wheel of this package, "
                      "or set the environment variable PUREXP to the path of the program")


def run(arguments: Sequence[str], stdin: str | None = None, ok: Sequence[int] = (0,)) -> tuple[int, str]:
    """Run the program, and return its exit code and output. Raise PurexpError if the code is not in ``ok``."""
    done = subprocess.run([program(), *arguments], input=stdin, capture_output=True, text=True, encoding="utf-8")
    if done.returncode not in ok:
        raise _said(done.stdout, done.stderr, done.returncode)
    return done.returncode, done.stdout


def _said(stdout: str, stderr: str, code: int) -> PurexpError:
    try:
        body = json.loads(stdout)
        error = body["error"]
        return PurexpError(error if isinstance(error, str) else str(error["message"]), code, body.get("results") or ())
    except (ValueError, KeyError, TypeError):
        return PurexpError(stderr.strip() or stdout.strip() or f"the program failed with exit code {code} and printed nothing", code)


def run_json(arguments: Sequence[str], stdin: str | None = None, ok: Sequence[int] = (0,)) -> tuple[int, Any]:
    """Run the program with --json, and return its exit code and the decoded output."""
    code, text = run([*arguments, "--json"], stdin, ok)
    return code, json.loads(text) if text.strip() else None
