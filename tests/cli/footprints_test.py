#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Footprints of MPI programs: what they prove, what they must not prove, and what else happens then.

Usage:  footprints_test.py [--random FIRST-LAST] [--sums N]
        --random: these random programs against all interleavings. --sums: fan-ins of up to N senders with each partial
        sum wrong; of larger ones, up to 8, one of each size. By default both are short.
"""
import json
import random
import subprocess
import sys

from checking import REHEARSE, WithPrograms
from installation import ROOT

import closing_line

INFINITE = ("--buffering", "infinite")
INTERPRETER = ROOT / "tests" / "programs" / "process" / "words.c"
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
FIRST, LAST, SENDERS = 1, 40, 4

FAN_IN = """
  %(type)s got, total = 0;
  if (rank == 0) {
    for (int i = 1; i < size; ++i) {
      MPI_Recv(&got, 1, %(mpi)s, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      total += got;
    }
    assert(%(right)s);
  } else {
    got = %(sent)s;
    MPI_Send(&got, 1, %(mpi)s, 0, 0, MPI_COMM_WORLD);
  }
"""
INTEGERS = {"type": "int", "mpi": "MPI_INT", "sent": "1 << (rank - 1)", "right": "total == (1 << (size - 1)) - 1"}
LONGS = INTEGERS | {"type": "long long", "mpi": "MPI_LONG_LONG"}
DOUBLES = {"type": "double", "mpi": "MPI_DOUBLE", "sent": "0.1 * rank",
           "right": "total > 0.05 * size * (size - 1) - 1e-9 && total < 0.05 * size * (size - 1) + 1e-9"}


def random_program(seed):
    """Instructions for each rank of tests/programs/process/words.c; about half of the programs are right."""
    draw = random.Random(seed)
    ranks, tags = draw.randint(3, 4), draw.randint(1, 2)
    hub = draw.randrange(ranks)
    code = [[] for _ in range(ranks)]
    style = draw.choice("0016" if draw.random() < 0.5 else "x")
    for _ in range(draw.randint(2, 5)):
        source = draw.randrange(ranks)
        target = hub if draw.random() < 0.8 else draw.randrange(ranks)
        if source == target:
            continue
        tag = draw.randrange(tags)
        kind = draw.choice("SSST")
        code[source].append(f"{kind}{target}{tag}{draw.randint(1, 4)}")
        effect = style if style != "x" else draw.choice("0001123456")
        code[target].append(f"R{source if draw.random() < 0.25 else 9}{tag if draw.random() < 0.8 else 9}{effect}")
    for rank, lines in enumerate(code):
        draw.shuffle(lines)
        if draw.random() < 0.7:
            lines.sort(key=lambda line: line[0] == "R")
        code[rank] = []
        for line in lines:
            code[rank].append(line)
            if line[0] == "R" and draw.random() < 0.3:
                other = draw.randrange(ranks)
                code[rank].append(draw.choice([f"P{draw.randrange(tags)}00", f"K{other}00", f"F{other}00",
                                               f"E0{draw.randint(1, 7)}0", f"L0{draw.randint(1, 7)}0"]))
    if draw.random() < 0.2:
        for lines in code:
            lines.insert(draw.choice([0, len(lines)]), "B000")
    return ranks, "/".join("".join(lines) for lines in code)


def random_bag(seed):
    """The same of a bag of tasks: rank 0 gives out pieces, and further ones to those who answer."""
    draw = random.Random(seed)
    workers, further = draw.randint(2, 3), draw.randint(0, 3)
    total = sum(range(1, workers + 1)) + sum(10 + piece for piece in range(1, further + 1))
    hub = [f"S{worker}0{worker}" for worker in range(1, workers + 1)]
    hub += ["R900", f"D0{further}0"] * (workers + further)
    hub += [f"U0{DIGITS[total // 36]}{DIGITS[total % 36]}"]
    hub += [f"S{worker}10" for worker in range(1, workers + 1)]
    code = [hub] + [["R095", "Q100", "G000"] * (further + 2) for _ in range(workers)]
    for _ in range(draw.choice([0, 0, 1, 1, 2])):
        lines = code[0] if draw.random() < 0.7 else draw.choice(code)
        at = draw.randrange(len(lines))
        other = draw.choice([f"F{draw.randint(0, workers)}00", f"K{draw.randint(1, workers)}00", "R901", "U006",
                             f"D0{draw.randint(0, 4)}0", f"L0{DIGITS[draw.randint(1, 30)]}0"])
        draw.choice([lambda: lines.pop(at), lambda: lines.insert(at, other), lambda: lines.insert(at + 1, other)])()
    return workers + 1, "/".join("".join(lines) for lines in code)


def some_subsets(count):
    """A subset of each size, as numbers."""
    draw = random.Random(count)
    return [sum(1 << i for i in draw.sample(range(count), size)) for size in range(1, count + 1)]


class Footprints(WithPrograms):
    def footprints(self, source, ranks, *options, status=0):
        return self.check(self.compile(source), ranks, "--reduction", "footprints", *options, status=status)

    def assert_proved(self, report):
        self.assertEqual((report["verdict"], report["executions"]), ("verified", None), report)
        for count in ("local_steps", "steps", "equations", "questions", "repeated_steps"):
            self.assertGreater(report["footprints"][count], 0)

    def test_sums_need_a_quadratic_number_of_steps(self):
        for numbers in (INTEGERS, LONGS, DOUBLES):
            for size in (4, 9):
                report = self.footprints(FAN_IN % numbers, size, *INFINITE)
                self.assert_proved(report)
                self.assertEqual(report["footprints"]["steps"], (size - 1) ** 2 + size)

    def test_sends_may_wait(self):
        self.assert_proved(self.footprints(FAN_IN % INTEGERS, 6))
        self.assert_proved(self.footprints(FAN_IN % INTEGERS, 6, "--buffering", "zero"))

    def test_a_wrong_sum_stays_a_violation(self):
        for numbers in (INTEGERS | {"right": "total == 5"}, DOUBLES | {"right": "total < 0.59"}):
            report = self.footprints(FAN_IN % numbers, 4, *INFINITE, status=1)
            self.assertEqual(report["findings"][0]["id"], "assertion.failed")
            self.assertIn("do not exclude", report["no_footprint_proof"])

    def test_the_last_bit_of_a_sum_of_doubles_is_not_proved(self):
        """Some order of these numbers gives another result than the order of the ranks."""
        report = self.footprints(FAN_IN % (DOUBLES | {"right": "total == 0.1 + 0.2 + 0.30000000000000004"}), 4,
                                 *INFINITE, status=1)
        self.assertEqual(report["findings"][0]["id"], "assertion.failed")

    def test_a_long_exploration_is_decided_by_footprints_without_being_asked(self):
        """Merged states and flow equations would need two million states. The program has 20! executions."""
        program = self.compile(FAN_IN % LONGS)
        report = self.check(program, 21, *INFINITE, "--collective-synchronisation", "relaxed", "--jobs", "1",
                            "--proof", "sum.proof")
        self.assert_proved(report)
        self.assertEqual(report["footprints"]["steps"], 20 ** 2 + 21)
        self.assertNotIn("no_footprint_proof", report)
        accepted = self.rehearse("proof", "sum.proof").stdout
        self.assertRegex(accepted, r"^accepted: 1 net with 400 steps, ")

    def test_the_text_says_by_which_means(self):
        done = self.rehearse("check", "-n", "4", "--reduction", "footprints", self.compile(FAN_IN % INTEGERS))
        self.assertRegex(done.stderr, r"verified: nothing goes wrong in any execution: footprints over \d+ steps")

    def test_what_is_not_supported_is_named(self):
        source = """
  MPI_Request request;
  if (rank == 0) {
    MPI_Irecv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
"""
        report = self.footprints(source, 2)
        self.assertEqual((report["verdict"], report["no_footprint_proof"], report["executions"]),
                         ("verified", "receives that do not block", 1))

    def test_collectives_and_clocks_are_proved(self):
        self.assert_proved(self.footprints("""
  double start = MPI_Wtime();
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  assert(sum == size * (size - 1) / 2);
  MPI_Bcast(&sum, 1, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  assert(MPI_Wtime() >= start);
""", 4))

    def test_every_wrong_partial_sum_is_no_proof(self):
        """The exploration after the attempt ends at once, so a proof is the only way to `verified`."""
        program = self.compile(INTERPRETER)
        for senders in range(3, 9):
            values = (1, 2, 4, 8, 16, 32, 35, 33)[:senders]
            sends = "".join(f"/S00{DIGITS[value]}" for value in values)
            for subset in range(1, 1 << senders) if senders <= SENDERS else some_subsets(senders):
                bad = sum(value for i, value in enumerate(values) if subset >> i & 1)
                hub = f"R990E{DIGITS[bad // 36]}{DIGITS[bad % 36]}0" * senders
                report = self.verdict(program, senders + 1, hub + sends, "--reduction", "footprints",
                                      "--max-executions", "1")
                self.assertNotIn("footprints", report, (senders, subset))
                self.assertNotEqual(report["verdict"], "verified", (senders, subset))
                self.assertIn("assertion.failed" if senders < 8 else "", report["no_footprint_proof"])

    def test_no_random_program_with_an_error_is_proved(self):
        self.compare(random_program, 3)

    def test_no_random_bag_of_tasks_with_an_error_is_proved(self):
        self.compare(random_bag, 2)

    def compare(self, make, share):
        """At least one in `share` of the right programs is proved."""
        program, proved, right = self.compile(INTERPRETER), 0, 0
        for seed in range(FIRST, LAST + 1):
            ranks, code = make(seed)
            report = self.verdict(program, ranks, code, "--reduction", "footprints", "--all")
            plain = self.verdict(program, ranks, code, "--reduction", "matching", "--all")
            if "footprints" in report:
                self.assertEqual(plain["verdict"], "verified", (seed, code))
                proved += 1
            right += plain["verdict"] == "verified"
            self.assertEqual(report["verdict"], plain["verdict"], (seed, code))
        print(f"random programs: {LAST - FIRST + 1}, right {right}, proved {proved}", file=sys.stderr)
        self.assertGreater(proved * share, right)

    def verdict(self, program, ranks, code, *options):
        done = subprocess.run([REHEARSE, "check", "-n", str(ranks), *INFINITE, "--quiet", "--json", "-", *options,
                               program, code], stdout=subprocess.PIPE, cwd=self.folder, check=False)
        return json.loads(done.stdout)


if __name__ == "__main__":
    if "--random" in sys.argv:
        at = sys.argv.index("--random")
        FIRST, LAST = (int(number) for number in sys.argv[at + 1].split("-"))
        del sys.argv[at:at + 2]
    if "--sums" in sys.argv:
        at = sys.argv.index("--sums")
        SENDERS = int(sys.argv[at + 1])
        del sys.argv[at:at + 2]
    closing_line.main()
