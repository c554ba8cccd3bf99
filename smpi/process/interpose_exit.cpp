// SPDX-License-Identifier: MIT
//
// How a rank begins and ends: constructors, main, exit handlers, destructors, failed assertions.
//
// Order at exit, as in glibc: destructors of thread_local variables; handlers in reverse order of registration down to
//          those of library constructors; the program's destructors; the libraries', dependents first.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "simcore/actor.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"
#include "smpi/process/births.hpp"
#include "smpi/process/interposers.hpp"
#include "smpi/process/sockets.hpp"

namespace rehearse::smpi {
namespace {

using Main = int (*)(int, char**, char**);
using Plain = void (*)();

char* address_in(const RankState& rank, const Image& image, std::uint64_t address) {
  return reinterpret_cast<char*>(rank.base + image.offset + address);
}

Main function_at(const RankState& rank, const Image& image, std::uint64_t address) {
  return reinterpret_cast<Main>(address_in(rank, image, address));
}

struct Arguments {
  int count;
  char** values;
  char** environment;
};

void call_array(const RankState& rank, const Image& image, std::int64_t tag, std::int64_t size_tag, Arguments args) {
  auto* functions = reinterpret_cast<Main*>(address_in(rank, image, image.file->dynamic(tag)));
  const std::uint64_t count = image.file->dynamic(size_tag) / sizeof(Main);
  for (std::uint64_t i = 0; i < count; ++i)
    if (functions[i] != nullptr) functions[i](args.count, args.values, args.environment);
}

Arguments arguments_of(const RankState& rank) {
  auto* words = reinterpret_cast<char**>(rank.initial_stack);
  return {static_cast<int>(reinterpret_cast<std::intptr_t>(words[0])), words + 1,
          rank.variable<char**>(Variable::environment)};
}

void construct(const RankState& rank, const Image& image, Arguments args) {
  if (const std::uint64_t init = image.file->dynamic(DT_INIT); init != 0)
    function_at(rank, image, init)(args.count, args.values, args.environment);
  call_array(rank, image, DT_INIT_ARRAY, DT_INIT_ARRAYSZ, args);
}

void destroy(const RankState& rank, const Image& image) {
  auto* functions = reinterpret_cast<Plain*>(address_in(rank, image, image.file->dynamic(DT_FINI_ARRAY)));
  for (std::uint64_t i = image.file->dynamic(DT_FINI_ARRAYSZ) / sizeof(Plain); i-- > 0;)
    if (functions[i] != nullptr) functions[i]();
  if (const std::uint64_t fini = image.file->dynamic(DT_FINI); fini != 0)
    reinterpret_cast<Plain>(address_in(rank, image, fini))();
}

// The program's _start calls this with its main. Programs linked before glibc 2.34 pass `old_init`.
int start_main(Main program_main, int count, char** values, Main old_init, Plain, Plain, void*) {
  RankState& rank = this_rank();
  const Arguments args{count, values, rank.variable<char**>(Variable::environment)};
  const Images& images = rank.world->images;
  const Image& program = images.images.front();
  call_array(rank, program, DT_PREINIT_ARRAY, DT_PREINIT_ARRAYSZ, args);
  for (std::size_t index : images.initialisation_order)
    if (index != 0) construct(rank, images.images[index], args);
  rank.library_handlers = rank.exit_handlers;
  if (old_init != nullptr) old_init(args.count, args.values, args.environment);
  else construct(rank, program, args);
  const int status = program_main(args.count, args.values, rank.variable<char**>(Variable::environment));
  this_rank().exit_place = reinterpret_cast<const char*>(program_main) + 1;
  exit_rank(status);
}

int add_handler(ExitHandler*& list, ExitHandler handler) {
  auto* node = static_cast<ExitHandler*>(std::malloc(sizeof(ExitHandler)));
  if (node == nullptr) return -1;
  *node = handler;
  node->next = list;
  list = node;
  return 0;
}

int rank_atexit(Plain function) {
  return add_handler(this_rank().exit_handlers,
                     {ExitHandler::Kind::plain, function_address(function), nullptr, nullptr, nullptr});
}

int rank_cxa_atexit(void (*function)(void*), void* argument, void* library) {
  return add_handler(this_rank().exit_handlers,
                     {ExitHandler::Kind::with_argument, function_address(function), argument, library, nullptr});
}

int rank_on_exit(void (*function)(int, void*), void* argument) {
  return add_handler(this_rank().exit_handlers,
                     {ExitHandler::Kind::with_status, function_address(function), argument, nullptr, nullptr});
}

int rank_at_quick_exit(Plain function) {
  return add_handler(this_rank().quick_exit_handlers,
                     {ExitHandler::Kind::plain, function_address(function), nullptr, nullptr, nullptr});
}

int rank_cxa_at_quick_exit(void (*function)(void*), void* library) {
  return add_handler(this_rank().quick_exit_handlers,
                     {ExitHandler::Kind::with_argument, function_address(function), nullptr, library, nullptr});
}

int rank_cxa_thread_atexit(void (*function)(void*), void* argument, void* library) {
  return add_handler(this_rank().thread_handlers,
                     {ExitHandler::Kind::with_argument, function_address(function), argument, library, nullptr});
}

void call_handler(const ExitHandler& handler) {
  switch (handler.kind) {
    case ExitHandler::Kind::plain: reinterpret_cast<Plain>(handler.function)(); break;
    case ExitHandler::Kind::with_argument: reinterpret_cast<void (*)(void*)>(handler.function)(handler.argument); break;
    case ExitHandler::Kind::with_status:
      reinterpret_cast<void (*)(int, void*)>(handler.function)(this_rank().exit_status, handler.argument);
  }
}

// A handler is taken off the list before it runs: it may register others, or exit.
void call_handlers(ExitHandler*& list, const ExitHandler* until) {
  while (list != until && list != nullptr) {
    const ExitHandler handler = *list;
    list = handler.next;
    call_handler(handler);
  }
}

// Runs the handlers of one library, which is being destroyed (null: of all).
void rank_cxa_finalize(void* library) {
  RankState& rank = this_rank();
  ExitHandler** link = &rank.exit_handlers;
  while (*link != nullptr) {
    ExitHandler& handler = **link;
    const bool wanted = handler.function != nullptr && (library == nullptr || handler.library == library);
    if (wanted) {
      const ExitHandler taken = handler;
      handler.function = nullptr;
      call_handler(taken);
      link = &rank.exit_handlers;  // the call may have changed earlier entries
    } else {
      link = &handler.next;
    }
  }
}

// The place in the program's own code, if a library ends the rank (STOP and run-time errors of Fortran).
const void* place_of_exit(const void* caller) {
  const RankState& rank = this_rank();
  if (!rank.covers(caller)) return caller;
  const Image* image = rank.world->images.find(place_in_program(caller));
  if (image == nullptr || !image->system) return caller;
  const ProgramPlace place = program_place();
  return place.address == nullptr ? caller : static_cast<const char*>(place.address) + 1;
}

[[noreturn]] void rank_exit(int status) {
  this_rank().exit_place = place_of_exit(__builtin_return_address(0));
  exit_rank(status);
}

[[noreturn]] void rank_end(int status) {
  this_rank().exit_place = place_of_exit(__builtin_return_address(0));
  end_rank(status);
}

[[noreturn]] void rank_quick_exit(int status) {
  this_rank().exit_place = __builtin_return_address(0);
  call_handlers(this_rank().quick_exit_handlers, nullptr);
  end_rank(status);
}

// Ends the rank as unsupported if a missing feature may be the reason why it ends with an error.
void fail_if_feature_missing(const std::string& how) {
  const auto missing_feature = this_rank().world->spec.missing_feature;
  const std::string missing = missing_feature == nullptr ? "" : missing_feature(how);
  if (!missing.empty()) fail_rank(FailureKind::unsupported, "unsupported.feature", missing);
}

[[noreturn]] void rank_assert_fail(const char* expression, const char* file, unsigned line, const char* function) {
  flush_standard_streams(this_rank());
  const std::string text = fmt::format("{}:{}: {}: {}", file, line, function == nullptr ? "?" : function, expression);
  fail_if_feature_missing(fmt::format("the assertion {}", text));
  fail_rank(FailureKind::assertion, "assertion.failed", text);
}

[[noreturn]] void rank_assert(const char* expression, const char* file, int line) {
  rank_assert_fail(expression, file, static_cast<unsigned>(line), nullptr);
}

[[noreturn]] void rank_assert_perror_fail(int error, const char* file, unsigned line, const char* function) {
  rank_assert_fail(strerror(error), file, line, function);
}

[[noreturn]] void rank_stack_check_fail() {
  fail_rank(FailureKind::crash, "crash.stack_smashing", "stack smashing detected: a local array was overrun");
}

// Handlers whose function is null were run by __cxa_finalize.
void drop_spent_handlers(ExitHandler*& list) {
  while (list != nullptr && list->function == nullptr) list = list->next;
}

}  // namespace

void construct_image(const RankState& rank, const Image& image) { construct(rank, image, arguments_of(rank)); }
void destroy_image(const RankState& rank, const Image& image) { destroy(rank, image); }

void fail_rank(FailureKind kind, std::string_view id, std::string_view what) {
  ask(Fail{kind, id, what});
  internal_error(__FILE__, __LINE__, "ask(Fail)", "a rank was resumed after its failure");
}

void end_rank(int status) {
  const RankState& rank = this_rank();
  if ((status & 0xff) != 0) fail_if_feature_missing(fmt::format("exit status {}", status & 0xff));
  if (rank.world->spec.at_end != nullptr) rank.world->spec.at_end(rank.exit_place);
  close_sockets();
  give_up_births(rank);
  ask(End{status & 0xff});
  internal_error(__FILE__, __LINE__, "ask(End)", "a rank was resumed after its end");
}

void exit_rank(int status) {
  RankState& rank = this_rank();
  rank.exit_status = status;
  call_handlers(rank.thread_handlers, nullptr);
  while (rank.exit_handlers != rank.library_handlers && rank.exit_handlers != nullptr) {
    drop_spent_handlers(rank.exit_handlers);
    if (rank.exit_handlers == nullptr || rank.exit_handlers == rank.library_handlers) break;
    const ExitHandler handler = *rank.exit_handlers;
    rank.exit_handlers = handler.next;
    call_handler(handler);
  }
  const auto& order = rank.world->images.initialisation_order;
  for (std::size_t i = order.size(); i-- > 0;) destroy(rank, rank.world->images.images[order[i]]);
  destroy_plugins(rank);
  rank_cxa_finalize(nullptr);
  flush_standard_streams(rank);
  end_rank(rank.exit_status);
}

void call_thread_handlers() { call_handlers(this_rank().thread_handlers, nullptr); }

void abort_rank() {
  RankState& rank = this_rank();
  std::string text;
  const bool exception = describe_uncaught_exception(rank, text);
  flush_standard_streams(rank);
  if (exception) fail_rank(FailureKind::crash, "crash.exception", text);
  fail_if_feature_missing("abort()");
  fail_rank(FailureKind::crash, "crash.abort", "abort() was called");
}

InterposerList exit_interposers() {
  return {{"__libc_start_main", function_address(start_main)},
          {"exit", function_address(rank_exit)},
          {"_exit", function_address(rank_end)},
          {"_Exit", function_address(rank_end)},
          {"quick_exit", function_address(rank_quick_exit)},
          {"atexit", function_address(rank_atexit)},
          {"__cxa_atexit", function_address(rank_cxa_atexit)},
          {"__cxa_finalize", function_address(rank_cxa_finalize)},
          {"__cxa_thread_atexit_impl", function_address(rank_cxa_thread_atexit)},
          {"__cxa_at_quick_exit", function_address(rank_cxa_at_quick_exit)},
          {"at_quick_exit", function_address(rank_at_quick_exit)},
          {"on_exit", function_address(rank_on_exit)},
          {"__assert_fail", function_address(rank_assert_fail)},
          {"__assert", function_address(rank_assert)},
          {"__assert_perror_fail", function_address(rank_assert_perror_fail)},
          {"__stack_chk_fail", function_address(rank_stack_check_fail)}};
}

}  // namespace rehearse::smpi
