#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Parts and units of traces: --until, --rate, --rate-file, trace profile --rates; efficiencies and profiles of GOAL.

parts_test.py --build DIR

Identities: a replay that is cut has the dates of the whole one until then; a rate is a factor of computation; rates
make the volumes of one recording take the times of another one; a schedule has the efficiencies of its calls.
Cut, foreign and future files get one message from each reader.
"""
import json
import struct
import sys

import trace_tests

RING = "".join(f"{rank} compute {4 + rank}e7\n{rank} sendRecv 500000 {(rank + 1) % 4} 500000 {(rank + 3) % 4}\n"
               f"{rank} allreduce 1000 0\n" for _ in range(3) for rank in range(4))
SCHEDULE = ("num_ranks 2\nrank 0 {\na: calc 3000\nb: send 101b to 1\nb requires a\n}\n"
            "rank 1 {\na: calc 1000\nb: recv 101b from 0\nb requires a\n}\n")
PROGRAM = r"""
#include <mpi.h>
#include <rehearse.h>
static volatile double sink;
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
#ifdef BURN
  for (double i = 0; i < 1e7; ++i) sink += i;
#else
  rehearse_compute_flops(1e9);
#endif
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
"""
STREAM_HEAD = "<8sIIIIQQQIIIiQd"  # rehearse_stream_head


def stream(rank, ranks, version=1, counter=0, records=b""):
    head = struct.pack(STREAM_HEAD, b"rpmpi\r\n\x1a", version, counter, rank, ranks, len(records), 0, 0, 0, 0, 1, 0, 0,
                       0)
    return head.ljust(128, b"\0") + records


class Parts(trace_tests.Checks):
    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content) if isinstance(content, bytes) else path.write_text(content)
        return path

    def report(self, *words):
        done = self.good(*words, "--json", "-")
        return json.loads(done.stdout)

    def until(self):
        ring = self.write("ring.ti", RING)
        whole = self.report("trace", "replay", "--on", "cluster:4", "--timeline", "whole.timed", ring)
        half = whole["simulated_seconds"] / 2
        cut = self.report("trace", "replay", "--on", "cluster:4", "--until", half, "--timeline", "cut.timed", ring)
        self.check("cut", cut.get("cut") is True and abs(cut["simulated_seconds"] - half) < 1e-12, f"{cut}")
        self.check("cut: no rank has ended", all(rank["end_seconds"] is None for rank in cut["ranks"]))
        self.check("cut: some time of each rank is computation",
                   all(0 < rank["compute_seconds"] <= half for rank in cut["ranks"]))
        lines = [set((self.folder / name).read_text().splitlines()[1:]) for name in ("whole.timed", "cut.timed")]
        over = {line for line in lines[0] if float(line[1:line.index("]")]) <= half}
        self.check("cut: what is over then", len(over) > 8 and over <= lines[1], f"{len(over)}: {over - lines[1]}")
        later = self.report("trace", "replay", "--on", "cluster:4", "--until", 10, ring)
        self.check("behind the end", "cut" not in later and later["ranks"] == whole["ranks"])
        line = self.good("trace", "replay", "--on", "cluster:4", "--until", half, ring).stderr
        self.check("line of a cut replay", "4 ranks after 0.0" in line, line)
        self.refused(2, "--until", "trace", "replay", "--until", "0", ring)
        self.refused(2, "exclude each other", "trace", "replay", "--until", 1, "--repeat", 3, ring)
        self.refused(2, "exclude each other", "trace", "replay", "--until", 1, "--sweep", "eager=0,1", ring)
        schedule = self.write("late.goal", SCHEDULE)
        self.refused(2, "--until does not apply to --network loggops", "trace", "replay", "--until", 1, schedule)
        cut = self.report("trace", "replay", "--on", "cluster:2", "--until", 2e-6, schedule)
        self.check("cut schedule", cut.get("cut") is True and cut["findings"] == [], f"{cut}")

    def rates(self):
        ring = self.write("ring.ti", RING)
        on = ("trace", "replay", "--on", "cluster:4")
        slow = self.report(*on, "--rate", 1e9, ring)
        scaled = self.report(*on, "--scale-compute", 10, ring)
        self.check("rate of all", abs(slow["simulated_seconds"] - scaled["simulated_seconds"]) < 1e-11,
                   f"{slow['simulated_seconds']}, {scaled['simulated_seconds']}")
        self.check("unit of text", slow["volume"] == "flops")
        rates = self.write("odd.json", '{"region x": -1}')
        self.refused(2, ["odd.json", "region x"], *on, "--rate-file", rates, ring)
        rates = self.write("other.json", '{"default": 1e9, "region nowhere": 5}')
        found = self.report(*on, "--rate-file", rates, ring)
        self.check("caveat about a place", any("nowhere" in each for each in found["caveats"]), found["caveats"])
        self.check("default of a file", found["simulated_seconds"] == slow["simulated_seconds"])
        source = self.write("burn.c", PROGRAM)
        record = ("trace", "record", "-n", 2, "--on", "cluster:2", "--quiet", "-o")
        for name, words, compute in (("volumes", (), "none"), ("times", ("-DBURN",), "measured")):
            self.good("cc", "-g", "-O1", *words, source, "-o", self.folder / name)
            self.good(*record, f"{name}.rtrace", "--compute", compute, self.folder / name)
        self.refused(2, "processor time", "trace", "replay", "--rate", 1e9, "times.rtrace")
        self.refused(2, "processor time", "trace", "profile", "--rates", "-", "--times", "volumes.rtrace",
                     "times.rtrace")
        self.refused(2, "needs --times", "trace", "profile", "--rates", "rates.json", "volumes.rtrace")
        self.good("trace", "profile", "--on", "cluster:2", "--rates", "rates.json", "--times", "times.rtrace",
                  "volumes.rtrace")
        rates = json.loads((self.folder / "rates.json").read_text())
        self.check("rates of a program", list(rates) == ["default"], rates)
        ours, timed = (self.report("trace", "replay", "--on", "cluster:2", *words)["ranks"]
                       for words in (("--rate-file", "rates.json", "volumes.rtrace"), ("times.rtrace",)))
        ours, timed = (sum(rank["compute_seconds"] for rank in ranks) for ranks in (ours, timed))
        self.check("time with its rate", 0 < timed and abs(ours / timed - 1) < 1e-6, f"{ours}, {timed}")

    def schedules(self):
        schedule = self.write("late.goal", SCHEDULE)
        self.good("trace", "convert", "--to", "goal-binary", schedule, "late.bin")
        for file in (schedule, self.folder / "late.bin"):
            for options in ((), ("--loggops", "L=1000,o=200,g=50,G=3,O=1,S=65535"), ("--on", "cluster:2")):
                name = f"{file.name} {options}"
                end = self.report("trace", "replay", *options, file)["simulated_seconds"]
                found = self.report("trace", "efficiency", "--ladder", *options, file)["analysis"]
                metrics = found["efficiency"]
                self.check(name, abs(metrics["load_balance"] * metrics["communication"] - metrics["parallel"]) < 1e-12
                           and abs(metrics["serialisation"] * metrics["transfer"] - metrics["communication"]) < 1e-12)
                self.check(name, abs(found["simulated_seconds"] - end) < 1e-15, "simulated time")
                self.check(name, abs(found["compute_seconds"]["sum"] - 4e-6) < 1e-15, "computation")
                self.check(name, len(found["ladder"]) == 8, "ladder")
                profile = self.report("trace", "profile", *options, file)["analysis"]
                if "--on" in options:
                    self.check(name, abs(sum(profile["critical_path"].values()) - end) < 1e-11, "path")
                    continue
                path = sum(each["seconds"] for each in profile["critical_path"])
                self.check(name, abs(path + profile["computation_on_critical_path_seconds"] - end) < 1e-12, "path")
                self.check(name, abs(profile["computation_on_critical_path_seconds"] - 3e-6) < 1e-12, "3 us")
                for rank in profile["ranks"]:
                    self.check(name, abs(sum(rank[f"{use}_seconds"] for use in (
                        "computation", "overhead", "waiting", "after_its_end")) - end) < 1e-12, "uses")
        self.refused(2, "accepted: rank, peer, size", "trace", "profile", "--by", "site", schedule)
        self.refused(2, "--report does not apply", "trace", "efficiency", "--report", "x.html", schedule)
        for by in ("rank", "peer", "size"):
            self.good("trace", "profile", "--by", by, schedule)
        # Calls as a schedule: the same work, on the ideal network, too.
        ring = self.write("ring.ti", RING)
        self.good("trace", "convert", "--to", "goal", "--speed", "1e10", ring, "ring.goal")
        calls, graph = (self.report("trace", "efficiency", "--on", "cluster:4", file)["analysis"]
                        for file in ("ring.ti", "ring.goal"))
        for key in ("mean", "most", "sum"):
            self.check(f"schedule of calls: {key}",
                       abs(calls["compute_seconds"][key] - graph["compute_seconds"][key]) < 1e-9)
        self.check("schedule of calls: ideal", abs(calls["ideal_seconds"] - graph["ideal_seconds"]) < 1e-9)
        small = self.report("trace", "efficiency", "--reference", schedule, schedule)["analysis"]["scaling"]
        self.check("reference", small["computation"] == 1 and small["volume"] == 1, f"{small}")
        for option in ("--ois", "--or"):
            slow = self.report("trace", "replay", "--on", "cluster:2", option, "0:0.1:0", schedule)
            self.check(f"{option} applies to schedules", slow["simulated_seconds"] > 0.1)

    def modes(self):
        """Each mode of sends is kept by recordings and text."""
        lines = "".join(f"1 irecv 0 {tag} 8\n0 {name} 1 {tag} 8\n" for tag, name in enumerate(
            ("send", "isend", "ssend", "issend", "bsend", "ibsend", "rsend", "irsend")))
        text = self.write("modes.ti", lines + "0 waitall\n1 waitall\n")
        self.good("trace", "convert", "--to", "rtrace", text, "modes.rtrace")
        self.good("trace", "compare", text, "modes.rtrace")
        self.good("trace", "convert", "--to", "ti", "modes.rtrace", "modes2.ti")
        self.good("trace", "compare", text, "modes2.ti")
        words = (self.folder / "modes2.ti").read_text().split()
        self.check("modes", {"send", "isend", "ssend", "issend", "bsend", "ibsend", "rsend", "irsend"} <= set(words))

    def files(self):
        """Cut, foreign and future files: one line each."""
        ring = self.write("ring.ti", RING)
        self.good("trace", "convert", "--to", "rtrace", ring, "ring.rtrace")
        self.good("trace", "convert", "--to", "goal-binary", self.write("late.goal", SCHEDULE), "late.bin")
        whole, binary = ((self.folder / name).read_bytes() for name in ("ring.rtrace", "late.bin"))
        cases = {"future.rtrace": (2, "version 9", whole[:8] + b"\x09" + whole[9:]),
                 "head.rtrace": (2, "its header", whole[:20]),
                 "half.rtrace": (3, "cut short", whole[:len(whole) * 2 // 3]),
                 "half.bin": (2, "cut short or damaged", binary[:-40]),
                 "half.goal": (2, "half.goal:7", SCHEDULE[:70]),
                 "half.ti": (2, "half.ti:1", RING[:12]),
                 "program": (2, "not a trace", b"\x7fELF\x02\x01\x01" + bytes(80)),
                 "picture": (2, "not a trace", b"\x89PNG\r\n\x1a\n" + bytes(80)),
                 "words": (2, "words:1", "hello world\n"),
                 "nothing": (2, "no rank has an action", ""),
                 "index": (2, "missing.ti", "missing.ti\nmissing.ti\n")}
        for name, (status, text, content) in cases.items():
            self.refused(status, text, "trace", "replay", self.write(name, content))
            if status == 2:
                self.refused(2, text, "trace", "info", self.folder / name)
                self.refused(2, text, "trace", "profile", self.folder / name)
        for name, text, content in (("future", "version", stream(0, 1, version=9)),
                                    ("cut", "", stream(0, 1, records=b"x" * 20)[:130]),
                                    ("short", "", stream(0, 1)[:50]), ("foreign", "", b"hello" * 50),
                                    ("part", "rank 1 of 2 is missing", stream(0, 2)),
                                    ("odd", "unknown kind", stream(0, 1, records=b"?"))):
            self.refused(2, text, "trace", "gather", "-o", "out.rtrace", self.write(f"{name}.stream", content))
            self.check(f"{name}: no output", not (self.folder / "out.rtrace").exists())


def work(parts, _options):
    parts.until()
    parts.rates()
    parts.schedules()
    parts.modes()
    parts.files()


def main():
    return trace_tests.run_tests(Parts, trace_tests.make_parser(__doc__).parse_args(), work, least=150)


if __name__ == "__main__":
    sys.exit(main())
