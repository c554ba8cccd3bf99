# SPDX-License-Identifier: MIT
"""NetPIPE over MPI: its curve must be the one of the network model, as exactly as its clock can measure: NetPIPE reads
microseconds, averages over the trips of a sample, and writes tens of nanoseconds.

Time of a message of s bytes on cluster:N by the constants of the model lv08 (P. Velho, A. Legrand, "Accuracy
study and improvement of network simulation in the SimGrid framework", SIMUTools 2009):
    T(s) = 13.01 L + s / (0.97 B)        up to the largest eager message
    T(s) = H + 13.01 L + s / (0.97 B)    above it; H = 2 L: the handshake, an announcement and its answer
where L = 11 us and B = 1.25 GB/s are those of the route, and the eager limit is 64 KiB. The knee of the curve is where
half of the bandwidth is reached: s = 13.01 L * 0.97 B.

On more than two ranks NetPIPE 3.7.2 itself deadlocks: ranks that only go along for the ride keep 1e99 s as their time
of the first sample, leave the loop, and miss the barriers of the others. One sample a run works.
"""
from recipe import Check, Recipe, Run, require

LATENCY, BANDWIDTH, EAGER = 13.01 * 11e-6, 0.97 * 1.25e9, 65536
HANDSHAKE = 2 * 11e-6
REPEATS = 20
RESOLUTION = 1e-6 / (2 * REPEATS) + 5e-9


def build(tools, source):
    tools.make(source, "make mpi MPICC=mpicc")


def expected(size):
    return LATENCY + size / BANDWIDTH + (HANDSHAKE if size > EAGER else 0)


def curve(folder):
    """(bytes, seconds one way) of np.out, which rounds to 10 ns."""
    lines = [line.split() for line in (folder / "np.out").read_text().splitlines()]
    return [(int(size), float(seconds)) for size, _, seconds in lines]


def verify_points(folder, output):
    points = curve(folder)
    require(points, "np.out is empty")
    require("Now starting the main loop" in output, "no main loop")
    for size, seconds in points:
        right = expected(size)
        require(abs(seconds - right) <= RESOLUTION + 1e-6 * right,
                f"{size} bytes take {seconds} s, by the model {right:.8f} s")
    return points


def verify_curve(folder, output):
    points = verify_points(folder, output)
    require(points[0][0] == 1 and points[-1][0] > 6e6, f"curve from {points[0][0]} to {points[-1][0]} bytes only")
    rate = [(size, size / seconds) for size, seconds in points]
    reached = max(value for _, value in rate)
    knee = min(size for size, value in rate if value >= BANDWIDTH / 2)
    require(LATENCY * BANDWIDTH <= knee <= 1.6 * LATENCY * BANDWIDTH, f"half of the bandwidth at {knee} bytes")
    require(reached > 0.97 * BANDWIDTH, f"bandwidth {reached / 1e9:.4f} GB/s of {BANDWIDTH / 1e9:.4f}")
    return (f"{len(points)} points as the model has it to 30 ns: {points[0][1] * 1e6:.2f} us, knee at "
            f"{LATENCY * BANDWIDTH / 1e3:.0f} kB, {reached / 1e9:.3f} of {BANDWIDTH / 1e9:.4f} GB/s")


def verify_sample(folder, output):
    points = verify_points(folder, output)
    return f"{len(points)} points as the model has it to 30 ns"


def verify_integrity(folder, output):
    passed, points = output.count("Integrity check passed"), len((folder / "np.out").read_text().splitlines())
    require(passed == points > 30 and "failed" not in output, f"{passed} of {points} integrity checks passed")
    return f"{passed} integrity checks passed"


def sample(size, ranks):
    limits = ["-l", str(size), "-u", str(size), "-n", str(REPEATS)]
    return Run(f"{size} B", ranks, ["NPmpi", *limits], verify_sample, options=("--compute", "none"))


RECIPE = Recipe("netpipe", "netpipe", build, summary="NPmpi", jobs=[
    Run("curve", 2, ["NPmpi", "-u", "8388608", "-n", str(REPEATS)], verify_curve, options=("--compute", "none")),
    Run("integrity", 2, ["NPmpi", "-i", "-u", "1000000", "-n", "3"], verify_integrity),
    *[sample(size, ranks) for ranks in (4, 16) for size in (1, 1024, 65536, 1048576)],
    Check("NPmpi", 2, ["NPmpi", "-u", "64", "-n", "2"]),
    Check("NPmpi", 4, ["NPmpi", "-u", "64", "-n", "2"], expected=frozenset({"deadlock.collective"})),
])
