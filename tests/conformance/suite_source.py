# SPDX-License-Identifier: MIT
"""Where MPICH's test suite comes from: Debian's source package, or a folder that is there already.

Errors: what cannot be fetched, or is no test suite, ends the program with the reason.
"""
import sys
from pathlib import Path

import debian_source

PACKAGE = "mpich"
VERSION = "4.0.2-"  # what the lists of expected failures are for
SUITE = Path("test") / "mpi"


def fetch(cache):
    """The suite's folder in the unpacked source package, which is fetched first if the cache does not have it."""
    unpacked = cache / "source"
    if not (unpacked / SUITE / "configure").is_file():
        print(f"conformance: fetching the source package {PACKAGE}", flush=True)
        try:
            version = debian_source.version(PACKAGE)
            if not version.startswith(VERSION):
                sys.exit(f"conformance: Debian's {PACKAGE} is {version}; the lists here are for {VERSION}*")
            debian_source.unpacked(PACKAGE, unpacked)
        except debian_source.Unavailable as reason:
            sys.exit(f"conformance: {reason}")
    return unpacked / SUITE


def suite_in(source):
    """The suite's folder in `source`, which is it or an unpacked MPICH."""
    for folder in (source / SUITE, source):
        if (folder / "runtests.in").is_file() and (folder / "configure").is_file():
            return folder.resolve()
    sys.exit(f"conformance: {source} holds no test suite: neither {SUITE} nor runtests.in and configure")
