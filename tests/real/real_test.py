#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs of actors for real: `rehearse real`, in processes of this machine and in network namespaces.

Usage: real_test.py PART --build BUILD --programs FOLDER     PART: behaviours, random, examples, namespaces
Exit:  77: this machine permits no namespaces (namespaces only)

Programs print nothing that depends on time, except dates. So their output must be that of the simulation.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
HOSTS = 8
RANDOM_PROGRAMS = 50
NO_PERMISSION = ("namespaces are not permitted", "/dev/net/tun cannot be opened", "cannot be set up", "cannot be made",
                 "cannot be replaced")
EXAMPLES = (("1_token_ring", HOSTS), ("16_master_worker", HOSTS), ("2_chord", 40, HOSTS))

# Behaviours whose results are those of the simulation, with a line that must be among them.
SAME = {
    "timeouts": "no second one",
    "large": "sum 44999850000.000000",
    "permanent_receiver": "all are there before they are received: 1",
    "sets": "sum 3",
    "shared_mailbox": "sum 465",
    "orders": "the receiver was killed",
    "host_off": "hears two",
    "near": "pointer to 1",
    "wrong_type": "the message holds a value of type int, not std",
    "new_actors": "different numbers: 1",
    "computes": "still at work: 1",
}
# Features that do not exist between processes, and words of their refusal.
REFUSED = {
    "common_mutex": "a mutex that actor",
    "common_queue": "a message queue that actor",
    "pointer": "mailbox 'box': a value of type std::unique_ptr<int",
    "far_actor": "makes actor 'child' on 'node-1', a host of another process",
    "transfer": "a transfer between hosts without a mailbox",
    "link_changes": "a change of link",
    "message_stops": "a message is suspended",
}


class Real:
    def __init__(self, options, folder):
        self.rehearse = options.build / "bin" / "rehearse"
        self.programs = options.programs
        self.folder = folder
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.environment = {**os.environ, "TMPDIR": str(self.temporary)}
        self.failures = 0

    def command(self, *words):
        return [str(self.rehearse), "real", *map(str, words)]

    def run(self, *words, program, arguments=()):
        """Standard output, standard error, exit status, and the report."""
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        done = subprocess.run(self.command("--json", report, *words, self.programs / program, *arguments),
                              cwd=self.folder, capture_output=True, text=True, timeout=120, env=self.environment)
        return done.stdout, done.stderr, done.returncode, json.loads(report.read_text()) if report.exists() else None

    def expect(self, what, holds, *details):
        if holds:
            return
        self.failures += 1
        print(f"failed: {what}", *details, sep="\n  ")

    # ---- behaviours

    def same(self, name, line):
        output, errors, status, report = self.run(program="real_behaviours", arguments=[name])
        self.expect(f"{name}: as simulated", status == 0 and report["output"]["same"], status, output, errors)
        self.expect(f"{name}: '{line}'", line in output, output)
        lines = collections.Counter(output.splitlines())
        self.expect(f"{name}: code outside of run() is heard once", lines["before"] == 1, output)

    def refused(self, name, words):
        _, errors, status, _ = self.run(program="real_behaviours", arguments=[name])
        self.expect(f"{name}: refused", status == 2 and words in errors, status, errors)

    def finding(self, name, identifier, *words):
        output, errors, status, report = self.run(program="real_behaviours", arguments=[name])
        found = [each["id"] for each in report["findings"]] if report else []
        self.expect(f"{name}: {identifier}", status == 1 and found == [identifier], status, found, errors)
        for word in words:
            self.expect(f"{name}: '{word}'", word in " ".join((errors + output).split()), errors, output)

    def differs(self):
        output, errors, status, report = self.run(program="real_behaviours", arguments=["different"])
        self.expect("different: the report says so", not report["output"]["same"] and "output: differs" in errors,
                    status, output, errors)
        _, errors, _, report = self.run(program="real_behaviours", arguments=["probes"])
        self.expect("probes: only at the home", "it is 7" not in report["output"]["difference"] and
                    "empty() is only possible in the process that receives from it" in errors, errors)

    def several_runs(self):
        output, errors, status, report = self.run(program="real_behaviours", arguments=["sets", "3"])
        self.expect("three runs of one program", status == 0 and report["output"]["same_order"] and
                    output.count("sum 3") == 3, output, errors)

    def a_process_dies(self):
        process = subprocess.Popen(self.command("--json", "report.json", self.programs / "real_behaviours",
                                                "process_dies"),
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=self.environment)
        output = ""
        for line in process.stdout:
            output += line
            if match := re.match(r"process (\d+)", line):
                os.kill(int(match.group(1)), signal.SIGKILL)
        errors = process.stderr.read()
        status = process.wait(timeout=60)
        report = json.loads((self.folder / "report.json").read_text())
        self.expect("a process dies: the others get NetworkFailure", "lost\n" in output and "on: 0" in output, output,
                    errors)
        self.expect("a process dies: it is a finding",
                    status == 1 and [each["id"] for each in report["findings"]] == ["crash.signal"], status, errors)
        self.expect("a process dies: the report names it",
                    [each["lost"] for each in report["processes"]] == [False, True], report["processes"])

    def interrupted(self):
        process = subprocess.Popen(self.command("--json", "report.json", self.programs / "real_behaviours",
                                                "waits_forever"),
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=self.environment)
        for line in process.stdout:
            if line == "begins\n":
                break
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=60)[1]
        report = json.loads((self.folder / "report.json").read_text())
        self.expect("Ctrl-C: a partial report, and soon",
                    process.returncode == 3 and report["interrupted"] and time.monotonic() - begin < 20 and
                    [each["real_end"] for each in report["actors"]] == [None, None], process.returncode, errors, report)
        self.expect("Ctrl-C: no finding", report["findings"] == [], report["findings"])
        _, errors, status, _ = self.run("--max-seconds", 1, program="real_behaviours", arguments=["waits_forever"])
        self.expect("--max-seconds", status == 3 and "inconclusive" in errors, status, errors)

    def on_other_machines(self):
        """A stand-in for ssh, which starts the command on this machine."""
        ssh = self.folder / "ssh"
        ssh.write_text('#!/bin/sh\necho "$1" >> machines\nshift\n'
                       'SSH_CONNECTION="127.0.0.1 40000 127.0.0.1 22" exec sh -c "$*"\n')
        ssh.chmod(0o755)
        (self.folder / "hosts").write_text("alpha\nbeta:2\n")
        output, errors, status, report = self.run("--hostfile", "hosts", "--ssh", ssh, program="real_behaviours",
                                                  arguments=["large"])
        self.expect("ssh: as simulated", status == 0 and report["output"]["same"], status, output, errors)
        machines = (self.folder / "machines").read_text().split()
        self.expect("ssh: the machines of the hostfile", sorted(machines) == ["alpha", "beta", "beta"], machines)
        (self.folder / "hosts").write_text("alpha\nlocalhost\n")
        _, errors, status, _ = self.run("--hostfile", "hosts", program="real_behaviours", arguments=["large"])
        self.expect("ssh: mixed machines need an address", status == 2 and "--address" in errors, status, errors)

    def bad_input(self):
        for words, said in ((["--processes", "4"], "accepted: up to 3"), (["--hostfile", "nowhere"], "nowhere"),
                            (["--namespaces", "--hostfile", "x"], "exclude each other")):
            _, errors, status, _ = self.run(*words, program="real_behaviours", arguments=["large"])
            self.expect(f"{words}: refused", status == 2 and said in errors, status, errors)
        done = subprocess.run(self.command("/bin/true"), capture_output=True, text=True)
        self.expect("no program of actors", done.returncode == 2 and "is no program of actors" in done.stderr,
                    done.stderr)

    def behaviours(self):
        for name, line in SAME.items():
            self.same(name, line)
        for name, words in REFUSED.items():
            self.refused(name, words)
        self.finding("deadlock", "deadlock.actors", "waits for a message in mailbox 'a' at behaviours.cpp",
                     "after: 2 blocked")
        self.finding("deadlock_beside_daemons", "deadlock.actors", "after: 1 blocked")
        self.finding("failure", "crash.exception", "broken on purpose", "after: 0 blocked, 1 failed")
        self.finding("crash", "crash.segfault", "in the simulation")
        self.differs()
        self.several_runs()
        self.a_process_dies()
        self.interrupted()
        self.on_other_machines()
        self.bad_input()

    # ---- other parts

    def random(self):
        for seed in range(1, RANDOM_PROGRAMS + 1):
            processes = 1 + seed % 4
            output, errors, status, report = self.run("--processes", processes, program="real_random_actors",
                                                      arguments=[seed])
            self.expect(f"random program {seed} in {processes} processes: as simulated",
                        status == 0 and report["output"]["same"], status, output, errors)
            said = re.search(r"(\d+) messages, sum", output)
            self.expect(f"random program {seed} in {processes} processes: all messages arrive",
                        said and int(said.group(1)) == report["real"]["messages"], output, report["real"])

    def examples(self, *options):
        for name, *arguments in EXAMPLES:
            output, errors, status, report = self.run(*options, program=f"example_{name}", arguments=arguments)
            if status == 2 and options and any(each in errors for each in NO_PERMISSION):
                print(f"skipped: {errors}")
                return SKIPPED
            self.expect(f"{name} {options}: as simulated", status == 0 and report["output"]["same"], status, output,
                        errors)
            self.expect(f"{name} {options}: a process for each host", len(report["processes"]) == HOSTS)
            self.expect(f"{name} {options}: the same messages",
                        report["real"]["messages"] == report["simulated"]["messages"] and
                        report["real"]["bytes"] == report["simulated"]["bytes"], report["real"], report["simulated"])
            self.expect(f"{name} {options}: its bytes were sent",
                        report["real"]["socket_bytes"] > 0.5 * report["real"]["bytes"], report["real"])
            self.expect(f"{name} {options}: one table", "for real        simulated" in errors, errors)
        return 0

    def nothing_is_left(self):
        self.expect("no files are left", list(self.temporary.iterdir()) == [], list(self.temporary.iterdir()))
        left = [path for path in pathlib.Path("/proc").glob("[0-9]*/environ") if self.is_ours(path)]
        self.expect("no processes are left", left == [], left)

    def is_ours(self, environment):
        try:
            own = environment.parent.name == str(os.getpid())
            return not own and str(self.temporary).encode() in environment.read_bytes()
        except OSError:
            return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("part", choices=["behaviours", "random", "examples", "namespaces"])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        real = Real(options, pathlib.Path(folder))
        status = 0
        if options.part == "behaviours":
            real.behaviours()
        elif options.part == "random":
            real.random()
        else:
            status = real.examples(*(["--namespaces"] if options.part == "namespaces" else []))
        real.nothing_is_left()
        print(f"{options.part}: {real.failures} failed")
        return 1 if real.failures else status


if __name__ == "__main__":
    sys.exit(main())
