"""Plans and designs."""

from __future__ import annotations

import csv
import io
from os import PathLike
from typing import Any, Sequence, Union

from ._program import run, run_json, word

Path = Union[str, "PathLike[str]"]


def plan(problem: Path, *, runs: int = 500, methods: Sequence[str] = (), changes: Sequence[str] = (),
         seed: int = 1) -> dict[str, Any]:
    """Simulate a problem file with the means that it guesses: what an answer takes, by method and change.

    Returns the plan, whose "rows" have for each method quantiles of measurements, plates and days, and how often the
    answer was wrong. Without changes, none is looked at.
    """
    arguments = ["plan", word("problem", problem), "--runs", str(runs), "--seed", str(seed), "--quiet"]
    if methods:
        arguments += ["--methods", ",".join(methods)]
    for change in changes:
        arguments += ["--change", change]
    if not changes:
        arguments.append("--no-changes")
    _, made = run_json(arguments)
    return dict(made)


def design(table: Path, *, features: Sequence[str] = (), categories: Sequence[str] = (), pulls: int = 0,
           arm: str = "", means: bool = False) -> list[dict[str, str]]:
    """Share measurements among the rows of a table so that a linear model of the features is known best.

    ``arm`` is the column with the names. Returns a row for each arm that is measured, with its weight and, if pulls is given, its number of measurements.
    """
    arguments = ["design", word("table", table), "--format", "csv", "--for", "means" if means else "differences"]
    for flag, columns in (("--features", features), ("--categories", categories)):
        if columns:
            arguments += [flag, ",".join(columns)]
    if arm:
        arguments += ["--arm", arm]
    if pulls:
        arguments += ["--pulls", str(pulls)]
    _, text = run(arguments)
    return list(csv.DictReader(io.StringIO(text)))
