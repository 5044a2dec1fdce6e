"""The rules of LinGapE and elimination by betting for check_certificate.py (sections 6 and 7 of docs/certificate.md)."""
import math

def need(ok, text, kind=ValueError):  # NotImplementedError means that the program cannot check the certificate
    if not ok: raise kind(text)

def dot(a, b): return sum(u * v for u, v in zip(a, b))
def minus(a, b): return [u - v for u, v in zip(a, b)]

def solve(a, ys):
    """Returns the solution w of a w = y for each y, or None without a solution, and log det a. The matrix a is positive
    semidefinite."""
    rows, used, det = [row + [y[i] for y in ys] for i, row in enumerate(a)], set(), 0
    tiny = 1e-11 * max(a[i][i] for i in range(len(a)))
    for _ in a:
        k = max((i for i in range(len(a)) if i not in used), key=lambda i: rows[i][i])
        if rows[k][k] <= tiny: break
        used, det = used | {k}, det + math.log(rows[k][k])
        for i in range(len(a)):
            f = rows[i][k] / rows[k][k] if i != k else 0
            if f: rows[i] = [u - f * v for u, v in zip(rows[i], rows[k])]
    out = [[rows[i][len(a) + c] / rows[i][i] if i in used else 0. for i in range(len(a))] for c in range(len(ys))]
    off = lambda c: any(abs(rows[i][len(a) + c]) > 1e-7 * max(map(abs, ys[c])) for i in range(len(a)) if i not in used)
    return [None if off(c) else w for c, w in enumerate(out)], det

def distance(rows, x):
    """Returns the distance of x from the set {a x <= b for all rows}, computed with Hildreth's method."""
    at, held = list(x), [0.] * len(rows)
    for k, (a, b, _) in list(enumerate(rows)) * (5000 if len(rows) > 1 else 1):
        move = max(-held[k], dot(a, at) - b)
        held[k], at = held[k] + move, [u - move * v for u, v in zip(at, a)]
    return math.dist(at, x)

def coordinates(p, start):
    """Returns the coordinates of the candidates in the basis start, which must be a result of pivoting, up to ties."""
    start = [p.arms.index(name) for name in start]
    scale = [max(abs(row[c]) for row in p.x) or 1 for c in range(len(p.x[0]))]
    x = [[v / s for v, s in zip(row, scale)] for row in p.x]
    left = [row[:] for row in x]
    for i in start:
        size = math.sqrt(dot(left[i], left[i]))
        need(size > 0 and size >= (1 - 1e-6) * max(math.hypot(*row) for row in left), "the statement: the start contradicts the features")
        e = [v / size for v in left[i]]
        left = [minus(row, [dot(row, e) * v for v in e]) for row in left]
    need(max(math.hypot(*row) for row in left) < 1e-6, "the statement: the start does not span the candidates")
    return solve([[dot(x[i], x[j]) for j in start] for i in start], [[dot(x[i], row) for i in start] for row in x])[0]

class Fit:
    """A least squares estimate with noise of scale 1."""
    def __init__(self, x): self.x, self.a, self.b, self.base = x, [[0.] * len(x[0]) for _ in x[0]], [0.] * len(x[0]), 0

    def add(self, results):
        for i, v, *n in results:  # v is the sum of n rewards, or one reward without n
            self.b = [s + v * u for s, u in zip(self.b, self.x[i])]
            self.a = [[s + t * u * (n or [1])[0] for s, u in zip(row, self.x[i])] for row, t in zip(self.a, self.x[i])]

    def leads(self, pairs):
        """Returns the estimated lead of j over i and its variance for each pair, or None if it is not identifiable."""
        ys = [minus(self.x[j], self.x[i]) for i, j in pairs]
        w, self.det = solve(self.a, ys)
        return [None if v is None else (dot(v, self.b), dot(v, y)) for v, y in zip(w, ys)]

    def half(self, p, variance):
        return math.sqrt(2.2 * variance * (-math.log(p.delta) + (self.det - self.base) / 2 + len(self.b) / 2 * math.log(11)))

    def gap(self, p):
        def gap(i, j, dominated):
            m, v = self.leads([(i, j)])[0]
            return m if dominated else -m, self.half(p, v)
        return gap

def twins(x, i): return [j for j in range(len(x)) if max(map(abs, minus(x[i], x[j]))) < 1e-9]

def lingape(p, say, last):
    """Section 6: LinGapE."""
    need(p.find == "best" and p.d == 1 and not p.rows, "LinGapE for this question", NotImplementedError)
    fit, n = Fit(coordinates(p, say["start"])), p.until(last)[0]
    fit.add([(i, v[0], n) for seq, _, i, v, n in p.results if seq <= last])
    if any(n[p.arms.index(name)] == 0 for name in say["start"]):
        return False, [], lambda i: {"dominated": False, "optimal": False}, None, None, {}
    leads = fit.leads([(0, i) for i in range(p.k)])
    best = max(range(p.k), key=lambda i: leads[i][0])
    behind = [(m, fit.half(p, v)) for m, v in fit.leads([(i, best) for i in range(p.k)])]
    same = twins(fit.x, best)
    done = all(i in same or h - m <= p.tol[0] for i, (m, h) in enumerate(behind))
    certain = lambda i: {"dominated": i not in same and behind[i][0] >= behind[i][1], "optimal": False}
    return done, same, certain, fit.gap(p), None, {}

MULTIPLES = [(2 ** (k / 2), math.exp(-k * k / 2)) for k in range(-4, 5)]
SHARES = math.log(sum(w for _, w in MULTIPLES))

def log_capital(accounts):
    """Returns the log capital of a list of accounts (log of the initial capital, s, q)."""
    return log_sum([c + math.log(w) - SHARES + l * s - l * l * q / 2 for c, s, q in accounts for l, w in MULTIPLES])

def log_sum(logs): return max(logs) + math.log(sum(math.exp(v - max(logs)) for v in logs))

def log_first(fit, i, best, n):
    """Returns the log capital of the bets against candidate i after round 0, starting with one unit."""
    logs = [math.log(.85)]
    for lead, v in fit.leads([(i, j) for j in best[:20] if j != i]):
        x = 8 / 17 * lead * lead / v
        if lead > 0: logs.append(math.log(.15 / (n - 1)) + math.log(math.erfc(-math.sqrt(x))) + x - math.log(17) / 2)
    return log_sum(logs)

def betting(p, say, last):
    """Section 7: elimination by betting."""
    need(p.find == "best" and p.d == 1 and not p.rows and not p.undone and not p.gone,
         "elimination by betting with undone events, or with candidates that were added or dropped", NotImplementedError)
    need(p.whole, "elimination by betting whose first rounds are not on record", NotImplementedError)
    need(p.radius[0][:4] not in ("Bern", "empi"), "elimination by betting on rewards between bounds", NotImplementedError)
    results = [r[:4] for r in p.results if r[0] <= last and r[1]]
    rounds, level, eps = say.get("rounds", []), -math.log(p.delta), p.tol[0]
    overlap = [[r for r in results if p.phase[r[1]] == t] for t in range(len(p.phases))]  # the results of each recorded phase
    need(overlap or sum(rounds) == len(results) or last == math.inf, "the statement: the rounds have %d results" % len(results))
    x = coordinates(p, say["start"])
    first = [twins(x, i)[0] for i in range(p.k)]
    active = sorted(set(first))
    fit, done, best, leaders, pulls, told, opened, led = Fit(x), len(active) == 1, None, 0, 0, 0, 1, say.get("leaders", [])
    within, total = {}, .5 if eps else 1
    bets = {i: [[math.log(.8 * total), 0, 0]] for i in active}
    for t, size in enumerate(rounds):
        part, results = (overlap[t] if t < len(overlap) else [], results) if overlap else (results[:size], results[size:])
        arms, own = {i for _, _, i, _ in part}, Fit(x)
        for _, ticket, i, _ in () if overlap else part:
            need(p.asked[ticket][1] > told, "ticket %d was requested before the previous round had ended" % ticket)
        want = max(.02 * pulls, 2 * len(arms)) if not overlap else p.size[t] if t < len(overlap) else 0
        need(not done and (t == 0 and not overlap or t <= len(led) and math.ceil(want - 1e-6) <= size <= math.ceil(want + 1e-6) and len(part) == size),
             "the statement: round %d has %d results; %s are due" % (t, size, want))
        told = max(seq for seq, _, _, _ in part)
        own.add([(i, v[0]) for _, _, i, v in part])
        if t:
            pairs = [(i, best if i != best else order[1]) for i in active]
            for (i, j), past, now in zip(pairs, fit.leads(pairs), own.leads(pairs)):
                if now is None: continue  # the round does not identify the difference
                for accounts, e in ((bets[i], 0), (within[i], eps)):
                    if accounts is within[i] and (i == best or log_capital(bets[i]) >= level): break
                    se = math.sqrt(past[1])
                    u = (past[0] + e) / se
                    f = se * (math.exp(-u * u / 2) / math.sqrt(2 * math.pi) + u * math.erfc(-u / math.sqrt(2)) / 2)
                    for a in accounts: a[1:] = a[1] + f * (now[0] + e) / now[1], a[2] + f * f / now[1]
        fit.add([(i, v[0]) for _, _, i, v in part])
        pulls += size
        if t == 0:
            leads = fit.leads([(active[0], i) for i in active])
            need(None not in leads, "the statement: round 0 does not tell all candidates apart")
            nearest = [i for _, i in sorted((-m, i) for i, (m, _) in zip(active, leads))]
            for i in active: bets[i][0][0] += log_first(fit, i, nearest, len(active))
        logs = {i: log_capital(bets[i]) for i in active}
        active = [i for i in active if logs[i] < level] or [min(active, key=lambda i: logs[i])]
        leads = fit.leads([(active[0], i) for i in active])
        mean = {i: m for i, (m, _) in zip(active, leads)}
        if t == 0: fit.base, opened = fit.det, pulls
        elif pulls >= 4 * opened:
            opened = pulls
            for accounts, share in [(a, total) for a in bets.values()] + [(a, half) for a in within.values()]:
                accounts.append([math.log(.2 / (len(accounts) * (len(accounts) + 1)) * share), 0, 0])
        close = eps and best in active and all(log_capital(within[i]) >= level for i in active if i != best)
        done = len(active) == 1 or t > 0 and close
        if not done and t < len(led):  # the leaders of the next round
            ahead = [first[p.arms.index(name)] for name in led[t]]
            order = sorted(active, key=lambda i: (i not in ahead[:1], i not in ahead, -mean[i]))
            need(all(mean[i] >= max(mean[j] for j in order[k:]) - 1e-9 * (1 + abs(mean[i])) for k, i in enumerate(order[:2])),
                 "the statement: the leaders of round %d contradict the results" % (t + 1))
            if order[0] != best:  # if estimates differ only by rounding, the statement determines the leader
                best, leaders = order[0], leaders + 1
                half = .5 / (leaders * (leaders + 1))
                within = {i: [[math.log(.8 * half), 0, 0]] for i in bets}
    t = len(rounds)
    need(done or t >= len(overlap) or len(overlap[t]) < p.size[t], "the statement: round %d is missing" % t)
    winner = best if done and len(active) > 1 else max(active, key=lambda i: mean[i]) if rounds else 0
    capital = {i: {"log_capital": log_capital(bets[first[i]])} for i in range(p.k)}
    for i in range(p.k):
        if eps and within and first[i] != best: capital[i]["log_within"] = log_capital(within[first[i]])
    behind = lambda i: rounds and first[i] != winner and fit.gap(p)(i, winner, True)
    certain = lambda i: {"dominated": first[i] not in active or bool(behind(i)) and behind(i)[0] >= behind(i)[1], "optimal": False}
    return done, twins(x, winner), certain, fit.gap(p), None, capital

RULES = {"LinGapE": lingape, "Betting": betting}
