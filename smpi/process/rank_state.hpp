// SPDX-License-Identifier: MIT
//
// The state that libc and the dynamic linker keep per process: here per rank, in the rank's memory.
//
// Ownership: the RankState is in the rank's range and is saved and restored with it. Its pointers point into the range
//            or, as `world`, to objects that outlive all ranks. A restart constructs a new RankState over the old one.
// Threads:   none.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/actor_context.hpp"
#include "simcore/actor_memory.hpp"
#include "simcore/arena.hpp"
#include "simcore/debug.hpp"
#include "smpi/process/images.hpp"

namespace rehearse::smpi {

class FileTraffic;
class RankFiles;
class ProgramVariables;
class Symbols;
class ThreadTemplate;
struct StepClock;

// The part of the host's standard input that has been read, so that a restored rank reads the same again.
struct HostInput {
  std::string read;
  bool ended = false;
};

// The layout of each rank's range, as offsets.
struct RangeLayout {
  std::uint64_t stack_begin = 0;      // from 0 to here: a guard, larger than any sensible frame
  std::uint64_t stack_end = 0;        // arguments and environment are at its end; the images follow
  std::uint64_t emergency_begin = 0;  // a small stack, to report an overflow of the normal one
  std::uint64_t emergency_end = 0;    // the thread-local block follows
  std::uint64_t thread_pointer = 0;
  std::uint64_t control_begin = 0;  // RankState
  std::uint64_t vector_begin = 0;   // table of dynamic thread-local blocks
  std::uint64_t heap_begin = 0;
  std::uint64_t heap_end = 0;  // plugins follow, to the end of the range
};

// libc's variables that exist once per rank.
enum class Variable : std::uint8_t {
  optarg,
  optind,
  opterr,
  optopt,
  standard_input,
  standard_output,
  standard_error,
  environment,
  invocation_name,
  invocation_short_name
};
inline constexpr std::size_t variable_count = 10;

// Functions and data of the program's own C++ library, by offset in the range; 0: it has none.
struct CppRuntime {
  std::uint64_t current_exception_type = 0;
  std::uint64_t current_exception = 0;
  std::uint64_t exception_typeinfo = 0;
};

// The locales that ranks have requested, by the name of each category; see interpose_locale.cpp.
inline constexpr std::size_t locale_categories = 12;
struct LocaleNames {
  using Names = std::vector<std::string>;
  std::map<Names, void*> locales;  // locale_t
  std::set<std::string> texts;     // results of setlocale
};

// Starts further ranks while the program runs.
class RankStarter {
 public:
  virtual ~RankStarter() = default;
  virtual std::uint32_t ranks() const = 0;  // that have been started or were there from the beginning
  // Gives the ranks of the group their program and memory. Returns the first one; the others follow.
  virtual Result<std::uint32_t> start(const SpawnedGroup& group) = 0;
};

// The data that all ranks of a program share; constant while they run, except for the input. If a job has several
// programs, each has its own; `layout`, `range_bytes` and the properties of the whole job in `spec` are then equal.
struct RankWorld {
  int number = 0;                              // of the program in its job, or of the command in its group
  std::uint32_t first_rank = 0, end_rank = 0;  // the ranks of this program
  std::optional<ActorId> parent;               // of ranks that others start
  std::string folder;                          // in which the ranks run; empty: that of this process
  std::string host;                            // that the parent named; may be empty
  std::uint32_t actors = 0;                    // of the whole program
  RankStarter* starter = nullptr;              // null: ranks cannot start others
  std::optional<ActorId> name_server;          // none: no program publishes or looks up names
  LaunchSpec spec;
  Images images;
  RangeLayout layout;
  std::uint64_t range_bytes = 0;
  std::uint64_t variables[variable_count] = {};  // offsets of libc's variables for the program
  CppRuntime cpp;
  HostInput input;
  LocaleNames locales;
  std::shared_ptr<FileTraffic> files;  // null: ranks use the disk directly
  StepClock* clock = nullptr;          // null: steps have no time limit
  const ThreadTemplate* thread_template = nullptr;
  bool shows_regions = false;  // begins and ends of regions are operations
  std::shared_ptr<const Symbols> symbols;
  std::shared_ptr<ProgramVariables> program_variables;
  std::uint64_t next_plugin = 0;                                    // offset in the range
  std::set<std::pair<std::uint32_t, const Image*>> mapped_plugins;  // by rank: its code stays in the range
};

// A plugin that is open in a rank, or that an open plugin needs.
struct OpenPlugin {
  const Image* image = nullptr;
  std::uint32_t references = 0;  // by dlopen, and by other plugins
  bool is_global = false;        // all images can use its symbols
  bool stays = false;            // until the end of the rank
};

// A function to be run when the rank exits.
struct ExitHandler {
  enum class Kind : std::uint8_t { plain, with_argument, with_status } kind = Kind::plain;
  void* function = nullptr;
  void* argument = nullptr;
  void* library = nullptr;  // the __dso_handle of its registration
  ExitHandler* next = nullptr;
};

// The machine state of getopt between two calls; see getopt.cpp.
struct GetoptState {
  bool started = false;
  char* rest = nullptr;  // of the group of short options that is being read
  int first_other = 0, last_other = 0;
  enum class Order : std::uint8_t { permute, stop, in_order } order = Order::permute;
};

// The values of libc's standard streams while the rank runs.
struct StandardStreams {
  FILE* input = nullptr;
  FILE* output = nullptr;
  FILE* error = nullptr;
  void* all = nullptr;  // libc's list of open streams
};

// Place and cause of a rank's crash, from the signal handler.
struct CrashSite {
  int signal = 0;  // 0: it has not crashed
  int code = 0;
  bool wrote = false;  // of an access to memory
  std::uintptr_t address = 0;
  std::size_t frame_count = 0;
  std::uintptr_t frames[64] = {};
  InterruptedAt interrupted = {};
};

// The known state of a rank's dead stack (smpi/abi/dead_stack.hpp). It is not part of the rank's memory, because a
// restore does not restore the dead stack.
struct DeadStackState {
  std::byte* lowest = nullptr;  // the lowest address that a call has used since the last clearing; null: none
};

// The bytes that the answer to the rank's waiting receive will overwrite; empty ranges: none (smpi/p2p/awaited.hpp).
struct AwaitedBytes {
  ByteRange buffer;     // by a message that is not shorter
  ByteRange status[2];  // in any case
};

struct RankState {
  ActorContext context;
  RankWorld* world = nullptr;
  std::byte* base = nullptr;
  Arena* heap = nullptr;
  ActorMemory* memory = nullptr;
  std::byte* initial_stack = nullptr;
  std::byte* thread_pointer = nullptr;  // of the running thread
  StackSpan thread_stack;               // of the running thread, if it is not the one of main()
  const std::byte* birth = nullptr;     // its birth message; null: it was there from the beginning
  std::size_t birth_bytes = 0;
  std::vector<std::uint32_t> started;  // the first ranks of the groups that it has started
  int exit_status = 0;
  const void* exit_place = nullptr;  // place of the program's call that ends it

  // Storage of libc's variables that the program does not define itself.
  char* optarg = nullptr;
  int optind = 1, opterr = 1, optopt = '?';
  FILE* standard_input = nullptr;
  FILE* standard_output = nullptr;
  FILE* standard_error = nullptr;
  char** environment = nullptr;
  char* invocation_name = nullptr;
  char* invocation_short_name = nullptr;

  StandardStreams streams;
  std::size_t input_position = 0;
  RankFiles* files = nullptr;                  // rank_files()
  std::vector<OpenPlugin>* plugins = nullptr;  // null: none was ever open
  const char* plugin_error = nullptr;          // the next result of dlerror()
  GetoptState getopt;
  ExitHandler* exit_handlers = nullptr;
  ExitHandler* library_handlers = nullptr;  // the first handler of libraries' constructors
  ExitHandler* quick_exit_handlers = nullptr;
  ExitHandler* thread_handlers = nullptr;  // destructors of thread_local variables
  random_data random = {};
  char random_state[128] = {};
  drand48_data drand48 = {};
  std::uint64_t entropy = 0;
  FILE* random_stream = nullptr;  // the last stream of /dev/urandom
  char* strtok_rest = nullptr;
  const LocaleNames::Names* locale_names = nullptr;  // null: all are "C"
  void** thread_values = nullptr;                    // by key
  unsigned thread_keys = 0;
  std::tm broken_down_time = {};
  char time_text[64] = {};
  void* signal_handlers[65] = {};          // SIG_DFL is null
  std::uint64_t signal_with_info[2] = {};  // bit per signal: SA_SIGINFO
  CrashSite crash;
  DeadStackState* dead_stack = nullptr;  // null: calls do not clear it
  AwaitedBytes awaited;

  // The variable of the program.
  template <class T>
  T& variable(Variable which) const {
    return *reinterpret_cast<T*>(base + world->variables[static_cast<std::size_t>(which)]);
  }
  bool covers(const void* address) const { return address >= base && address < base + world->range_bytes; }
};

// The variable that libc exports under `name`, or variable_count; and its storage's offset in RankState.
std::size_t find_variable(std::string_view name);
std::size_t variable_offset(std::size_t variable);

// The running rank; null in the driver.
RankState* running_rank();
void set_running_rank(RankState* rank);

// The same; requires that a rank is running.
RankState& this_rank();

}  // namespace rehearse::smpi
