// SPDX-License-Identifier: MIT
//
// Measures the messages of an MPI library, for `rehearse calibrate`. A program of its own: MPI 2.2, C99, nothing else.
//
// Use:    mpicc -O2 calibrate.c -o calibrate -lm; mpirun -n 2 ./calibrate > measured.csv
// Output: CSV on rank 0: test,ranks,bytes,repetition,seconds. Lines that begin with # are comments (keys and values).
// Tests:  docs/calibration.md describes each of them.
// Rounds: all tests run once in each round, in random order, so that a disturbance of the machine hits few repetitions
//         of each size. Round 0 is a warm-up, and is not printed.
// Sizes:  0, 1, and one random size in each of equal parts of the logarithmic range, none a power of two.
// Source: T. Hoefler, R. Belli, Scientific Benchmarking of Parallel Computing Systems, SC 2015: random order, no means.
#define _POSIX_C_SOURCE 200809L  // clock_gettime
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  sizes_max = 1024,
  shared_sizes = 6,  // of the tests of contention
  tag_control = 1,
  tag_data = 2,
  tag_never = 3,
  calls = 100  // of a cheap function in one measurement
};

enum test {
  pingpong,
  blocking_send,
  late_send,
  started_send,
  received,
  both_ways,
  probe,
  test_call,
  clock_read,
  tests
};
static const char* const names[tests] = {"pingpong", "send",     "late_send", "isend", "recv",
                                         "sendrecv", "probe",    "test",      "wtime"};

static struct {
  double seconds;      // time budget
  int repetitions;     // most rounds
  int sizes;           // number of random sizes
  double max_bytes;    // largest size
  double protocol_bytes;  // largest size of the tests of a single call
  uint64_t seed;
  int computes;        // also measure computation
} options = {300, 30, 64, 4194304, 524288, 1, 0};

static int rank, ranks;
static int remote = -1, local = -1;  // partners of rank 0: on another node, on its own node
static char* buffer;                 // of the largest message
static char *many_sent, *many_received;
static int bytes_of[sizes_max], size_count;
static double trip[sizes_max];  // least half round trip so far, on rank 0
static int shared[shared_sizes], shared_count;

// Marsaglia, Xorshift RNGs, Journal of Statistical Software 8(14), 2003.
static uint64_t random_state;
static uint64_t next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}
static double uniform(void) { return (double)(next_random() >> 11) / 9007199254740992.0; }

static int random_size(double low, double high, int part, int parts) {
  const double step = (log(high) - log(low)) / parts;
  int size = (int)exp(log(low) + (part + uniform()) * step);
  if ((size & (size - 1)) == 0) ++size;
  return size;
}

static void choose_sizes(void) {
  random_state = 88172645463325252u ^ (options.seed * 2654435769u);
  bytes_of[size_count++] = 0;
  bytes_of[size_count++] = 1;
  for (int i = 0; i < options.sizes; ++i) {
    const int size = random_size(2, options.max_bytes, i, options.sizes);
    if (size > bytes_of[size_count - 1]) bytes_of[size_count++] = size;
  }
  const double high = options.max_bytes < 1048576 ? options.max_bytes : 1048576;
  for (int i = 0; i < shared_sizes; ++i) {
    const int size = random_size(high / 256, high, i, shared_sizes);
    if (shared_count == 0 || size > shared[shared_count - 1]) shared[shared_count++] = size;
  }
}

static void shuffle(int* items, int count) {
  for (int i = count - 1; i > 0; --i) {
    const int other = (int)(next_random() % (uint64_t)(i + 1));
    const int kept = items[i];
    items[i] = items[other];
    items[other] = kept;
  }
}

static void print(const char* test, int used, int bytes, int repetition, double seconds) {
  if (rank == 0 && repetition > 0) printf("%s,%d,%d,%d,%.10g\n", test, used, bytes, repetition, seconds);
}

// Sleeps first if the time is long, so that ranks that share a core do not disturb each other.
static void spin(double seconds) {
  const double end = MPI_Wtime() + seconds, awake = 5e-4;
  if (seconds > 4 * awake) {
    const double asleep = seconds - awake;
    struct timespec time_asleep;
    time_asleep.tv_sec = (time_t)asleep;
    time_asleep.tv_nsec = (long)((asleep - floor(asleep)) * 1e9);
    nanosleep(&time_asleep, NULL);
  }
  while (MPI_Wtime() < end) {
  }
}

static void send(int bytes, int to) { MPI_Send(buffer, bytes, MPI_BYTE, to, tag_data, MPI_COMM_WORLD); }
static void receive(int bytes, int from) {
  MPI_Recv(buffer, bytes, MPI_BYTE, from, tag_data, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Rank 0 sends two numbers to its partner, which answers. Then both are ready, and no message is in flight.
static void agree(int partner, double numbers[2]) {
  if (rank == 0) {
    MPI_Send(numbers, 2, MPI_DOUBLE, partner, tag_control, MPI_COMM_WORLD);
    MPI_Recv(buffer, 0, MPI_BYTE, partner, tag_control, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(numbers, 2, MPI_DOUBLE, 0, tag_control, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(buffer, 0, MPI_BYTE, 0, tag_control, MPI_COMM_WORLD);
  }
}

// Half of a round trip; several in a row if one is short for the clock.
static double time_pingpong(int partner, int bytes, double expected) {
  double numbers[2] = {1, 0};
  if (expected > 0) numbers[0] = ceil(50 * MPI_Wtick() / expected);
  if (numbers[0] > 50) numbers[0] = 50;
  agree(partner, numbers);
  const int trips = (int)numbers[0];
  const double begin = MPI_Wtime();
  for (int i = 0; i < trips; ++i) {
    if (rank == 0) {
      send(bytes, partner);
      receive(bytes, partner);
    } else {
      receive(bytes, 0);
      send(bytes, 0);
    }
  }
  return (MPI_Wtime() - begin) / (2 * trips);
}

// A blocking send whose receive was posted before.
static double time_send(int partner, int bytes, double expected) {
  double numbers[2] = {0, 0};
  agree(partner, numbers);
  if (rank != 0) {
    receive(bytes, 0);
    return 0;
  }
  spin(2 * expected);  // the receiver is inside of MPI_Recv
  const double begin = MPI_Wtime();
  send(bytes, partner);
  return MPI_Wtime() - begin;
}

// A blocking send whose receive is posted late: a rendezvous makes it last for the delay, which is returned in `delay`.
static double time_late_send(int partner, int bytes, double expected, double* delay) {
  double numbers[2] = {0, 8 * expected + 20 * trip[0] + 20 * MPI_Wtick()};
  agree(partner, numbers);
  *delay = numbers[1];
  if (rank != 0) {
    spin(numbers[1]);
    receive(bytes, 0);
    return 0;
  }
  const double begin = MPI_Wtime();
  send(bytes, partner);
  return MPI_Wtime() - begin;
}

static double time_isend(int partner, int bytes, double expected) {
  double numbers[2] = {0, 0};
  agree(partner, numbers);
  if (rank != 0) {
    receive(bytes, 0);
    return 0;
  }
  spin(2 * expected);
  MPI_Request request;
  const double begin = MPI_Wtime();
  MPI_Isend(buffer, bytes, MPI_BYTE, partner, tag_data, MPI_COMM_WORLD, &request);
  const double taken = MPI_Wtime() - begin;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return taken;
}

// A receive of a message that has arrived.
static double time_recv(int partner, int bytes, double expected) {
  double numbers[2] = {0, 0};
  agree(partner, numbers);
  if (rank != 0) {
    send(bytes, 0);
    return 0;
  }
  spin(3 * expected + 4 * trip[0]);
  const double begin = MPI_Wtime();
  receive(bytes, partner);
  return MPI_Wtime() - begin;
}

static void exchange(int other, int bytes) {
  MPI_Sendrecv(buffer, bytes, MPI_BYTE, other, tag_data, many_received, bytes, MPI_BYTE, other, tag_data,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// The mean of two, because the ranks do not begin at the same time: one of them is early each time.
static double time_sendrecv(int partner, int bytes) {
  double numbers[2] = {0, 0};
  agree(partner, numbers);
  const int other = rank == 0 ? partner : 0;
  exchange(other, 0);
  const double begin = MPI_Wtime();
  exchange(other, bytes);
  exchange(other, bytes);
  return (MPI_Wtime() - begin) / 2;
}

static double time_probes(int partner) {
  double numbers[2] = {0, 0};
  agree(partner, numbers);
  if (rank != 0) return 0;
  int found = 0;
  const double begin = MPI_Wtime();
  for (int i = 0; i < calls; ++i) MPI_Iprobe(partner, tag_never, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  return (MPI_Wtime() - begin) / calls;
}

static double time_tests(int partner) {
  double numbers[2] = {0, 0};
  agree(partner, numbers);
  if (rank != 0) {
    receive(0, 0);
    MPI_Send(buffer, 0, MPI_BYTE, 0, tag_never, MPI_COMM_WORLD);
    return 0;
  }
  MPI_Request request;
  int done = 0;
  MPI_Irecv(many_received, 0, MPI_BYTE, partner, tag_never, MPI_COMM_WORLD, &request);
  const double begin = MPI_Wtime();
  for (int i = 0; i < calls; ++i) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  const double taken = MPI_Wtime() - begin;
  send(0, partner);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return taken / calls;
}

static double time_clock(void) {
  const double begin = MPI_Wtime();
  for (int i = 0; i < calls; ++i) MPI_Wtime();
  return (MPI_Wtime() - begin) / (calls + 1);
}

static void one_of_pair(enum test test, int at, int repetition) {
  const int bytes = bytes_of[at];
  double seconds = 0, delay = 0;
  switch (test) {
    case pingpong:
      seconds = time_pingpong(remote, bytes, trip[at]);
      if (trip[at] == 0 || seconds < trip[at]) trip[at] = seconds;
      break;
    case blocking_send: seconds = time_send(remote, bytes, trip[at]); break;
    case late_send:
      seconds = time_late_send(remote, bytes, trip[at], &delay);
      print("late_delay", 2, bytes, repetition, delay);
      break;
    case started_send: seconds = time_isend(remote, bytes, trip[at]); break;
    case received: seconds = time_recv(remote, bytes, trip[at]); break;
    case both_ways: seconds = time_sendrecv(remote, bytes); break;
    case probe: seconds = time_probes(remote); break;
    case test_call: seconds = time_tests(remote); break;
    case clock_read: seconds = rank == 0 ? time_clock() : 0; break;
    case tests: break;
  }
  print(names[test], 2, bytes, repetition, seconds);
}

// All tests of the pair in random order, ping-pongs of the warm-up first: they give the expected times.
static void pair_round(int repetition) {
  static int items[tests * sizes_max];
  int count = 0;
  for (int test = 0; test < tests; ++test)
    for (int at = 0; at < size_count; ++at) {
      const int is_single_call = test == blocking_send || test == late_send || test == started_send || test == received;
      if (is_single_call && bytes_of[at] > options.protocol_bytes) continue;
      if (test >= probe && at > 0) continue;
      items[count++] = test * sizes_max + at;
    }
  if (repetition > 0) shuffle(items, count);
  if (rank != 0 && rank != remote) return;
  for (int i = 0; i < count; ++i) one_of_pair((enum test)(items[i] / sizes_max), items[i] % sizes_max, repetition);
}

static void local_round(int repetition) {
  if (rank != 0 && rank != local) return;
  for (int at = 0; at < size_count; ++at)
    print("loopback_pingpong", 2, bytes_of[at], repetition, time_pingpong(local, bytes_of[at], trip[at] / 20));
}

// The time of a message and an empty answer, for `pairs` pairs at once.
static void pairs_at_once(int pairs, int bytes, int repetition) {
  const int half = ranks / 2;
  double taken = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (rank < pairs) {
    send(bytes, rank + half);
    receive(0, rank + half);
    taken = MPI_Wtime() - begin;
  } else if (rank >= half && rank < half + pairs) {
    receive(bytes, rank - half);
    send(0, rank - half);
  }
  double* all = malloc(sizeof(double) * (size_t)ranks);
  MPI_Gather(&taken, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int pair = 0; rank == 0 && pair < pairs; ++pair) print("pairs", 2 * pairs, bytes, repetition, all[pair]);
  free(all);
}

// Rank 0 sends an empty message to each sender; the time until it has all their messages.
static void incast(int senders, int bytes, int repetition) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Request* requests = malloc(sizeof(MPI_Request) * (size_t)senders);
    MPI_Status* statuses = malloc(sizeof(MPI_Status) * (size_t)senders);
    for (int i = 0; i < senders; ++i)
      MPI_Irecv(many_received + (size_t)i * (size_t)bytes, bytes, MPI_BYTE, ranks - 1 - i, tag_data, MPI_COMM_WORLD,
                &requests[i]);
    const double begin = MPI_Wtime();
    for (int i = 0; i < senders; ++i) MPI_Send(buffer, 0, MPI_BYTE, ranks - 1 - i, tag_control, MPI_COMM_WORLD);
    MPI_Waitall(senders, requests, statuses);
    print("incast", senders + 1, bytes, repetition, MPI_Wtime() - begin);
    free(requests), free(statuses);
  } else if (rank >= ranks - senders) {
    MPI_Recv(buffer, 0, MPI_BYTE, 0, tag_control, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    send(bytes, 0);
  }
}

static void alltoall(int bytes, int repetition) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  MPI_Alltoall(many_sent, bytes, MPI_BYTE, many_received, bytes, MPI_BYTE, MPI_COMM_WORLD);
  double taken = MPI_Wtime() - begin, longest = 0;
  MPI_Reduce(&taken, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  print("alltoall", ranks, bytes, repetition, longest);
}

static void shared_round(int repetition) {
  for (int i = 0; i < shared_count; ++i) {
    const int bytes = shared[i];
    for (int pairs = 1; ranks > 3 && pairs <= ranks / 2; pairs = pairs < ranks / 2 && 2 * pairs > ranks / 2
                                                                     ? ranks / 2
                                                                     : 2 * pairs)
      pairs_at_once(pairs, bytes, repetition);
    for (int senders = 1; ranks > 2 && senders < ranks; senders = senders < ranks - 1 && 2 * senders > ranks - 1
                                                                      ? ranks - 1
                                                                      : 2 * senders)
      incast(senders, bytes, repetition);
    alltoall(bytes, repetition);
  }
}

// Whether a send of so many bytes waits for its late receive. All three must agree; -1: they do not.
static int waits_for_receive(int bytes, double expected, int repetition) {
  int waiting = 0;
  for (int i = 0; i < 3; ++i) {
    double delay = 0;
    const double taken = time_late_send(remote, bytes, expected, &delay);
    print("late_delay", 2, bytes, repetition, delay);
    print(names[late_send], 2, bytes, repetition, taken);
    waiting += taken > delay / 2;
  }
  return waiting == 3 ? 1 : waiting == 0 ? 0 : -1;
}

// The largest eager message by bisection. `remote` takes part until it gets 0 bytes.
static void find_threshold(int repetition) {
  double step[2] = {0, 0};  // bytes (-1: the end), expected seconds
  if (rank == 0) {
    int eager = -1, waiting = -1;
    double expected = 0;
    for (int at = 0; at < size_count && bytes_of[at] <= options.protocol_bytes && waiting < 0; ++at) {
      step[0] = bytes_of[at];
      step[1] = expected = trip[at];
      MPI_Send(step, 2, MPI_DOUBLE, remote, tag_control, MPI_COMM_WORLD);
      const int answer = waits_for_receive(bytes_of[at], expected, repetition);
      if (answer == 0) eager = bytes_of[at];
      if (answer == 1) waiting = bytes_of[at];
    }
    while (eager >= 0 && waiting > eager + 1) {
      const int middle = eager + (waiting - eager) / 2;
      step[0] = middle;
      step[1] = expected;
      MPI_Send(step, 2, MPI_DOUBLE, remote, tag_control, MPI_COMM_WORLD);
      const int answer = waits_for_receive(middle, expected, repetition);
      if (answer < 0) break;
      *(answer == 0 ? &eager : &waiting) = middle;
    }
    step[0] = -1;
    MPI_Send(step, 2, MPI_DOUBLE, remote, tag_control, MPI_COMM_WORLD);
  } else if (rank == remote) {
    for (;;) {
      MPI_Recv(step, 2, MPI_DOUBLE, 0, tag_control, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (step[0] < 0) break;
      waits_for_receive((int)step[0], step[1], repetition);
    }
  }
}

// ---- Computation: kernels whose work is known, on data that a cache does not hold unless said otherwise.

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static volatile double sink;

// McCalpin, Memory bandwidth and machine balance, 1995: 24 bytes for each element.
static double triad(void) {
  enum { count = 2000000 };
  double *a = malloc(sizeof(double) * count), *b = malloc(sizeof(double) * count), *c = malloc(sizeof(double) * count);
  for (int i = 0; i < count; ++i) a[i] = 0, b[i] = i, c[i] = 2;
  const double begin = processor_seconds();
  for (int i = 0; i < count; ++i) a[i] = b[i] + 3.0 * c[i];
  const double taken = processor_seconds() - begin;
  sink = a[count / 2];
  free(a), free(b), free(c);
  return taken;
}

// A product of matrices in cache, with rows as inner loops: 2 n^3 flops.
static double matrix_product(void) {
  enum { n = 160 };
  double* a = malloc(sizeof(double) * n * n * 3);
  double *b = a + n * n, *c = b + n * n;
  for (int i = 0; i < n * n; ++i) a[i] = 1.0 / (i + 1), b[i] = i % 7, c[i] = 0;
  const double begin = processor_seconds();
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
  const double taken = processor_seconds() - begin;
  sink = c[n + 1];
  free(a);
  return taken;
}

// Five points: 5 flops for each of (n - 2)^2.
static double stencil(void) {
  enum { n = 1200 };
  double *a = malloc(sizeof(double) * n * n), *b = malloc(sizeof(double) * n * n);
  for (int i = 0; i < n * n; ++i) a[i] = i % 13, b[i] = 0;
  const double begin = processor_seconds();
  for (int i = 1; i < n - 1; ++i)
    for (int j = 1; j < n - 1; ++j)
      b[i * n + j] =
          0.2 * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] + a[(i + 1) * n + j]);
  const double taken = processor_seconds() - begin;
  sink = b[n + 1];
  free(a), free(b);
  return taken;
}

// A sparse matrix in rows of 27 elements at random columns, by a vector: 2 flops for each element.
static double sparse_product(void) {
  enum { n = 60000, row = 27 };
  double *a = malloc(sizeof(double) * n * row), *x = malloc(sizeof(double) * n), *y = malloc(sizeof(double) * n);
  int* column = malloc(sizeof(int) * n * row);
  for (int i = 0; i < n * row; ++i) a[i] = 1, column[i] = (int)(next_random() % n);
  for (int i = 0; i < n; ++i) x[i] = i, y[i] = 0;
  const double begin = processor_seconds();
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = i * row; j < (i + 1) * row; ++j) sum += a[j] * x[column[j]];
    y[i] = sum;
  }
  const double taken = processor_seconds() - begin;
  sink = y[n / 2];
  free(a), free(x), free(y), free(column);
  return taken;
}

// A counting sort of integers, the work of IS (Bailey et al., The NAS Parallel Benchmarks, 1991): one operation a key.
static double integer_sort(void) {
  enum { keys = 2000000, values = 1 << 19 };
  int *key = malloc(sizeof(int) * keys), *count = calloc(values, sizeof(int)), *sorted = malloc(sizeof(int) * keys);
  for (int i = 0; i < keys; ++i) key[i] = (int)(next_random() % values), sorted[i] = 0;
  const double begin = processor_seconds();
  for (int i = 0; i < keys; ++i) ++count[key[i]];
  for (int i = 1; i < values; ++i) count[i] += count[i - 1];
  for (int i = keys - 1; i >= 0; --i) sorted[--count[key[i]]] = key[i];
  const double taken = processor_seconds() - begin;
  sink = sorted[keys / 2];
  free(key), free(count), free(sorted);
  return taken;
}

static const struct {
  const char* name;
  double work;  // flops, bytes (triad) or keys (sort)
  double (*run)(void);
} kernels[] = {{"triad", 24.0 * 2000000, triad},
               {"product", 2.0 * 160 * 160 * 160, matrix_product},
               {"stencil", 5.0 * 1198 * 1198, stencil},
               {"sparse", 2.0 * 27 * 60000, sparse_product},
               {"sort", 2000000, integer_sort}};
enum { kernel_count = sizeof kernels / sizeof kernels[0] };

// One rank of each node computes; `leads`: this rank is the first one of its node.
static void compute_round(int leads, const char* hosts, int repetition) {
  for (int i = 0; i < kernel_count; ++i) {
    double taken = leads ? kernels[i].run() : 0;
    double* all = malloc(sizeof(double) * (size_t)ranks);
    MPI_Gather(&taken, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int r = 0; rank == 0 && r < ranks; ++r) {
      char name[MPI_MAX_PROCESSOR_NAME + 32];
      snprintf(name, sizeof name, "compute:%s:%s", kernels[i].name, hosts + r * MPI_MAX_PROCESSOR_NAME);
      if (all[r] > 0) print(name, 1, (int)kernels[i].work, repetition, all[r]);
    }
    free(all);
  }
}

// ---- The run.

static void fail(const char* option, const char* value) {
  if (rank == 0)
    fprintf(stderr,
            "calibrate: %s %s: accepted: --seconds S, --repetitions N (1 to 100000), --sizes N (4 to 1000), "
            "--max-bytes B (64 to 1e9), --protocol-bytes B, --seed N, --compute\n",
            option, value);
  MPI_Finalize();
  exit(2);
}

static void read_options(int count, char** values) {
  for (int i = 1; i < count; ++i) {
    if (strcmp(values[i], "--compute") == 0) {
      options.computes = 1;
      continue;
    }
    const char* text = i + 1 < count ? values[i + 1] : "";
    char* end = NULL;
    const double number = strtod(text, &end);
    if (end == text || *end != '\0' || !(number >= 0)) fail(values[i], text);
    if (strcmp(values[i], "--seconds") == 0) options.seconds = number;
    else if (strcmp(values[i], "--repetitions") == 0 && number >= 1 && number <= 1e5) options.repetitions = (int)number;
    else if (strcmp(values[i], "--sizes") == 0 && number >= 4 && number <= 1000) options.sizes = (int)number;
    else if (strcmp(values[i], "--max-bytes") == 0 && number >= 64 && number <= 1e9) options.max_bytes = number;
    else if (strcmp(values[i], "--protocol-bytes") == 0) options.protocol_bytes = number;
    else if (strcmp(values[i], "--seed") == 0) options.seed = (uint64_t)number;
    else fail(values[i], text);
    ++i;
  }
}

static const char* library(void) {
#if defined(OMPI_MAJOR_VERSION)
  static char text[64];
  snprintf(text, sizeof text, "Open MPI %d.%d.%d", OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION, OMPI_RELEASE_VERSION);
  return text;
#elif defined(I_MPI_VERSION)
  return "Intel MPI " I_MPI_VERSION;
#elif defined(MVAPICH2_VERSION)
  return "MVAPICH2 " MVAPICH2_VERSION;
#elif defined(MPICH_VERSION)
  return "MPICH " MPICH_VERSION;
#else
  return "unknown";
#endif
}

static void print_head(const char* hosts) {
  char date[32] = "";
  const time_t now = time(NULL);
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  printf("# rehearse calibration 1\n# library: %s\n# date: %s\n# ranks: %d\n", library(), date, ranks);
  for (int r = 0; r < ranks; ++r) printf("# host %d: %s\n", r, hosts + r * MPI_MAX_PROCESSOR_NAME);
  printf("# partner: %d\n# clock resolution: %.3g\n", remote, MPI_Wtick());
  printf("# arguments: --sizes %d --max-bytes %.0f --protocol-bytes %.0f --seed %llu\n", options.sizes,
         options.max_bytes, options.protocol_bytes, (unsigned long long)options.seed);
  printf("test,ranks,bytes,repetition,seconds\n");
}

// Sets the partners of rank 0; returns whether this rank is the first one of its node.
static int find_partners(const char* hosts) {
  for (int r = ranks - 1; r > 0; --r) {
    if (strcmp(hosts, hosts + r * MPI_MAX_PROCESSOR_NAME) == 0) local = r;
    else remote = r;
  }
  if (remote < 0) {  // a single node: its ranks are measured as if they were on two
    remote = 1;
    local = -1;
  }
  for (int r = 0; r < rank; ++r)
    if (strcmp(hosts + r * MPI_MAX_PROCESSOR_NAME, hosts + rank * MPI_MAX_PROCESSOR_NAME) == 0) return 0;
  return 1;
}

static void* room(size_t bytes) {
  void* made = calloc(bytes + 1, 1);
  if (made != NULL) return made;
  fprintf(stderr, "calibrate: no memory for messages of %.0f bytes: use a smaller --max-bytes\n", options.max_bytes);
  MPI_Abort(MPI_COMM_WORLD, 2);
  return NULL;
}

int main(int count, char** values) {
  MPI_Init(&count, &values);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  read_options(count, values);
  if (ranks < 2 && !options.computes) fail("number of ranks", "1 (accepted: 2 or more, or --compute)");
  choose_sizes();
  const size_t largest = (size_t)options.max_bytes + 2, shared_bytes = (size_t)shared[shared_count - 1] + 2;
  buffer = room(largest);
  many_sent = room(shared_bytes * (size_t)ranks);
  many_received = room(shared_bytes * (size_t)ranks > largest ? shared_bytes * (size_t)ranks : largest);
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  MPI_Get_processor_name(name, &length);
  char* hosts = room((size_t)ranks * MPI_MAX_PROCESSOR_NAME);
  MPI_Allgather(name, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, hosts, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, MPI_COMM_WORLD);
  const int leads = find_partners(hosts);
  if (rank == 0) print_head(hosts);
  const double begin = MPI_Wtime();
  int goes_on = 1;
  for (int repetition = 0; goes_on; ++repetition) {
    if (ranks > 1) {
      pair_round(repetition);
      MPI_Barrier(MPI_COMM_WORLD);
      if (local >= 0) local_round(repetition);
      shared_round(repetition);
      if (repetition == 1) find_threshold(repetition);
      MPI_Barrier(MPI_COMM_WORLD);
    }
    if (options.computes) compute_round(leads, hosts, repetition);
    const double passed = MPI_Wtime() - begin, next = passed / (repetition + 1);
    goes_on = repetition == 0 || (repetition < options.repetitions && passed + next < options.seconds);
    MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) fflush(stdout);
  }
  if (rank == 0) printf("# seconds: %.3f\n", MPI_Wtime() - begin);
  MPI_Finalize();
  return 0;
}
