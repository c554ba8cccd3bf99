// SPDX-License-Identifier: MIT
//
// Replacements of libc functions: state and actions that libc has for the whole process are per rank here.
//
// Not here: functions without state of the process (string.h, math.h, qsort...) are libc's own. The working directory,
//           open files and umask are shared by the ranks.
// Threads:  called by ranks only.
#pragma once

#include <sched.h>
#include <sys/types.h>
#include <time.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "smpi/process/rank_state.hpp"
#include "smpi/process/symbol_lookup.hpp"

namespace rehearse::smpi {

using InterposerList = std::vector<std::pair<std::string_view, void*>>;

template <class Function>
void* function_address(Function* function) {
  return reinterpret_cast<void*>(function);
}

InterposerList exit_interposers();  // exit, atexit, abort, assert, __libc_start_main: start and end of a rank
InterposerList signal_interposers();
InterposerList stream_interposers();       // write, fileno, fflush...: the standard streams
InterposerList file_interposers();         // stat, unlink, lseek...
InterposerList socket_interposers();       // socket, accept, recv...
InterposerList host_name_interposers();    // getaddrinfo...
InterposerList environment_interposers();  // getenv, setenv...
InterposerList getopt_interposers();
InterposerList random_device_interposers();                                  // std::random_device
InterposerList random_interposers();                                         // rand, drand48, getrandom...
InterposerList identity_interposers();                                       // getpid, gethostname, getrusage, syscall
InterposerList thread_interposers();                                         // keys of thread-specific data
InterposerList concurrency_interposers();                                    // threads
InterposerList waiting_interposers();                                        // locks, conditions, semaphores
InterposerList page_interposers();                                           // mmap...
InterposerList locale_interposers();                                         // setlocale...
InterposerList wide_interposers();                                           // wprintf... on the standard streams
InterposerList time_interposers();                                           // clocks, sleeps, calendar
std::optional<double> seconds_until(clockid_t clock, const timespec& date);  // 0: it has passed; empty: invalid
InterposerList text_interposers();                                           // strtok...
InterposerList processor_interposers();                // sysconf, sched_getaffinity...: always one processor
int give_affinity(std::size_t bytes, cpu_set_t* set);  // an error number
InterposerList heap_interposers();                     // malloc_usable_size
InterposerList allocation_interposers();               // malloc...
InterposerList freeing_interposers();                  // free, realloc
InterposerList unwinding_interposers();                // _dl_find_object, __tls_get_addr...
InterposerList plugin_interposers();                   // dlopen...
InterposerList user_interposers();                     // the functions of rehearse.h
InterposerList sample_interposers();                   // those about sampled code
InterposerList folding_interposers();                  // those about folded memory
InterposerList unsupported_interposers();              // forbidden functions: processes...
InterposerList cxx_binding_interposers();              // MPI::Win::Free...

Symbols::Interposers all_interposers();

inline constexpr unsigned thread_keys_max = 1024;  // PTHREAD_KEYS_MAX

// Functions that also replace those of the program's own libraries.
Symbols::Interposers overriding_interposers();

// The system call, for private words of the rank.
long rank_futex(int* word, int operation, int value, const timespec* limit);

// The running rank's view of files; null: it uses the disk directly.
RankFiles* rank_files();

// The time, as clocks without date read it.
double clock_seconds();

// The calling thread sleeps.
void sleep_for(std::int64_t seconds, std::int64_t ns);

pid_t process_id_of(ActorId rank);

// The descriptor for a rank that opens /dev/urandom; the kernel never uses this number.
inline constexpr int random_descriptor = 1 << 30;
bool is_random_device(const char* path);
ssize_t rank_getrandom(void* buffer, std::size_t bytes, unsigned flags);

// The rank's last Operation: Fail or End.
[[noreturn]] void fail_rank(FailureKind kind, std::string_view id, std::string_view what);
[[noreturn]] void end_rank(int status);

// Calls the constructors of an image, its destructors, or the destructors of all plugins that are still open.
void construct_image(const RankState& rank, const Image& image);
void destroy_image(const RankState& rank, const Image& image);
void destroy_plugins(RankState& rank);

// As exit(): handlers, destructors, streams.
[[noreturn]] void exit_rank(int status);

// Calls the destructors of thread_local variables that were registered since the list was empty.
void call_thread_handlers();

// Calls the destructors of the running thread's values of keys.
void call_key_destructors();

// abort() and its equivalents.
[[noreturn]] void abort_rank();

// Opens the rank's standard streams, or writes out their buffers.
void open_standard_streams(RankState& rank);
void flush_standard_streams(RankState& rank);

// Whether an uncaught exception ends the rank; `text` is then its type and what().
bool describe_uncaught_exception(const RankState& rank, std::string& text);

}  // namespace rehearse::smpi
