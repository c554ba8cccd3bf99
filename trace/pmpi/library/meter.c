// SPDX-License-Identifier: MIT
//
// The processor time of the calling thread, mostly without a system call; or its instructions.
//
// Method:  a thread that was not interrupted since the last exact reading (the anchor) used as much processor time as
//          the clock of the processor (TSC) advanced. The kernel reports interruptions through the thread's rseq area:
//          it clears the field rseq_cs when the thread is preempted, migrated or gets a signal, if the thread is not
//          within the named critical section. Ours is a byte of data, in which no thread ever is. If the field is
//          cleared, the clock of the thread (CLOCK_THREAD_CPUTIME_ID) gives the next anchor.
//          Another user of rseq may set the field to a section of its own; then each reading is a system call.
// Source:  kernel/rseq.c of Linux; the manual of glibc, section 36.4, Restartable Sequences.
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "trace/pmpi/library/recorder.h"

#if defined(__x86_64__) && defined(__has_include)
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#define HAS_RSEQ 1
#endif
#include <cpuid.h>
#include <x86intrin.h>
#endif

static struct {
  double volume;  // at the anchor
  uint64_t ticks;
  double per_tick;      // nanoseconds
  uint64_t most_ticks;  // an older anchor is replaced
  double half_read;     // half of the cost of an exact reading
  double overhead;
  uint64_t slow_reads;
  uint64_t first_ticks;
  double first_time;
  enum rehearse_counter counter;
  int event;                          // file descriptor
  struct perf_event_mmap_page* page;  // null: the counter cannot be read in user mode
} meter = {.event = -1};

// By system call: the libc function may be that of `rehearse attach`, whose clocks are slower than the processor's.
static double clock_ns(clockid_t clock) {
  struct timespec now = {0, 0};
  syscall(SYS_clock_gettime, clock, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

#ifdef HAS_RSEQ
static const uint32_t section_data[4] = {RSEQ_SIG, 0, 0, 0};  // the signature is in front of the abort handler
static struct rseq_cs section __attribute__((aligned(32)));

static volatile uint64_t* mark_of_thread(void) {
  struct rseq* area = (struct rseq*)(void*)((char*)__builtin_thread_pointer() + __rseq_offset);
  return (volatile uint64_t*)(volatile void*)&area->rseq_cs;
}
static bool is_uninterrupted(void) { return *mark_of_thread() == (uint64_t)(uintptr_t)&section; }
static void mark(void) { *mark_of_thread() = (uint64_t)(uintptr_t)&section; }

static bool has_steady_clock(void) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __rseq_size > 0 && __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d >> 8 & 1) != 0;
}
static void prepare_mark(void) {
  section.start_ip = (uint64_t)(uintptr_t)&section_data[3];
  section.post_commit_offset = 1;
  section.abort_ip = (uint64_t)(uintptr_t)&section_data[1];
}
static uint64_t ticks_now(void) { return __rdtsc(); }
static uint64_t read_counter(uint32_t index) { return __rdpmc((int)index); }
#else
static bool is_uninterrupted(void) { return false; }
static void mark(void) {}
static bool has_steady_clock(void) { return false; }
static void prepare_mark(void) {}
static uint64_t ticks_now(void) { return 0; }
static uint64_t read_counter(uint32_t index) { return index; }
#endif

// Instructions of the thread in user mode, in the processor's counter if the kernel maps it.
// Source: the comment on perf_event_mmap_page in linux/perf_event.h.
static double instructions_now(void) {
  if (meter.page != NULL) {
    for (int tries = 0; tries < 100; ++tries) {
      const uint32_t lock = __atomic_load_n(&meter.page->lock, __ATOMIC_ACQUIRE);
      const uint32_t index = meter.page->index;
      if (index == 0 || !meter.page->cap_user_rdpmc) break;
      const int64_t offset = meter.page->offset;
      const int unused = 64 - meter.page->pmc_width;
      const int64_t count = (int64_t)(read_counter(index - 1) << unused) >> unused;
      if (__atomic_load_n(&meter.page->lock, __ATOMIC_ACQUIRE) == lock) return (double)(offset + count);
    }
  }
  uint64_t value = 0;
  ++meter.slow_reads;
  return read(meter.event, &value, sizeof value) == (ssize_t)sizeof value ? (double)value : 0;
}

static bool open_instructions(void) {
  struct perf_event_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  meter.event = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (meter.event < 0) return false;
  void* page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, meter.event, 0);
  meter.page = page == MAP_FAILED ? NULL : page;
  return true;
}

// An exact reading, which is the next anchor.
static double read_thread_clock(void) {
  ++meter.slow_reads;
  double volume = 0;
  for (int tries = 0; tries < 3; ++tries) {
    mark();
    volume = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    meter.ticks = ticks_now();
    if (is_uninterrupted()) break;
  }
  meter.volume = volume + meter.half_read;
  return volume;
}

double rt_meter_now(enum rt_side side) {
  if (meter.counter == rehearse_counter_instructions) return instructions_now();
  if (meter.per_tick > 0) {
    const uint64_t ticks = ticks_now() - meter.ticks;
    if (ticks < meter.most_ticks && is_uninterrupted()) return meter.volume + (double)ticks * meter.per_tick;
  }
  const double volume = read_thread_clock();
  return side == rt_entering ? volume - meter.half_read : volume + meter.half_read;
}

void rt_meter_start(bool wants_instructions) {
  if (wants_instructions && open_instructions()) meter.counter = rehearse_counter_instructions;
  prepare_mark();
  meter.first_time = clock_ns(CLOCK_MONOTONIC);
  meter.first_ticks = ticks_now();
}

enum { calibration_rounds = 1000 };

static void find_rate(void) {
  if (!has_steady_clock()) return;
  double time;
  uint64_t ticks;
  do {
    time = clock_ns(CLOCK_MONOTONIC);
    ticks = ticks_now();
  } while (time - meter.first_time < 1e7);
  meter.per_tick = (time - meter.first_time) / (double)(ticks - meter.first_ticks);
  meter.most_ticks = (uint64_t)(1e9 / meter.per_tick);
}

void rt_meter_calibrate(void) {
  if (meter.counter == rehearse_counter_seconds) {
    find_rate();
    double least = 1e9;
    for (int i = 0; i < 100; ++i) {
      const double before = clock_ns(CLOCK_THREAD_CPUTIME_ID), after = clock_ns(CLOCK_THREAD_CPUTIME_ID);
      if (after - before < least) least = after - before;
    }
    meter.half_read = least / 2;
  }
  double least = 1e9;
  rt_meter_now(rt_leaving);
  for (int i = 0; i < calibration_rounds; ++i) {
    const double before = rt_meter_now(rt_leaving), after = rt_meter_now(rt_entering);
    if (after - before < least) least = after - before;
  }
  meter.overhead = least > 0 ? least : 0;
}

double rt_meter_overhead(void) { return meter.overhead; }
enum rehearse_counter rt_meter_counter(void) { return meter.counter; }
uint64_t rt_meter_slow_reads(void) { return meter.slow_reads; }
