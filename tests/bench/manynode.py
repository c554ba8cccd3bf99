# SPDX-License-Identifier: MIT
"""Sweeps of skeletons ([many-node](many-node.md)). Times are processor seconds of one replica, the building of the
platform included. A rank-iteration is one draw and one synchronisation of a rank.
"""
import json
import statistics
import sys
from pathlib import Path

import manynode_figures
import measured

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "manynode"))

import prediction  # noqa: E402

LAW = {"law": "exponential", "mean": 0.001, "shift": 0.004}
SUM = {"collective": "allreduce", "bytes": "8"}
FREE = ["--network", "constant", "--delay", "0"]
# Name, ranks, iterations, step behind the computation, options, events of an iteration and their name, limits of events
# per second, of seconds and of MiB (None: none).
CASES = [
    ("all-reduce of free cost", 4096, 1000, SUM, FREE, 4096, "rank-iterations", 5e6, None, None),
    ("all-reduce of free cost", 65536, 100, SUM, FREE, 65536, "rank-iterations", None, 60, None),
    ("all-reduce of known duration", 65536, 100, SUM, ["--network", "constant", "--delay", "1e-6"], 65536,
     "rank-iterations", None, 60, None),
    ("all-reduce of free cost, 8 ranks a host", 1048576, 10, SUM, [*FREE, "--on", "cluster:131072"], 1048576,
     "rank-iterations", None, 120, 1100),
    ("ring of messages without contention", 4096, 50, {"neighbours": "ring", "bytes": "8"},
     ["--network", "constant", "--delay", "1e-6"], 2 * 4096, "messages", None, None, None),
    ("ring of messages as flows", 4096, 50, {"neighbours": "ring", "bytes": "8"}, ["--network", "lv08"], 2 * 4096,
     "messages", 1e6, None, None),
]
HEAD = ("skeleton", "ranks", "iterations", "seconds", "events per second", "required", "memory")
# Errors of the projected time at 64 nodes in table 2 of the paper, with external ranks: constant and variable times.
PAPER = {"HPCG": (15.3, 3.5), "SNAP": (39.2, 7.2), "MILC": (7.2, 2.4), "FFT2d": (6.4, 8.1), "Caffe": (11.6, 12.4)}
ACCURACY = """\
Each program computes for random times (`tests/manynode/noisy.c`): long tails, ranks that are always slower, iterations
in which all ranks are slow, a cycle of sizes. The truth is the mean of full runs on 64 ranks with other seeds. The
prediction comes from a profile of one run on 8 ranks. *Mean* gives each computation its mean time, *independent*
ignores the order and what ranks and iterations have in common. Required: at most 10 % for four of the five, and 7 % on
average."""
RANKS = (8, 16, 32, 64)


def skeleton(turns, step):
    return {"rehearse_skeleton": 1, "name": "bench", "clusters": [{"id": 0, "ranks": "all"}],
            "markers": {"m": [{"cluster": 0, "law": LAW}]},
            "body": [{"loop": str(turns), "body": [{"compute": "m"}, step]}]}


def speed_row(rehearse, folder, case, log):
    name, ranks, turns, step, options, events, what, least_rate, most_seconds, most_memory = case
    log(f"many-node: {name}, {ranks} ranks")
    path = folder / "bench.json"
    path.write_text(json.dumps(skeleton(turns, step)))
    cost = measured.cost([rehearse, "sweep", path, "--ranks", ranks, "--replicas", 1, "--quiet", *options], folder, 3)
    rate, memory, wrong, required = events * turns / cost.seconds, cost.kilobytes / 1024, [], []
    for value, limit, sign, text in [(rate, least_rate, 1, f"{least_rate or 0:,.0f} {what}/s"),
                                     (cost.seconds, most_seconds, -1, f"{most_seconds} s"),
                                     (memory, most_memory, -1, f"{most_memory} MiB")]:
        if limit is None:
            continue
        required.append(text)
        if sign * value < sign * limit:
            wrong.append(f"{name}, {ranks} ranks: {value:,.0f}, required {text}")
    return (name, f"{ranks:,}", f"{turns:,}", f"{cost.seconds:.2f} s", f"{rate:,.0f} {what}",
            ", ".join(required) or "-", f"{memory:.0f} MiB"), wrong


def percent(part):
    return f"{100 * part:+.1f} %"


def accuracy(study, table, log):
    predictions = {}  # by program, for several numbers of ranks
    for program in prediction.BODIES:
        log(f"many-node: prediction of {program}")
        predictions[program] = study.predict_all(program, RANKS)
    last = [each[-1] for each in predictions.values()]
    rows = [(each.program, f"{1e3 * each.truth:.2f} ms", percent(each.error), percent(each.mean_error),
             percent(each.independent_error)) for each in last]
    errors = [abs(each.error) for each in last]
    rows.append(("average of absolute values", "", f"{100 * statistics.fmean(errors):.1f} %",
                 f"{100 * statistics.fmean(abs(each.mean_error) for each in last):.1f} %", ""))
    wrong = []
    if statistics.fmean(errors) > 0.07 or sorted(errors)[3] > 0.10:
        wrong.append("predictions of 64 ranks: " + ", ".join(f"{each.program} {percent(each.error)}" for each in last))
    paper = [(name, f"{constant} %", f"{variable} %") for name, (constant, variable) in PAPER.items()]
    paper.append(("average", "15.9 %", "6.7 %"))
    return "\n\n".join(["### Predictions of 64 ranks", ACCURACY,
                        table(("program", "truth", "error", "error of mean", "error of independent"), rows),
                        "Table 2 of the paper, with external ranks:",
                        table(("application", "constant times", "variable times"), paper)]), predictions, wrong


def text(rehearse, folder, table, log):
    """The section, and the demands that are not met."""
    rows, wrong = [], []
    for case in CASES:
        line, missing = speed_row(rehearse, folder, case, log)
        rows.append(line)
        wrong += missing
    accurate, predictions, missing = accuracy(prediction.Study(rehearse, folder), table, log)
    wrong += missing
    log("many-node: figures of the paper")
    figures = manynode_figures.Figures(rehearse, folder, table)
    return "\n\n".join([__doc__.strip(), table(HEAD, rows), accurate, figures.text(predictions)]), wrong
