// SPDX-License-Identifier: MIT
//
// A sequence of calls with its repetitions as loops: the shape of a rank.
//
// Method: calls between two moments without open requests stay together, so that loops begin and end at such moments.
//         In these groups and between them, repetitions of equal calls become exact loops, innermost first. In each
//         list that remains, repetitions of calls that differ only in their numbers become varying loops.
// Cost:   a call is compared with the ends of at most `longest_body` sequences before it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rehearse::manynode::inference {

inline constexpr std::size_t longest_body = 512;

// A call: `key` leaves its numbers out.
struct Token {
  std::uint32_t key = 0;
  std::uint32_t exact = 0;
  std::int8_t opens = 0;  // 1: it starts a request, -1: it ends one, closes_all: it ends all
};
inline constexpr std::int8_t closes_all = -2;

struct Shape {
  bool is_loop = false;
  bool is_exact = false;    // the calls of all passes are equal
  std::uint32_t key = 0;    // of a call
  std::uint64_t times = 0;  // of an exact loop, where it was found
  std::vector<Shape> body;  // of a loop
};

std::vector<Shape> fold(std::span<const Token> tokens);

}  // namespace rehearse::manynode::inference
