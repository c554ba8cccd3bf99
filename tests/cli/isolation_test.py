#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse check and replay with ranks that are handed addresses of other ranks' memory."""
import json

from checking import BEGIN, END, REHEARSE, WithPrograms

import closing_line

# Ranks 1 to 3 send rank 0 an address; in one of six executions, when that of rank 2 comes first and that of rank 1
# second, rank 0 does STATEMENT with the address that rank 1 sent, `there`.
PROGRAM = """
  int local = 5, order[3] = {0};
  int* heap = malloc(1000 * sizeof *heap);
  heap[0] = 5;
  int* all[4] = {heap, &local, &global, &of_thread};
  struct { int rank; int* place; } message = {rank, all[%d]};
  if (rank == 0) {
    int* there = NULL;
    for (int i = 0; i < 3; ++i) {
      MPI_Recv(&message, sizeof message, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      order[i] = message.rank;
      if (message.rank == 1) there = message.place;
    }
    if (order[0] == 2 && order[1] == 1) {
      %s
    }
  } else {
    MPI_Send(&message, sizeof message, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }"""
HEAD = """#include <stdint.h>
#include <sys/time.h>
int global = 5;
_Thread_local int of_thread = 5;
"""
PARTS = ("heap", "stack", "global variables", "thread-local variables")


class Isolation(WithPrograms):
    def program(self, part, statement, body=PROGRAM):
        source = self.write("program.c", HEAD + BEGIN + body % (PARTS.index(part), statement) + END)
        self.run_program(REHEARSE, "cc", "-g", source, "-o", "program")
        return self.folder / "program"

    def assert_caught(self, part, statement, does, *options):
        """In one execution, with its line; all the others are explored, and the replay shows the same."""
        report = self.check(self.program(part, statement), 4, "--all", *options, status=1)
        self.assertEqual((report["executions"], report["duplicates"], report["reasons"]), (6, 0, []))
        self.assertEqual({f["id"] for f in report["findings"] if f["severity"] != "note"},
                         {"crash.foreign_memory"})
        finding = report["findings"][0]
        self.assertRegex(finding["message"], f"{does} the memory of rank 1 .its {part}, at 0x[0-9a-f]+")
        lines = (self.folder / "program.c").read_text().splitlines()
        self.assertIn(statement.split(";")[0], lines[finding["locations"][0]["line"] - 1])
        replay = self.rehearse("replay", "--json", "again.json", "rehearse-counterexample.json", status=1)
        self.assertIn("reproduced crash.foreign_memory", replay.stderr)
        self.assertIn("crash.foreign_memory", json.dumps(json.loads((self.folder / "again.json").read_text())))

    def test_reading_and_writing_each_part_of_another_ranks_memory_is_caught(self):
        for part in PARTS:
            for statement, does in (("data = *there;", "reads"), ("*there = 6;", "writes into")):
                with self.subTest(part=part, does=does):
                    self.assert_caught(part, statement, does)

    def test_functions_of_the_c_library_are_caught(self):
        self.assert_caught("heap", "memset(there, 1, 100);", "writes into")
        self.assert_caught("heap", "data = (int)strlen((char*)there);", "reads")

    def test_calls_that_are_given_foreign_buffers_are_caught(self):
        for statement, does in (("MPI_Send(there, 1, MPI_INT, 3, 1, MPI_COMM_WORLD);", "reads"),
                                ("MPI_Allreduce(there, &data, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);", "reads"),
                                ("MPI_Allreduce(&data, there, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);", "writes into"),
                                ("MPI_Comm_size(MPI_COMM_WORLD, there);", "writes into")):
            with self.subTest(statement):
                self.assert_caught("heap", statement, does)

    def test_it_is_caught_by_several_processes_too(self):
        self.assert_caught("heap", "*there = 6;", "writes into", "--jobs", 2)

    def test_an_address_that_is_only_looked_at_or_comes_back_to_its_owner_is_no_error(self):
        self.assertEqual(self.check(self.program("heap", "assert(there != &data && there != NULL);"), 4)["verdict"],
                         "verified")
        there_and_back = """
  int on_stack = 5;
  int* all[4] = {malloc(1000), &on_stack, &global, &of_thread};
  int* mine = all[%d];
  *mine = 5;
  MPI_Sendrecv_replace(&mine, sizeof mine, MPI_BYTE, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(&mine, sizeof mine, MPI_BYTE, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  %s"""
        for part in PARTS:
            with self.subTest(part):
                program = self.program(part, "assert(*mine == 5); *mine = 6;", there_and_back)
                self.assertEqual(self.check(program, 2)["verdict"], "verified")

    def test_constants_and_functions_are_the_same_in_all_ranks(self):
        program = self.compile("""
  const char* text = rank == 0 ? "a text" : "";
  int (*length)(const char*) = (int (*)(const char*))strlen;
  MPI_Bcast(&text, sizeof text, MPI_BYTE, 0, MPI_COMM_WORLD);
  MPI_Bcast(&length, sizeof length, MPI_BYTE, 0, MPI_COMM_WORLD);
  assert(length(text) == 6);""")
        self.assertEqual(self.check(program, 3)["verdict"], "verified")

    def test_what_is_beyond_what_the_other_ever_allocated_is_caught_too(self):
        self.assert_caught("heap", "there[100000] = 6;", "writes into")

    def test_in_time_nothing_is_kept_apart(self):
        self.rehearse("run", "-n", 4, self.program("heap", "*there = 6;"))


if __name__ == "__main__":
    closing_line.main()
