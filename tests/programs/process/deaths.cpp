// SPDX-License-Identifier: MIT
//
// One way to die per argument; rank 0 only, the others end well.
#include <signal.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <mutex>
#include <thread>

volatile int zero = 0;
int* volatile null = nullptr;
void* volatile not_a_block = const_cast<int*>(&zero);

[[gnu::noinline]] int recurse(int n) {
  volatile char frame[1000];
  frame[n % 1000] = 1;
  return recurse(n + 1) + frame[0];
}

std::mutex held;

void wait_for_main() { held.lock(); }

[[gnu::noinline]] void die(const char* how) {
  switch (how[0]) {
    case 'n': *null = 1; break;
    case 'c': reinterpret_cast<void (*)()>(null)(); break;
    case 'z': zero = 10 / zero; break;
    case 's': zero = recurse(0); break;
    case 'a': abort();
    case 'A': assert(zero == 1); break;
    case 't': throw std::runtime_error("no way out");
    case 'i': throw 42;
    case 'f': free(not_a_block); break;
    case 'd': {
      void* volatile block = malloc(10);
      free(block);
      free(block);
      break;
    }
    case 'u': __builtin_trap();
    case 'k': raise(SIGTERM); break;
    case 'p':
      held.lock();
      std::thread(wait_for_main).join();
      break;
    case 'S': zero = system("true"); break;
    default: break;
  }
}

int main(int, char** argv) {
  const int rank = static_cast<int>(getpid() % 1000);
  usleep(1);
  if (rank == 0) die(argv[1]);
  usleep(1);
  printf("fine");
}
