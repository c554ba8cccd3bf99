// SPDX-License-Identifier: MIT
//
// Round trips over TCP between rank 0 and rank 1 of `rehearse attach`, which knows nothing of Rehearse but two
// variables of its environment.
//
// Usage:  tcp_pingpong ROUNDS BYTES [COMPUTATION]
// Output: of rank 0: `round trip BYTES: LEAST us, mean MEAN us`, by its own clock. With COMPUTATION, rank 0 computes
//         for so many seconds of CPU time after the round trips and prints `computation: SECONDS s` by its clock.
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { port = 5000 };

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void fail(const char* step) {
  perror(step);
  exit(1);
}

static void move(int file, char* data, size_t bytes, int sends) {
  while (bytes > 0) {
    const ssize_t moved = sends ? send(file, data, bytes, 0) : recv(file, data, bytes, 0);
    if (moved <= 0) fail(sends ? "send" : "recv");
    data += moved;
    bytes -= (size_t)moved;
  }
}

static int meet(int rank, const char* first_address) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
  inet_pton(AF_INET, first_address, &at.sin_addr);
  const int on = 1;
  int file = socket(AF_INET, SOCK_STREAM, 0);
  if (rank == 0) {
    if (bind(file, (struct sockaddr*)&at, sizeof at) != 0 || listen(file, 1) != 0) fail("listen");
    file = accept(file, NULL, NULL);
    if (file < 0) fail("accept");
  } else {
    for (int tries = 0; connect(file, (struct sockaddr*)&at, sizeof at) != 0; ++tries) {
      if (tries == 200) fail("connect");
      close(file);
      file = socket(AF_INET, SOCK_STREAM, 0);
      nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
  }
  setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return file;
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const int rounds = atoi(argv[1]);
  const size_t bytes = (size_t)atol(argv[2]);
  const int rank = atoi(getenv("REHEARSE_RANK"));
  char* data = calloc(1, bytes);
  if (rank < 2) {
    char first[64];
    snprintf(first, sizeof first, "%s", getenv("REHEARSE_ADDRESSES"));
    first[strcspn(first, ",")] = '\0';
    const int file = meet(rank, first);
    double least = 1e9, sum = 0;
    for (int i = 0; i < rounds; ++i) {
      const double start = seconds(CLOCK_MONOTONIC);
      move(file, data, bytes, rank == 0);
      move(file, data, bytes, rank != 0);
      const double round = seconds(CLOCK_MONOTONIC) - start;
      least = round < least ? round : least;
      sum += round;
    }
    if (rank == 0) printf("round trip %zu: %.1f us, mean %.1f us\n", bytes, least * 1e6, sum / rounds * 1e6);
    close(file);
  }
  if (rank == 0 && argc > 3) {
    const double start = seconds(CLOCK_MONOTONIC), wanted = atof(argv[3]), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    while (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu < wanted) continue;
    printf("computation: %.4f s\n", seconds(CLOCK_MONOTONIC) - start);
  }
  free(data);
  return 0;
}
