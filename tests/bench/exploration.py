# SPDX-License-Identifier: MIT
"""The cost of exploration, part by part, with the requirement for each figure. Times are processor seconds of whole
commands, medians."""
import json
import resource
import statistics
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUNS = 5


class Checker:
    """Compiles programs into a folder and measures checks of them."""

    def __init__(self, rehearse, folder, log):
        self.rehearse, self.folder, self.log = rehearse, Path(folder), log

    def program(self, source):
        executable = self.folder / Path(source).stem
        if not executable.exists():
            subprocess.run([self.rehearse, "cc", "-O2", "-o", executable, ROOT / source, "-lm"], check=True)
        return executable

    def run(self, *words):
        """The report of one check, and its processor seconds."""
        self.log(" ".join(str(word) for word in words))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([self.rehearse, "check", "--jobs", "1", "--quiet", "--counterexample", "/dev/null",
                               "--json", "-", *map(str, words)], stdout=subprocess.PIPE, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        report = json.loads(done.stdout)
        report["processor"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return report

    def seconds(self, *words):
        return statistics.median(self.run(*words)["processor"] for _ in range(RUNS))


def seconds_text(seconds):
    return f"{seconds:.2g} s" if seconds >= 0.1 else f"{seconds * 1e3:.2g} ms"


def scale_rows(checker):
    stencil = checker.program("examples/5_stencil.c")
    rows = [("64 ranks of a stencil with 100 steps and 100 MPI_Allreduce: 1 execution",
             seconds_text(checker.seconds("-n", 64, stencil, 6400, 100)), "< 1 s")]
    long_run = checker.program("tests/bench/programs/long_run.c")
    for kind, what in (("messages", "blocking messages"), ("waits", "nonblocking messages"), ("polls", "polls"),
                       ("collectives", "collectives"), ("pending", "messages that accumulate"),
                       ("wildcards", "messages received with wildcards")):
        times = {calls: checker.seconds("-n", 2, long_run, kind, calls) for calls in (10_000, 100_000)}
        rows.append((f"one execution of 100,000 calls per rank, {what}", seconds_text(times[100_000]), "linear"))
        rows.append(("… of 10,000", seconds_text(times[10_000]), ""))
    return rows


def cost_rows(checker):
    """Differences of a fan-in of 8 ranks, 5,040 executions, with something added and without."""
    costs = checker.program("tests/bench/programs/costs.c")

    def with_added(depth=0, untouched=0, touched=0, loops=0, ranks=8):
        return checker.seconds("-n", ranks, "--buffering", "infinite", costs, depth, untouched, touched, loops)

    plain = with_added()
    deep, deep_once = with_added(depth=1000), with_added(depth=1000, ranks=2)
    loops = 100_000_000
    once = with_added(loops=10 * loops, ranks=2) / 10
    computing = (with_added(loops=loops) - plain) / once
    return [("a fan-in of 8 ranks, 5,040 executions", seconds_text(plain), ""),
            ("… with 100 MB more of untouched memory per rank", seconds_text(with_added(untouched=100)),
             "the same"),
            ("… with 1 MB that each rank wrote at its start", seconds_text(with_added(touched=1)), ""),
            ("… after 1,000 messages per rank", seconds_text(deep), ""),
            ("… additional time per execution, to return to a state 1,000 operations deep",
             f"{max(deep - plain - 4 * deep_once, 0) / 5040 * 1e6:.2g} us", "< 30 us"),
            (f"… with {once * 1e3:.1f} ms of computation before the message of each of 7 ranks: number of times that "
             "it runs", f"{computing:.1f}", "7 (once per rank)")]


def rate_rows(checker):
    """Operations of an execution: messages sent, receives posted, answers given; 27 of them in the fan-in of 10 ranks.
    What executions share was added to the execution graph once for all of them: the second figure counts that once."""
    fan_in = checker.program("tests/bench/programs/fan_in.c")
    report = checker.run("-n", 10, "--buffering", "infinite", fan_in)
    plate = checker.program("examples/classics/diffusion2d.c")
    million = checker.run("-n", 8, "--buffering", "infinite", "--max-executions", 1_000_000, plate)
    integrate = checker.run("-n", 8, "--buffering", "infinite", checker.program("examples/classics/integrate.c"), 7)
    return [("operations (messages sent, receives posted, answers) of the explored executions per second, fan-in of 10 "
             "ranks, 27 in each execution", f"{report['executions'] * 27 / report['processor']:,.0f}", "> 2,000,000"),
            ("… of them added to execution graphs: operations that executions share count once",
             f"{report['operations'] / report['processor']:,.0f}", ""),
            ("operations added to execution graphs per second, `integrate 7` on 8 ranks (823,543 executions)",
             f"{integrate['operations'] / integrate['processor']:,.0f}", ""),
            ("… peak memory", f"{integrate['peak_bytes'] / 1e6:.0f} MB", "< 200 MB"),
            ("a million executions of `diffusion2d` on 8 ranks: peak memory",
             f"{million['peak_bytes'] / 1e6:.0f} MB", "< 200 MB")]


def rows(rehearse, folder, log):
    checker = Checker(rehearse, folder, log)
    return [*scale_rows(checker), *cost_rows(checker), *rate_rows(checker)]
