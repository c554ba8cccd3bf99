#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Recordings of executions of `rehearse check`, runs with a schedule, and replicas of a trace.

executions_test.py --build DIR
"""
import json
import sys

import trace_tests


class Executions(trace_tests.Checks):
    def program(self, name):
        self.good("cc", "-g", trace_tests.TREE / f"examples/{name}.c", "-o", name, "-lm")
        return f"./{name}"

    def report(self, *words, status=0):
        done = self.call("trace", "replay", *words, "--json", "report.json", "--quiet")
        self.expect(" ".join(map(str, words)), done, status)
        return json.loads((self.folder / "report.json").read_text())


def counterexamples(tests):
    """The replay of a recorded counter-example has its finding."""
    for name, ranks, eager, finding in (("1_head_to_head", 2, ["--eager", "0"], "deadlock.cycle"),
                                        ("2_stolen_message", 3, [], "deadlock.orphan"),
                                        ("3_overtaking", 3, [], None)):
        program = tests.program(name)
        tests.expect(f"check {name}", tests.call("check", "-n", ranks, "--quiet", program), 1)
        for words in (["trace", "record", "--of", "rehearse-counterexample.json", "-o", "bug.rtrace"],
                      ["replay", "rehearse-counterexample.json", "--trace", "bug.rtrace"]):
            (tests.folder / "bug.rtrace").unlink(missing_ok=True)
            tests.expect(f"{words[:2]} {name}", tests.call(*words), 1, "violation: reproduced")
            info = tests.good("trace", "info", "bug.rtrace").stdout
            tests.judge(f"info of {name}", "schedule: " not in info and f"no schedule in {info}")
            if finding:
                tests.expect(f"replay of {name}", tests.call("trace", "replay", *eager, "bug.rtrace"), 1, finding)
    tests.refused(2, "--of must be the first option", "trace", "record", "-n", 2, "-o", "x.rtrace", "--of", "x.json",
                  "./1_head_to_head")
    tests.refused(2, ["nothing.json"], "trace", "record", "--of", "nothing.json", "-o", "x.rtrace")
    tests.refused(2, "this is a trace; use rehearse trace replay bug.rtrace", "replay", "bug.rtrace")


def schedules(tests):
    program = tests.program("2_stolen_message")
    run = ["run", "-n", 3, "--compute", "none"]
    tests.expect("forced", tests.call(*run, "--schedule", "0:r0<-1#0", program), 1, "deadlock.orphan")
    tests.expect("the other order", tests.call(*run, "--schedule", "0:r0<-2#0", program), 0, "2 was ready")
    tests.expect("unreached", tests.call(*run, "--schedule", "0:r7<-2#0", program), 3,
                 "did not come to 1 decision of the schedule")
    tests.refused(2, "schedule: character 0", *run, "--schedule", "nonsense", program)
    record = ["trace", "record", "-n", 3, "--compute", "none"]
    tests.expect("recorded", tests.call(*record, "--schedule", "0:r0<-1#0", "-o", "stolen.rtrace", program), 1)
    tests.expect("its replay", tests.call("trace", "replay", "stolen.rtrace"), 1, "deadlock.orphan")
    tests.good(*record, "--schedule", "0:r0<-2#0", "-o", "usual.rtrace", program)
    tests.expect("the other replay", tests.call("trace", "replay", "usual.rtrace"), 0)


def replicas(tests):
    """Replicas that share nothing have the dates of one; those that share links do not."""
    program = tests.program("5_stencil")
    tests.good("trace", "record", "-n", 4, "--compute", "none", "-o", "one.rtrace", "--quiet", program)
    tests.good("trace", "convert", "--to", "ti", "one.rtrace", "one.ti")
    (tests.folder / "any.ti").write_text("0 irecv -1 3 8\n0 irecv -1 3 8\n0 waitany\n0 waitany\n0 bcast 100\n"
                                         "1 compute 1e9\n1 send 0 3 8\n1 bcast 100\n2 send 0 3 8\n2 bcast 100\n")
    for trace, ranks in (("one.rtrace", 4), ("one.ti", 4), ("any.ti", 3)):
        alone = tests.report(trace, "--on", "cluster:16")
        several = tests.report(trace, "--on", "cluster:16", "--replicas", 4, "--wildcards", "free")
        tests.judge(f"ranks of {trace}", len(several["ranks"]) != 4 * ranks and len(several["ranks"]))
        tests.judge(f"actions of {trace}", several["actions"] != 4 * alone["actions"] and several["actions"])
        dates = [rank["stopped_picoseconds"] for rank in alone["ranks"]]
        got = [rank["stopped_picoseconds"] for rank in several["ranks"]]
        tests.judge(f"dates of {trace}", got != 4 * dates and f"{got} instead of 4 x {dates}")
        crowded = tests.report(trace, "--on", f"cluster:{ranks}", "--replicas", 4)
        tests.judge(f"{trace} on the hosts of one", crowded["simulated_seconds"] < alone["simulated_seconds"])
    tests.refused(2, "--replicas does not apply", "trace", "replay", "--network", "loggops", "--replicas", 2, "any.ti")
    tests.refused(2, "16777216 ranks in all", "trace", "replay", "--replicas", 1_000_000, "--on", "cluster:2", "x.ti")


def work(tests, _options):
    (tests.folder / "x.ti").write_text("".join(f"{rank} compute 1\n" for rank in range(20)))
    counterexamples(tests)
    schedules(tests)
    replicas(tests)


def main():
    return trace_tests.run_tests(Executions, trace_tests.make_parser(__doc__).parse_args(), work, least=40)


if __name__ == "__main__":
    sys.exit(main())
