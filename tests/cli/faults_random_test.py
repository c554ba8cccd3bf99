#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random small programs in which a rank may fail at any call: every reduction has the verdict and the findings of the
exploration of all interleavings."""
import json
import os
import random

from checking import WithPrograms

import closing_line

PROGRAMS = int(os.environ.get("REHEARSE_FAULT_PROGRAMS", "24"))
SECONDS = 60
# Each argument is what one rank does. Letters are calls, digits the peer.
INTERPRETER = """#include <assert.h>
#include <mpi-ext.h>
int main(int argc, char** argv) {
  int rank, size, data = 0, error = MPI_SUCCESS, flag = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm comm = MPI_COMM_WORLD;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Request request;
  for (const char* at = argv[1 + rank]; *at != 0; ++at) {
    const int peer = at[1] == '*' ? MPI_ANY_SOURCE : at[1] - '0';
    switch (*at) {
      case 's': error = MPI_Send(&data, 1, MPI_INT, peer, 0, comm); ++at; break;
      case 'r': error = MPI_Recv(&data, 1, MPI_INT, peer, 0, comm, MPI_STATUS_IGNORE); ++at; break;
      case 'i':
        MPI_Irecv(&data, 1, MPI_INT, peer, 0, comm, &request);
        error = MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
        ++at;
        break;
      case 'b': error = MPI_Barrier(comm); break;
      case 'c': error = MPI_Bcast(&data, 1, MPI_INT, 0, comm); break;
      case 'a': flag = error == MPI_SUCCESS; error = MPIX_Comm_agree(comm, &flag); break;
      case 'v': if (error != MPI_SUCCESS) MPIX_Comm_revoke(comm); break;
      case 'k': MPIX_Comm_failure_ack(comm); break;
      case 'x': assert(error == MPI_SUCCESS); break;
      default: assert(0);
    }
  }
  MPI_Finalize();
  return 0;
}
"""


def script(dice, ranks):
    """One text for each rank: messages in pairs, and collectives that all call, with a few mistakes."""
    texts = [""] * ranks
    for _ in range(dice.randint(1, 3)):
        kind = dice.choice("mmmbcav")
        if kind == "m":
            source, target = dice.sample(range(ranks), 2)
            texts[source] += f"s{target}"
            texts[target] += dice.choice("ri") + dice.choice([str(source), "*"])
        else:
            for rank in range(ranks):
                texts[rank] += kind
    for rank in range(ranks):
        texts[rank] += dice.choice(["", "", "", "k", "v", "x"])
    return texts


def essence(report):
    return report["verdict"], sorted({(finding["id"], tuple(finding["ranks"])) for finding in report["findings"]
                                      if finding["severity"] == "error"})


class RandomFaults(WithPrograms):
    def report(self, program, texts, *options):
        done = self.run_program_without_status("check", "-n", len(texts), "--failures", 1, "--all", "--jobs", 1,
                                               "--max-seconds", SECONDS, "--quiet", "--json", "-", *options, program,
                                               *texts)
        return json.loads(done.stdout)

    def run_program_without_status(self, *words):
        import subprocess
        from checking import REHEARSE
        return subprocess.run([str(word) for word in (REHEARSE, *words)], cwd=self.folder, text=True,
                              capture_output=True, check=False, timeout=300)

    def test_reductions_agree(self):
        program = self.compile(self.write("interpreter.c", INTERPRETER), "interpreter", "-g")
        dice = random.Random(20261130)
        verdicts = {}
        for _ in range(PROGRAMS):
            texts = script(dice, dice.choice([2, 2, 3]))
            for buffering in ("infinite", "zero"):
                policy = ("--buffering", buffering, "--collective-synchronisation", "relaxed")
                everything = self.report(program, texts, *policy, "--reduction", "none")
                if everything["verdict"] == "inconclusive":
                    continue
                for reduction in ("matching", "odpor"):
                    reduced = self.report(program, texts, *policy, "--reduction", reduction)
                    self.assertEqual(essence(reduced), essence(everything), (texts, *policy, reduction))
                verdicts[everything["verdict"]] = verdicts.get(everything["verdict"], 0) + 1
        self.assertGreaterEqual(verdicts.get("verified", 0), 5, verdicts)
        self.assertGreaterEqual(verdicts.get("violation", 0), 5, verdicts)


if __name__ == "__main__":
    closing_line.main()
