# SPDX-License-Identifier: MIT
"""Programs in Fortran as Debian's packages have them, compiled for MPICH or Open MPI: nothing is built, no file is
changed. The packages must be installed, because their programs and data have fixed places.

ScaLAPACK's tests are there twice, once for each library: both must pass their own checks, print the same, and take the
same simulated time. `buffer.overlap` and `buffer.touched` are left out of these runs, because they are there: before a
combine whose result goes to all, BI_TreeComb of the BLACS posts the receive of the result into the buffer that it then
changes and sends.
"""
import json
import re
import subprocess
import tempfile
from pathlib import Path

import debian_binary
from debian_source import Unavailable
from outside import under_the_library
from recipe import Check, Failed, Recipe, Run, Suite, require

PACKAGES = ["mocassin", "mpgrafic", "mumps-test", "scalapack-mpi-test"]
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


def tested(tools, library, name):
    """What a test of ScaLAPACK prints on 4 ranks, and its simulated seconds."""
    with tempfile.TemporaryDirectory() as work:
        for data in (TESTS / f"{library}-tests").glob("*.dat"):
            (Path(work) / data.name).symlink_to(data)
        done = subprocess.run([tools.rehearse, "run", "-n", "4", *STILL, *BROKEN, "--json", "report.json",
                               TESTS / f"{library}-tests" / name], cwd=work, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, env=tools.environment(), check=False)
        if done.returncode != 0:
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
            require(here[0] == there[0], f"{name} prints something else for Open MPI than for MPICH")
            require(here[1] == there[1], f"{name} takes {here[1]} s for MPICH, {there[1]} s for Open MPI")
        return f"{len(found)} programs twice: {total} tests passed, the same output and times for both libraries"
    return Suite("scalapack, long" if full else "scalapack", "4", run, full)


def solver(kind):
    data = MUMPS / ("input_simpletest_real" if kind in "sd" else "input_simpletest_cmplx")
    return {"command": [str(MUMPS / f"{kind}simpletest")], "stdin": str(data)}


def small(library, name):
    def prepare(folder, _):
        for data in (TESTS / f"{library}-tests").glob("*.dat"):
            (folder / data.name).symlink_to(data)
    return Check(f"{name}, {library}", 4, [str(TESTS / f"{library}-tests" / name)],
                 ("--max-executions", "5", "--max-seconds", "60"), prepare=prepare)


RECIPE = Recipe("binaries", "", build, summary="programs in Fortran as Debian has them", jobs=[
    *[Run("mocassin", ranks, ["/usr/bin/mocassin"], verify_nebula, STILL, with_nebula) for ranks in (2, 4)],
    *[Run(f"mumps, {kind}", 4, verify=verify_solution, options=STILL, **solver(kind)) for kind in "sdcz"],
    Run("mpgrafic", 4, ["/usr/bin/mpgrafic", "--np=32"], verify_fields, STILL, with_power, "input"),
    tests(lambda name: not LONG.match(name), False),
    tests(LONG.match, True),
    Check("mocassin", 2, ["/usr/bin/mocassin"], prepare=with_nebula),
    Check("mumps, d", 2, **solver("d")),
    small("mpich", "xcdtlu"),
    small("openmpi", "xcdtlu"),
])
