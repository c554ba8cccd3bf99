# SPDX-License-Identifier: MIT
"""Replays of traces beside those of Debian's SMPI: the same time-independent text, on the same platform file.

A ring of 64 ranks exchanges 20,000 messages of 1,000 bytes a rank (`sendRecv`), and LU's wave crosses 64 ranks. An
action is a line of the text. Seconds are processor seconds of the whole command, with its start and the reading of
the trace, and the least of three runs, where one takes less than 10 s. `raw` and CM02 without factors share bandwidth
and nothing else. `lv08` and SMPI's default add factors and acknowledgements. Memory is the largest resident set.
"""
import shutil

import measured
import platform_files
import recordings

REPEATS = 3
RANKS = 64
ROUNDS = 20_000
SWEEP_ROUNDS = 3300
MANY = 16_384
NO_FACTORS = ("--cfg=network/model:CM02", "--cfg=network/crosstraffic:0", "--cfg=network/TCP-gamma:0",
              "--cfg=network/weight-S:0", "--cfg=network/latency-factor:1", "--cfg=network/bandwidth-factor:1")
PEER = ("--cfg=smpi/host-speed:1e9f", "--log=root.thres:error")
# Our options, those of the peer (None: it has no such model), and the least ratio of the rates that we want.
MODELS = {"raw": (("--network", "raw"), NO_FACTORS, 10), "lv08": (("--network", "lv08"), (), 10),
          "constant": (("--network", "constant", "--delay", "0.001"), None, None)}
# Processor seconds of commit 87afe50 and of this page's first version with batches of flows, measured alternately (the
# least of five runs, with much other work on the machine): `rehearse run --compute none` of programs in
# tests/bench/programs.
HEAD = ("trace", "model", "ours", "from `.rtrace`", "SMPI", "ours, actions/s", "SMPI, actions/s", "ratio", "wanted",
        "our memory")


def write_ring(path, ranks, rounds):
    with open(path, "w") as text:
        for rank in range(ranks):
            line = f"{rank} sendRecv 1000 {(rank + 1) % ranks} 1000 {(rank - 1) % ranks} 0 0\n"
            text.writelines((f"{rank} init\n", line * rounds, f"{rank} finalize\n"))
    return ranks * rounds


def write_wave(path):
    """The sweep between `init` and `finalize`, which the peer needs."""
    recordings.write_sweep(path, SWEEP_ROUNDS)
    lines = path.read_text().splitlines()
    by_rank = [[] for _ in range(RANKS)]
    for line in lines:
        by_rank[int(line.split(" ", 1)[0])].append(line)
    path.write_text("".join("\n".join([f"{rank} init", *own, f"{rank} finalize", ""])
                            for rank, own in enumerate(by_rank)))
    return len(lines)


def row(rehearse, folder, name, text, actions, model, log):
    """A row of the table, and what is missing to the ratio that we want."""
    log(f"replays: {name}, {model}")
    options, peer_options, wanted = MODELS[model]
    machine = platform_files.crossbar(folder, RANKS)
    recording = text.with_suffix(".rtrace")
    replay = [rehearse, "trace", "replay", "--quiet", "--on", machine, *options]
    ours, from_recording = (measured.cost([*replay, file], folder, REPEATS) for file in (text, recording))
    peer = None
    if peer_options is not None and shutil.which("smpirun"):
        (folder / "index").write_text(f"{text}\n")
        peer = measured.cost(["smpirun", "-np", RANKS, "-platform", machine, "-replay", "index", *PEER, *peer_options],
                             folder, REPEATS)
    best = min(ours.seconds, from_recording.seconds)
    ratio = peer and peer.seconds / best
    wrong = [f"{name}, {model}: {ratio:.1f} times the rate of the peer, {wanted} wanted"] \
        if ratio and ratio < wanted else []
    return (f"{name}, {actions:,} actions", model, f"{ours.seconds:.2f} s", f"{from_recording.seconds:.2f} s",
            f"{peer.seconds:.2f} s" if peer else "-", f"{actions / best:,.0f}",
            f"{actions / peer.seconds:,.0f}" if peer else "-", f"{ratio:.1f}" if ratio else "-",
            f"{wanted}" if wanted else "-", f"{max(ours.kilobytes, from_recording.kilobytes) / 1024:.0f} MiB"), wrong


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
                f"{used.kilobytes / 1024:.0f} MiB from `.rtrace`; wanted are at most {limit / 1024:.0f} MiB "
                "(100 MB and 2 kB a rank).")
    return sentence, [sentence] if used.kilobytes > limit else []


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
    sentence, missing = many_ranks(rehearse, folder, log)
    return "\n\n".join([__doc__.strip(), table(HEAD, rows), sentence]), wrong + missing
