# SPDX-License-Identifier: MIT
"""Ranks that start others: MPI_Comm_spawn under run, check and replay."""
import json

from checking import WithPrograms

import closing_line

# The program starts itself: the children have an argument.
TWO_LEVELS = """
  MPI_Comm parent, children;
  MPI_Comm_get_parent(&parent);
  int *universe, *number, flag, level = argc > 1 ? atoi(argv[1]) : 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &flag);
  assert(flag && *number == 0);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &flag);
  if (flag) printf("universe %d\\n", *universe);
  assert((parent == MPI_COMM_NULL) == (level == 0));
  if (level < 2) {
    char next[2] = {(char)('1' + level), 0};
    char* words[] = {next, NULL};
    int codes[2] = {-1, -1};
    MPI_Comm_spawn(argv[0], words, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, codes);
    assert(codes[0] == MPI_SUCCESS && codes[1] == MPI_SUCCESS);
    for (int i = 0; i < 2; ++i) {
      int got = 0;
      MPI_Recv(&got, 1, MPI_INT, i, 0, children, MPI_STATUS_IGNORE);
      data += got;
    }
    MPI_Comm_disconnect(&children);
  }
  ++data;
  if (parent != MPI_COMM_NULL) {
    MPI_Send(&data, 1, MPI_INT, 0, 0, parent);
    MPI_Comm_disconnect(&parent);
  } else {
    printf("%d ranks\\n", data);
  }"""

SEVERAL = """
  MPI_Comm parent, children;
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    char* commands[] = {argv[0], "child"};
    char* first[] = {"one", "two words", NULL};
    char** arguments[] = {first, NULL};
    int most[] = {1, 2}, codes[3];
    MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
    MPI_Info_create(&infos[1]);
    MPI_Info_set(infos[1], "path", "bin");
    MPI_Info_set(infos[1], "wdir", "work");
    MPI_Comm_spawn_multiple(2, commands, arguments, most, infos, 0, MPI_COMM_WORLD, &children, codes);
    MPI_Info_free(&infos[1]);
    MPI_Comm_size(children, &size);
    MPI_Comm_remote_size(children, &data);
    printf("%d parents, %d children\\n", size, data);
  } else {
    children = parent;
    assert(argc == 3 && strcmp(argv[2], "two words") == 0);
  }
  MPI_Comm all;
  MPI_Intercomm_merge(children, parent != MPI_COMM_NULL, &all);
  MPI_Comm_rank(all, &rank);
  data = rank;
  MPI_Allreduce(MPI_IN_PLACE, &data, 1, MPI_INT, MPI_SUM, all);
  assert(data == 10);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&children);"""

CHILD = """
  MPI_Comm parent, all;
  int *number, flag;
  char folder[4096];
  char* getcwd(char*, size_t);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &flag);
  MPI_Comm_get_parent(&parent);
  assert(flag && *number == 1 && size == 3 && getcwd(folder, sizeof folder) != NULL);
  assert(strcmp(strrchr(folder, '/'), "/work") == 0);
  MPI_Intercomm_merge(parent, 1, &all);
  MPI_Comm_rank(all, &data);
  MPI_Allreduce(MPI_IN_PLACE, &data, 1, MPI_INT, MPI_SUM, all);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&parent);"""

FOR_EVER = """
  MPI_Comm children;
  MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
  MPI_Comm_free(&children);"""

# Who starts a child depends on the order of two messages: a rank that an execution does not start is not reported.
SOMETIMES = """
  MPI_Comm parent, children = MPI_COMM_NULL;
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    MPI_Comm_disconnect(&parent);
  } else if (rank == 0) {
    MPI_Status status;
    for (int i = 0; i < 2; ++i) {
      MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
      if (i == 0 && status.MPI_SOURCE == 2) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
        MPI_Comm_disconnect(&children);
      }
    }
  } else {
    MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }"""

STUCK = """
  MPI_Comm parent, children;
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
    MPI_Recv(&data, 1, MPI_INT, 1, 0, children, MPI_STATUS_IGNORE);
  }"""

SCRIPT = """
  MPI_Comm children;
  int code = 0, error;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  error = MPI_Comm_spawn("./script.sh", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, &code);
  MPI_Error_class(error, &error);
  assert(error == MPI_ERR_SPAWN && code != MPI_SUCCESS && children == MPI_COMM_NULL);"""


PUBLISHED = """
  char port[MPI_MAX_PORT_NAME] = "";
  if (rank == 0) {
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Publish_name("service", MPI_INFO_NULL, port);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) MPI_Lookup_name("service", MPI_INFO_NULL, port);
  assert(rank > 1 || port[0] != 0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Unpublish_name("service", MPI_INFO_NULL, port);
    MPI_Close_port(port);
  }"""


# One after the other, more than the default bound of earlier versions (64).
MANY = """
  MPI_Comm parent, children;
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    MPI_Comm_disconnect(&parent);
  } else {
    for (int i = 0; i < 40; ++i) {
      MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 3, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
      MPI_Comm_disconnect(&children);
    }
  }"""


class Started(WithPrograms):
    def test_children_start_children(self):
        program = self.compile(TWO_LEVELS)
        done = self.rehearse("run", "-n", 1, "--on", "cluster:3", "--json", "run.json", program)
        self.assertEqual(sorted(done.stdout.splitlines()), ["7 ranks"] + ["universe 24"] * 7)
        self.assertIn("rehearse: 7 ranks took", done.stderr)
        report = json.loads((self.folder / "run.json").read_text())
        ranks, started = report["ranks"], report["started"]
        self.assertEqual(len(ranks), 7)
        self.assertEqual([each["rank"] for each in started], [1, 2, 3, 4, 5, 6])
        self.assertTrue(started[0]["command"].endswith("program 1"))
        self.assertEqual([rank["exit"] for rank in ranks], [0] * 7)
        self.assertEqual([rank["host"] for rank in ranks[:4]], [ranks[3]["host"], *[r["host"] for r in ranks[1:4]]])
        report = json.loads(self.rehearse("check", "-n", 1, "--json", "-", program).stdout)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 1))

    def test_other_reductions_agree(self):
        program = self.compile(TWO_LEVELS.replace("level < 2", "level < 1"))
        for reduction in ("odpor", "none"):
            report = json.loads(self.rehearse("check", "-n", 1, "--reduction", reduction, "--json", "-",
                                              program).stdout)
            self.assertEqual(report["verdict"], "verified", reduction)
        for reduction in ("flow", "footprints", "merged"):
            report = json.loads(self.rehearse("check", "-n", 1, "--reduction", reduction, "--json", "-", program,
                                              status=None).stdout)
            self.assertNotEqual(report["verdict"], "violation", reduction)

    def test_several_commands(self):
        (self.folder / "bin").mkdir()
        (self.folder / "work").mkdir()
        program = self.compile(SEVERAL)
        self.compile(CHILD, "child").rename(self.folder / "bin" / "child")
        self.assertEqual(self.rehearse("run", "-n", 2, program).stdout, "2 parents, 3 children\n" * 2)
        report = json.loads(self.rehearse("check", "-n", 2, "--json", "-", program).stdout)
        self.assertEqual(report["verdict"], "verified", report)

    def test_more_than_a_hundred_ranks_by_default(self):
        program = self.compile(MANY)
        self.assertIn("rehearse: 121 ranks took", self.rehearse("run", "-n", 1, program).stderr)
        report = self.check(program, 1)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 1))

    def test_a_program_that_starts_ranks_for_ever(self):
        program = self.compile(FOR_EVER)
        for verb in ("run", "check"):
            done = self.rehearse(verb, "-n", 1, "--max-ranks", 8, program, status=3)
            self.assertIn("beyond 8 ranks in all (--max-ranks)", done.stderr)

    def test_ranks_that_only_some_executions_start(self):
        program = self.compile(SOMETIMES)
        self.rehearse("run", "-n", 3, program)
        report = json.loads(self.rehearse("check", "-n", 3, "--json", "-", program).stdout)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 2))
        self.assertEqual([finding["id"] for finding in report["findings"]], ["race.wildcard"])

    def test_a_counter_example_replays(self):
        program = self.compile(STUCK)
        found = self.rehearse("check", "-n", 1, "--counterexample", "stuck.json", program, status=1)
        self.assertIn("violation: deadlock.", found.stderr)
        again = self.rehearse("replay", "stuck.json", status=1)
        self.rehearse("check", "-n", 1, "--counterexample", "relative.json", "./program", status=1)
        self.assertIn("reproduced", self.rehearse("replay", "relative.json", status=1).stderr)
        self.assertIn("program.c:", again.stdout)
        self.assertIn("MPI_Recv", self.rehearse("run", "-n", 1, program, status=1).stderr)

    def test_what_is_no_program(self):
        self.write("script.sh", "#!/bin/sh\n").chmod(0o755)
        program = self.compile(SCRIPT)
        self.rehearse("run", "-n", 2, program)
        report = json.loads(self.rehearse("check", "-n", 2, "--json", "-", program).stdout)
        self.assertEqual(report["verdict"], "verified", report)

    def test_what_cannot_be_recorded(self):
        program = self.compile(STUCK)
        done = self.rehearse("run", "-n", 1, "--trace", "t.rtrace", program, status=3)
        self.assertIn("MPI_Comm_spawn in a run that is recorded to a trace is not supported yet", done.stderr)

    def test_a_timeline_of_published_names_has_the_ranks_only(self):
        program = self.compile(PUBLISHED)
        self.rehearse("run", "-n", 2, "--timeline", "t.json", "--report", "t.html", program)
        events = json.loads((self.folder / "t.json").read_text())["traceEvents"]
        self.assertEqual({event["tid"] for event in events if event["ph"] != "C"}, {0, 1})
        self.assertIn("MPI_Lookup_name", {event["name"] for event in events})

    def test_wrong_bound_is_one_error(self):
        program = self.compile("")
        for verb in ("run", "check"):
            self.assert_one_error(self.rehearse(verb, "-n", 1, "--max-ranks", "0", program, status=2), "--max-ranks")


if __name__ == "__main__":
    closing_line.main()
