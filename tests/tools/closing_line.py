# SPDX-License-Identifier: MIT
"""unittest with the closing line `N passed, N failed[, N skipped]` by which ./dev test counts."""
import sys
import unittest


def main(**arguments):
    program = unittest.main(exit=False, **arguments)
    result = program.result
    # A failed subtest is one failure of its test, however many of them failed.
    failed = {str(getattr(test, "test_case", test)) for test, _ in result.failures + result.errors}
    passed = max(result.testsRun - len(failed) - len(result.skipped), 0)
    sys.stderr.flush()
    skipped = f", {len(result.skipped)} skipped" if result.skipped else ""
    print(f"{passed} passed, {len(failed)} failed{skipped}", flush=True)
    sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)
