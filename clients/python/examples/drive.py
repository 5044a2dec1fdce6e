"""Find the fastest of five compiler settings. A policy of purexp chooses the settings to measure."""

import random

import purexp

random = random.Random(7)
seconds = {"-O1": 4.1, "-O2": 3.2, "-O3": 3.0, "-O3 -flto": 2.5, "-Os": 3.6}  # the true means, unknown to the policy
names = list(seconds)


def measure(arm: int) -> float:
    """Return the negative run time, because larger rewards are better."""
    return -random.gauss(seconds[names[arm]], 0.4)


problem = purexp.Problem(arms=len(names), names=names, sigma=0.4, question=purexp.best(epsilon=0.1))
with purexp.Policy("recommended", problem, delta=0.05, seed=1) as policy:
    answer = policy.run(measure)
print(f"{policy.name}: {names[answer.chosen[0]]}")
for name, reason in zip(names, answer.reasons):
    print(f"  {name}: {reason.verdict}")
