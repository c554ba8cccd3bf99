// SPDX-License-Identifier: MIT
//
// Hashes of the Operations of an actor and of all that it did: equal if other actors could not notice a difference.
#pragma once

#include "mc/history/hash128.hpp"
#include "simcore/operation.hpp"
#include "simcore/published.hpp"

namespace rehearse::mc::history {

// Whether it concerns nobody but the actor.
bool is_local(const Operation& operation);

// What an actor did for others to see, from its start on; equal for equal bytes, results and sends, in order.
struct ObservableEffects {
  std::uint64_t output = 0;        // bytes that it wrote, with their streams
  std::uint64_t results = 0;       // names and bytes
  std::uintptr_t reported_at = 0;  // the place in its code that published the last result
  std::uint64_t sends = 0;         // destination, tag, mode, data

  void add(const Log& log);  // in whatever pieces it is written
  void add(const Send& send, const Hash128& data);
  void add(const Published& result);
};

// Of what a Send or a Collective carries; 0 for others.
Hash128 hash_of_data(const Operation& operation);

// `data`: hash_of_data(). `passed`: the fingerprint of the local operations before.
Hash128 fingerprint(const Operation& operation, const Hash128& data, const Hash128& passed);

}  // namespace rehearse::mc::history
