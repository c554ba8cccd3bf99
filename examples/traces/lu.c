// SPDX-License-Identifier: MIT
//
// LU, with the communication and the sizes of LU of the NAS Parallel Benchmarks: 5 coupled unknowns at each point of a
// cube, solved by symmetric successive over-relaxation (SSOR). The equations are linear ones, of our own.
//
// The ranks are a grid in x and y (2^k ranks; an odd k gives twice as many in x), and each has all planes of equal z.
// In a sweep, a rank receives the edge of a plane from two neighbours, solves a 5 x 5 system at each point of the
// plane, and sends its own edges on: many small messages, in a wave through the grid. Between sweeps, neighbours
// exchange faces, which are large messages.
// Source of the structure and the sizes: RNR-94-007, section 3.7 (LU), and NAS-95-020.
#include "benchmark.h"

enum { unknowns = 5, halo = 2, tag_sweep = 1, tag_faces = 2 };
static const double relaxation = 1.2, damping = 0.02;

static const struct {
  int n, steps;
  double residual, error;  // after the last step, as this program computes them on one rank
} problems[] = {{12, 50, 3.0210623252202e-07, 1.0113674948619e-06},
                {33, 300, 1.4315287659949e-06, 3.8347987834458e-05},
                {64, 250, 3.3307135017854e-03, 3.3123215060879e-01},
                {102, 250, 5.8030937904456e-03, 1.4845839072501e+00}};

typedef struct {
  int n;                            // points of an edge of the cube, with its surface
  int west, east, south, north;     // ranks, or MPI_PROC_NULL
  int first_x, first_y, nx, ny;     // the points of this rank
  int row, plane;                   // distances of neighbours in y and z, in points
  double spacing;
  double *u, *right, *change;       // the solution, the right-hand side, and the change of a step
  double *edge, *face;              // buffers of messages
} Domain;

static int part_of(int n, int part, int parts) { return (int)((long long)n * part / parts); }

static Domain make_domain(int n, int rank, int ranks) {
  if (!is_power_of_two(ranks)) refuse("lu: the number of ranks must be a power of two");
  int width = 1, height = 1;
  while (width * height < ranks) {
    if (width == height) width *= 2;
    else height *= 2;
  }
  if (n / width < 3) refuse("lu: too many ranks for this class");
  const int x = rank % width, y = rank / width;
  Domain domain = {.n = n, .spacing = 1.0 / (n - 1)};
  domain.west = x > 0 ? rank - 1 : MPI_PROC_NULL;
  domain.east = x < width - 1 ? rank + 1 : MPI_PROC_NULL;
  domain.south = y > 0 ? rank - width : MPI_PROC_NULL;
  domain.north = y < height - 1 ? rank + width : MPI_PROC_NULL;
  domain.first_x = part_of(n, x, width);
  domain.first_y = part_of(n, y, height);
  domain.nx = part_of(n, x + 1, width) - domain.first_x;
  domain.ny = part_of(n, y + 1, height) - domain.first_y;
  domain.row = domain.nx + 2 * halo;
  domain.plane = domain.row * (domain.ny + 2 * halo);
  const size_t values = (size_t)unknowns * domain.plane * n;
  domain.u = allocate(values, sizeof(double));
  domain.right = allocate(values, sizeof(double));
  domain.change = allocate(values, sizeof(double));
  const size_t longest = (size_t)(domain.nx > domain.ny ? domain.nx : domain.ny) * unknowns;
  domain.edge = allocate(longest, sizeof(double));
  domain.face = allocate(longest * halo * n, sizeof(double));
  return domain;
}

// The place of the first unknown of a point; x and y are counted from the first point of this rank.
static inline size_t place_of(const Domain* domain, int x, int y, int z) {
  return (size_t)unknowns * ((size_t)z * domain->plane + (size_t)(y + halo) * domain->row + x + halo);
}

static inline int is_inside(const Domain* domain, int x, int y) {
  const int global_x = domain->first_x + x, global_y = domain->first_y + y;
  return global_x > 0 && global_x < domain->n - 1 && global_y > 0 && global_y < domain->n - 1;
}

// ---- the equations: diffusion, transport and a coupling of the unknowns, times the square of the spacing

static inline double transport(int m) { return 1 + 0.5 * m; }

static inline double coupling(const Domain* domain, int x, int y, int z, int m, int other) {
  const double square = domain->spacing * domain->spacing;
  const double at = square * ((domain->first_x + x) + 2.0 * (domain->first_y + y) + 3.0 * z) * domain->spacing;
  return m == other ? 2 * square + at : at / (1 + m + other) - 0.1 * square * (m - other);
}

// A polynomial of degree 2 in each direction, for which the differences have no error.
static double exact(const Domain* domain, int x, int y, int z, int m) {
  const double a = (domain->first_x + x) * domain->spacing, b = (domain->first_y + y) * domain->spacing;
  const double c = z * domain->spacing;
  return 1 + m + (2 - 0.3 * m) * a * (1 + b) + (1 + 0.2 * m) * b * b - c * (a - 0.5 * m) + 0.7 * c * c * b;
}

// A fourth difference damps what changes from point to point. At the surface it has no room.
static inline double fourth_difference(const double* u, ptrdiff_t step, int place, int n) {
  return place < 2 || place > n - 3 ? 0 : u[-2 * step] - 4 * u[-step] + 6 * u[0] - 4 * u[step] + u[2 * step];
}

static double operator_at(const Domain* domain, int x, int y, int z, int m) {
  const ptrdiff_t in_x = unknowns, in_y = (ptrdiff_t)unknowns * domain->row;
  const ptrdiff_t in_z = (ptrdiff_t)unknowns * domain->plane;
  const double* point = domain->u + place_of(domain, x, y, z);
  const double* u = point + m;
  const double speed = 0.5 * domain->spacing * transport(m);
  double sum = 6 * u[0] - (1 - speed) * (u[in_x] + u[in_y] + u[in_z]) - (1 + speed) * (u[-in_x] + u[-in_y] + u[-in_z]);
  for (int other = 0; other < unknowns; ++other) sum += coupling(domain, x, y, z, m, other) * point[other];
  return sum + damping * (fourth_difference(u, in_x, domain->first_x + x, domain->n) +
                          fourth_difference(u, in_y, domain->first_y + y, domain->n) +
                          fourth_difference(u, in_z, z, domain->n));
}

// ---- faces of the solution, two points thick

static void copy_face(const Domain* domain, int first_x, int first_y, int nx, int ny, int is_packing) {
  double* packed = domain->face;
  for (int z = 0; z < domain->n; ++z)
    for (int y = first_y; y < first_y + ny; ++y) {
      double* row = domain->u + place_of(domain, first_x, y, z);
      const size_t count = (size_t)unknowns * nx;
      memcpy(is_packing ? packed : row, is_packing ? row : packed, count * sizeof *row);
      packed += count;
    }
}

static void exchange_faces(const Domain* domain, int in_x) {
  const int nx = in_x ? halo : domain->nx, ny = in_x ? domain->ny : halo;
  const int count = unknowns * nx * ny * domain->n;
  const int low = in_x ? domain->west : domain->south, high = in_x ? domain->east : domain->north;
  double* received = allocate((size_t)count, sizeof *received);
  for (int is_up = 0; is_up < 2; ++is_up) {
    const int from = is_up ? low : high, to = is_up ? high : low;
    MPI_Request request;
    if (from != MPI_PROC_NULL)
      MPI_Irecv(received, count, MPI_DOUBLE, from, tag_faces, MPI_COMM_WORLD, &request);
    if (to != MPI_PROC_NULL) {
      const int start = is_up ? (in_x ? domain->nx : domain->ny) - halo : 0;
      copy_face(domain, in_x ? start : 0, in_x ? 0 : start, nx, ny, 1);
      MPI_Send(domain->face, count, MPI_DOUBLE, to, tag_faces, MPI_COMM_WORLD);
    }
    if (from == MPI_PROC_NULL) continue;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    memcpy(domain->face, received, (size_t)count * sizeof *received);
    const int start = is_up ? -halo : in_x ? domain->nx : domain->ny;
    copy_face(domain, in_x ? start : 0, in_x ? 0 : start, nx, ny, 0);
  }
  free(received);
}

// ---- the residual, and its norm

static void compute_residual(const Domain* domain) {
  exchange_faces(domain, 1);
  exchange_faces(domain, 0);
  for (int z = 1; z < domain->n - 1; ++z)
    for (int y = 0; y < domain->ny; ++y)
      for (int x = 0; x < domain->nx; ++x) {
        if (!is_inside(domain, x, y)) continue;
        const size_t at = place_of(domain, x, y, z);
        for (int m = 0; m < unknowns; ++m)
          domain->change[at + m] = domain->right[at + m] - operator_at(domain, x, y, z, m);
      }
}

// The root of the mean square of `change`, or of the difference of the solution from the exact one.
static double norm(const Domain* domain, int of_error) {
  double mine[unknowns] = {0}, all[unknowns], sum = 0;
  for (int z = 1; z < domain->n - 1; ++z)
    for (int y = 0; y < domain->ny; ++y)
      for (int x = 0; x < domain->nx; ++x) {
        if (!is_inside(domain, x, y)) continue;
        const size_t at = place_of(domain, x, y, z);
        for (int m = 0; m < unknowns; ++m) {
          const double value =
              of_error ? domain->u[at + m] - exact(domain, x, y, z, m) : domain->change[at + m];
          mine[m] += value * value;
        }
      }
  MPI_Allreduce(mine, all, unknowns, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int m = 0; m < unknowns; ++m) sum += all[m];
  return sqrt(sum / (unknowns * pow(domain->n - 2, 3)));
}

// ---- sweeps

// Solves the 5 x 5 system of one point in place, by elimination. The diagonal dominates, so no rows change places.
static void solve_point(const Domain* domain, int x, int y, int z, double* value) {
  double matrix[unknowns][unknowns];
  for (int m = 0; m < unknowns; ++m)
    for (int other = 0; other < unknowns; ++other)
      matrix[m][other] = coupling(domain, x, y, z, m, other) + (m == other ? 6 : 0);
  for (int column = 0; column < unknowns; ++column) {
    const double inverse = 1 / matrix[column][column];
    for (int m = column + 1; m < unknowns; ++m) {
      const double factor = matrix[m][column] * inverse;
      for (int other = column + 1; other < unknowns; ++other) matrix[m][other] -= factor * matrix[column][other];
      value[m] -= factor * value[column];
    }
  }
  for (int m = unknowns - 1; m >= 0; --m) {
    for (int other = m + 1; other < unknowns; ++other) value[m] -= matrix[m][other] * value[other];
    value[m] /= matrix[m][m];
  }
}

// An edge of a plane, at this x or this y, from or to a neighbour.
static void receive_edge(const Domain* domain, int from, int in_x, int at, int z) {
  if (from == MPI_PROC_NULL) return;
  const int count = in_x ? domain->ny : domain->nx;
  MPI_Recv(domain->edge, unknowns * count, MPI_DOUBLE, from, tag_sweep, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < count; ++i)
    memcpy(domain->change + place_of(domain, in_x ? at : i, in_x ? i : at, z), domain->edge + unknowns * i,
           unknowns * sizeof(double));
}

static void send_edge(const Domain* domain, int to, int in_x, int at, int z) {
  if (to == MPI_PROC_NULL) return;
  const int count = in_x ? domain->ny : domain->nx;
  for (int i = 0; i < count; ++i)
    memcpy(domain->edge + unknowns * i, domain->change + place_of(domain, in_x ? at : i, in_x ? i : at, z),
           unknowns * sizeof(double));
  MPI_Send(domain->edge, unknowns * count, MPI_DOUBLE, to, tag_sweep, MPI_COMM_WORLD);
}

// Solves (D + relaxation L) change = relaxation (2 - relaxation) change, from the lower corner of the cube upwards.
static void sweep_up(const Domain* domain) {
  const ptrdiff_t in_y = (ptrdiff_t)unknowns * domain->row, in_z = (ptrdiff_t)unknowns * domain->plane;
  for (int z = 1; z < domain->n - 1; ++z) {
    receive_edge(domain, domain->south, 0, -1, z);
    receive_edge(domain, domain->west, 1, -1, z);
    for (int y = 0; y < domain->ny; ++y)
      for (int x = 0; x < domain->nx; ++x) {
        if (!is_inside(domain, x, y)) continue;
        double* value = domain->change + place_of(domain, x, y, z);
        for (int m = 0; m < unknowns; ++m) {
          const double lower = (1 + 0.5 * domain->spacing * transport(m)) *
                               (value[m - unknowns] + value[m - in_y] + value[m - in_z]);
          value[m] = relaxation * (2 - relaxation) * value[m] + relaxation * lower;
        }
        solve_point(domain, x, y, z, value);
      }
    send_edge(domain, domain->north, 0, domain->ny - 1, z);
    send_edge(domain, domain->east, 1, domain->nx - 1, z);
  }
}

// Solves (D + relaxation U) new = D change, from the upper corner downwards.
static void sweep_down(const Domain* domain) {
  const ptrdiff_t in_y = (ptrdiff_t)unknowns * domain->row, in_z = (ptrdiff_t)unknowns * domain->plane;
  for (int z = domain->n - 2; z > 0; --z) {
    receive_edge(domain, domain->north, 0, domain->ny, z);
    receive_edge(domain, domain->east, 1, domain->nx, z);
    for (int y = domain->ny - 1; y >= 0; --y)
      for (int x = domain->nx - 1; x >= 0; --x) {
        if (!is_inside(domain, x, y)) continue;
        double* value = domain->change + place_of(domain, x, y, z);
        double upper[unknowns];
        for (int m = 0; m < unknowns; ++m)
          upper[m] = relaxation * (1 - 0.5 * domain->spacing * transport(m)) *
                     (value[m + unknowns] + value[m + in_y] + value[m + in_z]);
        solve_point(domain, x, y, z, upper);
        for (int m = 0; m < unknowns; ++m) value[m] += upper[m];
      }
    send_edge(domain, domain->south, 0, 0, z);
    send_edge(domain, domain->west, 1, 0, z);
  }
}

static void step(const Domain* domain) {
  sweep_up(domain);
  sweep_down(domain);
  for (int z = 1; z < domain->n - 1; ++z)
    for (int y = 0; y < domain->ny; ++y) {
      const size_t at = place_of(domain, 0, y, z);
      for (int i = 0; i < unknowns * domain->nx; ++i) domain->u[at + i] += domain->change[at + i];
    }
  compute_residual(domain);
}

// ---- start and end

// The exact solution everywhere, then only on the surface of the cube.
static void fill(const Domain* domain, int is_exact) {
  for (int z = 0; z < domain->n; ++z)
    for (int y = -halo; y < domain->ny + halo; ++y)
      for (int x = -halo; x < domain->nx + halo; ++x) {
        const int keep = is_exact || z == 0 || z == domain->n - 1 || !is_inside(domain, x, y);
        double* value = domain->u + place_of(domain, x, y, z);
        for (int m = 0; m < unknowns; ++m) value[m] = keep ? exact(domain, x, y, z, m) : 0;
      }
}

static void make_right_side(const Domain* domain) {
  for (int z = 1; z < domain->n - 1; ++z)
    for (int y = 0; y < domain->ny; ++y)
      for (int x = 0; x < domain->nx; ++x) {
        const size_t at = place_of(domain, x, y, z);
        for (int m = 0; m < unknowns && is_inside(domain, x, y); ++m)
          domain->right[at + m] = operator_at(domain, x, y, z, m);
      }
}

// Returns the norm of the residual after so many steps; `first` is that before them.
static double iterate(const Domain* domain, int steps, double* first) {
  fill(domain, 0);
  memset(domain->change, 0, (size_t)unknowns * domain->plane * domain->n * sizeof(double));
  compute_residual(domain);
  *first = norm(domain, 0);
  for (int i = 0; i < steps; ++i) step(domain);
  return norm(domain, 0);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, steps = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int class_number = class_of_arguments(argc, argv, &steps);
  const int all_steps = problems[class_number].steps;
  if (steps == 0) steps = all_steps;
  const Domain domain = make_domain(problems[class_number].n, rank, size);
  fill(&domain, 1);
  make_right_side(&domain);

  double first = 0;
  iterate(&domain, 1, &first);  // touches all data, and does not count
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  const double residual = iterate(&domain, steps, &first);
  const double seconds = MPI_Wtime() - begin;
  const double error = norm(&domain, 1);

  if (rank == 0) printf("residual %.13e, before %.3e, error %.13e\n", residual, first, error);
  const int is_right = steps != all_steps || (is_near(residual, problems[class_number].residual, 1e-6) &&
                                              is_near(error, problems[class_number].error, 1e-6));
  return report("LU", class_number, seconds, residual < first && is_right);
}
