// SPDX-License-Identifier: MIT
//
// FT, after the problem of the NAS Parallel Benchmarks: a diffusion equation in three dimensions, solved with fast
// Fourier transforms. Each rank has planes of equal z. Before the transform in z, an all-to-all gives each rank rows of
// equal y; the inverse transform has another one. Each step ends with a checksum over all ranks.
// Source of the problem: RNR-94-007, section 3.4.
#include <complex.h>

#include "benchmark.h"

typedef double complex Complex;

static const uint64_t seed = 314159265;
static const double pi = 3.14159265358979323846, diffusion = 1e-6;
enum { summed_points = 1024 };

// The checksum after the last step, as this program computes it on one rank.
static const struct {
  int nx, ny, nz, steps;
  double real, imaginary;
} problems[] = {{64, 64, 64, 6, 554.2683411903, 493.2597244941},
                {128, 128, 32, 6, 550.4159734538, 523.9212247086},
                {256, 256, 128, 6, 509.1487099959, 510.7917842803},
                {512, 256, 256, 20, 512.4146770029, 511.5744692211}};

typedef struct {
  int nx, ny, nz, my_ny, my_nz, first_y, first_z, ranks;
  Complex* roots;  // of one, of order `order`, in the direction of the forward transform
  int order;
  Complex *buffer, *line;
} Box;

static int largest_of(int a, int b) { return a > b ? a : b; }

static Box make_box(int class_number, int rank, int ranks) {
  Box box = {.nx = problems[class_number].nx, .ny = problems[class_number].ny, .nz = problems[class_number].nz};
  if (box.ny % ranks != 0 || box.nz % ranks != 0) refuse("ft: the number of ranks must divide ny and nz");
  box.ranks = ranks;
  box.my_ny = box.ny / ranks;
  box.my_nz = box.nz / ranks;
  box.first_y = rank * box.my_ny;
  box.first_z = rank * box.my_nz;
  box.order = largest_of(box.nx, largest_of(box.ny, box.nz));
  box.roots = allocate((size_t)box.order, sizeof *box.roots);
  for (int i = 0; i < box.order; ++i) box.roots[i] = cexp(-2 * pi * I * i / box.order);
  box.buffer = allocate((size_t)box.nx * box.ny * box.my_nz, sizeof *box.buffer);
  box.line = allocate((size_t)box.order, sizeof *box.line);
  return box;
}

static size_t points_of(const Box* box) { return (size_t)box->nx * box->ny * box->my_nz; }

// Transforms n values (a power of two) in place: radix 2, decimation in time.
static void transform(const Box* box, Complex* value, int n, int is_forward) {
  for (int i = 1, j = 0; i < n; ++i) {
    int bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      const Complex swapped = value[i];
      value[i] = value[j];
      value[j] = swapped;
    }
  }
  for (int half = 1; half < n; half *= 2) {
    const int stride = box->order / (2 * half);
    for (int k = 0; k < half; ++k) {
      const Complex root = is_forward ? box->roots[k * stride] : conj(box->roots[k * stride]);
      for (int i = k; i < n; i += 2 * half) {
        const double re = creal(root) * creal(value[i + half]) - cimag(root) * cimag(value[i + half]);
        const double im = creal(root) * cimag(value[i + half]) + cimag(root) * creal(value[i + half]);
        const Complex odd = re + im * I;
        value[i + half] = value[i] - odd;
        value[i] += odd;
      }
    }
  }
}

// In planes: value[z][y][x] with the z of this rank.
static void transform_planes(const Box* box, Complex* value, int is_forward) {
  for (int z = 0; z < box->my_nz; ++z) {
    Complex* plane = value + (size_t)z * box->ny * box->nx;
    for (int y = 0; y < box->ny; ++y) transform(box, plane + (size_t)y * box->nx, box->nx, is_forward);
    for (int x = 0; x < box->nx; ++x) {
      for (int y = 0; y < box->ny; ++y) box->line[y] = plane[(size_t)y * box->nx + x];
      transform(box, box->line, box->ny, is_forward);
      for (int y = 0; y < box->ny; ++y) plane[(size_t)y * box->nx + x] = box->line[y];
    }
  }
}

// In rows: value[y][x][z] with the y of this rank.
static void transform_rows(const Box* box, Complex* value, int is_forward) {
  for (int row = 0; row < box->my_ny * box->nx; ++row)
    transform(box, value + (size_t)row * box->nz, box->nz, is_forward);
}

static void exchange(const Box* box, const Complex* from, Complex* to) {
  const int count = 2 * box->nx * box->my_ny * box->my_nz;
  MPI_Alltoall(from, count, MPI_DOUBLE, to, count, MPI_DOUBLE, MPI_COMM_WORLD);
}

// A block between two ranks is block[y][x][z], with the y of the one and the z of the other.
static void planes_to_rows(const Box* box, const Complex* planes, Complex* rows) {
  Complex* block = rows;  // the blocks for all ranks, until they are sent
  for (int y = 0; y < box->ny; ++y)
    for (int x = 0; x < box->nx; ++x)
      for (int z = 0; z < box->my_nz; ++z) *block++ = planes[((size_t)z * box->ny + y) * box->nx + x];
  exchange(box, rows, box->buffer);
  const Complex* received = box->buffer;
  for (int rank = 0; rank < box->ranks; ++rank)
    for (int row = 0; row < box->my_ny * box->nx; ++row, received += box->my_nz)
      memcpy(rows + (size_t)row * box->nz + (size_t)rank * box->my_nz, received, box->my_nz * sizeof *rows);
}

static void rows_to_planes(const Box* box, Complex* rows, Complex* planes) {
  Complex* block = box->buffer;
  for (int rank = 0; rank < box->ranks; ++rank)
    for (int row = 0; row < box->my_ny * box->nx; ++row, block += box->my_nz)
      memcpy(block, rows + (size_t)row * box->nz + (size_t)rank * box->my_nz, box->my_nz * sizeof *rows);
  exchange(box, box->buffer, rows);
  const Complex* received = rows;
  for (int y = 0; y < box->ny; ++y)
    for (int x = 0; x < box->nx; ++x)
      for (int z = 0; z < box->my_nz; ++z) planes[((size_t)z * box->ny + y) * box->nx + x] = *received++;
}

// The same values for every number of ranks: each plane has its part of one sequence.
static void fill(const Box* box, Complex* planes) {
  uint64_t state = random_state_after(seed, (uint64_t)2 * box->nx * box->ny * box->first_z);
  for (size_t i = 0; i < points_of(box); ++i) {
    const double real = next_random(&state);
    planes[i] = real + next_random(&state) * I;
  }
}

static double squared_frequency(int index, int n) {
  const double frequency = index < n / 2 ? index : index - n;
  return frequency * frequency;
}

static void evolve(const Box* box, Complex* spectrum, const double* decay) {
  for (size_t i = 0; i < points_of(box); ++i) spectrum[i] *= decay[i];
}

static Complex checksum(const Box* box, const Complex* planes) {
  double mine[2] = {0, 0}, all[2] = {0, 0};
  for (int j = 1; j <= summed_points; ++j) {
    const int x = j % box->nx, y = 3 * j % box->ny, z = 5 * j % box->nz - box->first_z;
    if (z < 0 || z >= box->my_nz) continue;
    const Complex value = planes[((size_t)z * box->ny + y) * box->nx + x];
    mine[0] += creal(value);
    mine[1] += cimag(value);
  }
  MPI_Reduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return (all[0] + all[1] * I) / ((double)box->nx * box->ny * box->nz);
}

// The solution at step 0 is the initial state, so the transforms must restore it.
static double largest_error(const Box* box, Complex* spectrum, Complex* planes, Complex* rows) {
  memcpy(rows, spectrum, points_of(box) * sizeof *rows);
  transform_rows(box, rows, 0);
  rows_to_planes(box, rows, planes);
  transform_planes(box, planes, 0);
  Complex* initial = rows;
  fill(box, initial);
  double mine = 0, all = 0;
  for (size_t i = 0; i < points_of(box); ++i)
    mine = fmax(mine, cabs(planes[i] / ((double)box->nx * box->ny * box->nz) - initial[i]));
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int steps = 0;
  const int class_number = class_of_arguments(argc, argv, &steps);
  const int all_steps = problems[class_number].steps;
  if (steps == 0) steps = all_steps;
  const Box box = make_box(class_number, rank, size);
  Complex* planes = allocate(points_of(&box), sizeof *planes);
  Complex* rows = allocate(points_of(&box), sizeof *rows);
  Complex* spectrum = allocate(points_of(&box), sizeof *spectrum);
  double* decay = allocate(points_of(&box), sizeof *decay);  // of one step, at each frequency of `spectrum`
  size_t at = 0;
  for (int y = 0; y < box.my_ny; ++y)
    for (int x = 0; x < box.nx; ++x)
      for (int z = 0; z < box.nz; ++z)
        decay[at++] = exp(-4 * diffusion * pi * pi *
                          (squared_frequency(x, box.nx) + squared_frequency(box.first_y + y, box.ny) +
                           squared_frequency(z, box.nz)));

  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  fill(&box, planes);
  transform_planes(&box, planes, 1);
  planes_to_rows(&box, planes, spectrum);
  transform_rows(&box, spectrum, 1);
  const double error = largest_error(&box, spectrum, planes, rows);
  Complex sum = 0;
  for (int step = 1; step <= steps; ++step) {
    evolve(&box, spectrum, decay);
    memcpy(rows, spectrum, points_of(&box) * sizeof *rows);
    transform_rows(&box, rows, 0);
    rows_to_planes(&box, rows, planes);
    transform_planes(&box, planes, 0);
    sum = checksum(&box, planes);
    if (rank == 0) printf("step %d: checksum %.12e %.12e\n", step, creal(sum), cimag(sum));
  }
  const double seconds = MPI_Wtime() - begin;

  if (rank == 0) printf("error of a transform and its inverse %.1e\n", error);
  const int is_right = steps != all_steps || (is_near(creal(sum), problems[class_number].real, 1e-10) &&
                                              is_near(cimag(sum), problems[class_number].imaginary, 1e-10));
  return report("FT", class_number, seconds, error < 1e-12 && (rank != 0 || is_right));
}
