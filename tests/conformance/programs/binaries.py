# SPDX-License-Identifier: MIT
"""Programs as Debian's packages have them, compiled for MPICH or Open MPI: nothing is built, no file is changed. The
packages must be installed, because their programs and data have fixed places. Here are those in Fortran; the others
are in binary_applications.py and coarray_tests.py.

ScaLAPACK's tests are there twice, once for each library: both must pass their own checks, print the same, and take the
same simulated time. `buffer.overlap` and `buffer.touched` are left out of these runs, because they are there: before a
combine whose result goes to all, BI_TreeComb of the BLACS posts the receive of the result into the buffer that it then
changes and sends. The tests of the BLACS and of the PBLAS are in the same package.
"""
import json
import re
import subprocess
import tempfile
from pathlib import Path

import binary_applications
import coarray_tests
import debian_binary
from debian_source import Unavailable
from outside import under_the_library
from recipe import Check, Failed, Recipe, Run, Suite, require

PACKAGES = ["mocassin", "mpgrafic", "mumps-test", "scalapack-mpi-test", *binary_applications.PACKAGES,
            *coarray_tests.PACKAGES]
HERE = Path(__file__).resolve().parent / "binaries"
MUMPS = Path("/usr/lib/mumps")
TESTS = Path("/usr/lib/x86_64-linux-gnu/scalapack")
STILL = ("--compute", "none")  # MOCASSIN's random numbers begin with the time
BROKEN = ("--without", "buffer.overlap", "--without", "buffer.touched")
LONG = re.compile(r"x.(evc|syevr|heevr|hseqr|gsep|sep)$")
LUMINOSITY = 308.2  # of the star, in 1e36 erg/s: nebula.in


def build(_, __):
    if not debian_binary.are_installed(PACKAGES):
        raise Unavailable(f"apt-get install {' '.join(PACKAGES)}")


def with_nebula(folder, _):
    for name in ("input", "output"):
        (folder / name).mkdir()
    (folder / "input/input.in").write_text((HERE / "nebula.in").read_text())
    (folder / "input/abundances.in").write_text((HERE / "abundances.in").read_text())


def verify_nebula(folder, output):
    require("MoCaSSin: end simulation reached - clean exit -" in output, "no clean exit")
    radiated = [float(words) for words in re.findall(r"radiated out of the nebula \[e36 erg/s\]: +(\S+)", output)]
    require(radiated and all(0 < energy <= LUMINOSITY for energy in radiated), f"radiated: {radiated}")
    require((folder / "output/lineFlux.out").stat().st_size > 0, "no lines")
    return f"clean exit, {radiated[-1]:.0f} of {LUMINOSITY} e36 erg/s radiated"


def verify_solution(_, output):
    found = re.search(r"Solution is +(.*)", output)
    require(found, "no solution")
    parts = [float(number) for number in re.findall(r"[-+.\dEe]+", found.group(1))]
    values = parts[::2] if "(" in found.group(1) else parts
    require(len(values) == 5 and all(abs(value - i) < 1e-5 for i, value in enumerate(values, 1)), f"solution {values}")
    return "the solution is 1 2 3 4 5"


def with_power(folder, _):
    (folder / "input").write_text((HERE / "power.in").read_text())


def verify_fields(folder, output):
    require(re.search(r"Standard deviation of the white noise box = +0\.99", output), "no white noise")
    names = sorted(path.name for path in folder.glob("ic_*"))
    require(len(names) == 7, f"fields: {names}")
    real = under_the_library("mpiexec.openmpi", 4, ["/usr/bin/mpgrafic", "--np=32"], folder, HERE / "power.in")
    if real is None:
        return "7 fields, no mpiexec.openmpi to compare with"
    for name in names:
        require((real[1] / name).read_bytes() == (folder / name).read_bytes(), f"{name} differs from that of Open MPI")
    return "7 fields, the same bytes as under mpiexec.openmpi"


def tested(tools, library, name, folder="", options=(), ends_well=lambda done: done.returncode == 0):
    """What a test of ScaLAPACK prints on 4 ranks, and its simulated seconds."""
    place = TESTS / f"{library}-tests" / folder
    with tempfile.TemporaryDirectory() as work:
        for data in place.glob("*.dat"):
            (Path(work) / data.name).symlink_to(data)
        done = subprocess.run([tools.rehearse, "run", "-n", "4", *STILL, *BROKEN, *options, "--json", "report.json",
                               place / name], cwd=work, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, env=tools.environment(), check=False)
        if not ends_well(done):
            raise Failed(f"{name} of {library}: exit status {done.returncode}: {done.stderr[-400:]}")
        return done.stdout, json.loads((Path(work) / "report.json").read_text())["simulated_seconds"]


def passed(name, output):
    """How many of its own tests have passed; all others must be skipped."""
    failed = re.findall(r"^ +(\d+) tests completed and failed", output, re.M)
    counts = re.findall(r"^ +(\d+) tests completed and passed", output, re.M)
    if not counts:
        counts = [len(re.findall(r"^Passed |PASSED$", output, re.M))]
        failed = [len(re.findall(r"^Failed |FAILED$", output, re.M))]
    require(sum(map(int, counts)) > 0 and sum(map(int, failed)) == 0, f"{name}: {counts} passed, {failed} failed")
    return sum(map(int, counts))


def tests(names, full):
    def run(tools, _):
        found = sorted(path.name for path in (TESTS / "mpich-tests").glob("x[a-z]*") if names(path.name))
        total = 0
        for name in found:
            here, there = tested(tools, "mpich", name), tested(tools, "openmpi", name)
            total += passed(name, here[0])
            is_same(name, here, there)
        return f"{len(found)} programs twice: {total} tests passed, the same output and times for both libraries"
    return Suite("scalapack, long" if full else "scalapack", "4", run, full)


def is_same(name, here, there):
    require(here[0] == there[0], f"{name} prints something else for Open MPI than for MPICH")
    require(here[1] == there[1], f"{name} takes {here[1]} s for MPICH, {there[1]} s for Open MPI")


def is_aborted(done):
    """The last test of the BLACS: one process ends all, while the others are in a loop without calls."""
    return done.returncode == 1 and "crash.mpi_abort" in done.stderr and "MPI_Abort(MPI_COMM_WORLD, -1)" in done.stderr


def blacs(tools, _):
    total = 0
    for name in ("xCbtest", "xFbtest"):
        here, there = [tested(tools, library, name, "BLACS", ("--max-step-seconds", "1"), is_aborted)
                       for library in ("mpich", "openmpi")]
        counts = re.findall(r" TESTS: +(\d+) TESTS; +(\d+) PASSED, +(\d+) SKIPPED, +(\d+) FAILED", here[0])
        require(len(counts) == 22, f"{name}: {len(counts)} summaries")
        are_right = [int(all_) == int(right) + int(skipped) and wrong == "0" for all_, right, skipped, wrong in counts]
        require(all(are_right), f"{name}: {counts}")
        others = re.findall(r"^ (PASSED|FAILED) +[A-Z]", here[0], re.M)
        require(others == ["PASSED"] * 5, f"{name}: the auxiliary tests: {others}")
        is_same(name, here, there)
        total += sum(int(count[1]) for count in counts) + len(others)
    return f"2 programs twice: {total} tests passed, then one process ends all; the same output and times for both"


def pblas(tools, _):
    total = 0
    names = sorted(path.name for path in (TESTS / "mpich-tests/PBLAS").glob("?pb?tst"))
    require(len(names) == 12, f"programs: {names}")
    for name in names:
        here, there = [tested(tools, library, name, "PBLAS") for library in ("mpich", "openmpi")]
        rows = re.findall(r"^ +\| +P\w+ +(\d+) +(\d+) +(\d+) +(\d+) *$", here[0], re.M)
        require(rows, f"{name}: no summary")
        are_right = [int(all_) == int(right) > 0 and wrong == skipped == "0" for all_, right, wrong, skipped in rows]
        require(all(are_right), f"{name}: {rows}")
        is_same(name, here, there)
        total += sum(int(row[1]) for row in rows)
    return f"{len(names)} programs twice: {total} checks passed, the same output and times for both libraries"


def solver(kind):
    data = MUMPS / ("input_simpletest_real" if kind in "sd" else "input_simpletest_cmplx")
    return {"command": [str(MUMPS / f"{kind}simpletest")], "stdin": str(data)}


def small(library, name):
    def prepare(folder, _):
        for data in (TESTS / f"{library}-tests").glob("*.dat"):
            (folder / data.name).symlink_to(data)
    return Check(f"{name}, {library}", 4, [str(TESTS / f"{library}-tests" / name)],
                 ("--max-executions", "5", "--max-seconds", "60"), prepare=prepare)


RECIPE = Recipe("binaries", "", build, summary="programs as Debian has them", jobs=[
    *[Run("mocassin", ranks, ["/usr/bin/mocassin"], verify_nebula, STILL, with_nebula) for ranks in (2, 4)],
    *[Run(f"mumps, {kind}", 4, verify=verify_solution, options=STILL, **solver(kind)) for kind in "sdcz"],
    Run("mpgrafic", 4, ["/usr/bin/mpgrafic", "--np=32"], verify_fields, STILL, with_power, "input"),
    Suite("blacs", "4", blacs),
    Suite("pblas", "4", pblas),
    tests(lambda name: not LONG.match(name), False),
    tests(LONG.match, True),
    Check("mocassin", 2, ["/usr/bin/mocassin"], prepare=with_nebula),
    Check("mumps, d", 2, **solver("d")),
    small("mpich", "xcdtlu"),
    small("openmpi", "xcdtlu"),
    *binary_applications.JOBS,
    *coarray_tests.JOBS,
])
