#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the programs of the accuracy bench under real MPI libraries, and writes the reference files.

Usage: measure.py --build BUILD [--sessions N] [--platforms P,...] [--mpi openmpi,mpich] [--ranks 2,4,8,16]
                  [--cases C,...] [--raw FOLDER] [--scale X]

`rehearse attach` starts the jobs: each rank in a network namespace, its packets through the packet model in real time.
A session runs each job of a platform once for each library, the libraries in turn. All measurements of a
session are in one file of the folder RAW; the reference files are made of all sessions there. Exit status 77 where the
machine permits no namespaces. As root, the ranks have real-time priority: do not measure while others use the machine.
"""
import argparse
import csv
import dataclasses
import datetime
import math
import os
import pathlib
import platform as machine_of
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
PLATFORMS = ("star", "two_switches", "mixed", "star16")
LIBRARIES = {"openmpi": "Open MPI", "mpich": "MPICH"}
# The hosts of two_switches such that 2 and 4 ranks use both switches. Otherwise the ranks take the hosts in turn.
PLACES = {("two_switches", 2): "h0 h4", ("two_switches", 4): "h0 h1 h4 h5"}
# Settings of the network: the same for real packets and for the simulated ones of `--network packet`.
PACKETS = "congestion=reno,slow_start_after_idle=0,queue=256KiB"
MESSAGES = ["pingpong", "sendrecv"]
CONTENTION = ["pairs", "incast"]
COLLECTIVES = ["barrier", "bcast", "reduce", "allreduce", "gather", "scatter", "allgather", "alltoall",
               "reduce_scatter", "scan"]
APPLICATIONS = ["cg", "ft", "is", "lu", "mg", "halo2d", "master_worker",
                "dt_black_hole", "dt_white_hole", "ep"]
MANY_RANKS = ["scatter", "alltoall"]
MOST_SMALL = 70000  # bytes
ENDS = ("# end", "# seconds")  # of the last line of the programs
# Nanoseconds from the agreement on a date to this date. Some network models need much longer than real ranks to agree.
HEAD_START, SIMULATED_HEAD_START = 4_000_000, 200_000_000


@dataclass
class Job:
    """Sizes and cases that run in one job. The time factor gives the ranks the processor time that two cores lack."""
    ranks: int
    least: int
    most: int
    repetitions: int
    time_factor: float
    cases: list


EIGHT_HOSTS = [
    Job(2, 0, MOST_SMALL, 12, 4, MESSAGES + COLLECTIVES + APPLICATIONS),
    Job(2, MOST_SMALL, 1 << 30, 4, 2, MESSAGES + COLLECTIVES),
    Job(4, 0, MOST_SMALL, 8, 6, CONTENTION + COLLECTIVES + APPLICATIONS),
    Job(4, MOST_SMALL, 1 << 20, 4, 4, CONTENTION + COLLECTIVES),
    Job(8, 0, MOST_SMALL, 6, 10, MESSAGES + CONTENTION + COLLECTIVES + APPLICATIONS),
    Job(8, MOST_SMALL, 1 << 20, 4, 6, MESSAGES + CONTENTION + COLLECTIVES),
]
JOBS = {"star16": [Job(16, 0, MOST_SMALL, 4, 20, MANY_RANKS)]}  # of a platform; default: EIGHT_HOSTS


def jobs_of(platform, ranks, cases):
    """The jobs with these numbers of ranks, with only these cases; None: all."""
    for job in JOBS.get(platform, EIGHT_HOSTS):
        chosen = [case for case in job.cases if cases is None or case in cases]
        if (ranks is None or job.ranks in ranks) and chosen:
            yield dataclasses.replace(job, cases=chosen)


def runs_of(platform):
    """(number of ranks, largest size, cases) of the runs that have all its cases."""
    for ranks in sorted({job.ranks for job in JOBS.get(platform, EIGHT_HOSTS)}):
        jobs = list(jobs_of(platform, [ranks], None))
        yield ranks, max(job.most for job in jobs), list(dict.fromkeys(case for job in jobs for case in job.cases))


def sources():
    return sorted((HERE / "programs").glob("*.c"))


def hosts_of(platform, ranks, folder):
    """The options that place the ranks."""
    places = PLACES.get((platform, ranks))
    if not places:
        return []
    file = folder / f"{platform}_{ranks}.hosts"
    written = folder / f"{platform}_{ranks}.hosts.{threading.get_ident()}"  # another thread's job may read the file now
    written.write_text("".join(f"{host}\n" for host in places.split()))
    written.replace(file)
    return ["--hostfile", str(file)]


def put_network_first(process):
    """The ranks have real-time priority, so that other work on the machine does not delay them. The loop of `rehearse
    attach` gets more, because a rank that polls would delay the packets."""
    deadline = time.monotonic() + 1
    while time.monotonic() < deadline:
        time.sleep(0.02)
        try:
            children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text()
            for child in [process, *map(int, children.split())]:
                if os.sched_getscheduler(child) & ~os.SCHED_RESET_ON_FORK == os.SCHED_FIFO:
                    os.sched_setscheduler(child, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(3))
                    return
        except (FileNotFoundError, ProcessLookupError):
            continue  # a process ended meanwhile


def has_ended(lines):
    return any(line.startswith(ENDS) for line in lines)


class Bench:
    def __init__(self, build, raw, scale):
        self.rehearse = build / "bin" / "rehearse"
        self.folder = build / "realnet"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.raw = raw or self.folder / "raw"
        self.raw.mkdir(parents=True, exist_ok=True)
        self.scale = scale
        self.first = ["chrt", "--rr", "1"] if os.geteuid() == 0 and shutil.which("chrt") else []

    def refusal(self):
        """The reason for which nothing can be measured here, or None."""
        for library in LIBRARIES:
            for command in (f"mpicc.{library}", f"mpirun.{library}"):
                if not shutil.which(command):
                    return f"{command} is not here"
        tried = subprocess.run([self.rehearse, "attach", "-n", "1", "true"], capture_output=True, text=True)
        return tried.stderr.strip() if tried.returncode == 2 else None

    def compile(self):
        for library in LIBRARIES:
            subprocess.run([f"mpicc.{library}", "-O2", *sources(), "-o", self.folder / f"real_bench.{library}"],
                           check=True)

    def attached(self, platform, library, ranks, time_factor, words, seconds, launch=None, grace=2):
        """The lines that a job prints. The last one begins with an entry of ENDS, unless the job did not come to an end
        within so many seconds. `launch`: the words in front of the program's, without those of the network. `grace`:
        seconds that the job has after its last line."""
        command = [self.rehearse, "attach", "-n", ranks, "--on", HERE / "platforms" / f"{platform}.xml", "--quiet",
                   "--packet", PACKETS, "--time-factor", time_factor, *hosts_of(platform, ranks, self.folder),
                   *(launch or [f"mpirun.{library}", "-n", ranks, *self.first]), *words]
        lines = []
        with subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True) as process:
            timer = threading.Timer(seconds, process.send_signal, [signal.SIGINT])
            timer.start()
            if self.first:
                put_network_first(process.pid)
            for line in process.stdout:
                if not has_ended(lines):
                    lines.append(line.strip())
                if line.startswith(ENDS):
                    # MPICH may hang in MPI_Finalize; all lines are there.
                    timer.cancel()
                    timer = threading.Timer(grace, process.send_signal, [signal.SIGINT])
                    timer.start()
            process.wait()
            timer.cancel()
        return lines

    def run_once(self, platform, library, job, seconds):
        """The lines of times of one job, or None if it did not come to its end within so many seconds."""
        words = [self.folder / f"real_bench.{library}", job.least, job.most,
                 max(1, round(job.repetitions * self.scale)), HEAD_START, "poll", *job.cases]
        lines = self.attached(platform, library, job.ranks, job.time_factor, words, seconds)
        return [line for line in lines if line.count(",") == 4] if has_ended(lines) else None

    def run(self, platform, library, job):
        for attempt in range(3):
            lines = self.run_once(platform, library, job, 240)
            if lines is not None:
                return lines
            print(f"measure: {platform}, {library}, {job.ranks} ranks: attempt {attempt + 1} did not end", flush=True)
        return []

    def session(self, platforms, libraries, ranks, cases):
        start = datetime.datetime.now()
        file = self.raw / f"session_{start:%Y%m%d_%H%M%S}.csv"
        with open(file, "w", encoding="utf-8") as out:
            out.write("platform,mpi,case,bytes,ranks,repetition,seconds\n")
            for platform in platforms:
                for job in jobs_of(platform, ranks, cases):
                    for library in libraries:
                        begun = datetime.datetime.now()
                        lines = self.run(platform, library, job)
                        out.writelines(f"{platform},{library},{line}\n" for line in lines)
                        out.flush()
                        taken = (datetime.datetime.now() - begun).total_seconds()
                        print(f"measure: {platform}, {library}, {job.ranks} ranks, {len(lines)} times, {taken:.0f} s",
                              flush=True)


def quantile(ordered, part):
    """By linear interpolation between the closest ranks."""
    place = part * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def read_sessions(raw):
    """{(platform, mpi): {(case, bytes, ranks): [times of a session, ...]}}"""
    result = {}
    for file in sorted(raw.glob("session_*.csv")):
        times = {}
        with open(file, encoding="utf-8") as rows:
            for row in csv.DictReader(rows):
                key = (row["case"], int(row["bytes"]), int(row["ranks"]))
                times.setdefault((row["platform"], row["mpi"]), {}).setdefault(key, []).append(float(row["seconds"]))
        for where, cases in times.items():
            for key, values in cases.items():
                result.setdefault(where, {}).setdefault(key, []).append(values)
    return result


def version_of(library):
    words = {"openmpi": ["ompi_info", "--version"], "mpich": ["mpichversion"]}[library]
    try:
        first = subprocess.run(words, capture_output=True, text=True).stdout.splitlines()[0]
    except (OSError, IndexError):
        return LIBRARIES[library]
    return " ".join(first.split()).replace("MPICH Version: ", "MPICH ")


def machine_text():
    model = "unknown processor"
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return f"{os.cpu_count()} cores of {model}, {machine_of.system()} {machine_of.release().split('-')[0]}"


def write_references(raw, folder, date):
    folder.mkdir(exist_ok=True)
    for (platform, library), cases in read_sessions(raw).items():
        with open(folder / f"{platform}_{library}.csv", "w", encoding="utf-8") as out:
            out.write("# Times of a real MPI library in seconds, by tests/realnet/measure.py. highest_minimum: of the "
                      "sessions.\n"
                      f"# mpi: {version_of(library)}\n# machine: {machine_text()}\n# date: {date}\n"
                      f"# network: {platform}.xml, {PACKETS}, transport of the kernel\n"
                      "# ranks: poll until the date at which a case starts\n"
                      "case,bytes,ranks,min,p10,median,p90,repetitions,sessions,highest_minimum\n")
            for (case, size, ranks), sessions in sorted(cases.items()):
                values = sorted(value for session in sessions for value in session)
                numbers = [values[0], quantile(values, 0.1), quantile(values, 0.5), quantile(values, 0.9)]
                highest = max(min(session) for session in sessions)
                out.write(f"{case},{size},{ranks},{','.join(f'{x:.9f}' for x in numbers)},{len(values)},"
                          f"{len(sessions)},{highest:.9f}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--sessions", type=int, default=1, help="0: only write the reference files")
    parser.add_argument("--platforms", default=",".join(PLATFORMS))
    parser.add_argument("--mpi", default=",".join(LIBRARIES))
    parser.add_argument("--ranks", type=lambda text: [int(word) for word in text.split(",")], default=None)
    parser.add_argument("--cases", type=lambda text: text.split(","))
    parser.add_argument("--raw", type=pathlib.Path, help="folder of the measurements (BUILD/realnet/raw)")
    parser.add_argument("--references", type=pathlib.Path, default=HERE / "references")
    parser.add_argument("--scale", type=float, default=1, help="factor of the numbers of repetitions")
    given = parser.parse_args()
    bench = Bench(given.build.resolve(), given.raw and given.raw.resolve(), given.scale)
    if given.sessions:
        reason = bench.refusal()
        if reason:
            print(f"skipped: {reason}")
            sys.exit(SKIPPED)
        bench.compile()
        for _ in range(given.sessions):
            bench.session(given.platforms.split(","), given.mpi.split(","), given.ranks, given.cases)
    write_references(bench.raw, given.references, datetime.date.today().isoformat())


if __name__ == "__main__":
    main()
