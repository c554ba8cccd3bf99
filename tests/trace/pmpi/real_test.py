#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse trace record --real and rehearse trace gather, with each MPI that is installed.

real_test.py --build DIR

One program gives the same recording under Open MPI, under MPICH and in rehearse run --trace, and its replay ends.
Volumes are processor time of the rank. What cannot be recorded is refused by name; killed ranks leave streams.
"""
import pathlib
import random
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import trace_tests  # noqa: E402

SKIPPED = 77  # tests/trace/CMakeLists.txt
FLOPS_PER_SECOND = 1e10  # the default of --rate


class Tests(trace_tests.Checks):
    def compile(self, mpi, name):
        program = self.folder / f"{name}.{mpi}"
        done = self.run(f"mpicc.{mpi}", "-w", "-g", "-O1", HERE / f"{name}.c", "-o", program)
        self.check(f"compile {program.name}", done.returncode == 0, done.stderr[-800:])
        return program

    def record(self, mpi, name, ranks, *options):
        output = self.folder / f"{name}.{mpi}.rtrace"
        done = self.call("trace", "record", "--real", "-n", ranks, "-o", output, *options, "--",
                         self.compile(mpi, name))
        return output, done

    # ---- the tests

    def same_recordings(self, mpis):
        program = self.folder / "many_calls.own"
        self.expect("compile many_calls.own", self.call("cc", "-w", "-g", HERE / "many_calls.c", "-o", program), 0)
        for ranks in (4, 7):
            own = self.folder / "own.rtrace"
            self.expect("run --trace", self.call("run", "-n", ranks, "--quiet", "--trace", own, program), 0)
            for mpi in mpis:
                output, done = self.record(mpi, "many_calls", ranks)
                if not self.expect(f"record many_calls {mpi}", done, 0, f"of {ranks} ranks under"):
                    continue
                self.expect(f"compare own and {mpi}, {ranks} ranks", self.call("trace", "compare", own, output), 0)
                for platform in ("cluster:4", "fat-tree:16"):
                    replay = self.call("trace", "replay", "--on", platform, output)
                    self.expect(f"replay many_calls {mpi} on {platform}", replay, 0, f"{ranks} ranks took")
                info = self.call("trace", "info", output)
                self.expect(f"info {mpi}", info, 0, "counter: processor time", "polls: ", f"ranks: {ranks}")

    # Open MPI's Fortran layer calls PMPI_*, MPICH's calls MPI_*.
    def fortran(self, mpis):
        outputs = []
        for mpi in mpis:
            program, output = self.folder / f"fortran.{mpi}", self.folder / f"fortran.{mpi}.rtrace"
            if not shutil.which(f"mpifort.{mpi}"):
                print(f"without Fortran under {mpi}: mpifort.{mpi} is not here")
                continue
            built = self.run(f"mpifort.{mpi}", "-w", "-g", HERE / "fortran.f90", "-o", program)
            if built.returncode != 0:
                print(f"without Fortran under {mpi}: {built.stderr.strip().splitlines()[-1:]}")
                continue
            done = self.call("trace", "record", "--real", "-n", 4, "-o", output, "--", program)
            self.expect(f"record fortran {mpi}", done, 0, "actions of 4 ranks under")
            self.expect(f"replay fortran {mpi}", self.call("trace", "replay", output), 0, "4 ranks took")
            outputs.append(output)
        program = self.folder / "fortran08"
        built = shutil.which("mpifort.openmpi") and self.run("mpifort.openmpi", "-w", HERE / "fortran08.f90", "-o",
                                                             program)
        if "openmpi" in mpis and built and built.returncode == 0:
            output = self.folder / "fortran08.rtrace"
            done = self.call("trace", "record", "--real", "-n", 3, "-o", output, "--", program)
            self.expect("record mpi_f08", done, 0)
            self.expect("info mpi_f08", self.call("trace", "info", output), 0, "send: 6, 60 bytes",
                        "collective: 12, 48 bytes")
        if len(outputs) == 2:
            self.expect("compare Fortran", self.call("trace", "compare", *outputs), 0)

    def comparison_can_fail(self, mpis):
        one, first = self.record(mpis[0], "processor_time", 4)
        two, second = self.record(mpis[0], "many_calls", 4)
        self.expect("record one of two programs", first, 0)
        self.expect("record the other", second, 0)
        self.expect("compare two programs", self.call("trace", "compare", one, two), 1, "rank 0:")

    def processor_time(self, mpis):
        for mpi in mpis:
            for ranks in (1, 8):
                output, done = self.record(mpi, "processor_time", ranks)
                self.expect(f"record processor_time {mpi}", done, 0)
                info = self.call("trace", "info", output).stdout
                flops = re.search(r"application code: \d+, ([0-9.e+]+) flops", info)
                seconds = float(flops[1]) / FLOPS_PER_SECOND / ranks if flops else 0
                # What a rank does besides: its own readings of the clock at the ends of the loops, and its start.
                self.check(f"processor time {mpi} {ranks} ranks", 0.0395 <= seconds <= 0.0445,
                           f"{seconds} s a rank, expected 0.04: {info}")

    def refusals(self, mpis):
        for mpi in mpis:
            output, done = self.record(mpi, "window", 2)
            self.expect(f"refused {mpi}", done, 3, "inconclusive: ", "MPI_Win_create (2 times)")
            self.check(f"refused {mpi}: no file", not output.exists())
            _, done = self.record(mpi, "threads", 2)
            self.expect(f"threads {mpi}", done, 3, "in another thread than that of MPI_Init (2 times)")
            _, done = self.record(mpi, "window", 2, "--counter", "instructions")  # not every machine has them
            self.check(f"instructions {mpi}",
                       done.returncode == 3 or "this machine does not count instructions" in done.stderr, done.stderr)
        own = self.folder / "many_calls.own"
        self.expect("own program", self.call("trace", "record", "--real", "-n", 2, "-o", "x.rtrace", "--", own), 2,
                    "Rehearse's own MPI")
        self.expect("no MPI", self.call("trace", "record", "--real", "-n", 2, "-o", "x.rtrace", "--", "/bin/true"), 2,
                    "libmpi.so.40", "libmpich.so.12")
        self.expect("no program", self.call("trace", "record", "--real", "-n", 2, "-o", "x.rtrace", "--", "./none"), 2,
                    "./none: there is no such file")
        self.expect("no launcher", self.call("trace", "record", "--real", "-n", 2, "-o", "x.rtrace", "--launcher",
                                             "no-such-launcher", "--mpi", mpis[0], "--", "/bin/true"), 2,
                    "no-such-launcher", "--launcher")
        self.expect("misplaced", self.call("trace", "record", "-n", 2, "--real", "-o", "x.rtrace", own), 2,
                    "--real must be the first option")
        self.expect("no stream", self.call("trace", "record", "--real", "-n", 1, "-o", "x.rtrace", "--mpi", mpis[0],
                                           "--", "/bin/true"), 2, "wrote no stream")

    def killed(self, mpis):
        for mpi in mpis:
            output, done = self.record(mpi, "stuck", 2)
            self.expect(f"killed {mpi}", done, 1, "the recording is incomplete", "the program ended with status")
            info = self.call("trace", "info", output)
            self.expect(f"killed {mpi}: info", info, 0, "stopped at an operation of 1 rank")
            self.check(f"killed {mpi}: replay", self.call("trace", "replay", output).returncode in (1, 3))

    # Streams of two machines, and damaged ones.
    def gathering(self, mpis):
        output, done = self.record(mpis[0], "many_calls", 4, "--keep-streams")
        self.expect("keep", done, 0)
        kept = pathlib.Path(f"{output}.streams")
        halves = [self.folder / "half0", self.folder / "half1"]
        for rank in range(4):
            folder = halves[rank // 2]
            folder.mkdir(exist_ok=True)
            shutil.copy(kept / f"rank.{rank}.stream", folder)
        gathered = self.folder / "gathered.rtrace"
        self.expect("gather", self.call("trace", "gather", "-o", gathered, *halves), 0, "of 4 ranks")
        self.check("gather: equal", gathered.read_bytes() == output.read_bytes())
        self.expect("gather: missing", self.call("trace", "gather", "-o", gathered, halves[0]), 2,
                    "the stream of rank 2 of 4 is missing")
        self.expect("gather: twice", self.call("trace", "gather", "-o", gathered, kept, halves[0]), 2,
                    "rank 0 has another stream")
        for stream in halves[1].iterdir():
            content = stream.read_bytes()
            at = content.index(b"processor") + len("processor") + 1
            stream.write_bytes(content[:at] + b"Xy" + content[at + 2:])
        self.expect("gather: processors", self.call("trace", "gather", "-o", gathered, *halves), 0,
                    "different processors")
        self.damage(halves)

    def damage(self, halves):
        stream = halves[0] / "rank.0.stream"
        whole = stream.read_bytes()
        chance = random.Random(1)
        output = self.folder / "damaged.rtrace"
        for i in range(150):
            content = bytearray(whole)
            if i % 4 == 0:
                del content[chance.randrange(len(content)):]
            else:
                for _ in range(chance.choice([1, 2, 8])):
                    content[chance.randrange(128, len(content)) if i % 4 > 1 else chance.randrange(128)] ^= (
                        1 << chance.randrange(8))
            stream.write_bytes(content)
            done = self.call("trace", "gather", "--quiet", "-o", output, *halves)
            lines = done.stderr.strip().splitlines()
            self.check(f"damage {i}", done.returncode in (0, 2, 3) and len(lines) <= 1, done.stderr[-400:])
            if done.returncode == 0 and i % 5 == 0:
                replay = self.call("trace", "replay", "--quiet", output)
                self.check(f"damage {i}: replay", replay.returncode in (0, 1, 2, 3), replay.stderr[-400:])
        stream.write_bytes(whole)


def work(tests, _):
    mpis = tests.mpis_here()
    if not mpis:
        return SKIPPED
    tests.same_recordings(mpis)
    tests.fortran(mpis)
    tests.comparison_can_fail(mpis)
    tests.processor_time(mpis)
    tests.refusals(mpis)
    tests.killed(mpis)
    tests.gathering(mpis)
    return 0


def main():
    return trace_tests.run_tests(Tests, trace_tests.make_parser(__doc__).parse_args(), work)


if __name__ == "__main__":
    sys.exit(main())
