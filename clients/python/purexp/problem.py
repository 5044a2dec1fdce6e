"""Problems: the question, and the prior knowledge that a policy may use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Sequence


@dataclass(frozen=True)
class Constraint:
    """A constraint: the weighted sum of the objectives is at most a bound."""

    weights: Sequence[float]
    at_most: float
    name: str = ""

    def message(self) -> dict[str, Any]:
        m: dict[str, Any] = {"weights": list(self.weights), "at_most": self.at_most}
        if self.name:
            m["name"] = self.name
        return m


def at_least(*lower: float | None) -> list[Constraint]:
    """Return the constraints that each objective c is at least lower[c]. None means no bound."""
    return [Constraint([-1.0 if i == c else 0.0 for i in range(len(lower))], -v, f"objective {c} >= {v:g}")
            for c, v in enumerate(lower) if v is not None]


def at_most(*upper: float | None) -> list[Constraint]:
    """Return the constraints that each objective c is at most upper[c]. None means no bound."""
    return [Constraint([1.0 if i == c else 0.0 for i in range(len(upper))], v, f"objective {c} <= {v:g}")
            for c, v in enumerate(upper) if v is not None]


def best(epsilon: float = 0.0) -> dict[str, Any]:
    """Ask for an item whose mean is at most epsilon below the best mean, for one objective."""
    return {"find": "best", "epsilon": epsilon}


def good(epsilon: float, multiplicative: bool = False) -> dict[str, Any]:
    """Ask for all items within epsilon of the best item, or within the fraction epsilon if multiplicative."""
    return {"find": "good", "epsilon": epsilon, "multiplicative": multiplicative}


def pareto(constraints: Sequence[Constraint] | None = None, epsilon: float = 0.0,
           tolerance: Sequence[float] | None = None) -> dict[str, Any]:
    """Ask for the Pareto set, or with constraints for the Pareto set of the feasible items, with reasons for all items."""
    if constraints is None and tolerance is None:
        return {"find": "pareto", "epsilon": epsilon}
    q: dict[str, Any] = {"find": "pareto", "reasons": True,
                         "constraints": [c.message() for c in constraints or []]}
    if tolerance is not None:
        q["tolerance"] = list(tolerance)
    return q


def feasible(constraints: Sequence[Constraint]) -> dict[str, Any]:
    """Ask for the items that satisfy all constraints."""
    return {"find": "feasible", "constraints": [c.message() for c in constraints]}


@dataclass
class Problem:
    """A problem for a policy. Larger values are better in every objective. Arms and items are numbered from 0.

    ``sigma`` is the sub-Gaussian scale of each objective: the standard deviation of Gaussian noise, or half the range
    of bounded rewards. ``question`` is a result of :func:`best`, :func:`good`, :func:`pareto` or :func:`feasible`.
    ``features`` has one row per arm. ``items`` has the features of the items, if the question is not about the arms.
    ``known`` has the known means, with None for means that must be measured. ``costs`` has the cost per reward of
    each arm.
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
        """The number of items in the question."""
        return self.arms if self.items is None else len(self.items)

    def message(self) -> dict[str, Any]:
        """Return the problem as a message of the protocol."""
        return {key: _plain(value) for key, value in vars(self).items() if value is not None}

    @classmethod
    def of(cls, message: Mapping[str, Any]) -> Problem:
        """Return the problem of a message. Fields unknown to this version are ignored."""
        return cls(**{k: v for k, v in message.items() if k in cls.__dataclass_fields__})


def _plain(value: Any) -> Any:
    """Return a value with all arrays converted to numbers, lists and dictionaries."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Mapping):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value
