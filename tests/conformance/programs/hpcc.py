# SPDX-License-Identifier: MIT
"""The HPC Challenge benchmark: HPL, DGEMM, STREAM, PTRANS, RandomAccess, FFT and b_eff in one program, each of which
checks its own results.

RandomAccess on more than 4 ranks may lose updates, of which it allows one in a hundred itself: it waits for "finished"
messages and for updates with four wildcard receives at once, and MPI_Testany may show it the last "finished" before an
update that another of the four already holds, which the program then cancels without a look. Up to 4 ranks there is one
receive only and nothing may be lost.

b_eff relies on buffering: each client hands a token to the next by MPI_Send and only then takes part in a broadcast
that the next one is the root of and enters first. Without buffering, and with a broadcast that synchronises, both wait.
"""
import re

from recipe import Check, Recipe, Run, only_match, require

SETTINGS = """\
SHELL = /bin/sh
CD = cd
CP = cp
LN_S = ln -s
MKDIR = mkdir -p
RM = /bin/rm -f
TOUCH = touch
ARCH = $(arch)
TOPdir = ../../..
INCdir = $(TOPdir)/include
BINdir = $(TOPdir)/bin/$(ARCH)
LIBdir = $(TOPdir)/lib/$(ARCH)
HPLlib = $(LIBdir)/libhpl.a
LAlib = -lblas
F2CDEFS = -DAdd_ -DF77_INTEGER=int -DStringSunStyle
HPL_INCLUDES = -I$(INCdir) -I$(INCdir)/$(ARCH)
HPL_LIBS = $(HPLlib) $(LAlib) -lm
HPL_OPTS =
HPL_DEFS = $(F2CDEFS) $(HPL_OPTS) $(HPL_INCLUDES)
CC = mpicc
CCNOOPT = $(HPL_DEFS) -w
CCFLAGS = $(HPL_DEFS) -O2 -g -w
LINKER = mpicc
LINKFLAGS =
ARCHIVER = ar
ARFLAGS = rc
RANLIB = ranlib
"""


def build(tools, source):
    (source / "hpl/Make.rehearse").write_text(SETTINGS)
    tools.make(source, "make arch=rehearse")


def input_file(size, rows, columns):
    """The package's own example input, for another size and grid."""
    def prepare(folder, source):
        text = (source / "_hpccinf.txt").read_text()
        for old, new in ((r"^1000(\s+Ns)", size), (r"^2(\s+Ps)", rows), (r"^2(\s+Qs)", columns)):
            text, count = re.subn(old, rf"{new}\1", text, flags=re.M)
            require(count == 1, f"_hpccinf.txt has no line '{old}'")
        (folder / "hpccinf.txt").write_text(text)
    return prepare


def verify_random_access(text, ranks):
    found = re.findall(r"^Found (\d+) errors in (\d+) locations \((\w+)\)", text, re.M)
    require(len(found) == 4, f"RandomAccess: {len(found)} results instead of 4")
    for errors, locations, verdict in found:
        require(verdict == "passed", f"RandomAccess: {errors} errors in {locations} locations ({verdict})")
        allowed = 0 if ranks <= 4 else int(locations) // 100
        require(int(errors) <= allowed, f"RandomAccess: {errors} errors in {locations} locations, allowed {allowed}")
    return sum(int(errors) for errors, _, _ in found)


def verify(ranks):
    def look(folder, _):
        text = (folder / "hpccoutf.txt").read_text()
        require("End of HPC Challenge tests." in text, "hpccoutf.txt has no end")
        require(only_match(r"^Success=(\d)", text, "summary") == "1", "Success is not 1")
        require(only_match(r"^\|\|Ax-b\|\|.*\.\.\. (\w+)", text, "HPL") == "PASSED", "HPL: residual")
        require(re.search(r"^ +1 tests completed and passed residual checks,", text, re.M), "HPL: not passed")
        require(re.search(r"^ +5 tests completed and passed residual checks\.", text, re.M), "PTRANS: not 5 passed")
        require(text.count("0 tests completed and failed residual checks") == 2, "HPL or PTRANS: failed tests")
        require("Solution Validates" in text, "STREAM: no valid solution")
        nodes = re.findall(r"^Node\(s\) with error (\d+)", text, re.M)
        require(len(nodes) == 10 and set(nodes) == {"0"}, f"nodes with errors: {nodes}")
        fft = float(only_match(r"^MPIFFT_maxErr=(\S+)", text, "FFT"))
        require(0 <= fft < 1e-13, f"FFT: greatest error {fft}")
        require(only_match(r"^CommWorldProcs=(\d+)", text, "summary") == str(ranks), "other number of processes")
        lost = verify_random_access(text, ranks)
        latency = float(only_match(r"^MinPingPongLatency_usec=(\S+)", text, "b_eff"))
        require(abs(latency / 143.117 - 1) < 1e-2, f"b_eff: latency {latency} us, the model's is 143.117 us")
        return f"all 7 self-checks (HPL residual PASSED, FFT error {fft:.0e}, RandomAccess errors {lost})"
    return look


PROGRAM = ["hpcc"]
RECIPE = Recipe("hpcc", "hpcc", build, summary="with the reference BLAS", jobs=[
    Run("hpcc", 4, PROGRAM, verify(4), prepare=input_file(400, 2, 2)),
    Run("hpcc", 16, PROGRAM, verify(16), prepare=input_file(400, 4, 4)),
    Check("hpcc", 2, PROGRAM, prepare=input_file(40, 1, 2), options=("--max-executions", "1"),
          expected=frozenset({"deadlock.collective"})),
    Check("hpcc", 4, PROGRAM, prepare=input_file(40, 2, 2), options=("--max-executions", "1"),
          expected=frozenset({"deadlock.collective"})),
    Check("hpcc, what it relies on given", 4, PROGRAM, prepare=input_file(40, 2, 2),
          options=("--buffering", "infinite", "--collectives", "relaxed", "--max-seconds", "60"), seconds=300),
])
