// SPDX-License-Identifier: MIT
//
// The fields of one action, behind its name, each read with the error message that it deserves.
//
// Errors: a field that is missing or wrong makes ok() false; the first problem stays. Values are 0 then.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rehearse::trace::ti {

class Fields {
 public:
  // `needed`: how many fields there must be at least, with `what` they are: "destination, tag and count".
  Fields(std::string_view action, std::span<const std::string_view> words, std::uint64_t default_size)
      : action_(action), words_(words), default_size_(default_size) {
    take_options();
  }

  std::string_view action() const { return action_; }
  std::size_t size() const { return words_.size(); }
  bool ok() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }
  const std::optional<std::int64_t>& communicator() const { return communicator_; }

  // False, and a problem: there are fewer.
  bool need(std::size_t count, std::string_view what);

  double amount(std::size_t at, std::string_view what);  // from 0 on
  std::int64_t whole(std::size_t at, std::string_view what);
  std::uint64_t count(std::size_t at);                            // from 0 on; 1e6 is a million
  std::optional<std::uint64_t> count_or_unknown(std::size_t at);  // negative: unknown
  std::uint32_t rank(std::size_t at, std::uint32_t ranks);
  std::uint32_t root(std::size_t at, std::uint32_t members);  // 0 where the field is missing
  std::uint64_t type_size(std::size_t at);                    // the default where the field is missing

  // So many elements of this type.
  std::uint64_t bytes(std::size_t count_at, std::size_t type_at) { return bytes_of(count(count_at), type_at); }
  std::uint64_t bytes_of(std::uint64_t elements, std::size_t type_at);

  void refuse(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }

 private:
  void take_options();
  std::string_view word(std::size_t at);

  std::string_view action_;
  std::span<const std::string_view> words_;
  std::uint64_t default_size_;
  std::optional<std::int64_t> communicator_;
  std::string problem_;
};

}  // namespace rehearse::trace::ti
