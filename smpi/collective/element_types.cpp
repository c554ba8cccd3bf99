// SPDX-License-Identifier: MIT
//
// See element_types.hpp.
#include "smpi/collective/element_types.hpp"

#include "smpi/report.hpp"

namespace rehearse::smpi {

std::uint64_t element_type(const Buffer& buffer) {
  if (buffer.count == 0 || !buffer.type->signature().uniform()) return 0;
  return buffer.type->signature().uniform_value(1);
}

std::uint64_t element_type(const Blocks& blocks) {
  if (const Buffer* all = blocks.as_one()) return element_type(*all);
  std::uint64_t common = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Buffer block = blocks[i];
    if (block.count == 0) continue;
    const std::uint64_t type = element_type(block);
    if (type == 0 || (common != 0 && common != type)) return 0;
    common = type;
  }
  return common;
}

std::uint64_t element_type_for_all(const Blocks& blocks) {
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (blocks[i].count == 0) return 0;
  return element_type(blocks);
}

std::uint64_t element_type(const Blocks& sent, const Blocks& received, const Communicator& communicator) {
  for (std::size_t i = 0; i < sent.size(); ++i)
    if (static_cast<int>(i) != communicator.rank() && sent[i].count == 0 && received[i].count == 0) return 0;
  const std::uint64_t of_sent = element_type(sent);
  return of_sent == element_type(received) ? of_sent : 0;
}

void check_own_block(const Buffer& given, const Buffer& taken) {
  if (given.bytes() == 0 || given.bytes() != taken.bytes()) return;  // counts are compared when the data is there
  const std::uint64_t mine = given.signature(), wanted = taken.signature();
  if (mine == 0 || wanted == 0 || mine == wanted) return;
  report("collective.signature", Severity::error,
         "what the rank gives itself consists of " + std::to_string(given.count) + " of " + describe(*given.type) +
             ", and it takes " + std::to_string(taken.count) + " of " + describe(*taken.type));
}

}  // namespace rehearse::smpi
