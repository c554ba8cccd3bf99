// SPDX-License-Identifier: MIT
//
// See folding.hpp. The folded form is: number of literals, literals, length of the copy less `shortest`, its distance;
// and so on until all rows are there. The last copy may be missing.
#include "trace/rtrace/folding.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace rehearse::trace::rtrace {

namespace {

constexpr std::size_t shortest = 4;
constexpr int hash_bits = 13;

std::uint32_t hash_of(const std::uint16_t* rows) {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < shortest; ++i) all = all << 16 | rows[i];
  return static_cast<std::uint32_t>(all * 0x9e3779b97f4a7c15 >> (64 - hash_bits));
}

}  // namespace

void fold(std::span<const std::uint16_t> rows, Bytes& out) {
  std::array<std::uint32_t, std::size_t{1} << hash_bits> last{};  // a position, plus one
  std::size_t at = 0, literals = 0;                               // from `literals` on nothing is written
  while (at + shortest <= rows.size()) {
    std::uint32_t& known = last[hash_of(&rows[at])];
    const std::size_t earlier = known;
    known = static_cast<std::uint32_t>(at + 1);
    std::size_t length = 0;
    if (earlier != 0)
      while (at + length < rows.size() && rows[earlier - 1 + length] == rows[at + length]) ++length;
    if (length < shortest) {
      ++at;
      continue;
    }
    put(out, std::uint64_t{at - literals});
    for (; literals < at; ++literals) put(out, std::uint64_t{rows[literals]});
    put(out, std::uint64_t{length - shortest});
    put(out, std::uint64_t{at - (earlier - 1)});
    // What follows a long copy is found from its last rows.
    const std::size_t end = at + length;
    for (at = std::max(at + 1, end - std::min<std::size_t>(length, 64)); at < end; ++at)
      if (at + shortest <= rows.size()) last[hash_of(&rows[at])] = static_cast<std::uint32_t>(at + 1);
    literals = at = end;
  }
  put(out, std::uint64_t{rows.size() - literals});
  for (; literals < rows.size(); ++literals) put(out, std::uint64_t{rows[literals]});
}

bool Unfolder::load(std::span<const std::uint8_t> folded, std::size_t count, std::size_t limit) {
  ByteReader in(folded);
  std::uint64_t rows = 0, farthest = 1;
  bool is_whole = false;
  while (in.is_good() && !is_whole) {
    const std::uint64_t literals = in.get();
    if (literals > count - rows) return false;
    for (std::uint64_t i = 0; i < literals; ++i)
      if (in.get() >= std::min<std::size_t>(limit, 0x10000)) return false;
    rows += literals;
    is_whole = in.is_at_end();
    if (is_whole) break;
    const std::uint64_t length = in.get() + shortest, distance = in.get();
    if (length > count - rows || distance == 0 || distance > rows) return false;
    rows += length;
    farthest = std::max(farthest, distance);
  }
  if (!in.is_good() || rows != count) return false;
  in_ = ByteReader(folded);
  const std::size_t room = std::bit_ceil(static_cast<std::size_t>(farthest));
  recent_ = std::vector<std::uint16_t>(room);
  mask_ = static_cast<std::uint32_t>(room - 1);
  at_ = literals_ = copies_ = 0;
  is_copy_next_ = false;
  left_ = static_cast<std::uint32_t>(count);
  if (left_ > 0) find_next();
  return true;
}

// Literals and copies take turns; there may be no literals before a copy.
void Unfolder::begin_part() {
  if (!is_copy_next_) {
    is_copy_next_ = true;
    literals_ = static_cast<std::uint32_t>(in_.get());
    if (literals_ > 0) return;
  }
  is_copy_next_ = false;
  copies_ = static_cast<std::uint32_t>(in_.get() + shortest);
  distance_ = static_cast<std::uint32_t>(in_.get());
}

}  // namespace rehearse::trace::rtrace
