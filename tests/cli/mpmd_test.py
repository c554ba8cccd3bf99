# SPDX-License-Identifier: MIT
"""Several programs in one job: `PROGRAM : -n M PROGRAM2` under run, check, replay and mpiexec."""
import json

from checking import WithPrograms

import closing_line

SERVER = """
  int *number = 0, flag = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &flag);
  assert(flag && *number == 0 && argc == 2 && strcmp(argv[1], "server") == 0);
  for (int i = 1; i < size; ++i) {
    int got = 0;
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    data += got;
  }
  assert(data == (size - 1) * size / 2);
  printf("sum %d\\n", data);"""
CLIENT = """
  static int own = 7;
  int *number = 0, flag = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &flag);
  assert(flag && *number == 1 && argc == 3 && own == 7);
  own = rank;
  MPI_Send(&own, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);"""
STUCK = """
  MPI_Recv(&data, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"""


class SeveralPrograms(WithPrograms):
    def setUp(self):
        super().setUp()
        self.server = self.compile(SERVER, "server")
        self.client = self.compile(CLIENT, "client")
        self.job = ("-n", 1, self.server, "server", ":", "-n", 3, self.client, "one", "two")

    def test_run_has_the_ranks_of_all(self):
        done = self.rehearse("run", *self.job)
        self.assertEqual(done.stdout, "sum 6\n")
        self.assertIn("rehearse: 4 ranks took", done.stderr)

    def test_mpiexec_takes_them_from_the_command_line_or_a_file(self):
        self.assertEqual(self.run_program("mpiexec", *self.job).stdout, "sum 6\n")
        self.write("two", "# a job\n-n 1 ./server server\n\n-np 4 ./client one two\n")
        self.assertEqual(self.run_program("mpiexec", "-configfile", "two").stdout, "sum 10\n")

    def test_check_explores_all_and_a_counter_example_replays(self):
        report = json.loads(self.rehearse("check", "--json", "-", *self.job).stdout)
        self.assertEqual((report["verdict"], report["ranks"], report["executions"]), ("verified", 4, 6))
        stuck = self.compile(STUCK, "stuck")
        found = self.rehearse("check", "--counterexample", "stuck.json", "-n", 1, self.server, "server", ":", "-n", 2,
                              self.client, "one", "two", ":", "-n", 1, stuck, status=1)
        self.assertIn("stuck.c:", found.stderr)
        self.assertIn("server.c:", found.stderr)
        again = self.rehearse("replay", "stuck.json", status=1)
        self.assertIn("stuck.c:", again.stdout)
        self.compile(STUCK + " MPI_Barrier(MPI_COMM_WORLD);", "stuck")  # another program by now
        changed = self.rehearse("replay", "stuck.json", status=None)
        self.assertIn("has changed since", changed.stderr)

    def test_mistakes_are_one_error(self):
        for words, said in (((":",), "nothing follows ':'"),
                            ((":", "./client"), "'./client' given; accepted after a ':': -n N PROGRAM"),
                            ((":", "-n", "0", "./client"), "'0' given; accepted: 1 to"),
                            ((":", "-n", "65536", "./client"), "'65536' given"),
                            ((":", "-n", "2"), "needs a number and a program"),
                            ((":", "-n", "2", "./nothing"), "./nothing: no such program")):
            for verb in ("run", "check"):
                self.assert_one_error(self.rehearse(verb, "-n", 1, self.server, *words, status=2), said)
        refused = self.rehearse("check", "--try-ranks", "fewer", *self.job, status=2)
        self.assert_one_error(refused, "--try-ranks")
        refused = self.run_program("mpiexec", "-n", 1, self.server, ":", "-wdir", "/", "-n", 1, self.client, status=2)
        self.assert_one_error(refused, "-wdir", "comes after a ':'")
        self.assert_one_error(self.run_program("mpiexec", "-configfile", "none", status=2), "none: cannot read")


if __name__ == "__main__":
    closing_line.main()
