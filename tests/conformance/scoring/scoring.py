# SPDX-License-Identifier: MIT
"""What mbi.py, corrbench.py and rmaracebench.py share: compile a program, check it, read the report, count."""
import collections
import json
import os
import re
import signal
import subprocess
import tempfile
import time

OUTCOMES = ["TP", "FN", "TN", "FP", "inconclusive", "timeout", "compile"]
RMA = re.compile(r"\bMPI_(Win_\w+|Put|Get|Rput|Rget|Accumulate|Raccumulate|Get_accumulate|Rget_accumulate|"
                 r"Fetch_and_op|Compare_and_swap|Win)\b")


def spawn(command, cwd, timeout, nice=0):
    """(exit status or None on timeout, output, CPU seconds of it and its children)"""
    with tempfile.TemporaryFile() as out:
        p = subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                             start_new_session=True, preexec_fn=(lambda: os.nice(nice)) if nice else None)
        begin = time.monotonic()
        timed_out = False
        pause = 0.001
        while True:
            pid, status, usage = os.wait4(p.pid, os.WNOHANG)
            if pid:
                break
            if not timed_out and time.monotonic() - begin > timeout:
                timed_out = True
                try:
                    os.killpg(p.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(pause)
            pause = min(pause * 1.5, 0.05)
        p.returncode = status
        out.seek(0)
        text = out.read().decode(errors="replace")
        code = None if timed_out else (os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status))
        return code, text, usage.ru_utime + usage.ru_stime


class Answer:
    """The report of `rehearse check` on one program."""

    def __init__(self):
        self.compile_error = ""
        self.timeout = False
        self.verdict = "inconclusive"
        self.reasons = []
        self.findings = []
        self.executions = 0
        self.cpu = self.compile_cpu = self.wall = 0.0
        self.text = ""

    def of(self, *severities):
        return [f for f in self.findings if f.get("severity") in severities]


class Checker:
    def __init__(self, rehearse, cc_options, timeout, include=(), sources=(), check_options=()):
        self.rehearse, self.cc_options, self.timeout = os.path.abspath(rehearse), list(cc_options), timeout
        self.include, self.sources, self.check_options = list(include), list(sources), list(check_options)
        self.tmp = tempfile.mkdtemp(prefix="rehearse-score-")

    def compile(self, source):
        """(path or None, error text, CPU seconds)"""
        exe = os.path.join(self.tmp, "program")
        if os.path.exists(exe):
            os.unlink(exe)
        command = [self.rehearse, "cc", "-g"] + self.cc_options + ["-I" + i for i in self.include]
        code, text, cpu = spawn(command + [source] + self.sources + ["-o", exe, "-lm"], self.tmp, 120, nice=10)
        return (exe if code == 0 and os.path.exists(exe) else None), text, cpu

    def check(self, exe, ranks, arguments=(), options=()):
        answer = Answer()
        report = os.path.join(self.tmp, "report.json")
        if os.path.exists(report):
            os.unlink(report)
        command = [self.rehearse, "check", "-n", str(ranks), "--jobs", "1", "--json", report]
        command += ["--counterexample", os.path.join(self.tmp, "counterexample.json")]
        # Three quarters of the time to explore: errors that were found by then are reported.
        command += ["--max-seconds", str(self.timeout * 0.75)]
        begin = time.monotonic()
        code, answer.text, answer.cpu = spawn(command + self.check_options + list(options) + [exe] + list(arguments),
                                              self.tmp, self.timeout)
        answer.wall = time.monotonic() - begin
        if code is None:
            answer.timeout = True
            return answer
        try:
            with open(report, encoding="utf-8") as f:
                r = json.load(f)
            answer.verdict, answer.findings = r["verdict"], r.get("findings", [])
            answer.reasons, answer.executions = r.get("reasons", []), r.get("executions", 0)
        except (OSError, ValueError, KeyError):
            answer.reasons = ["no report, exit status %s: %s" % (code, answer.text.strip()[-200:])]
        return answer


def lines_of(finding, basename):
    return {a.get("line") for a in finding.get("locations", []) if os.path.basename(a.get("file") or "") == basename}


def matches(identifier, prefixes):
    return any(identifier == p or identifier.startswith(p + ".") for p in prefixes)


def brief(answer):
    out = []
    for f in answer.findings:
        at = ",".join(str(a.get("line")) for a in f.get("locations", []))
        out.append("%s%s:%s" % ("" if f["severity"] == "error" else f["severity"][0] + " ", f["id"], at))
    return "; ".join(out) or "; ".join(str(r)[:160] for r in answer.reasons)


def table(rows, key, keys=None):
    """Prints counts of outcomes by key; each row is a dict with outcome, right_class, right_line, has_line, cpu."""
    head = ["class", "tests"] + OUTCOMES + ["class ok", "line ok", "of lines", "check CPU s"]
    groups = collections.OrderedDict()
    for r in rows:
        groups.setdefault(r[key], []).append(r)
    order = sorted(groups) if keys is None else [k for k in keys if k in groups]
    body = []
    for k in order + ["all"]:
        mine = rows if k == "all" else groups[k]
        n = collections.Counter(r["outcome"] for r in mine)
        tp = [r for r in mine if r["outcome"] == "TP"]
        body.append([k, len(mine)] + [n[o] for o in OUTCOMES]
                    + [sum(bool(r["right_class"]) for r in tp), sum(bool(r["right_line"]) for r in tp),
                       sum(bool(r["has_line"]) for r in tp), "%.1f" % sum(r["cpu"] for r in mine)])
    for row in [head, ["---"] * len(head)] + body:
        print("| " + " | ".join(str(c) for c in row) + " |")


def rates(rows):
    n = collections.Counter(r["outcome"] for r in rows)
    tp, tn, fp, fn = n["TP"], n["TN"], n["FP"], n["FN"]
    total = len(rows)

    def ratio(a, b):
        return "-" if b == 0 else "%.3f" % (a / b)
    print("recall %s, specificity %s, precision %s, F1 %s, accuracy over all tests %s, conclusive %s" % (
        ratio(tp, tp + fn), ratio(tn, tn + fp), ratio(tp, tp + fp), ratio(2 * tp, 2 * tp + fp + fn),
        ratio(tp + tn, total), ratio(tp + tn + fp + fn, total)))
