#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds other people's MPI programs from Debian's sources with their own makefiles and our wrapper compilers, runs
them in simulated time and under the checker, and lets their own output judge.

Usage:  programs.py --build BUILD [--program NAME]... [--ranks N]... [--full] [--list] [--json FILE] [--work FOLDER]
Prints a line for each job as soon as it is done. Exit status 1 if one failed, 3 if sources were not to be had. What is
built is kept in the work folder and built again when its recipe or our mpi.h changes.
"""
import argparse
import hashlib
import importlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import debian_source  # noqa: E402
from recipe import Check, Failed, Run, Suite, Tools  # noqa: E402

ROOT = HERE.parents[2]
NETWORK = "lv08"  # its formulas are those of the recipes
RECIPES = ["standins", "hpcc", "netpipe", "fftw", "hypre", "dune", "coarrays", "pnetcdf", "hdf5",
           "binaries"]


def version_of(recipe):
    """Of the package, as Debian writes it; of programs of ours, a hash of their sources."""
    if recipe.package:
        return debian_source.version(recipe.package)
    texts = b"".join(path.read_bytes() for path in sorted((HERE / recipe.name).iterdir()))
    return hashlib.sha256(texts).hexdigest()[:12]


def built(recipe, tools, work):
    """The folder of the built sources."""
    module = sys.modules[recipe.build.__module__]
    text = Path(module.__file__).read_bytes() + (tools.build / "include/mpi.h").read_bytes()
    stamp_text = version_of(recipe) + " " + hashlib.sha256(text).hexdigest()
    source, stamp = work / recipe.name / "source", work / recipe.name / "stamp"
    if stamp.exists() and stamp.read_text() == stamp_text:
        return source
    shutil.rmtree(work / recipe.name, ignore_errors=True)
    if recipe.package:
        debian_source.unpacked(recipe.package, source)
    else:
        shutil.copytree(HERE / recipe.name, source)
    recipe.build(tools, source)
    stamp.write_text(stamp_text)
    return source


def execute(command, job, folder, tools):
    """Exit status, everything printed, wall seconds and peak bytes of a command."""
    start = time.perf_counter()
    with (folder / "printed").open("wb") as out, (folder / job.stdin).open("rb") as words:
        process = subprocess.Popen(command, cwd=folder, stdin=words, stdout=out, stderr=subprocess.STDOUT,
                                   env=tools.environment())
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid != 0:
                break
            if time.perf_counter() - start > job.seconds:
                process.kill()
                os.wait4(process.pid, 0)
                raise Failed(f"not done after {job.seconds} s: {' '.join(command)}")
            time.sleep(0.01)
    process.returncode = os.waitstatus_to_exitcode(status)
    text = (folder / "printed").read_text(errors="replace")
    return process.returncode, text, time.perf_counter() - start, usage.ru_maxrss * 1024


def fresh_folder(job, source):
    folder = source.parent / f"{job.name}-{type(job).__name__.lower()}-{job.ranks}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    job.prepare(folder, source)
    return folder


def run_timed(job, source, tools):
    folder = fresh_folder(job, source)
    options = list(job.options) if "--on" in job.options else ["--on", f"cluster:{job.ranks}", *job.options]
    command = [tools.rehearse, "run", "-n", str(job.ranks), "--network", NETWORK, *options, "--json", "report.json",
               str(source / job.command[0]), *job.command[1:]]
    status, text, seconds, peak = execute(command, job, folder, tools)
    if status != 0:
        raise Failed(f"exit status {status}: {' '.join(command)}\n" + "\n".join(text.splitlines()[-12:]))
    verified = job.verify(folder, text)
    simulated = json.loads((folder / "report.json").read_text())["simulated_seconds"]
    return {"verified": verified, "wall_seconds": seconds, "simulated_seconds": simulated, "peak_bytes": peak}


def run_checked(job, source, tools):
    folder = fresh_folder(job, source)
    command = [tools.rehearse, "check", "-n", str(job.ranks), *job.options, "--json", "report.json",
               str(source / job.command[0]), *job.command[1:]]
    status, text, seconds, peak = execute(command, job, folder, tools)
    if status not in (0, 1, 3):
        raise Failed(f"exit status {status}: {' '.join(command)}\n" + "\n".join(text.splitlines()[-12:]))
    report = json.loads((folder / "report.json").read_text())
    found = {finding["id"] for finding in report["findings"] if finding["severity"] == "error"}
    if found != set(job.expected):
        raise Failed(f"finds {sorted(found) or 'nothing'}, expected {sorted(job.expected) or 'nothing'}: "
                     f"{' '.join(command)}\n" + "\n".join(text.splitlines()[-12:]))
    if job.verdict and report["verdict"] != job.verdict:
        raise Failed(f"{report['verdict']}, expected {job.verdict}: {' '.join(command)}\n"
                     + "\n".join(text.splitlines()[-12:]))
    said = f"{report['verdict']}, {report['executions']} executions of {report['operations']} operations in all"
    if found:
        said += f", as expected {', '.join(sorted(found))}"
    elif report["reasons"]:
        said += f": {'; '.join(report['reasons'])}"
    return {"verified": said, "wall_seconds": seconds, "peak_bytes": peak}


def run_suite(job, source, tools):
    start = time.perf_counter()
    verified = job.run(tools, source)
    return {"verified": verified, "wall_seconds": time.perf_counter() - start}


KINDS = {Run: ("run", run_timed), Check: ("check", run_checked), Suite: ("suite", run_suite)}


def wanted(job, options):
    if isinstance(job, Suite):
        return (options.full or not job.full) and not options.ranks
    return not options.ranks or job.ranks in options.ranks


def line_of(row):
    simulated = f"{row['simulated_seconds']:.6f}" if "simulated_seconds" in row else "-"
    memory = f"{row['peak_bytes'] / 1e6:.0f}" if "peak_bytes" in row else "-"
    return (f"{row['program']:<10} {row['job']:<28} {row['kind']:<6} {row['ranks']!s:>5} {row['wall_seconds']:>8.2f} "
            f"{simulated:>12} {memory:>7}  {'' if row['passed'] else 'FAILED: '}{row['verified']}")


def campaign(recipe, options, tools):
    """Rows of the jobs of one program."""
    rows = []
    jobs = [job for job in recipe.jobs if wanted(job, options)]
    if not jobs:
        return rows
    version = version_of(recipe)
    start = time.perf_counter()
    print(f"{recipe.name}: {recipe.package or 'ours'} {version}, {recipe.summary}", flush=True)
    base = {"program": recipe.name, "version": version}
    try:
        source = built(recipe, tools, options.work)
    except Failed as failure:
        rows.append(dict(base, job="build", kind="build", ranks="-", passed=False, verified=str(failure),
                         wall_seconds=time.perf_counter() - start))
        print(line_of(rows[-1]), flush=True)
        return rows
    for job in jobs:
        kind, runner = KINDS[type(job)]
        start = time.perf_counter()
        row = dict(base, job=job.name, kind=kind, ranks=job.ranks, passed=True)
        try:
            row.update(runner(job, source, tools))
        except Failed as failure:
            row.update(passed=False, verified=str(failure), wall_seconds=time.perf_counter() - start)
        rows.append(row)
        print(line_of(row), flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", type=Path, required=True, help="build tree of ours")
    parser.add_argument("--program", action="append", choices=RECIPES, help="only this one; may be repeated")
    parser.add_argument("--ranks", action="append", type=int, help="only jobs on so many ranks; may be repeated")
    parser.add_argument("--full", action="store_true", help="also the long suites")
    parser.add_argument("--list", action="store_true", help="print the jobs and do nothing")
    parser.add_argument("--json", type=Path, help="write the rows to this file")
    parser.add_argument("--work", type=Path, default=ROOT / "build-programs", help="where sources are built")
    options = parser.parse_args()
    recipes = [importlib.import_module(name).RECIPE for name in options.program or RECIPES]
    if options.list:
        for recipe in recipes:
            for job in recipe.jobs:
                print(f"{recipe.name:<10} {job.name:<28} {KINDS[type(job)][0]:<6} {job.ranks!s:>5}")
        return 0
    options.work = options.work.resolve()
    options.work.mkdir(exist_ok=True)
    tools = Tools(options.build.resolve())
    print(f"{'program':<10} {'job':<28} {'kind':<6} {'ranks':>5} {'wall s':>8} {'simulated s':>12} {'MB':>7}  verified")
    rows, unavailable = [], []
    for recipe in recipes:
        try:
            rows += campaign(recipe, options, tools)
        except debian_source.Unavailable as problem:
            unavailable.append(recipe.name)
            print(f"{recipe.name}: sources not to be had: {problem}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")
    failed = sum(not row["passed"] for row in rows)
    print(f"{len(rows) - failed} passed, {failed} failed" +
          (f", not to be had: {', '.join(unavailable)}" if unavailable else ""))
    return 1 if failed else 3 if unavailable else 0


if __name__ == "__main__":
    sys.exit(main())
