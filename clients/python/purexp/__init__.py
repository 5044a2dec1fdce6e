"""Pure exploration: find which of finitely many options are best, with as few noisy measurements as possible.

The package runs the policies of the Go program ``purexp``, which its wheels contain.

* :class:`Policy` runs a policy. The policy requests measurements, you report the results, and the policy returns an answer.
* :func:`serve` connects a policy written in Python to the arena, the conformance suite and other programs.
* :class:`Campaign` is a campaign in a file, for several people and machines, with a certificate at the end.
* :func:`plan` estimates the cost of an answer, and :func:`design` allocates measurements to the rows of a table.
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
