"""The half-widths for check_certificate.py, as defined in section 4 of docs/certificate.md."""
import math
from functools import lru_cache

INF, MIXTURE = math.inf, "mixture (2 rewards)"

def before(p):
    """Returns the radius of older campaigns, whose event 1 names no radius."""
    kinds = [set(noise) for noise in p.noise if noise]
    if all("range" in k for k in kinds) and (p.find == "pareto" or p.find == "best" and p.d == 1 and not p.rows): return "fitted"
    return "Kaufmann-Koolen" if p.free or all("sd" in k for k in kinds) else "theory"

def radii(radius, noise):
    """Returns the radius of each objective for the name in event 1, or for "status" the radius of reported intervals."""
    of = lambda k: "Bernoulli, %d trials" % k["counts"] if k.get("counts", 0) > 1 else "Bernoulli" if "counts" in k else None
    radius = MIXTURE if radius == "mixture" else radius
    if radius == "status": return [of(k or {}) or MIXTURE for k in noise]
    return [of(k) or "empirical Bernstein" for k in noise] if radius == "fitted" else [radius] * len(noise)

def calibration(x):
    """Returns the function C of Kaufmann and Koolen at x >= 0."""
    zeta = lambda s: sum(k ** -s for k in range(1, 20)) + 20 ** (1 - s) / (s - 1) + 20 ** -s / 2 + s * 20 ** (-s - 1) / 12
    h = lambda u, l: (2 * l - 2 * l * math.log(4 * l) + math.log(zeta(2 * l)) + u / 2 + x) / l
    lo, hi = math.log(2) + 1e-9, math.log(4 * x + 16) + 4
    for _ in range(150):
        a, b = lo + (hi - lo) / 3, hi - (hi - lo) / 3
        lo, hi = (lo, b) if h(a, -math.expm1(-a)) < h(b, -math.expm1(-b)) else (a, hi)
    return h(lo, -math.expm1(-lo))

def kl(p, q):
    """Returns the Kullback-Leibler divergence of two rates."""
    return (p * math.log(p / q) if p > 0 else 0) + ((1 - p) * math.log((1 - p) / (1 - q)) if p < 1 else 0)

def wealth(n, p):
    """Returns log(B(s + 1/2, n - s + 1/2)/pi) - s log p - (n - s) log(1 - p) for s = n p."""
    s, log = n * p, lambda k, x: k * math.log(x) if k > 0 else 0
    return math.lgamma(s + .5) + math.lgamma(n - s + .5) - math.lgamma(n + 1) - math.log(math.pi) - log(s, p) - log(n - s, 1 - p)

def above(n, p, x):
    """Returns the largest rate q with n kl(p, q) <= x."""
    lo, hi = p, 1.
    for _ in range(60):
        q = (lo + hi) / 2
        lo, hi = (q, hi) if q < 1 and n * kl(p, q) <= x else (lo, q)
    return lo

@lru_cache(None)
def apart(n, p, m, q, x):
    """Returns the largest b - a - (q - p) with n kl(p, a) + m kl(q, b) <= x."""
    far = lambda y: above(m, q, y) - q + above(n, 1 - p, x - y) - (1 - p)  # concave in y
    lo, hi = 0., x
    for _ in range(80):
        a, b = lo + (hi - lo) / 3, hi - (hi - lo) / 3
        lo, hi = (a, hi) if far(a) < far(b) else (lo, b)
    return max(far(lo), far(0.), far(x))

def widths(p, n, mean, var, radius):
    """Returns the half-widths of means (i, c), differences (i, j, c) and norms (i) after n results."""
    d, log, root, ll = max(p.exact.count(None), 1), math.log, math.sqrt, lambda k: math.log(4 + math.log(k))
    pairs = log(p.k * max(p.k - 1, 1) * d / p.delta)
    x, y, z = (calibration(max(v, 0)) for v in (pairs / 2, log(2 * p.k / p.delta) / d, log(2 * p.k * d / p.delta)))
    u, t = 1 if p.free else root(p.d), 3 * log(max(sum(n), 1))
    b = lambda i, k: (log(k * p.k * d / p.delta) + log(n[i] * (n[i] + 1))) / n[i]
    wide, late = lambda i: 1 / n[i] + 2 / n[i] ** 2, lambda i: math.log1p(n[i] / 2) / 2
    def rate(i, c):  # the number of trials, and the success rate
        k = p.noise[c]["counts"]
        return n[i] * k, min(max((mean[i][c] + root(k)) / (2 * root(k)), 0), 1)
    def one(i, c):
        name = radius[c]
        if p.exact[c]: return 0
        if not n[i]: return INF
        if name == "Kaufmann-Koolen": return root(2 / n[i] * (z + 2 * ll(n[i])))
        if name == "theory": return root(2 / n[i] * (log(8 * p.k * d / p.delta) + t))
        if name == MIXTURE: return root(2 * wide(i) * (log(2 * p.k * d / p.delta) + late(i)))
        if name == "empirical Bernstein": return min(root(2 * b(i, 4)), root(2 * var[i][c] * b(i, 6)) + 6 * b(i, 6))
        (k, q), level = rate(i, c), log(2 * p.k * d / p.delta)
        return 2 * root(p.noise[c]["counts"]) * max(above(k, v, level - wealth(k, v)) - v for v in (q, 1 - q))
    def pair(i, j, c):
        name = radius[c]
        if p.exact[c] or not n[i] or not n[j]: return one(i, c) + one(j, c)
        if name == "Kaufmann-Koolen": return 2 * root((1 / n[i] + 1 / n[j]) * (x + ll(n[i]) + ll(n[j])))
        if name == MIXTURE: return root(2 * (wide(i) + wide(j)) * (pairs + late(i) + late(j)))
        if not name.startswith("Bernoulli"): return one(i, c) + one(j, c)
        at = *rate(i, c), *rate(j, c)
        level = pairs - wealth(*at[:2]) - wealth(*at[2:])
        return 2 * root(p.noise[c]["counts"]) * max(apart(*at, level), apart(*at[2:], *at[:2], level))
    def norm(i):
        if not n[i]: return INF
        if radius[0] == "Kaufmann-Koolen": return u * root(2 * d / n[i] * (y + 2 * ll(n[i])))
        if radius[0] == MIXTURE: return u * root(2 * wide(i) * (log(2 * p.k / p.delta) + d * late(i)))
        return u * root(8 / n[i] * (log(8 * p.k / p.delta) + d * log(5) + t))
    return one, pair, norm
