// SPDX-License-Identifier: MIT
//
// The common state of all parts of one timed run: its program, platform, options and error.
//
// Errors:    the first call of fail() is what the run returns; later ones change nothing.
// Ownership: Engine::Core; every part refers to the same one.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simcore/engine.hpp"

namespace rehearse::engine {

struct RunState {
  Program& program;
  const Platform& platform;
  EngineOptions options;
  std::optional<Error> error = {};
  bool is_stopped = false;           // an actor has aborted, or nobody can continue
  std::uint64_t used_decisions = 0;  // forced ones that the program came to
  std::vector<std::pair<ActorId, Finding>> reports = {};

  void fail(std::string text) {
    if (!error) error = Error{std::move(text)};
  }
  bool is_eager(std::uint64_t bytes) const { return options.eager_bytes > 0 && bytes <= options.eager_bytes; }
  bool has_bounded_buffers() const { return options.buffer_bytes != EngineOptions::infinite; }
  // What the schedule says about this operation of the actor; null: nothing.
  const Answer* find_forced(ActorId actor, std::uint32_t operation) const {
    if (options.forced.answers.empty()) return nullptr;
    const auto forced = options.forced.answers.find({actor, operation});
    return forced == options.forced.answers.end() ? nullptr : &forced->second;
  }
};

}  // namespace rehearse::engine
