# SPDX-License-Identifier: MIT
"""The scoring scripts on a handful of programs of our own that carry labels in the two suites' forms: what is right is
counted as right, and a wrong label, a missing finding and a false alarm are counted as such.
"""
import json
import pathlib
import re
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "cli"), str(HERE.parents[1] / "tools"), str(HERE)]
from installation import BUILD, InFolder  # noqa: E402
from closing_line import main  # noqa: E402
import scoring  # noqa: E402

HEADER = """/* BEGIN_MBI_TESTS
  $ mpirun -np 2 {command}
  | {label}
  | {diagnostic}
END_MBI_TESTS
///// End of MBI headers ///// */
"""
BODY = """#include <mpi.h>
int main(int argc, char** argv) {{
  int rank, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {statement}
  MPI_Finalize();
  return 0;
}}
"""
RIGHT = "MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);"
ROOTS = "MPI_Bcast(&value, 1, MPI_INT, rank, MPI_COMM_WORLD); /* MBIERROR */"
RECEIVES_FIRST = ("MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); "
                  "MPI_Send(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);")
SENDS_FIRST = ("MPI_Send(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD); "
               "MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);")
LEAK = "MPI_Comm copy; MPI_Comm_dup(MPI_COMM_WORLD, &copy);"
WINDOW = "MPI_Win window; MPI_Win_create(&value, 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window); MPI_Win_free(&window);"


EPOCH = ("MPI_Win window; int memory[2] = {0}; "
         "MPI_Win_create(memory, 8, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window); "
         "MPI_Win_fence(0, window); %s MPI_Win_fence(0, window); MPI_Win_free(&window);")
PUT = "MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);"


class Scripts(InFolder):
    def score(self, script, *options):
        done = subprocess.run([sys.executable, "-B", HERE / script, "--rehearse", BUILD / "bin" / "rehearse",
                               "--programs", self.folder, "--cc-options=-O0", "--json", self.folder / "rows.json",
                               *options], capture_output=True, text=True, timeout=200, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = json.loads((self.folder / "rows.json").read_text())
        return {row["name"]: row for row in rows}, done.stdout

    def mbi_program(self, name, statement, label="OK", diagnostic="", command="${EXE}"):
        text = HEADER.format(command=command, label=label, diagnostic=diagnostic) + BODY.format(statement=statement)
        self.write(name, text)

    def test_mbi_counts_what_the_labels_say(self):
        self.mbi_program("Right.c", RIGHT)
        self.mbi_program("Roots.c", ROOTS, "ERROR: RootMatching", "roots differ at Roots.c:12 and Roots.c:12")
        self.mbi_program("OtherClass.c", ROOTS, "ERROR: TagMatching", "tags differ at OtherClass.c:12")
        self.mbi_program("Mislabelled.c", RIGHT, "ERROR: RootMatching", "roots differ")
        self.mbi_program("FalseAlarm.c", RECEIVES_FIRST)
        self.mbi_program("Buffered.c", SENDS_FIRST, command="$infty_buffer ${EXE}")
        self.mbi_program("Hazard.c", SENDS_FIRST, "ERROR: BufferingHazard", "", command="$zero_buffer ${EXE}")
        self.mbi_program("Leak.c", LEAK, "ERROR: CommunicatorLeak", "never freed at Leak.c:12")
        self.mbi_program("Window.c", WINDOW)
        self.mbi_program("Broken.c", "not C at all;")
        rows, text = self.score("mbi.py")
        outcomes = {name: row["outcome"] for name, row in rows.items()}
        self.assertEqual(outcomes, {
            "Right.c": "TN", "Roots.c": "TP", "OtherClass.c": "TP", "Mislabelled.c": "FN", "FalseAlarm.c": "FP",
            "Buffered.c": "TN", "Hazard.c": "TP", "Leak.c": "TP", "Broken.c": "compile"})
        self.assertTrue(rows["Roots.c"]["right_class"] and rows["Roots.c"]["right_line"], rows["Roots.c"])
        self.assertFalse(rows["OtherClass.c"]["right_class"])
        self.assertIn("recall 0.800, specificity 0.667, precision 0.800, F1 0.800", text)
        self.assertRegex(text, r"\| all \| 9 \| 4 \| 1 \| 2 \| 1 \| 0 \| 0 \| 1 \|")

    def test_mbi_leaves_out_one_sided_programs_or_takes_only_them(self):
        self.mbi_program("Right.c", RIGHT)
        self.mbi_program("Window.c", WINDOW)
        self.assertEqual(list(self.score("mbi.py", "--rma", "only")[0]), ["Window.c"])
        self.assertEqual(list(self.score("mbi.py", "--rma", "include")[0]), ["Right.c", "Window.c"])

    def test_mbi_counts_labels_that_differ_from_mpi_and_says_the_score_without_them(self):
        self.mbi_program("LocalConcurrency_Win_lock_Get_ok.c", EPOCH % PUT)
        self.mbi_program("GlobalConcurrency_rl_Win_fence_Put_rload_nok.c", EPOCH % "", "ERROR: GlobalConcurrency")
        self.mbi_program("GlobalConcurrency_rl_Win_lock_Put_rload_nok.c", EPOCH % PUT, "ERROR: GlobalConcurrency")
        self.mbi_program("Right.c", EPOCH % "")
        rows, text = self.score("mbi.py", "--rma", "only", "--cc-options=-O0 --check-memory")
        self.assertEqual([row["outcome"] for row in rows.values()], ["FN", "TP", "FP", "TN"])
        self.assertIn("label: by MPI it is wrong: nothing orders the store", text)
        self.assertIn("3 labels differ from MPI, 2 of these programs are judged as MPI says; the others:\n"
                      "recall -, specificity 1.000", text)

    def test_corrbench_counts_what_the_paths_say(self):
        def program(path, statement):
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            self.write(path, BODY.format(statement=statement))
        program("correct/coll/right.c", RIGHT)
        program("correct/coll/leaks.c", LEAK)
        program("correct/pt2pt/stuck.c", RECEIVES_FIRST)
        program("coll/ArgMismatch-MPIBcast-root-1.c", ROOTS)
        program("pt2pt/ArgMismatch-MPISend-Tag.c", ROOTS)
        program("pt2pt/ArgError-MPISend-Tag.c", RIGHT)
        rows, text = self.score("corrbench.py")
        self.assertEqual({name: row["outcome"] for name, row in rows.items()}, {
            "correct/coll/right.c": "TN", "correct/coll/leaks.c": "TN", "correct/pt2pt/stuck.c": "FP",
            "coll/ArgMismatch-MPIBcast-root-1.c": "TP", "pt2pt/ArgMismatch-MPISend-Tag.c": "TP",
            "pt2pt/ArgError-MPISend-Tag.c": "FN"})
        self.assertTrue(rows["coll/ArgMismatch-MPIBcast-root-1.c"]["right_class"])
        self.assertFalse(rows["pt2pt/ArgMismatch-MPISend-Tag.c"]["right_class"])
        self.assertIn("correct programs with a warning (FW): 1;", text)

    def test_rmaracebench_counts_what_the_labels_say(self):
        def program(path, statement, kind, pair=(), ranks=2):
            label = json.dumps({"RACE_KIND": kind, "RACE_PAIR": list(pair), "NPROCS": ranks})
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            self.write(path, "// RACE LABELS BEGIN\n/*\n%s\n*/\n// RACE LABELS END\n%s" % (
                label, BODY.format(statement=statement)))
        program("sync/right.c", EPOCH % f"if (rank == 0) {PUT}", "none")
        program("sync/racy.c", EPOCH % PUT, "remote", ["MPI_Put@11", "MPI_Put@11"])
        program("sync/three.c", "\n#define PROC_NUM 3\n" + EPOCH % f"if (rank > 0) {PUT}", "remote", ["MPI_Put@14"])
        program("sync/001-MPI-sync-polling-remote-yes.c", EPOCH % f"if (rank == 0) {PUT}", "remote", ["MPI_Put@11"])
        program("conflict/alarm.c", EPOCH % PUT, "none")
        program("conflict/local.c", EPOCH % f"if (rank == 0) {{ {PUT} value = 2; }}", "local",
                ["MPI_Put@11", "STORE@11"])
        program("conflict/other.c", ROOTS, "remote", ["MPI_Put@11"])
        program("conflict/broken.c", "not C at all;", "none")
        rows, text = self.score("rmaracebench.py", "--cc-options=-O0 --check-memory")
        self.assertEqual({name: row["outcome"] for name, row in rows.items()}, {
            "sync/right.c": "TN", "sync/racy.c": "TP", "sync/three.c": "TP",
            "sync/001-MPI-sync-polling-remote-yes.c": "FN", "conflict/alarm.c": "FP", "conflict/local.c": "TP",
            "conflict/other.c": "FN", "conflict/broken.c": "compile"})
        for name in ("sync/racy.c", "conflict/local.c"):
            self.assertTrue(rows[name]["right_class"] and rows[name]["right_line"], rows[name])
        self.assertIn("label: a load that polls a flag", text)
        self.assertIn("accuracy over all tests 0.500", text)

    def test_rmaracebench_names_a_program_without_a_label(self):
        self.write("plain.c", BODY.format(statement=RIGHT))
        done = subprocess.run([sys.executable, "-B", HERE / "rmaracebench.py", "--rehearse", BUILD / "bin" / "rehearse",
                               "--programs", self.folder], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("plain.c has no label between", done.stderr)

    def test_every_id_of_the_maps_is_in_the_catalogue(self):
        listed = subprocess.run([BUILD / "bin" / "rehearse", "list", "checks"], capture_output=True, text=True,
                                check=True).stdout
        known = set(re.findall(r"^ *([a-z_]+(?:\.[a-z_]+)+)", listed, re.M))
        self.assertGreater(len(known), 50)
        import corrbench
        import mbi
        import rmaracebench
        named = {id_ for ids in mbi.CLASSES.values() for id_ in ids}
        named |= {id_ for _, ids in corrbench.KINDS for id_ in ids}
        named |= {id_ for ids in rmaracebench.CLASSES.values() for id_ in ids}
        for id_ in sorted(named):
            self.assertTrue(any(scoring.matches(one, [id_]) for one in known), id_)


if __name__ == "__main__":
    main()
