#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""GOAL schedules: hand-made ones, whose dates or messages are known, random ones against a reference, and damaged ones.

goal_test.py --build DIR [--random FIRST COUNT] [--damaged COUNT]

cases.json has the end of each rank for the schedules in cases/, worked out by hand; of bad ones it names the words that
the message must contain. Random schedules and damaged files go to rehearse_goal_batch, many to a process.
"""
import json
import pathlib
import random
import subprocess
import sys

import log_gops_reference as reference
import random_schedules

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(1, str(HERE.parent))
import trace_tests  # noqa: E402


class Tests(trace_tests.Checks):
    def answers(self, inputs):
        """Of rehearse_goal_batch, to (parameters, bytes) pairs."""
        text = b"".join(f"{words(parameters)} {len(data)}\n".encode() + data for parameters, data in inputs)
        end = subprocess.run([str(self.build / "bin/rehearse_goal_batch")], input=text, capture_output=True,
                             timeout=600, check=False)
        lines = end.stdout.decode(errors="replace").split("\n")[:-1]
        if end.returncode != 0 or len(lines) != len(inputs):
            self.judge("batch", f"status {end.returncode} after {len(lines)} of {len(inputs)}: {end.stderr[-300:]}")
        return lines


def words(parameters):
    return ",".join(f"{name}={value}" for name, value in (reference.DEFAULTS | parameters).items())


def check_case(tests, case):
    text = HERE / "cases" / (case["name"] + ".goal")
    binary = tests.folder / (case["name"] + ".bin")
    binary.write_bytes(reference.write_binary(reference.parse_text(text.read_text())))
    for path in (text, binary):
        end = tests.call("trace", "replay", "--network", "loggops", "--loggops", words(case["parameters"]), "--json",
                         "-", path)
        try:
            report = json.loads(end.stdout)
            ends = [round(rank["end_seconds"] * 1e9) for rank in report["ranks"]]
            wanted = (0, case["ends"], "goal" if path == text else "goal-binary", "loggops")
            got = (end.returncode, ends, report["format"], report["network"])
            tests.judge(path.name, "" if got == wanted else f"{got}, expected {wanted}")
        except (ValueError, KeyError) as error:
            tests.judge(path.name, f"{error!r}: {(end.stdout + end.stderr)[-400:]}")


def check_bad(tests, case):
    path = HERE / "cases" / (case["name"] + ".goal")
    end = tests.call("trace", "replay", "--verbose", path)
    text = " ".join(end.stderr.split())
    missing = [word for word in case["words"] if word not in text]
    if end.returncode != case["status"]:
        return tests.judge(case["name"], f"status {end.returncode}, expected {case['status']}: {text[-400:]}")
    return tests.judge(case["name"], missing and f"{missing} are not in: {text[-600:]}")


def random_input(seed):
    chance = random.Random(seed * 7919)
    features = [name for name in random_schedules.FEATURES if chance.random() < .4]
    text = random_schedules.schedule(seed, features=features)
    if chance.random() < .4:
        return {}, text
    return {"L": chance.randint(0, 5000), "o": chance.choice([0, chance.randint(0, 3000)]),
            "g": chance.choice([0, chance.randint(0, 3000)]), "G": chance.randint(0, 12),
            "O": chance.choice([0, 0, 1, 7, 20]), "S": chance.choice([0, 100, 4096, 65535, 1 << 30])}, text


def check_random(tests, first, count):
    inputs = [random_input(seed) for seed in range(first, first + count)]
    answers = tests.answers([(parameters, text.encode()) for parameters, text in inputs])
    for seed, (parameters, text), answer in zip(range(first, first + count), inputs, answers):
        ranks = reference.parse_text(text)
        wanted = reference.simulate(ranks, **parameters)
        line = (f"ends {' '.join(map(str, wanted['ends']))} events {wanted['events']} stuck {len(wanted['stuck'])} "
                f"unexpected {wanted['unexpected']} binary {reference.write_binary(ranks).hex()}")
        tests.judge(f"seed {seed}", "" if answer == line else f"{parameters}: {answer[:300]}, expected {line[:300]}")


def damaged(chance, data):
    data = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data)) if data else 0
        kind = chance.randrange(5)
        if kind == 0:
            del data[at:]
        elif kind == 1 and data:
            data[at] = chance.randrange(256)
        elif kind == 2 and data:
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 3:
            data[at:at] = data[at:at + chance.randint(1, 40)]
        else:
            del data[at:at + chance.randint(1, 40)]
    return bytes(data)


def check_damaged(tests, count):
    """No crash; one answer for each, most of them error messages of one line."""
    chance = random.Random(1)
    inputs = []
    for seed in range(count):
        text = random_schedules.schedule(seed, features=random_schedules.FEATURES).encode()
        data = text if seed % 2 else reference.write_binary(reference.parse_text(text.decode()))
        inputs.append(({}, damaged(chance, data)))
    answers = tests.answers(inputs)
    errors = sum(answer.startswith("error: ") for answer in answers)
    tests.judge("damaged files", "" if len(answers) == count and errors > count / 2 else f"{errors} of {len(answers)}")
    for number, answer in enumerate(answers):
        is_known = answer.startswith(("error: input:", "ends "))
        tests.judge(f"damaged {number}", "" if is_known else answer[:300])


def work(tests, options):
    for case in json.loads((HERE / "cases.json").read_text()):
        if "words" in case:
            check_bad(tests, case)
        else:
            check_case(tests, case)
    check_random(tests, *options.random)
    check_damaged(tests, options.damaged)


def main():
    parser = trace_tests.make_parser(__doc__, random=(0, 500))
    parser.add_argument("--damaged", type=int, default=1000)
    return trace_tests.run_tests(Tests, parser.parse_args(), work)


if __name__ == "__main__":
    sys.exit(main())
