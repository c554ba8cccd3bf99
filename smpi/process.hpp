// SPDX-License-Identifier: MIT
//
// Loads an unmodified executable as a Program whose actors are its ranks: N private copies in this one process.
//
// What is private: writable data of the program and of all its libraries but libc's family, thread-local
//          variables, heap, stack, standard streams, environment, and the state that libc keeps per process
//          (optind, rand, strtok...).
// Output:  what a rank writes to its standard output and error is a Log; time is Clock and Sleep; the ways to die are
//          Fail (crash.*, assertion.failed); returning from main and exit() are End.
// Errors:  what is wrong with the file is a Result, in one line. What a rank does wrong is an Operation.
// Threads: all calls from one thread. Ranks cannot start threads or processes: that is Fail{unsupported}.
// Ownership: the spec is copied.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/caveats.hpp"
#include "simcore/program.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::smpi {

// What is looked at of the buffers of operations, and of what has a usual meaning though it is wrong. What is not costs
// nothing.
struct BufferChecks {
  bool room = true;                                       // whether they are as large as what is moved
  bool types = true;                                      // whether the program's variables there are of those types
  // Of operations that are not complete:
  bool overlaps = true;
  bool accesses = true;                                   // by the program, if it was compiled to report them
  std::uint64_t content_bytes = std::uint64_t{64} << 10;  // compared before and after; 0: not at all
  bool lifetimes = true;                                  // whether the memory stays the program's until then

  // What goes on as usual where it is not looked at:
  bool commits = true;     // a datatype that was not committed is used as if it were
  bool truncation = true;  // a message that is too long for its receive gives as much as there is room for

  bool none_pending() const { return !overlaps && !accesses && content_bytes == 0 && !lifetimes; }
  bool operator==(const BufferChecks&) const = default;
};

// For whoever wants to know which of a program's blocking barriers nothing needs. A place is that of a call, the same
// number in all ranks.
struct BarrierLook {
  static constexpr std::string_view place_reported =
      "barrier.place";  // notes: the place is what the message begins with
  static constexpr std::string_view output_reported = "barrier.output";

  bool reports = false;        // each rank reports each place once, and whether it writes to its standard streams
  std::uint64_t left_out = 0;  // the place where nothing is done; 0: none
};

// Sends that the program cancels. That one is cancelled is chosen where it starts: its message is then never seen. So
// the places must be known at which sends start that are cancelled later; others are found, and explored anew.
struct CancelLook {
  static constexpr std::string_view place_reported = "cancelled send of place ";  // the number follows

  bool reports = false;  // a rank that cancels a send of another place fails (unsupported), with place_reported
  std::vector<std::uint64_t> places;

  bool knows(std::uint64_t place) const { return std::ranges::find(places, place) != places.end(); }
};

// Which node each rank is on: what MPI_Get_processor_name, gethostname, and splits by shared memory go by.
struct NodeMap {
  std::vector<std::string> names = {"node-0"};  // by node
  std::vector<std::uint32_t> of_rank;           // a node for each rank; empty: all are on node 0

  std::uint32_t node_of(std::uint32_t rank) const { return of_rank.empty() ? 0 : of_rank[rank]; }
  const std::string& name_of(std::uint32_t rank) const { return names[node_of(rank)]; }
  bool operator==(const NodeMap&) const = default;
};

// Seconds since 1970 that calendar clocks show at the start of a run: 2001-09-09 01:46:40 UTC.
inline constexpr std::int64_t default_date_seconds = 1'000'000'000;

// A further program of one job (MPMD): it runs on the ranks from `first_rank` to the next one's.
struct FurtherProgram {
  std::uint32_t first_rank = 0;
  std::string path;
  std::vector<std::string> argv;  // as of LaunchSpec
};

struct CallDetails;

struct LaunchSpec {
  std::string path;                      // of the executable, as the user wrote it
  std::vector<std::string> argv;         // argv[0] included; empty: just the path
  std::vector<std::string> environment;  // NAME=value
  std::uint32_t ranks = 1;               // of all programs together
  std::vector<FurtherProgram> others;    // by ascending first rank, each above 0 and below `ranks`

  // The MPI library: the address of an MPI_ or PMPI_ function, or null. Null pointer: no MPI function is known.
  void* (*find_mpi_symbol)(std::string_view name) = nullptr;

  // Spells out the library call in which the calling rank stands; empty where it stands in none. Runs on the
  // rank's stack, must not ask.
  std::string (*describe_call)() = nullptr;

  // More of that call, for reports, where the rank is paused at this operation. As describe_call.
  CallDetails (*call_details)(const Operation& operation) = nullptr;

  // What the signatures of its collectives say (Collective::signature). Runs anywhere.
  SignatureText (*spell_signature)(std::uint64_t signature) = nullptr;

  // The place in the program that made the call in which a rank stands, null where there is none. Runs outside of
  // ranks: `slot` is the rank's actor_slot().
  const void* (*call_site)(const void* slot) = nullptr;

  // The number of the library function in which a rank stands, from 1 on; 0 where there is none. As call_site. Null:
  // they have no numbers.
  std::uint64_t (*call_function)(const void* slot) = nullptr;

  // The number of the call in which a rank stands, 0 where there is none. As call_site. Null: calls are not counted.
  std::uint64_t (*call_number)(const void* slot) = nullptr;

  // Runs on a rank just before it ends by itself; `place` is where it called what ends it, or, if its main
  // returned, main; always behind the first byte of what is meant, like a return address.
  void (*at_end)(const void* place) = nullptr;

  NodeMap nodes;
  std::int64_t date_seconds = default_date_seconds;  // the start of the run, since 1970
  // For a rank that gives up (`how`: a failed assertion, abort(), an exit status other than 0): what it asked for and
  // was not given, if that may be why; then it ends for want of that, which is unsupported. Empty: nothing.
  std::string (*wanting)(const std::string& how) = nullptr;

  BufferChecks buffers;
  BarrierLook barriers;
  CancelLook cancels;
  bool require_mpi = true;               // whether a program that needs no MPI library is refused

  // Whether a rank that touches another's memory crashes (crash.foreign_memory): as a rule, unless that would take
  // much of the time, or without exception.
  enum class Guard : std::uint8_t { none, affordable, always } guard = Guard::none;

  bool clear_dead_stack = false;         // what calls leave on a rank's stack reads as zero (smpi/abi/dead_stack.hpp)
  bool keep_files = false;               // what ranks write is kept in their memory, and the disk is not changed
  std::size_t stack_bytes = std::size_t{8} << 20;
  std::uint64_t snapshot_limit_bytes = std::uint64_t{256} << 20;  // save() of more than this gives null
};

// What a rank may use between two Operations.
struct StepLimits {
  double seconds = std::numeric_limits<double>::infinity();                   // of the processor
  std::uint64_t process_bytes = std::numeric_limits<std::uint64_t>::max();  // that this process may then have in use
  StopToken stop = {};                                                       // the driver wants to end
};

// What Program::site() of a loaded program says: LaunchSpec::call_function of the call, and its place in the program.
struct CalledAt {
  std::uint64_t function = 0;
  Frame frame;
};

// Registers of x86-64 where a signal interrupted a rank: rsp, rip, rbp, rbx, r12 to r15; all 0: none did.
using InterruptedAt = std::array<std::uintptr_t, 8>;

// Where a rank stands, for debuggers.
struct RankStand {
  std::uintptr_t context = 0;     // where it was left (stack_pointer() in simcore/actor_context.hpp); 0: it has ended
  InterruptedAt crashed_at = {};  // if it crashed
};

class LoadedProgram : public Program {
 public:
  // From now on, in this process, for all ranks: one that uses more is interrupted wherever it is, and fails
  // (progress.step, crash.memory); if all is given up, the one that runs fails soon (given_up). A process that was
  // forked says so again.
  virtual void limit_steps(const StepLimits& limits) = 0;

  // Why what the ranks have done so far does not show all that they could have done, by name.
  virtual Caveats caveats() const = 0;

  virtual CalledAt called_at(std::uint64_t site) const = 0;
  virtual std::vector<RankStand> where_ranks_stand() const = 0;
};

Result<std::unique_ptr<LoadedProgram>> load_program(const LaunchSpec& spec);

// The library call in which a paused rank stands: what describe() knows without looking at its stack, and much faster.
// Empty for actors of programs that were not loaded.
struct CallText {
  std::string call;    // with its arguments spelled out; empty: the rank is in no library call
  std::string region;  // of the program's own naming, the innermost; empty: none
};
CallText call_text(Program& program, ActorId rank);
// Counts the calls of a rank: what it asks for from within one call has the same number. 0: it is in no call, or the
// program was not loaded.
std::uint64_t call_number(Program& program, ActorId rank);

// Whether calls of the calling rank are (LaunchSpec::call_number); not those of actors of other programs.
bool counts_calls();

// Of the calling rank's program; on actors of other programs the default ones.
const BufferChecks& buffer_checks();
const BarrierLook& barrier_look();
const CancelLook& cancel_look();
const NodeMap& node_map();
std::int64_t start_date_seconds();
// The number of the calling rank's program among those of its job, from 0 on (MPI_APPNUM).
int program_number();

// The same for an address in the program, in whatever rank that is. Only on a rank.
std::uint64_t place_in_program(const void* address);

// Where the running rank's own code stands: its innermost active function that is in no library of the system and in no
// header of one. For functions that stand for those of libc; what is not known is empty.
struct ProgramPlace {
  const void* address = nullptr;  // inside of the call
  Frame frame;
};
ProgramPlace program_place();

// The place in the program's source of `address`, inside some rank's code; empty fields where it is unknown.
// For a return address pass one less. On actors of other programs everything is unknown.
Frame find_source(const void* address);

}  // namespace rehearse::smpi
