// SPDX-License-Identifier: MIT
//
// CG, with the communication and the sizes of CG of the NAS Parallel Benchmarks: an eigenvalue of a sparse symmetric
// matrix, by inverse iteration with 25 steps of conjugate gradients each. The matrix is another one, of our own.
//
// The ranks are a grid of rows and columns (2^k ranks; an odd k gives twice as many columns). A rank has a block of the
// matrix and, as all ranks of its column, a part of each vector. A product with the matrix is added up along the row of
// ranks, and exchanged with the transposed rank. All of this, and all sums, are messages between two ranks.
// Source of the structure and the sizes: RNR-94-007, section 3.3, and NAS-95-020.
#include "benchmark.h"

enum { inner_steps = 25, tag = 1 };

static const struct {
  int n, row_entries, steps;
  double shift;
  double eigenvalue;  // as this program computes it on one rank
} problems[] = {{1400, 7, 15, 10, 12.7791267296293},
                {7000, 8, 15, 12, 14.5968978408580},
                {14000, 11, 15, 20, 23.9587558450058},
                {75000, 13, 75, 60, 65.2108867157873}};

typedef struct {
  int rank, rows, columns, row, column, row_bits;
  int first_row, row_count;        // of the matrix block
  int first_column, column_count;  // of the matrix block, and of the part of each vector
  int half_first, half_count;      // the part of a product that the transposed rank needs
  int transposed;
} Grid;

typedef struct {
  int* begin;  // of each row in the two following arrays
  int* column;
  double* value;
} Matrix;

static int first_of(int n, int part, int parts) { return (int)((long long)n * part / parts); }

static Grid make_grid(int n, int rank, int ranks) {
  Grid grid = {.rank = rank, .rows = 1, .columns = 1};
  if (!is_power_of_two(ranks)) refuse("cg: the number of ranks must be a power of two");
  while (grid.rows * grid.columns < ranks) {
    if (grid.columns == grid.rows) grid.columns *= 2;
    else grid.rows *= 2;
  }
  for (int columns = grid.columns; columns > 1; columns /= 2) ++grid.row_bits;
  grid.row = rank / grid.columns;
  grid.column = rank % grid.columns;
  grid.first_column = first_of(n, grid.column, grid.columns);
  grid.column_count = first_of(n, grid.column + 1, grid.columns) - grid.first_column;
  if (grid.rows == grid.columns) {
    grid.first_row = first_of(n, grid.row, grid.rows);
    grid.row_count = first_of(n, grid.row + 1, grid.rows) - grid.first_row;
    grid.half_first = 0;
    grid.half_count = grid.row_count;
    grid.transposed = grid.column * grid.columns + grid.row;
  } else {  // the rows of a block are the columns of two blocks
    grid.first_row = first_of(n, 2 * grid.row, grid.columns);
    grid.row_count = first_of(n, 2 * grid.row + 2, grid.columns) - grid.first_row;
    const int half = first_of(n, 2 * grid.row + 1, grid.columns) - grid.first_row;
    grid.half_first = grid.column % 2 == 0 ? 0 : half;
    grid.half_count = grid.column % 2 == 0 ? half : grid.row_count - half;
    grid.transposed = grid.column / 2 * grid.columns + 2 * grid.row + grid.column % 2;
  }
  return grid;
}

// ---- the matrix: random symmetric entries, and a diagonal that makes it positive definite

static uint64_t mix(uint64_t x) {  // Source: the finaliser of SplitMix64, S. Vigna, public domain
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

typedef struct {
  int row, column;
  double value;
} Entry;

// The pair of entries number k of a row: above and below the diagonal.
static Entry entry_of(int n, int row, int k, int row_entries) {
  const uint64_t random = mix((uint64_t)row * row_entries + k);
  Entry entry = {.row = row, .column = (int)(mix(random) % (uint64_t)n)};
  entry.value = entry.column == row ? 0 : (double)(random >> 11) * 0x1p-52 - 1;
  return entry;
}

static int is_mine(const Grid* grid, int row, int column) {
  return row >= grid->first_row && row < grid->first_row + grid->row_count && column >= grid->first_column &&
         column < grid->first_column + grid->column_count;
}

static void insert(Matrix* matrix, int* used, const Grid* grid, int row, int column, double value) {
  if (!is_mine(grid, row, column)) return;
  const int at = matrix->begin[row - grid->first_row] + used[row - grid->first_row]++;
  matrix->column[at] = column - grid->first_column;
  matrix->value[at] = value;
}

// Every rank makes the entries of the whole matrix, and keeps its block.
static Matrix make_matrix(const Grid* grid, int n, int row_entries) {
  double* diagonal = allocate((size_t)n, sizeof *diagonal);
  int* counts = allocate((size_t)grid->row_count + 1, sizeof *counts);
  for (int row = 0; row < n; ++row) {
    if (is_mine(grid, row, row)) ++counts[row - grid->first_row];
    diagonal[row] += 0.1 + (double)row / n;
    for (int k = 0; k < row_entries; ++k) {
      const Entry entry = entry_of(n, row, k, row_entries);
      diagonal[entry.row] += fabs(entry.value);
      diagonal[entry.column] += fabs(entry.value);
      if (is_mine(grid, entry.row, entry.column)) ++counts[entry.row - grid->first_row];
      if (is_mine(grid, entry.column, entry.row)) ++counts[entry.column - grid->first_row];
    }
  }
  Matrix matrix = {.begin = allocate((size_t)grid->row_count + 1, sizeof *matrix.begin)};
  for (int row = 0; row < grid->row_count; ++row) matrix.begin[row + 1] = matrix.begin[row] + counts[row];
  matrix.column = allocate((size_t)matrix.begin[grid->row_count] + 1, sizeof *matrix.column);
  matrix.value = allocate((size_t)matrix.begin[grid->row_count] + 1, sizeof *matrix.value);
  memset(counts, 0, (size_t)grid->row_count * sizeof *counts);
  for (int row = 0; row < n; ++row) {
    insert(&matrix, counts, grid, row, row, diagonal[row]);
    for (int k = 0; k < row_entries; ++k) {
      const Entry entry = entry_of(n, row, k, row_entries);
      insert(&matrix, counts, grid, entry.row, entry.column, entry.value);
      insert(&matrix, counts, grid, entry.column, entry.row, entry.value);
    }
  }
  free(counts);
  free(diagonal);
  return matrix;
}

// ---- communication: along a row of ranks, and with the transposed rank

static void swap_with(int partner, const double* sent, int sent_count, double* received, int received_count) {
  MPI_Request request;
  MPI_Irecv(received, received_count, MPI_DOUBLE, partner, tag, MPI_COMM_WORLD, &request);
  MPI_Send(sent, sent_count, MPI_DOUBLE, partner, tag, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// The rank in the same row, whose column differs in this bit.
static int partner_of(const Grid* grid, int bit) { return grid->row * grid->columns + (grid->column ^ 1 << bit); }

static void sum_in_row(const Grid* grid, double* values, int count) {
  double received[2];
  for (int bit = 0; bit < grid->row_bits; ++bit) {
    swap_with(partner_of(grid, bit), values, count, received, count);
    for (int i = 0; i < count; ++i) values[i] += received[i];
  }
}

static double dot(const Grid* grid, const double* a, const double* b) {
  double sum = 0;
  for (int i = 0; i < grid->column_count; ++i) sum += a[i] * b[i];
  sum_in_row(grid, &sum, 1);
  return sum;
}

// The matrix times `vector`. `partial` and `received` have room for the rows of a block.
static void multiply(const Grid* grid, const Matrix* matrix, const double* vector, double* product, double* partial,
                     double* received) {
  for (int row = 0; row < grid->row_count; ++row) {
    double sum = 0;
    for (int at = matrix->begin[row]; at < matrix->begin[row + 1]; ++at)
      sum += matrix->value[at] * vector[matrix->column[at]];
    partial[row] = sum;
  }
  double* half = partial + grid->half_first;
  for (int bit = 0; bit < grid->row_bits; ++bit) {
    // In a grid with more columns than rows, neighbours give each other the half that they do not keep.
    const int is_split = bit == 0 && grid->half_count < grid->row_count;
    const double* sent = is_split && grid->half_first == 0 ? partial + grid->half_count : is_split ? partial : half;
    swap_with(partner_of(grid, bit), sent, is_split ? grid->row_count - grid->half_count : grid->half_count, received,
              grid->half_count);
    for (int i = 0; i < grid->half_count; ++i) half[i] += received[i];
  }
  if (grid->rows * grid->columns == 1) memcpy(product, half, (size_t)grid->half_count * sizeof *product);
  else swap_with(grid->transposed, half, grid->half_count, product, grid->column_count);
}

typedef struct {
  double *x, *z, *p, *q, *r, *partial, *received;
} Vectors;

// Solves A z = x approximately. Returns the length of the residual x - A z.
static double solve(const Grid* grid, const Matrix* matrix, const Vectors* v) {
  const size_t bytes = (size_t)grid->column_count * sizeof *v->x;
  memset(v->z, 0, bytes);
  memcpy(v->r, v->x, bytes);
  memcpy(v->p, v->x, bytes);
  double rho = dot(grid, v->r, v->r);
  for (int step = 0; step < inner_steps; ++step) {
    multiply(grid, matrix, v->p, v->q, v->partial, v->received);
    const double alpha = rho / dot(grid, v->p, v->q);
    for (int i = 0; i < grid->column_count; ++i) {
      v->z[i] += alpha * v->p[i];
      v->r[i] -= alpha * v->q[i];
    }
    const double next = dot(grid, v->r, v->r), beta = next / rho;
    rho = next;
    for (int i = 0; i < grid->column_count; ++i) v->p[i] = v->r[i] + beta * v->p[i];
  }
  multiply(grid, matrix, v->z, v->q, v->partial, v->received);
  for (int i = 0; i < grid->column_count; ++i) v->q[i] = v->x[i] - v->q[i];
  return sqrt(dot(grid, v->q, v->q));
}

static void start_with_ones(const Grid* grid, const Vectors* v) {
  for (int i = 0; i < grid->column_count; ++i) v->x[i] = 1;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, steps = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int class_number = class_of_arguments(argc, argv, &steps);
  const int n = problems[class_number].n, all_steps = problems[class_number].steps;
  if (steps == 0) steps = all_steps;
  const Grid grid = make_grid(n, rank, size);
  const Matrix matrix = make_matrix(&grid, n, problems[class_number].row_entries);
  const size_t most = (size_t)(grid.row_count > grid.column_count ? grid.row_count : grid.column_count) + 1;
  const Vectors v = {allocate(most, sizeof(double)), allocate(most, sizeof(double)), allocate(most, sizeof(double)),
                     allocate(most, sizeof(double)), allocate(most, sizeof(double)), allocate(most, sizeof(double)),
                     allocate(most, sizeof(double))};

  double residual = 0, eigenvalue = 0, begin = 0;
  for (int step = 0; step <= steps; ++step) {  // step 0 touches all data, and does not count
    if (step <= 1) start_with_ones(&grid, &v);
    if (step == 1) {
      MPI_Barrier(MPI_COMM_WORLD);
      begin = MPI_Wtime();
    }
    residual = solve(&grid, &matrix, &v);
    double sums[2] = {0, 0};
    for (int i = 0; i < grid.column_count; ++i) {
      sums[0] += v.x[i] * v.z[i];
      sums[1] += v.z[i] * v.z[i];
    }
    sum_in_row(&grid, sums, 2);
    eigenvalue = problems[class_number].shift + 1 / sums[0];
    for (int i = 0; i < grid.column_count; ++i) v.x[i] = v.z[i] / sqrt(sums[1]);
  }
  const double seconds = MPI_Wtime() - begin;

  if (rank == 0) printf("residual %.3e, eigenvalue %.13f\n", residual, eigenvalue);
  const int is_right = steps != all_steps || is_near(eigenvalue, problems[class_number].eigenvalue, 1e-10);
  return report("CG", class_number, seconds, residual < 1e-6 && is_right);
}
