// SPDX-License-Identifier: MIT
//
// Weak references by hash; the deleter of the last pointer removes the entry.
#include "mc/history/data_store.hpp"

#include <cstring>

namespace rehearse::mc::history {

DataStore::Data DataStore::keep(const Hash128& hash, std::span<const std::byte> bytes) {
  std::weak_ptr<const std::byte[]>& known = known_[hash];
  if (Data data = known.lock()) return data;
  auto* copy = new std::byte[bytes.size()];
  std::memcpy(copy, bytes.data(), bytes.size());
  Data data(copy, [this, hash, size = bytes.size()](const std::byte* gone) {
    delete[] gone;
    bytes_ -= size;
    known_.erase(hash);
  });
  bytes_ += bytes.size();
  known = data;
  return data;
}

}  // namespace rehearse::mc::history
