// SPDX-License-Identifier: MIT
//
// A value, or one error about the user's input.
//
// Errors: Error::text is one line with the place, the given value and the accepted values. The command line prints it
//         after `rehearse: error:` and exits with status 2.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "simcore/support/assert.hpp"

namespace rehearse {

struct Error {
  std::string text;
  bool is_inconclusive = false;  // no fault of the input: a program that we need has ended (exit status 3)
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& value() {
    REHEARSE_ASSERT(state_.index() == 0, "value() of a failed Result");
    return std::get<0>(state_);
  }
  const T& value() const {
    REHEARSE_ASSERT(state_.index() == 0, "value() of a failed Result");
    return std::get<0>(state_);
  }
  const Error& error() const {
    REHEARSE_ASSERT(state_.index() == 1, "error() of a successful Result");
    return std::get<1>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

// The result of an action without a value: success or an error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  explicit operator bool() const { return !error_; }
  const Error& error() const {
    REHEARSE_ASSERT(error_.has_value(), "error() of a successful Result");
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace rehearse
