#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse trace replay: hand-made traces, whose dates or messages are known, and random ones against a reference.

cases_test.py --build DIR [--random FIRST COUNT]

cases.json has the date at which each rank of a trace in cases/ ends; most were worked out by hand. Of malformed traces
it names what the error message must contain. reference.py replays traces without contention.
"""
import json
import pathlib
import re
import sys

import random_traces
import reference
import trace_tests

HERE = pathlib.Path(__file__).resolve().parent
ALGORITHMS = ("barrier=dissemination,broadcast=binomial,reduce=binomial,allreduce=recursive_doubling,"
              "gather=linear_nonblocking,gatherv=linear_nonblocking,scatter=linear_nonblocking,"
              "scatterv=linear_nonblocking,allgather=ring,allgatherv=ring,alltoall=pairwise,alltoallv=pairwise,"
              "reduce_scatter=pairwise,scan=linear,exscan=linear")


def platform(hosts):
    """Hosts of 1 Mflop/s; each pair has a wire in each direction, of 1 ms and 1 MB/s, which nothing slows down."""
    pairs = [(i, j) for i in range(hosts) for j in range(hosts) if i != j]
    return "\n".join(
        ['<?xml version="1.0"?>', '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
         '<platform version="4.1">', '<zone id="all" routing="Full">']
        + [f'<host id="node-{i}" speed="1Mf"/>' for i in range(hosts)]
        + [f'<link id="l{i}-{j}" bandwidth="1MBps" latency="1ms" sharing_policy="FATPIPE"/>' for i, j in pairs]
        + [f'<route src="node-{i}" dst="node-{j}" symmetrical="NO"><link_ctn id="l{i}-{j}"/></route>'
           for i, j in pairs] + ["</zone>", "</platform>", ""])


class Replays(trace_tests.Checks):
    def __init__(self, build, folder):
        super().__init__(build, folder)
        self.platform = self.folder / "platform.xml"
        self.platform.write_text(platform(16))

    def replay(self, trace, options):
        words = ["trace", "replay", trace, "--json", "-", "--on", self.platform, "--network", "raw"]
        algorithms = ALGORITHMS
        for name, value in options.get("algorithm", {}).items():
            name = {"bcast": "broadcast"}.get(name, name)
            algorithms = re.sub(rf"\b{name}=\w+", f"{name}={'linear' if name == 'broadcast' else value}",
                                algorithms)
        words += ["--collective-algorithms", algorithms]
        for name in ("eager", "handshake"):
            if name in options:
                words += ["--" + name, str(options[name])]
        return self.call(*words)

    def check_dates(self, name, trace, ends, options):
        end = self.replay(trace, options)
        try:
            got = [rank["end_seconds"] for rank in json.loads(end.stdout)["ranks"]]
        except (ValueError, KeyError):
            return self.judge(name, (end.stdout + end.stderr)[-400:])
        same = end.returncode == 0 and len(got) == len(ends) and all(
            x is not None and abs(x - y) < 1e-9 * max(1, y) for x, y in zip(got, ends))
        return self.judge(name, "" if same else f"status {end.returncode}, dates {got}, expected {ends}")

    # What must be named: every number and every word of the note that is an action.
    def check_bad(self, case):
        path = HERE / "cases" / case["name"]
        end = self.replay(path / "index" if path.is_dir() else path.with_suffix(".ti"), {})
        status = {"warning": 0, "error": 2}.get(re.match(r"\w+", case["bad"])[0], 1)
        text = (end.stdout if status == 0 else "") + end.stderr
        if end.returncode != status:
            return self.judge(case["name"], f"status {end.returncode}, expected {status}: {text[-300:]}")
        missing = [word for word in case["words"] if word not in text]
        return self.judge(case["name"], missing and f"{missing} are not in: {text[-600:]}")


def work(replays, options):
    for case in json.loads((HERE / "cases.json").read_text()):
        if "bad" in case:
            replays.check_bad(case)
        else:
            replays.check_dates(case["name"], HERE / "cases" / (case["name"] + ".ti"), case["ends"], case)
    first, count = options.random
    trace = replays.folder / "trace.ti"
    for seed in range(first, first + count):
        ranks = random_traces.trace(seed, features=["large", "coll", "v", "types", "ssend"])
        trace.write_text(random_traces.text(ranks))
        wanted = reference.Replay([[action.split() for action in rank] for rank in ranks]).run()
        replays.check_dates(f"seed {seed}", trace, wanted["ends"], {})


def main():
    options = trace_tests.make_parser(__doc__, random=(0, 100)).parse_args()
    return trace_tests.run_tests(Replays, options, work, least=70)


if __name__ == "__main__":
    sys.exit(main())
