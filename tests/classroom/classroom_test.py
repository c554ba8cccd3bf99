#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The exercises of examples/classroom: each solution has all points, and of the skeleton and of each wrong submission
exactly the checks fail that are named here."""
import json
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs"))
from checking import BUILD, EXAMPLES, ROOT, WithPrograms  # noqa: E402

import closing_line  # noqa: E402
import commands  # noqa: E402

CLASSROOM = EXAMPLES / "classroom"
SKELETON = "."

FAILS = {
    "1_ring": {
        SKELETON: {"four ranks, in every execution", "five ranks, the right sums",
                   "sixteen ranks work at the same time"},
        "both_send_first": {"four ranks, in every execution"},
        "one_too_many": {"four ranks, in every execution", "five ranks, the right sums",
                         "sixteen ranks work at the same time"},
        "waits_for_its_turn": {"sixteen ranks work at the same time"},
    },
    "2_broadcast": {
        SKELETON: {"a small message in a cluster", "a large message in a cluster", "a large message in a fat tree",
                   "a large message in a torus"},
        "root_is_zero": {"the tree, seven ranks, root 3", "a small message in a cluster"},
        "powers_of_two": {"the tree, seven ranks, root 3"},
        "in_one_piece": {"a large message in a cluster", "a large message in a fat tree",
                         "a large message in a torus"},
    },
    "3_halo": {
        SKELETON: {"three ranks, in every execution", "two ranks with one cell each", "the right temperature",
                   "many ranks exchange at the same time"},
        "sends_first": {"three ranks, in every execution", "two ranks with one cell each"},
        "wrong_ends": {"three ranks, in every execution", "many ranks exchange at the same time"},
        "one_after_the_other": {"many ranks exchange at the same time"},
        "does_not_wait": {"three ranks, in every execution", "two ranks with one cell each",
                          "a rank without neighbours", "the right temperature",
                          "many ranks exchange at the same time"},
    },
    "4_farm": {
        SKELETON: {"two workers, in every order", "more workers than tasks", "nobody waits without need"},
        "order_of_arrival": {"two workers, in every order", "nobody waits without need"},
        "no_stop": {"more workers than tasks", "no task at all"},
        "fixed_shares": {"nobody waits without need"},
    },
    "5_matrix": {
        SKELETON: {"three ranks, in every execution", "the right corner", "no bottleneck"},
        "one_buffer": {"three ranks, in every execution", "the right corner", "no bottleneck"},
        "own_root": {"three ranks, in every execution", "the right corner", "no bottleneck"},
        "all_from_the_first": {"no bottleneck"},
    },
    "6_philosophers": {
        SKELETON: {"two philosophers, in every order", "three philosophers, in every order"},
        "puts_back_too_early": {"two philosophers, in every order", "three philosophers, in every order",
                                "five philosophers eat within three seconds"},
        "asks_for_the_whole_meal": {"five philosophers eat within three seconds"},
    },
    "7_election": {
        SKELETON: {"three ranks, in every execution", "four ranks in another order", "eight ranks agree",
                   "twelve ranks agree"},
        "news_go_on": {"three ranks, in every execution", "four ranks in another order", "a rank on its own",
                       "eight ranks agree", "twelve ranks agree"},
        "keeps_it_secret": {"three ranks, in every execution", "four ranks in another order", "eight ranks agree",
                            "twelve ranks agree"},
        "last_rank_wins": {"four ranks in another order", "eight ranks agree", "twelve ranks agree"},
    },
    "8_pipeline": {
        SKELETON: {"faster than in one piece", "as fast as ours"},
        "tiny_pieces": {"faster than in one piece", "as fast as ours"},
        "loses_the_rest": {"a few bytes", "one stage"},
        "one_request": {"three stages, in every execution", "faster than in one piece", "as fast as ours"},
    },
}


class Classroom(WithPrograms):
    def grade(self, exercise, submission, status):
        done = self.rehearse("grade", CLASSROOM / exercise, "--submission", CLASSROOM / exercise / submission,
                             "--json", "-", status=status)
        return json.loads(done.stdout)["exercises"][0]

    def test_every_exercise_is_here_with_all_its_wrong_submissions(self):
        folders = {p.parent.name for p in CLASSROOM.glob("*/exercise.json")}
        self.assertEqual(folders, set(FAILS))
        for exercise, submissions in FAILS.items():
            wrong = {p.name for p in (CLASSROOM / exercise / "wrong").iterdir() if p.is_dir()}
            self.assertEqual(wrong | {SKELETON}, set(submissions))
            self.assertGreaterEqual(len(wrong), 2)
            self.assertTrue((CLASSROOM / exercise / "README.md").exists())
            self.assertEqual(set(self.mistakes(exercise)), wrong)

    def test_the_tasks_say_what_one_sees(self):
        for page in sorted(CLASSROOM.glob("**/README.md")):
            with self.subTest(page.parent.name):
                executed, failures = commands.check_page(page, ROOT, BUILD)
                self.assertEqual(failures, [])
                self.assertGreater(executed, 0)

    def test_every_check_can_fail(self):
        """Each but those that are there for what our submissions get right is failed by one of them."""
        for exercise, submissions in FAILS.items():
            checks = json.loads((CLASSROOM / exercise / "exercise.json").read_text())["checks"]
            failed = set.union(*submissions.values())
            self.assertLessEqual(failed, {check["name"] for check in checks})
            self.assertGreaterEqual(len(failed), 2, exercise)

    def test_every_solution_has_all_points(self):
        for exercise in FAILS:
            with self.subTest(exercise):
                grade = self.grade(exercise, "solution", 0)
                self.assertEqual([c for c in grade["checks"] if not c["passed"]], [])
                self.assertEqual(grade["points"], grade["points_max"])
                self.assertGreater(grade["points"], 0)

    def test_skeletons_and_wrong_submissions_fail_where_they_should(self):
        for exercise, submissions in FAILS.items():
            for submission, expected in submissions.items():
                with self.subTest(exercise=exercise, submission=submission):
                    folder = submission if submission == SKELETON else f"wrong/{submission}"
                    grade = self.grade(exercise, folder, 1)
                    failed = {c["name"]: c for c in grade["checks"] if not c["passed"]}
                    self.assertEqual(set(failed), expected, failed)
                    self.assertLess(grade["points"], grade["points_max"])
                    if submission != SKELETON:
                        self.assertEqual(self.mistakes(exercise)[submission], f"{grade['points']:g}")

    def mistakes(self, exercise):
        """The points of each submission that the page about its mistakes states."""
        page = (CLASSROOM / exercise / "wrong/MISTAKES.md").read_text()
        return dict(re.findall(r"^\| `(\w+)` \|.*\| (\d+) \|$", page, re.MULTILINE))


if __name__ == "__main__":
    closing_line.main()
