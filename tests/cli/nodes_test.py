# SPDX-License-Identifier: MIT
"""Ranks know their host: processor names and splits by shared memory go by the platform under run, and by an explicit
map under check."""
import json
import time

from checking import WithPrograms

import closing_line

NODES = """
  char name[MPI_MAX_PROCESSOR_NAME];
  int length, local, leaders;
  MPI_Comm node, leader;
  MPI_Get_processor_name(name, &length);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &local);
  MPI_Comm_rank(node, &data);
  MPI_Comm_split(MPI_COMM_WORLD, data == 0 ? 0 : MPI_UNDEFINED, rank, &leader);
  leaders = 0;
  if (leader != MPI_COMM_NULL) {
    MPI_Comm_size(leader, &leaders);
    MPI_Comm_free(&leader);
  }
  MPI_Bcast(&leaders, 1, MPI_INT, 0, MPI_COMM_WORLD);
  printf("%d %s %d of %d, %d nodes\\n", rank, name, data, local, leaders);
  MPI_Comm_free(&node);"""


class Nodes(WithPrograms):
    def said(self, *options):
        done = self.rehearse("run", "-n", 4, "--quiet", *options, self.program)
        return sorted(done.stdout.splitlines())

    def test_run_goes_by_the_platform(self):
        self.program = self.compile(NODES)
        self.assertEqual(self.said("--on", "laptop"),
                         [f"{rank} laptop {rank} of 4, 1 nodes" for rank in range(4)])
        self.assertEqual(self.said("--on", "cluster:4"), [f"{rank} node-{rank} 0 of 1, 4 nodes" for rank in range(4)])
        self.assertEqual(self.said("--on", "cluster:2"),
                         ["0 node-0 0 of 2, 2 nodes", "1 node-1 0 of 2, 2 nodes", "2 node-0 1 of 2, 2 nodes",
                          "3 node-1 1 of 2, 2 nodes"])
        self.write("hosts", "node-1 slots=3\nnode-0\n")
        self.assertEqual(self.said("--on", "cluster:2", "--hostfile", "hosts")[3], "3 node-0 0 of 1, 2 nodes")

    def test_check_has_one_node_unless_told_otherwise(self):
        one = self.compile(NODES + """
          assert(leaders == 1 && local == 4 && strcmp(name, "node-0") == 0);""", "one")
        self.rehearse("check", "-n", 4, one)
        two = self.compile(NODES + """
          assert(leaders == 2 && local == 2 && name[5] == '0' + rank / 2);""", "two")
        self.rehearse("check", "-n", 4, "--ranks-per-node", 2, two)
        self.rehearse("check", "-n", 4, two, status=1)
        self.write("hosts", "anna slots=2\nbert\n")
        named = self.compile(NODES + """
          assert(strcmp(name, rank == 2 ? "bert" : "anna") == 0 && local == (rank == 2 ? 1 : 3));""", "named")
        self.rehearse("check", "-n", 4, "--hostfile", "hosts", named)
        as_run = self.compile(NODES + """
          assert(leaders == 4 && local == 1);""", "as_run")
        self.rehearse("check", "-n", 4, "--on", "cluster:4", as_run)
        refused = self.rehearse("check", "-n", 4, "--ranks-per-node", 2, "--hostfile", "hosts", named, status=2)
        self.assert_one_error(refused, "--ranks-per-node and --hostfile")
        self.assert_one_error(self.rehearse("check", "-n", 4, "--ranks-per-node", 0, named, status=2), "'0' given")

    def test_a_replay_has_the_nodes_of_the_check(self):
        program = self.compile(NODES + """
          assert(leaders != 2 || rank != 3);""")
        self.rehearse("check", "-n", 4, "--ranks-per-node", 2, "--counterexample", "two.json", program, status=1)
        kept = json.loads((self.folder / "two.json").read_text())
        self.assertEqual(kept["nodes"], ["node-0", "node-0", "node-1", "node-1"])
        done = self.rehearse("replay", "two.json", "--on", "cluster:4", status=1)
        self.assertIn("assertion.failed", done.stdout + done.stderr)
        kept["nodes"] = ["node-0"]
        (self.folder / "two.json").write_text(json.dumps(kept))
        self.assert_one_error(self.rehearse("replay", "two.json", status=2), "nodes: 1 names given; accepted: 4")


class Dates(WithPrograms):
    def test_a_run_begins_at_the_date_that_is_asked_for(self):
        program = self.compile(self.write("date.c", """#include <mpi.h>
#include <stdio.h>
#include <time.h>
int main(int argc, char** argv) {
  char text[64];
  MPI_Init(&argc, &argv);
  time_t now = time(0);
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", gmtime(&now));
  puts(text);
  return MPI_Finalize();
}
"""))
        said = lambda *words: self.rehearse("run", "-n", 1, *words, program).stdout.strip()  # noqa: E731
        self.assertEqual(said(), "2001-09-09T01:46:40")
        self.assertEqual(said("--date", "2026-11-22"), "2026-11-22T00:00:00")
        self.assertEqual(said("--date", "2024-02-29T23:59:58"), "2024-02-29T23:59:58")
        before = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime())
        now = said("--date", "now")
        self.assertTrue(before <= now <= time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()), now)
        for wrong in ("today", "2026-13-01", "2025-02-29", "2026-11-22T24:00:00", "2026-11-22T10:00", "1969-01-01"):
            self.assert_one_error(self.rehearse("run", "-n", 1, "--date", wrong, program, status=2), f"'{wrong}' given",
                                  "now, YYYY-MM-DD")


if __name__ == "__main__":
    closing_line.main()
