# SPDX-License-Identifier: MIT
"""Explores the suite's programs depth-first, within bounds, and makes a table of verdicts and counts."""
import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

MEMORY = 2_000_000_000


def explored(rehearse, built, line, bounds):
    """The report of checking a run line, or what happened instead."""
    words = [text.split("=", 1) for text in line.options]
    environment = dict(os.environ, **dict(value.split("=", 1) for key, value in words if key == "env"))
    program = built / line.folder / line.program
    command = [rehearse, "check", "-n", line.ranks, "--quiet", "--counterexample", os.devnull, "--json", "-",
               "--max-memory", MEMORY, *bounds, program, *(value for key, value in words if key == "arg")]
    try:
        done = subprocess.run([str(word) for word in command], cwd=program.parent, env=environment, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
        return json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError) as what:
        return {"verdict": f"no report ({type(what).__name__})", "executions": 0, "blocked": 0, "operations": 0,
                "reasons": [], "findings": []}


def remark(report):
    """Why it is not verified."""
    errors = [finding for finding in report["findings"] if finding["severity"] == "error"]
    reported = [finding["id"] + (f" ({', '.join(finding['policy'])})" if finding.get("policy") else "")
            for finding in errors]
    return "; ".join(dict.fromkeys(reported or report["reasons"]))


def table(rehearse, built, lines, bounds, jobs):
    with ThreadPoolExecutor(jobs) as pool:
        reports = list(pool.map(lambda line: explored(rehearse, built, line, bounds), lines))
    rows = ["| run line | verdict | executions | blocked | operations | because of |",
            "| --- | --- | ---: | ---: | ---: | --- |"]
    for line, report in zip(lines, reports):
        rows.append(f"| {line.name} | {report['verdict']} | {report['executions']:,} | {report['blocked']:,} | "
                    f"{report['operations']:,} | {remark(report)} |")
    verdicts = [report["verdict"] for report in reports]
    rows.append("\n" + ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in dict.fromkeys(verdicts)))
    return "\n".join(rows)
