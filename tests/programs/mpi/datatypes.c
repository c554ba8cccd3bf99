// SPDX-License-Identifier: MIT
//
// A column of a matrix, a struct, and an indexed type travel; the receiver describes them differently.
// executions: 1
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

typedef struct {
  char letter;
  double number;
} Item;

static void send_all(MPI_Datatype column, MPI_Datatype item, MPI_Datatype some) {
  const int matrix[3][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}};
  const Item items[2] = {{'a', 1.5}, {'b', 2.5}};
  MPI_Send(&matrix[0][1], 1, column, 1, 0, MPI_COMM_WORLD);
  MPI_Send(items, 2, item, 1, 1, MPI_COMM_WORLD);
  MPI_Send(matrix, 1, some, 1, 2, MPI_COMM_WORLD);
}

static void receive_all(MPI_Datatype item) {
  int values[3], count;
  Item items[3];
  MPI_Status status;
  MPI_Recv(values, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  assert(values[0] == 1 && values[1] == 4 && values[2] == 7);
  MPI_Recv(items, 3, item, 0, 1, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, item, &count);
  assert(count == 2 && items[1].letter == 'b' && items[1].number == 2.5);
  MPI_Get_elements(&status, item, &count);
  assert(count == 4);
  MPI_Recv(values, 3, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  assert(values[0] == 0 && values[1] == 5 && values[2] == 6);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Datatype column, fields, item, some;
  const int lengths[2] = {1, 1}, some_lengths[2] = {1, 2}, some_places[2] = {0, 5};
  const MPI_Aint places[2] = {offsetof(Item, letter), offsetof(Item, number)};
  const MPI_Datatype types[2] = {MPI_CHAR, MPI_DOUBLE};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_vector(3, 1, 3, MPI_INT, &column);
  MPI_Type_create_struct(2, lengths, places, types, &fields);
  MPI_Type_create_resized(fields, 0, sizeof(Item), &item);
  MPI_Type_indexed(2, some_lengths, some_places, MPI_INT, &some);
  MPI_Type_commit(&column);
  MPI_Type_commit(&item);
  MPI_Type_commit(&some);
  if (rank == 0) send_all(column, item, some);
  if (rank == 1) receive_all(item);
  MPI_Type_free(&column);
  MPI_Type_free(&fields);
  MPI_Type_free(&item);
  MPI_Type_free(&some);
  MPI_Finalize();
  return 0;
}
