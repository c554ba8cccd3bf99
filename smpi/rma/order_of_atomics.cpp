// SPDX-License-Identifier: MIT
//
// See order_of_atomics.hpp.
#include "smpi/rma/order_of_atomics.hpp"

#include <algorithm>

namespace rehearse::smpi {

// Whether no later operation of another origin depends on the next one of this origin.
bool OrderOfAtomics::is_free(std::size_t origin) const {
  const std::size_t head = head_of(origin);
  for (std::size_t other = 0; other < origins_.size(); ++other) {
    if (other == origin) continue;
    for (std::size_t i = done_of_[other]; i < origins_[other].size(); ++i)
      if (depend_(head, origins_[other][i])) return false;
  }
  return true;
}

// Whether the order is the same with the next operation of this origin before one of a larger origin.
bool OrderOfAtomics::could_be_earlier(std::size_t origin) const {
  for (auto done = done_.rbegin(); done != done_.rend(); ++done) {
    if (done->origin == origin || depend_(done->operation, head_of(origin))) return false;
    if (done->was_chosen && done->origin > origin) return true;
  }
  return false;
}

std::size_t OrderOfAtomics::take(std::size_t origin, bool was_chosen) {
  const std::size_t operation = head_of(origin);
  ++done_of_[origin];
  done_.push_back({origin, operation, was_chosen});
  return operation;
}

// More operations have too many orders in any case: then some of them are made several times, which costs less here.
bool OrderOfAtomics::makes_each_once() const {
  constexpr std::size_t most_operations = 64;
  std::size_t operations = 0;
  for (const std::vector<std::size_t>& of_origin : origins_) operations += of_origin.size();
  return operations <= most_operations;
}

std::optional<std::size_t> OrderOfAtomics::next(const std::function<std::size_t(std::size_t)>& choose) {
  std::vector<std::size_t> heads, new_ones;
  const bool is_exact = makes_each_once();
  for (std::size_t origin = 0; origin < origins_.size(); ++origin) {
    if (!has_left(origin)) continue;
    if (is_exact && is_free(origin)) return take(origin, false);
    heads.push_back(origin);
    if (!is_exact || !could_be_earlier(origin)) new_ones.push_back(origin);
  }
  if (heads.empty()) return std::nullopt;
  if (new_ones.empty()) new_ones = heads;  // all orders with this beginning are made elsewhere
  return take(new_ones[new_ones.size() == 1 ? 0 : choose(new_ones.size())], true);
}

}  // namespace rehearse::smpi
