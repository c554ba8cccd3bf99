// SPDX-License-Identifier: MIT
//
// See thread_level.hpp.
#include "smpi/thread_level.hpp"

#include "simcore/support/format.hpp"
#include "smpi/abi/api.hpp"
#include "smpi/driver_services.hpp"
#include "smpi/library.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/thread_order.hpp"

namespace rehearse::smpi {
namespace {

struct RequestedLevel {
  int missing = 0;  // 0: none
};

}  // namespace

int highest_thread_level() {
  return driver_services().threads_wait_apart || can_follow_threads() ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED;
}

void note_thread_level(int required, int provided) {
  if (required > provided) per_rank<RequestedLevel>().missing = required;
}

bool wants_multiple() {
  const RequestedLevel* requested = find_per_rank<RequestedLevel>();
  return requested != nullptr && requested->missing == MPI_THREAD_MULTIPLE;
}

std::string missing_thread_level(const std::string& how) {
  const RequestedLevel* requested = find_per_rank<RequestedLevel>();
  const Library* mpi = find_per_rank<Library>();
  if (requested == nullptr || requested->missing == 0 || mpi == nullptr || mpi->next_request > 0) return "";
  const ConstantInfo* level = find_constant(Kind::thread_level, requested->missing);
  const std::string name = level != nullptr ? std::string(level->name) : std::to_string(requested->missing);
  return fmt::format("{} (the program ends without it: {})", name, how);
}

}  // namespace rehearse::smpi
