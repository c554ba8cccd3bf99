# SPDX-License-Identifier: MIT
"""Predictions from one execution (`rehearse trace check --predict`): traces with more orders of messages than anybody
can visit. Seconds are processor seconds of the whole command, medians of three runs. Under three policies: `infinite`,
`zero` and `zero+synchronising`.

*Fan-in*: rank 0 receives a message of each other rank, of any source. *Late*: the last receive names its source, which
deadlocks if an earlier one took that message. *Rounds*: the same fan-in again and again, with an answer to each sender
after each round. *Alternating*: rank 0 answers after each single message of any source. *Ring*: every source is named.
"""
import json
import resource
import statistics
import subprocess

HEAD = ("trace", "ranks", "actions", "verdict", "questions", "seconds", "required")


def fan_in(ranks, _):
    return [(r, "send 0 0 8") for r in range(1, ranks)] + [(0, "recv -333 0 8")] * (ranks - 1)


def late(ranks, _):
    return fan_in(ranks, 1)[:-1] + [(0, f"recv {ranks - 1} 0 8")]


def rounds(ranks, number):
    lines = []
    for _ in range(number):
        lines += fan_in(ranks, 1)
        lines += [(0, f"send {r} 1 8") for r in range(1, ranks)] + [(r, "recv 0 1 8") for r in range(1, ranks)]
    return lines


def alternating(ranks, number):
    lines = []
    for i in range(number):
        worker = 1 + i % (ranks - 1)
        lines += [(worker, "send 0 0 8"), (0, "recv -333 0 8"), (0, f"send {worker} 1 8"), (worker, "recv 0 1 8")]
    return lines


def ring(ranks, number):
    return [(r, action) for _ in range(number) for r in range(ranks)
            for action in (f"irecv {(r - 1) % ranks} 0 8", f"send {(r + 1) % ranks} 0 8", "wait -1 -1 0")]


CASES = [("fan-in", fan_in, 64, 1, ""), ("fan-in", fan_in, 257, 1, "< 1 s"), ("late", late, 64, 1, ""),
         ("late", late, 257, 1, "< 1 s"), ("16 rounds", rounds, 17, 16, ""), ("64 alternating", alternating, 9, 64, ""),
         ("ring, 100 times", ring, 64, 100, "")]
RUNS = 3


def measured(rehearse, folder, name, lines, log):
    trace = folder / (name.replace(" ", "_") + ".ti")
    trace.write_text("".join(f"{rank} {action}\n" for rank, action in lines))
    log(f"trace check --predict {trace.name}")
    times = []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([rehearse, "trace", "check", "--predict", "--quiet", "--max-seconds", "120",
                               "--json", "-", trace], stdout=subprocess.PIPE, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return json.loads(done.stdout), statistics.median(times)


def rows(rehearse, folder, log):
    result = []
    for name, make, ranks, number, required in CASES:
        lines = make(ranks, number)
        report, seconds = measured(rehearse, folder, f"{name} {ranks}", lines, log)
        result.append((name, str(ranks), f"{len(lines):,}", report["verdict"], str(report["prediction"]["questions"]),
                       f"{seconds:.2g} s", required))
    return result
