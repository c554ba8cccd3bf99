#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Timelines of replays in the formats of other tools, and traces as programs.

exports_test.py --build DIR [--random FIRST COUNT]

Each format has the dates of the trace events (JSON) of the same replay. A program that is written from a trace has the
dates of the trace, and the calls of a program that was written by hand. An archive of OTF2 is replayed with the dates
of the replay that wrote it.
"""
import collections
import json
import math
import re
import shutil
import subprocess
import sys

import random_traces
import trace_tests

TRACE = """0 init
1 init
0 compute 1e9
0 send 1 7 1e6
1 recv 0 7 1e6
1 compute 5e8
0 irecv 1 9 5000
1 isend 0 9 5000
0 wait 1 0 9
1 wait 1 0 9
0 sendRecv 1000 1 2000 1
1 sendRecv 2000 0 1000 0
0 allreduce 8 0
1 allreduce 8 0
0 barrier
1 barrier
"""

COLLECTIVES = "".join(f"{rank} {action}\n" for action in (
    "init", "compute 1e6", "bcast 1000 1 6", "reduce 800 0 2 6", "allreduce 16 0 6", "gather 10 10 1 6 6",
    "scatter 20 20 2 6 6", "allgather 30 30 6 6", "alltoall 40 40 6 6", "scan 8 0 6", "exscan 8 0 6", "ibcast 5000 2 6",
    "compute 2e6", "wait 0 0 -4446", "reducescatter 8 8 8 0 6", "alltoallv 30 10 10 10 30 10 10 10 6 6",
    "gatherv 7 7 7 7 0 6 6", "scatterv 9 9 9 9 0 6 6", "allgatherv 11 11 11 11 6 6", "barrier") for rank in range(3))

BY_HAND = """#include <mpi.h>
int main(int argc, char** argv) {
  static char one[100000], other[100000];
  int rank;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 20; ++i) {
    if (rank == 0) {
      MPI_Send(one, 100000, MPI_BYTE, 1, 7, MPI_COMM_WORLD);
      MPI_Irecv(other, 5000, MPI_BYTE, 1, 9, MPI_COMM_WORLD, &request);
    } else {
      MPI_Recv(other, 100000, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Isend(one, 5000, MPI_BYTE, 0, 9, MPI_COMM_WORLD, &request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return MPI_Finalize();
}
"""


ONE_SIDED = """#include <mpi.h>
int main(int argc, char** argv) {
  static int cell;
  MPI_Win window;
  MPI_Init(&argc, &argv);
  MPI_Win_create(&cell, sizeof cell, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_free(&window);
  return MPI_Finalize();
}
"""


def by_hand_as_trace():
    steps = ["0 send 1 7 100000", "0 irecv 1 9 5000", "1 recv 0 7 100000", "1 isend 0 9 5000", "0 wait 1 0 9",
             "1 wait 1 0 9", "0 barrier", "1 barrier"]
    return "\n".join(steps * 20) + "\n"


class Exports(trace_tests.Checks):
    def intervals(self, trace):
        """Of the trace events: (rank, begin, end, name) in picoseconds."""
        self.good("trace", "replay", "--on", "cluster:4", "--quiet", "--timeline", "t.json", trace)
        events = json.loads((self.folder / "t.json").read_text(), parse_float=str)["traceEvents"]
        picoseconds = lambda text: int(str(text).replace(".", ""))  # noqa: E731
        return [(event["tid"], picoseconds(event["ts"]), picoseconds(event["ts"]) + picoseconds(event["dur"]),
                 event["name"]) for event in events if event["ph"] == "X"]

    def timed(self, trace):
        wanted = self.intervals(trace)
        self.good("trace", "replay", "--on", "cluster:4", "--quiet", "--timeline", "t.timed", trace)
        lines = (self.folder / "t.timed").read_text().splitlines()[1:]
        found = collections.Counter()
        last = 0
        for line in lines:
            parts = re.fullmatch(r"\[(\d+\.\d{12})\] (\d+) (.+) (\d+\.\d{12})( never)?", line)
            self.check(trace.name, parts, f"timed: {line}")
            if not parts:
                return
            end, duration = (int(parts[i].replace(".", "")) for i in (1, 4))
            self.check(trace.name, end >= last, f"timed: not sorted: {line}")
            last = end
            found[int(parts[2]), end - duration, end] += 1
        # The operations of an exchange are one call here.
        missing = [at for at in wanted if not at[3].lower().startswith("sendrecv") and not found[at[0], at[1], at[2]]]
        self.check(trace.name, not missing, f"timed: missing {missing[:3]}")

    def paraver(self, trace):
        wanted = self.intervals(trace)
        self.good("trace", "replay", "--on", "cluster:4", "--quiet", "--timeline", "t.prv", trace)
        head, *lines = (self.folder / "t.prv").read_text().splitlines()
        self.check(trace.name, re.fullmatch(r"#Paraver \(01/01/70 at 00:00\):\d+_ns:\d+\([\d,]+\):1:\d+\([\d:,]+\)",
                                            head), head)
        nanoseconds = lambda date: (date + 500) // 1000  # noqa: E731
        states, open_calls, dates, messages = set(), {}, [], 0
        for line in lines:
            kind, *fields = map(int, line.split(":"))
            if kind == 1:
                states.add((fields[2] - 1, fields[4], fields[5]))
                dates.append(fields[4])
            elif kind == 2:
                dates.append(fields[4])
                is_open = open_calls.get(fields[2], 0) != 0
                self.check(trace.name, is_open == (fields[6] == 0), f"events do not alternate: {line}")
                open_calls[fields[2]] = fields[6]
            else:
                messages += 1
                self.check(trace.name, kind == 3 and len(fields) == 14 and fields[4] <= fields[5] <= fields[11], line)
        self.check(trace.name, dates == sorted(dates), "records are not sorted")
        self.check(trace.name, not any(open_calls.values()), "calls that never end")
        missing = [at for at in wanted if nanoseconds(at[1]) < nanoseconds(at[2])
                   and (at[0], nanoseconds(at[1]), nanoseconds(at[2])) not in states]
        self.check(trace.name, not missing, f"states: missing {missing[:3]}")
        names = (self.folder / "t.pcf").read_text()
        self.check(trace.name, "50000001    MPI Point-to-point" in names and "3   MPI_Isend" in names, "t.pcf")
        self.check(trace.name, "LEVEL THREAD SIZE" in (self.folder / "t.row").read_text(), "t.row")
        return messages

    def ends(self, *words):
        done = self.good("trace", "replay", "--on", "cluster:4", "--json", "-", *words)
        return [rank["end_seconds"] for rank in json.loads(done.stdout)["ranks"]] if done.returncode == 0 else None

    def otf2(self, trace):
        # An archive has no difference between a sendRecv and its parts, whose costs differ under another model.
        model = ("--network", "lv08")
        wanted = self.ends(*model, "--timeline", "archive.otf2", trace)
        if shutil.which("otf2-print"):
            done = subprocess.run(["otf2-print", "archive.otf2"], cwd=self.folder, capture_output=True, text=True,
                                  check=False)
            self.check(trace.name, done.returncode == 0 and "ENTER" in done.stdout, done.stderr[-300:])
        found = self.ends(*model, "archive.otf2")
        same = wanted and found and all(math.isclose(one, other, abs_tol=1e-11)
                                        for one, other in zip(wanted, found, strict=True))
        self.check(trace.name, same, f"otf2: {found}, expected {wanted}")
        for form in ("ti", "rtrace"):
            output = "converted." + form
            self.good("trace", "convert", "--to", form, "archive.otf2", output)
            self.good("trace", "compare", "--volumes", "archive.otf2", output)
            again = self.ends(*model, output)
            self.check(trace.name, found == again, f"otf2 as {form}: {again}, expected {found}")

    def program(self, trace, ranks):
        """Pauses take the volumes exactly, so the program has the dates of the trace."""
        # The program combines data, and makes calls of its own, which would cost time under another model.
        wanted = self.ends("--network", "lv08", "--reduction-flops", "1", trace)
        written = self.call("trace", "convert", "--to", "c", trace, "t.c")
        if written.returncode == 3:
            return
        self.check(trace.name, written.returncode == 0, written.stderr)
        self.good("cc", "-Wall", "-Werror", "-DPAUSES", "-DDATES", "t.c", "-o", "t")
        done = self.good("run", "-n", ranks, "--on", "cluster:4", "--network", "lv08", "--compute", "none", "--quiet",
                         "./t")
        found = dict(line.split() for line in done.stdout.splitlines())
        if "calls that make communicators" in written.stderr:
            return
        # A read of the clock takes 10 ns, and a pause is a whole number of nanoseconds.
        most = 1e-9 * (12 + trace.read_text().count("compute"))
        for rank, date in enumerate(wanted or []):
            self.check(trace.name, date is None or abs(float(found.get(str(rank), "nan")) - date) <= most,
                       f"program: rank {rank} ends at {found.get(str(rank))}, expected {date}")

    def calls(self):
        """A program by hand, and one written from its trace, make the same calls."""
        (self.folder / "hand.c").write_text(BY_HAND)
        (self.folder / "hand.ti").write_text(by_hand_as_trace())
        self.good("trace", "convert", "--to", "c", "hand.ti", "written.c")
        text = (self.folder / "written.c").read_text()
        self.check("loops", text.count("< 20; ") == 2, "the 20 passes are no loops")
        for name in ("hand", "written"):
            self.good("cc", "-Wall", "-Werror", f"{name}.c", "-o", name)
            self.good("run", "-n", 2, "--compute", "none", "--quiet", "--trace", f"{name}.rtrace", f"./{name}")
        self.good("trace", "compare", "hand.rtrace", "written.rtrace")
        (self.folder / "other.c").write_text(text.replace("100000", "100001"))
        self.good("cc", "other.c", "-o", "other")
        self.good("run", "-n", 2, "--compute", "none", "--quiet", "--trace", "other.rtrace", "./other")
        self.check("calls", self.call("trace", "compare", "hand.rtrace", "other.rtrace").returncode == 1,
                   "another size is no difference")

    def bad_input(self, trace):
        self.refused(2, "accepted: FILE.html", "trace", "replay", "--on", "cluster:2", "--timeline", "t.foo", trace)
        self.refused(2, "--speed applies", "trace", "convert", "--to", "c", "--speed", "1e9", trace, "t.c")
        self.refused(2, "--collective-algorithms applies", "trace", "convert", "--to", "c",
                     "--collective-algorithms", "broadcast=linear", trace, "t.c")
        self.refused(2, "No such file", "trace", "convert", "--to", "c", trace, "nowhere/t.c")

    def nonblocking(self, trace):
        """Nonblocking collectives stay so; lost facts are named."""
        trace.write_text("0 init\n1 init\n0 ibcast 100 1\n1 ibcast 100 1\n0 ibarrier\n1 ibarrier\n0 compute 1e6\n"
                         "0 wait 0 0 -4446\n0 wait 0 0 -4446\n1 wait 0 0 -4446\n1 wait 0 0 -4446\n1 send 0 8 100\n")
        for ending, fate in (("otf2", "written as sends without a receive"), ("prv", "left out")):
            done = self.good("trace", "replay", "--on", "cluster:2", "--timeline", f"lost.{ending}", trace)
            self.check(ending, f"lost: messages that nobody received: 1 message {fate} (lost.{ending})" in done.stderr,
                       done.stderr)
        self.good("trace", "convert", "--to", "ti", "lost.otf2", "nonblocking.ti")
        actions = [line.split()[1] for line in (self.folder / "nonblocking.ti").read_text().splitlines()
                   if line.startswith("0 ")]
        self.check("nonblocking", actions == ["init", "ibcast", "ibarrier", "compute", "wait", "wait", "finalize"],
                   actions)

    def bad_archives(self, trace):
        replay = ("trace", "replay", "--on", "cluster:4")
        self.good(*replay, "--quiet", "--timeline", "whole.otf2", trace)
        for path, size in (("bad.otf2", 40), ("bad.def", 100), ("bad/0.evt", 100), ("bad/0.evt", 0), ("bad/0.def", 10)):
            for ending in (".otf2", ".def"):
                shutil.copy(self.folder / ("whole" + ending), self.folder / ("bad" + ending))
            shutil.copytree(self.folder / "whole", self.folder / "bad", dirs_exist_ok=True)
            content = (self.folder / path).read_bytes()
            (self.folder / path).write_bytes(content[:size])
            self.refused(2, "bad.otf2: ", *replay, "bad.otf2")
        # Functions without messages in an archive.
        (self.folder / "one_sided.c").write_text(ONE_SIDED)
        self.good("cc", "one_sided.c", "-o", "one_sided")
        self.call("run", "-n", 2, "--compute", "none", "--quiet", "--timeline", "put.otf2", "./one_sided")  # ends there
        self.refused(3, "MPI_Win_create in a trace (put.otf2: behind action 0: one-sided communication)", *replay,
                     "put.otf2")


def work(exports, options):
    trace = exports.folder / "hand.ti"
    trace.write_text(TRACE)
    exports.timed(trace)
    exports.check("messages", exports.paraver(trace) == 4, "4 messages expected")
    exports.program(trace, 2)
    exports.bad_input(trace)
    done = exports.call("trace", "replay", "--quiet", "--timeline", "probe.otf2", trace)
    has_otf2 = "without OTF2" not in done.stderr
    if has_otf2:
        exports.otf2(trace)
        trace.write_text(COLLECTIVES)
        exports.otf2(trace)
        exports.nonblocking(trace)
        exports.bad_archives(trace)
    else:
        print("built without OTF2")
        exports.refused(2, "this Rehearse was built without OTF2", "trace", "replay", "--timeline", "t.otf2", trace)
    first, count = options.random
    for seed in range(first, first + count):
        generated = random_traces.trace(seed)
        trace.write_text(random_traces.text(generated))
        exports.timed(trace)
        exports.paraver(trace)
        # An archive has only the sum of the parts of such collectives.
        trace.write_text(random_traces.text(random_traces.trace(seed, features=("large", "types"))))
        if has_otf2:
            exports.otf2(trace)
        if seed < first + 5:
            exports.program(trace, len(generated))
    exports.calls()


def main():
    return trace_tests.run_tests(Exports, trace_tests.make_parser(__doc__, random=(0, 15)).parse_args(), work)


if __name__ == "__main__":
    sys.exit(main())
