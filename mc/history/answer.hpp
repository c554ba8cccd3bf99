// SPDX-License-Identifier: MIT
//
// The answer to an operation, piece by piece: as a hash that identifies it, and as a Reply. Both take the same pieces
// in the same order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "mc/history/history.hpp"
#include "mc/history/words.hpp"

namespace rehearse::mc::history {

// The part of a member's contribution for the member of index `self`. It has no address if the contribution has none.
std::span<const std::byte> part_for(const Collective& given, std::size_t self);

class AnswerKey {
 public:
  explicit AnswerKey(bool flag) { words_.add(flag); }

  // A completion without content.
  void index(std::uint32_t index) { words_.add(index); }
  // A completion with the message that actor `source` sent at this Node.
  void message(std::uint32_t index, std::uint32_t source, const Node& sent);
  // The parts of a collective, which belong to the last completion, or to the answer if it has no completions. `from`:
  // where the member arrived; null: its part is not needed, and empty.
  void begin_parts() {}
  void part(const Node* from, std::span<const std::byte> part);
  void end_parts() {}

  Hash128 key() const { return words_.hash(); }

 private:
  Words words_;
};

// See AnswerKey.
class AnswerWriter {
 public:
  explicit AnswerWriter(Reply& reply) : reply_(reply) {}

  void index(std::uint32_t index) { reply_.completions.emplace_back().index = index; }
  void message(std::uint32_t index, std::uint32_t source, const Node& sent);
  void begin_parts();
  void part(const Node* from, std::span<const std::byte> part);
  void end_parts();

 private:
  Reply& reply_;
};

}  // namespace rehearse::mc::history
