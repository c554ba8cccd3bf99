// SPDX-License-Identifier: MIT
//
// Hashes of an actor's Operations and of its observable effects: equal if no other actor could notice a difference.
#pragma once

#include "mc/history/hash128.hpp"
#include "simcore/operation.hpp"
#include "simcore/published.hpp"

namespace rehearse::mc::history {

// Whether the operation concerns no other actor.
bool is_local(const Operation& operation);

// Hashes of the observable effects of an actor since its start: equal for the same output, results and sends in the
// same order.
struct ObservableEffects {
  std::uint64_t output = 0;        // bytes written, with their streams
  std::uint64_t results = 0;       // published results: names and bytes
  std::uintptr_t reported_at = 0;  // address of the code that published the last result
  std::uint64_t sends = 0;         // destination, tag, mode, data

  void add(const Log& log);  // the sizes of the pieces do not matter
  void add(const Send& send, const Hash128& data);
  void add(const Published& result);
};

// Of the data of a Send or the contribution to a Collective; 0 for other operations.
Hash128 hash_of_data(const Operation& operation);

// `data`: hash_of_data(operation). `passed`: the fingerprint of the local operations since the last other one.
Hash128 fingerprint(const Operation& operation, const Hash128& data, const Hash128& passed);

}  // namespace rehearse::mc::history
