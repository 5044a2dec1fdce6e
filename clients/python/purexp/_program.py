"""The program purexp, and running it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Sequence


class PurexpError(Exception):
    """What the program says went wrong. ``code`` is its exit code, or 0 if it did not end."""

    def __init__(self, message: str, code: int = 0) -> None:
        super().__init__(message)
        self.code = code


def program() -> str:
    """Return the path of the program: the one that PUREXP names, that of the wheel, or the one on PATH."""
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
    raise PurexpError("there is no program purexp: install a wheel of this package, "
                      "or say where it is in the environment variable PUREXP")


def run(arguments: Sequence[str], stdin: str | None = None, ok: Sequence[int] = (0,)) -> tuple[int, str]:
    """Run the program and return its exit code, one of ``ok``, and what it printed."""
    done = subprocess.run([program(), *arguments], input=stdin, capture_output=True, text=True, encoding="utf-8")
    if done.returncode not in ok:
        raise PurexpError(_said(done.stdout, done.stderr), done.returncode)
    return done.returncode, done.stdout


def _said(stdout: str, stderr: str) -> str:
    try:
        error = json.loads(stdout)["error"]
        return error if isinstance(error, str) else str(error["message"])
    except (ValueError, KeyError, TypeError):
        return stderr.strip() or stdout.strip() or "it said nothing"


def run_json(arguments: Sequence[str], stdin: str | None = None, ok: Sequence[int] = (0,)) -> tuple[int, Any]:
    """Run the program with --json and return its exit code and what it printed."""
    code, text = run([*arguments, "--json"], stdin, ok)
    return code, json.loads(text) if text.strip() else None
