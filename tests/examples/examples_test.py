#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Runs every program of examples/actors twice and compares what it prints with the block `Prints:` in its header.
#
# Usage: examples_test.py SOURCES PROGRAMS [--update]   (with --update the headers are rewritten)
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"(// Prints:\n)((?://   .*\n)*)")


def run(program: pathlib.Path) -> str:
    done = subprocess.run([program], capture_output=True, text=True, timeout=120)
    if done.returncode != 0 or done.stderr:
        return f"exit status {done.returncode}\n{done.stderr}"
    return done.stdout


def main() -> int:
    sources, programs = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    passed = failed = 0
    for source in sorted(sources.glob("*.cpp")):
        program = programs / f"example_{source.stem}"
        printed, again = run(program), run(program)
        text = source.read_text()
        block = BLOCK.search(text)
        if "--update" in sys.argv:
            lines = "".join(f"//   {line}\n" for line in printed.splitlines())
            source.write_text(text[: block.start(2)] + lines + text[block.end(2):])
            continue
        said = "".join(line.removeprefix("//   ") + "\n" for line in block.group(2).splitlines()) if block else ""
        if printed == again == said and said:
            passed += 1
            continue
        failed += 1
        print(f"{source.name}: its header says\n{said}but it prints\n{printed}and then\n{again}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0 or passed == 0


sys.exit(main())
