// SPDX-License-Identifier: MIT
//
// Numbers for what matters about a flow to its rate, whatever resources it uses: weight, bound, and for each use the
// coefficient, and the capacity and division of the resource.
//
// Bounds:  at most `most` numbers; the caller begins again with clear() when is_full().
// Threads: none.
#pragma once

#include <cstdint>
#include <vector>

#include "simcore/sharing/fluid_state.hpp"

namespace rehearse::sharing {

class FlowShapes {
 public:
  // Flows with equal numbers have equal shapes. Numbers start at 0.
  std::uint32_t number(const FluidActivity& activity, const std::vector<FluidResource>& resources,
                       const std::vector<Division>& divisions);
  // Whether the shape with this number has this weight and bound.
  bool has(std::uint32_t number, double weight, double bound) const {
    return shapes_[number].weight == weight && shapes_[number].bound == bound;
  }
  bool is_full() const { return shapes_.size() >= most; }
  void clear();

 private:
  struct Term {
    double coefficient = 1;
    double capacity = 0;
    Division division = Division::shared;
    bool operator==(const Term&) const = default;
  };
  struct Shape {
    std::uint64_t hash = 0;
    double weight = 1;
    double bound = unbounded;
    std::uint32_t first = 0;  // in terms_
    std::uint32_t size = 0;
  };

  bool is_asked(const Shape& shape, double weight, double bound) const;
  void grow();
  std::size_t place_of(std::uint64_t hash) const { return (hash ^ hash >> 32) & (places_.size() - 1); }

  static constexpr std::size_t most = 1u << 16;

  std::vector<Shape> shapes_;
  std::vector<Term> terms_;
  std::vector<std::uint32_t> places_;  // 1 + number, by hash, with linear probing; 0: none
  std::vector<Term> asked_;            // the terms of the flow in question
};

}  // namespace rehearse::sharing
