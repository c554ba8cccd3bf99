// SPDX-License-Identifier: MIT
//
// The portable representation: big-endian, 4 bytes for a long, 16 for a long double.
// ranks: 1
// executions: 1
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
  struct pair {
    int number;
    double value;
  } give[2] = {{1, 1.5}, {-2, -0.25}}, got[2] = {{0, 0}, {0, 0}};
  const int lengths[2] = {1, 1};
  const MPI_Aint places[2] = {0, offsetof(struct pair, value)};
  const MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
  unsigned char bytes[64];
  long numbers[2] = {258, -3}, back[2] = {0, 0};
  long double wide = 1.0L / 3, again = 0;
  MPI_Aint position = 0, size;
  MPI_Datatype type;
  MPI_Init(&argc, &argv);
  MPI_Pack_external("external32", numbers, 2, MPI_LONG, bytes, sizeof bytes, &position);
  assert(position == 8 && bytes[2] == 1 && bytes[3] == 2 && bytes[4] == 255 && bytes[7] == 253);
  position = 0;
  MPI_Unpack_external("external32", bytes, sizeof bytes, &position, back, 2, MPI_LONG);
  assert(position == 8 && back[0] == 258 && back[1] == -3);
  MPI_Type_create_struct(2, lengths, places, types, &type);
  MPI_Type_commit(&type);
  MPI_Pack_external_size("external32", 2, type, &size);
  assert(size == 24);
  position = 0;
  MPI_Pack_external("external32", give, 2, type, bytes, sizeof bytes, &position);
  assert(position == 24 && bytes[3] == 1 && bytes[4] == 0x3f && bytes[5] == 0xf8);
  position = 0;
  MPI_Unpack_external("external32", bytes, 24, &position, got, 2, type);
  assert(got[1].number == -2 && got[1].value == -0.25 && got[0].value == 1.5);
  position = 0;
  MPI_Pack_external("external32", &wide, 1, MPI_LONG_DOUBLE, bytes, sizeof bytes, &position);
  assert(position == 16);
  position = 0;
  MPI_Unpack_external("external32", bytes, 16, &position, &again, 1, MPI_LONG_DOUBLE);
  assert(again == wide);
  MPI_Type_free(&type);
  MPI_Finalize();
  return 0;
}
