// SPDX-License-Identifier: MIT
//
// Reports of an actor to judges: values that hold from now on, results, and predicates over the values of all actors.
// Each is a Log on a separate stream and has no other effect.
//
// Errors: read() of anything but what text() made is a broken invariant.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "simcore/operation.hpp"

namespace rehearse {

inline constexpr int published_stream = 3;

struct Published {
  enum class Kind : std::uint8_t {
    value,   // `name` stands for `value` from now on
    result,  // the actor has computed `bytes`, under this name
    never,   // the predicate in `name` must be true in no consistent state of all actors
    always,  // ... in every consistent state
  } kind = Kind::value;
  std::string name;
  std::int64_t value = 0;
  std::string bytes = {};
  std::uintptr_t address = 0;  // in the actor's code, for Program::locate; 0: unknown
};

// The text for a Log.
std::string text_of(const Published& published);
Published read_published(std::string_view text);

}  // namespace rehearse
