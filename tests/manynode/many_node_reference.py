#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reference algorithms of the many-node method (docs/many-node.md), for reading and for judging.

They are short and slow, and share nothing with the program.
"""
import bisect
import math
import statistics


# --- binned distributions: points (p, value) of a piecewise linear quantile function
def edges(samples, bins=100, tail=True):
    """tail: 80 bins of equal probability for the lower 80 %, 20 bins whose upper tails shrink geometrically from 0.2 to
    1/n, the last one to the maximum."""
    x, n = sorted(samples), len(samples)
    at = lambda p: (lambda h: x[int(h)] + (h - int(h)) * (x[min(int(h) + 1, n - 1)] - x[int(h)]))(p * (n - 1))
    if n <= bins:
        return [((i + 0.5) / n, v) for i, v in enumerate(x)]
    if not tail:
        ps = [i / bins for i in range(bins + 1)]
    else:
        b, t = bins * 8 // 10, bins - bins * 8 // 10
        ps = [0.8 * i / b for i in range(b + 1)]
        ps += [1 - 0.2 * (1 / (0.2 * n)) ** (k / (t - 1)) for k in range(1, t)] + [1.0]
    return [(p, at(p)) for p in ps]


def quantile_of(points):
    ps = [p for p, _ in points]
    def q(u):
        i = min(max(bisect.bisect_right(ps, u), 1), len(ps) - 1)
        (p0, v0), (p1, v1) = points[i - 1], points[i]
        return v0 if p1 == p0 else v0 + (min(max(u, p0), p1) - p0) / (p1 - p0) * (v1 - v0)
    return q


def with_tail(samples, part=0.1, least=25):
    """As `edges`, and above the 1 - part quantile a generalised Pareto law, fitted by probability-weighted moments
    (Hosking, Wallis 1987)."""
    x, n = sorted(samples), len(samples)
    m = max(int(part * n), min(least, n // 2))
    from_, y = x[n - m - 1], [v - x[n - m - 1] for v in x[n - m:]]
    b0, a1 = statistics.fmean(y), sum((m - i - 0.65) / m * v for i, v in enumerate(y)) / m  # (1 - F) weighted; i from 0
    shape, scale = 2 - b0 / (b0 - 2 * a1), 2 * b0 * a1 / (b0 - 2 * a1)
    shape = min(max(shape, -0.5), 0.5)  # positive: heavy; a cliff or a tail without variance is not believed
    body, share = quantile_of(edges(samples)), m / n

    def tail(u):
        left = (1 - u) / share
        return from_ + (scale / shape * (left ** -shape - 1) if abs(shape) > 1e-6 else -scale * math.log(left))

    return lambda u: tail(u) if u > 1 - share else body(u)


def ks(samples, quantile):
    """Largest distance between the steps of the samples and the distribution of `quantile` (by bisection)."""
    x, n, worst = sorted(samples), len(samples), 0.0
    for i, v in enumerate(x):
        low, high = 0.0, 1.0
        for _ in range(40):
            mid = (low + high) / 2
            low, high = (mid, high) if quantile(mid) < v else (low, mid)
        j = bisect.bisect_right(x, v)
        if j > i + 1:
            worst = max(worst, min(abs(low - (i + 1) / n), abs(low - i / n), abs(low - j / n)))
        else:
            worst = max(worst, max(abs(low - (i + 1) / n), abs(low - i / n)) - 0.5 / n)
    return worst


# --- modes: valleys of a density estimate over log t
def modes(samples, deep=0.6, least=0.01):
    """Upper bounds of all modes but the last. A valley counts that is below `deep` of the lower of the peaks beside it,
    with `least` of the samples on each side, and out of which the peak stands by three standard deviations."""
    y = sorted(math.log(max(v, 1e-12)) for v in samples)
    n, sd = len(y), statistics.pstdev(y)
    if sd < 1e-9:
        return []
    spread = min(sd, (y[3 * n // 4] - y[n // 4]) / 1.34) or sd
    h = max(0.9 * spread * n ** -0.2, 1e-6 * (y[-1] - y[0])) / 2
    grid = [y[0] - 3 * h + i * (y[-1] - y[0] + 6 * h) / 1023 for i in range(1024)]
    density = []
    for g in grid:
        i, j = bisect.bisect_left(y, g - 4 * h), bisect.bisect_right(y, g + 4 * h)
        density.append(sum(math.exp(-0.5 * ((g - v) / h) ** 2) for v in y[i:j]))
    peaks = [i for i in range(1, 1023) if density[i] >= density[i - 1] and density[i] > density[i + 1]]
    while len(peaks) > 1:
        valleys = [min(range(a, b), key=lambda i: density[i]) for a, b in zip(peaks, peaks[1:])]
        bounds = [-math.inf] + [grid[v] for v in valleys] + [math.inf]
        weights = [(bisect.bisect_right(y, b) - bisect.bisect_right(y, a)) / n for a, b in zip(bounds, bounds[1:])]
        worst, which = 0, None
        for k, v in enumerate(valleys):
            low = k if density[peaks[k]] <= density[peaks[k + 1]] else k + 1
            ratio = density[v] / density[peaks[low]]
            if weights[k] < least or weights[k + 1] < least:
                ratio, low = 2.0, k if weights[k] < weights[k + 1] else k + 1
            elif density[peaks[low]] - density[v] < 3 * math.sqrt(density[peaks[low]] + density[v]):
                # kernel sums count samples: chance makes such peaks
                ratio = max(ratio, 1.5)
            if ratio > max(deep, worst):
                worst, which = ratio, low
        if which is None:
            return [math.exp(grid[v]) for v in valleys]
        peaks.pop(which)
    return []


def labels(samples, bounds):
    return [bisect.bisect_left(bounds, v) for v in samples]


# --- the order of modes: period, Markov chain, or independence
def period(sequence, agree=0.98, longest=256):
    """(prefix length, word) of the shortest period that `agree` of the last two thirds keep, with three repeats at
    least, carried back towards the beginning for as long as it holds; nothing if there is none."""
    n = len(sequence)
    if len(set(sequence)) == 1:
        return 0, [sequence[0]]
    begin = n // 3
    rest = sequence[begin:]
    for p in range(1, min(longest, len(rest) // 3) + 1):
        if sum(a == b for a, b in zip(rest, rest[p:])) < (2 * agree - 1) * (len(rest) - p):
            continue
        word = [statistics.mode(rest[i::p]) for i in range(p)]
        if sum(v == word[i % p] for i, v in enumerate(rest)) < agree * len(rest):
            continue
        misses, prefix = 0, begin
        for i in range(begin - 1, -1, -1):
            misses += sequence[i] != word[(i - begin) % p]
            here = sum(sequence[k] != word[(k - begin) % p] for k in range(i, min(i + p, begin)))
            if misses > max(2, (1 - agree) * (begin - i)) and here > p // 2:
                break
            prefix = i if sequence[i] == word[(i - begin) % p] else prefix
        while prefix < begin and any(sequence[prefix + k] != word[(prefix + k - begin) % p]
                                     for k in range(min(p, begin - prefix))):
            prefix += 1
        if prefix < p and sum(sequence[k] != word[(k - begin) % p] for k in range(prefix)) <= prefix // 2:
            prefix = 0  # a miss in the first repeat is no prefix
        return prefix, [word[(prefix + k - begin) % p] for k in range(p)]
    return None


# --- ranks that do the same: complete linkage of the largest relative difference in any counter
def clusters(rows, similar=0.1):
    """rows: {rank: [counters]}. Lists of ranks, by their first one."""
    means = [statistics.fmean(c) or 1 for c in zip(*rows.values())]
    apart = lambda a, b: max(abs(x - y) / m for x, y, m in zip(rows[a], rows[b], means))
    groups = [[r] for r in rows]
    reach = {(i, j): apart(groups[i][0], groups[j][0]) for i in range(len(groups)) for j in range(i)}
    alive = set(range(len(groups)))
    while len(alive) > 1:
        (i, j), d = min(((k, v) for k, v in reach.items()), key=lambda e: (e[1], e[0]))
        if d > similar:
            break
        groups[j] += groups[i]
        alive.discard(i)
        for k in alive - {j}:
            a, b = (max(i, k), min(i, k)), (max(j, k), min(j, k))
            reach[b] = max(reach[b], reach.pop(a))
        reach.pop((i, j))
    return sorted(sorted(groups[i]) for i in alive)


def effects(table):
    """log t of rank r in iteration i = rank effect + iteration effect + rest: the three standard deviations (two-way
    analysis of variance)."""
    y = [[math.log(v) for v in row] for row in table]
    p, n = len(y), len(y[0])
    rank, all_ = [statistics.fmean(r) for r in y], statistics.fmean(v for r in y for v in r)
    turn = [statistics.fmean(y[r][i] for r in range(p)) for i in range(n)]
    rest = sum((y[r][i] - rank[r] - turn[i] + all_) ** 2 for r in range(p) for i in range(n)) / ((p - 1) * (n - 1))
    return {"rank_sd": math.sqrt(max(statistics.variance(rank) - rest / n, 0)),
            "iteration_sd": math.sqrt(max(statistics.variance(turn) - rest / p, 0)), "residual_sd": math.sqrt(rest)}
