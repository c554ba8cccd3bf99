#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The network model ns3: rehearse-ns3 by itself, and behind `rehearse flows` and `rehearse run`.

Usage:  ns3_test.py --build BUILD [--only NAME]
Output: a line for each claim that does not hold, then the counts. Exit status 1 if there is one; 77 if rehearse-ns3 is
        not built (libns3-dev is not installed).
"""
import argparse
import json
import os
import pathlib
import signal
import stat
import subprocess
import sys
import tempfile
import time

import oracle
from ns3_simulator import NEVER, PROBLEM, READY, Simulator, frame

HERE = pathlib.Path(__file__).resolve().parent
MS = 1_000_000_000  # picoseconds
FAKE = """#!/usr/bin/env python3
import os, socket, struct, sys
ours = socket.socket(fileno=os.dup(0))
def frame(kind, content): return struct.pack("<IB", 1 + len(content), kind) + content
ours.recv(1 << 20)
ours.sendall(frame(101, struct.pack("<I", VERSION)))
ours.recv(1 << 20)
print("first line", file=sys.stderr)
END
"""
STAR = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="star" prefix="h" suffix="" radical="0-3" speed="1Gf" bw="1Gbps" lat="10us"
           sharing_policy="SPLITDUPLEX"/>
</platform>
"""
# Two hosts behind a switch; the first link is SHARED, so data and acknowledgements take turns on it.
PAIR = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="net" routing="Full">
  <host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
  <link id="one" bandwidth="1Gbps" latency="10us" sharing_policy="%s">%s</link>
  <link id="two" bandwidth="1Gbps" latency="10us" sharing_policy="SPLITDUPLEX"/>
  <route src="a" dst="b"><link_ctn id="one"%s/><link_ctn id="two" direction="UP"/></route>
</zone></platform>
"""


class Checks:
    def __init__(self, build, folder):
        self.rehearse, self.simulator = build / "bin/rehearse", build / "bin/rehearse-ns3"
        self.build, self.folder, self.good, self.bad = build, folder, 0, 0

    def check(self, claim, holds, found=""):
        self.good += bool(holds)
        self.bad += not holds
        if not holds:
            print(f"BAD  {claim}: {found}")

    def run(self, *words, program=None, **more):
        return subprocess.run([str(program or self.rehearse), *map(str, words)], cwd=self.folder, capture_output=True,
                              text=True, timeout=100, **more)

    def flows(self, platform, lines, network="ns3", keys="", *options):
        """The report of `rehearse flows`."""
        (self.folder / "net.xml").write_text(platform)
        (self.folder / "flows.txt").write_text(lines)
        done = self.run("flows", "--on", "net.xml", "--network", network, "--packet", keys or "mtu=1500", "--json", "-",
                        *options, "flows.txt")
        if done.returncode != 0:
            raise ValueError(f"exit status {done.returncode}: {done.stderr}")
        return json.loads(done.stdout)

    # ---- rehearse-ns3 by itself

    def two_links(self, simulator, **link):
        simulator.link(1.25e8, 10_000_000, **link)
        simulator.link(1.25e8, 10_000_000, **link)
        simulator.path(0, 1, [0], [1])
        simulator.connection(0)

    def test_protocol(self):
        with Simulator(self.simulator) as simulator:
            kind, _ = simulator.hello()
            self.check("the program answers Ready", kind == READY, kind)
            self.two_links(simulator)
            simulator.send(0, 100_000, 42)
            simulator.send(0, 1_000_000, 43)
            date, following, done = simulator.until(100_000_000)
            self.check("time advances to the limit", (date, done) == (100_000_000, []), (date, done))
            self.check("the next event is later", following > date, following)
            date, _, done = simulator.until(NEVER)
            self.check("until ends with the first complete message", done == [(42, 0, 0, 0)], done)
            self.check("bytes of the second message remain", 0 < simulator.left(43) <= 1_000_000, simulator.left(43))
            last, following, done = simulator.until(NEVER)
            self.check("then comes the second", done == [(43, 0, 0, 0)] and last > date, (last, done))
            while following != NEVER:
                _, following, done = simulator.until(following)
            self.check("an idle network has no events", following == NEVER, following)
            events, totals = simulator.totals()
            self.check("each byte crossed the first link", totals[0][1] > 1_100_000 and events > 0, totals)

    def test_refusals_of_the_program(self):
        def ask(*frames, hello=True):
            with Simulator(self.simulator) as simulator:
                if hello:
                    simulator.hello()
                for content in frames:
                    simulator.put(content)
                return simulator.take()

        for claim, answer in (
                ("the first message is Hello", ask(frame(9, "q", 1), hello=False)),
                ("a second Hello", ask(frame(1))),
                ("an unknown kind", ask(frame(77))),
                ("missing fields", ask(frame(9, "I", 1))),
                ("a date in the past", ask(frame(9, "q", -1))),
                ("an unknown path", ask(frame(4, "I", 0))),
                ("an unknown connection", ask(frame(5, "IQQ", 3, 1, 1)))):
            self.check("Problem: " + claim, answer is not None and answer[0] == PROBLEM, answer)
        with Simulator(self.simulator) as simulator:
            answer = simulator.hello(version=99)
            self.check("Problem: another version", b"version 99" in answer[1], answer)
        with Simulator(self.simulator) as simulator:
            simulator.put(b"\0\0\0\0garbage")
            self.check("garbage ends the program", simulator.take() is None)
            self.check("with status 1", simulator.process.wait(20) == 1, simulator.process.returncode)
        done = self.run(program=self.simulator, stdin=subprocess.DEVNULL)
        self.check("it says what it is for", done.returncode == 1 and "--network ns3" in done.stderr, done)

    def test_end_of_the_other_program(self):
        (self.folder / "net.xml").write_text(STAR)
        (self.folder / "flows.txt").write_text("0 h0 h1 3000000000\n")
        call = [self.rehearse, "flows", "--on", "net.xml", "--network", "ns3", "flows.txt"]

        def start():
            """A run of some minutes, and the number of its simulator."""
            run = subprocess.Popen(call, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            for _ in range(100):
                children = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
                if children:
                    time.sleep(0.5)
                    return run, int(children[0])
                time.sleep(0.1)
            raise ValueError("no child process")

        run, child = start()
        os.kill(child, signal.SIGKILL)
        _, text = run.communicate(timeout=20)
        self.check("a killed simulator makes the run inconclusive", run.returncode == 3 and
                   text == "inconclusive: flows: rehearse-ns3 was ended by a signal (Killed)\n", (run.returncode, text))
        run, child = start()
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=20)
        self.check("an interrupt ends the run", run.returncode != 0, run.returncode)
        for _ in range(100):
            if not pathlib.Path(f"/proc/{child}").exists():
                break
            time.sleep(0.1)
        self.check("and its simulator", not pathlib.Path(f"/proc/{child}").exists())

    def test_changes(self):
        with Simulator(self.simulator) as simulator:
            simulator.hello()
            self.two_links(simulator)
            simulator.pace(0, 1e6)
            simulator.send(0, 1_448_000, 1)
            date, _, done = simulator.until(NEVER)
            self.check("a pace of 1 MB/s takes 1.45 s", done and abs(date / 1e12 - 1.447) < 0.01, date)
            simulator.pace(0, 0.0)
            simulator.send(0, 1448, 2)
            _, following, done = simulator.until(date + 1000 * MS)
            self.check("a pace of 0 sends nothing", not done and following == NEVER, (following, done))
            simulator.pace(0, float("inf"))
            resumed, following, done = simulator.until(NEVER)
            self.check("and then everything", done == [(2, 0, 0, 0)], done)
            simulator.change(0, 1.25e6, 10_000_000, 1)
            simulator.send(0, 1_448_000, 3)
            slow, _, done = simulator.until(NEVER)
            self.check("a slower link is slower", abs((slow - resumed) / 1e12 - 1.2) < 0.05, slow - resumed)
            simulator.send(0, 14_480_000, 4)
            simulator.until(slow + 100 * MS)
            simulator.close(0)
            _, following, done = simulator.until(slow + 20_000 * MS)
            self.check("a closed connection completes no message", not done, done)
            self.check("and when its packets have left the host, there are no events", following == NEVER, following)
        for delay in (1, 15_000_000, 35_000_000, 45_000_000):  # a connection that opens: SYN, SYN and ACK, ACK
            with Simulator(self.simulator) as simulator:
                simulator.hello()
                self.two_links(simulator)
                simulator.send(0, 1_000_000, 1)
                simulator.until(delay)
                simulator.close(0)
                _, following, done = simulator.until(20_000 * MS)
                self.check(f"closed after {delay} ps, a connection has no events", not done and following == NEVER,
                           (done, following))

    # ---- the cases of ns-3

    def case_ends(self, case, congestion):
        options = argparse.Namespace(rehearse=str(self.rehearse), network="ns3", keys="congestion=" + congestion)
        return oracle.ask(options, case)

    def test_oracle(self):
        cases = json.loads((HERE / "cases.json").read_text())["cases"]
        count = 0
        for case in cases:
            for congestion, variant in (("reno", "TcpLinuxReno"), ("cubic", "TcpCubic")):
                drops = case["kind"] == "band" and case["name"].startswith("two long flows")
                if case["kind"] != "tcp" and not drops:
                    continue
                count += case["kind"] == "tcp"
                answer, want = self.case_ends(case, congestion), case["ns3"][variant]
                worst = max(abs(end - w) / w for end, w in zip(answer["ends"], want["ends"]))
                self.check(f"{case['name']} with {congestion}: ends of ns-3 to 1e-3", worst <= 1e-3, worst)
                self.check(f"{case['name']} with {congestion}: drops of ns-3", answer["drops"] == want["drops"],
                           answer["drops"])
        self.check("18 cases of kind tcp", count == 36, count)

    def test_all_to_all(self):
        lines = "".join(f"0 h{i} h{j} {1 << 20}\n" for i in range(4) for j in range(4) if i != j)
        last = {}
        for network in ("ns3", "packet"):
            report = self.flows(STAR, lines, network)
            self.check(f"no timeout with {network}", not any(flow["timeouts"] for flow in report["flows"]))
            last[network] = max(flow["end"] for flow in report["flows"])
        self.check("packet and ns3 agree within 10 %", abs(last["ns3"] / last["packet"] - 1) <= 0.1, last)

    # ---- the options

    def test_options(self):
        one = "0 h0 h1 1000000\n"
        first, second = self.flows(STAR, one), self.flows(STAR, one)
        self.check("two runs give the same bytes", first == second)
        self.check("packets are counted", first["packet_hops"] > 1300 and first["events"] > 0, first["packet_hops"])
        packet = self.flows(STAR, one, "packet")
        for name, keys in (("framing", "framing=38"), ("no framing", "framing=2"), ("jumbo frames", "mtu=9000"),
                           ("no timestamps", "header=40"),
                           ("a switch that takes time", "switch_delay=100us,congestion=reno")):
            ends = [self.flows(STAR, one, network, keys)["flows"][0]["end"] for network in ("ns3", "packet")]
            self.check(f"{name}: packet and ns3 agree within 1 %", abs(ends[0] / ends[1] - 1) < 0.01, ends)
        self.check("framing of 38 bytes counts in links", abs(first["links"][0]["bytes"] / packet["links"][0]["bytes"]
                                                              - 1) < 0.01, first["links"][0])
        lost = self.flows(STAR, one, "ns3", "loss=0.01")
        self.check("losses are counted", sum(link["losses"] for link in lost["links"]) > 5, lost["links"])
        self.check("and repeated", lost["flows"][0]["retransmissions"] > 2, lost["flows"][0])
        other = self.flows(STAR, one, "ns3", "loss=0.01,seed=2")
        self.check("another seed loses others", lost["flows"][0]["end"] != other["flows"][0]["end"])
        incast = "".join(f"0 h{i} h0 5000000\n" for i in range(1, 4))
        marked = self.flows(STAR, incast, "ns3", "congestion=dctcp,ecn=60000,queue=0")
        deep = self.flows(STAR, incast, "ns3", "congestion=reno,queue=0")
        longest = [max(link["longest_queue_bytes"] for link in report["links"]) for report in (marked, deep)]
        self.check("packets are marked", sum(link["marks"] for link in marked["links"]) > 10)
        self.check("dctcp keeps the queue short", longest[0] < 400_000 < longest[1], longest)

    def test_platforms(self):
        line = "0 a b 5000000\n"
        for policy, direction in (("SHARED", ""), ("SPLITDUPLEX", ' direction="UP"'), ("FATPIPE", "")):
            platform = PAIR % (policy, "", direction)
            ends = [self.flows(platform, line, network)["flows"][0]["end"] for network in ("ns3", "packet")]
            self.check(f"{policy}: packet and ns3 agree within 2 %", abs(ends[0] / ends[1] - 1) < 0.02, ends)
        slower = '<prop id="packet" value="loss=0.01"/>'
        report = self.flows(PAIR % ("SPLITDUPLEX", slower, ' direction="UP"'), line)
        losses = {link["name"]: link["losses"] for link in report["links"]}
        self.check("a link has its own losses", losses["one_UP"] > 10 and losses["two_UP"] == 0, losses)
        for name in ("torus:4x4", "fat-tree:2;4,4;1,2;1,2"):
            (self.folder / "flows.txt").write_text("0 node-0 node-7 3000000\n1 node-0 node-7 3000000\n")
            ends = []
            for network in ("ns3", "packet"):
                done = self.run("flows", "--on", name, "--network", network, "--json", "-", "flows.txt")
                ends.append([flow["end"] for flow in json.loads(done.stdout)["flows"]] if not done.returncode else done)
            self.check(f"{name}: packet and ns3 agree within 2 %",
                       all(abs(a / b - 1) < 0.02 for a, b in zip(*ends)) if isinstance(ends[0], list) else False, ends)

    def test_resources_that_change(self):
        (self.folder / "off.txt").write_text("0.02 0\n0.05 1\n")
        (self.folder / "slow.txt").write_text("0.01 12500000\n")
        off = '<prop id="x" value="1"/>'
        platform = (PAIR % ("SPLITDUPLEX", off, ' direction="UP"')).replace(
            'id="one" ', 'id="one" state_file="off.txt" ', 1)
        report = self.flows(platform, "0 a b 5000000\n0.1 a b 1000\n")
        flows = report["flows"]
        self.check("a flow over a link that goes off fails", flows[0]["status"] == "failed" and
                   abs(flows[0]["end"] - 0.02) < 1e-9, flows[0])
        self.check("a flow after it is on again ends", flows[1]["status"] == "done", flows[1])
        platform = (PAIR % ("SPLITDUPLEX", off, ' direction="UP"')).replace(
            'id="one" ', 'id="one" bandwidth_file="slow.txt" ', 1)
        ends = [self.flows(platform, "0 a b 5000000\n", network)["flows"][0]["end"] for network in ("ns3", "packet")]
        self.check("a changed bandwidth: packet and ns3 agree within 2 %",
                   ends[0] > 0.3 and abs(ends[0] / ends[1] - 1) < 0.02, ends)

    def test_refusals(self):
        (self.folder / "net.xml").write_text(STAR)
        (self.folder / "flows.txt").write_text("0 h0 h1 1000\n")

        def refused(claim, part, *options):
            done = self.run("flows", "--on", "net.xml", "--network", "ns3", *options, "flows.txt")
            self.check("refused: " + claim, done.returncode == 2 and part in done.stderr, done)

        refused("a key", "key 'lossless' given; network model ns3 accepts", "--packet", "lossless=pfc")
        refused("a transport", "accepts transport=tcp", "--packet", "transport=raw")
        refused("limits", "--explain: network model ns3 knows no limits", "--explain")
        alone = self.folder / "alone"
        alone.mkdir()
        program = alone / "rehearse"
        os.link(self.rehearse, program) if os.stat(self.rehearse).st_dev == os.stat(alone).st_dev else None
        if not program.exists():
            program.write_bytes(self.rehearse.read_bytes())
            program.chmod(0o755)
        call = ("flows", "--on", "net.xml", "--network", "ns3", "flows.txt")
        done = self.run(*call, program=program, env=dict(os.environ, PATH="/nowhere"))
        self.check("a missing program is an error of one line", done.returncode == 2 and done.stderr.count("\n") == 1
                   and "install libns3-dev" in done.stderr, done)

        fake = alone / "rehearse-ns3"
        for claim, version, end, parts, status in (
                ("an exit", 1, "print('NS_FATAL, terminating', file=sys.stderr); sys.exit(5)",
                 ("inconclusive: ", "ended with status 5: NS_FATAL, terminating"), 3),
                ("a crash", 1, "sys.stderr.flush(); os.kill(os.getpid(), 11)",
                 ("inconclusive: ", "Segmentation fault): first line"), 3),
                ("a message that makes no sense", 1, "ours.sendall(b'\\0\\0\\0\\0zzz'); ours.recv(1)",
                 ("inconclusive: ", "makes no sense"), 3),
                ("a problem", 1, "ours.sendall(frame(106, struct.pack('<I', 4) + b'oops')); ours.recv(1)",
                 ("inconclusive: ", "cannot continue: oops"), 3),
                ("another version", 2, "pass", ("error: ", "version 2 of the protocol; accepted: 1"), 2)):
            fake.write_text(FAKE.replace("VERSION", str(version)).replace("END", end))
            fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
            done = self.run(*call, program=program)
            self.check(claim + " during the run", done.returncode == status and all(p in done.stderr for p in parts),
                       done)

        self.run("cc", "-O1", HERE / "messages.c", "-o", "messages", check=True)
        fake.write_text(FAKE.replace("VERSION", "1").replace("END", "sys.exit(0)"))
        done = self.run("run", "-n", "4", "--on", "net.xml", "--network", "ns3", "./messages", "100", program=program)
        self.check("an exit during the run of a program", done.returncode == 3 and
                   done.stderr == "inconclusive: run: rehearse-ns3 ended with status 0: first line\n", done)

    # ---- programs of MPI

    def test_messages(self):
        (self.folder / "star.xml").write_text(STAR)
        self.run("cc", "-O1", HERE / "messages.c", "-o", "messages", check=True)

        def times(network, keys=""):  # hosts of ns-3 send first what they got first
            done = self.run("run", "--quiet", "-n", "4", "--compute", "none", "--on", "star.xml", "--network", network,
                            "--packet", "congestion=reno" + keys, "./messages", "65536")
            self.check(f"the program ends with {network}", done.returncode == 0, done)
            return done.stdout

        found, again, packet = times("ns3"), times("ns3"), times("packet", ",arbitration=fifo")
        self.check("two runs print the same", found == again, (found, again))
        for line, other in zip(found.splitlines(), packet.splitlines()):
            mine, theirs = float(line.rsplit(" ", 2)[1]), float(other.rsplit(" ", 2)[1])
            self.check(f"{line.rsplit(' ', 2)[0]}: packet and ns3 agree within 10 %", abs(mine / theirs - 1) <= 0.1,
                       (mine, theirs))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    build = options.build.resolve()
    if not (build / "bin/rehearse-ns3").exists():
        print("skipped: rehearse-ns3 is not built (libns3-dev is not installed)")
        sys.exit(77)
    good = bad = 0
    for name in sorted(name for name in dir(Checks) if name.startswith("test_") and options.only in name):
        with tempfile.TemporaryDirectory(dir=build) as folder:
            checks = Checks(build, pathlib.Path(folder))
            try:
                getattr(checks, name)()
            except (ValueError, KeyError, TypeError, OSError, subprocess.SubprocessError) as error:
                checks.check(name, False, f"{type(error).__name__}: {error}")
            good, bad = good + checks.good, bad + checks.bad
    print(f"{good} passed, {bad} failed")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
