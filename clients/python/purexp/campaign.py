"""Campaigns: a method on real measurements, in a file to which several people and machines can write."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, Collection, Iterable, Mapping, Sequence, Union

from ._program import PurexpError, run, run_json, word

Path = Union[str, "PathLike[str]"]


@dataclass(frozen=True)
class Ticket:
    """A measurement that was asked for."""

    ticket: int
    plate: int
    candidate: str


@dataclass(frozen=True)
class Status:
    """Where a campaign stands. ``raw`` is all that the program says, as documented for its API."""

    status: str  # running, finished or failed
    headline: str
    used: int
    raw: Mapping[str, Any]

    @property
    def finished(self) -> bool:
        """Whether the method stopped by its own rule, so that the guarantee holds."""
        return self.status == "finished"

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each candidate: its name, measurements, estimates with their intervals, and verdict."""
        objectives: Sequence[str] = self.raw["objectives"]
        table = []
        for arm in self.raw["arms"]:
            row: dict[str, Any] = {"candidate": arm["arm"], "used": arm["used"], "pending": arm["pending"]}
            for c, name in enumerate(objectives):
                row[name] = arm["estimate"][c]
                row[name + " low"], row[name + " high"] = arm["low"][c], arm["high"][c]
            row["verdict"], row["why"] = arm["verdict"], arm.get("why", "")
            table.append(row)
        return table

    def frame(self) -> Any:
        """Return the rows as a pandas.DataFrame. It is an ImportError without pandas."""
        import pandas

        return pandas.DataFrame(self.rows()).set_index("candidate")


_FIXED = ("ticket", "candidate", "arm", "id", "note", "plate", "campaign")  # columns that no objective has


def _missing(value: Any) -> bool:
    """Whether a value is None, NaN, or what pandas has in their place."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):
        return type(value).__name__ == "NAType"


def _line(cells: Sequence[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def _about(e: PurexpError, rows: Sequence[Mapping[str, Any]], table: Sequence[str]) -> PurexpError:
    """Return an error about the results, and not about lines of the table that the program read."""
    at, line = {}, 1
    for i, text in enumerate(table):
        at[f"-:{line}"] = i - 1
        line += text.count("\n")
    wrong = []
    for r in e.results:
        i, field = at.get(r.get("where", ""), -1), {"arm": "candidate"}.get(r.get("field", ""), r.get("field", ""))
        where = f"results[{i}]" + (f"[{field!r}]" if field else "") if i >= 0 else "results"
        text = r["text"].replace("write failed", "give None")
        if i >= 0 and _missing(rows[i].get(field, "")) and field in rows[i]:
            text = f"the value is Python's {rows[i][field]!r}; {text}"
        wrong.append({**r, "where": where, "row": i, "field": field, "text": text})
    if not wrong:
        return PurexpError(str(e).replace("-: ", "results: ", 1), e.code)
    return PurexpError("\n".join(f"{r['where']}: {r['text']}" for r in wrong), e.code, wrong)


class Campaign:
    """A campaign in a file. Everything stays on record: who, when, what."""

    def __init__(self, file: Path, who: str | None = None) -> None:
        self.file = fspath(file)
        self._as = ["--as", who] if who else []

    @classmethod
    def new(cls, problem: Path, file: Path, who: str | None = None) -> Campaign:
        """Begin the campaign of a problem file (``purexp problem new TABLE.csv`` writes one)."""
        campaign = cls(file, who)
        run_json(["campaign", "new", word("problem", problem), "--file", campaign.file, *campaign._as])
        return campaign

    def ask(self, plate: int | None = None, arms: Iterable[str] = ()) -> list[Ticket]:
        """Return the next measurements: none if it has ended, or if nothing is worth measuring before what is pending.

        With arms they are of these candidates, which you have chosen: announced before they are made, they count like all others.
        """
        arguments = ["campaign", "ask", "--file", self.file, *self._as]
        if plate is not None:
            arguments += ["--plate", str(plate)]
        for arm in arms:
            arguments += ["--arms", '"' + word("arm", arm).replace('"', '""') + '"']
        _, got = run_json(arguments, ok=(0, 10, 11))
        tickets = got.get("tickets") if isinstance(got, dict) else got
        return [Ticket(t["ticket"], t["plate"], t["arm"]) for t in tickets or []]

    def tell(self, results: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
        """Tell results: mappings with "ticket" (or "candidate" and "id"), and a value for each objective, by name.

        The value None of an objective says that the measurement failed. None or NaN elsewhere, such as in "note", says
        nothing. If anything is wrong, nothing is taken. Without results nothing happens.
        """
        rows = [dict(r) for r in results]
        if not rows:
            return {"event": 0, "used": 0, "unused": 0, "failed": 0, "repeated": 0, "status": self.status().status}
        columns = list(dict.fromkeys(c for row in rows for c in row))
        values = self._measured({c for c in columns if c not in _FIXED and any(_missing(row.get(c)) for row in rows)})

        def cell(row: Mapping[str, Any], column: str) -> Any:
            value = row.get(column, "")
            if value is None and column in values:
                return "failed"
            return "" if column not in values and _missing(value) else value

        table = [_line(columns)]
        table += [_line([cell(row, c) for c in columns]) for row in rows]
        try:
            _, receipt = run_json(["campaign", "tell", "-", "--file", self.file, *self._as], stdin="".join(table))
        except PurexpError as e:
            raise _about(e, rows, table) from None
        return dict(receipt or {})

    def _measured(self, asked: Collection[str]) -> set[str]:
        """Return which of the columns have values of objectives."""
        if not asked:
            return set()
        labels: Sequence[str] = self.status().raw["objectives"]
        return {c for c in asked if any(label == c or label.startswith(c + " [") for label in labels)}

    def status(self) -> Status:
        """Return where it stands."""
        _, raw = run_json(["campaign", "status", "--file", self.file])
        return Status(raw["status"], raw["headline"], raw["used"], raw)

    def report(self, output: Path) -> None:
        """Write the report, one HTML file."""
        run(["campaign", "report", "--file", self.file, "--output", fspath(output)])

    def certificate(self) -> str:
        """Return the certificate: what others need to check the answer."""
        return run(["campaign", "certificate", "--file", self.file])[1]
