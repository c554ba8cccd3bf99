// SPDX-License-Identifier: MIT
//
// A solver that does not know who will write to it, in the pattern of algebraic multigrid setups and of graph
// searches: every rank sends requests to the owners of the unknowns that it needs, answers requests of others while it
// polls, and learns by a nonblocking barrier that nobody asks any more (T. Hoefler, C. Siebert, A. Lumsdaine, "Scalable
// communication protocols for dynamic sparse data exchange", PPoPP 2010). Then it runs Jacobi iterations on a ring.
//
// Usage: polling_solver [UNKNOWNS_PER_RANK]    prints the residual on rank 0
#include <assert.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ask_tag = 1, row_tag = 2, max_neighbours = 2 };

struct ring {
  int rank, size, local;
  int asked[max_neighbours];    // whom this rank needs
  int asks;
  int wanted_by[max_neighbours];  // who needs this rank
  int wanted;
};

// Every rank needs the last unknown of the rank before and the first of the one after it, and says so.
static void ask(struct ring* ring, MPI_Request* sends) {
  ring->asks = 0;
  for (int side = -1; side <= 1; side += 2) {
    const int other = ring->rank + side;
    if (other < 0 || other >= ring->size) continue;
    ring->asked[ring->asks] = other;
    MPI_Issend(NULL, 0, MPI_BYTE, other, ask_tag, MPI_COMM_WORLD, &sends[ring->asks++]);
  }
}

// Receives requests until all ranks know that theirs have been received.
static void answer(struct ring* ring) {
  MPI_Request sends[max_neighbours], barrier = MPI_REQUEST_NULL;
  int in_barrier = 0, done = 0;
  ask(ring, sends);
  ring->wanted = 0;
  while (!done) {
    MPI_Status status;
    int there;
    MPI_Iprobe(MPI_ANY_SOURCE, ask_tag, MPI_COMM_WORLD, &there, &status);
    if (there) {
      assert(ring->wanted < max_neighbours);
      ring->wanted_by[ring->wanted++] = status.MPI_SOURCE;
      MPI_Recv(NULL, 0, MPI_BYTE, status.MPI_SOURCE, ask_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (in_barrier) {
      MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    } else {
      int sent;
      MPI_Testall(ring->asks, sends, &sent, MPI_STATUSES_IGNORE);
      if (sent) {
        MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        in_barrier = 1;
      }
    }
  }
}

// One Jacobi sweep of -u'' = 1 with u = 0 at both ends; returns the local change.
static double sweep(const struct ring* ring, double* u, double* next) {
  MPI_Request requests[2 * max_neighbours];
  int posted = 0;
  for (int i = 0; i < ring->asks; ++i) {
    double* halo = ring->asked[i] < ring->rank ? &u[0] : &u[ring->local + 1];
    MPI_Irecv(halo, 1, MPI_DOUBLE, ring->asked[i], row_tag, MPI_COMM_WORLD, &requests[posted++]);
  }
  for (int i = 0; i < ring->wanted; ++i) {
    const double* edge = ring->wanted_by[i] < ring->rank ? &u[1] : &u[ring->local];
    MPI_Isend(edge, 1, MPI_DOUBLE, ring->wanted_by[i], row_tag, MPI_COMM_WORLD, &requests[posted++]);
  }
  MPI_Waitall(posted, requests, MPI_STATUSES_IGNORE);
  double change = 0;
  for (int i = 1; i <= ring->local; ++i) {
    next[i] = (u[i - 1] + u[i + 1] + 1) / 2;
    change += fabs(next[i] - u[i]);
  }
  return change;
}

int main(int argc, char** argv) {
  struct ring ring;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &ring.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ring.size);
  ring.local = argc > 1 ? atoi(argv[1]) : 4;
  answer(&ring);
  double* u = calloc(ring.local + 2, sizeof(double));
  double* next = calloc(ring.local + 2, sizeof(double));
  double change = 0, sum = 0;
  for (int i = 0; i < 3; ++i) {
    change = sweep(&ring, u, next);
    double* old = u;
    u = next;
    next = old;
  }
  MPI_Allreduce(&change, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (ring.rank == 0) printf("change of the third sweep: %.6f\n", sum);
  free(u);
  free(next);
  MPI_Finalize();
  return 0;
}
