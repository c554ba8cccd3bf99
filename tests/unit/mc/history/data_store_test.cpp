// SPDX-License-Identifier: MIT
//
// What is equal is held once.
#include "mc/history/data_store.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace rehearse::mc::history {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

DataStore::Data kept(DataStore& store, const std::string& text) {
  return store.keep(hash_bytes(text.data(), text.size()), bytes_of(text));
}

TEST_CASE("data store: equal data are stored once, until the last pointer is destroyed", "[mc]") {
  DataStore store;
  const std::string one(5000, 'a'), other(3000, 'b');
  auto first = kept(store, one), again = kept(store, std::string(one)), second = kept(store, other);
  CHECK(first == again);
  CHECK(first != second);
  CHECK(std::string(reinterpret_cast<const char*>(second.get()), other.size()) == other);
  CHECK(store.bytes() == 8000);
  first.reset();
  CHECK(store.bytes() == 8000);
  again.reset();
  CHECK(store.bytes() == 3000);
  CHECK(kept(store, one) != nullptr);
  CHECK(store.bytes() == 3000);
}

}  // namespace
}  // namespace rehearse::mc::history
