// SPDX-License-Identifier: MIT
//
// See repeated_reads.hpp.
#include "smpi/rma_model/repeated_reads.hpp"

#include "simcore/support/hash.hpp"

namespace rehearse::smpi::model {

void RepeatedReads::add(std::span<const std::byte> place, std::span<const std::byte> value) {
  constexpr std::size_t most_kept = 1024;
  StableHash hash;
  for (const std::span<const std::byte> bytes : {place, value})
    for (const std::byte byte : bytes) hash.add(static_cast<std::uint8_t>(byte));
  if (!found_.insert(hash.value()).second) {
    ++count_;
    return;
  }
  count_ = 0;
  if (found_.size() > most_kept) found_.clear();
}

}  // namespace rehearse::smpi::model
