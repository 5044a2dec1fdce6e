"""Pure exploration: find which of finitely many options are best, with as few noisy measurements as possible.

The policies are those of the Go program ``purexp``, which the wheels of this package contain.

* :class:`Policy` drives one of them: it asks, you measure and tell, it answers.
* :func:`serve` lets a policy of your own enter the arena and the conformance suite.
* :class:`Campaign` is a campaign in a file: several people and machines, a certificate at the end.
* :func:`plan` says what an answer will take, and :func:`design` shares measurements among the rows of a table.
"""

from ._program import PurexpError, program
from ._version import __version__
from .campaign import Campaign, Status, Ticket
from .guest import Guest, Refuse, serve
from .plan import design, plan
from .policy import Answer, Policy, Reason, Result
from .problem import Constraint, Problem, at_least, at_most, best, feasible, good, pareto

__all__ = [
    "Answer", "Campaign", "Constraint", "Guest", "Policy", "Problem", "PurexpError", "Reason", "Refuse", "Result",
    "Status", "Ticket", "__version__", "at_least", "at_most", "best", "design", "feasible", "good", "pareto", "plan",
    "program", "serve",
]
