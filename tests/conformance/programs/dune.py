# SPDX-License-Identifier: MIT
"""dune-common, foundations of finite elements in C++17: its own tests of communicators, index sets, futures and packed
messages: templates, exceptions, iostreams, static objects, derived datatypes.

Each test asserts what it computes and ends with status 0, or with an exception. remoteindicestest is run on at most 8
ranks: its grid is ten cells wide. mpipacktest wants exactly two ranks.
"""
from recipe import Check, Recipe, Run

ANY_RANKS = ["communicationtest", "mpicommunicationtest", "mpidatatest", "mpifuturetest", "mpigatherscattertest",
             "mpiguardtest", "mpihelpertest", "syncertest", "variablesizecommunicatortest"]
OTHERS = ["mpipacktest", "remoteindicestest"]


def build(tools, source):
    tools.make(source, "cmake -S . -B tree -DCMAKE_C_COMPILER=mpicc -DCMAKE_CXX_COMPILER=mpicxx"
                       " -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS='-O1 -w' -DDUNE_ENABLE_PYTHONBINDINGS=OFF"
                       " -DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON",
               f"make -C tree -j$(nproc) {' '.join(ANY_RANKS + OTHERS)}",
               "mkdir tests", r"find tree/dune -type f -perm -u+x -name '*test' -exec cp '{}' tests \;")


def ended(_, __):
    return "its own assertions"


RECIPE = Recipe("dune", "dune-common", build, summary="tests of its parallel layer, C++17", jobs=[
    *[Run(test, ranks, [f"tests/{test}"], ended) for ranks in (4, 16) for test in ANY_RANKS],
    Run("mpipacktest", 2, ["tests/mpipacktest"], ended),
    *[Run("remoteindicestest", ranks, ["tests/remoteindicestest"], ended) for ranks in (4, 8)],
    *[Check(test, 3, [f"tests/{test}"]) for test in (*ANY_RANKS, "remoteindicestest")],
    Check("mpipacktest", 2, ["tests/mpipacktest"]),
])
