"""Campaigns, which apply a method to real measurements. Several people and machines can write to a campaign file."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, Collection, Iterable, Mapping, Sequence, Union

from ._program import PurexpError, quoted, run, run_json, word

Path = Union[str, "PathLike[str]"]


@dataclass(frozen=True)
class Ticket:
    """A requested measurement."""

    ticket: int
    plate: int
    candidate: str


@dataclass(frozen=True)
class Status:
    """The status of a campaign. ``raw`` is the complete status, as described in the documentation of the HTTP API."""

    status: str  # running, finished or failed
    headline: str
    used: int
    raw: Mapping[str, Any]

    @property
    def finished(self) -> bool:
        """Whether the method stopped by its stopping rule, so that the guarantee applies."""
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
        """Return the rows as a pandas.DataFrame. Raise ImportError if pandas is not installed."""
        import pandas

        return pandas.DataFrame(self.rows()).set_index("candidate")


def _status(raw: Mapping[str, Any]) -> Status:
    return Status(raw["status"], raw["headline"], raw.get("used", 0), raw)


_FIXED = ("ticket", "candidate", "arm", "id", "note", "plate", "campaign")  # names that objectives cannot have


def _missing(value: Any) -> bool:
    """Whether a value is missing: None, NaN, or the types NaT, NA and masked of numpy and pandas."""
    try:
        return value is None or type(value).__name__ == "MaskedConstant" or bool(value != value)
    except (TypeError, ValueError):
        return type(value).__name__ == "NAType"


def _line(cells: Sequence[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def _about(e: PurexpError, rows: Sequence[Mapping[str, Any]], table: Sequence[str]) -> PurexpError:
    """Return an error that refers to the caller's results instead of the lines of the table passed to the program."""
    at, line = {}, 1
    for i, text in enumerate(table):
        at[f"-:{line}"] = i - 1
        line += text.count("\n")
    wrong = []
    for r in e.results:
        i, field = at.get(r.get("where", ""), -1), {"arm": "candidate"}.get(r.get("field", ""), r.get("field", ""))
        where = f"results[{i}]" + (f"[{field!r}]" if field else "") if i >= 0 else "results"
        text = r["text"].replace('write "failed"', "give None")
        if i >= 0 and _missing(rows[i].get(field, "")) and field in rows[i]:
            text = f"the value in Python is {rows[i][field]!r}; {text}"
        wrong.append({**r, "where": where, "row": i, "field": field, "text": text})
    if not wrong:
        return PurexpError(str(e).replace("-: ", "results: ", 1), e.code)
    return PurexpError("\n".join(f"{r['where']}: {r['text']}" for r in wrong), e.code, wrong)


class Campaign:
    """A campaign in a file. The file records the author, time and content of every event."""

    def __init__(self, file: Path, who: str | None = None) -> None:
        self.file = fspath(file)
        self._as = ["--as", who] if who else []

    @classmethod
    def new(cls, problem: Path, file: Path, who: str | None = None) -> Campaign:
        """Start the campaign of a problem file (``purexp problem new TABLE.csv`` writes a problem file)."""
        campaign = cls(file, who)
        run_json(["campaign", "new", word("problem", problem), "--file", campaign.file, *campaign._as])
        return campaign

    def ask(self, plate: int | None = None, arms: Iterable[str] = ()) -> list[Ticket]:
        """Request the next measurements, and return their tickets.

        The list is empty if the campaign has ended, or if the method needs pending results before it requests more.
        With ``arms``, the measurements are of these candidates. Their results count like those requested by the method.
        """
        arguments = ["campaign", "ask", "--file", self.file, *self._as]
        if plate is not None:
            arguments += ["--plate", str(plate)]
        for arm in arms:
            arguments += ["--arms", quoted(word("arm", arm))]
        return self._tickets(arguments)

    def pending(self) -> list[Ticket]:
        """Return the requested measurements without results; if ``who`` is set, only those requested by ``who``."""
        return self._tickets(["campaign", "ask", "--pending", "--file", self.file, *self._as])

    def _tickets(self, arguments: Sequence[str]) -> list[Ticket]:
        _, got = run_json(arguments, ok=(0, 10, 11))
        tickets = got.get("tickets") if isinstance(got, dict) else got
        return [Ticket(t["ticket"], t["plate"], t["arm"]) for t in tickets or []]

    def tell(self, results: Any, batch: str = "", replicates: str = "") -> dict[str, Any]:
        """Report results, and return a receipt. If a result is invalid, raise PurexpError and report no result.

        Results are mappings or a pandas.DataFrame. They have "ticket" (or "candidate" and "id") and a value for each
        objective, by name. With the name of a batch, results need no ids, and reporting the batch again has no effect.
        ``replicates`` names a column with the number of measurements that each result summarises: values are then
        means or, for counts, totals.

        The value None or "failed" of an objective means that the measurement failed. In a data frame, NaN, NA and NaT
        are empty cells, rows without values are ignored, and rows with tickets that lack one of several values stay
        pending. In mappings, NaN, NA and NaT are errors in objectives, and are ignored in other columns, such as
        "note". An empty list of results has no effect.
        """
        framed = hasattr(results, "to_dict")
        rows: list[dict[str, Any]] = results.to_dict("records") if framed else [dict(r) for r in results]
        if not rows:
            return {"event": 0, "used": 0, "unused": 0, "failed": 0, "repeated": 0, "status": self.status().status}
        columns = list(dict.fromkeys(c for row in rows for c in row))
        values = self._measured({c for c in columns if c not in _FIXED and any(_missing(row.get(c)) for row in rows)})

        def cell(row: Mapping[str, Any], column: str) -> Any:
            value = row.get(column, "")
            if value is None and column in values:
                return "failed"
            if column == "ticket" and isinstance(value, float) and value.is_integer():
                return int(value)  # pandas stores integer columns with missing values as float
            if (framed or column not in values) and _missing(value):
                return ""
            return str(value)  # not repr, which includes the type of numpy's numbers

        table = [_line(columns)]
        table += [_line([cell(row, c) for c in columns]) for row in rows]
        try:
            named = ["--batch", word("batch", batch)] if batch else []
            named += ["--replicates", word("replicates", replicates)] if replicates else []
            _, receipt = run_json(["campaign", "tell", "-", "--file", self.file, *self._as, *named], stdin="".join(table))
        except PurexpError as e:
            raise _about(e, rows, table) from None
        return dict(receipt or {})

    def _measured(self, asked: Collection[str]) -> set[str]:
        """Return the columns that contain values of objectives."""
        if not asked:
            return set()
        labels: Sequence[str] = self.status().raw["objectives"]
        return {c for c in asked if any(label == c or label.startswith(c + " [") for label in labels)}

    def status(self) -> Status:
        """Return the status of the campaign."""
        return _status(run_json(["campaign", "status", "--file", self.file])[1])

    def _change(self, command: str, *words: str, why: str) -> Status:
        reason = ["--why", word("why", why)] if why else []
        return _status(run_json(["campaign", command, *words, "--file", self.file, *self._as, *reason])[1])

    def drop(self, candidate: str, why: str = "") -> Status:
        """Remove a candidate, so that the answer is about the remaining candidates. Undoing the event restores it."""
        return self._change("drop", word("candidate", candidate), why=why)

    def join(self, candidate: str, columns: Mapping[str, Any] | None = None, why: str = "") -> Status:
        """Add a candidate. ``columns`` gives its values in the columns that the problem uses: features and known values."""
        values = [f"{word('columns', name)}={value}" for name, value in (columns or {}).items()]
        return self._change("join", word("candidate", candidate), *values, why=why)

    def undo(self, event: int, why: str = "") -> Status:
        """Undo an event by its number: ``tell(...)["event"]``, or ``status().raw["event"]`` for the last event."""
        return self._change("undo", str(int(event)), why=why)

    def export(self) -> list[dict[str, Any]]:
        """Return a row for each measurement: event, time, ticket, candidate, state, and a value for each objective.

        The value is None if the measurement failed or is pending.
        """
        rows = list(csv.DictReader(io.StringIO(run(["campaign", "export", "--format", "csv", "--file", self.file])[1])))
        measured = self._measured(rows[0]) if rows else set()
        return [{c: (float(v) if v else None) if c in measured else int(v) if c in ("event", "plate", "ticket") and v
                 else v for c, v in row.items()} for row in rows]

    def frame(self) -> Any:
        """Return the rows of :meth:`export` as a pandas.DataFrame. Raise ImportError if pandas is not installed."""
        import pandas

        return pandas.DataFrame(self.export())

    def report(self, output: Path) -> None:
        """Write the report to an HTML file."""
        run(["campaign", "report", "--file", self.file, "--output", fspath(output)])

    def certificate(self) -> str:
        """Return the certificate, which third parties can use to check the answer."""
        return run(["campaign", "certificate", "--file", self.file])[1]
