#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse run with sampled code: the executions that run, the time of the others, and reports about them."""
import json

from checking import EXAMPLES, WithPrograms

import closing_line

LOOP = """
  int ran = 0;
  for (int i = 0; i < 20; ++i) rehearse_sampled("work", 7) { ++ran; }
  printf("%d\\n", ran);"""

COMPAT = """
  int local = 0, global = 0, tagged = 0, old = 0, others = 0;
  SMPI_SAMPLE_LOCAL(int i = 0, i < 20, i++, 3, 0) { ++local; if (i == 1) continue; }
  SMPI_SAMPLE_GLOBAL(int i = 0, i < 20, i++, 3, 0) ++global;
  for (int tag = 0; tag < 2; ++tag)
    SMPI_SAMPLE_LOCAL_TAG(int i = 0, i < 20, i++, 3, 0, tag == 0 ? "a" : "b") { ++tagged; }
  for (int i = 0; i < 20; ++i) SMPI_SAMPLE_LOCAL(2) { ++old; }
  SMPI_SAMPLE_DELAY(0.5) { ++others; }
  SMPI_SAMPLE_FLOPS(5e9) { ++others; }
  printf("%d %d %d %d %d\\n", local, global, tagged, old, others);"""

FUNCTION = """#include <mpi.h>
#include <stdio.h>
static int calls, sizes;
__attribute__((noinline)) static double add(double scale, int n, const int* twice, double* of) {
  ++calls;
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += of[i % *twice] * scale;
  return sum;
}
__attribute__((noinline)) long depth(long n) {
  ++sizes;
  volatile long keep = n;
  return n == 0 ? 0 : 1 + depth(keep - 1);
}
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, last = 0;
  int eight = 8;
  for (int i = 0; i < 30; ++i) last = add(2, 8 + i % 2, &eight, values);
  long deep = 0;
  for (int i = 0; i < 10; ++i) deep = depth(3);
  printf("%d %g %d %ld\\n", calls, last, sizes, deep);
  MPI_Finalize();
  return 0;
}
"""


def of_class(name, numbers, warm, cold=(), scope="run", group=0):
    return {"name": name, "numbers": numbers, "scope": scope, "group": group, "cold": list(cold), "warm": list(warm),
            "sequence": list(warm), "starts": [[0, 0]] if warm else []}


class Sampling(WithPrograms):
    def compile_sampled(self, statements, name="program", header="rehearse.h"):
        source = ("#include <mpi.h>\n#include <stdio.h>\n#include <" + header + ">\nint main(int argc, char** argv) {\n"
                  "  MPI_Init(&argc, &argv);\n" + statements + "\n  MPI_Finalize();\n  return 0;\n}\n")
        return self.compile(self.write(name + ".c", source), name)

    def report(self, *words, status=0):
        done = self.rehearse("run", *words[:-1], "--json", "report.json", words[-1], status=status)
        return done, json.loads((self.folder / "report.json").read_text())

    def samples(self, *classes, name="samples.json"):
        return self.write(name, json.dumps({"format": "rehearse samples", "version": 1, "classes": classes}))

    def test_executions_beyond_the_sample_do_not_run(self):
        program = self.compile_sampled(LOOP)
        fixed = ("--sample-error", "0", "--sample-most", "4")
        done, report = self.report("-n", 2, *fixed, "--sample-scope", "rank", program)
        self.assertEqual(done.stdout, "4\n4\n")
        self.assertEqual(report["sampling"]["executed"], 8)
        self.assertEqual(report["sampling"]["skipped"], 32)
        self.assertEqual([each["group"] for each in report["sampling"]["classes"]], [0, 1])
        done, _ = self.report("-n", 2, *fixed, program)
        self.assertEqual(sum(map(int, done.stdout.split())), 4)
        done, _ = self.report("-n", 4, *fixed, "--sample-scope", "host", "--on", "cluster:2", program)
        self.assertEqual(sum(map(int, done.stdout.split())), 8)

    def test_reports_say_that_data_were_not_computed(self):
        program = self.compile_sampled(LOOP)
        done, report = self.report("-n", 1, "--sample-error", "0", "--sample-most", "4", program)
        self.assertEqual(report["data"], "not computed")
        self.assertIn(", data: not computed)", done.stderr)
        done, report = self.report("-n", 1, "--sample-error", "0", program)
        self.assertEqual(done.stdout, "20\n")
        self.assertNotIn("data", report)
        self.assertNotIn("data:", done.stderr)

    def test_findings_about_results_come_with_a_caveat(self):
        program = self.compile_sampled(LOOP + "\n  rehearse_assert(ran == 20);")
        done = self.rehearse("run", "-n", 1, "--sample-error", "0", "--sample-most", "4", program, status=1)
        self.assertIn("data: not computed: 16 executions of sampled code did not run", done.stderr)

    def test_a_file_that_has_all_classes_makes_runs_equal(self):
        program = self.compile_sampled(LOOP)
        file = self.samples(of_class("work", [7], [0.001, 0.002, 0.004], cold=[0.5]))
        before = file.read_bytes()
        reports = []
        for _ in range(2):
            done, report = self.report("-n", 3, "--compute", "none", "--sample-file", file, program)
            self.assertEqual(done.stdout, "0\n0\n0\n")
            report.pop("wall_seconds")
            reports.append(json.dumps(report))
        self.assertEqual(reports[0], reports[1])
        self.assertEqual(file.read_bytes(), before)
        seconds = json.loads(reports[0])["simulated_seconds"]
        self.assertGreater(seconds, 0.5 + 19 * 0.001)
        self.assertLess(seconds, 0.5 + 19 * 0.004)

    def test_the_mean_and_the_sequence_of_a_file_take_exact_times(self):
        program = self.compile_sampled(LOOP)
        file = self.samples(of_class("work", [7], [0.001, 0.002, 0.006], cold=[0.5]))
        in_order = 0.5 + (0.002 + 0.006) + 5 * 0.009 + (0.001 + 0.002)
        for how, expected in (("mean", 0.5 + 19 * 0.003), ("sequence", in_order)):
            _, report = self.report("-n", 1, "--compute", "none", "--sample-as", how, "--sample-file", file, program)
            self.assertAlmostEqual(report["simulated_seconds"], expected, delta=1e-9)
        _, report = self.report("-n", 1, "--compute", "none", "--sample-as", "mean", "--compute-scale", "2",
                                "--sample-file", file, program)
        self.assertAlmostEqual(report["simulated_seconds"], 2 * (0.5 + 19 * 0.003), delta=1e-9)

    def test_a_file_is_written_and_taken_again(self):
        program = self.compile_sampled(LOOP)
        options = ("-n", 2, "--sample-error", "0", "--sample-most", "4", "--sample-file", "new.json")
        self.assertNotEqual(self.report(*options, program)[0].stdout, "0\n0\n")
        first = (self.folder / "new.json").read_bytes()
        self.assertEqual(self.report(*options, program)[0].stdout, "0\n0\n")
        self.assertEqual((self.folder / "new.json").read_bytes(), first)
        [written] = json.loads(first)["classes"]
        self.assertEqual((written["name"], written["numbers"], written["scope"]), ("work", [7], "run"))
        self.assertEqual(len(written["cold"]) + len(written["warm"]), 4)

    def test_bad_files_are_refused(self):
        program = self.compile_sampled(LOOP)
        bad = of_class("work", [7], [0.1])
        for change, words in (({"name": 3}, ["class 1", "'name'", "3"]),
                              ({"scope": "world"}, ["world", "run, host, rank"]),
                              ({"numbers": [1, 2, 3, 4, 5]}, ["at most 4"]), ({"warm": [2, 1]}, ["ascending"]),
                              ({"warm": [-1]}, ["-1", "not negative"]), ({"starts": [[0, 9]]}, ["place 9"]),
                              ({"warm": [], "sequence": []}, ["both empty"])):
            file = self.samples({**bad, **change})
            done = self.rehearse("run", "-n", 1, "--sample-file", file, program, status=2)
            self.assert_one_error(done, "samples.json", *words)
        done = self.rehearse("run", "-n", 1, "--sample-file", self.samples(bad, bad), program, status=2)
        self.assert_one_error(done, "class 2", "exists twice")
        for text, words in (("", []), ('{"format": "rehearse samples", "version": 1, "classes": [', []),
                            ("[1, 2]", ["format"]), ('{"format": "other"}', ["format", "rehearse samples"]),
                            ('{"format": "rehearse samples"}', ["'version' is missing"]),
                            ('{"format": "rehearse samples", "version": 1, "classes": [3]}', ["class 1"]),
                            ('{"format": "rehearse samples", "version": 1, "classes": [{}]}', ["class 1", "'name'"]),
                            ("\x7fELF\x02\x01", [])):
            file = self.write("other.json", text)
            done = self.rehearse("run", "-n", 1, "--sample-file", file, program, status=2)
            self.assert_one_error(done, "other.json", *words)
        for place in (self.folder, self.folder / "missing" / "samples.json"):
            done = self.rehearse("run", "-n", 1, "--sample-file", place, program, status=2)
            self.assert_one_error(done, "--sample-file", place)
        file = self.write("version.json", '{"format": "rehearse samples", "version": 9, "classes": []}')
        self.assert_one_error(self.rehearse("run", "-n", 1, "--sample-file", file, program, status=2), "version 9")

    def test_check_refuses_the_options_and_executes_all_code(self):
        program = self.compile_sampled(LOOP + "\n  rehearse_assert(ran == 20);")
        for option in ("--sample-as", "--sample-error", "--sample-most", "--sample-scope", "--sample-file",
                       "--sample-model", "--sample-function"):
            done = self.rehearse("check", "-n", 1, option, "draw", program, status=2)
            self.assert_one_error(done, option, "only for rehearse run")
        self.rehearse("check", "-n", 2, program)
        self.assert_one_error(self.rehearse("check", "-n", 1, "--compute", "sampled", program, status=2), "sampled")

    def test_sizes_that_never_ran_take_the_time_of_a_law_if_that_is_wanted(self):
        program = self.compile_sampled("""
  int ran = 0;
  for (int i = 0; i < 4; ++i) rehearse_sampled("work", 3, 2) ++ran;
  rehearse_sampled("work", 100, 1) ++ran;
  printf("%d\\n", ran);""")
        # A second, and 0.5 s for each unit of the product.
        file = self.samples(*(of_class("work", [size, 1], [1 + 0.5 * size]) for size in (1, 4, 8, 10)))
        options = ("-n", 1, "--compute", "none", "--sample-file", file)
        before = file.read_bytes()
        done, report = self.report(*options, "--sample-model", program)
        self.assertEqual(done.stdout, "0\n")
        self.assertAlmostEqual(report["simulated_seconds"], 4 * (1 + 0.5 * 6) + 1 + 0.5 * 100, delta=1e-6)
        self.assertIn("sampled code 'work': 5 executions of 2 classes that never ran took the time of a law",
                      done.stderr)
        self.assertIn("1 outside of the measured sizes", done.stderr)
        laws = {tuple(each["numbers"]): each.get("law") for each in report["sampling"]["classes"]}
        self.assertIsNone(laws[(4, 1)])
        self.assertEqual((laws[(3, 2)]["extrapolated"], laws[(100, 1)]["extrapolated"]), (False, True))
        self.assertEqual(file.read_bytes(), before)
        self.assertEqual(self.report(*options, program)[0].stdout, "5\n")
        # The times of another law: the code runs.
        file = self.samples(*(of_class("work", [size, 1], [size * size]) for size in (1, 4, 8, 10)))
        done, report = self.report("-n", 1, "--sample-file", file, "--sample-model", program)
        self.assertEqual(done.stdout, "5\n")

    def test_a_recording_says_that_data_were_not_computed_and_so_do_all_reports_from_it(self):
        program = self.compile_sampled(LOOP + "\n  MPI_Barrier(MPI_COMM_WORLD);")
        options = ("-n", 2, "--json", "report.json", "--sample-error", "0")
        recorded = {}
        for name, most in (("left_out.rtrace", "4"), ("whole.rtrace", "100")):
            self.rehearse("trace", "record", "-o", name, *options, "--sample-most", most, program)
            recorded[name] = json.loads((self.folder / "report.json").read_text())
        for name in recorded:
            is_left_out = name == "left_out.rtrace"
            said = self.assertIn if is_left_out else self.assertNotIn
            said("data: not computed\n", self.rehearse("trace", "info", name).stdout)
            done = self.rehearse("trace", "replay", "--json", "report.json", "--report", "page.html", name)
            report = json.loads((self.folder / "report.json").read_text())
            self.assertEqual(report["simulated_seconds"], recorded[name]["simulated_seconds"])
            said(", data: not computed)", done.stderr)
            self.assertEqual(report.get("data"), "not computed" if is_left_out else None)
            said("data: not computed: 36 executions", " ".join(report["caveats"]))
            said("not computed", (self.folder / "page.html").read_text())
            for verb in ("efficiency", "profile"):
                done = self.rehearse("trace", verb, "--json", "report.json", name)
                said("data: not computed", done.stdout)
                self.assertEqual("data" in json.loads((self.folder / "report.json").read_text()), is_left_out)
            done = self.rehearse("trace", "check", "--json", "report.json", name)
            said("data: not computed: 36 executions", done.stderr)
            self.assertEqual("data" in json.loads((self.folder / "report.json").read_text()), is_left_out)
            done = self.rehearse("trace", "check", "--all-orders", "--json", "report.json", name)
            said("data: not computed", (self.folder / "report.json").read_text())

    def test_a_call_of_mpi_in_sampled_code_is_refused(self):
        program = self.compile_sampled('  rehearse_sampled("talk") MPI_Barrier(MPI_COMM_WORLD);')
        done = self.rehearse("run", "-n", 2, program, status=3)
        self.assertIn("inconclusive: a call of MPI in the sampled code 'talk' is not supported", done.stderr)

    def test_code_that_is_left_early_is_no_sample_and_inner_code_is_a_part(self):
        program = self.compile_sampled("""
  int ran = 0, inner = 0;
  for (int i = 0; i < 20; ++i) rehearse_sampled("left") { ++ran; if (i % 2 == 0) break; }
  for (int i = 0; i < 20; ++i) rehearse_sampled("outer") {
    for (int k = 0; k < 2; ++k) rehearse_sampled("inner") ++inner;
  }
  printf("%d %d\\n", ran, inner);""")
        done, report = self.report("-n", 1, "--sample-error", "0", "--sample-most", "6", program)
        self.assertEqual(done.stdout.split()[1], "12")
        self.assertIn("outer", [each["name"] for each in report["sampling"]["classes"]])

    def test_stated_volumes_pass_exactly(self):
        for call, seconds in (("rehearse_compute_for(0.25)", 0.25), ("rehearse_compute_flops(2e9)", 0.2),
                              ("rehearse_compute_instructions(6e9)", 2)):
            program = self.compile_sampled(f"  {call};")
            _, report = self.report("-n", 1, "--compute", "none", program)
            self.assertAlmostEqual(report["simulated_seconds"], seconds, delta=1e-9)
        program = self.compile_sampled("  rehearse_compute_for(-1);")
        self.assertIn("-1 seconds", self.rehearse("run", "-n", 1, program, status=1).stderr)

    def test_macros_of_smpi_have_their_documented_meaning(self):
        program = self.compile_sampled(COMPAT, header="rehearse/smpi_compat.h")
        done, report = self.report("-n", 2, "--compute", "none", program)
        rows = [list(map(int, line.split())) for line in done.stdout.splitlines()]
        self.assertEqual([row[0] for row in rows], [3, 3])
        self.assertEqual(sum(row[1] for row in rows), 3)
        self.assertEqual([row[2:] for row in rows], [[6, 2, 0]] * 2)
        self.assertGreaterEqual(report["simulated_seconds"], 1 - 1e-9)
        self.assertEqual(report["data"], "not computed")
        self.rehearse("check", "-n", 1, program)

    def test_functions_are_sampled_by_their_symbol(self):
        program = self.compile(self.write("program.c", FUNCTION))
        options = ("--sample-error", "0", "--sample-most", "4")
        self.assertEqual(self.rehearse("run", "-n", 1, *options, program).stdout, "30 74 40 3\n")
        done, report = self.report("-n", 1, *options, "--sample-function", "add:1,*2", program)
        calls, last, sizes, deep = done.stdout.split()
        self.assertEqual((calls, last, sizes, deep), ("8", "74", "40", "3"))
        self.assertEqual([each["numbers"] for each in report["sampling"]["classes"]], [[8, 8], [9, 8]])
        done, _ = self.report("-n", 2, *options, "--sample-scope", "rank", "--sample-function", "add",
                              "--sample-function", "depth:1l", program)
        self.assertEqual(done.stdout, "4 74 16 3\n" * 2)

    def test_functions_that_cannot_be_sampled_are_refused(self):
        program = self.compile(self.write("program.c", FUNCTION))
        for text, words in (("nothing", ["no function 'nothing'", "nm"]), ("add:7", ["argument '7'", "1 to 6"]),
                            ("add:1,2,3,4,5", ["at most 4"]), (":1", ["no name"])):
            self.assert_one_error(self.rehearse("run", "-n", 1, "--sample-function", text, program, status=2), *words)

    def test_sampled_bursts_make_dates_repeatable(self):
        program = self.compile("""
  volatile double sum = 0;
  for (int i = 0; i < 40; ++i) {
    for (int k = 0; k < 2000 * (rank + 1); ++k) sum += k;
    MPI_Barrier(MPI_COMM_WORLD);
  }""")
        options = ("-n", 2, "--compute", "sampled", "--sample-file", "bursts.json")
        _, first = self.report(*options, program)
        self.assertNotIn("data", first)
        self.assertGreater(first["simulated_seconds"], 0)
        reports = []
        for _ in range(2):
            _, report = self.report(*options, program)
            report.pop("wall_seconds")
            reports.append(json.dumps(report))
        self.assertEqual(reports[0], reports[1])
        self.assertGreater(json.loads(reports[0])["simulated_seconds"], first["simulated_seconds"] / 4)

    def test_draws_keep_the_cost_of_barriers_and_a_mean_loses_it(self):
        program = self.compile(EXAMPLES / "sampling" / "two_modes.c", "two_modes")
        file = self.samples(of_class("work", [], [0.01, 0.04]))
        seconds = {}
        for how in ("draw", "mean"):
            _, report = self.report("-n", 64, "--compute", "none", "--network", "constant", "--delay", "1e-6", "--on",
                                    "cluster:64", "--sample-as", how, "--sample-file", file, program)
            seconds[how] = report["simulated_seconds"]
        self.assertAlmostEqual(seconds["draw"] / 4, 1, delta=0.03)
        self.assertLess(seconds["mean"], 0.65 * seconds["draw"])


if __name__ == "__main__":
    closing_line.main()
