# SPDX-License-Identifier: MIT
"""Programs of ours with the patterns of well-known applications whose sources Debian does not have: a solver that polls
for requests from anybody (AMG, graph500), a benchmark that computes by the clock (the OSU tests of nonblocking
collectives), conjugate gradients with multigrid on up to 26 neighbours (HPCG), a mesh of blocks that is refined, of
many small allocations (miniAMR), and a halo exchange that sends from a vector into which a receive is pending (HPCCG
and miniFE do; the wrong variant does, too).
"""
from recipe import Check, Recipe, Run, only_match, require

PROGRAMS = ("polling_solver", "self_timing", "shared_buffer", "halo_multigrid", "refined_blocks")


def build(tools, source):
    tools.make(source, *(f"mpicc -O2 -Wall {name}.c -o {name} -lm" for name in PROGRAMS))


def verify_sweeps(ranks, unknowns):
    """The same sweeps, in one process."""
    def look(_, output):
        u = [0.0] * (ranks * unknowns + 2)
        for _ in range(3):
            swept = [0.0] + [(u[i - 1] + u[i + 1] + 1) / 2 for i in range(1, len(u) - 1)] + [0.0]
            change = sum(abs(a - b) for a, b in zip(u, swept))
            u = swept
        said = float(only_match(r"^change of the third sweep: (\S+)$", output, "polling_solver"))
        require(abs(said - change) < 1e-6, f"change {said}, by one process {change:.6f}")
        return f"change of the third sweep {said}, as in one process"
    return look


def verify_timing(_, output):
    """A broadcast that another rank's computation cannot delay takes as long as alone or less; computing takes as long
    as the clock says, to a few looks at it."""
    alone, computed, both, overlap = map(float, only_match(
        r"^alone (\S+) us, computed (\S+) us, both (\S+) us, overlap (\S+) %$", output, "self_timing"))
    require(0 < alone < 1e4, f"a broadcast takes {alone} us")
    require(alone <= computed < 1.2 * alone + 5, f"computing {alone} us takes {computed} us")
    require(both < 3 * alone + 5, f"computing during a broadcast takes {both} us, {alone} us alone")
    return f"{computed} us of computation for {alone} us, overlap {overlap} %"


def verify_solution(most):
    """The solution is 1 everywhere."""
    def look(_, output):
        error = float(only_match(r"error (\S+) after", output, "halo_multigrid"))
        require(error < most, f"an error of {error}, at most {most} expected")
        return f"error {error} of the solution, which is known"
    return look


def verify_same_sum(_, output):
    total = float(only_match(r"blocks each: (\S+) after", output, "refined_blocks"))
    require(total > 0, f"a sum of {total}")
    return f"sum {total}"


def ended(_, __):
    return "its own assertions"


RECIPE = Recipe("standins", "", build, summary="the patterns of applications that Debian does not have", jobs=[
    *[Run("polling_solver", ranks, ["polling_solver", "50"], verify_sweeps(ranks, 50)) for ranks in (4, 16)],
    *[Run(f"self_timing {size} B", ranks, ["self_timing", str(size)], verify_timing)
      for ranks in (4, 16) for size in (1, 65536)],
    *[Run("shared_buffer", ranks, ["shared_buffer"], ended) for ranks in (4, 16)],
    *[Run("halo_multigrid", ranks, ["halo_multigrid", "8", "50"], verify_solution(1e-6)) for ranks in (8, 64)],
    *[Run("refined_blocks", ranks, ["refined_blocks", "16", "6"], verify_same_sum) for ranks in (8, 64)],
    Check("polling_solver", 2, ["polling_solver"], verdict="verified", options=("--max-seconds", "60")),
    Check("polling_solver", 4, ["polling_solver"]),
    Check("self_timing", 2, ["self_timing"]),
    Check("halo_multigrid", 64, ["halo_multigrid", "8", "10"], verdict="verified", options=()),
    Check("refined_blocks", 8, ["refined_blocks", "8", "4", "5"], options=("--max-seconds", "20")),
    Check("shared_buffer", 4, ["shared_buffer"], verdict="verified", options=()),
    Check("shared_buffer wrong", 4, ["shared_buffer", "wrong"], expected=frozenset({"buffer.overlap"}), options=()),
])
