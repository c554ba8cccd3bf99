# SPDX-License-Identifier: MIT
"""The processor time and the memory of a command, with its start.

A small process starts the command: the kernel counts the memory of the process that forks for the command, too, and the
benchmarks hold long texts.
"""
import collections
import json
import subprocess
import sys

Cost = collections.namedtuple("Cost", "seconds kilobytes")
LONG = 10  # seconds; one run is enough

STARTER = """
import json, os, sys
child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=[
    (os.POSIX_SPAWN_OPEN, 1, "output", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), (os.POSIX_SPAWN_DUP2, 1, 2)])
_, status, used = os.wait4(child, 0)
print(json.dumps([os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss]))
"""


def run_once(words, folder):
    """One run in this folder, which gets the file `output`. Ends the program if the command fails."""
    words = [str(word) for word in words]
    started = subprocess.run([sys.executable, "-S", "-c", STARTER, *words], cwd=folder, stdout=subprocess.PIPE,
                             text=True, check=True)
    status, seconds, kilobytes = json.loads(started.stdout)
    if status != 0:
        sys.exit(f"bench.py: failed: {' '.join(words)}: {(folder / 'output').read_text()[-400:]}")
    return Cost(seconds, kilobytes)


def cost(words, folder, repeats):
    """The least processor time of several runs, and the memory of that run."""
    found = [run_once(words, folder)]
    while found[0].seconds < LONG and len(found) < repeats:
        found.append(run_once(words, folder))
    return min(found)


def costs_in_turn(commands, folder, repeats):
    """The least processor time of each command, and the memory of that run. The commands take turns, so that what else
    the machine does, or its host, slows all of them. A command that takes long runs once."""
    found = {name: [] for name in commands}
    for _ in range(repeats):
        for name, words in commands.items():
            if not found[name] or found[name][0].seconds < LONG:
                found[name].append(run_once(words, folder))
    return {name: min(costs) for name, costs in found.items()}
