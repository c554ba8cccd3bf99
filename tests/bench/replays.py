# SPDX-License-Identifier: MIT
"""Replays of traces beside those of Debian's SMPI: the same time-independent text, on the same platform file.

A ring of 64 ranks exchanges 20,000 messages of 1,000 bytes a rank (`sendRecv`). LU's waves cross 64 ranks, ten planes
in one direction, then ten in the other. An action is a line of the text. Seconds are processor seconds of the whole
command, with its start and the reading of the trace. All commands of a row take turns; each figure is the least of
three runs, or that of one run of 10 s or more. So the ratio says how much less processor time Rehearse takes, and what
else the machine does changes it little; actions per second depend on the machine, and on what else it does.

`raw` and CM02 without factors share bandwidth and nothing else. `lv08` and SMPI's default add factors and
acknowledgements. SMPI has nothing like `constant` and `loggops`, so their wanted figures are rates. Memory is the
largest resident set. A run of 10^9 send-receives was measured once ([design](design/traces.md#speed-of-replays)).
"""
import json
import random
import shutil
import textwrap

import measured
import platform_files
import recordings

REPEATS, GOAL_REPEATS = 3, 5
RANKS = 64
ROUNDS = 20_000
SWEEP_ROUNDS, PLANES, SIDE = 3300, 10, 8
MANY = 16_384
NO_FACTORS = ("--cfg=network/model:CM02", "--cfg=network/crosstraffic:0", "--cfg=network/TCP-gamma:0",
              "--cfg=network/weight-S:0", "--cfg=network/latency-factor:1", "--cfg=network/bandwidth-factor:1")
PEER = ("--cfg=smpi/host-speed:1e9f", "--log=root.thres:error")
# Our options, and those of the peer (None: it has no such model).
MODELS = {"raw": (("--network", "raw"), NO_FACTORS), "lv08": (("--network", "lv08"), ()),
          "constant": (("--network", "constant", "--delay", "0.001"), None),
          "loggops": (("--network", "loggops", "--speed", "1e9"), None)}
# The least ratio of the rates, and the least rate in actions a second, that we want; 0: none.
WANTED = {("ring", "raw"): (10, 0), ("ring", "lv08"): (10, 2.3e6), ("ring", "constant"): (0, 5e6),
          ("ring", "loggops"): (0, 5e6), ("wave", "raw"): (12, 0), ("wave", "lv08"): (12, 0),
          ("wave", "constant"): (0, 0), ("wave", "loggops"): (0, 0)}
HEAD = ("trace", "model", "ours", "from `.rtrace`", "SMPI", "ours, actions/s", "wanted", "SMPI, actions/s", "ratio",
        "wanted", "our memory")
GOAL_HEAD = ("schedule", "events", "seconds", "events/s", "wanted", "memory")
# Of an all-to-all of 1,024 ranks and 1 KiB: (P - 1) (o + o + (s - 1) G) of the default parameters, in nanoseconds.
EXCHANGE_END, EXCHANGE_SECONDS = 11_905_674, 2


def write_ring(path, ranks, rounds):
    with open(path, "w") as text:
        for rank in range(ranks):
            line = f"{rank} sendRecv 1000 {(rank + 1) % ranks} 1000 {(rank - 1) % ranks} 0 0\n"
            text.writelines((f"{rank} init\n", line * rounds, f"{rank} finalize\n"))
    return ranks * rounds


def write_wave(path, rounds=SWEEP_ROUNDS):
    """Sweeps in both directions, as in LU; the peer needs `init` and `finalize`."""
    chance, actions = random.Random(1), 0
    with open(path, "w") as text:
        for rank in range(RANKS):
            x, y = rank % SIDE, rank // SIDE
            before = [other for other, there in ((rank - 1, x > 0), (rank - SIDE, y > 0)) if there]
            behind = [other for other, there in ((rank + 1, x + 1 < SIDE), (rank + SIDE, y + 1 < SIDE)) if there]
            lines = [f"{rank} init"]
            for number in range(rounds):
                sources, targets = (before, behind) if number // PLANES % 2 == 0 else (behind, before)
                lines += [f"{rank} recv {other} 5 1240" for other in sources]
                lines.append(f"{rank} compute {int(1e5 * chance.gauss(1, 0.02))}")
                lines += [f"{rank} send {other} 5 1240" for other in targets]
            actions += len(lines) - 1
            text.write("\n".join([*lines, f"{rank} finalize", ""]))
    return actions


def row(rehearse, folder, name, text, actions, model, log):
    """A row of the table, and what is missing to what we want."""
    log(f"replays: {name}, {model}")
    options, peer_options = MODELS[model]
    machine = platform_files.crossbar(folder, RANKS)
    replay = [rehearse, "trace", "replay", "--quiet", *(() if model == "loggops" else ("--on", machine)), *options]
    commands = {"text": [*replay, text], "recording": [*replay, text.with_suffix(".rtrace")]}
    if peer_options is not None and shutil.which("smpirun"):
        (folder / "index").write_text(f"{text}\n")
        commands["peer"] = ["smpirun", "-np", RANKS, "-platform", machine, "-replay", "index", *PEER, *peer_options]
    costs = measured.costs_in_turn(commands, folder, REPEATS)
    ours, from_recording, peer = costs["text"], costs["recording"], costs.get("peer")
    best = min(ours.seconds, from_recording.seconds)
    rate, ratio = actions / best, peer and peer.seconds / best
    wanted_ratio, wanted_rate = WANTED[name, model]
    wrong = []
    if ratio and ratio < wanted_ratio:
        wrong.append(f"{name}, {model}: asked {wanted_ratio} times the rate of the peer, measured {ratio:.1f}")
    if rate < wanted_rate:
        wrong.append(f"{name}, {model}: asked {wanted_rate / 1e6:g} M actions/s, measured {rate / 1e6:.2f}")
    return (f"{name}, {actions:,} actions", model, f"{ours.seconds:.2f} s", f"{from_recording.seconds:.2f} s",
            f"{peer.seconds:.2f} s" if peer else "-", f"{rate:,.0f}", f"{wanted_rate:,.0f}" if wanted_rate else "-",
            f"{actions / peer.seconds:,.0f}" if peer else "-", f"{ratio:.1f}" if ratio else "-",
            f"{wanted_ratio}" if wanted_ratio else "-",
            f"{max(ours.kilobytes, from_recording.kilobytes) / 1024:.0f} MiB"), wrong


def many_ranks(rehearse, folder, log):
    """A sentence about the memory of a replay of many ranks, and a demand that is not met."""
    log(f"replays: {MANY:,} ranks")
    text, recording = folder / "many.ti", folder / "many.rtrace"
    write_ring(text, MANY, 20)
    recordings.call(rehearse, "trace", "convert", "--to", "rtrace", text, recording)
    used = measured.cost([rehearse, "trace", "replay", "--quiet", "--network", "lv08", "--on", f"cluster:{MANY}",
                          recording], folder, REPEATS)
    limit = 100 * 1024 + 2 * MANY
    sentence = (f"A ring of {MANY:,} ranks and 20 messages a rank takes {used.seconds:.1f} s and "
                f"{used.kilobytes / 1024:.0f} MiB from `.rtrace`; asked are at most {limit / 1024:.0f} MiB "
                "(100 MiB and 2 KiB a rank).")
    return sentence, [sentence] if used.kilobytes > limit else []


def write_dissemination(path, ranks, times):
    """In round k a rank sends to the one 2^k further, and receives from the one as far behind."""
    distances = [2 ** k for k in range(ranks.bit_length() - 1)] * times
    with open(path, "w") as text:
        text.write(f"num_ranks {ranks}\n")
        for me in range(ranks):
            lines = [f"rank {me} {{"]
            for k, distance in enumerate(distances):
                lines.append(f"s{k}: send 8b to {(me + distance) % ranks}")
                if k > 0:
                    lines.append(f"s{k} requires r{k - 1}")
                lines.append(f"r{k}: recv 8b from {(me - distance) % ranks}")
            text.write("\n".join([*lines, "}", ""]))
    return 2 * ranks * len(distances)


def write_exchange(path, ranks, _):
    with open(path, "w") as text:
        text.write(f"num_ranks {ranks}\n")
        for me in range(ranks):
            lines = [f"rank {me} {{"]
            for k in range(1, ranks):
                lines += [f"send 1024b to {(me + k) % ranks}", f"recv 1024b from {(me - k) % ranks}"]
            text.write("\n".join([*lines, "}", ""]))
    return 2 * ranks * (ranks - 1)


def schedules(rehearse, folder, log):
    """Rows about GOAL schedules in LogGOPS, a sentence, and the demands that are not met."""
    rows, wrong = [], []
    for name, ranks, write, times, wanted in (("ten disseminations", 4096, write_dissemination, 10, 5e6),
                                              ("dissemination", 65_536, write_dissemination, 1, 3e6),
                                              ("all-to-all of 1 KiB", 1024, write_exchange, 1, 0)):
        log(f"replays: {name}, {ranks:,} ranks")
        path, binary, report = folder / "schedule.goal", folder / "schedule.bin", folder / "report.json"
        operations = write(path, ranks, times)
        recordings.call(rehearse, "trace", "convert", "--to", "goal-binary", path, binary)
        used = measured.cost([rehearse, "trace", "replay", "--quiet", "--network", "loggops", "--json", report, binary],
                             folder, GOAL_REPEATS)
        events = operations * 3 // 2  # each send is a message
        rate = events / used.seconds
        rows.append((f"{name}, {ranks:,} ranks", f"{events:,}", f"{used.seconds:.2f} s", f"{rate:,.0f}",
                     f"{wanted:,.0f}" if wanted else f"{EXCHANGE_SECONDS} s", f"{used.kilobytes / 1024:.0f} MiB"))
        if rate < wanted:
            wrong.append(f"{name}, {ranks:,} ranks: asked {wanted / 1e6:g} M events/s, measured {rate / 1e6:.2f}")
    end = round(json.loads(report.read_text())["simulated_seconds"] * 1e9)
    if used.seconds > EXCHANGE_SECONDS:
        wrong.append(f"all-to-all: asked {EXCHANGE_SECONDS} s, measured {used.seconds:.2f} s")
    if end != EXCHANGE_END:
        wrong.append(f"all-to-all: ends at {end:,} ns, not at {EXCHANGE_END:,} ns")
    sentence = ("Binary GOAL schedules with `--network loggops`: the whole command, the least of "
                f"{GOAL_REPEATS} runs. Events are the operations (sends and receives) and the messages. The all-to-all "
                f"ends at {end:,} ns; asked are {EXCHANGE_END:,} ns.")
    return rows, sentence, wrong


def text(rehearse, folder, table, log):
    """The section, and the demands that are not met."""
    rows, wrong = [], []
    for name, write in (("ring", lambda path: write_ring(path, RANKS, ROUNDS)), ("wave", write_wave)):
        path = folder / f"{name}.ti"
        actions = write(path)
        recordings.call(rehearse, "trace", "convert", "--to", "rtrace", path, path.with_suffix(".rtrace"))
        for model in MODELS:
            line, missing = row(rehearse, folder, name, path, actions, model, log)
            rows.append(line)
            wrong += missing
    goal_rows, goal_sentence, missing = schedules(rehearse, folder, log)
    wrong += missing
    sentence, missing = many_ranks(rehearse, folder, log)
    wrong += missing
    verdict = "Not reached: " + "; ".join(wrong) + "." if wrong else "All of this is reached."
    goal_sentence, sentence, verdict = (textwrap.fill(each, 120) for each in (goal_sentence, sentence, verdict))
    return "\n\n".join([__doc__.strip(), table(HEAD, rows), goal_sentence, table(GOAL_HEAD, goal_rows), sentence,
                        verdict]), wrong
