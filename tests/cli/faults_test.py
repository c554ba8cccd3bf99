#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Failures of processes: run --fail and hosts that go off, check --failures, counter-examples, what is refused."""
import json

from checking import EXAMPLES, ROOT, WithPrograms

import closing_line

FAULTS = EXAMPLES / "faults"
HEAD = """#include <mpi-ext.h>
#include <stdio.h>
#include <rehearse.h>
int main(int argc, char** argv) {
  int rank, size, data = 0, error = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  (void)data; (void)error;
"""
NAMES = """
static const char* name_of(int code) {
  return code == MPI_SUCCESS ? "success" : code == MPIX_ERR_PROC_FAILED ? "failed"
       : code == MPIX_ERR_PROC_FAILED_PENDING ? "pending" : code == MPIX_ERR_REVOKED ? "revoked" : "another";
}
"""
TAIL = """
  MPI_Finalize();
  return 0;
}
"""
LINK = """<platform version="4.1"><zone id="z" routing="Full">
<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><link id="l" bandwidth="1MBps" latency="1us"/>
<route src="a" dst="b"><link_ctn id="l"/></route>
<trace id="off" periodicity="-1">
0 1
0.5 0
</trace><trace_connect kind="LINK_AVAIL" trace="off" element="l"/></zone></platform>"""


class Faults(WithPrograms):
    def program(self, body, name="program"):
        text = HEAD.replace("int main", NAMES + "int main") + body + TAIL
        return self.compile(self.write(name + ".c", text), name, "-g")

    def lines(self, program, ranks, *options, status=0):
        done = self.rehearse("run", "-n", ranks, "--no-summary", *options, program, status=status)
        return sorted(done.stdout.split("\n")[:-1])

    def findings(self, program, ranks, *options, status=0):
        self.rehearse("run", "-n", ranks, *options, "--json", "report.json", program, status=status)
        return json.loads((self.folder / "report.json").read_text())["findings"]

    def test_calls_with_a_failed_process_return_the_error(self):
        program = self.program("""
  if (rank == 0) {
    MPI_Request request;
    MPI_Status status;
    printf("recv %s\\n", name_of(MPI_Recv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &status)));
    printf("again %s\\n", name_of(MPI_Recv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &status)));
    printf("send %s\\n", name_of(MPI_Send(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD)));
    printf("any %s\\n", name_of(MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status)));
    MPI_Irecv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
    printf("wait %s\\n", name_of(MPI_Wait(&request, &status)));
    printf("active %d\\n", request != MPI_REQUEST_NULL);
    MPIX_Comm_failure_ack(MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    printf("acked %s\\n", name_of(MPI_Wait(&request, &status)));
    printf("from %d\\n", status.MPI_SOURCE);
    MPI_Irecv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    printf("irecv %s\\n", name_of(MPI_Wait(&request, &status)));
    printf("gone %d\\n", request == MPI_REQUEST_NULL);
    printf("barrier %s\\n", name_of(MPI_Barrier(MPI_COMM_WORLD)));
  } else if (rank == 2) {
    MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }""")
        self.assertEqual(self.lines(program, 3, "--fail", "1@call:1"), sorted(
            ["recv failed", "again failed", "send failed", "any failed", "wait pending", "active 1", "acked success",
             "from 2", "irecv failed", "gone 1", "barrier failed"]))

    def test_a_failure_is_a_finding_with_rank_call_and_date(self):
        program = self.program("MPI_Barrier(MPI_COMM_WORLD);")
        [found] = [f for f in self.findings(program, 2, "--fail", "1@0", "--verbose") if f["id"] == "failure.process"]
        self.assertEqual(found["severity"], "note")
        self.assertEqual(found["ranks"], [1])
        self.assertIn("at 0 s", found["message"])

    def test_the_default_handler_ends_the_job(self):
        program = self.compile("MPI_Barrier(MPI_COMM_WORLD);", "fatal", "-g")
        findings = self.findings(program, 2, "--fail", "1@call:1", status=1)
        [found] = [f for f in findings if f["id"] == "failure.fatal"]
        self.assertIn("rank 1 of MPI_COMM_WORLD has failed", found["message"])
        self.assertIn("rank 1 had failed in MPI_Barrier", found["message"])

    def test_a_date_interrupts_computations_waits_and_sleeps(self):
        program = self.program("""
  if (rank == 1) rehearse_compute_flops(1e12);
  if (rank == 0) error = MPI_Recv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) printf("%s at %.3f\\n", name_of(error), MPI_Wtime());""")
        self.assertEqual(self.lines(program, 2, "--compute", "none", "--fail", "1@0.25"), ["failed at 0.250"])

    def test_a_host_that_goes_off_fails_its_rank(self):
        program = self.compile(FAULTS / "shrink_solver.c", "solver", "-g")
        findings = self.findings(program, 3, "--compute", "none", "--on", FAULTS / "failing_host.xml")
        [found] = [f for f in findings if f["id"] == "failure.process"]
        self.assertIn("at 5e-05 s, because host 'c' goes off", found["message"])
        self.assertEqual(found["ranks"], [2])

    def test_a_link_that_loses_a_message_is_a_finding(self):
        self.write("link.xml", LINK)
        program = self.program("""
  static char bulk[2000000];
  if (rank == 0) MPI_Send(bulk, sizeof bulk, MPI_CHAR, 1, 7, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(bulk, sizeof bulk, MPI_CHAR, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);""")
        [found] = self.findings(program, 2, "--compute", "none", "--on", "link.xml", status=1)
        self.assertEqual(found["id"], "failure.link")
        self.assertIn("the message with tag 7 to rank 1 is lost at 0.5 s", found["message"])
        self.assertEqual(found["locations"][0]["rank"], 0)
        self.assertGreater(found["locations"][0]["line"], 0)

    def test_without_failures_of_ranks_a_host_that_goes_off_is_an_error(self):
        self.write("host.xml", LINK.replace("LINK_AVAIL", "HOST_AVAIL").replace('element="l"', 'element="b"'))
        program = self.program("""
  static char bulk[2000000];
  if (rank == 0) error = MPI_Send(bulk, sizeof bulk, MPI_CHAR, 1, 7, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(bulk, sizeof bulk, MPI_CHAR, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) printf("%s at %.3f\\n", name_of(error), MPI_Wtime());""")
        machine = ("--compute", "none", "--on", "host.xml")
        self.assertEqual(self.lines(program, 2, *machine), ["failed at 0.500"])
        self.assert_one_error(self.rehearse("run", "-n", 2, *machine, "--trace", "t.rtrace", program, status=2),
                              "host.xml", "off")

    def test_revoke_ends_waits_and_shrink_repairs(self):
        program = self.program("""
  MPI_Comm left;
  if (rank == 0) {
    error = MPI_Recv(&data, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPIX_Comm_revoke(MPI_COMM_WORLD);
  } else {
    error = MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  int revoked;
  MPIX_Comm_is_revoked(MPI_COMM_WORLD, &revoked);
  MPIX_Comm_shrink(MPI_COMM_WORLD, &left);
  int place, many, flag = 6 + rank;
  MPI_Comm_rank(left, &place);
  MPI_Comm_size(left, &many);
  MPIX_Comm_agree(left, &flag);
  printf("rank %d: %s, revoked %d, %d of %d, flag %d\\n", rank, name_of(error), revoked, place, many, flag);
  MPI_Comm_free(&left);""")
        self.assertEqual(self.lines(program, 4, "--fail", "2@call:1"), [
            "rank 0: failed, revoked 1, 0 of 3, flag 0", "rank 1: revoked, revoked 1, 1 of 3, flag 0",
            "rank 3: revoked, revoked 1, 2 of 3, flag 0"])

    def test_agreements_tell_everyone_the_same(self):
        program = self.program("""
  int flag = 3;
  const int first = MPIX_Comm_agree(MPI_COMM_WORLD, &flag);
  MPIX_Comm_failure_ack(MPI_COMM_WORLD);
  const int second = MPIX_Comm_agree(MPI_COMM_WORLD, &flag);
  MPI_Group failed;
  int many, acked;
  MPIX_Comm_get_failed(MPI_COMM_WORLD, &failed);
  MPI_Group_size(failed, &many);
  MPIX_Comm_ack_failed(MPI_COMM_WORLD, many, &acked);
  printf("%s, %s, %d failed, %d acknowledged\\n", name_of(first), name_of(second), many, acked);
  MPI_Group_free(&failed);""")
        self.assertEqual(set(self.lines(program, 3, "--fail", "1@call:1")),
                         {"failed, success, 1 failed, 1 acknowledged"})

    def test_the_solver_survives_each_failure(self):
        program = self.compile(FAULTS / "shrink_solver.c", "solver", "-g")
        self.assertEqual(self.check(program, 3, "--failures", 1)["verdict"], "verified")

    def test_two_failures_are_explored_by_request(self):
        program = self.compile(FAULTS / "commit.c", "commit", "-g")
        self.assertEqual(self.check(program, 3, "--failures", 2)["verdict"], "verified")

    def test_a_forgotten_revoke_hangs_and_is_replayed(self):
        program = self.compile(FAULTS / "forgotten_revoke.c", "pipeline", "-g")
        report = self.check(program, 3, "--failures", 1, status=1)
        found = next(f for f in report["findings"] if f["id"].startswith("deadlock"))
        self.assertRegex(found["message"], r"rank \d had failed in MPI\w+\(.*forgotten_revoke.c:\d+")
        self.assertIn("fails", [place["what"] for place in found["locations"]])
        replayed = self.rehearse("replay", "rehearse-counterexample.json", status=1)
        self.assertRegex(replayed.stdout, r"rank \d on node-\d failed at ")
        self.assertIn("violation: reproduced deadlock", replayed.stderr)
        explained = self.rehearse("explain", "rehearse-counterexample.json")
        words = " ".join(explained.stdout.split())
        self.assertIn("had failed in", words)
        self.assertIn("MPIX_Comm_shrink at forgotten_revoke.c:27 does not return, because the rank fails", words)
        self.assertIn("MPI_Recv at forgotten_revoke.c:20 on rank 1 heard of a failure; the run ends well if it takes "
                      "the message that rank 0 sent", words)
        told = json.loads(self.rehearse("explain", "--json", "-", "rehearse-counterexample.json").stdout)
        self.assertEqual([decision["answer"].get("means") for decision in told["explanation"]["decisions"]],
                         ["chooses_who_fails", "fails", "hears_of_failure"])
        self.assert_one_error(self.rehearse("replay", "--trace", "t.rtrace", "rehearse-counterexample.json", status=2),
                              "--trace", "--failures")
        done = self.rehearse("check", "-n", 3, "--failures", 1, "--json", "-", program, "revoke")
        self.assertEqual(json.loads(done.stdout)["verdict"], "verified")

    # The schedule has a receive from any source that a failure ends before a message comes. On a machine without
    # buffers, that message may be on its way already: then the replay is refused, and the decisions are not reduced.
    # Whether it is depends on the time that the ranks compute, so the replay takes none.
    def test_a_receive_from_any_source_that_a_failure_ends(self):
        program = self.compile(ROOT / "tests" / "cli" / "faults" / "any_source_wrong.c", "wrong", "-g")
        report = self.check(program, 3, "--failures", 1, status=1)
        found = next(f for f in report["findings"] if f["severity"] == "error")
        self.assertEqual(found["id"], "deadlock.orphan")
        replayed = self.rehearse("replay", "--compute", "none", "rehearse-counterexample.json", status=2)
        self.assert_one_error(replayed, "cannot be withdrawn, its message is on the way")
        program = self.compile(ROOT / "tests" / "cli" / "faults" / "any_source_right.c", "right", "-g")
        self.assertEqual(self.check(program, 3, "--failures", 1)["verdict"], "verified")

    def test_without_failures_nothing_changes(self):
        program = self.compile(FAULTS / "forgotten_revoke.c", "pipeline", "-g")
        self.assertEqual(self.check(program, 3)["verdict"], "verified")
        self.assertEqual(self.lines(program, 3), [])

    def test_what_is_not_supported_is_named(self):
        program = self.program("""
  MPI_Win window;
  MPI_Win_create(&data, sizeof data, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_free(&window);""")
        report = self.check(program, 2, "--failures", 1, status=3)
        self.assertIn("MPI_Win_create where processes can fail", " ".join(report["reasons"]))

    def test_sockets_that_listen_are_not_supported(self):
        program = self.compile(self.write("socket.c", "#include <netinet/in.h>\n#include <sys/socket.h>\n" + HEAD + """
  const int number = socket(AF_INET, SOCK_STREAM, 0);
  listen(number, 1);""" + TAIL), "socket")
        report = self.check(program, 2, "--failures", 1, status=3)
        self.assertIn("listen (of a socket, where processes can fail)", " ".join(report["reasons"]))

    def test_wrong_options_are_named(self):
        program = self.program("")
        for text, words in (("1", ("'1' given", "RANK@SECONDS")), ("1@-2", ("'1@-2' given",)),
                            ("1@call:0", ("'1@call:0' given",)), ("x@1", ("'x@1' given",))):
            self.assert_one_error(self.rehearse("run", "-n", 2, "--fail", text, program, status=2), *words)
        self.assert_one_error(self.rehearse("run", "-n", 2, "--fail", "2@1", program, status=2),
                              "--fail", "rank 2 given; accepted: 0 to 1")
        self.assert_one_error(
            self.rehearse("run", "-n", 2, "--fail", "1@1", "--fail", "1@2", program, status=2), "given twice")
        self.assert_one_error(
            self.rehearse("run", "-n", 2, "--fail", "1@1", "--trace", "t.rtrace", program, status=2), "--fail")
        self.assert_one_error(self.rehearse("check", "-n", 2, "--failures", 17, program, status=2), "--failures", "17")

    def test_what_does_not_go_with_failures_is_named(self):
        program = self.program("")
        for options in (("--fold-above", "1000000"), ("--merge-pages",), ("--compute", "sampled")):
            self.assert_one_error(self.rehearse("run", "-n", 2, "--fail", "1@1", *options, program, status=2),
                                  "--fail", options[0])
        for options in (("--save", "f"), ("--resume", "f"), ("--try-ranks", "fewer"), ("--deterministic", "output"),
                        ("--search", "predict"), ("--count-merges",), ("--distributed",),
                        ("--reduction", "merged"), ("--reduction", "flow"), ("--reduction", "footprints"),
                        ("--buffering", "mixed"), ("--on", "cluster:2"), ("--needless-barriers",),
                        ("--needed-buffering",)):
            self.assert_one_error(self.rehearse("check", "-n", 3, "--failures", 1, *options, program, status=2),
                                  "--failures", options[0])
        self.assert_one_error(self.rehearse("check", "-n", 2, "--failures", 2, program, status=2),
                              "--failures: 2 given; accepted: fewer than the ranks, 2")


if __name__ == "__main__":
    closing_line.main()
