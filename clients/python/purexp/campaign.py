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


def _status(raw: Mapping[str, Any]) -> Status:
    return Status(raw["status"], raw["headline"], raw.get("used", 0), raw)


_FIXED = ("ticket", "candidate", "arm", "id", "note", "plate", "campaign")  # columns that no objective has


def _missing(value: Any) -> bool:
    """Whether a value is None, NaN, or what numpy and pandas have in their place: NaT, NA, masked."""
    try:
        return value is None or type(value).__name__ == "MaskedConstant" or bool(value != value)
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
        text = r["text"].replace('write "failed"', "give None")
        if i >= 0 and _missing(rows[i].get(field, "")) and field in rows[i]:
            text = f"the value in Python is {rows[i][field]!r}; {text}"
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
        return self._tickets(arguments)

    def pending(self) -> list[Ticket]:
        """Return the measurements that were asked for and not reported yet: those of ``who``, if the campaign has it."""
        return self._tickets(["campaign", "ask", "--pending", "--file", self.file, *self._as])

    def _tickets(self, arguments: Sequence[str]) -> list[Ticket]:
        _, got = run_json(arguments, ok=(0, 10, 11))
        tickets = got.get("tickets") if isinstance(got, dict) else got
        return [Ticket(t["ticket"], t["plate"], t["arm"]) for t in tickets or []]

    def tell(self, results: Any, batch: str = "") -> dict[str, Any]:
        """Report results, and return a receipt. If anything is wrong, nothing is taken.

        Results are mappings, or a pandas.DataFrame, with "ticket" (or "candidate" and "id") and a value for each
        objective, by name. With the name of a batch they need no ids: telling the batch again does no harm.

        The value None or "failed" of an objective says that the measurement failed. In a data frame NaN, NA and NaT
        are empty cells: a row without values is left for later. In mappings they are errors in an objective, and say
        nothing elsewhere, such as in "note". Without results nothing happens.
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
                return int(value)  # a column of a data frame with gaps has no integers
            if (framed or column not in values) and _missing(value):
                return ""
            return str(value)  # numpy's numbers have another repr

        table = [_line(columns)]
        table += [_line([cell(row, c) for c in columns]) for row in rows]
        try:
            named = ["--batch", word("batch", batch)] if batch else []
            _, receipt = run_json(["campaign", "tell", "-", "--file", self.file, *self._as, *named], stdin="".join(table))
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
        return _status(run_json(["campaign", "status", "--file", self.file])[1])

    def _change(self, command: str, *words: str, why: str) -> Status:
        reason = ["--why", word("why", why)] if why else []
        return _status(run_json(["campaign", command, *words, "--file", self.file, *self._as, *reason])[1])

    def drop(self, candidate: str, why: str = "") -> Status:
        """Take a candidate out. The answer is about the others from now on; undo the event, and it is in again."""
        return self._change("drop", word("candidate", candidate), why=why)

    def join(self, candidate: str, columns: Mapping[str, Any] | None = None, why: str = "") -> Status:
        """Take a new candidate in, with its values in the columns that the problem uses: features and known values."""
        values = [f"{word('columns', name)}={value}" for name, value in (columns or {}).items()]
        return self._change("join", word("candidate", candidate), *values, why=why)

    def undo(self, event: int, why: str = "") -> Status:
        """Take an event back, by its number: ``tell(...)["event"]``, or ``status().raw["event"]`` of the last one."""
        return self._change("undo", str(int(event)), why=why)

    def export(self) -> list[dict[str, Any]]:
        """Return the results on record, a row each: event, time, ticket, candidate, state, and a value by objective.

        A value is None where the measurement failed, was given up or is pending.
        """
        rows = list(csv.DictReader(io.StringIO(run(["campaign", "export", "--format", "csv", "--file", self.file])[1])))
        measured = self._measured(rows[0]) if rows else set()
        return [{c: (float(v) if v else None) if c in measured else int(v) if c in ("event", "plate", "ticket") and v
                 else v for c, v in row.items()} for row in rows]

    def frame(self) -> Any:
        """Return what :meth:`export` returns as a pandas.DataFrame. It is an ImportError without pandas."""
        import pandas

        return pandas.DataFrame(self.export())

    def report(self, output: Path) -> None:
        """Write the report, one HTML file."""
        run(["campaign", "report", "--file", self.file, "--output", fspath(output)])

    def certificate(self) -> str:
        """Return the certificate: what others need to check the answer."""
        return run(["campaign", "certificate", "--file", self.file])[1]
