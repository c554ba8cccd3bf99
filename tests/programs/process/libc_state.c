// SPDX-License-Identifier: MIT
//
// What libc keeps per process, used by all ranks in turns.
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

int main(int argc, char** argv) {
  const int rank = (int)getpid() % 1000;
  char text[] = "a,b,c,d";
  int long_value = 0;
  const struct option longs[] = {{"long", required_argument, NULL, 'l'}, {"flag", no_argument, &long_value, 3}, {0}};

  printf("%s|", strtok(text, ","));
  usleep(1);
  printf("%s|", strtok(NULL, ","));
  srand((unsigned)rank);
  const int first = rand();
  usleep(1);
  const int second = rand();
  srand((unsigned)rank);
  printf("%d", rand() == first && rand() == second);
  srand48(1);
  printf("%.3f|", drand48());
  for (int option; (option = getopt_long(argc, argv, "ab:", longs, NULL)) != -1;) {
    printf("%c=%s ", option == 0 ? '0' : option, optarg == NULL ? "" : optarg);
    usleep(1);
  }
  printf("%s %d %d|", argv[optind], argc - optind, long_value);
  printf("%s ", getenv("GREETING"));
  char value[10];
  snprintf(value, sizeof value, "%d", rank);
  setenv("GREETING", value, 1);
  usleep(1);
  printf("%d ", atoi(getenv("GREETING")) == rank);
  unsetenv("GREETING");
  printf("%d %s", getenv("GREETING") == NULL, environ[0]);
  const time_t now = time(NULL);
  printf(" %d", gmtime(&now)->tm_year);
  return 0;
}
