// SPDX-License-Identifier: MIT
//
// Who a rank is, its randomness, its clocks, its keys and its pages.
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <random>
#include <string>
#include <thread>

namespace {

int caught = 0;

void show_names() {
  char name[64];
  gethostname(name, sizeof name);
  utsname system;
  uname(&system);
  std::printf("%s %d %d %d ", name, std::strcmp(name, system.nodename), getpid() == gettid(),
              syscall(SYS_getpid) == getpid());
  cpu_set_t processors;
  sched_getaffinity(0, sizeof processors, &processors);
  std::printf("%d %ld ", CPU_COUNT(&processors), sysconf(_SC_NPROCESSORS_ONLN));
  std::printf("%u\n", std::thread::hardware_concurrency());
}

// Every one of these differs between ranks and is the same in every run: it is printed.
void show_chance() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  getrandom(&a, sizeof a, 0);
  const int file = open("/dev/urandom", O_RDONLY);
  if (read(file, &b, sizeof b) != sizeof b) b = 0;
  close(file);
  std::ifstream("/dev/urandom", std::ios::binary).read(reinterpret_cast<char*>(&c), sizeof c);
  FILE* stream = std::fopen("/dev/random", "r");
  if (std::fread(&d, sizeof d, 1, stream) != 1) d = 0;
  std::fclose(stream);
  std::printf("%08x %08x %08x %08x %08x\n", a, b, c, d, std::random_device()());
}

void show_time() {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t ticks = std::clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  timespec wanted{0, 20'000'000};
  nanosleep(&wanted, nullptr);
  clock_gettime(CLOCK_MONOTONIC, &wanted);
  wanted.tv_sec += 1;
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wanted, nullptr);
  timeval day;
  gettimeofday(&day, nullptr);
  std::printf("%d %d %d %d\n", passed.count() > 0, std::clock() > ticks, usage.ru_utime.tv_usec > 0,
              static_cast<int>(day.tv_sec - std::time(nullptr)));
}

void show_memory(int rank) {
  pthread_key_t keys[3];
  for (pthread_key_t& key : keys) std::printf("%d", pthread_key_create(&key, nullptr));
  pthread_setspecific(keys[1], &caught);
  std::printf(" %d%d ", pthread_getspecific(keys[0]) == nullptr, pthread_getspecific(keys[1]) == &caught);
  auto* pages = static_cast<int*>(mmap(nullptr, 100000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  pages[5] += rank;
  usleep(1);
  std::printf("%d %d ", reinterpret_cast<std::uintptr_t>(pages) % 4096 == 0, pages[5] - rank);
  munmap(pages, 100000);
  const int file = open("/proc/self/exe", O_RDONLY);
  auto* text = static_cast<char*>(mmap(nullptr, 100, PROT_READ, MAP_SHARED, file, 0));
  std::printf("%.3s ", text + 1);
  void* block = nullptr;
  std::printf("%d", posix_memalign(&block, 256, 100));
  std::printf("%d%d\n", reinterpret_cast<std::uintptr_t>(block) % 256 == 0, std::aligned_alloc(64, 64) != nullptr);
}

}  // namespace

int main() {
  const int rank = static_cast<int>(getpid() % 1000);
  show_names();
  show_chance();
  show_time();
  show_memory(rank);
  signal(SIGUSR1, [](int) { ++caught; });
  usleep(1);
  kill(getpid(), SIGUSR1);
  pthread_kill(pthread_self(), SIGUSR1);
  raise(SIGUSR1);
  std::printf("%d", caught);
  std::fflush(stdout);
  pthread_exit(nullptr);
}
