// SPDX-License-Identifier: MIT
//
// See flow_shapes.hpp.
#include "simcore/sharing/flow_shapes.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "simcore/sharing/word_hash.hpp"

namespace rehearse::sharing {

bool FlowShapes::is_asked(const Shape& shape, double weight, double bound) const {
  return shape.weight == weight && shape.bound == bound &&
         std::ranges::equal(asked_, std::span(terms_).subspan(shape.first, shape.size));
}

std::uint32_t FlowShapes::number(const FluidActivity& activity, const std::vector<FluidResource>& resources,
                                 const std::vector<Division>& divisions) {
  std::uint64_t hash =
      mixed(std::bit_cast<std::uint64_t>(activity.weight), std::bit_cast<std::uint64_t>(activity.bound));
  asked_.clear();
  for (const Use& use : activity.uses) {
    asked_.push_back({use.coefficient, resources[use.resource].capacity, divisions[use.resource]});
    hash = mixed(hash, std::bit_cast<std::uint64_t>(use.coefficient));
    hash = mixed(hash, std::bit_cast<std::uint64_t>(asked_.back().capacity));
  }
  if (2 * shapes_.size() >= places_.size()) grow();
  std::size_t place = place_of(hash);
  for (; places_[place] != 0; place = (place + 1) & (places_.size() - 1)) {
    const std::uint32_t number = places_[place] - 1;
    if (shapes_[number].hash == hash && is_asked(shapes_[number], activity.weight, activity.bound)) return number;
  }
  shapes_.push_back({hash, activity.weight, activity.bound, static_cast<std::uint32_t>(terms_.size()),
                     static_cast<std::uint32_t>(asked_.size())});
  terms_.insert(terms_.end(), asked_.begin(), asked_.end());
  places_[place] = static_cast<std::uint32_t>(shapes_.size());
  return places_[place] - 1;
}

void FlowShapes::grow() {
  places_.assign(std::max<std::size_t>(256, 2 * places_.size()), 0);
  for (std::uint32_t i = 0; i < shapes_.size(); ++i) {
    std::size_t place = place_of(shapes_[i].hash);
    while (places_[place] != 0) place = (place + 1) & (places_.size() - 1);
    places_[place] = i + 1;
  }
}

void FlowShapes::clear() {
  shapes_.clear();
  terms_.clear();
  places_.clear();
}

}  // namespace rehearse::sharing
