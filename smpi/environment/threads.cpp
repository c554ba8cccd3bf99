// SPDX-License-Identifier: MIT
//
// Checks whether the calling thread of a rank may call MPI, which depends on the provided thread level.
//
// Rules:  below MPI_THREAD_SERIALIZED, only the thread that called MPI_Init. At that level, any thread, one at a time:
//         a call stops all threads of the rank. A program that wants MPI_THREAD_MULTIPLE and does not get it may rely
//         on calls of several threads at once, so it is refused by name. That level is provided where threads wait
//         apart (smpi/process/thread_waits.hpp), and by explorations that follow the threads (thread_order.hpp).
// Source: MPI 4.1, 11.6.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "smpi/abi/api.hpp"
#include "smpi/abi/call_scope.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/error.hpp"
#include "smpi/library.hpp"
#include "smpi/process/rank_threads.hpp"
#include "smpi/process/thread_order.hpp"
#include "smpi/process/thread_waits.hpp"
#include "smpi/thread_level.hpp"

namespace rehearse::smpi {
namespace {

// Functions that any thread may call at every level, and the clock.
constexpr std::array<std::string_view, 8> for_any_thread{"MPI_Finalized",      "MPI_Get_library_version",
                                                         "MPI_Get_version",    "MPI_Initialized",
                                                         "MPI_Is_thread_main", "MPI_Query_thread",
                                                         "MPI_Wtick",          "MPI_Wtime"};

std::string name_of_level(int level) {
  const ConstantInfo* constant = find_constant(Kind::thread_level, level);
  return constant != nullptr ? std::string(constant->name) : std::to_string(level);
}

}  // namespace

void switch_thread(ThreadNumber number) {
  RankThreads& threads = per_rank<RankThreads>();
  CallChain& chain = per_rank<CallChain>();
  if (!threads.all.empty()) {
    threads.all[threads.running]->call = chain.innermost;
    chain.innermost = threads.all[number]->call;
  }
  threads.running = number;
  chain.has_threads = true;
  chain.is_other_thread = !threads.is_main();
}

void note_polling(std::uint16_t function) {
  const std::string_view name = functions()[function].name;
  if (ThreadOrder* order = followed_order(); order != nullptr) return order->begin_call(name);
  if (threads_wait_apart()) return pass_code_time();
  if (name.starts_with("MPI_Test") || name == "MPI_Iprobe" || name == "MPI_Improbe" || name == "MPI_Wtime" ||
      name.starts_with("MPI_Request_get_status"))
    note_idling();
}

void note_start_of_mpi() {
  RankThreads& threads = per_rank<RankThreads>();
  threads.has_started_mpi = true;
  threads.started_mpi = threads.running;
}

void check_thread(std::uint16_t function) {
  const std::string_view name = functions()[function].name;
  if (std::ranges::find(for_any_thread, name) != for_any_thread.end()) return;
  const int level = library().thread_level;
  if (wants_multiple()) unsupported("MPI calls of several threads of a rank with MPI_THREAD_MULTIPLE");
  if (level >= MPI_THREAD_SERIALIZED) return;
  misuse("thread.level",
         "a call from a thread that did not call MPI_Init, but the thread level is " + name_of_level(level));
}

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Is_thread_main(int* flag) {
  Arguments check;
  check.pointer(flag, "flag");
  const RankThreads* threads = find_per_rank<RankThreads>();
  if (!check.failed()) *flag = threads == nullptr || threads->is_main() ? 1 : 0;
  return check.error();
}

}  // namespace rehearse::smpi::calls
