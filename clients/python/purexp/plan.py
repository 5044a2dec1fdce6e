"""Plans of campaigns, and experimental designs."""

from __future__ import annotations

import csv
import io
from os import PathLike
from typing import Any, Sequence, Union

from ._program import quoted, run, run_json, word

Path = Union[str, "PathLike[str]"]


def plan(problem: Path, *, runs: int = 500, methods: Sequence[str] = (), changes: Sequence[str] = (),
         seed: int = 1) -> dict[str, Any]:
    """Simulate campaigns of a problem file with its guessed means, and return the plan.

    The plan has "rows" for each method and each change of the problem. A row contains quantiles of measurements,
    plates and days, and the proportion of wrong answers. Without ``changes``, only the problem file is simulated.
    """
    arguments = ["plan", word("problem", problem), "--runs", str(runs), "--seed", str(seed), "--quiet"]
    if methods:
        arguments += ["--methods", ",".join(quoted(m) for m in methods)]
    for change in changes:
        arguments += ["--change", change]
    if not changes:
        arguments.append("--no-changes")
    _, made = run_json(arguments)
    return dict(made)


def design(table: Path, *, features: Sequence[str] = (), categories: Sequence[str] = (), pulls: int = 0,
           arm: str = "", means: bool = False) -> list[dict[str, str]]:
    """Allocate measurements to the rows of a table, so that the estimates of a linear model are most precise.

    ``arm`` is the column with the names. Return a row for each measured arm, with its weight and, if ``pulls`` is
    given, its number of measurements.
    """
    arguments = ["design", word("table", table), "--format", "csv", "--for", "means" if means else "differences"]
    for flag, columns in (("--features", features), ("--categories", categories)):
        if columns:
            arguments += [flag, ",".join(quoted(c) for c in columns)]
    if arm:
        arguments += ["--arm", arm]
    if pulls:
        arguments += ["--pulls", str(pulls)]
    _, text = run(arguments)
    return list(csv.DictReader(io.StringIO(text)))
