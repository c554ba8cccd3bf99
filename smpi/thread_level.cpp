// SPDX-License-Identifier: MIT
//
// See thread_level.hpp.
#include "smpi/thread_level.hpp"

#include "simcore/support/format.hpp"
#include "smpi/abi/api.hpp"
#include "smpi/library.hpp"
#include "smpi/per_rank.hpp"

namespace rehearse::smpi {
namespace {

struct AskedLevel {
  int missing = 0;  // 0: none is
};

}  // namespace

void note_thread_level(int required, int provided) {
  if (required > provided) per_rank<AskedLevel>().missing = required;
}

std::string want_of_thread_level(const std::string& how) {
  const AskedLevel* asked = find_per_rank<AskedLevel>();
  const Library* mpi = find_per_rank<Library>();
  if (asked == nullptr || asked->missing == 0 || mpi == nullptr || mpi->next_request > 0) return "";
  const ConstantInfo* level = find_constant(Kind::thread_level, asked->missing);
  const std::string name = level != nullptr ? std::string(level->name) : std::to_string(asked->missing);
  return fmt::format("{} (the program gives up without it: {})", name, how);
}

}  // namespace rehearse::smpi
