#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse grade: every submission is graded within its bounds, and errors in specifications have a place."""
import json
import os
import time
import xml.etree.ElementTree as xml

from checking import REHEARSE, WithPrograms

import closing_line

HEAD = """#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
"""
HELLO = HEAD + """int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("hello from %d\\n", rank);
  MPI_Finalize();
  return 0;
}
"""
CHECK = {"name": "explored", "points": 2, "check": {"ranks": 2}}
RUN = {"name": "output", "points": 3,
       "run": {"ranks": 2, "output": {"sorted": ["hello from 0", "hello from 1"]}}}


def hello(statement):
    return HELLO.replace("  printf", "  " + statement + "\n  printf")

TWO_LINES = HELLO.replace('printf("hello from %d\\n", rank)', 'puts("one\\ntwo ")')


class Grading(WithPrograms):
    def exercise(self, checks=(CHECK, RUN), **more):
        self.write("task/exercise.json", json.dumps({
            "exercise": "Say hello", "sources": ["hello.c"], "compile": {"points": 1},
            "limits": {"seconds": 3, "output_bytes": 100000, "memory_bytes": 500_000_000}, "checks": list(checks),
            **more}))

    def grade(self, source, *options, status=1, exercise=None):
        """The checks by name, graded in the exercise of say hello unless there is another."""
        if not (self.folder / "task").exists():
            self.exercise(**(exercise or {}))
        self.write("handed/hello.c", source)
        done = self.rehearse("grade", "task", "--submission", "handed", *options, "--json", "grade.json",
                             status=status)
        self.text = done.stdout
        self.report = json.loads((self.folder / "grade.json").read_text())
        return {check["name"]: check for check in self.report["exercises"][0]["checks"]}

    def assert_failed(self, check, *words):
        self.assertFalse(check["passed"])
        self.assertEqual(check["points"], 0)
        for word in words:
            self.assertIn(word, check["happened"] + "\n" + check["details"])


class Answers(Grading):
    def test_what_is_right_has_all_points(self):
        checks = self.grade(HELLO, status=0)
        self.assertEqual([(c["passed"], c["points"]) for c in checks.values()], [(True, 1), (True, 2), (True, 3)])
        self.assertEqual((self.report["points"], self.report["points_max"], self.report["passed"]), (6, 6, True))
        self.assertIn("6 of 6 points", self.text)

    def test_what_fails_says_what_was_tried_expected_and_seen(self):
        checks = self.grade(hello("int n; MPI_Recv(&n, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"))
        self.assert_failed(checks["explored"], "deadlock.cycle", "hello.c:11", "what to do")
        self.assert_failed(checks["output"], "deadlock.cycle")
        for words in ("FAILED  explored: 0 of 2 points", "tried:    rehearse check -n 2 ./hello",
                      "expected: verified", "happened: violation: deadlock.cycle", "1 of 6 points"):
            self.assertIn(words, self.text)

    def test_a_hint_is_for_those_who_did_not_pass(self):
        self.exercise([{**CHECK, "hint": "Who sends to whom?"}, RUN])
        self.grade(HELLO, status=0)
        self.assertNotIn("hint", self.text)
        checks = self.grade(hello("MPI_Ssend(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);"))
        self.assertEqual([checks[name]["hint"] for name in ("explored", "output")], ["Who sends to whom?", ""])
        self.assertIn("            hint:     Who sends to whom?\n", self.text)

    def test_the_first_difference_of_outputs_is_reported(self):
        for how, lines, words in (
                ("sorted", ["one", "three"], "missing: 'three'; one is too much: 'two'"),
                ("lines", ["one", "three"], "line 2 of the output is 'two', not 'three'"),
                ("lines", ["one"], "line 2 of the output is too much: 'two'"),
                ("lines", ["one", "two", "three"], "line 3 of the output is missing: 'three'"),
                ("contains", ["two", "one"], "a line of the output is missing: 'one'"),
                ("exact", "one\ntwo", "differs in blanks or line breaks")):
            with self.subTest(how, lines=lines):
                self.exercise([{"name": "output", "run": {"ranks": 1, "output": {how: lines}}}])
                self.assert_failed(self.grade(TWO_LINES)["output"], "another output", words)
        for output in ({"contains": ["two"]}, {"exact": "one\ntwo \n"}, {"lines": ["one", "two"]},
                       {"sorted": ["two", "one"]}):
            self.exercise([{"name": "output", "run": {"ranks": 1, "output": output}}])
            self.grade(TWO_LINES, status=0)

    def test_a_verdict_within_bounds_is_one_of_bounds_only(self):
        many = """int n;
  if (rank == 0) for (int i = 0; i < 12; ++i)
    MPI_Recv(&n, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else for (int i = 0; i < 4; ++i) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);"""
        limits = {"seconds": 10, "executions": 50}
        for verdict, status in (("within bounds", 0), ("verified", 1)):
            self.exercise([{"name": "explored", "check": {"ranks": 4, "verdict": verdict}}], limits=limits)
            check = self.grade(hello(many), status=status)["explored"]
            self.assertIn("nothing wrong in 50 executions", check["happened"])
        self.exercise([{"name": "explored", "check": {"ranks": 2, "verdict": "within bounds"}}], limits=limits)
        self.assert_failed(self.grade(hello("if (rank) fork();"))["explored"], "fork")

    def test_an_exercise_can_ask_for_a_program_that_fails(self):
        stuck = hello("MPI_Ssend(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);")
        for finding, source, status in (("deadlock", stuck, 0), ("deadlock.cycle", stuck, 0), ("crash", stuck, 1),
                                        ("deadlock", HELLO, 1)):
            self.exercise([{"name": "explored", "check": {"ranks": 2, "verdict": "violation", "finding": finding}}])
            self.grade(source, status=status)

    def test_an_exercise_can_ask_for_programs_without_warnings(self):
        leaks = hello("MPI_Comm other; MPI_Comm_dup(MPI_COMM_WORLD, &other);")
        for kind in ("check", "run"):
            for more, status in (({}, 0), ({"warnings_as_errors": True}, 1)):
                with self.subTest(kind, status=status):
                    self.exercise([{"name": "explored", kind: {"ranks": 2, **more}}])
                    self.grade(leaks, status=status)

    def test_time_is_compared_with_a_bound_and_with_the_reference(self):
        self.write("task/solution/hello.c", hello("usleep(100000);"))
        for sleep, expected in ((50000, [True, True]), (105000, [True, True]), (150000, [True, False]),
                                (300000, [False, False])):
            self.exercise([{"name": "bound", "run": {"ranks": 2, "on": "cluster:2", "seconds_max": 0.2}},
                           {"name": "reference", "run": {"ranks": 2, "on": "cluster:2", "reference_times_max": 1.1}}],
                          reference="solution")
            checks = self.grade(hello(f"usleep({sleep});"), status=0 if all(expected) else 1)
            self.assertEqual([checks[n]["passed"] for n in ("bound", "reference")], expected)
        self.assert_failed(checks["bound"], "too slow: 0.300", "at most 0.2 s")

    def test_a_platform_file_of_the_exercise_is_found(self):
        self.exercise([{"name": "fast", "run": {"ranks": 2, "on": "two.xml", "eager": 0, "seconds_max": 1}}])
        self.rehearse("platform", "generate", "star", "--nodes", 2, "-o", self.folder / "task" / "two.xml")
        self.grade(HELLO, status=0)

    def test_a_folder_of_exercises_is_graded_together(self):
        for name, source in (("a", HELLO), ("b", "int main(")):
            self.exercise()
            (self.folder / "all").mkdir(exist_ok=True)
            (self.folder / "task").rename(self.folder / "all" / name)
            self.write(f"handed/{name}/hello.c", source)
        done = self.rehearse("grade", "all", "--submission", "handed", status=1)
        self.assertIn("total: 6 of 12 points", done.stdout)


class Bounds(Grading):
    def setUp(self):
        super().setUp()
        self.begin = time.monotonic()

    def tearDown(self):
        self.assertLess(time.monotonic() - self.begin, 60)

    def test_what_does_not_compile_fails_with_the_compilers_words(self):
        checks = self.grade("int main( {")
        self.assert_failed(checks["it compiles"], "hello.c:1", "error")
        self.assert_failed(checks["explored"], "does not compile")
        self.assertEqual(self.report["points"], 0)

    def test_a_file_that_is_not_there_or_is_no_file_fails(self):
        self.exercise()
        (self.folder / "handed").mkdir()
        done = self.rehearse("grade", "task", "--submission", "handed", status=1)
        self.assertIn("there is no file hello.c", done.stdout)
        os.symlink("/dev/zero", self.folder / "handed" / "hello.c")
        self.rehearse("grade", "task", "--submission", "handed", status=1)

    def test_a_source_that_keeps_the_compiler_busy_is_ended(self):
        checks = self.grade('#include "/dev/zero"\n')
        self.assert_failed(checks["it compiles"], "the compiler was")

    def test_crashes_and_exits_fail(self):
        for statement, words in (("*(volatile int*)0 = 1;", "crash.segfault"), ("exit(0);", "lifecycle.finalized"),
                                 ("abort();", "crash.abort"), ("_exit(0);", "lifecycle.finalized"),
                                 ("kill(getpid(), 9);", "signal")):
            with self.subTest(statement):
                checks = self.grade("#include <signal.h>\n" + hello(statement))
                self.assert_failed(checks["explored"], words)
                self.assert_failed(checks["output"])

    def test_loops_that_never_end_fail_in_time(self):
        for statement in ("for (volatile int i = 0; ; ++i) {}", "for (;;) usleep(1000000);",
                          "int flag = 0; while (!flag) MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, "
                          "MPI_STATUS_IGNORE);", 'asm volatile("1: pause; jmp 1b");',
                          "for (;;) MPI_Barrier(MPI_COMM_SELF);", "sleep(1000000); pause();"):
            with self.subTest(statement):
                checks = self.grade(hello(statement))
                self.assertFalse(checks["explored"]["passed"])
                self.assertFalse(checks["output"]["passed"])

    def test_too_much_memory_and_output_fail(self):
        checks = self.grade(hello("for (;;) memset(malloc(1 << 20), 1, 1 << 20);"))
        self.assertFalse(checks["explored"]["passed"])
        self.assertFalse(checks["output"]["passed"])
        checks = self.grade(hello('for (int i = 0; i < 1000000; ++i) puts("hello hello hello hello");'))
        self.assert_failed(checks["output"], "more than 100 kB of output")

    def test_files_are_not_written_and_nothing_is_left_behind(self):
        before = sorted(p for p in self.folder.rglob("*"))
        written = self.folder / "written"
        self.grade(hello(f'FILE* f = fopen("{written}", "w"); fputs("x", f); fclose(f); fopen("here", "w");'), status=0)
        self.assertFalse(written.exists())
        self.assertEqual({p.name for p in self.folder.rglob("*")} - {p.name for p in before},
                         {"task", "handed", "exercise.json", "hello.c", "grade.json"})

    def test_processes_that_it_starts_fail_and_do_not_survive(self):
        self.assert_failed(self.grade(hello("fork();"))["explored"], "fork")
        # Past libc: a child in a session of its own that would live on.
        mark = self.folder / "alive"
        escape = """
  long made, none;
  __asm__ volatile("syscall" : "=a"(made) : "0"(57L) : "rcx", "r11", "memory");
  if (made == 0) {
    __asm__ volatile("syscall" : "=a"(none) : "0"(112L) : "rcx", "r11", "memory");
    long wait[2] = {4, 0};
    __asm__ volatile("syscall" : "=a"(none) : "0"(35L), "D"(wait), "S"(0L) : "rcx", "r11", "memory");
    __asm__ volatile("syscall" : "=a"(none) : "0"(2L), "D"("%s"), "S"(0101L), "d"(0600L) : "rcx", "r11", "memory");
    __asm__ volatile("syscall" : : "a"(231L), "D"(0L) : "rcx", "r11", "memory");
  }""" % mark
        self.grade(hello(escape), status=None)
        time.sleep(5)
        self.assertFalse(mark.exists())


class Actors(Grading):
    PROGRAM = """#include <iostream>
#include <string>
#include "simcore/actor_api.hpp"
int main(int argc, char**) {
  auto platform = rehearse::make_platform("laptop");
  rehearse::sim::Simulation simulation(platform.value());
  simulation.add_actor("a", simulation.hosts()[0], [] { rehearse::sim::this_actor::sleep_for(2); });
  std::cout << "over after " << simulation.run().end << " s" << std::endl;
  while (argc > 2) std::cout << "again" << std::endl;
  return argc - 1;
}
"""

    def test_programs_of_actors_are_run_within_bounds(self):
        def trial(name, *arguments):
            return {"name": name, "program": {"arguments": arguments, "output": {"lines": ["over after 2 s"]}}}

        self.exercise([trial("good"), trial("status", "x"), trial("endless", "x", "y")], actors=True,
                      sources=["hello.cpp"], limits={"seconds": 60, "output_bytes": 1000000})
        self.write("handed/hello.cpp", self.PROGRAM)
        specification = json.loads((self.folder / "task/exercise.json").read_text())
        self.assertEqual(specification["actors"], True)
        done = self.rehearse("grade", "task", "--submission", "handed", "--json", "-", status=1)
        good, status, endless = json.loads(done.stdout)["exercises"][0]["checks"][1:]
        self.assertTrue(good["passed"])
        self.assert_failed(status, "it ends with status 1", "over after 2 s")
        self.assert_failed(endless, "wrote more than 1000 kB of output")


class Hiding(Grading):
    TEST = HEAD + """#include <assert.h>
int secret_of(int rank);
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  assert(secret_of(rank) == 4711 + rank);
  MPI_Finalize();
  return 0;
}
"""

    def setUp(self):
        super().setUp()
        self.write("task/hidden/test.c", self.TEST)
        self.exercise([CHECK, {"name": "quiet", "hidden": True,
                               "run": {"ranks": 2, "arguments": ["4711"], "output": {"lines": ["4711"]}}}],
                      hidden=["hidden/test.c"])

    def assert_hidden(self, source):
        checks = self.grade(source)
        for text in (self.text, json.dumps(self.report)):
            self.assertNotIn("4711", text)
            self.assertNotIn("test.c", text)
        return checks

    def test_a_hidden_test_is_not_shown_when_it_fails(self):
        checks = self.assert_hidden("int secret_of(int rank) { return rank; }")
        self.assert_failed(checks["explored"], "assertion.failed", "in the hidden test")
        self.assertEqual(checks["quiet"]["tried"], "a hidden check")

    def test_a_hidden_test_is_not_shown_when_it_does_not_compile_or_link(self):
        checks = self.assert_hidden("int other(void) { return 0; }")
        self.assert_failed(checks["it compiles"], "undefined reference to `secret_of'")
        self.assert_hidden("int secret_of(int rank) { return rank; }\nint main(void) { return 0; }")

    def test_what_the_student_did_is_shown_all_the_same(self):
        checks = self.assert_hidden(HEAD + "int secret_of(int rank) {\n  return *(volatile int*)(long)(rank & 0);\n}")
        self.assert_failed(checks["explored"], "crash.segfault", "hello.c:8")

    def test_a_teacher_can_have_it_shown(self):
        checks = self.grade("int secret_of(int rank) { return rank; }", "--reveal")
        self.assert_failed(checks["explored"], "test.c:13", "4711 + rank")
        self.assertIn("./hello 4711", checks["quiet"]["tried"])


class Files(Grading):
    def test_junit_has_a_case_for_each_check(self):
        self.grade(hello("abort();"), "--junit", "grade.xml")
        suite = xml.parse(self.folder / "grade.xml").getroot().find("testsuite")
        self.assertEqual((suite.get("name"), suite.get("tests"), suite.get("failures")), ("Say hello", "3", "2"))
        failed = {case.get("name"): case.find("failure") for case in suite}
        self.assertIsNone(failed["it compiles"])
        self.assertIn("crash.abort", failed["explored"].get("message"))
        self.assertIn("expected: verified", failed["explored"].text)

    def test_gradescope_has_scores(self):
        self.grade(hello("if (rank == 5) abort(); usleep(1);").replace("hello from", "bye from"), "--gradescope",
                   "results.json")
        results = json.loads((self.folder / "results.json").read_text())
        self.assertEqual(results["score"], 3)
        self.assertEqual([(t["name"], t["score"], t["max_score"], t["status"]) for t in results["tests"]],
                         [("it compiles", 1, 1, "passed"), ("explored", 2, 2, "passed"), ("output", 0, 3, "failed")])

    def test_a_file_that_cannot_be_written_is_an_error(self):
        self.exercise()
        self.write("handed/hello.c", HELLO)
        for option in ("--json", "--junit", "--gradescope"):
            done = self.rehearse("grade", "task", "--submission", "handed", "--quiet", option, "none/x", status=2)
            self.assert_one_error(done, option, "none/x")


class Specifications(Grading):
    def assert_refused(self, *words):
        self.write("handed/hello.c", HELLO)
        self.assert_one_error(self.rehearse("grade", "task", "--submission", "handed", status=2), *words)

    def test_wrong_values_are_reported_with_place_value_and_what_is_accepted(self):
        def check(**more):
            return {"checks": [{"name": "a", "check": {"ranks": 2, **more}}]}

        def run(**more):
            return {"checks": [{"name": "a", "run": {"ranks": 2, **more}}]}

        for wrong, words in (
                ({"checks": []}, ["checks", "one at least"]),
                ({"sources": []}, ["sources", "one at least"]),
                ({"sources": ["../hello.c"]}, ["sources", "../hello.c", "lead out"]),
                ({"hidden": ["hidden/none.c"]}, ["hidden", "there is no file hidden/none.c"]),
                ({"reference": "none"}, ["reference", "hello.c"]),
                ({"title": "x"}, ["unknown key 'title'", "exercise"]),
                ({"limits": {"seconds": "ten"}}, ["limits.seconds", '"ten"', "a number from 0.1 on"]),
                ({"limits": {"second": 10}}, ["limits", "unknown key 'second'"]),
                (check(ranks=0), ["checks[0].check.ranks", "0", "a whole number from 1 to 65536"]),
                (check(ranks=1.5), ["checks[0].check.ranks", "1.5"]),
                (check(verdict="good"), ["checks[0].check.verdict", '"good"', "verified, within bounds, violation"]),
                (check(finding="crash"), ["checks[0].check", "violation"]),
                (check(buffering="some"), ["'a'", "--buffering", "some"]),
                (run(on="nowhere"), ["'a'", "nowhere"]),
                (run(output={"line": []}), ["checks[0].run.output", "exact, lines, sorted and contains"]),
                (run(output={"lines": [1]}), ["checks[0].run.output.lines", "an array of texts"]),
                (run(reference_times_max=2), ["reference_times_max", "reference"]),
                (run(compute="all"), ["checks[0].run.compute", "none, instructions, measured"]),
                ({"actors": True}, ["checks[0]", "of the kind 'program'"]),
                ({"actors": 1}, ["actors", "true, false"]),
                ({"checks": [{"name": "a", "program": {}}]}, ["checks[0]", "one of actors"]),
                ({"checks": [CHECK, CHECK]}, ["checks[1]", "the same name"]),
                ({"checks": [{"name": "a", "check": {"ranks": 1}, "run": {"ranks": 1}}]}, ["either 'check' or 'run'"])):
            with self.subTest(wrong):
                self.exercise(**{"checks": [CHECK], **wrong})
                self.assert_refused("task/exercise.json", *words)

    def test_a_file_that_is_no_json_is_reported_with_its_line(self):
        self.write("task/exercise.json", '{\n  "exercise": "x",\n}')
        self.assert_refused("task/exercise.json", "line 3")

    def test_folders_without_exercises_are_refused(self):
        (self.folder / "task").mkdir()
        self.assert_refused("there is no exercise.json")
        self.assert_one_error(self.rehearse("grade", "nowhere", status=2), "nowhere")
        self.exercise()
        self.assert_one_error(self.rehearse("grade", "task", "--submission", "nowhere", status=2), "nowhere")

    def test_a_reference_that_is_wrong_is_the_teachers_fault(self):
        run = {"name": "fast", "run": {"ranks": 2, "reference_times_max": 1,
                                       "output": {"sorted": ["hello from 0", "hello from 1"]}}}
        for source, words in (("int main(", "does not compile"), (hello("abort();"), "ends with status 1"),
                              (HELLO.replace("hello from", "bye from"), "does not print")):
            self.write("task/solution/hello.c", source)
            self.exercise([run], reference="solution")
            self.assert_refused("task/exercise.json", "reference", words)


if __name__ == "__main__":
    closing_line.main()
