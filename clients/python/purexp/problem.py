"""Problems: what a policy may know before the first measurement, and what is asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Sequence


@dataclass(frozen=True)
class Constraint:
    """The weighted sum of objectives is at most a bound."""

    weights: Sequence[float]
    at_most: float
    name: str = ""

    def message(self) -> dict[str, Any]:
        m: dict[str, Any] = {"weights": list(self.weights), "at_most": self.at_most}
        if self.name:
            m["name"] = self.name
        return m


def at_least(*lower: float | None) -> list[Constraint]:
    """Constraints: objective c is at least lower[c]; None where there is no bound."""
    return [Constraint([-1.0 if i == c else 0.0 for i in range(len(lower))], -v, f"objective {c} >= {v:g}")
            for c, v in enumerate(lower) if v is not None]


def at_most(*upper: float | None) -> list[Constraint]:
    """Constraints: objective c is at most upper[c]; None where there is no bound."""
    return [Constraint([1.0 if i == c else 0.0 for i in range(len(upper))], v, f"objective {c} <= {v:g}")
            for c, v in enumerate(upper) if v is not None]


def best(epsilon: float = 0.0) -> dict[str, Any]:
    """Ask for the best item of one objective, or one that is worse by at most epsilon."""
    return {"find": "best", "epsilon": epsilon}


def good(epsilon: float, multiplicative: bool = False) -> dict[str, Any]:
    """Ask for all items within epsilon of the best, or that fraction of it."""
    return {"find": "good", "epsilon": epsilon, "multiplicative": multiplicative}


def pareto(constraints: Sequence[Constraint] | None = None, epsilon: float = 0.0,
           tolerance: Sequence[float] | None = None) -> dict[str, Any]:
    """Ask for the Pareto set; with constraints for that of the items that keep them, and why others are rejected."""
    if constraints is None and tolerance is None:
        return {"find": "pareto", "epsilon": epsilon}
    q: dict[str, Any] = {"find": "pareto", "reasons": True,
                         "constraints": [c.message() for c in constraints or []]}
    if tolerance is not None:
        q["tolerance"] = list(tolerance)
    return q


def feasible(constraints: Sequence[Constraint]) -> dict[str, Any]:
    """Ask which items keep the constraints."""
    return {"find": "feasible", "constraints": [c.message() for c in constraints]}


@dataclass
class Problem:
    """What a policy may know. Larger is better in every objective; arms and items count from 0.

    ``sigma`` is the sub-Gaussian scale of each objective: the standard deviation of Gaussian noise, half the range
    of bounded rewards. ``question`` is what :func:`best`, :func:`good`, :func:`pareto` or :func:`feasible` return.
    ``features`` has one row an arm; ``items`` those of what is asked about, if that is not the arms. ``known`` has
    means that are known, None where one must be measured. ``costs`` are those of a reward of each arm.
    """

    arms: int
    sigma: float
    question: Mapping[str, Any] = field(default_factory=best)
    objectives: int = 1
    names: Sequence[str] | None = None
    objective_names: Sequence[str] | None = None
    features: Sequence[Sequence[float]] | None = None
    items: Sequence[Sequence[float]] | None = None
    item_names: Sequence[str] | None = None
    sigmas: Sequence[float] | None = None
    norm_sigma: float | None = None
    known: Sequence[Sequence[float | None]] | None = None
    costs: Sequence[float] | None = None
    link: str | None = None

    @property
    def n_items(self) -> int:
        """The number of items that the question is about."""
        return self.arms if self.items is None else len(self.items)

    def message(self) -> dict[str, Any]:
        """Return the problem as the protocol has it."""
        return {key: _plain(value) for key, value in vars(self).items() if value is not None}

    @classmethod
    def of(cls, message: Mapping[str, Any]) -> Problem:
        """Return the problem of a message; fields that this version does not know are left out."""
        return cls(**{k: v for k, v in message.items() if k in cls.__dataclass_fields__})


def _plain(value: Any) -> Any:
    """Return numbers, lists and dictionaries for what may be arrays."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Mapping):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value
