// SPDX-License-Identifier: MIT
//
// Functions and constants that MPI-3.0 removed, which old programs still use.
// ranks: 2
// executions: 1
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

struct particle {
  char kind;
  double place[3];
  int charge;
};

static MPI_Aint distance(void* from, void* to) {
  MPI_Aint a, b;
  MPI_Address(from, &a);
  MPI_Address(to, &b);
  return b - a;
}

static MPI_Datatype particle_type(void) {
  struct particle p[2];
  int lengths[5] = {1, 1, 3, 1, 1};
  MPI_Aint places[5] = {0, 0, distance(p, p[0].place), distance(p, &p[0].charge), distance(p, p + 1)};
  MPI_Datatype types[5] = {MPI_LB, MPI_CHAR, MPI_DOUBLE, MPI_INT, MPI_UB}, made;
  MPI_Type_struct(5, lengths, places, types, &made);
  MPI_Type_commit(&made);
  return made;
}

static void exchange(int rank) {
  struct particle p[2] = {{0}};
  MPI_Datatype type = particle_type();
  MPI_Aint extent;
  int size;
  MPI_Type_extent(type, &extent);
  MPI_Type_size(type, &size);
  assert(extent == sizeof(struct particle) && size == 1 + 3 * 8 + 4);
  if (rank == 0) {
    p[1].place[2] = 2.5;
    p[1].charge = -1;
    MPI_Send(p, 2, type, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(p, 2, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(p[1].place[2] == 2.5 && p[1].charge == -1);
  }
  MPI_Type_free(&type);
}

// A bound that was set hides the natural ones, also in types made of the type.
static void bounds(void) {
  int lengths[2] = {1, 1}, count;
  MPI_Aint places[2] = {0, 40}, lower, upper, extent;
  MPI_Datatype types[2] = {MPI_INT, MPI_UB}, wide, three, low;
  MPI_Type_struct(2, lengths, places, types, &wide);
  MPI_Type_lb(wide, &lower);
  MPI_Type_ub(wide, &upper);
  assert(lower == 0 && upper == 40);
  MPI_Type_contiguous(3, wide, &three);
  MPI_Type_extent(three, &extent);
  assert(extent == 120);
  places[0] = -8, places[1] = 0;
  types[0] = MPI_LB, types[1] = MPI_INT;
  MPI_Type_struct(2, lengths, places, types, &low);
  MPI_Type_get_extent(low, &lower, &extent);
  assert(lower == -8 && extent == 12);
  MPI_Type_get_true_extent(low, &lower, &extent);
  assert(lower == 0 && extent == 4);
  MPI_Type_size(MPI_UB, &count);
  assert(count == 0);
  MPI_Type_free(&wide);
  MPI_Type_free(&three);
  MPI_Type_free(&low);
}

static void vectors(void) {
  int lengths[2] = {1, 2}, count[3], combiner;
  MPI_Aint places[2] = {0, 16}, upper;
  MPI_Datatype vector, indexed;
  MPI_Type_hvector(2, 1, 24, MPI_INT, &vector);
  MPI_Type_ub(vector, &upper);
  assert(upper == 28);
  MPI_Type_hindexed(2, lengths, places, MPI_INT, &indexed);
  MPI_Type_ub(indexed, &upper);
  assert(upper == 24);
  MPI_Type_get_envelope(indexed, count, count + 1, count + 2, &combiner);
  assert(combiner == MPI_COMBINER_HINDEXED && combiner != MPI_COMBINER_HINDEXED_INTEGER);
  MPI_Type_free(&vector);
  MPI_Type_free(&indexed);
}

static int seen;
static void note(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  MPI_Error_class(*code, &seen);
}

static void handlers(void) {
  MPI_Handler_function* function = note;
  MPI_Errhandler handler, got;
  MPI_Errhandler_create(function, &handler);
  MPI_Errhandler_set(MPI_COMM_WORLD, handler);
  MPI_Errhandler_get(MPI_COMM_WORLD, &got);
  assert(got == handler);
  MPI_Send(&seen, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
  assert(seen == MPI_ERR_RANK);
  MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&got);
  MPI_Errhandler_free(&handler);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  exchange(rank);
  bounds();
  vectors();
  handlers();
  MPI_Finalize();
  return 0;
}
