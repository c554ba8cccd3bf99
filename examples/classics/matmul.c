// SPDX-License-Identifier: MIT
//
// MatMul: a product of matrices. All ranks get the second matrix. Rank 0 gives each worker one row of the first matrix
// (5 rows, or the argument), and then the next row to the worker that answers first.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 4 };

static int left_at(int row, int column) { return (row * 3 + column * 5) % 7 - 3; }
static int right_at(int row, int column) { return (row * 2 + column * 11) % 9 - 4; }

static void multiply(const int* row, int right[n][n], int* product) {
  for (int column = 0; column < n; ++column) {
    product[column] = 0;
    for (int i = 0; i < n; ++i) product[column] += row[i] * right[i][column];
  }
}

static void send_row(int row, int worker) {
  int elements[n];
  for (int i = 0; i < n; ++i) elements[i] = left_at(row, i);
  MPI_Send(elements, n, MPI_INT, worker, row, MPI_COMM_WORLD);
}

// The tag of a row is its number. The tag `rows` means that no row remains.
static void be_master(int workers, int rows, int right[n][n]) {
  int dealt = 0, product[n], expected[n], elements[n];
  for (; dealt < rows && dealt < workers; ++dealt) send_row(dealt, dealt + 1);
  for (int done = 0; done < rows; ++done) {
    MPI_Status status;
    MPI_Recv(product, n, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    for (int i = 0; i < n; ++i) elements[i] = left_at(status.MPI_TAG, i);
    multiply(elements, right, expected);
    for (int i = 0; i < n; ++i) assert(product[i] == expected[i]);
    if (dealt < rows) send_row(dealt++, status.MPI_SOURCE);
  }
  for (int worker = 1; worker <= workers; ++worker)
    MPI_Send(elements, 0, MPI_INT, worker, rows, MPI_COMM_WORLD);
}

static void be_worker(int rows, int right[n][n]) {
  for (;;) {
    int elements[n], product[n];
    MPI_Status status;
    MPI_Recv(elements, n, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == rows) return;
    multiply(elements, right, product);
    MPI_Send(product, n, MPI_INT, 0, status.MPI_TAG, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, right[n][n];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int rows = argc > 1 ? atoi(argv[1]) : 5;

  for (int i = 0; i < n * n && rank == 0; ++i) right[i / n][i % n] = right_at(i / n, i % n);
  MPI_Bcast(right, n * n, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) be_master(size - 1, rows, right);
  else be_worker(rows, right);
  MPI_Finalize();
  return 0;
}
