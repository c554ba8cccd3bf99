// SPDX-License-Identifier: MIT
//
// Sizes, bounds, layouts, signatures and counts of datatypes, against their literal definition.
#include "smpi/datatype/datatype.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <limits>
#include <map>

#include "simcore/signature_number.hpp"
#include "smpi/datatype/pack.hpp"
#include "smpi/datatype/table.hpp"
#include "tests/unit/smpi/datatype/reference.hpp"

using namespace rehearse;
using namespace rehearse::smpi;
using namespace rehearse::tests;

namespace {

// A buffer around address 0 of `count` elements, filled with bytes that encode their place.
struct Buffer {
  Buffer(const TypeWithMap& type, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
      for (const MapEntry& entry : type.map) {
        const std::int64_t at = i * type.extent() + entry.displacement;
        low = std::min(low, at);
        high = std::max(high, at + entry.basic->size);
      }
    bytes.resize(static_cast<std::size_t>(high - low));
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 31 + (i >> 8) + 7);
  }
  std::byte* zero() { return bytes.data() - low; }

  std::int64_t low = 0, high = 0;
  std::vector<std::byte> bytes;
};

// Packing as the standard defines it.
std::vector<std::byte> packed_by_map(const TypeWithMap& type, std::int64_t count, Buffer& buffer) {
  std::vector<std::byte> out;
  for (std::int64_t i = 0; i < count; ++i)
    for (const MapEntry& entry : type.map) {
      const std::byte* from = buffer.zero() + i * type.extent() + entry.displacement;
      out.insert(out.end(), from, from + entry.basic->size);
    }
  return out;
}

void unpack_by_map(const TypeWithMap& type, std::int64_t count, std::span<const std::byte> data, Buffer& buffer) {
  std::size_t done = 0;
  for (std::int64_t i = 0; i < count; ++i)
    for (const MapEntry& entry : type.map) {
      const std::size_t n = std::min<std::size_t>(data.size() - done, entry.basic->size);
      std::memcpy(buffer.zero() + i * type.extent() + entry.displacement, data.data() + done, n);
      done += n;
    }
}

// The elements of `count` items one by one.
Signature signature_by_map(const TypeWithMap& type, std::int64_t count) {
  Signature s;
  for (std::int64_t i = 0; i < count; ++i)
    for (const MapEntry& entry : type.map) s = s + predefined_datatype(entry.basic->handle)->signature();
  return s;
}

void check_bounds(const TypeWithMap& t) {
  CHECK(t.type->size() == t.size());
  CHECK(t.type->lower_bound() == t.lower_bound());
  CHECK(t.type->upper_bound() == t.upper_bound());
  CHECK(t.type->elements() == static_cast<std::int64_t>(t.map.size()));
  if (t.map.empty()) return;
  std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = -low;
  for (const MapEntry& entry : t.map) {
    low = std::min(low, entry.displacement);
    high = std::max(high, entry.displacement + entry.basic->size);
  }
  CHECK(t.type->true_lower_bound() == low);
  CHECK(t.type->true_extent() == high - low);
}

void check_packing(const TypeWithMap& t, std::int64_t count, Random& random) {
  Buffer buffer(t, count);
  const std::vector<std::byte> expected = packed_by_map(t, count, buffer);
  const PackedData data(*t.type, count, buffer.zero());
  CHECK(std::vector(data.bytes().begin(), data.bytes().end()) == expected);

  std::vector<std::byte> message(expected.size());
  for (std::byte& b : message) b = static_cast<std::byte>(random.between(0, 255));
  std::vector<std::size_t> lengths{message.size()};
  for (int i = 0; i < 5; ++i) lengths.push_back(static_cast<std::size_t>(random.between(0, message.size())));
  for (const std::size_t bytes : lengths) {
    Buffer ours(t, count), theirs(t, count);
    const auto received = std::span<const std::byte>(message).first(bytes);
    unpack(*t.type, count, received, ours.zero());
    unpack_by_map(t, count, received, theirs);
    CHECK(ours.bytes == theirs.bytes);
  }
}

void check_copy(const TypeWithMap& from, const TypeWithMap& to, Random& random) {
  const std::int64_t from_count = random.between(0, 3), to_count = random.between(0, 3);
  Buffer source(from, from_count), ours(to, to_count), theirs(to, to_count);
  for (std::byte& b : source.bytes) b = static_cast<std::byte>(random.between(0, 255));
  copy(*from.type, from_count, source.zero(), *to.type, to_count, ours.zero());
  std::vector<std::byte> data = packed_by_map(from, from_count, source);
  data.resize(std::min<std::size_t>(data.size(), to.size() * to_count));
  unpack_by_map(to, to_count, data, theirs);
  CHECK(ours.bytes == theirs.bytes);
}

// What the number of a sequence must be, given all of its elements.
std::uint64_t number_of(const Signature& signature, const std::vector<std::uint64_t>& elements) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> runs;
  for (const std::uint64_t element : elements) {
    if (runs.empty() || runs.back().first != element) runs.emplace_back(element, 0);
    ++runs.back().second;
  }
  const bool is_short = std::ranges::all_of(runs, [](const auto& run) { return run.second <= 31; });
  if (signature.value() == 0 || runs.size() < 2 || runs.size() > 4 || !is_short) return signature.value();
  std::uint64_t body = 0;
  for (std::size_t i = runs.size(); i-- > 0;) body = body << 13 | runs[i].first << 5 | runs[i].second;
  return SignatureNumber::make(SignatureForm::listed, 0, body).value;
}

std::uint64_t number_by_map(const TypeWithMap& t, std::int64_t count) {
  std::vector<std::uint64_t> list;
  for (std::int64_t i = 0; i < count; ++i)
    for (const MapEntry& entry : t.map) list.push_back(reinterpret_cast<std::uintptr_t>(entry.basic->handle) % 256);
  return number_of(signature_by_map(t, count), list);
}

// Every prefix of the packed bytes of two elements.
void check_counts(const TypeWithMap& t) {
  std::int64_t bytes = 0, elements = 0;
  Signature signature;
  std::vector<std::uint64_t> list;
  std::map<std::int64_t, std::pair<std::int64_t, std::uint64_t>> ends{{0, {0, signature.value()}}};
  for (int i = 0; i < 2; ++i)
    for (const MapEntry& entry : t.map) {
      bytes += entry.basic->size;
      signature = signature + predefined_datatype(entry.basic->handle)->signature();
      list.push_back(reinterpret_cast<std::uintptr_t>(entry.basic->handle) % 256);
      ends[bytes] = {++elements, number_of(signature, list)};
      CHECK(bytes_of_elements(*t.type, elements) == bytes);
    }
  for (std::int64_t n = 0; n <= bytes; ++n) {
    const auto end = ends.find(n);
    const bool cut = end == ends.end();
    CHECK(elements_of_bytes(*t.type, n) == (cut ? MPI_UNDEFINED : end->second.first));
    CHECK(signature_of_bytes(*t.type, n) == (cut ? 1 : end->second.second));
    const bool whole = t.size() == 0 ? n == 0 : n % t.size() == 0;
    CHECK(count_of_bytes(*t.type, n) == (!whole ? MPI_UNDEFINED : t.size() == 0 ? 0 : n / t.size()));
  }
}

}  // namespace

TEST_CASE("datatype: random trees agree with their type map", "[smpi][datatype]") {
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    Random random(seed);
    const TypeWithMap t = random_type(random, static_cast<int>(1 + seed % 4));
    if (t.map.size() > 2000) continue;
    INFO("seed " << seed << ": " << t.text);
    check_bounds(t);
    const std::int64_t count = random.between(0, 3);
    check_packing(t, count, random);
    CHECK(signature_of(*t.type, count) == number_by_map(t, count));
    if (t.map.size() < 100) check_counts(t);
  }
}

TEST_CASE("datatype: copying between random types is packing with one and unpacking with the other",
          "[smpi][datatype]") {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    Random random(seed * 7919);
    const TypeWithMap from = random_type(random, static_cast<int>(seed % 4));
    const TypeWithMap to = random_type(random, static_cast<int>(seed / 4 % 4));
    if (from.map.size() > 2000 || to.map.size() > 2000) continue;
    INFO("seed " << seed << ": " << from.text << " to " << to.text);
    check_copy(from, to, random);
  }
}
