"""The valid events for check_certificate.py, as defined in sections 1 and 2 of docs/certificate.md.

This module rejects the same records as 'purexp campaign import'.
"""
import json, math, re, unicodedata
from fractions import Fraction
from check_linear import need

# The type of each key: [type] is a list, {key: type} is an object, and (type,) is a value or null.
CONSENT = {"why": str, "by": str, "ended": int}
ROW = {"ticket": int, "id": str, "arm": str, "values": [float], "of": int, "n": int, "failed": bool, "note": str}
PILOT = {"rewards": int, "sd": float, "df": int, "delta": float}
NOISE = {"sd": (float,), "range": [float], "counts": (int,), "evaluable": str, "of": str, "pilot": PILOT}
BOUNDS = {"name": str, "at_least": (float,), "at_most": (float,), "slack": float}
OBJECTIVE = {**BOUNDS, "unit": str, "goal": str, "noise": NOISE, "known": bool, "column": str, "values": [float], "tolerance": float, "tolerance_percent": float,
             "weight": (float,), "norm": float, "amounts": str, "guess_sd": float, "exact": [float], "guesses": [float]}
PROBLEM = {"title": str, "independent": bool, "protocol": str, "question": {"find": str, "delta": float, "count": int},
           "candidates": {"names": [str], "column": str, "feature_columns": [str], "category_columns": [str], "cost_column": str, "cost_unit": str, "join": bool, "separator": str,
                          "features": [[float]], "costs": [float], "feature_names": [str], "shares": int, "ever": int, "later": float},
           "objective": [OBJECTIVE], "constraint": [{**BOUNDS, "terms": dict}], "pilot": {"n": [[int]], "means": [[float]], "sd": [float], "df": [int]},
           "method": {"name": str, "seed": (int,), "radius": str, "confirm": (bool,), "overlap": bool, "budget": int},
           "laboratory": {"plate": int, "fill": bool, "reference": str, "reference_wells": int, "at_once": int, "days": float, "failures": float, "late": float,
                          "late_by": int, "expire": str, "extras": str, "measurements": int}}
BODIES = {"problem": {"id": str, "program": str, "problem": PROBLEM}, "tell": {"rows": [ROW], "references": [ROW]}, "drop": {"arm": str, **CONSENT},
          "ask": {"plate": int, "first": int, "room": int, "arms": [str], "key": str, "filled": int, "announced": bool, "phases": [{"number": int, "arms": [str], "n": [int]}], "reference": {"name": str, "wells": int}},
          "undo": {"event": int, **CONSENT}, "seal": {"problem": str, "method": str, "settings": str}, "join": {"candidate": dict, **CONSENT},
          "sign": {"name": str, "role": str, "saw": str, "event": int, "hash": str}}

def strict(text):
    """Returns the decoded JSON value. Rejects duplicate keys, numbers that are not finite, and invalid Unicode."""
    def once(pairs):
        for key in {k for k, _ in pairs}: need([k for k, _ in pairs].count(key) == 1, "%s: the key occurs twice" % key)
        return dict(pairs)
    def finite(text):
        need(math.isfinite(float(text)), "the number %s is not finite" % text)
        return float(text)
    value = json.loads(text, object_pairs_hook=once, parse_float=finite, parse_constant=finite)
    json.dumps(value, ensure_ascii=False).encode()  # fails for half of a surrogate pair
    return value

def typed(value, kind, where):
    """Returns the value without null keys. Raises ValueError if it does not have this type."""
    if isinstance(kind, tuple): return typed(value, kind[0], where)
    name, exact = type(value), kind if isinstance(kind, type) else type(kind)
    need(exact is name or exact is float and name is int, "%s: %.60r; expected %s" % (where, value, exact.__name__))
    if exact is float: need(abs(value) < 2 ** 1024, "%s: %.60r is not finite" % (where, value))
    if exact is int: need(-2 ** 63 <= value < 2 ** (64 if where.endswith("method.seed") else 63), "%s: %.60r is too large" % (where, value))
    if isinstance(kind, list): return [typed(v, kind[0], "%s[%d]" % (where, i)) for i, v in enumerate(value)]
    if not isinstance(kind, dict): return value
    for key in value: need(key in kind, "%s: unknown field" % (where + "." + key).lstrip("."))
    return {k: typed(v, kind[k], (where + "." + k).lstrip(".")) for k, v in value.items() if v is not None or isinstance(kind[k], type)}

def line(text): return not any(unicodedata.category(c) == "Cc" for c in text)
def hidden(c): return not line(c) or c in "\u2028\u2029\ufeff\ufffd" or "\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069"
def usual(x): return abs(x) <= 1e50

def name(text, where):
    """Checks a name, which must have 1 to 200 visible characters in composed form (NFC)."""
    need(0 < len(text) <= 200 and text == unicodedata.normalize("NFC", text).strip() and not any(map(hidden, text)), "%s: %r; expected 1 to 200 visible letters" % (where, text))

METHODS = ("e-cAPE", "APE", "UGapE", "LinGapE", "Betting")  # the methods that check_certificate.py supports
UNITS = {"h": 3600, "m": 60, "s": 1, "ms": Fraction(1, 1000), "us": Fraction(1, 10 ** 6), "\u00b5s": Fraction(1, 10 ** 6), "\u03bcs": Fraction(1, 10 ** 6), "ns": Fraction(1, 10 ** 9)}
def seconds(text):
    """Returns the seconds of a duration in Go's format, such as 1h30m, or 0 if the text is not a duration."""
    part = r"([0-9]+\.?[0-9]*|\.[0-9]+)(%s)" % "|".join(sorted(UNITS, key=len, reverse=True))
    return sum(Fraction(n.rstrip(".")) * UNITS[unit] for n, unit in re.findall(part, text)) if re.fullmatch(r"\+?(%s)+" % part, text) else 0

def whole(v, least, most, where): need(v is None or least <= v <= most, "%s: %s; expected %s to %s" % (where, v, least, most))
def interval(v, where): need(len(v) == 2 and all(map(usual, v)) and v[0] < v[1], "%s: %s; expected the least and the largest value" % (where, v))
def limits(o):
    """Returns the smallest and the largest possible value of a measurement."""
    lo, hi = o.get("values") or (-math.inf, math.inf)
    least, most = o["noise"].get("range") or ((0, o["noise"]["counts"]) if "counts" in o["noise"] else (lo, hi))
    return max(lo, least), min(hi, most)

def pilot(q, o, goals, at):
    """Checks the noise that a pilot estimates: an earlier pilot, or one at the start of the campaign."""
    need(1e-50 <= q.get("delta", 0) < .5, at + "delta: %s; expected a probability above 0 and below 1/2" % q.get("delta"))
    if not q.get("rewards"):
        need(1 <= q.get("df", 0) <= 1e9, at + "df: %s; expected at least 1" % q.get("df"))
        return need(1e-50 <= q.get("sd", 0) <= 1e50, at + "sd: %s; expected a positive scale" % q.get("sd"))
    need(2 <= q["rewards"] <= 10000, at + "rewards: %s; expected 2 to 10000" % q["rewards"])
    need(not q.get("df") and 0 <= q.get("sd", 0) <= 1e50 and o.get("values"), at + "expected values, no df, and a guess of sd of at least 0")
    need(all(g.get("known") or "range" not in g.get("noise", {}) and "counts" not in g.get("noise", {}) for g in goals), at + "a pilot at the start needs Gaussian noise of all objectives")

def problem(p):
    """Raises ValueError if the problem is invalid."""
    for key in ("question", "candidates", "objective", "method"): need(key in p, "%s: missing" % key)
    q, c, lab, goals, find = p["question"], p["candidates"], p.get("laboratory", {}), p["objective"], p["question"].get("find")
    names, k = c.get("names", []), len(c.get("names", []))
    need(find in ("best", "top", "good", "pareto", "feasible"), "question.find: %r; expected best, top, good, pareto or feasible" % find)
    need(1e-50 <= q.get("delta", 0) < .5, "question.delta: %s; expected a probability above 0 and below 1/2" % q.get("delta"))
    need(1 <= q.get("count", 0) < k if find == "top" else not q.get("count"), "question.count: %s; expected 1 to %d for top, and no count for others" % (q.get("count"), k - 1))
    need((1 if find == "feasible" else 2) <= k <= 100000 and len(set(names)) == k, "candidates: %d; expected at least two, with different names" % k)
    for i, n in enumerate(names): name(n, "candidates.names[%d]" % (i + 1))
    need(not c.get("shares") or c["shares"] >= k, "candidates.shares: %s; expected at least %d, the number of candidates" % (c.get("shares"), k))
    need(0 <= c.get("later", 0) < 1, "candidates.later: %s; expected a fraction of at least 0 and below 1" % c.get("later"))
    for key, ok in (("features", lambda row: len(row) == len(c.get("feature_names", [])) and 0 < len(row) <= 1000 and all(map(usual, row))),
                    ("costs", lambda v: 1e-6 <= v <= 1e12)):
        need(c.get(key) is None or len(c[key]) == k and all(map(ok, c[key])), "candidates.%s: expected one for each candidate, in range" % key)
    need(c.get("features") is not None or not (c.get("feature_columns") or c.get("category_columns")), "candidates.features: missing, but their columns are named")
    need(c.get("costs") is not None or not (c.get("cost_column") or c.get("cost_unit")), "candidates.cost: missing, but its column or unit is named")
    need(0 < len(goals) <= 20 and len({o.get("name") for o in goals}) == len(goals), "objective: %d; expected 1 to 20, with different names" % len(goals))
    for i, o in enumerate(goals, 1):
        at, o["noise"] = "objective[%d]." % i, o.get("noise", {})
        noise, kinds, n = o["noise"], [u for u in ("sd", "range", "counts", "pilot") if u in o["noise"]], o["noise"].get("counts", 1)
        name(o.get("name", ""), at + "name")
        if o.get("unit"): name(o["unit"], at + "unit")
        percent, spread = o.get("tolerance_percent", 0), o.get("guess_sd", 0)
        need(not percent or 0 < percent < 100 and find == "good" and o.get("goal") != "minimise" and not o.get("tolerance"), at + "tolerance_percent: %s; expected above 0 and below 100, for good of a maximised objective" % percent)
        need(not spread or "range" in noise and 0 < spread <= (noise["range"][1] - noise["range"][0]) / 2, at + "guess_sd: %s; expected a positive number, at most half the range" % spread)
        need(o.get("goal") in ("maximise", "minimise", "bounded"), at + "goal: %r; expected maximise, minimise or bounded" % o.get("goal"))
        need(len(kinds) == (not o.get("known")), at + "noise: %s; expected one kind, or none if the values are known" % kinds)
        need(1e-50 <= noise.get("sd", 1) <= 1e50, at + "noise.sd: %s; expected a positive scale" % noise.get("sd"))
        need(1 <= n <= 1e9, at + "noise.counts: %s; expected 1 to 1e9" % n)
        for key, v in (("values", o.get("values")), ("noise.range", noise.get("range"))):
            if v is not None: interval(v, at + key)
        need("range" not in noise or 1e-50 <= (noise["range"][1] - noise["range"][0]) / 2 <= 1e50, at + "noise.range: expected a positive scale")
        need((o.get("amounts") or "counts") in ("counts", "rates") and ("counts" in noise or not (o.get("amounts") or noise.get("evaluable") or noise.get("of"))), at + "amounts: %r; only counts have amounts, names and evaluable trials" % o.get("amounts"))
        if "pilot" in noise: pilot(noise["pilot"], o, goals, at + "noise.pilot.")
        if noise.get("of"): name(noise["of"], at + "noise.of")
        rates = o.get("amounts") == "rates"
        for key, (lo, hi) in (("exact", o.get("values") or (-1e50, 1e50)), ("guesses", (0, 1) if rates else o.get("values") or (-1e50, 1e50))):
            need(o.get(key) is None or len(o[key]) == k and all(usual(v) and lo <= v <= hi for v in o[key]), at + key + ": expected one number for each candidate, in range")
        need(not rates or all(0 <= o.get(key, 0) <= 1 for key in ("at_least", "at_most", "tolerance", "slack")), at + "amounts: rates, but a bound is not a rate")
        one = "at_least" in o or "at_most" in o
        need(one or not o.get("slack"), at + "slack: %s, but no bound uses it" % o.get("slack"))
        need(o["goal"] != "bounded" or not o.get("tolerance") and (one or any(b.get("terms", {}).get(o["name"]) for b in p.get("constraint", []))), at + "goal: bounded; expected a bound, and no tolerance")
        need("weight" not in o or find in ("best", "top"), at + "weight: %s, but %s does not add up objectives" % (o.get("weight"), find))
        need("exact" in o or not o.get("known"), at + "exact: missing, but the values are known")
        need(usual(o.get("weight", 1)) and o.get("weight", 1) > 0, at + "weight: %s; expected a positive number" % o.get("weight"))
    need(not all(o.get("known") for o in goals), "objective: all objectives are known, so there is nothing to measure")
    measured = [o for o in goals if not o.get("known")]
    pilots = [[o["noise"]["pilot"]["delta"] for o in measured if "pilot" in o["noise"] and bool(o["noise"]["pilot"].get("rewards")) == begins] for begins in (False, True)]
    need(q["delta"] - sum(pilots[0]) - sum(pilots[1]) >= 1e-50, "question.delta: %s, which the pilots use up" % q["delta"])
    columns = {o["noise"].get("evaluable", "") for o in measured}
    need(columns == {""} or len(columns) == 1 and len({o["noise"].get("counts") for o in measured}) == 1, "noise.evaluable: expected the same trials for all objectives")
    if columns != {""}:
        column = columns.pop()
        name(column, "noise.evaluable")
        need(column not in ["plate", "ticket", "candidate", "note"] + [o["name"] for o in measured], "noise.evaluable: %r is another column" % column)
        need(measured[0]["noise"]["counts"] <= 1000 and c.get("features") is None, "noise.evaluable: expected at most 1000 trials, and no features")
    for i, b in enumerate(goals + p.get("constraint", [])):
        at = "bounds %d: " % (i + 1)
        need(all(usual(b.get(key, 0)) for key in ("at_least", "at_most", "slack", "tolerance", "norm")) and min(b.get(key, 0) for key in ("slack", "tolerance", "norm")) >= 0, at + "a number is out of range")
        need(b.get("at_least", -math.inf) < b.get("at_most", math.inf), at + "at_least is not below at_most")
    need(len(p.get("constraint", [])) <= 100, "constraint: %d; expected at most 100" % len(p.get("constraint", [])))
    for b in p.get("constraint", []):
        if b.get("name"): name(b["name"], "constraint.name")
        terms = typed(b.get("terms", {}), {o["name"]: float for o in goals}, "constraint.terms")
        need(any(terms.values()) and all(map(usual, terms.values())) and ("at_least" in b or "at_most" in b), "constraint: expected terms and a bound")
    compared = [o for o in goals if o["goal"] != "bounded"]
    bounded = p.get("constraint") or any("at_least" in o or "at_most" in o for o in goals)
    need(bounded if find == "feasible" else compared and (find != "pareto" or compared == goals) and (find != "good" or len(goals) == 1 and not bounded), "question.find: %s does not fit the objectives and bounds" % find)
    for key, most in (("plate", 10 ** 6), ("at_once", 1000), ("measurements", 10 ** 12), ("days", 1e5), ("failures", .9), ("late", .9), ("late_by", 1000)):
        whole(lab.get(key), 0, most, "laboratory." + key)
    if lab.get("reference"): name(lab["reference"], "laboratory.reference")
    need(0 <= lab.get("reference_wells", 0) and max(lab.get("reference_wells", 0), 1) < max(lab.get("plate", 0), 1) if lab.get("reference") else not lab.get("reference_wells"),
         "laboratory.reference_wells: %s; expected a reference, and fewer than the wells of a plate" % lab.get("reference_wells"))
    need(not lab.get("fill") or lab.get("plate", 0) > 1, "laboratory.fill: true, but a plate has one well")
    need(len(p.get("title", "")) <= 200 and not any(map(hidden, p.get("title", ""))), "title: %r; expected at most 200 visible letters" % p.get("title"))
    whole(c.get("ever"), 0, 2 ** 63, "candidates.ever")
    whole(p["method"].get("seed"), 0, 2 ** 64, "method.seed")
    method = p["method"].get("name", "")
    need(method and all(m == method or m.lower() != method.lower() for m in METHODS), "method.name: %r; expected a name with the right capital letters" % method)
    fits = all("range" in o["noise"] or "counts" in o["noise"] for o in measured) and (find == "pareto" or find == "best" and len(compared) == 1) and c.get("features") is None
    free = p.get("independent") or len(goals) == 1 or all("sd" in o["noise"] or "pilot" in o["noise"] for o in measured)
    radii = ["", "mixture", "theory"] + ["fitted"] * bool(fits) + ["Kaufmann-Koolen"] * bool(free)
    need(p["method"].get("radius", "") in radii, "method.radius: %r; expected one of %s" % (p["method"].get("radius"), radii[1:]))
    need(method not in METHODS or not p["method"].get("budget"), "method.budget: %s; expected none for %s" % (p["method"].get("budget"), method))
    need(not lab.get("expire") or 60 <= seconds(lab["expire"]) <= 8760 * 3600, "laboratory.expire: %r; expected 1m to 8760h" % lab.get("expire"))
    need((lab.get("extras") or "accept") in ("accept", "refuse"), "laboratory.extras: %r; expected accept or refuse" % lab.get("extras"))
    need(p.get("protocol", "") in ("", "frozen"), "protocol: %r; expected frozen, or no protocol" % p.get("protocol"))

class Record:
    """Section 2: the valid results. Raises ValueError if an event is not possible after the previous events."""
    def __init__(self, events):
        need(events and events[0][1] == "problem", "event 1: the kind is wrong; expected problem")
        p = self.problem = events[0][2].get("problem", {})
        try: problem(p)
        except ValueError as e: raise ValueError("event 1: %s" % e)
        self.undone, self.gone, self.tickets, self.results = set(), set(), [None], []  # each ticket is (candidate, event, whether it is for the reference)
        self.whole = True  # whether the record contains all rounds
        self.size, self.phases, self.phase = [], [], [None]  # of overlapping rounds: the size of each phase, its open requests by candidate, and the phase of each ticket
        ids, told, self.measured = set(), set(), [o for o in p["objective"] if not o.get("known")]
        for seq, what, body in reversed(events):
            if what != "undo": continue
            need(2 <= body.get("event", 0) < seq, "event %d undoes event %s, which cannot be undone" % (seq, body.get("event")))
            if seq not in self.undone: self.undone.add(body["event"])
        for seq, what, body in events[1:]:
            where, stands = "event %d: " % seq, seq not in self.undone
            need(what != "problem", where + "the kind is problem, which only event 1 can be")
            need(what != "join", where + "a candidate joined", NotImplementedError)
            if what == "ask": self.ask(seq, body, where)
            need(what != "sign" or body.get("name", "").strip(), where + "name: empty; expected the name of the signer")
            if what == "drop" and stands:
                self.gone.add(body.get("arm")) if body.get("arm") in self.left() else need(False, where + "arm: %r; expected a candidate" % body.get("arm"))
                need(len(self.left()) > max(0 if p["question"]["find"] == "feasible" else 1, p["question"].get("count", 0)), where + "too few candidates are left")
            for key in ("rows", "references") if what == "tell" and stands else ():
                for i, row in enumerate(body.get(key, [])):
                    at, t = where + "%s[%d]." % (key, i), row.get("ticket", 0)
                    self.row(row, at, key)
                    if t:
                        need(0 < t < len(self.tickets) and t not in told and self.tickets[t][::2] == (row.get("arm"), key == "references"),
                             at + "ticket: %d was reported before, or is for another candidate" % t)
                        told.add(t)
                    else:
                        need(row["id"] not in ids, at + "id: %s was reported before" % row["id"])
                        ids.add(row["id"])
                    if key == "rows" and row.get("failed") and self.phase[t] is not None: self.phases[self.phase[t]][row["arm"]] += 1
                    if key == "rows" and not row.get("failed"): self.results.append((seq, t, row["arm"], row["values"], row.get("of"), row.get("n") or 1))

    def left(self): return [n for n in self.problem["candidates"]["names"] if n not in self.gone]

    def ask(self, seq, body, where):
        need(body.get("first", 0) == len(self.tickets), where + "first: %s; expected %d" % (body.get("first"), len(self.tickets)))
        need(set(body.get("arms", [])) <= set(self.problem["candidates"]["names"]), where + "arms: unknown candidates")
        for key, least, most in (("plate", 1, 2 ** 63), ("room", 0, 2 ** 63), ("filled", 0, len(body.get("arms", [])))):
            whole(body.get(key, 0), least, most, where + key)
        for x in body.get("phases", []):
            need(x.get("number", 0) > 0 and 0 < len(x.get("arms", [])) == len(x.get("n", [])) and 0 < min(x["n"]) and max(x["n"]) <= 1e7 and
                 set(x["arms"]) <= set(self.problem["candidates"]["names"]), where + "phases: expected candidates with counts")
            if x["number"] == len(self.size) and sum(self.phases[-1].values()) == self.size[-1]:
                self.size.pop(), self.phases.pop()  # the phase was withdrawn before any ticket was handed out
            self.whole &= x["number"] == len(self.size) + 1 and (len(self.size) > 0 or all(t[2] for t in self.tickets[1:]))
            self.size.append(sum(x["n"]))
            self.phases.append({arm: sum(n for a, n in zip(x["arms"], x["n"]) if a == arm) for arm in x["arms"]})
        self.tickets += [(arm, seq, False) for arm in body.get("arms", [])]
        for arm in body.get("arms", []):
            self.phase.append(next((t for t, due in enumerate(self.phases) if due.get(arm) and (not body.get("announced") or t == len(self.phases) - 1)), None))
            if self.phase[-1] is not None: self.phases[self.phase[-1]][arm] -= 1
        if "reference" in body:
            f = body["reference"]
            need(f.get("name") == self.problem.get("laboratory", {}).get("reference", "") and 0 < f.get("wells", 0) <= 10000, where + "reference: unknown, or a wrong number of wells")
            self.tickets += [(f["name"], seq, True)] * f["wells"]
            self.phase += [None] * f["wells"]

    def row(self, row, at, key):
        """Raises ValueError if the result cannot have been reported."""
        values, of, each = row.get("values", []), row.get("of", 0), self.measured[0]["noise"].get("counts") if self.measured[0]["noise"].get("evaluable") else 0
        need(row.get("ticket") or row.get("id") and key == "rows", at + "id: missing; a result without a ticket needs an id")
        need(row.get("ticket") or self.problem.get("laboratory", {}).get("extras") != "refuse", at + "ticket: missing, but the problem rejects unsolicited results (laboratory.extras)")
        need(key == "references" or row.get("arm") in self.problem["candidates"]["names"], at + "arm: unknown candidate %r" % row.get("arm"))
        if row.get("failed"): return need(not values and not of and not row.get("n"), at + "failed: true, but the result has values; remove the values, or set failed to false")
        need(len(values) == len(self.measured), at + "values: %d values; expected %d, one per measured objective" % (len(values), len(self.measured)))
        need(0 <= of <= each, at + "of: %d; expected at most %d evaluable trials" % (of, each))
        n = row.get("n", 0) or 1  # in a summary of n measurements, counts are totals and other values are means
        need(not row.get("n") or 2 <= n <= 10 ** 6, at + "n: %s; expected 2 to 1000000" % row.get("n"))
        need(n == 1 or not row.get("ticket") or self.problem["method"]["name"] != "Betting", at + "n: a ticket of Betting is for one measurement")
        need(n == 1 or not each and all(o["noise"].get("pilot", {}).get("rewards", 0) <= 0 for o in self.measured), at + "n: each measurement needs its own row")
        for i, (v, o) in enumerate(zip(values, self.measured)):
            lo, hi = (x * n if "counts" in o["noise"] else x for x in limits(o))
            hi = min(hi, of or hi)
            need(usual(v) and lo <= v <= hi and ("counts" not in o["noise"] or v == int(v)), at + "values[%d]: %s; expected a value from %s to %s" % (i, v, lo, hi))
