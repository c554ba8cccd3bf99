// SPDX-License-Identifier: MIT
//
// Conjugate gradients with a multigrid preconditioner on a grid of three dimensions, with the pattern of HPCG: every
// rank has up to 26 neighbours, halos go by MPI_Irecv, MPI_Send and MPI_Wait of each, dot products by MPI_Allreduce,
// the matrix of each of the four levels lies in the heap: values and columns of 27 entries a row, in a block a row.
// halo_multigrid [POINTS of a rank in each direction] [ITERATIONS]
#include <assert.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { levels = 4, most_neighbours = 26, entries = 27 };

typedef struct {
  int rank, count;     // of values that go there, and come from there
  int *sent;           // their rows
} Neighbour;

typedef struct {
  int n, rows, columns;         // columns: rows and what comes from others
  double **values;              // of each row
  int **column_of;
  unsigned char *entries_of;
  int neighbour_count;
  Neighbour neighbours[most_neighbours];
  double *buffer;               // what is sent
  double *r, *z, *residual;
} Level;

static int me, ranks, grid[3], at[3];
static Level level[levels];

static void *get(size_t bytes) {
  void *block = malloc(bytes);
  assert(block != NULL);
  return block;
}

static int first_of(int direction) { return direction < 0 ? 0 : -1; }

// The points of the side towards (dx, dy, dz), in an order that both ranks have.
static int side(int n, int dx, int dy, int dz, int *rows) {
  int count = 0;
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        if (dx && x != (first_of(dx) == 0 ? 0 : n - 1)) continue;
        if (dy && y != (first_of(dy) == 0 ? 0 : n - 1)) continue;
        if (dz && z != (first_of(dz) == 0 ? 0 : n - 1)) continue;
        rows[count++] = (z * n + y) * n + x;
      }
  return count;
}

static int rank_at(int dx, int dy, int dz) {
  const int x = at[0] + dx, y = at[1] + dy, z = at[2] + dz;
  if (x < 0 || y < 0 || z < 0 || x >= grid[0] || y >= grid[1] || z >= grid[2]) return -1;
  return (z * grid[1] + y) * grid[0] + x;
}

// Where in the vector the value of a point of this or a neighbouring rank is; -1: outside of the grid.
static int place(const Level *l, int x, int y, int z, const int *begin) {
  const int n = l->n;
  const int dx = x < 0 ? -1 : x >= n, dy = y < 0 ? -1 : y >= n, dz = z < 0 ? -1 : z >= n;
  if (!dx && !dy && !dz) return (z * n + y) * n + x;
  const int which = (dz + 1) * 9 + (dy + 1) * 3 + dx + 1;
  if (begin[which] < 0) return -1;
  // Of its side towards this rank: the coordinates that are free, x first.
  int index = 0;
  if (!dz) index = z;
  if (!dy) index = index * n + y;
  if (!dx) index = index * n + x;
  return begin[which] + index;
}

static void make_level(Level *l, int n) {
  int begin[27];
  l->n = n;
  l->rows = n * n * n;
  l->columns = l->rows;
  int most = 0;
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const int which = (dz + 1) * 9 + (dy + 1) * 3 + dx + 1;
        const int rank = rank_at(dx, dy, dz);
        begin[which] = -1;
        if (rank < 0 || which == 13) continue;
        Neighbour *other = &l->neighbours[l->neighbour_count++];
        other->rank = rank;
        other->sent = get(sizeof(int) * n * n);
        other->count = side(n, dx, dy, dz, other->sent);
        begin[which] = l->columns;
        l->columns += other->count;
        most += other->count;
      }
  l->buffer = get(sizeof(double) * (most + 1));
  l->values = get(sizeof(double *) * l->rows);
  l->column_of = get(sizeof(int *) * l->rows);
  l->entries_of = get(l->rows);
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        const int row = (z * n + y) * n + x;
        double *values = l->values[row] = get(sizeof(double) * entries);
        int *columns = l->column_of[row] = get(sizeof(int) * entries);
        int count = 0;
        for (int k = -1; k <= 1; ++k)
          for (int j = -1; j <= 1; ++j)
            for (int i = -1; i <= 1; ++i) {
              const int column = place(l, x + i, y + j, z + k, begin);
              if (column < 0) continue;
              columns[count] = column;
              values[count++] = column == row ? 26.0 : -1.0;
            }
        l->entries_of[row] = (unsigned char)count;
      }
  l->r = get(sizeof(double) * l->columns);
  l->z = get(sizeof(double) * l->columns);
  l->residual = get(sizeof(double) * l->columns);
}

static void exchange(const Level *l, double *x) {
  MPI_Request requests[most_neighbours];
  double *to = x + l->rows;
  for (int i = 0; i < l->neighbour_count; ++i) {
    MPI_Irecv(to, l->neighbours[i].count, MPI_DOUBLE, l->neighbours[i].rank, 99, MPI_COMM_WORLD, &requests[i]);
    to += l->neighbours[i].count;
  }
  double *from = l->buffer;
  for (int i = 0; i < l->neighbour_count; ++i) {
    const Neighbour *other = &l->neighbours[i];
    for (int k = 0; k < other->count; ++k) from[k] = x[other->sent[k]];
    MPI_Send(from, other->count, MPI_DOUBLE, other->rank, 99, MPI_COMM_WORLD);
    from += other->count;
  }
  for (int i = 0; i < l->neighbour_count; ++i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
}

static void multiply(const Level *l, double *x, double *y) {
  exchange(l, x);
  for (int row = 0; row < l->rows; ++row) {
    double sum = 0;
    for (int k = 0; k < l->entries_of[row]; ++k) sum += l->values[row][k] * x[l->column_of[row][k]];
    y[row] = sum;
  }
}

static void smooth_row(const Level *l, int row, const double *r, double *x) {
  double sum = r[row];
  for (int k = 0; k < l->entries_of[row]; ++k) sum -= l->values[row][k] * x[l->column_of[row][k]];
  x[row] += sum / 26.0;
}

static void smooth(const Level *l, const double *r, double *x) {
  exchange(l, x);
  for (int row = 0; row < l->rows; ++row) smooth_row(l, row, r, x);
  for (int row = l->rows - 1; row >= 0; --row) smooth_row(l, row, r, x);
}

static void cycle(int depth, const double *r, double *x) {
  Level *l = &level[depth];
  memset(x, 0, sizeof(double) * l->columns);
  smooth(l, r, x);
  if (depth + 1 == levels || l->n % 2 != 0 || l->n < 4) return;
  Level *coarse = &level[depth + 1];
  multiply(l, x, l->residual);
  for (int z = 0; z < coarse->n; ++z)
    for (int y = 0; y < coarse->n; ++y)
      for (int i = 0; i < coarse->n; ++i) {
        const int fine = (2 * z * l->n + 2 * y) * l->n + 2 * i;
        coarse->r[(z * coarse->n + y) * coarse->n + i] = r[fine] - l->residual[fine];
      }
  cycle(depth + 1, coarse->r, coarse->z);
  for (int z = 0; z < coarse->n; ++z)
    for (int y = 0; y < coarse->n; ++y)
      for (int i = 0; i < coarse->n; ++i)
        x[(2 * z * l->n + 2 * y) * l->n + 2 * i] += coarse->z[(z * coarse->n + y) * coarse->n + i];
  smooth(l, r, x);
}

static double dot(const double *a, const double *b, int count) {
  double mine = 0, all = 0;
  for (int i = 0; i < count; ++i) mine += a[i] * b[i];
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int n = argc > 1 ? atoi(argv[1]) : 16, iterations = argc > 2 ? atoi(argv[2]) : 50;
  MPI_Dims_create(ranks, 3, grid);
  at[0] = me % grid[0];
  at[1] = me / grid[0] % grid[1];
  at[2] = me / grid[0] / grid[1];
  for (int i = 0, points = n; i < levels; ++i, points /= 2) make_level(&level[i], points > 1 ? points : 2);
  Level *l = &level[0];
  double *x = calloc(l->columns, sizeof(double)), *p = calloc(l->columns, sizeof(double));
  double *r = get(sizeof(double) * l->columns), *ap = get(sizeof(double) * l->columns);
  double *z = get(sizeof(double) * l->columns);
  for (int i = 0; i < l->rows; ++i) r[i] = 27.0 - l->entries_of[i];  // so that the solution is 1 everywhere
  const double before = sqrt(dot(r, r, l->rows));
  double norm = before, rz = 0;
  for (int i = 0; i < iterations && norm > 0; ++i) {
    cycle(0, r, z);
    const double rz_before = rz;
    rz = dot(r, z, l->rows);
    const double beta = i == 0 ? 0 : rz / rz_before;
    for (int k = 0; k < l->rows; ++k) p[k] = z[k] + beta * p[k];
    multiply(l, p, ap);
    const double alpha = rz / dot(p, ap, l->rows);
    for (int k = 0; k < l->rows; ++k) {
      x[k] += alpha * p[k];
      r[k] -= alpha * ap[k];
    }
    norm = sqrt(dot(r, r, l->rows));
    if (norm < 1e-12 * before && argc <= 3) norm = 1e-12 * before;  // goes on, as benchmarks do
  }
  double worst = 0, all = 0;
  for (int k = 0; k < l->rows; ++k) worst = fmax(worst, fabs(x[k] - 1));
  MPI_Allreduce(&worst, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0) printf("%d ranks, %d points each: error %.1e after %d iterations\n", ranks, l->rows, all, iterations);
  free(x), free(p), free(r), free(ap), free(z);
  MPI_Finalize();
  return 0;
}
