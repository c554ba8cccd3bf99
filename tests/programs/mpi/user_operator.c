// SPDX-License-Identifier: MIT
//
// An operator of the program that does not commute: the composition of affine maps, in rank order.
// ranks: 4
// executions: 1
#include <assert.h>
#include <mpi.h>

typedef struct {
  double factor, offset;
} Map;

static void compose(void* in, void* inout, int* count, MPI_Datatype* type) {
  const Map* first = in;
  Map* second = inout;
  (void)type;
  for (int i = 0; i < *count; ++i) {
    second[i].offset += second[i].factor * first[i].offset;
    second[i].factor *= first[i].factor;
  }
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Op op;
  MPI_Datatype type;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Op_create(compose, 0, &op);
  MPI_Type_contiguous(2, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  const Map mine = {rank + 2, rank};
  Map all, expected = {1, 0};
  for (int r = 0; r < size; ++r) {
    expected.offset = (r + 2) * expected.offset + r;
    expected.factor *= r + 2;
  }
  MPI_Allreduce(&mine, &all, 1, type, op, MPI_COMM_WORLD);
  assert(all.factor == expected.factor && all.offset == expected.offset);
  MPI_Type_free(&type);
  MPI_Op_free(&op);
  MPI_Finalize();
  return 0;
}
