// SPDX-License-Identifier: MIT
//
// The frame of the program: buffers, communicators, computation, and the function of each rank.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "simcore/support/format.hpp"
#include "trace/c/rank_calls.hpp"
#include "trace/c_program.hpp"

namespace rehearse::trace {
namespace {

using c::ProgramFacts;

constexpr const char* head =
    R"(// An MPI program with the calls of a trace, written by Rehearse (rehearse trace convert --to c).
//   -DFLOPS_PER_SECOND=F  the speed at which it computes the volumes of the trace
//   -DPAUSES              it pauses instead of computing
//   -DDATES               each rank prints its time from MPI_Init to MPI_Finalize, in seconds
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef FLOPS_PER_SECOND
#define FLOPS_PER_SECOND 1e10
#endif

)";

constexpr const char* buffers = R"(
static char* sent;
static MPI_Request request[LAST + 1];

// Memory for the message of an open request, or of the blocking call (LAST).
static char* place(int slot, size_t bytes) {
  static char* places[LAST + 1];
  static size_t sizes[LAST + 1];
  if (places[slot] == NULL || bytes > sizes[slot]) {
    free(places[slot]);
    sizes[slot] = bytes;
    places[slot] = calloc(bytes > 0 ? bytes : 1, 1);
    if (places[slot] == NULL) abort();
  }
  return places[slot];
}
)";

constexpr const char* pause_function = R"(
static void rest(double seconds) {
  struct timespec time;
  time.tv_sec = (time_t)seconds;
  time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9 + 0.5);
  nanosleep(&time, NULL);
}
)";

constexpr const char* computation = R"(
#ifdef PAUSES
static void calibrate(void) {}
static void compute(double flops) { rest(flops / FLOPS_PER_SECOND); }
#else
static double passes_per_second;

static void spin(double passes) {
  static volatile double result;
  double x = 1;
  for (long i = 0; i < (long)passes; ++i) x = x * 1.0000001 + 1e-9;
  result = x;
}

static double processor_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// The speed of the loop. Where no processor time passes (a simulation without computation), there is nothing to do.
static void calibrate(void) {
  double passes = 1e5, seconds = 0;
  do {
    passes *= 2;
    const double begin = processor_seconds();
    spin(passes);
    seconds = processor_seconds() - begin;
  } while (seconds > 0 && seconds < 0.01);
  passes_per_second = seconds > 0 ? passes / seconds : 0;
}

static void compute(double flops) { spin(flops / FLOPS_PER_SECOND * passes_per_second); }
#endif
)";

// Communicators without common members are made by one call.
std::vector<std::vector<std::uint32_t>> rounds_of(const Trace& trace, const ProgramFacts& facts) {
  std::vector<std::vector<std::uint32_t>> rounds;
  std::vector<std::size_t> free_from(trace.ranks(), 0);  // by rank: its first round without a communicator
  for (const auto& [communicator, is_used] : facts.communicators) {
    std::size_t round = 0;
    for (const ActorId member : trace.communicators().members(communicator))
      round = std::max(round, free_from[member.value]);
    for (const ActorId member : trace.communicators().members(communicator)) free_from[member.value] = round + 1;
    if (round == rounds.size()) rounds.emplace_back();
    rounds[round].push_back(communicator);
  }
  return rounds;
}

// Colours and keys by round and rank.
void write_communicators(std::ostream& out, const Trace& trace, const ProgramFacts& facts) {
  if (facts.communicators.empty()) return;
  const auto rounds = rounds_of(trace, facts);
  const auto write_table = [&](const char* name, const std::vector<std::vector<std::int64_t>>& table) {
    out << fmt::format("  static const int {}[{}][RANKS] = {{\n", name, rounds.size());
    for (const std::vector<std::int64_t>& row : table) {
      out << "    {";
      for (std::size_t i = 0; i < row.size(); ++i) out << (i > 0 ? ", " : "") << row[i];
      out << "},\n";
    }
    out << "  };\n";
  };
  const std::vector<std::int64_t> nowhere(trace.ranks(), -1);
  std::vector<std::vector<std::int64_t>> colours(rounds.size(), nowhere), keys = colours;
  for (std::size_t round = 0; round < rounds.size(); ++round) {
    for (const std::uint32_t communicator : rounds[round]) {
      const auto members = trace.communicators().members(communicator);
      for (std::size_t i = 0; i < members.size(); ++i) {
        colours[round][members[i].value] = communicator;
        keys[round][members[i].value] = static_cast<std::int64_t>(i);
      }
    }
  }
  out << fmt::format("\nstatic MPI_Comm communicator[{}];\n\nstatic void make_communicators(int rank) {{\n",
                     facts.communicators.rbegin()->first + 1);
  write_table("colours", colours);
  write_table("keys", keys);
  out << fmt::format("  for (int i = 0; i < {}; ++i) {{\n"
                     "    const int colour = colours[i][rank];\n"
                     "    MPI_Comm made;\n"
                     "    MPI_Comm_split(MPI_COMM_WORLD, colour < 0 ? MPI_UNDEFINED : colour, keys[i][rank], &made);\n"
                     "    if (colour >= 0) communicator[colour] = made;\n"
                     "  }}\n}}\n",
                     rounds.size());
}

void write_main(std::ostream& out, const ProgramFacts& facts, const std::vector<std::vector<std::uint32_t>>& ranks_of) {
  out << "\nint main(int argc, char** argv) {\n  int rank, ranks;\n  MPI_Init(&argc, &argv);\n"
         "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n  MPI_Comm_size(MPI_COMM_WORLD, &ranks);\n"
         "  if (ranks != RANKS) {\n"
         "    if (rank == 0) fprintf(stderr, \"this program needs %d ranks\\n\", RANKS);\n"
         "    MPI_Abort(MPI_COMM_WORLD, 2);\n  }\n"
         "  sent = calloc(SENT_BYTES, 1);\n  if (sent == NULL) abort();\n"
         "  for (int i = 0; i <= LAST; ++i) request[i] = MPI_REQUEST_NULL;\n";
  if (facts.buffered_bytes > 0) out << fmt::format("  MPI_Buffer_attach(malloc({0}), {0});\n", facts.buffered_bytes);
  if (facts.computes) out << "  calibrate();\n";
  if (!facts.communicators.empty()) out << "  make_communicators(rank);\n";
  out << "#ifdef DATES\n  const double begin = MPI_Wtime();\n#endif\n  switch (rank) {\n";
  for (std::size_t i = 0; i < ranks_of.size(); ++i) {
    for (const std::uint32_t rank : ranks_of[i]) out << "    case " << rank << ":\n";
    out << "      calls_" << i << "();\n      break;\n";
  }
  out << "  }\n#ifdef DATES\n  printf(\"%d %.9f\\n\", rank, MPI_Wtime() - begin);\n#endif\n"
         "  return MPI_Finalize();\n}\n";
}

}  // namespace

Result<Conversion> write_c_program(const Trace& trace, std::ostream& out) {
  const auto counts = c::CollectiveCounts::make(trace);
  if (!counts) return counts.error();
  ProgramFacts facts;
  c::Statements statements;
  std::map<std::vector<c::Item>, std::uint32_t> numbers;
  std::vector<std::vector<std::uint32_t>> ranks_of;  // by function
  std::vector<const std::vector<c::Item>*> bodies;
  for (std::uint32_t rank = 0; rank < trace.ranks(); ++rank) {
    c::RankCalls calls(trace, counts.value(), rank, facts, statements);
    if (const auto read = calls.read(); !read) return read.error();
    if (!calls.unsupported().empty()) return Conversion{calls.unsupported(), {}};
    const auto [known, is_new] = numbers.try_emplace(calls.list(), static_cast<std::uint32_t>(ranks_of.size()));
    if (is_new) {
      ranks_of.emplace_back();
      bodies.push_back(&known->first);
    }
    ranks_of[known->second].push_back(rank);
  }
  constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
  out << head
      << fmt::format("#define SENT_BYTES {}ul\nenum {{ RANKS = {}, LAST = {}, LARGEST = {} }};\n", facts.sent_bytes,
                     trace.ranks(), facts.slots, std::min(facts.sent_bytes, most))
      << buffers;
  if (facts.pauses) out << pause_function;
  else if (facts.computes) out << "\n#ifdef PAUSES" << pause_function << "#endif\n";
  if (facts.computes) out << computation;
  write_communicators(out, trace, facts);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    out << fmt::format("\nstatic void calls_{}(void) {{\n", i);
    statements.write(out, *bodies[i], 1);
    out << "}\n";
  }
  write_main(out, facts, ranks_of);
  facts.losses.add(Loss::places_of_splits, facts.communicators.size());
  return Conversion{{}, facts.losses};
}

}  // namespace rehearse::trace
