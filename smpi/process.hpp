// SPDX-License-Identifier: MIT
//
// Loads an unmodified executable as a Program whose actors are its ranks: N private copies in this one process.
//
// Private: writable data of the program and of all its libraries except libc's family, thread-local variables, heap,
//          stack, standard streams, environment, and the state that libc keeps per process (optind, rand, strtok...).
// Output:  writing to standard output or error is a Log; time is Clock and Sleep; crashes and failed assertions are
//          Fail (crash.*, assertion.failed); returning from main and exit() are End.
// Errors:  a fault of the file is a Result, in one line. A fault of a rank is an Operation.
// Threads: all calls from one thread. A rank's own threads are cooperative. Starting a process is Fail{unsupported}.
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
#include "smpi/driver_services.hpp"
#include "smpi/failure_plan.hpp"
#include "smpi/sampling.hpp"
#include "smpi/searches.hpp"
#include "smpi/spawned_group.hpp"

namespace rehearse::smpi {

class Folding;
class PageMerging;

// Settings for the checks of buffers, and of errors that most MPI libraries tolerate. A check that is off costs
// nothing.
struct BufferChecks {
  bool room = true;   // whether buffers are large enough for the data
  bool types = true;  // whether the program's variables have the types of the call
  // Of pending operations:
  bool overlaps = true;
  bool accesses = true;                                   // by the program, if it was compiled with --check-memory
  std::uint64_t content_bytes = std::uint64_t{64} << 10;  // number of compared bytes; 0: no comparison
  bool lifetimes = true;                                  // whether the memory stays allocated until completion

  // Errors that, without the check, have the effect that they have in most MPI libraries:
  bool commits = true;     // an uncommitted datatype works as a committed one
  bool truncation = true;  // a message that is too long for its receive fills the buffer

  bool none_pending() const { return !overlaps && !accesses && content_bytes == 0 && !lifetimes; }
  bool operator==(const BufferChecks&) const = default;
};

// The same checks without those of pending operations.
inline BufferChecks without_pending(BufferChecks checks) {
  checks.overlaps = checks.accesses = checks.lifetimes = false;
  checks.content_bytes = 0;
  return checks;
}

// The node of each rank, for MPI_Get_processor_name, gethostname, and splits by shared memory.
struct NodeMap {
  std::vector<std::string> names = {"node-0"};  // by node
  std::vector<std::uint32_t> of_rank;           // a node for each rank; empty: all are on node 0
  std::vector<std::uint32_t> cores;             // by rank: cores for its threads; empty: one

  std::uint32_t node_of(std::uint32_t rank) const { return of_rank.empty() ? 0 : of_rank[rank]; }
  const std::string& name_of(std::uint32_t rank) const { return names[node_of(rank)]; }
  std::uint32_t cores_of(std::uint32_t rank) const { return cores.empty() ? 1 : cores[rank]; }
  bool operator==(const NodeMap&) const = default;

  // Puts ranks on the node of this name. `all`: the number of ranks.
  void put(std::uint32_t first, std::uint32_t end, const std::string& name, std::uint32_t all);
};

// The date of calendar clocks at the start of a run, in seconds since 1970: 2001-09-09 01:46:40 UTC.
inline constexpr std::int64_t default_date_seconds = 1'000'000'000;

// A further program of one job (MPMD): it runs on the ranks from `first_rank` up to the first rank of the next program.
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
  std::uint32_t ranks = 1;               // of all programs together, at the start
  std::vector<FurtherProgram> others;    // by ascending first rank, each above 0 and below `ranks`
  StartSettings starts;                  // of ranks that others start

  // The MPI library: the address of an MPI_ or PMPI_ function, or null. Null pointer: no MPI function is known.
  void* (*find_mpi_symbol)(std::string_view name) = nullptr;

  // The text of the current library call of the calling rank; empty if it is in none. Runs on the rank's stack and must
  // not start an operation.
  std::string (*describe_call)() = nullptr;

  // More details of that call, for reports, if the rank is paused at this operation. As describe_call.
  CallDetails (*call_details)(const Operation& operation) = nullptr;

  // The text of a signature of its collectives (Collective::signature). Runs anywhere.
  SignatureText (*spell_signature)(std::uint64_t signature) = nullptr;

  // The place in the program of a rank's current call, null if there is none. Runs outside of ranks: `slot` is the
  // rank's actor_slot().
  const void* (*call_site)(const void* slot) = nullptr;

  // The number of a rank's current library function, from 1 on; 0 if there is none. As call_site. Null: functions have
  // no numbers.
  std::uint64_t (*call_function)(const void* slot) = nullptr;

  // The number of a rank's current call, 0 if there is none. As call_site. Null: calls are not counted.
  std::uint64_t (*call_number)(const void* slot) = nullptr;

  // Called before each answer to a paused rank, whose memory it may change. As call_site. Null: not called.
  void (*before_answer)(const void* slot, const Operation& operation, const Observation& answer) = nullptr;

  // Runs on a rank just before it ends by itself. `place` is the place of the call that ends it or, if main returned,
  // main; always after the first byte of the instruction, like a return address.
  void (*at_end)(const void* place) = nullptr;

  NodeMap nodes;
  std::int64_t date_seconds = default_date_seconds;  // start of the run, in seconds since 1970
  // For a rank that ends with an error (`how`: a failed assertion, abort(), an exit status other than 0): a feature
  // that it requested and did not get, if that may be the reason. The rank then fails as unsupported. Empty: none.
  std::string (*missing_feature)(const std::string& how) = nullptr;

  Sampling* sampling = nullptr;  // null: all code runs
  std::vector<SampledFunction> sampled_functions;
  VolumeRates rates;
  Folding* folding = nullptr;      // null: each rank has memory of its own
  PageMerging* merging = nullptr;  // null: equal pages of ranks stay several pages
  BufferChecks buffers;
  BarrierSearch barriers;
  CancelSearch cancels;
  FailurePlan failures;
  void (*when_lost)(std::string_view why) = nullptr;  // ends the calling rank, which is lost (LoadedProgram::lose)
  DriverServices driver;
  bool require_mpi = true;  // refuse a program that needs no MPI library

  // Whether a rank that accesses another rank's memory crashes (crash.foreign_memory): never, only while the protection
  // is cheap, or always.
  enum class Guard : std::uint8_t { none, affordable, always } guard = Guard::none;

  // Memory without an owner reads as zero: the unused stack below a rank's frames (smpi/abi/dead_stack.hpp), and blocks
  // of the heap that are used again (Arena::clear_reused_blocks).
  bool clear_dead_memory = false;
  bool keep_files = false;       // ranks keep written files in memory; the disk does not change
  bool follows_threads = false;  // see smpi/process/thread_order.hpp; the loader clears it if it cannot
  std::size_t stack_bytes = std::size_t{8} << 20;
  std::uint64_t snapshot_limit_bytes = std::uint64_t{256} << 20;  // save() of a larger state returns null
};

// Limits of a rank between two Operations.
struct StepLimits {
  double seconds = std::numeric_limits<double>::infinity();                 // of processor time
  std::uint64_t process_bytes = std::numeric_limits<std::uint64_t>::max();  // memory in use by this process
  StopToken stop = {};      // set when the driver asks the program to end
  bool ends_turns = false;  // a thread that runs for long without a call lets others of its rank run
};

// The meaning of Program::site() of a loaded program: LaunchSpec::call_function of the call, and its source line.
struct CalledAt {
  std::uint64_t function = 0;
  Frame frame;
};

// Registers of x86-64 where a signal interrupted a rank: rsp, rip, rbp, rbx, r12 to r15; all 0: no signal did.
using InterruptedAt = std::array<std::uintptr_t, 8>;

// The state of a paused rank, for debuggers.
struct RankPosition {
  std::uintptr_t context = 0;     // its stack pointer (stack_pointer() in simcore/actor_context.hpp); 0: it has ended
  InterruptedAt crashed_at = {};  // if it crashed
};

class LoadedProgram : public Program {
 public:
  // Sets the limits of all ranks in this process. A rank that exceeds a limit is interrupted and fails (progress.step,
  // crash.memory). After a stop request of the driver, the running rank fails soon (given_up). A forked process must
  // call this again.
  virtual void limit_steps(const StepLimits& limits) = 0;

  // Whatever the next answer is, the rank gives its notices and ends. `why` lives as long as the program.
  virtual void lose(ActorId rank, std::string_view why) = 0;

  // The caveats of the ranks' executions so far, by name.
  virtual Caveats caveats() const = 0;

  // Of a rank that another one started: its command, and the host that this one named. Empty: nothing of the kind.
  virtual std::string started_command(ActorId rank) const = 0;
  virtual std::string started_host(ActorId rank) const = 0;

  virtual CalledAt called_at(std::uint64_t site) const = 0;
  virtual std::vector<RankPosition> rank_positions() const = 0;
};

Result<std::unique_ptr<LoadedProgram>> load_program(const LaunchSpec& spec);

// The current library call of a paused rank: the part of describe() that does not read the stack, which makes it much
// faster. Empty for actors of programs that were not loaded.
struct CallText {
  std::string call;    // with its arguments spelled out; empty: the rank is in no library call
  std::string region;  // the innermost region named by the program; empty: none
};
CallText call_text(Program& program, ActorId rank);
// The number of a rank's current call: all operations of one call have the same number. 0: it is in no call, or the
// program was not loaded.
std::uint64_t call_number(Program& program, ActorId rank);

// Whether calls of the calling rank are counted (LaunchSpec::call_number). False for actors of other programs.
bool counts_calls();

// The settings of the calling rank's program. On actors of other programs, the defaults.
const BufferChecks& buffer_checks();
const BarrierSearch& barrier_search();
const CancelSearch& cancel_search();
const NodeMap& node_map();
std::int64_t start_date_seconds();
// The number of the calling rank's program among those of its job, from 0 on (MPI_APPNUM).
int program_number();

// A number for an address in the program that is the same in all ranks. Only on a rank.
std::uint64_t place_in_program(const void* address);

// The place of the running rank in its own code: its innermost active function outside of system libraries and their
// headers. For functions that replace those of libc. Unknown fields are empty.
struct ProgramPlace {
  const void* address = nullptr;  // inside the call
  Frame frame;
};
ProgramPlace program_place();

// The place in the program's source of `address`, inside some rank's code; empty fields where it is unknown.
// For a return address pass one less. On actors of other programs everything is unknown.
Frame find_source(const void* address);

}  // namespace rehearse::smpi
