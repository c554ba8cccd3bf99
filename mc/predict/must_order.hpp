// SPDX-License-Identifier: MIT
//
// What must have happened before what in every execution of a course under a policy.
//
// For each segment: the number of waits of each actor that must have been passed when it begins. It follows from the
// program order, the determined matches, the sends that wait for them, and collectives; undetermined matches add
// nothing. A wait that can never be passed like that (sends that wait for each other) is the last one of its actor that
// matters: the segments behind it never begin.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mc/predict/clusters.hpp"
#include "mc/predict/completion.hpp"
#include "mc/predict/course.hpp"
#include "simcore/policy.hpp"

namespace rehearse::mc::predict {

class MustOrder {
 public:
  // The largest number of words that an order may have.
  static constexpr std::size_t words_max = 50'000'000;
  static std::size_t words_of(const Course& course);

  MustOrder(const graph::Graph& graph, const Course& course, const Clusters& clusters,
            const std::vector<Completion>& completions, const Policy& policy);

  // The last segment of the actor that can begin; of all actors, whether it is their last one.
  Index last(Index actor) const { return last_[actor]; }
  bool reaches_the_end() const { return reaches_the_end_; }

  // By actor: the number of its waits that are passed before this segment begins, which is at most last(actor). Segment
  // s+1 begins behind wait s.
  std::span<const Index> before(Index actor, Index segment) const {
    return {past_.data() + (first_[actor] + segment) * actors_, actors_};
  }

 private:
  std::span<Index> at(Index actor, Index segment) {
    return {past_.data() + (first_[actor] + segment) * actors_, actors_};
  }

  std::size_t actors_;
  std::vector<std::size_t> first_;  // by actor: the number of segments of the actors before it
  std::vector<Index> past_, last_;
  bool reaches_the_end_ = true;
};

}  // namespace rehearse::mc::predict
