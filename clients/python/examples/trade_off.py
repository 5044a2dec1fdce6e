"""Find the Pareto set, in yield and selectivity, of the catalysts whose yield is acceptable."""

import random

import purexp

random = random.Random(3)
means = {"A": (0.81, 0.70), "B": (0.74, 0.88), "C": (0.60, 0.65), "D": (0.42, 0.95)}
names = list(means)


def measure(arm: int) -> tuple[float, float]:
    return tuple(random.gauss(m, 0.05) for m in means[names[arm]])


problem = purexp.Problem(arms=4, objectives=2, names=names, objective_names=["yield", "selectivity"], sigma=0.05,
                         norm_sigma=0.05, question=purexp.pareto(purexp.at_least(0.5, None)))
with purexp.Policy("e-cAPE", problem, delta=0.05, Radius="mixture") as policy:
    answer = policy.run(measure)
for name, reason in zip(names, answer.reasons):
    print(f"{name}: {reason.verdict}" + (f" by {names[reason.by]}" if reason.verdict == "dominated" else ""))
