// SPDX-License-Identifier: MIT
//
// The orders of atomic operations of several origins at one place: all of them, and hardly any twice.
//
// Orders: two orders are the same if they differ only in operations that do not depend on each other. Those of one
//         origin keep their order.
// Method: of equal orders the one is made that has the smallest origin first, at each step. An operation on which no
//         later one of another origin depends is no choice. A beginning may turn out to have no such order; then it
//         gets any end.
// Source: lexicographic normal forms of traces: Anisimov and Knuth, "Inhomogeneous Sorting", International Journal of
//         Computer and Information Sciences 8(4), 1979.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace rehearse::smpi {

class OrderOfAtomics {
 public:
  // `origins`: the operations of each origin, in their order. `depend`: of two operations of different origins.
  OrderOfAtomics(std::vector<std::vector<std::size_t>> origins, std::function<bool(std::size_t, std::size_t)> depend)
      : origins_(std::move(origins)), done_of_(origins_.size()), depend_(std::move(depend)) {}

  // The next operation, or nothing: none is left. `choose(n)` is a number below n; n is at least 2.
  std::optional<std::size_t> next(const std::function<std::size_t(std::size_t)>& choose);

 private:
  struct Done {
    std::size_t origin = 0, operation = 0;
    bool was_chosen = false;
  };

  bool makes_each_once() const;
  bool has_left(std::size_t origin) const { return done_of_[origin] < origins_[origin].size(); }
  std::size_t head_of(std::size_t origin) const { return origins_[origin][done_of_[origin]]; }
  bool is_free(std::size_t origin) const;
  bool could_be_earlier(std::size_t origin) const;
  std::size_t take(std::size_t origin, bool was_chosen);

  std::vector<std::vector<std::size_t>> origins_;
  std::vector<std::size_t> done_of_;  // by origin
  std::vector<Done> done_;
  std::function<bool(std::size_t, std::size_t)> depend_;
};

}  // namespace rehearse::smpi
