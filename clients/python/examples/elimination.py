"""A custom policy: successive elimination for the best arm, with growing rounds.

    purexp policytest --exec 'python3 elimination.py'
    purexp arena --exec 'python3 elimination.py' --question 'best item' --reps 5
"""

import math

from purexp import Refuse, serve


class Elimination:
    name = "elimination (Python)"

    def __init__(self, problem, delta, budget, random):
        question = problem.question
        if question["find"] != "best" or problem.objectives > 1 or problem.items or problem.link or budget:
            raise Refuse("question: expected the best arm of one objective, with an error probability")
        self.sigma, self.delta, self.epsilon = problem.sigma, delta, question.get("epsilon", 0.0)
        self.k, self.active, self.round = problem.arms, list(range(problem.arms)), 0
        self.n, self.sum = [0] * self.k, [0.0] * self.k

    def ask(self):
        if len(self.active) == 1:
            return []
        want = max(1, math.ceil(0.1 * self.n[self.active[0]]))
        return [(arm, want) for arm in self.active]

    def tell(self, results):
        for r in results:
            self.n[r.arm] += r.n
            self.sum[r.arm] += r.sum[0]
        self.round += 1
        # By a union bound over arms and rounds, the error of every estimate in every round is at most the radius.
        level = self.delta / (2 * self.k * self.round * (self.round + 1))
        radius = self.sigma * math.sqrt(2 * math.log(1 / level) / self.n[self.active[0]])
        best = max(self.mean(arm) for arm in self.active)
        self.active = [a for a in self.active if self.mean(a) + 2 * radius > best]
        if 2 * radius <= self.epsilon:
            self.active = [max(self.active, key=self.mean)]

    def mean(self, arm):
        return self.sum[arm] / max(self.n[arm], 1)

    def answer(self):
        return [max(self.active, key=self.mean)]


if __name__ == "__main__":
    serve(Elimination)
