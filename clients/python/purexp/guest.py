"""Serve a policy written in Python to the arena, the conformance suite, and other programs (hosts)."""

from __future__ import annotations

import json
import random
import sys
from typing import Any, Iterable, Protocol, Sequence, TextIO, Union

from .policy import Result
from .problem import Problem

Reply = Union[Sequence[int], "tuple[Sequence[int], Sequence[dict[str, Any]]]"]


class Refuse(Exception):
    """Raised by the constructor of a policy that does not support the problem."""


class Guest(Protocol):
    """The interface of a policy for :func:`serve`, which constructs a new policy for each run.

    The constructor receives the problem, delta (0 with a budget), budget (0 with a delta), and a random generator. The
    constructor raises :class:`Refuse` if the policy does not support the problem. The class may have the attributes
    ``name`` and ``evidence`` ("own rounds" or "any sampling").
    """

    def __init__(self, problem: Problem, delta: float, budget: int, random: random.Random) -> None: ...

    def ask(self) -> Iterable[tuple[int, int]]:
        """Return pairs of an arm and a number of rewards to measure. An empty list ends the run."""

    def tell(self, results: list[Result]) -> None:
        """Process the results of the last request, in the order of the request."""

    def answer(self) -> Reply:
        """Return the chosen items in ascending order, or a pair of the chosen items and a list of reasons."""


def serve(guest: type, stdin: TextIO | None = None, stdout: TextIO | None = None) -> None:
    """Exchange messages with the host on standard input and output until the host closes the input.

    The output of the policy is redirected to standard error, because standard output is for messages only. An
    exception ends the process. The host shows the traceback, which is written to standard error.
    """
    lines, out = stdin or sys.stdin, stdout or sys.stdout
    if stdout is None:
        sys.stdout = sys.stderr
    policy: Any = None

    def say(**message: Any) -> None:
        out.write(json.dumps(message, allow_nan=False) + "\n")
        out.flush()

    def answer() -> dict[str, Any]:
        given = policy.answer()
        chosen, reasons = given if isinstance(given, tuple) else (given, None)
        message: dict[str, Any] = {"chosen": [int(i) for i in chosen]}
        if reasons is not None:
            message["reasons"] = list(reasons)
        return message

    def next_round() -> None:
        pulls = [[int(arm), int(n)] for arm, n in policy.ask()]
        if pulls:
            say(type="ask", pulls=pulls)
        else:
            say(type="stop", answer=answer())

    for line in lines:
        if not line.strip():
            continue
        message = json.loads(line)
        kind = message.get("type")
        if kind == "init":
            if message.get("protocol") != 1:
                say(type="error", message=f"protocol: version {message.get('protocol')}; expected version 1")
                return
            try:
                policy = guest(Problem.of(message["problem"]), message.get("delta", 0.0), message.get("budget", 0),
                               random.Random(int(message.get("seed", "0"))))
            except Refuse as e:
                policy = None
                say(type="refuse", why=str(e))
                continue
            say(type="ready", protocol=1, name=str(getattr(policy, "name", guest.__name__)),
                evidence=getattr(policy, "evidence", "own rounds"))
            next_round()
        elif kind == "error":
            print("the host reports an error:", message.get("message"), file=sys.stderr)
            return
        elif policy is None:
            say(type="error", message=f"type: {kind!r} before init; expected init")
            return
        elif kind == "tell":
            policy.tell([Result(r["arm"], r["n"], r.get("sum") or (), r.get("squares")) for r in message["results"]])
            next_round()
        elif kind == "answer":
            say(type="answer", answer=answer())
        else:
            say(type="error", message=f"type: {kind!r}; expected init, tell, answer or error")
            return
