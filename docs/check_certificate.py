#!/usr/bin/env python3
"""Checks a certificate written by 'purexp campaign certificate'. Section numbers below refer to docs/certificate.md.

    check_certificate.py FILE    prints "follows" (exit code 0), the first fault (1), or the reason why it cannot check (2)
"""
import hashlib, math, re, sys
from check_record import BODIES, Record, limits, line, strict, typed
from check_radii import before, radii, widths
from check_linear import RULES as LINEAR, distance, dot, need

INF, TEXT = math.inf, r'("(?:[^"\\]|\\.)*")'
EVENT = re.compile(r'\{"seq":(\d+),"at":%s,"who":%s,"what":%s,"body":(.*),"hash":"([0-9a-f]{64})"\}' % (TEXT, TEXT, TEXT))
def close(a, b): return a == b or None not in (a, b) and abs(a - b) <= 1e-6 * max(1, abs(a), abs(b))

def read(text):
    """Section 1: checks the hashes, and returns events, statement, claims and monitors."""
    lines, before, events = text.split("\n"), "0" * 64, []
    head = strict(lines[0])
    need(head["format"] == "purexp certificate", "line 1: this is no certificate")
    need(head["version"] == 1, "line 1: version %s of the format; expected 1" % head["version"], NotImplementedError)
    for seq, text in enumerate(lines[1:head["events"] + 1], 1):
        m = EVENT.fullmatch(text)
        need(m and int(m[1]) == seq, "line %d is not event %d: lines are missing, or out of order" % (seq + 1, seq))
        at, who, what = (strict(m[k]) for k in (2, 3, 4))
        need("\n" not in at and line(who) and 0 < len(who.strip().encode()) <= 200 and what in BODIES, "event %d: the kind %r, the author %r or the time is invalid" % (seq, what, who))
        need(not re.search(r"\s", re.sub(TEXT, "", m[5])), "event %d: the body has blanks between its words" % seq)
        before = hashlib.sha256("\n".join((before, m[1], at, who, what, m[5])).encode()).hexdigest()
        need(before == m[6], "line %d: event %d does not match its hash" % (seq + 1, seq))
        try: events.append((seq, what, typed(strict(m[5]), BODIES[what], "")))
        except ValueError as e: raise ValueError("event %d: %s" % (seq, e))
        first = before if seq == 1 else first
        need(what != "seal" or events[-1][2].get("problem") == first, "event %d: problem: the hash is not that of event 1" % seq)
    need(before == head["hash"], "line 1: the hash is not that of the last event")
    parts = [strict(text) for text in lines[len(events) + 1:-1]]
    need([part["part"] for part in parts] == ["statement"] + ["claim"] * (len(parts) - 3) + ["monitors", "end"] and not lines[-1],
         "the end is missing, or a line is out of place")
    need(parts[-1]["hash"] == hashlib.sha256(("\n".join(lines[:-2]) + "\n").encode()).hexdigest(),
         "line %d: the hash does not match the lines before" % (len(lines) - 1))
    return events, parts[0], parts[1:-2], parts[-2]

def times(o):
    """Returns the factor that converts an amount of an objective (a rate or a count) to the scale of rewards."""
    noise, rates = o["noise"], o.get("amounts") == "rates"
    return 1 / noise["full"] if "full" in noise and not rates else noise["counts"] if rates else 1

class Problem:
    """Sections 2 and 3: the candidates, the valid results, and the problem in standardised rewards."""
    def __init__(self, events, say):
        record = Record(events)
        p, results, self.undone, self.gone, self.asked = record.problem, record.results, record.undone, record.gone, record.tickets
        self.phases, self.phase, self.size, self.whole = record.phases, record.phase, record.size, record.whole
        for key, v in (("find", p["question"]["find"]), ("delta", p["question"]["delta"]), ("method", p["method"]["name"])):
            need(say[key] == v, "the statement: %s is %s in event 1, and not %s" % (key, v, say[key]))
        self.count = p["question"].get("count", 1)
        for noise in (o["noise"] for o in p["objective"]):  # if some trials are not evaluable, each trial is a reward
            if "evaluable" in noise: noise["full"], noise["counts"] = noise["counts"], 1
        full = max(o["noise"].get("full", 1) for o in p["objective"])
        need(full == 1 or say["method"] in SUMS, "%s of evaluable trials" % say["method"], NotImplementedError)
        names, x, goals = p["candidates"]["names"], p["candidates"].get("features"), p["objective"]
        at = [i for i, name in enumerate(names) if name not in self.gone]
        self.arms, self.k, self.d, self.find, shares = [names[i] for i in at], len(at), len(goals), say["find"], p["candidates"].get("shares")
        later, found = p["candidates"].get("later", 0), [seq for seq, what, body in events if what == "tell" and body.get("rows")]
        changes = [seq for seq, what, _ in events if what in ("drop", "join")]
        last = max((seq for seq in changes if seq not in self.undone), default=0)
        r = sum(found[0] < seq <= last for seq in changes) if found and later else 0  # the number of restarts
        part = (1 - (later or .1)) * self.k / shares if shares and say["method"] in SUMS else later / r / (r + 1) if r else 1 - later
        self.delta = say["delta"] * part
        self.x, self.rows, columns = [x[i] if x else [float(i == j) for j in at] for i in at], [], []
        for o in goals:
            noise, (lo, hi) = o["noise"], limits(o)
            need("pilot" not in noise, "the noise of %s is bounded by a pilot" % o["name"], NotImplementedError)
            least, most = noise.get("range", (0, noise.get("counts", 0)))
            size = noise.get("sd") or (math.sqrt(most) if "counts" in noise else most - least) / 2
            known = [o["exact"][i] for i in at] if o.get("known") else None
            if known: size = max(known) - min(known) or 1
            less = o.get("goal") == "minimise" or o.get("goal") == "bounded" and "at_most" in o and "at_least" not in o
            center, per = lo + (hi - lo) / 2 if hi - lo < INF else 0, -size if less else size
            columns.append((center, per, known and [(e - center) / per for e in known], o.get("tolerance", 0) * times(o) / size, (lo, hi)))
        self.center, self.per, self.exact, self.tol, self.limits = zip(*columns)
        for b, key, sign in [(b, *s) for b in goals + p.get("constraint", []) for s in (("at_least", -1), ("at_most", 1))]:
            w = [sign * b.get("terms", {b.get("name"): 1}).get(o["name"], 0) / times(o) for o in goals]
            n = math.hypot(*(u * s for u, s in zip(w, self.per)))
            if key in b and n: self.rows.append(([u * s / n for u, s in zip(w, self.per)],  # (a, b, slack) of a constraint a x <= b
                                                 (sign * b[key] - dot(w, self.center)) / n, b.get("slack", 0) / n))
        self.noise, self.free = [None if o.get("known") else o["noise"] for o in goals], p.get("independent") or self.d == 1
        self.compared = [c for c, o in enumerate(goals) if o.get("goal") != "bounded"]
        summed = p.get("constraint") or len(goals) > 1 or any("at_least" in o or "at_most" in o for o in goals)
        self.weight = abs(self.per[self.compared[0]]) * goals[self.compared[0]].get("weight", 1) / times(goals[self.compared[0]]) if self.find == "top" or summed and self.find == "best" else 1
        radius = p["method"].get("radius") or before(self)
        self.radius = radii("mixture" if radius == "fitted" and p["method"]["name"] == "UGapE" else radius, [o["noise"] for o in goals])
        counted = ["counts" in o["noise"] for o in goals]
        reward = lambda it, of: [0 if e else (next(it) * (1 if k else of) - of * c) / s for e, k, c, s in zip(self.exact, counted, self.center, self.per)]
        need(say["method"] not in SUMS[:2] or "empirical Bernstein" not in self.radius or all(n == 1 for *_, n in results), "n: the radius needs single results, not summaries")
        for seq, _, arm, v, of, n in results if full == 1 else ():
            far = [c for (e, k, c, s), x in zip((t for t in zip(self.exact, counted, self.center, self.per) if not t[0]), v) if abs(x / (n if k else 1) - c) > 1e6 * abs(s)]
            need(not far, "event %d: a result of %s is more than a million times the noise away from %s" % (seq, arm, far))
        self.results = [(seq, t, self.arms.index(arm), reward(iter(v), of or full * n), of or full * n) for seq, t, arm, v, of, n in results if arm not in self.gone]

    def until(self, last):
        """Returns the counts, means and variances of the results up to an event."""
        n, s, q = [0] * self.k, [[0.] * self.d for _ in self.arms], [[0.] * self.d for _ in self.arms]
        for _, _, i, x, of in (r for r in self.results if r[0] <= last):
            n[i], s[i], q[i] = n[i] + of, [u + v for u, v in zip(s[i], x)], [u + v * v for u, v in zip(q[i], x)]
        mean = [[e[i] if e else s[i][c] / max(n[i], 1) for c, e in enumerate(self.exact)] for i in range(self.k)]
        return n, mean, [[max(0, v / max(m, 1) - u * u) for v, u in zip(r, w)] for r, w, m in zip(q, mean, n)]

def pareto(p, say, last):
    """Section 5: e-cAPE, APE and UGapE.

    Returns whether the stopping rule holds, the answer, the certain classes of i, the margins, the slack and the capital.
    """
    radius = ", ".join(dict.fromkeys(p.radius))
    need(say["radius"] == radius, "the statement: the radius is %s, and not %s" % (radius, say["radius"]))
    need(p.find == "pareto" or p.find in ("best", "top") and len(p.compared) == 1 and p.count == 1, "%s for this question" % say["method"], NotImplementedError)
    (n, mean, var), every, ape, best = p.until(last), range(p.k), say["method"] != "e-cAPE", p.find != "pareto"
    one, pair, norm = widths(p, n, mean, var, p.radius)
    lenient = p.radius[0][:4] in ("empi", "Bern") or any(p.exact) or not best and (any(p.tol) or any(s for _, _, s in p.rows)) or best and (p.d > 1 or p.rows or p.find == "top")
    tol = p.tol if (ape and not lenient if best else lenient) else [0] * p.d
    parts = lambda i, j, tol: [(mean[i][c] - mean[j][c], tol[c], pair(i, j, c)) for c in p.compared]
    spared = lambda i, j: max((m + e - h for m, e, h in parts(i, j, tol) if h or m + e), default=INF)
    stands = lambda i, j: min((m + e - h if h else INF if m + e >= 0 else -INF  # whether j dominates i
                               for m, e, h in parts(j, i, tol if lenient else [0] * p.d)), default=INF)
    def locate(i):
        at = [(b - dot(a, mean[i]), s, sum(abs(u) * one(i, c) for c, u in enumerate(a) if u)) for a, b, s in p.rows]
        if not at: return True, INF, (INF, 0)
        if lenient:
            inner = min((v + s - h if h else INF if v + s > -1e-9 else -INF, v, h) for v, s, h in at)
            outer = max((-v - h if h else INF if v + s <= -1e-9 else -INF, v, h) for v, s, h in at)
            return (True, inner[0], inner[1:]) if inner[0] >= outer[0] else (False, outer[0], outer[1:])
        least = min(at)[0] if min(at)[0] >= 0 else -distance(p.rows, mean[i])
        return least >= 0, abs(least) - norm(i), (least, norm(i))
    inside, sure, slack = zip(*map(locate, every))
    possible = [i for i in every if inside[i] or sure[i] < 0]
    ups = lambda i, j: [mean[j][c] - mean[i][c] for c in p.compared]
    below = lambda i, j: min(ups(i, j)) >= 0 < max(ups(i, j))
    front = [i for i in every if inside[i] and not any(inside[j] and below(i, j) for j in every)]
    ahead = lambda i, of: min((spared(i, j) for j in of if j != i), default=INF)
    behind = lambda i, of: any(stands(i, j) >= 0 for j in of if j != i)
    good = [inside[i] and sure[i] >= 0 and ahead(i, possible) >= 0 for i in every]
    rivals, others, either = possible if lenient or ape else front, front if lenient else possible, any(tol) if lenient else ape
    done = all(inside[i] and sure[i] >= 0 and ahead(i, rivals) >= 0 if i in front else
               not inside[i] and sure[i] >= 0 or behind(i, others) or either and good[i] for i in every)
    answer = front + [i for i in every if lenient and i not in front and good[i] and not behind(i, [j for j in front if good[j]])]
    if best and any(tol) and max(ahead(i, every) for i in every) > 0:
        done, answer = True, [max(every, key=lambda i: ahead(i, every))]
    if say["method"] == "UGapE":
        need(best and p.d == 1 and not p.rows, "UGapE for this question", NotImplementedError)
        settled = [i for i in every if ahead(i, every) >= 0]
        done, answer = bool(settled), [i for i in settled if [p.arms[i]] == say.get("answer")] or settled[:1]
    def gap(i, j, dominated):
        v = [(-m, h) for m, _, h in parts(i, j, tol) if h or m] or [(0, 0)]
        if dominated: return min(m for m, _ in v), max(h for _, h in v)
        return max((m + e - h, m, h) for m, e, h in parts(i, j, tol) if h or m + e)[1:]
    firm = [j for j in every if inside[j] and sure[j] >= 0 and (good[j] or not lenient or not any(tol))]
    certain = lambda i: {"infeasible": not inside[i] and sure[i] >= 0, "optimal": good[i], "dominated": behind(i, firm)}
    return done, answer, certain, gap, lambda i: slack[i], {}

SUMS = ("e-cAPE", "APE", "UGapE")
# A rule is a function of the problem, the statement and the last event. It returns whether the method has ended, the
# answer, the certain verdicts of each candidate, and the fields of claims.
RULES = {"e-cAPE": pareto, "APE": pareto, "UGapE": pareto, **LINEAR}  # the rule of each method (sections 5 to 7)

def check(text):
    """Section 8: checks every claim, and returns the conclusion as a text."""
    events, say, claims, monitors = read(text)
    need(monitors["e"] < 100, "the monitors: the certificate is withdrawn")
    p, final = Problem(events, say), say["status"] == "finished"
    over = final or "ended" in say
    need(say["method"] in RULES, "the method %s" % say["method"], NotImplementedError)
    done, answer, certain, gap, slack, capital = RULES[say["method"]](p, say, say["ended"] if over else INF)
    need(done or not over, "the statement: after event %s the rule of %s does not hold" % (say.get("ended"), say["method"]))
    need(not over or set(say["answer"]) == {p.arms[i] for i in answer}, "the statement: the answer is %s" % [p.arms[i] for i in answer])
    need([c["arm"] for c in claims] == p.arms, "the claims are not about the candidates, in their order")
    n, mean, _ = p.until(INF)
    one = widths(p, n, mean, None, radii("status", p.noise))[0]
    for i, c in enumerate(claims):
        where = "line %d: the claim about %s: " % (len(events) + 3 + i, c["arm"])
        for k, (lo, hi) in enumerate(p.limits):
            m, h = p.center[k] + p.per[k] * mean[i][k], abs(p.per[k]) * one(i, k)
            want = [m, max(m - h, lo), min(m + h, hi)] if h < INF else [None] * 3
            need(all(map(close, want, (c["mean"][k], c["low"][k], c["high"][k]))), where + "mean, low and high are %s" % want)
        sort, by = c["class"], c.get("by")
        need(not over or (sort == "optimal") == (i in answer), where + "%s contradicts the answer" % sort)
        need(sort == "undecided" or over and sort != "infeasible" or certain(i)[sort], where + "that it is %s is not certain" % sort)
        if by and sort in ("optimal", "dominated"):
            m, h = (p.weight * v for v in gap(i, p.arms.index(by), sort == "dominated"))
            need(close(m, c["margin"]) and close(h, c["margin_radius"]), where + "the margin is %s +- %s" % (m, h))
            need(c.get("estimated") or m + max(p.tol) >= h * (1 - 1e-6), where + "the margin is not certain")
        if "slack" in c: need(all(map(close, slack(i), (c["slack"], c["slack_radius"]))), where + "the slack is %s +- %s" % slack(i))
        for key, v in capital.get(i, {}).items(): need(close(v, c.get(key)), where + "%s is %s" % (key, v))
    return "follows: %s, by %s at delta %s, from %d results (%d events were undone)\nlast event: %d, %s\n%s" % (
        "the answer is " + (", ".join(say["answer"]) or "that none keeps all bounds") if final else "no answer yet; the claims",
        say["method"], say["delta"], sum(n), len(p.undone), len(events), strict(text.split("\n")[0])["hash"],
        "The monitors report (not checked): " + monitors["text"])

if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) == 2 else sys.exit(__doc__)
    try:
        print(check(open(name, encoding="utf-8", newline="\n").read()))
    except (NotImplementedError, OSError) as e:
        sys.exit(print("cannot be checked by this program: %s" % e) or 2)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as e:
        sys.exit(print("does not follow: %s" % (e if type(e) is ValueError else "the file is malformed: %r" % e)) or 1)
