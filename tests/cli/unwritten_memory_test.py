#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse check with programs that send memory which they never wrote: what it holds is the same whenever a rank comes
to the same place, so it neither hides what is wrong nor makes a right program inconclusive."""
from checking import END, WithPrograms

import closing_line

# Rank 0 takes three equal messages in any order and then calls sends(). What it did before differs from order to order.
ORDERS = """#include <alloca.h>
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static volatile int sink;
__attribute__((noinline)) void dirty(int bytes, int value) {
  volatile char all[bytes];
  for (int i = 0; i < bytes; ++i) all[i] = (char)value;
  sink = all[bytes / 2];
}
__attribute__((noinline)) int deeper(int depth) { return depth == 0 ? sink : deeper(depth - 1) + (sink = depth); }
__attribute__((noinline)) void sends(void) {
  %s
}
__attribute__((noinline)) void takes(int depth) {
  int data;
  if (depth > 0) {
    takes(depth - 1);
    return;
  }
  MPI_Status status;
  MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
  %s
}
int main(int argc, char** argv) {
  int rank, data = 7;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (int i = 0; i < 3; ++i) takes(i);
    sends();
  } else {
    MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 1) {
      static char all[1 << 20];
      for (int i = 0; i < ARRAYS; ++i)
        MPI_Recv(all, sizeof all, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Finalize();
  return 0;
}
"""
SEND = "MPI_Send(%s, %d, MPI_BYTE, 1, 1, MPI_COMM_WORLD);"
MEMORY = {
    "a small array": "char all[64]; " + SEND % ("all", 64),
    "an array": "int all[128]; " + SEND % ("all", 512),
    "a large array": "int all[50000]; " + SEND % ("all", 200000),
    "a deep array": "deeper(100); int all[20000]; " + SEND % ("all", 80000),
    "a block of the stack": "char* all = alloca(3000); " + SEND % ("all", 3000),
    "a block": "char* all = malloc(512); " + SEND % ("all", 512) + " free(all);",
    "a large block": "char* all = malloc(300000); " + SEND % ("all", 300000) + " free(all);",
    "a block that was freed": "free(memset(malloc(512), 3, 512)); char* all = malloc(512); "
                              + SEND % ("all", 512) + " free(all);",
    "blocks that the library freed": """
      MPI_Datatype type; MPI_Request request; int value = 1, copy;
      MPI_Type_vector(3, 1, 2, MPI_INT, &type); MPI_Type_commit(&type); MPI_Type_free(&type);
      MPI_Irecv(&copy, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &request);
      MPI_Send(&value, 1, MPI_INT, 0, 9, MPI_COMM_SELF);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      char all[8][256];
      for (int i = 0; i < 8; ++i) { char* block = malloc(32 << i / 2); memcpy(all[i], block, 32 << i / 2); }
      """ + SEND % ("all", 2048),
}
BETWEEN = {
    "nothing": "",
    "calls of its own": "dirty(500, status.MPI_SOURCE);",
    "deep calls of its own": "dirty(60000, status.MPI_SOURCE); deeper(50);",
    "output": 'printf("%d %g\\n", 7, data / 3.0); fflush(stdout);',
    "the time": "struct timespec now; clock_gettime(CLOCK_REALTIME, &now); sink = (int)now.tv_sec; "
                "sink += MPI_Wtime() > 0;",
    "other calls": "MPI_Type_size(MPI_INT, &data); int flag; MPI_Initialized(&flag); "
                   "MPI_Iprobe(0, 5, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);",
}

# What two ranks do with arrays that nobody wrote, and the check that finds what is wrong with it.
WRONG_HEAD = """#include <mpi.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  MPI_Request request = MPI_REQUEST_NULL, another = MPI_REQUEST_NULL;
  MPI_Status status;
  int rank;
#ifdef HEAP
  int* all = malloc(512);
  int* other = malloc(512);
#else
  int all[128], other[128];
#endif
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int peer = 1 - rank;
"""
WRONG = (
    ("collective.root", "MPI_Bcast(all, 128, MPI_INT, rank, MPI_COMM_WORLD);"),
    ("collective.root", "MPI_Reduce(all, other, 128, MPI_INT, MPI_SUM, rank, MPI_COMM_WORLD);"),
    ("collective.root", "MPI_Gather(all, 8, MPI_INT, other, 8, MPI_INT, rank, MPI_COMM_WORLD);"),
    ("collective.root", "MPI_Scatter(all, 8, MPI_INT, other, 8, MPI_INT, rank, MPI_COMM_WORLD);"),
    ("collective.root", "MPI_Ibcast(all, 128, MPI_INT, rank, MPI_COMM_WORLD, &request); MPI_Wait(&request, &status);"),
    ("collective.operation", "if (rank == 0) MPI_Bcast(all, 128, MPI_INT, 0, MPI_COMM_WORLD); "
                            "else MPI_Reduce(all, other, 128, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);"),
    ("collective.operation", "if (rank == 0) MPI_Allreduce(all, other, 128, MPI_INT, MPI_SUM, MPI_COMM_WORLD); "
                            "else MPI_Barrier(MPI_COMM_WORLD);"),
    ("collective.operator", "MPI_Allreduce(all, other, 128, MPI_INT, rank ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);"),
    ("collective.signature", "MPI_Reduce(all, other, 128, rank ? MPI_INT : MPI_FLOAT, MPI_MAX, 0, MPI_COMM_WORLD);"),
    ("collective.count", "MPI_Bcast(all, rank ? 64 : 128, MPI_INT, 0, MPI_COMM_WORLD);"),
    ("collective.count", "MPI_Allgather(all, 8 - rank, MPI_INT, other, 8, MPI_INT, MPI_COMM_WORLD);"),
    ("collective.count", "MPI_Scan(all, other, rank ? 8 : 16, MPI_INT, MPI_SUM, MPI_COMM_WORLD);"),
    ("collective.signature", "MPI_Alltoall(all, 4, rank ? MPI_INT : MPI_FLOAT, other, 4, MPI_INT, MPI_COMM_WORLD);"),
    ("argument.count", "MPI_Bcast(all, -1, MPI_INT, 0, MPI_COMM_WORLD);"),
    ("argument.datatype", "MPI_Bcast(all, 128, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);"),
    ("argument.root", "MPI_Bcast(all, 128, MPI_INT, 7, MPI_COMM_WORLD);"),
    ("argument.tag", "MPI_Send(all, 128, MPI_INT, peer, -5, MPI_COMM_WORLD);"),
    ("argument.communicator", "MPI_Bcast(all, 128, MPI_INT, 0, MPI_COMM_NULL);"),
    ("deadlock.cycle", "MPI_Recv(all, 128, MPI_INT, peer, 0, MPI_COMM_WORLD, &status); "
                   "MPI_Send(other, 128, MPI_INT, peer, 0, MPI_COMM_WORLD);"),
    ("deadlock.cycle", "MPI_Send(all, 128, MPI_INT, peer, 0, MPI_COMM_WORLD); "
                   "MPI_Recv(other, 128, MPI_INT, peer, 0, MPI_COMM_WORLD, &status);"),
    ("deadlock.orphan", "if (rank) MPI_Recv(all, 128, MPI_INT, 0, 0, MPI_COMM_WORLD, &status); "
                   "else MPI_Bcast(all, 128, MPI_INT, 0, MPI_COMM_WORLD);"),
    ("message.truncated", "if (rank) MPI_Recv(all, 64, MPI_INT, 0, 0, MPI_COMM_WORLD, &status); "
                  "else MPI_Send(all, 128, MPI_INT, 1, 0, MPI_COMM_WORLD);"),
    ("message.type", "if (rank) MPI_Recv(all, 128, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, &status); "
                  "else MPI_Send(all, 128, MPI_INT, 1, 0, MPI_COMM_WORLD);"),
    ("buffer.attached", "if (rank == 0) MPI_Bsend(all, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);"),
    ("resource.request", "if (rank) MPI_Irecv(all, 128, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); "
                  "else MPI_Send(all, 128, MPI_INT, 1, 0, MPI_COMM_WORLD);"),
    ("request.active", "if (rank) { MPI_Recv_init(all, 128, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); "
                  "MPI_Start(&request); MPI_Start(&request); MPI_Wait(&request, &status); } "
                  "else MPI_Send(all, 128, MPI_INT, 1, 0, MPI_COMM_WORLD);"),
    ("buffer.touched", "if (rank) { MPI_Irecv(all, 128, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); all[3] = 1; "
                 "MPI_Wait(&request, &status); } else MPI_Send(all, 128, MPI_INT, 1, 0, MPI_COMM_WORLD);"),
    ("buffer.touched", "if (rank) MPI_Recv(other, 128, MPI_INT, 0, 0, MPI_COMM_WORLD, &status); else { "
                 "MPI_Isend(all, 128, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); all[3] ^= 1; "
                 "MPI_Wait(&request, &status); }"),
    ("argument.datatype", "MPI_Datatype type; MPI_Type_contiguous(4, MPI_INT, &type); "
                   "MPI_Bcast(all, 1, type, 0, MPI_COMM_WORLD); MPI_Type_free(&type);"),
    ("message.lost", "if (rank) MPI_Recv(all, 128, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status); "
                  "else { MPI_Send(all, 64, MPI_INT, 1, 0, MPI_COMM_WORLD); MPI_Send(all, 64, MPI_INT, 1, 0, "
                  "MPI_COMM_WORLD); }"),
    ("lifecycle.finalized", "if (rank) return 0; MPI_Bcast(all, 128, MPI_INT, 0, MPI_COMM_WORLD);"),
)


class UnwrittenMemory(WithPrograms):
    def test_what_is_sent_is_the_same_in_each_order(self):
        sends = "\n".join("{ %s }" % each for each in MEMORY.values())
        for before, between in BETWEEN.items():
            with self.subTest(before):
                source = ORDERS.replace("ARRAYS", str(len(MEMORY))) % (sends, between)
                report = self.check(self.compile(self.write("program.c", source)), 4, "--all", "--jobs", 1)
                self.assertEqual((report["verdict"], report["executions"], report["reasons"]), ("verified", 6, []))

    def test_what_is_wrong_is_found(self):
        for place in ("stack", "heap"):
            head = ("#define HEAP\n" if place == "heap" else "") + WRONG_HEAD
            for expected, statements in WRONG:
                with self.subTest(place=place, statements=statements):
                    program = self.compile(self.write("program.c", head + statements + END))
                    report = self.check(program, 2, "--all", "--jobs", 1, status=1)
                    self.assertEqual(report["verdict"], "violation")
                    self.assertEqual(report["reasons"], [])
                    self.assertIn(expected, [finding["id"] for finding in report["findings"]])


if __name__ == "__main__":
    closing_line.main()
