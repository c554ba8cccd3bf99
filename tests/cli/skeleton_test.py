#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse skeleton: programs from their traces, predictions, clear errors."""
import json
import unittest

from checking import EXAMPLES, WithPrograms


def line_of(rank, words):
    return " ".join(str(word) for word in (rank, *words))


def ring(ranks, broken=False):
    lines = []
    for rank in range(ranks):
        lines.append(line_of(rank, ["init"]))
        for turn in range(10):
            lines.append(line_of(rank, ["compute", 1e6]))
            lines.append(line_of(rank, ["irecv", (rank - 1) % ranks, 1, 4000, 6]))
            size = 4000 + (rank * 7919 % 97 if broken else 0)
            lines.append(line_of(rank, ["send", (rank + 1) % ranks, 1, size, 6]))
            lines.append(line_of(rank, ["wait", (rank - 1) % ranks, rank, 1]))
        lines.append(line_of(rank, ["allreduce", 8, 0, 6]))
        lines.append(line_of(rank, ["finalize"]))
    return "\n".join(lines) + "\n"


class Skeletons(WithPrograms):
    def traces(self, sizes, **how):
        return [self.write(f"ring{ranks}.ti", ring(ranks, **how)) for ranks in sizes]

    def test_a_ring_is_read_again_by_sweep(self):
        path = self.folder / "ring.skeleton.json"
        made = self.rehearse("skeleton", *self.traces((4, 8, 16)), "-o", path)
        self.assertIn("makes all", made.stderr)
        self.assertIn("the run with 16 ranks, which was held back", made.stderr)
        with open(path, encoding="utf-8") as file:
            skeleton = json.load(file)
        self.assertEqual(skeleton["name"], "ring")
        self.assertEqual(skeleton["body"][0]["loop"], 10)
        steps = [step for step in skeleton["body"][0]["body"] if "compute" not in step]
        self.assertEqual(steps[0]["irecv"], "(r - 1) % P")
        self.assertEqual(steps[1]["send"], "(r + 1) % P")
        swept = self.rehearse("sweep", path, "--ranks", "64", "--replicas", "1", "--quiet", "--json", "-")
        point = json.loads(swept.stdout)["points"][0]
        self.assertEqual(point["ranks"], 64)
        self.assertGreater(point["mean"], 10 * 1e-4)  # 1e6 flops at 1e10 flops per second

    def test_sizes_that_depend_on_data_are_named_and_nothing_is_written(self):
        path = self.folder / "none.json"
        made = self.rehearse("skeleton", *self.traces((4, 8, 16), broken=True), "-o", path, status=3)
        self.assertIn("inconclusive: ", made.stderr)
        self.assertIn("send", made.stderr)
        self.assertIn("by hand", made.stderr)
        self.assertFalse(path.exists())

    def test_programs_of_the_examples_are_predicted_or_refused(self):
        """None of them is among those with which the inference was written."""
        expected = {"heat": 0, "diffusion2d": 0, "floyd": 0, "integrate": 0, "matmul": 0, "workers": 0, "gauss": 3}
        for name, status in expected.items():
            program = self.compile(EXAMPLES / f"classics/{name}.c", name)
            traces = []
            for ranks in (4, 8, 16, 32):
                traces.append(f"{name}{ranks}.rtrace")
                self.rehearse("trace", "record", "-n", ranks, "--on", f"cluster:{ranks}", "--compute", "none",
                              "--quiet", "-o", traces[-1], program)
            made = self.rehearse("skeleton", *traces, "-o", f"{name}.json", status=status)
            if status == 0:
                self.assertIn("the run with 32 ranks, which was held back", made.stderr)
                self.rehearse("sweep", f"{name}.json", "--ranks", "64", "--replicas", "1", "--quiet")
            else:  # the owner of a pivot depends on the matrix
                self.assertIn("inconclusive: ", made.stderr)
                self.assertFalse((self.folder / f"{name}.json").exists())

    def test_workers_that_ask_are_refused_with_a_note(self):
        program = self.compile(EXAMPLES / "4_master_worker.c", "master")
        traces = []
        for ranks in (4, 8, 16):
            traces.append(f"master{ranks}.rtrace")
            self.rehearse("trace", "record", "-n", ranks, "--on", f"cluster:{ranks}", "--compute", "none", "--quiet",
                          "-o", traces[-1], program)
        made = self.rehearse("skeleton", *traces, "-o", "master.json", status=3)
        self.assertIn("a receive takes a message from any rank", made.stderr)
        self.assertFalse((self.folder / "master.json").exists())

    def test_bad_input_has_one_error(self):
        four, eight = self.traces((4, 8))
        out = self.write("out.json", "")
        self.assert_one_error(self.rehearse("skeleton", four, "-o", out, status=2), "one trace", "two or more")
        self.assert_one_error(self.rehearse("skeleton", four, four, "-o", out, status=2), "4 ranks each",
                              "different numbers of ranks")
        self.assert_one_error(self.rehearse("skeleton", four, "nowhere.ti", "-o", out, status=2), "nowhere.ti")
        self.assert_one_error(
            self.rehearse("skeleton", four, eight, "--profile", "nowhere.json", "-o", out, status=2), "nowhere.json")


if __name__ == "__main__":
    unittest.main()
