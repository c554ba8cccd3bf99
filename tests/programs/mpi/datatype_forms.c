// SPDX-License-Identifier: MIT
//
// Each constructor of datatypes with large counts gives what its classic twin gives; what the _x functions say.
// ranks: 1
#include <assert.h>
#include <mpi.h>
#include <string.h>

static char source[400], plain[400], large[400];

// Both types send the same bytes, and have the same bounds. Frees them.
static void same(MPI_Datatype a, MPI_Datatype b, int combiner, int counts) {
  MPI_Aint lower, extent;
  MPI_Count lower_c, extent_c, bytes, bytes_c, n[4];
  int size, position = 0, kind;
  MPI_Type_commit(&a);
  MPI_Type_commit(&b);
  MPI_Type_size(a, &size);
  MPI_Type_size_c(b, &bytes_c);
  MPI_Type_size_x(b, &bytes);
  assert(size == bytes && bytes == bytes_c);
  MPI_Type_get_extent(a, &lower, &extent);
  MPI_Type_get_extent_c(b, &lower_c, &extent_c);
  assert(lower == lower_c && extent == extent_c);
  MPI_Type_get_extent_x(b, &lower_c, &extent_c);
  assert(lower == lower_c && extent == extent_c);
  MPI_Type_get_true_extent(a, &lower, &extent);
  MPI_Type_get_true_extent_c(b, &lower_c, &extent_c);
  assert(lower == lower_c && extent == extent_c);
  MPI_Type_get_true_extent_x(b, &lower_c, &extent_c);
  assert(lower == lower_c && extent == extent_c);
  MPI_Pack(source, 1, a, plain, sizeof plain, &position, MPI_COMM_SELF);
  MPI_Count at = 0, room;
  MPI_Pack_c(source, 1, b, large, sizeof large, &at, MPI_COMM_SELF);
  MPI_Pack_size_c(1, b, MPI_COMM_SELF, &room);
  assert(at == position && room >= at && memcmp(plain, large, position) == 0);
  MPI_Type_get_envelope_c(b, n, n + 1, n + 2, n + 3, &kind);
  assert(kind == combiner && n[1] == 0 && n[2] == counts);
  MPI_Type_free(&a);
  MPI_Type_free(&b);
}

static void constructors(void) {
  const int lengths[2] = {2, 1}, places[2] = {0, 3}, sizes[2] = {4, 5}, parts[2] = {2, 3}, starts[2] = {1, 1};
  const MPI_Count lengths_c[2] = {2, 1}, places_c[2] = {0, 3}, sizes_c[2] = {4, 5}, parts_c[2] = {2, 3},
                  starts_c[2] = {1, 1}, bytes_c[2] = {0, 12};
  const MPI_Aint bytes[2] = {0, 12};
  const int dealt[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, grid[2] = {2, 2},
            blocks[2] = {MPI_DISTRIBUTE_DFLT_DARG, 1};
  const MPI_Datatype kinds[2] = {MPI_INT, MPI_DOUBLE};
  MPI_Datatype a, b;
#define BOTH(X, combiner, counts, args, args_c) \
  MPI_Type_##X args;                            \
  MPI_Type_##X##_c args_c;                      \
  same(a, b, combiner, counts)
  BOTH(contiguous, MPI_COMBINER_CONTIGUOUS, 1, (3, MPI_INT, &a), (3, MPI_INT, &b));
  BOTH(vector, MPI_COMBINER_VECTOR, 3, (2, 2, 3, MPI_INT, &a), (2, 2, 3, MPI_INT, &b));
  BOTH(create_hvector, MPI_COMBINER_HVECTOR, 3, (2, 2, 20, MPI_INT, &a), (2, 2, 20, MPI_INT, &b));
  BOTH(indexed, MPI_COMBINER_INDEXED, 5, (2, lengths, places, MPI_INT, &a), (2, lengths_c, places_c, MPI_INT, &b));
  BOTH(create_hindexed, MPI_COMBINER_HINDEXED, 5, (2, lengths, bytes, MPI_INT, &a),
       (2, lengths_c, bytes_c, MPI_INT, &b));
  BOTH(create_indexed_block, MPI_COMBINER_INDEXED_BLOCK, 4, (2, 2, places, MPI_INT, &a),
       (2, 2, places_c, MPI_INT, &b));
  BOTH(create_hindexed_block, MPI_COMBINER_HINDEXED_BLOCK, 4, (2, 2, bytes, MPI_INT, &a),
       (2, 2, bytes_c, MPI_INT, &b));
  BOTH(create_struct, MPI_COMBINER_STRUCT, 5, (2, lengths, bytes, kinds, &a), (2, lengths_c, bytes_c, kinds, &b));
  BOTH(create_subarray, MPI_COMBINER_SUBARRAY, 6, (2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &a),
       (2, sizes_c, parts_c, starts_c, MPI_ORDER_C, MPI_INT, &b));
  BOTH(create_resized, MPI_COMBINER_RESIZED, 2, (MPI_INT, -4, 16, &a), (MPI_INT, -4, 16, &b));
  BOTH(create_darray, MPI_COMBINER_DARRAY, 2, (4, 1, 2, sizes, dealt, blocks, grid, MPI_ORDER_C, MPI_INT, &a),
       (4, 1, 2, sizes_c, dealt, blocks, grid, MPI_ORDER_C, MPI_INT, &b));
}

static void elements(void) {
  const int lengths[2] = {1, 2};
  const MPI_Aint bytes[2] = {0, 8};
  const MPI_Datatype kinds[2] = {MPI_INT, MPI_DOUBLE};
  MPI_Datatype pair;
  MPI_Status status;
  MPI_Count many, bytes_c;
  int few, count;
  MPI_Type_create_struct(2, lengths, bytes, kinds, &pair);
  MPI_Type_commit(&pair);
  MPI_Status_set_elements_x(&status, pair, 4);
  MPI_Get_elements(&status, pair, &few);
  MPI_Get_elements_x(&status, pair, &many);
  MPI_Get_elements_c(&status, pair, &bytes_c);
  MPI_Get_count(&status, pair, &count);
  assert(few == 4 && many == 4 && bytes_c == 4 && count == MPI_UNDEFINED);
  MPI_Status_set_elements_c(&status, MPI_BYTE, (MPI_Count)3 << 31);
  MPI_Get_elements(&status, MPI_BYTE, &few);
  MPI_Get_elements_c(&status, MPI_BYTE, &many);
  assert(few == MPI_UNDEFINED && many == (MPI_Count)3 << 31);
  MPI_Type_free(&pair);
}

static void packing(void) {
  const int numbers[2] = {1, -2};
  int back[2] = {0, 0};
  MPI_Count at = 0, room;
  MPI_Pack_external_size_c("external32", 2, MPI_INT, &room);
  MPI_Pack_external_c("external32", numbers, 2, MPI_INT, plain, sizeof plain, &at);
  assert(room == 8 && at == 8 && plain[3] == 1);
  at = 0;
  MPI_Unpack_external_c("external32", plain, 8, &at, back, 2, MPI_INT);
  assert(back[0] == 1 && back[1] == -2);
  at = 0;
  MPI_Pack_c(numbers, 2, MPI_INT, plain, sizeof plain, &at, MPI_COMM_SELF);
  MPI_Count end = at;
  at = 0;
  MPI_Unpack_c(plain, end, &at, back, 1, MPI_INT, MPI_COMM_SELF);
  assert(back[0] == 1 && at < end);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (unsigned i = 0; i < sizeof source; ++i) source[i] = (char)i;
  constructors();
  elements();
  packing();
  MPI_Finalize();
  return 0;
}
