#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Real processes through the packet model: `rehearse attach`.

Usage: attach_test.py --build BUILD        exit status 77: this machine permits no namespaces or TAP devices

Times are compared with the least that the platform permits, and loosely from above, because other work on the machine
delays real processes. Real MPI libraries take part if their compilers and launchers are there.
"""
import argparse
import glob
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "tools"))
import real_mpi  # noqa: E402

SKIPPED = 77
STAR = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="star" prefix="h" suffix="" radical="0-3" speed="1Gf" bw="100Mbps" lat="100us"
           sharing_policy="SPLITDUPLEX"/>
</platform>
"""
LINK_LATENCY, BYTES_PER_SECOND = 100e-6, 12.5e6
NO_PERMISSION = ("namespaces are not permitted", "/dev/net/tun cannot be opened", "cannot be set up", "cannot be made",
                 "cannot be replaced")


def least_one_way(payload):
    """Seconds of a TCP segment with time stamps over two links: headers of 66 bytes, framing of 24."""
    return 2 * (LINK_LATENCY + (payload + 66 + 24) / BYTES_PER_SECOND)


class Attach:
    def __init__(self, build, folder):
        self.rehearse = build / "bin" / "rehearse"
        self.folder = folder
        self.failures = 0
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.environment = {**os.environ, "TMPDIR": str(self.temporary)}
        (folder / "star.xml").write_text(STAR)
        subprocess.run(["cc", "-O1", HERE / "tcp_pingpong.c", "-o", folder / "pingpong"], check=True)

    def run(self, *words, **options):
        return subprocess.run([self.rehearse, "attach", *map(str, words)], cwd=self.folder, capture_output=True,
                              text=True, timeout=100, env=self.environment, **options)

    def rehearse_verb(self, *words):
        """The same program with another verb."""
        return subprocess.run([self.rehearse, *map(str, words)], cwd=self.folder, capture_output=True, text=True,
                              timeout=100, env=self.environment, check=False)

    def on_star(self, ranks, *words):
        done = self.run("-n", ranks, "--on", "star.xml", "--json", "report.json", *words)
        report = json.loads((self.folder / "report.json").read_text()) if done.returncode in (0, 1, 3) else None
        return done, report

    def on_star_for(self, seconds, ranks, *words):
        """As on_star(); after so many seconds, with Ctrl-C."""
        command = [self.rehearse, "attach", "-n", ranks, "--on", "star.xml", "--json", "report.json", *words]
        with subprocess.Popen(list(map(str, command)), cwd=self.folder, text=True, env=self.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as job:
            try:
                out, errors = job.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                job.send_signal(signal.SIGINT)
                out, errors = job.communicate(timeout=30)
        report = json.loads((self.folder / "report.json").read_text())
        return subprocess.CompletedProcess(command, job.returncode, out, errors), report

    def check(self, what, holds, shown=""):
        self.failures += not holds
        print(f"{'good' if holds else 'BAD '}  {what}{f': {shown}' if shown != '' else ''}", flush=True)

    def check_that_nothing_is_left(self, what):
        files = os.listdir(self.temporary)
        processes = []
        for environment in glob.glob("/proc/[0-9]*/environ"):
            try:
                if f"REHEARSE_ATTACH={self.temporary}".encode() in pathlib.Path(environment).read_bytes():
                    processes.append(environment)
            except OSError:
                continue
        self.check(f"{what}: no file and no process is left", not files and not processes, f"{files} {processes}")


def check_round_trips(attach):
    for payload, factor in ((1, 10), (100_000, 5)):
        done, report = attach.on_star(2, "--time-factor", factor, "./pingpong", 30, payload)
        found = re.search(r"round trip \d+: ([\d.]+) us, mean ([\d.]+) us", done.stdout)
        attach.check(f"round trips of {payload} bytes", done.returncode == 0 and found, "" if found else done.stderr)
        if not found:
            continue
        bulk = 2 * LINK_LATENCY + payload / BYTES_PER_SECOND
        least = 2 * (least_one_way(payload) if payload < 1448 else bulk)
        measured = float(found.group(1)) * 1e-6
        attach.check("round trip in simulated time, us", least <= measured < 10 * least,
                     f"{measured * 1e6:.1f} (least {least * 1e6:.1f})")
        frames = report["frames"]
        kernel_drops = sum(host["kernel_drops"] for host in report["hosts"])
        attach.check("no frame is lost", frames["dropped"] == frames["refused"] == kernel_drops == 0
                     and frames["entered"] == frames["delivered"] + frames["on_the_way"], frames)
        attach.check("the report has the lag, its limit and the time",
                     0 <= report["mean_behind"] <= report["max_behind"] and abs(report["behind_limit"] - 5e-6) < 1e-12
                     and report["seconds"] * factor <= report["wall_seconds"] + 0.1)
        up = {link["name"]: link for link in report["links"]}["star_link_0_UP"]
        attach.check("the links have carried the frames", up["packets"] > 30 and up["bytes"] > 30 * payload, up)
    attach.check_that_nothing_is_left("after a job")


def check_slow_down(attach):
    done, _ = attach.on_star(1, "--time-factor", 4, "sh", "-c", "REHEARSE_RANK=2 exec ./pingpong 0 0")
    attach.check("a shell starts", done.returncode == 0, done.stderr)
    done, _ = attach.on_star(2, "--time-factor", 4, "./pingpong", 1, 1, 0.1)
    found = re.search(r"computation: ([\d.]+) s", done.stdout)
    seconds = float(found.group(1)) if found else 0
    attach.check("computation takes its CPU time by the slowed clock, s", 0.095 <= seconds < 1, seconds)


def check_losses(attach):
    done, report = attach.on_star(2, "--packet", "queue=20000,congestion=reno", "./pingpong", 3, 2_000_000)
    attach.check("a short queue drops frames, and TCP repeats them", done.returncode == 0
                 and report["frames"]["dropped"] == sum(link["drops"] for link in report["links"]) > 0,
                 report and report["frames"])


def check_ends(attach):
    done, report = attach.on_star(2, "sh", "-c", "[ $REHEARSE_RANK = 0 ] || exit 3; sleep 50")
    attach.check("a program that fails ends the job", done.returncode == 1
                 and "violation: rank 1 on h1 ended with status 3" in done.stderr
                 and report["programs"][0]["status"] == 128 + signal.SIGTERM, done.stderr)
    attach.check_that_nothing_is_left("after a failure")
    for number, status in ((signal.SIGINT, 3), (signal.SIGKILL, -signal.SIGKILL)):
        report_file = attach.folder / "interrupted.json"
        words = ["-n", "2", "--on", "star.xml", "--json", report_file, "sh", "-c",
                 "trap '' TERM INT; echo here; sleep 60 & wait; sleep 60"]
        with subprocess.Popen([attach.rehearse, "attach", *words], cwd=attach.folder, text=True,
                              env=attach.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as job:
            job.stdout.readline()
            start = time.monotonic()
            job.send_signal(number)
            job.wait(30)
            attach.check(f"signal {number} ends a job that ignores it", job.returncode == status
                         and time.monotonic() - start < 15, job.returncode)
        if number == signal.SIGKILL:
            time.sleep(1)
            for folder in attach.temporary.iterdir():
                shutil.rmtree(folder)
        else:
            attach.check("the report is written", json.loads(report_file.read_text())["interrupted"])
        attach.check_that_nothing_is_left(f"after signal {number}")


def check_hosts(attach):
    enter = f"{attach.rehearse} attach --enter"
    done, _ = attach.on_star(3, "--start", "once", "sh", "-c",
                             f"hostname; {enter} h2 'hostname; exit 5'; echo status $?; "
                             f"{enter} h9 hostname; echo status $?; getent hosts h1")
    lines = done.stdout.split("\n")
    attach.check("a command runs on another host, and names have addresses", done.returncode == 0
                 and lines[:4] == ["h0", "h2", "status 5", "status 2"] and lines[4].split() == ["10.0.0.2", "h1"]
                 and "'h9' is no host of this job" in done.stderr, f"{lines} {done.stderr}")


def check_refusals(attach):
    for words, text in ((("--time-factor", "0.5"), "--time-factor: 0.5 given; accepted: 1 or more"),
                        (("--packet", "window=1MiB"), "key 'window' has no meaning with the kernel's transport"),
                        (("--packet", "queue=10"), "queue=10 given, less than a packet"),
                        (("--tcp-window", "1e6"), "--tcp-window: has no meaning for real processes"),
                        (("--network", "lv08"), "--network: 'lv08' given; accepted: packet"),
                        (("--packet", "congestion=none_such"), "tcp_congestion_control does not accept 'none_such'"),
                        (("./absent",), "./absent: No such file or directory"),
                        (("--pcap", "out"), "'--pcap' is not available yet")):
        done = attach.run("-n", 2, "--on", "star.xml", *words, "true")
        attach.check(f"refusal of {' '.join(words)}", done.returncode == 2 and text in done.stderr, done.stderr)
    done = attach.run("--enter", "h0", "true")
    attach.check("--enter outside of a job", done.returncode == 2 and "inside of an attached job only" in done.stderr)
    attach.check_that_nothing_is_left("after errors")


def check_library(attach, compiler, launcher):
    if not real_mpi.compiles(compiler) or not shutil.which(launcher):
        print(f"skip  {launcher}: not here")
        return
    program = attach.folder / f"mpi_{launcher}"
    subprocess.run([compiler, "-O1", HERE / "mpi_pingpong.c", "-o", program], check=True)
    done, report = attach.on_star_for(40, 2, "--time-factor", 10, launcher, "-n", 2, program, 0, 65536)
    hosts = set(re.findall(r"rank (\d) on (\S+)", done.stdout))
    # MPICH 4.0.2 does not return from MPI_Finalize in one job of twenty, also without Rehearse's library.
    has_ended = done.returncode == 0 or (done.returncode == 3 and "mpich" in launcher)
    attach.check(f"{launcher}: a rank on each host", has_ended and hosts == {("0", "h0"), ("1", "h1")},
                 f"{done.returncode} {done.stdout} {done.stderr}" if done.returncode else "")
    times = {int(size): float(time) * 1e-6
             for size, time in re.findall(r"half round trip (\d+): ([\d.]+) us", done.stdout)}
    for size, least in ((0, least_one_way(0)), (65536, 2 * LINK_LATENCY + 65536 / BYTES_PER_SECOND)):
        attach.check(f"{launcher}: half round trip of {size} bytes, us", least <= times.get(size, 0) < 15 * least,
                     f"{times.get(size, 0) * 1e6:.1f} (least {least * 1e6:.1f})")
    attach.check(f"{launcher}: the bytes crossed the links",
                 sum(link["bytes"] for link in report["links"] if link["name"].endswith("_UP")) > 40 * 65536)
    attach.check_that_nothing_is_left(launcher)


def check_calibration(attach):
    """docs/calibration.md with a real MPI library, whose eager threshold is known."""
    if not real_mpi.compiles("mpicc.openmpi") or not shutil.which("mpirun.openmpi"):
        print("skip  calibration: Open MPI is not here")
        return
    attach.rehearse_verb("calibrate", "--program", ".")
    program = attach.folder / "calibrate"
    subprocess.run(["mpicc.openmpi", "-O1", program.with_suffix(".c"), "-o", program, "-lm"], check=True)
    done, _ = attach.on_star(2, "--time-factor", 10, "mpirun.openmpi", program, "--sizes", 12, "--repetitions", 1,
                             "--max-bytes", 200000)
    attach.check("calibration: the program ends", done.returncode == 0, done.stderr if done.returncode else "")
    (attach.folder / "measured.csv").write_text(done.stdout)
    attach.rehearse_verb("cc", "-O1", program.with_suffix(".c"), "-o", "simulated", "-lm")
    text = attach.rehearse_verb("calibrate", "measured.csv", "--on", "star.xml", "--platform", "calibrated.xml",
                                "--statistic", "minimum", "--verify", "./simulated", "--json", "-").stdout
    report = json.loads(text)
    # btl_tcp_eager_limit is 65536 and counts a header of the library.
    eager = report["protocol"]["eager_bytes"]
    attach.check("calibration: the eager threshold of Open MPI", eager and 65536 - 128 <= eager < 65536, eager)
    attach.check("calibration: it is exact", report["protocol"]["least_waiting_bytes"] == (eager or 0) + 1)
    attach.check("calibration: the platform can be used",
                 attach.rehearse_verb("platform", "validate", "calibrated.xml").returncode == 0)
    large = [each for each in report["verification"]["cases"] if each["test"] == "pingpong" and each["bytes"] > 1e5]
    attach.check("calibration: large messages take the measured times again",
                 large and all(abs(each["simulated"] / each["measured"] - 1) < 0.25 for each in large), large)
    attach.check_that_nothing_is_left("calibration")


def check_recording(attach, library):
    """Volumes of a recording are processor time, whatever the time factor is, and ranks are slowed down as well."""
    if not real_mpi.compiles(f"mpicc.{library}") or not shutil.which(f"mpirun.{library}"):
        print(f"skip  recording under {library}: not here")
        return
    program, recording = attach.folder / f"processor_time.{library}", attach.folder / f"{library}.rtrace"
    subprocess.run([f"mpicc.{library}", "-O1", HERE.parent / "trace" / "pmpi" / "processor_time.c", "-o", program],
                   check=True)
    done, _ = attach.on_star_for(60, 2, "--time-factor", 10, "--start", library, attach.rehearse, "trace",
                                      "record", "--real", "-n", 2, "-o", recording, "--launcher", f"mpirun.{library}",
                                      "--mpi", library, "--", "sh", "-c", f"echo has $LD_PRELOAD; exec {program}")
    if done.returncode == 3 and library == "mpich":
        print("skip  recording under mpich: it did not return from MPI_Finalize")
        return
    attach.check(f"recording under {library}: it ends", done.returncode == 0, f"{done.stdout} {done.stderr}"
                 if done.returncode else "")
    info = attach.rehearse_verb("trace", "info", recording).stdout
    flops = re.search(r"application code: \d+, ([0-9.e+]+) flops", info)
    seconds = float(flops[1]) / 1e10 / 2 if flops else 0
    attach.check(f"recording under {library}: seconds of a rank", 0.0395 <= seconds <= 0.0445, seconds)
    both = re.findall(rf"has \S*librehearse_trace_{library}.so:\S*librehearse_slowdown.so", done.stdout)
    attach.check(f"recording under {library}: ranks are slowed down", len(both) == 2, done.stdout)
    attach.check_that_nothing_is_left(f"recording under {library}")


def check_ordinary_user(attach):
    """As the user nobody, with a TAP device for all, in a mount namespace of the test's own."""
    if os.geteuid() != 0 or not shutil.which("setpriv") or not shutil.which("unshare"):
        print("skip  an ordinary user: needs root, unshare and setpriv")
        return
    os.chmod(attach.folder, 0o755)
    os.chmod(attach.temporary, 0o1777)
    script = (f"mknod {attach.folder}/tun c 10 200 && chmod 666 {attach.folder}/tun && "
              f"mount --bind {attach.folder}/tun /dev/net/tun && exec setpriv --reuid 65534 --regid 65534 "
              f"--clear-groups {attach.rehearse} attach -n 2 --on star.xml --quiet ./pingpong 5 100")
    done = subprocess.run(["unshare", "-m", "sh", "-c", script], cwd=attach.folder, capture_output=True, text=True,
                          timeout=60, env=attach.environment)
    if any(text in done.stderr for text in ("mknod", "mount", "Permission denied", *NO_PERMISSION)):
        print(f"skip  an ordinary user: {done.stderr.strip()}")
        return
    attach.check("an ordinary user, in a user namespace", done.returncode == 0 and "round trip 100" in done.stdout,
                 done.stderr)
    attach.check_that_nothing_is_left("an ordinary user")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    build = parser.parse_args().build.resolve()
    with tempfile.TemporaryDirectory() as folder:
        attach = Attach(build, pathlib.Path(folder))
        tried = attach.run("-n", 1, "--on", "star.xml", "true")
        if tried.returncode == 2 and any(text in tried.stderr for text in NO_PERMISSION):
            print(f"skipped: {tried.stderr.strip()}")
            sys.exit(SKIPPED)
        attach.check("the least job", tried.returncode == 0, tried.stderr)
        check_round_trips(attach)
        check_slow_down(attach)
        check_losses(attach)
        check_ends(attach)
        check_hosts(attach)
        check_refusals(attach)
        check_ordinary_user(attach)
        check_library(attach, "mpicc.openmpi", "mpirun.openmpi")
        check_library(attach, "mpicc.mpich", "mpirun.mpich")
        check_calibration(attach)
        check_recording(attach, "openmpi")
        check_recording(attach, "mpich")
    sys.exit(1 if attach.failures else 0)


if __name__ == "__main__":
    main()
