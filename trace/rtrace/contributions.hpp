// SPDX-License-Identifier: MIT
//
// The sizes that each member contributes to the collectives of a recording in which others must know them.
//
// Reason:  a recorded rank knows its own contribution only. Calls in other formats have the sizes of the message that a
//          broadcast brings, or those of all members.
// Memory:  equal lists with equal signatures are kept once, and equal consecutive contributions of a member are one
//          entry. At most about 128 MiB are kept: sizes behind that are unknown.
// Errors:  make(): the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "simcore/operation.hpp"
#include "simcore/support/result.hpp"
#include "trace/rtrace/file.hpp"

namespace rehearse::trace::rtrace {

// Whether Contributions has collectives of this kind.
bool needs_contributions(CollectiveKind kind);

class Contributions {
 public:
  static Result<Contributions> make(const File& file);

  // Of the member in the n-th such collective of the context, from 0 on: bytes for each member, or for all together.
  // Nothing: unknown.
  struct Sizes {
    std::span<const std::uint64_t> by_member;
    bool are_equal = false;       // one number stands for all members
    std::uint64_t signature = 0;  // Collective::signature

    std::uint64_t for_member(std::size_t member) const { return by_member[are_equal ? 0 : member]; }
  };
  std::optional<Sizes> find(std::uint32_t context, std::uint32_t member, std::uint64_t number) const;

 private:
  struct List {
    std::size_t first = 0, count = 0;
    bool are_equal = false;
    std::uint64_t signature = 0;
  };
  struct Run {
    std::uint64_t end = 0;  // number of the first collective behind it
    std::uint32_t list = 0;
  };
  using Column = std::vector<Run>;  // of one member

  Result<void> read(const File& file, std::uint32_t rank);
  void append(Column& column, const Sizes& sizes);
  std::uint32_t list_of(const Sizes& sizes);
  bool is_full() const;

  std::vector<std::vector<Column>> columns_;  // by context and member
  std::size_t runs_ = 0;
  std::vector<std::uint64_t> sizes_;
  std::vector<List> lists_;
  std::unordered_map<std::uint64_t, std::uint32_t> list_of_hash_;
};

}  // namespace rehearse::trace::rtrace
