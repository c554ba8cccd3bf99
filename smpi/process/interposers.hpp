// SPDX-License-Identifier: MIT
//
// Our functions in libc's place: what libc would keep for, or do to, the whole process is done for the rank.
//
// Not here: functions without state of the process (string.h, math.h, qsort...) are libc's own. setlocale, the working
//           directory, open files and umask are shared by the ranks.
// Threads:  called by ranks only.
#pragma once

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

InterposerList exit_interposers();         // exit, atexit, abort, assert, __libc_start_main: ways in and out
InterposerList signal_interposers();
InterposerList stream_interposers();       // write, fileno, fflush...: the standard streams
InterposerList environment_interposers();  // getenv, setenv...
InterposerList getopt_interposers();
InterposerList random_interposers();       // rand, drand48, getrandom...
InterposerList time_interposers();         // clocks, sleeps, calendar
InterposerList text_interposers();         // strtok...
InterposerList processor_interposers();    // sysconf, sched_getaffinity...
InterposerList heap_interposers();         // malloc...
InterposerList unwinding_interposers();    // _dl_find_object, __tls_get_addr, dlsym...
InterposerList unsupported_interposers();  // what a rank must not do: threads, processes

Symbols::Interposers all_interposers();

// The rank's last words.
[[noreturn]] void fail_rank(FailureKind kind, std::string_view id, std::string_view what);
[[noreturn]] void end_rank(int status);

// As exit(): handlers, destructors, streams.
[[noreturn]] void exit_rank(int status);

// abort() and what comes to the same.
[[noreturn]] void abort_rank();

// Opens the rank's standard streams; writes what is left in them.
void open_standard_streams(RankState& rank);
void flush_standard_streams(RankState& rank);

// Whether an exception that nobody caught is what ends the rank; then its type and what().
bool describe_uncaught_exception(const RankState& rank, std::string& text);

}  // namespace rehearse::smpi
