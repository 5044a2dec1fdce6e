"""Campaigns: a method on real measurements, in a file to which several people and machines can write."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, Iterable, Mapping, Sequence, Union

from ._program import run, run_json

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


class Campaign:
    """A campaign in a file. Everything stays on record: who, when, what."""

    def __init__(self, file: Path, who: str | None = None) -> None:
        self.file = fspath(file)
        self._as = ["--as", who] if who else []

    @classmethod
    def new(cls, problem: Path, file: Path, who: str | None = None) -> Campaign:
        """Begin the campaign of a problem file (``purexp problem new TABLE.csv`` writes one)."""
        campaign = cls(file, who)
        run_json(["campaign", "new", fspath(problem), "--file", campaign.file, *campaign._as])
        return campaign

    def ask(self, plate: int | None = None) -> list[Ticket]:
        """Return the next measurements: none if it has ended, or if nothing is worth measuring before what is pending."""
        arguments = ["campaign", "ask", "--file", self.file, *self._as]
        if plate is not None:
            arguments += ["--plate", str(plate)]
        _, got = run_json(arguments, ok=(0, 10, 11))
        tickets = got.get("tickets") if isinstance(got, dict) else got
        return [Ticket(t["ticket"], t["plate"], t["arm"]) for t in tickets or []]

    def tell(self, results: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
        """Tell results: mappings with "ticket" (or "candidate" and "id"), and a value for each objective, by name.

        A value None says that the measurement failed. If anything is wrong, nothing is taken.
        """
        rows = [dict(r) for r in results]
        columns: list[str] = []
        for row in rows:
            columns += [c for c in row if c not in columns]
        text = io.StringIO()
        out = csv.writer(text, lineterminator="\n")
        out.writerow(columns)
        for row in rows:
            out.writerow(["failed" if c in row and row[c] is None else row.get(c, "") for c in columns])
        _, receipt = run_json(["campaign", "tell", "-", "--file", self.file, *self._as], stdin=text.getvalue())
        return dict(receipt or {})

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
