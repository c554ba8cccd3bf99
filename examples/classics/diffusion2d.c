// SPDX-License-Identifier: MIT
//
// Diffusion2D: a plate in blocks, one for each rank of a grid. In every step (2, or the first argument) a block gets
// the edges of its neighbours. At the end rank 0 receives two messages of each other rank, its cells and their sum, in
// the order of arrival.
//
// As in the program of this name in comparisons of checkers, all ranks send before they receive. The program needs
// sends that do not wait. `diffusion2d STEPS named` names the source of each message and is deterministic.
#include <assert.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { side = 4, wide = side + 2 };
enum { tag_up, tag_down, tag_left, tag_right, tag_cells, tag_sum };

static double start_at(int row, int column) { return (row * 7 + column * 3) % 11; }

static double step_at(const double* plate, int width, int row, int column) {
  const double* at = &plate[row * width + column];
  return *at + 0.1 * (at[-1] + at[1] + at[-width] + at[width] - 4 * *at);
}

// One step on a plate with a border and rows x columns cells inside.
static void step(double* plate, int rows, int columns) {
  const int width = columns + 2;
  double* next = calloc((size_t)(rows + 2) * width, sizeof *next);
  memcpy(next, plate, (size_t)(rows + 2) * width * sizeof *next);
  for (int row = 1; row <= rows; ++row)
    for (int column = 1; column <= columns; ++column)
      next[row * width + column] = step_at(plate, width, row, column);
  memcpy(plate, next, (size_t)(rows + 2) * width * sizeof *next);
  free(next);
}

static double* new_plate(int first_row, int first_column, int rows, int columns) {
  double* plate = calloc((size_t)(rows + 2) * (columns + 2), sizeof *plate);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      plate[(row + 1) * (columns + 2) + column + 1] = start_at(first_row + row, first_column + column);
  return plate;
}

static void exchange_edges(double* block, MPI_Comm grid) {
  int up, down, left, right;
  MPI_Cart_shift(grid, 0, 1, &up, &down);
  MPI_Cart_shift(grid, 1, 1, &left, &right);
  MPI_Datatype column;
  MPI_Type_vector(side, 1, wide, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Send(&block[wide + 1], side, MPI_DOUBLE, up, tag_up, grid);
  MPI_Send(&block[side * wide + 1], side, MPI_DOUBLE, down, tag_down, grid);
  MPI_Send(&block[wide + 1], 1, column, left, tag_left, grid);
  MPI_Send(&block[wide + side], 1, column, right, tag_right, grid);
  MPI_Recv(&block[(side + 1) * wide + 1], side, MPI_DOUBLE, down, tag_up, grid, MPI_STATUS_IGNORE);
  MPI_Recv(&block[1], side, MPI_DOUBLE, up, tag_down, grid, MPI_STATUS_IGNORE);
  MPI_Recv(&block[wide + side + 1], 1, column, right, tag_left, grid, MPI_STATUS_IGNORE);
  MPI_Recv(&block[wide], 1, column, left, tag_right, grid, MPI_STATUS_IGNORE);
  MPI_Type_free(&column);
}

// The block without its border, and the sum of its cells.
static double inside_of(const double* block, double* cells) {
  double sum = 0;
  for (int i = 0; i < side * side; ++i) sum += cells[i] = block[(i / side + 1) * wide + i % side + 1];
  return sum;
}

// All blocks on rank 0, in the order of ranks. Each is compared with the sum that its rank sent.
static void collect(double* cells, double* sums, int size, int named, MPI_Comm grid) {
  double received[side * side];
  for (int i = 0; i < 2 * (size - 1); ++i) {
    MPI_Status status;
    MPI_Recv(received, side * side, MPI_DOUBLE, named ? 1 + i / 2 : MPI_ANY_SOURCE, MPI_ANY_TAG, grid, &status);
    if (status.MPI_TAG == tag_sum) sums[status.MPI_SOURCE] = received[0];
    else memcpy(&cells[status.MPI_SOURCE * side * side], received, sizeof received);
  }
  for (int rank = 0; rank < size; ++rank) {
    double sum = 0;
    for (int i = 0; i < side * side; ++i) sum += cells[rank * side * side + i];
    assert(fabs(sum - sums[rank]) < 1e-9);
  }
}

static void compare_with_one_plate(const double* cells, const int* dims, int steps) {
  const int rows = dims[0] * side, columns = dims[1] * side;
  double* plate = new_plate(0, 0, rows, columns);
  for (int i = 0; i < steps; ++i) step(plate, rows, columns);
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const int rank = row / side * dims[1] + column / side;
      const double there = cells[(rank * side + row % side) * side + column % side];
      assert(fabs(there - plate[(row + 1) * (columns + 2) + column + 1]) < 1e-9);
    }
  }
  free(plate);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, at[2], dims[2] = {0, 0}, endless[2] = {0, 0};
  MPI_Comm grid;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, endless, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 2, at);
  const int steps = argc > 1 ? atoi(argv[1]) : 2;
  const int named = argc > 2 && strcmp(argv[2], "named") == 0;

  double* block = new_plate(at[0] * side, at[1] * side, side, side);
  for (int i = 0; i < steps; ++i) {
    exchange_edges(block, grid);
    step(block, side, side);
  }
  double* cells = malloc((size_t)(rank == 0 ? size : 1) * side * side * sizeof *cells);
  double* sums = malloc(size * sizeof *sums);
  sums[0] = inside_of(block, cells);
  if (rank == 0) {
    collect(cells, sums, size, named, grid);
    compare_with_one_plate(cells, dims, steps);
  } else {
    MPI_Send(cells, side * side, MPI_DOUBLE, 0, tag_cells, grid);
    MPI_Send(sums, 1, MPI_DOUBLE, 0, tag_sum, grid);
  }
  free(sums);
  free(cells);
  free(block);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
