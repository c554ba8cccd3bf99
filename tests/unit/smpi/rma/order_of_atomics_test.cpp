// SPDX-License-Identifier: MIT
//
// Orders of atomic operations at a place: against all interleavings, two of which are the same order if all dependent
// operations have the same order in both.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "simcore/support/random.hpp"
#include "smpi/rma/order_of_atomics.hpp"

namespace order_of_atomics_test {

using namespace rehearse;
using namespace rehearse::smpi;

namespace {

using Order = std::vector<std::size_t>;
using Pairs = std::set<std::pair<std::size_t, std::size_t>>;

struct Place {
  std::vector<Order> origins;
  Pairs dependent;  // of different origins, both ways

  bool depend(std::size_t a, std::size_t b) const { return dependent.contains({a, b}); }
  // What can be seen of an order.
  Pairs seen(const Order& order) const {
    Pairs pairs;
    for (std::size_t i = 0; i < order.size(); ++i)
      for (std::size_t k = i + 1; k < order.size(); ++k)
        if (depend(order[i], order[k])) pairs.insert({order[i], order[k]});
    return pairs;
  }
};

void add_interleavings(const Place& place, std::vector<std::size_t> at, Order& order, std::set<Pairs>& all) {
  bool is_over = true;
  for (std::size_t origin = 0; origin < at.size(); ++origin) {
    if (at[origin] == place.origins[origin].size()) continue;
    is_over = false;
    order.push_back(place.origins[origin][at[origin]]);
    ++at[origin];
    add_interleavings(place, at, order, all);
    --at[origin];
    order.pop_back();
  }
  if (is_over) all.insert(place.seen(order));
}

// All orders that the class makes, by depth-first search over its choices.
std::vector<Order> made(const Place& place) {
  std::vector<Order> all;
  std::vector<std::pair<std::size_t, std::size_t>> path;  // choice, number of choices
  do {
    OrderOfAtomics orders(place.origins, [&](std::size_t a, std::size_t b) { return place.depend(a, b); });
    std::size_t depth = 0;
    const auto choose = [&](std::size_t count) {
      REQUIRE(count > 1);
      if (depth == path.size()) path.emplace_back(0, count);
      return path[depth++].first;
    };
    Order order;
    while (const auto next = orders.next(choose)) order.push_back(*next);
    all.push_back(std::move(order));
    while (!path.empty() && path.back().first + 1 == path.back().second) path.pop_back();
    if (!path.empty()) ++path.back().first;
  } while (!path.empty());
  return all;
}

Place random_place(SplitMix& random) {
  Place place;
  std::size_t number = 0;
  place.origins.resize(2 + random.below(2));
  for (Order& origin : place.origins)
    for (std::uint64_t left = 1 + random.below(3); left > 0; --left) origin.push_back(number++);
  for (std::size_t a = 0; a < place.origins.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      for (const std::size_t one : place.origins[a])
        for (const std::size_t other : place.origins[b])
          if (random.below(2) == 0) {
            place.dependent.insert({one, other});
            place.dependent.insert({other, one});
          }
  return place;
}

}  // namespace

TEST_CASE("orders of atomics: all of them, hardly any twice", "[smpi][rma]") {
  std::size_t repeated = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SplitMix random(seed);
    const Place place = random_place(random);
    std::set<Pairs> wanted;
    Order order;
    add_interleavings(place, std::vector<std::size_t>(place.origins.size()), order, wanted);
    std::set<Pairs> found;
    const std::vector<Order> orders = made(place);
    for (const Order& one : orders) found.insert(place.seen(one));
    INFO("seed " << seed);
    CHECK(found == wanted);
    repeated += orders.size() - found.size();
    all += found.size();
  }
  INFO(all << " orders, and " << repeated << " made again");
  CHECK(repeated * 20 < all);
}

}  // namespace order_of_atomics_test
