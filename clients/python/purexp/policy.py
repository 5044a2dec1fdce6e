"""Run a policy of the program purexp."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Sequence, Union

from ._program import PurexpError, program, word
from .problem import Problem, _plain

Measurement = Union[float, Sequence[float]]


@dataclass(frozen=True)
class Result:
    """The sum of n rewards of an arm, with one number per objective. n = 0 means that the measurement failed."""

    arm: int
    n: int
    sum: Sequence[float] = ()
    squares: Sequence[float] | None = None

    def message(self) -> dict[str, Any]:
        m: dict[str, Any] = {"arm": self.arm, "n": self.n, "sum": _plain(list(self.sum))}
        if self.squares is not None:
            m["squares"] = _plain(list(self.squares))
        return m


@dataclass(frozen=True)
class Reason:
    """The reason why an item is or is not in the answer. ``verdict`` is optimal, dominated, infeasible or undecided."""

    verdict: str
    by: int | None = None
    margin: float | None = None
    radius: float | None = None
    constraint: int | None = None
    slack: float | None = None
    slack_radius: float | None = None


@dataclass(frozen=True)
class Answer:
    """The answer to the question: the chosen items, and a reason for each item if the policy gives reasons."""

    chosen: list[int]
    reasons: list[Reason]
    final: bool

    @classmethod
    def of(cls, message: dict[str, Any], final: bool) -> Answer:
        known = Reason.__dataclass_fields__
        return cls(list(message["chosen"]),
                   [Reason(r["class"], **{k: v for k, v in r.items() if k in known}) for r in message.get("reasons") or []],
                   final)


class Policy:
    """A run of a policy of the program.

    >>> with Policy("recommended", Problem(arms=3, sigma=1.0), delta=0.1) as p:   # doctest: +SKIP
    ...     while pulls := p.ask():
    ...         p.tell([Result(arm, n, [measure(arm, n)]) for arm, n in pulls])
    ...     print(p.answer().chosen)

    ``name`` is a name listed by ``purexp list methods``, or "recommended". Settings are fields of the policy's Go type,
    such as ``Radius="mixture"``. With ``plate``, a policy with the evidence "any sampling" requests at most ``plate``
    rewards at a time, and accepts failed measurements (n = 0). All other policies require the results of complete
    rounds. The same seed and results reproduce the run.
    """

    def __init__(self, name: str, problem: Problem, *, delta: float = 0.05, budget: int = 0, seed: int = 0,
                 plate: int = 0, **settings: Any) -> None:
        command = [program(), "policy", word("name", name)]
        if settings:
            command += ["--settings", json.dumps({k: _plain(v) for k, v in settings.items()})]
        self.problem = problem
        self._answer: Answer | None = None
        self._next: dict[str, Any] | None = None
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                         text=True, encoding="utf-8")
        init: dict[str, Any] = {"type": "init", "protocol": 1, "problem": problem.message(), "seed": str(seed)}
        if budget:
            init["budget"] = budget
        else:
            init["delta"] = delta
        if plate:
            init["plate"] = plate
        reply = self._exchange(init)
        if reply["type"] == "refuse":
            self.close()
            raise PurexpError(f"{name}: {reply.get('why')}")
        self.name: str = reply.get("name", name)
        self.evidence: str = reply.get("evidence", "own rounds")
        self._take(self._receive())

    def ask(self) -> list[tuple[int, int]]:
        """Return the requested measurements as pairs of an arm and a number of rewards; [] if the policy has stopped."""
        if self._next is None:
            return []
        return [(arm, n) for arm, n in self._next["pulls"]]

    def tell(self, results: Iterable[Result]) -> None:
        """Report the results of all measurements of the last request, in the order of the request."""
        self._take(self._exchange({"type": "tell", "results": [r.message() for r in results]}))

    def answer(self) -> Answer:
        """Return the final answer if the policy has stopped, or else its current best guess."""
        if self._answer is not None:
            return self._answer
        return Answer.of(self._exchange({"type": "answer"})["answer"], False)

    def run(self, measure: Callable[[int], Measurement], most: int | None = None) -> Answer:
        """Run the policy until it stops or would need more than ``most`` rewards. ``measure`` returns a reward of an arm."""
        spent = 0
        while pulls := self.ask():
            spent += sum(n for _, n in pulls)
            if most is not None and spent > most:
                break
            self.tell([_draw(measure, arm, n) for arm, n in pulls])
        return self.answer()

    def close(self) -> None:
        """End the process of the policy."""
        if self._process.stdin and not self._process.stdin.closed:
            try:
                self._process.stdin.close()
            except BrokenPipeError:
                pass
        self._process.wait()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe:
                pipe.close()

    def __enter__(self) -> Policy:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _take(self, message: dict[str, Any]) -> None:
        self._next = None
        if message["type"] == "ask":
            self._next = message
        elif message["type"] == "stop":
            self._answer = Answer.of(message["answer"], True)
        else:
            raise PurexpError(f"type: {message['type']!r}; expected ask or stop")

    def _exchange(self, message: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin
        try:
            self._process.stdin.write(json.dumps(message, allow_nan=False) + "\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError) as e:
            if isinstance(e, ValueError) and not self._process.stdin.closed:
                raise PurexpError(f"results: a number is not finite; expected finite numbers: {e}") from None
            return self._receive()
        return self._receive()

    def _receive(self) -> dict[str, Any]:
        assert self._process.stdout and self._process.stderr
        line = "" if self._process.stdout.closed else self._process.stdout.readline()
        if not line:
            said = "" if self._process.stderr.closed else self._process.stderr.read().strip()
            raise PurexpError(said or "the program ended without a message", self._process.wait())
        message: dict[str, Any] = json.loads(line)
        if message["type"] == "error":
            raise PurexpError(message.get("message", ""))
        return message


def _draw(measure: Callable[[int], Measurement], arm: int, n: int) -> Result:
    total: list[float] = []
    squares: list[float] = []
    for _ in range(n):
        value = _plain(measure(arm))
        row = [float(v) for v in value] if isinstance(value, list) else [float(value)]
        total = [a + b for a, b in zip(total, row)] if total else row
        squares = [a + b * b for a, b in zip(squares, row)] if squares else [b * b for b in row]
    return Result(arm, n, total, squares)
