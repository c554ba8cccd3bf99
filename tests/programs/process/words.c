// SPDX-License-Identifier: MIT
//
// A program whose ranks do what its argument says, for tests/cli/footprints_test.py: instructions of a letter and three
// digits to the base 36, with a slash between two ranks. 9 as a source or tag: any.
//
//   S rank tag value    sends the value            T rank tag -        sends the total
//   R rank tag effect   receives                   P tag - -           answers the sender of the last message
//   K rank - -          skips the next instruction if the last message came from this rank
//   F rank - -          fails if it did            E - high low        fails if the total is this number; high first
//   L - value -         skips the next instruction if the total is less
//   B - - -             a barrier            U - high low        fails unless the total is this number; high first
//   D tag limit -       answers the sender of the last message with the number of messages, if it is at most the limit
//   G rank tag -        sends what it received last        Q tag - -  ends if the last message had the tag
//
// Effects: 0 adds to the total, 1 stores by source, 2 mixes with the total, 3 replaces it, 4 the greatest, 5 nothing,
// 6 adds to a double.
#include <assert.h>
#include <mpi.h>

static int total, stored[36], last = -1, last_tag = -1, got, count;
static double real;

static int digit(char letter) { return letter >= 'a' ? letter - 'a' + 10 : letter - '0'; }

static void send(int value, int rank, int tag) { MPI_Send(&value, 1, MPI_INT, rank, tag, MPI_COMM_WORLD); }

static void receive(int rank, int tag, int effect) {
  int value;
  MPI_Status status;
  MPI_Recv(&value, 1, MPI_INT, rank == 9 ? MPI_ANY_SOURCE : rank, tag == 9 ? MPI_ANY_TAG : tag, MPI_COMM_WORLD,
           &status);
  last = status.MPI_SOURCE;
  last_tag = status.MPI_TAG;
  got = value;
  ++count;
  switch (effect) {
    case 0: total += value; break;
    case 1: stored[last] = value; break;
    case 2: total = total * 3 + value; break;
    case 3: total = value; break;
    case 4: total = total < value ? value : total; break;
    case 6: real += value * 0.1; break;
    default: break;
  }
}

// The number of instructions to go on by.
static int run(const char* code) {
  const int a = digit(code[1]), b = digit(code[2]), c = digit(code[3]);
  switch (code[0]) {
    case 'S': send(c, a, b); break;
    case 'T': send(total, a, b); break;
    case 'R': receive(a, b, c); break;
    case 'P':
      if (last >= 0) send(1, last, a);
      break;
    case 'K': return last == a ? 2 : 1;
    case 'F': assert(last != a); break;
    case 'E': assert(total != a * 36 + b); break;
    case 'L': return total < b ? 2 : 1;
    case 'B': MPI_Barrier(MPI_COMM_WORLD); break;
    case 'U': assert(total == b * 36 + c); break;
    case 'D':
      if (last >= 0 && count <= b) send(10 + count, last, a);
      break;
    case 'G': send(got, a, b); break;
    case 'Q': return last_tag == a ? 1 << 20 : 1;
    default: assert(0);
  }
  return 1;
}

static int length_of(const char* code) {
  int length = 0;
  while (code[length] != 0 && code[length] != '/') ++length;
  return length;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* code = argv[1];
  for (int i = 0; i < rank; ++i) code += length_of(code) + 1;
  const int length = length_of(code);
  for (int at = 0; at < length;) at += 4 * run(code + at);
  MPI_Finalize();
  return 0;
}
